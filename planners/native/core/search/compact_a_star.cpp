// Blind A* for states of few bits: the search of a_star.hpp, the same states in the same order, but for many states in
// half the memory.
//
// There, a state is a row of a pool with its cost and its parent, and a number in a table and in the open list.
// Here it is an entry of a compact table, with its cost; the open list has the states themselves, in five bytes.
//
// Parents are not stored: see `WayBack`.
#include "base/growing_array.hpp"
#include "search/search.hpp"
#include "search/trace.hpp"
#include "state/expander.hpp"
#include "state/state_view.hpp"
#include "storage/compact_table.hpp"
#include "storage/open_list.hpp"
#include "storage/successor_batch.hpp"

namespace unpuzzle {

namespace {

// Finds the path from the initial state to a goal state if the search stored only the costs of states.
//
// If operators can be undone, a previous state is one that the table has at a cost that is less by the operator's cost.
// (Many operators are tried for each state, so they are not undone one by one, but by masks.) Operators of cost 0 could
// form circles, so the way back through states of one cost is a breadth-first search. It destroys the table: a visited
// state gets a cost at which it is not found again.
class WayBack {
  public:
    WayBack(SearchContext& run, CompactTable& table)
        : compiled_(run.compiled), control_(run.control), budget_(run.budget), table_(table), expander_(run.compiled) {
        for (OperatorId op = 0; op < compiled_.operators.count(); ++op) {
            const Operator& it = compiled_.task.operators[op];
            if (!it.possible) continue;
            Vector<Test> tests;
            compiled_.layout.tests(compiled_.task.facts(it.precondition), tests);
            Undoing undoing{op, 0, 0, 0};
            if (!tests.empty() && tests[0].word == 0) {
                undoing.asked = tests[0].mask;
                undoing.before = tests[0].value;
            }
            compiled_.operators.apply<1>(op, &undoing.before, &undoing.after);
            undoings_.push_back(undoing);
        }
        before_.resize(undoings_.size());
    }

