// Blind A* where a state has few bits: the search of a_star.cpp, the same states in the same order, in less memory.
//
// There, a state is a row of a pool with its cost and what led to it, and a number in a table and in the open list.
// Here it is an entry of a compact table, with its cost; the open list has the states themselves, in five bytes.
//
// What led to a state is not kept. Where operators can be undone it is found again in the end: a state before is in
// the table, and its cost is less by what the operator costs. Operators that cost nothing could lead round in a
// circle, so the way back through states of one cost is a breadth-first search.
#include <algorithm>
#include <bit>
#include <cstring>

#include "compact_table.hpp"
#include "expander.hpp"
#include "goal.hpp"
#include "open_list.hpp"
#include "search.hpp"
#include "trace.hpp"
#include "undo.hpp"

namespace unpuzzle {

namespace {

// A state in five bytes.
struct PackedState {
    std::uint8_t low[4], high;

    static PackedState of(Word state) {
        PackedState packed;
        const auto low = static_cast<std::uint32_t>(state);
        std::memcpy(packed.low, &low, sizeof low);
        packed.high = static_cast<std::uint8_t>(state >> 32);
        return packed;
    }
    Word word() const {
        std::uint32_t word;
        std::memcpy(&word, low, sizeof word);
        return Word{high} << 32 | word;
    }
};
static_assert(sizeof(PackedState) * 8 == CompactTable::MOST_BITS);

// From a goal state back to the initial one, through states of the table that the operators connect at their costs.
// It spoils the table: a state that was seen gets a cost at which it is not looked for again.
class WayBack {
  public:
    WayBack(Run& run, CompactTable& table)
        : model_(run.model), control_(run.control), budget_(run.budget), table_(table), expander_(run.model) {
        for (OperatorId op = 0; op < model_.operators.count(); ++op) {
            if (model_.task.operators[op].possible) add(op);
        }
        before_.resize(undoings_.size());
    }

    // The states of a way from the initial state to this one, which costs so much.
    std::vector<Word> to(Word state, Cost cost) {
        way_ = {state};
        while (way_.back() != model_.initial[0]) cost -= step(cost);
        std::reverse(way_.begin(), way_.end());
        return std::move(way_);
    }

  private:
    // An operator: a state that it leads to has the value `after` in the bits `asked`; the one before has `before`.
    struct Undoing {
        OperatorId op;
        Word asked, before, after;
    };
    // A state that may be before another one.
    struct Before {
        OperatorId op;
        Word state;
        std::uint64_t mixed;
    };
    // A state of the same cost as the last one of the way, and which of those before it in the list it leads to.
    struct Same {
        std::uint32_t to;
        PackedState state;
    };

    void add(OperatorId op) {
        Vector<Test> tests;
        model_.layout.tests(model_.task.facts(model_.task.operators[op].precondition), tests);
        Undoing it{op, 0, 0, 0};
        if (!tests.empty() && tests[0].word == 0) {
            it.asked = tests[0].mask;
            it.before = tests[0].value;
        }
        model_.operators.apply<1>(op, &it.before, &it.after);
        undoings_.push_back(it);
    }
    // To a state that is cheaper or initial, through states that are not. Tells how much cheaper.
    Cost step(Cost cost) {
        Rows<Same, 1> same(budget_);
        *same.append() = {0, PackedState::of(way_.back())};
        for (std::uint32_t i = 0;; ++i) {
            control_.tick();
            for (const Before& it : before(same[i]->state.word())) {
                const Cost less = model_.operators.cost(it.op);
                if (less > cost || !leads(it, cost - less)) continue;
                if (less > 0 || it.state == model_.initial[0]) {
                    append(same, i);
                    way_.push_back(it.state);
                    return less;
                }
                *same.append() = {i, PackedState::of(it.state)};
                table_.put(table_.find(it.mixed), it.mixed, cost + 1);
            }
        }
    }
    std::span<const Before> before(Word state) {
        std::size_t count = 0;
        for (const Undoing& it : undoings_) {
            if ((state & it.asked) != it.after) continue;
            const Word undone = (state & ~it.asked) | it.before;
            before_[count] = {it.op, undone, table_.mixed(undone)};
            table_.prefetch(before_[count++].mixed);
        }
        return {before_.data(), count};
    }
    // Whether it is a state of that cost, in which the operator is applicable.
    bool leads(const Before& it, Cost cost) {
        const auto place = table_.find(it.mixed);
        if (!place.known || table_.cost(place.slot) != cost) return false;
        if (model_.axioms.empty()) return true;
        bool applicable = false;
        expander_.load(&it.state);
        expander_.applicable([&](OperatorId op) { applicable |= op == it.op; });
        return applicable;
    }
    // All but the first, which is there already.
    void append(const Rows<Same, 1>& same, std::uint32_t last) {
        const std::size_t size = way_.size();
        for (std::uint32_t i = last; i != 0; i = same[i]->to) way_.push_back(same[i]->state.word());
        std::reverse(way_.begin() + static_cast<std::ptrdiff_t>(size), way_.end());
    }

