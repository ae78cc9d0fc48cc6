#include "search/representatives.hpp"

#include <numeric>

#include "search/compiled_system.hpp"

namespace unpuzzle {

namespace {

// Follows the states of a search and knows the symmetry that maps each back to the state that it represents on the path
// from the initial one.
//
//     initial ──► s1 ──────► s2 ──────► s3         the states of the plan
//        │back      ▲ back     ▲ back     ▲
//        r0 ──► t1 ~ r1 ──► t2 ~ r2 ──► t3 ~ r3    the states of the search; ~: symmetric
class Unfolding {
  public:
    Unfolding(const CompiledTask& compiled, const Orbits& orbits, bool only_listed)
        : compiled_(compiled),
          orbits_(orbits),
          only_listed_(only_listed),
          expander_(compiled),
          sources_(compiled.task.variables.size()),
          renamed_(compiled.task.variables.size()),
          target_of_(compiled.task.variables.size()) {
        std::iota(sources_.begin(), sources_.end(), 0);
        scratch_.trail = &trail_;
    }

    // The next state of the search is `kept`, and stands for the state that maps to `reached`.
    void go(const std::vector<Word>& reached, const Word* kept) {
        const std::vector<Orbits::Element> forth = trail(reached.data()), back = trail(kept);
        for (const Orbits::Element element : forth) absorb(orbits_.inverse(element));
        for (std::size_t i = back.size(); i-- > 0;) absorb(back[i]);
    }
    // A cheapest successor of `from` that is symmetric to `kept`.
    std::vector<Word> successor(const Word* from, const Word* kept) {
        const std::vector<Word> wanted = canonical(kept);
        std::vector<Word> child(compiled_.words()), best;
        std::tuple<std::uint32_t, OperatorId> least{~0u, ~0u};
        expander_.load(from);
        for (const OperatorId op : expander_.applicable()) {
            const std::tuple now{compiled_.operators.cost(op), op};
            if (now >= least) continue;
            expander_.apply(op, child.data());
            if (canonical(child.data()) != wanted) continue;
            least = now;
            best = child;
        }
        if (best.empty())
            throw std::logic_error("internal error: no successor is symmetric to the next state of the plan");
        return best;
    }
    std::vector<Word> mapped_back(const std::vector<Word>& state) const {
        std::vector<Word> original(state);
        for (std::uint32_t target = 0; target < sources_.size(); ++target) {
            if (compiled_.task.variables[target].derived()) continue;
            std::uint32_t value = compiled_.layout[sources_[target]].value(state.data());
            if (!renamed_[target].empty()) value = renamed_[target][value];
            compiled_.layout[target].write(value, original.data());
        }
        return original;
    }

  private:
    std::vector<Word> canonical(const Word* state) {
        std::vector<Word> copy(state, state + compiled_.words());
        orbits_.canonical(copy.data(), scratch_, only_listed_);
        return copy;
    }
    std::vector<Orbits::Element> trail(const Word* state) {
        trail_.clear();
        canonical(state);
        return trail_;
    }
    // What maps back does so after the element from now on.
    void absorb(Orbits::Element element) {
        for (std::uint32_t target = 0; target < sources_.size(); ++target) target_of_[sources_[target]] = target;
        for (const Orbits::Renaming& renaming : orbits_.renamings(element)) {
            const std::uint32_t target = target_of_[renaming.target];
            std::vector<std::uint32_t> values(compiled_.task.variables[target].domain);
            for (std::uint32_t value = 0; value < values.size(); ++value) {
                values[value] = renaming.values[value];
                if (!renamed_[target].empty()) values[value] = renamed_[target][values[value]];
            }
            sources_[target] = renaming.source;
            renamed_[target] = std::move(values);
        }
    }

    const CompiledTask& compiled_;
    const Orbits& orbits_;
    bool only_listed_;
    Expander<0> expander_;
    Orbits::Scratch scratch_;
    std::vector<Orbits::Element> trail_;
    // By variable: what it is in the state that is mapped back is this variable, with its values renamed.
    std::vector<std::uint32_t> sources_;
    std::vector<std::vector<std::uint32_t>> renamed_;  // empty: not
    std::vector<std::uint32_t> target_of_;
};

}  // namespace

std::vector<OperatorId> trace(const CompiledTask& compiled, const std::vector<const Word*>& states) {
    CompiledTransitions<0> system(compiled);
    return trace(system, states);
}

Representatives::Representatives(SearchContext& run, bool only_listed)
    : run_(run), only_listed_(only_listed), from_(run.orbits ? run.symmetries_after : UINT64_MAX) {}

Representatives::~Representatives() { run_.budget.give_back(bytes_); }

bool Representatives::begin() {
    from_ = UINT64_MAX;
    const auto [orbits, bytes] = run_.orbits->get(run_.compiled.task, run_.compiled.layout, run_.control, run_.budget);
    if (!orbits || (only_listed_ ? !orbits->any_listed() : orbits->empty())) return false;
    if (run_.symmetric_start && !orbits->keeps(run_.compiled.initial.data())) return false;
    run_.budget.take(bytes);
    bytes_ = bytes;
    orbits_ = orbits;
    if (run_.symmetric_operators) run_.symmetric_operators->begin(*orbits);
    return true;
}

std::vector<OperatorId> Representatives::plan(const std::vector<const Word*>& states) {
    if (!on()) return trace(run_.compiled, states);
    Unfolding unfolding(run_.compiled, *orbits_, only_listed_);
    const Word* initial = run_.compiled.initial.data();
    std::vector<std::vector<Word>> originals{{initial, initial + run_.compiled.words()}};
    unfolding.go(originals.front(), states.front());
    for (std::size_t i = 1; i < states.size(); ++i) {
        const std::vector<Word> reached = unfolding.successor(states[i - 1], states[i]);
        originals.push_back(unfolding.mapped_back(reached));
        unfolding.go(reached, states[i]);
    }
    std::vector<const Word*> rows;
    for (const auto& original : originals) rows.push_back(original.data());
    return trace(run_.compiled, rows);
}

}  // namespace unpuzzle