    // The states of a way from the initial state to this one, which costs so much.
    std::vector<Word> to(Word state, Cost cost) {
        way_ = {state};
        while (way_.back() != compiled_.initial[0]) cost -= step(cost);
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
    // A state of the same cost as the last one of the way, and the index of its successor in the list.
    struct Same {
        std::uint32_t to;
        PackedState state;
    };

    // To a state that is cheaper or initial, through states that are not. Tells how much cheaper.
    Cost step(Cost cost) {
        GrowingArray<Same, 1> same(budget_);
        *same.append() = {0, PackedState::of(way_.back())};
        for (std::uint32_t i = 0; i < same.size(); ++i) {
            control_.work(undoings_.size());
            for (const Before& it : before(same[i]->state.word())) {
                const Cost less = compiled_.operators.cost(it.op);
                if (less > cost || !leads(it, cost - less)) continue;
                if (less > 0 || it.state == compiled_.initial[0]) {
                    append(same, i);
                    way_.push_back(it.state);
                    return less;
                }
                *same.append() = {i, PackedState::of(it.state)};
                table_.put(table_.find(it.mixed), it.mixed, cost + 1);
            }
        }
        throw std::logic_error("internal error: no way leads back to the initial state");
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
        if (!compiled_.features.axioms) return true;
        expander_.load(&it.state);
        const auto& applicable = expander_.applicable();
        return std::find(applicable.begin(), applicable.end(), it.op) != applicable.end();
    }
    // All but the first, which is there already.
    void append(const GrowingArray<Same, 1>& same, std::uint32_t last) {
        const std::size_t size = way_.size();
        for (std::uint32_t i = last; i != 0; i = same[i]->to) way_.push_back(same[i]->state.word());
        std::reverse(way_.begin() + static_cast<std::ptrdiff_t>(size), way_.end());
    }

    const CompiledTask& compiled_;
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
    explicit CompactAStar(SearchContext& run)
        : run_(run),
          compiled_(run.compiled),
          counters_(run.control.counters),
          table_(run.budget, run.control, compiled_.layout.bits()),
          open_(run.budget),
          children_(1),
          expander_(compiled_, run.pruning),
          goal_test_(compiled_) {}

    Status run() override {
        if (table_.size() == 0) meet(compiled_.initial[0], table_.mixed(compiled_.initial[0]), 0);
        while (true) {
            if (open_.empty() || open_.top() != key_) look_up();
            if (met_) return Status::solved_optimally;
            if (open_.empty()) return Status::unsolvable;
            key_ = open_.top();
            const Cost g = key_.f - key_.h;
            if (const PackedState* soon = open_.soon()) table_.prefetch(table_.mixed(soon->word()));
            const Word state = open_.pop().word();
            if (table_.cost(table_.find(table_.mixed(state)).slot) < g) continue;  // expanded since
            run_.control.work(compiled_.work());
            counters_.f = key_.f;
            expander_.load(&state);
            if (goal_test_.holds_extended(expander_.state())) {
                goal_ = state;
                return Status::solved_optimally;
            }
            if (counters_.expanded >= run_.most_expanded) {
                open_.push(key_, PackedState::of(state));  // from where it is the next one, after a pause
                return Status::gave_up;
            }
            expand(g);
        }
    }
    std::size_t states() const override { return table_.size(); }
    std::vector<OperatorId> plan() override {
        open_.release();  // the way back may have to look at many states, too
        const std::vector<Word> way =
            WayBack(run_, table_).to(goal_, table_.cost(table_.find(table_.mixed(goal_)).slot));
        std::vector<const Word*> rows;
        for (const Word& state : way) rows.push_back(&state);
        return trace(compiled_, rows);
    }

  private:
    void expand(Cost g) {
        ++counters_.expanded;
        for (const OperatorId op : expander_.applicable()) {
            ++counters_.generated;
            Word* child = children_.next();
            expander_.apply(op, child);
            const std::uint64_t mixed = table_.mixed(*child);
            table_.prefetch(mixed);
            children_.add({mixed, g + compiled_.operators.cost(op), NO_STATE, op});
            if (children_.full()) look_up();
        }
    }
    void look_up() {
        run_.control.work(children_.size() * compiled_.axioms.work());  // one state may have very many successors
        for (std::size_t i = 0; i < children_.size(); ++i) meet(*children_.state(i), children_[i].hash, children_[i].g);
        children_.clear();
    }
    void meet(Word state, std::uint64_t mixed, Cost g) {
        const auto place = table_.find(mixed);
        if (place.known && table_.cost(place.slot) <= g) return;
        counters_.evaluated += !place.known;
        table_.put(place, mixed, g);
        const bool free = compiled_.features.least_cost == 0;  // then all estimates are 0
        const Cost h = free ? 0 : run_.heuristic.estimate({{run_.compiled, &state}, NO_STATE, NO_STATE, 0});
        if (g + h >= run_.bound) return;
        if (h == 0 && g <= run_.known && !met_ && goal_test_.holds(&state)) {
            met_ = true;
            goal_ = state;
        }
        open_.push({g + h, h}, PackedState::of(state));
    }

    SearchContext& run_;
    const CompiledTask& compiled_;
    Counters& counters_;
    CompactTable table_;
    BasicOpenList<PackedState> open_;
    BasicOpenList<PackedState>::Key key_{0, 0};
    SuccessorBatch<1> children_;
    Expander<1> expander_;
    GoalTest goal_test_;
    Word goal_ = 0;
    bool met_ = false;  // a goal, at a cost below which there is no plan
};

}  // namespace

bool fits_compactly(const SearchContext& run) {
    const CompiledTask& compiled = run.compiled;
    return run.heuristic.blind() && run.weight == 1 && !run.orbits &&
           compiled.layout.bits() <= std::size_t{CompactTable::MOST_BITS} &&
           std::bit_width(compiled.features.dearest_cost) <= CompactTable::MOST_STEP_BITS && compiled.features.undoable;
}

std::unique_ptr<Search> compact_a_star(SearchContext& run) { return std::make_unique<CompactAStar>(run); }

}  // namespace unpuzzle
