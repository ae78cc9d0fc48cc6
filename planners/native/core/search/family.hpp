// A family: one grounding, many starts and goals (see families.py).
//
// A start is given as the numbers of its true facts. It is packed only if all assumptions of grounding are true in it,
// which `Basis` in grounding/encoding.hpp lists:
//
//     facts that are true wherever the family starts are true          `certain`
//     of each mutex group at most one fact is true, of exact ones one  `groups`
//     facts that the family thinks impossible have no number, so the caller has noticed them already
#pragma once

#include <mutex>
#include <span>

#include "search/small_search.hpp"

namespace unpuzzle {

struct FamilyFact {
    std::int32_t variable = -1;  // -1: no variable tells of it
    std::uint32_t value = 0;
    bool certain = false;
    std::vector<std::uint32_t> groups;
};

class Packer {
  public:
    Packer(const CompiledTask& compiled, std::vector<FamilyFact> facts, std::vector<bool> exact,
           std::span<const Fact> otherwise);

    std::size_t facts() const { return facts_.size(); }
    // Whether the start is one of the family's; its words are then in `state`.
    bool pack(std::span<const std::uint32_t> facts, Word* state);

  private:
    const CompiledTask& compiled_;
    std::vector<FamilyFact> facts_;
    std::vector<bool> exact_;  // by group
    std::vector<Word> base_;   // no fact is true
    std::size_t certain_ = 0, exact_groups_ = 0;
    std::vector<std::uint64_t> fact_seen_, group_seen_;  // in which start, counted from 1
    std::uint64_t start_ = 0;
};

class Family {
  public:
    explicit Family(const CompiledTask& compiled) : compiled_(compiled) {}

    const CompiledTask& compiled() const { return compiled_; }
    std::size_t goals() const { return goals_.size(); }
    void add_goal(std::span<const Fact> facts, bool possible);
    // Stays where it is while others are added.
    const SmallGoal* goal(std::size_t number) const { return goals_[number].get(); }

    SmallAnswer solve(const Word* start, const SmallGoal* goal, const SmallBounds& bounds, Control& control);

    struct Batch {
        std::span<const Word> starts;
        std::span<const SmallGoal* const> goals;  // one for each start
        SmallBounds bounds;
        std::optional<double> seconds;  // for all together
        unsigned threads;
    };
    struct Answers {
        std::vector<SmallAnswer> answers;  // in the order of the starts
        bool interrupted = false;
    };
    // Starts that the time limit does not let begin are `timeout`.
    Answers solve_many(const Batch& batch, Observer& observer);

  private:
    class Loan;
    void work(const Batch& batch, std::vector<SmallAnswer>& answers, std::atomic<std::size_t>& next, Control& control);
    bool in_threads(const Batch& batch, std::vector<SmallAnswer>& answers, Observer& observer);

    const CompiledTask& compiled_;
    std::vector<std::unique_ptr<const SmallGoal>> goals_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<SmallSearch>> idle_;
};

}  // namespace unpuzzle
