// Search in the space of features (FESS, Shoham and Schaeffer 2020).
//
// Positions with the same features form a cell of the feature space; the search visits the cells in turn, and takes
// from each the step with the least weight, so that a cell in which it is stuck costs only its share of the time. A
// step is one box pushed anywhere (routes.hpp). Advisers choose a few good steps of each position: these have the
// weight of the way so far, all others one more.
//
//     advisers   packs the next box       joins areas       opens a door       puts a box back into the plan
//                clears the way of the next box       gives the walker more room
//                and of some searches: gets boxes out of the way of others     least pushes left to go
//
// All steps are tried sooner or later, except those that can wait (corrals.hpp), and only positions proved dead are
// left out; so a search that ends without a solution has proved that there is none.
#pragma once

#include "boxes/corrals.hpp"
#include "boxes/deadlocks.hpp"
#include "boxes/features.hpp"
#include "boxes/routes.hpp"

namespace unpuzzle::boxes {

// The knowledge that each search learns about its board, separately, so that searches differ in more than their `Look`.
struct BoardKnowledge {
    BoardKnowledge(const Board& board, Control& control);

    Distances distances;
    Deadlocks deadlocks;
    Barring barring;
    Vector<Cell> final_goals;
};

// The order of steps of the same weight.
enum class First : std::uint8_t { widest, shuffled };  // after it the walker reaches most; by numbers that look random

// The settings of one of several searches on a board.
struct Look {
    Profile features;
    Unpack order = Unpack::nearest;
    First first = First::widest;
    std::uint32_t shuffle = 0;              // which of the orders that look random
    bool ranked = false;                    // whether steps that no adviser knows weigh more the worse they look
    bool barring = false, nearest = false;  // whether advisers are heard that know of boxes in the way, and pushes left
};

class FeatureSearch {
  public:
    FeatureSearch(const Board& board, const Look& look, Control& control);

    // Goes on for so many more positions.
    Status run(std::uint64_t most_expanded);
    Pushed pushes();  // after a run that solved
    std::size_t states() const { return positions_.size(); }

  private:
    static constexpr std::uint32_t NO_NODE = ~0u;
    static constexpr Pushes UNKNOWN = ~0u;
    struct Node {
        std::uint32_t parent;
        Cell from, to, walker;  // the box that was pushed, and the least cell of the walker's area afterwards
        std::uint32_t weight, pushes;
        Features features;
    };
    struct Step {
        std::uint32_t weight, rank, order, node;
        Cell from, to, walker;  // `from` is NOWHERE: all steps of the node that no adviser knows
        std::uint16_t pushes;
        bool operator>(const Step& other) const {
            return std::tie(weight, rank, order) > std::tie(other.weight, other.rank, other.order);
        }
    };
    struct Candidate {
        Cell from, to, walker;
        std::uint16_t pushes;
        Features features;
        Pushes estimate;
        std::uint32_t reached = 0;
        std::size_t barred = 0;
        bool advised = false;
    };

    Status start();
    void place(std::span<const Cell> boxes, std::uint8_t there);
    void add(const Step& step);
    void open(std::uint32_t node);
    void find_candidates(std::uint32_t node);
    void consider(std::span<const Cell> boxes, std::size_t box, const Routes::End& end);
    void advise(std::uint32_t node);
    template <class Value>
    void advise_least(const Features& now, Value&& value, decltype(value(std::declval<const Candidate&>())) bound);
    std::uint32_t rank(const Candidate& candidate) const;
    void release_others(const Step& step);
    void push_step(const Candidate& candidate, std::uint32_t node, std::uint32_t weight);

    const Board& board_;
    Control& control_;
    BoardKnowledge known_;
    const Look look_;
    Matching matching_;
    const Packing packing_;
    FeatureReader reader_;
    Routes routes_;
    Corrals corrals_;
    Area area_;
    Positions positions_;
    Vector<Node> nodes_;
    Occupied occupied_;
    Vector<Candidate> candidates_;
    Vector<Cell> child_;
    Vector<Pushes> estimates_;  // of one box: by the cell that it comes to
    Map<Features, std::uint32_t> cell_numbers_;
    Vector<Vector<Step>> cells_;  // heaps
    std::uint32_t steps_ = 0;
    std::size_t next_cell_ = 0;
    std::uint64_t expanded_ = 0;
    std::uint32_t solution_ = NO_NODE;
};

}  // namespace unpuzzle::boxes
