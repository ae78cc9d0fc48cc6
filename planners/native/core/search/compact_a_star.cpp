// Blind A* where a state has few bits: the search of a_star.hpp, the same states in the same order. Where they are many,
// in half the memory.
//
// There, a state is a row of a pool with its cost and what led to it, and a number in a table and in the open list.
// Here it is an entry of a compact table, with its cost; the open list has the states themselves, in five bytes.
//
// What led to a state is not kept: see way_back.hpp.
#include "search/search.hpp"
#include "search/trace.hpp"
#include "search/way_back.hpp"
#include "state/expander.hpp"
#include "state/state_view.hpp"
#include "storage/compact_table.hpp"
#include "storage/open_list.hpp"
#include "storage/successor_batch.hpp"

namespace unpuzzle {

namespace {

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
        meet(compiled_.initial[0], table_.mixed(compiled_.initial[0]), 0);
        while (true) {
            if (open_.empty() || open_.top() != key_) look_up();
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
                way_ = WayBack(run_, table_).to(state, g);
                return Status::solved_optimally;
            }
            if (counters_.expanded >= run_.most_expanded) return Status::gave_up;
            expand(g);
        }
    }
    std::size_t states() const override { return table_.size(); }
    std::vector<OperatorId> plan() override {
        std::vector<const Word*> rows;
        for (const Word& state : way_) rows.push_back(&state);
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
    std::vector<Word> way_;  // from the initial state to the goal
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