    const Model& model_;
    Control& control_;
    Budget& budget_;
    CompactTable& table_;
    Expander<1> expander_;
    Vector<Undoing> undoings_;
    Vector<Before> before_;
    std::vector<Word> way_;
};

class CompactAStar : public Search {
  public:
    explicit CompactAStar(Run& run)
        : run_(run),
          model_(run.model),
          counters_(run.control.counters),
          table_(run.budget, run.control, model_.layout.bits()),
          open_(run.budget),
          expander_(model_),
          goal_test_(model_) {}

    Status run() override {
        meet(model_.initial[0], table_.mixed(model_.initial[0]), 0);
        while (true) {
            if (open_.empty() || open_.top() != key_) look_up();
            if (open_.empty()) return Status::unsolvable;
            key_ = open_.top();
            const Cost g = key_.f - key_.h;
            const Word state =
                open_.pop([&](PackedState soon) { table_.prefetch(table_.mixed(soon.word())); }).word();
            if (table_.cost(table_.find(table_.mixed(state)).slot) < g) continue;  // expanded since
            run_.control.tick();
            counters_.f = key_.f;
            expander_.load(&state);
            if (goal_test_.holds_extended(expander_.state())) {
                way_ = WayBack(run_, table_).to(state, g);
                return Status::solved_optimally;
            }
            if (counters_.expanded >= run_.most_expanded) return Status::gave_up;
            expand(g);
        }
    }
    std::size_t states() const override { return table_.size(); }
    std::vector<OperatorId> plan() const override {
        std::vector<const Word*> rows;
        for (const Word& state : way_) rows.push_back(&state);
        return trace(model_, rows);
    }

  private:
    static constexpr std::size_t MOST_CHILDREN = 32;  // see children.hpp

    struct Child {
        Word state;
        std::uint64_t mixed;
        Cost g;
    };

    void expand(Cost g) {
        ++counters_.expanded;
        expander_.applicable([&](OperatorId op) {
            ++counters_.generated;
            Child& child = children_[count_++];
            expander_.apply(op, &child.state);
            child.mixed = table_.mixed(child.state);
            child.g = g + model_.operators.cost(op);
            table_.prefetch(child.mixed);
            if (count_ == MOST_CHILDREN) look_up();
        });
    }
    void look_up() {
        for (std::size_t i = 0; i < count_; ++i) meet(children_[i].state, children_[i].mixed, children_[i].g);
        count_ = 0;
    }
    void meet(Word state, std::uint64_t mixed, Cost g) {
        const auto place = table_.find(mixed);
        if (place.known && table_.cost(place.slot) <= g) return;
        counters_.evaluated += !place.known;
        table_.put(place, mixed, g);
        const bool free = model_.least_cost == 0;  // then all estimates are 0
        const Cost h = free ? 0 : run_.heuristic.estimate({&state, NO_STATE, NO_STATE, 0});
        open_.push({g + h, h}, PackedState::of(state));
    }

    Run& run_;
    const Model& model_;
    Counters& counters_;
    CompactTable table_;
    BasicOpenList<PackedState> open_;
    BasicOpenList<PackedState>::Key key_{0, 0};
    Child children_[MOST_CHILDREN];
    std::size_t count_ = 0;
    Expander<1> expander_;
    GoalTest goal_test_;
    std::vector<Word> way_;  // from the initial state to the goal
};

}  // namespace

bool fits_compactly(const Run& run) {
    const Model& model = run.model;
    std::uint32_t dearest = 0;
    for (OperatorId op = 0; op < model.operators.count(); ++op)
        dearest = std::max(dearest, model.operators.cost(op));
    return run.heuristic.blind() && run.weight == 1 && !run.orbits && model.words() == 1 &&
           model.layout.bits() <= std::size_t{CompactTable::MOST_BITS} &&
           std::bit_width(dearest) <= CompactTable::MOST_STEP_BITS && can_be_undone(model);
}

std::unique_ptr<Search> compact_a_star(Run& run) { return std::make_unique<CompactAStar>(run); }

}  // namespace unpuzzle
