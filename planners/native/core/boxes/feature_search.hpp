// Search in the space of features (FESS, Shoham and Schaeffer 2020).
//
// Positions with the same features form a cell of the feature space; the search goes round the cells, and takes from each
// the step with the least weight, so that a corner in which it is stuck costs only its part of the time. A step is one
// box pushed anywhere (routes.hpp). Advisers know a few steps of each position that look good: they weigh nothing more
// than the way so far, all others one more.
//
//     advisers   packs the next box      joins areas      opens a door      puts a box back into the plan
//                clears the way of the box that is to be packed next        least pushes left to go
//
// All steps come up sooner or later, but for those that can wait (corrals.hpp), and only positions proved dead are left
// out; so a search that comes to its end has proved that there is no solution.
#pragma once

#include "boxes/corrals.hpp"
#include "boxes/deadlocks.hpp"
#include "boxes/features.hpp"
#include "boxes/routes.hpp"

namespace unpuzzle::boxes {

// What searches of one board share.
struct BoardKnowledge {
    BoardKnowledge(const Board& of, Control& control);

    const Board& board;
    Distances distances;
    Deadlocks deadlocks;
    Vector<Cell> final_goals;
};

class FeatureSearch {
  public:
    FeatureSearch(BoardKnowledge& known, Profile profile, Unpack order, Control& control);

    // Goes on for so many more positions.
    Status run(std::uint64_t most_expanded);
    Pushed pushes();  // after a run that solved
    std::size_t states() const { return positions_.size(); }

  private:
    static constexpr std::uint32_t NO_NODE = ~0u;
    struct Node {
        std::uint32_t parent;
        Cell from, to, walker;  // the box that was pushed, and the least cell of the walker's area afterwards
        std::uint32_t weight, pushes;
        Features features;
    };
    struct Step {
        std::uint32_t weight, estimate, order, node;
        Cell from, to, walker;  // `from` is NOWHERE: all steps of the node that no adviser knows
        std::uint16_t pushes;
        bool operator>(const Step& other) const {
            return std::tie(weight, estimate, order) > std::tie(other.weight, other.estimate, other.order);
        }
    };
    struct Candidate {
        Cell from, to, walker;
        std::uint16_t pushes;
        Features features;
        Pushes estimate;
        bool advised = false;
    };

    Status start();
    void place(std::span<const Cell> boxes, std::uint8_t there);
    void add(const Step& step);
    void open(std::uint32_t node);
    void find_candidates(std::uint32_t node);
    void consider(std::span<const Cell> boxes, std::size_t box, const Routes::End& end);
    void advise(const Node& node);
    template <class Better>
    void advise_best(Better&& better);
    void find_way(const Node& node, std::span<const Cell> boxes);
    void release_others(const Step& step);
    void push_step(const Candidate& candidate, std::uint32_t node, std::uint32_t weight);

    const Board& board_;
    Control& control_;
    Deadlocks& deadlocks_;
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
    Occupied in_the_way_;
    Map<Features, std::uint32_t> cell_numbers_;
    Vector<Vector<Step>> cells_;  // heaps
    std::uint32_t steps_ = 0;
    std::size_t next_cell_ = 0;
    std::uint64_t expanded_ = 0;
    std::uint32_t solution_ = NO_NODE;
};

}  // namespace unpuzzle::boxes
