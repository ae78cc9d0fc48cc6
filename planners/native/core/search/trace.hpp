// From a goal state back to the plan.
//
// States store their parent, but not the operator: expanding the parent once more finds all operators that lead here,
// and the cheapest (then the first) is taken. So plans are the same however a search stores its paths.
#pragma once

#include <stdexcept>
#include <tuple>
#include <vector>

#include "search/transition_system.hpp"

namespace unpuzzle {

// The operators that lead from each state to the next.
template <TransitionSystem System>
std::vector<OperatorId> trace(System& system, const std::vector<const Word*>& states) {
    const std::size_t words = system.size().words;
    std::vector<Word> made(words);
    std::vector<OperatorId> plan;
    for (std::size_t i = 1; i < states.size(); ++i) {
        std::tuple<Cost, OperatorId> best{~Cost{0}, ~0u};
        system.load([&](Word* to) { copy<0>(to, states[i - 1], words); });
        system.successors([&] { return made.data(); },
                          [&](OperatorId op) {
                              if (equal<0>(made.data(), states[i], words))
                                  best = std::min(best, {Cost{system.cost(op)}, op});
                              return true;
                          });
        if (std::get<1>(best) == ~0u)
            throw std::logic_error("internal error: no operator leads along the way that a search found");
        plan.push_back(std::get<1>(best));
    }
    return plan;
}
std::vector<OperatorId> trace(const CompiledTask& compiled, const std::vector<const Word*>& states);

// Unpacks states of a pool, by their numbers, into a given number of words.
struct Unpacked {
    template <class Pool>
    Unpacked(std::size_t width, const Pool& pool, const std::vector<StateId>& ids) : words(ids.size() * width) {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            Word* row = words.data() + i * width;
            pool.load(ids[i], row);
            rows.push_back(row);
        }
    }
    Unpacked(const Unpacked&) = delete;
    Unpacked& operator=(const Unpacked&) = delete;

    std::vector<Word> words;
    std::vector<const Word*> rows;
};

// The interface for symmetries (see representatives.hpp) of a system without any.
struct Asymmetric {
    static constexpr bool due() { return false; }
    static constexpr bool begin() { return false; }
    static constexpr bool on() { return false; }
    static void canonical(Word*) {}
};
template <class System>
class NoSymmetries : public Asymmetric {
  public:
    explicit NoSymmetries(typename System::Context& run) : run_(run) {}

    std::vector<OperatorId> plan(const std::vector<const Word*>& states) {
        System system(run_);
        return trace(system, states);
    }

  private:
    typename System::Context& run_;
};

}  // namespace unpuzzle
