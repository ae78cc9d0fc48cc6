// Rules, groups and lists of groups on boards of one shape: their matches, in PuzzleScript's order, and their changes.
// The twin of puzzlescript/engine/turns.py.
//
// All matches of all rows are found first; then every combination of them is applied, the first row fastest,
// and each but the first is tested again before.
#pragma once

#include <set>

#include "base/metered.hpp"
#include "script/board.hpp"
#include "script/draws.hpp"

namespace unpuzzle::script {

constexpr int MOST_PASSES = 200;  // of a group; jumps of a list

// The commands of a turn. Nothing comes after a cancel, nothing but a cancel after a restart.
struct Queue {
    std::uint32_t commands = 0;
    bool cancel_has_company = false;

    void add(const Rule& rule) {
        if ((commands & CANCEL) || ((commands & RESTART) && !(rule.commands & CANCEL))) return;
        if (rule.commands & (CANCEL | RESTART)) {
            commands = 0;
            cancel_has_company = rule.distinct_commands > 1;
        }
        commands |= rule.commands;
    }
};

// The boards and data that a turn works on.
struct Scene {
    Board& board;
    std::uint8_t* rigid;  // by cell and layer the number of a rigid group; null in games without
    Draws& draws;
    Queue& queue;
};

class Rules {
  public:
    // `endless` takes what is cut off while it still changes something: twice the number of a group, and one more for a
    // loop, whose first group it is.
    Rules(const Game& game, const Shape& shape, Control& control, std::set<std::uint32_t>& endless);

    // The groups of a list in order, with their jumps; those of which `banned` is not 0 are left out.
    void run(const std::vector<Group>& groups, Scene& scene, const std::vector<char>& banned);

  private:
    using Cells = Vector<std::uint32_t>;  // of matches, one after the other: rows with ellipses can have very many

    bool run_group(const Group& group, Scene& scene);
    bool run_one(const Group& group, Scene& scene);  // of a random group
    bool run_rule(const Rule& rule, Scene& scene);
    bool find(const Rule& rule, const Board& board);
    template <int K>
    bool find_row(const Row& row, Direction direction, const Board& board, Cells& found);
    template <int K>
    bool find_with_gaps(const Row& row, Direction direction, const Board& board, Cells& found);
    void follow(const Row& row, std::size_t part, std::size_t before, std::size_t free, Cells& found);
    void choose(double number, const Rule& rule);
    bool holds(const Rule& rule, const Board& board) const;
    bool apply(const Rule& rule, Scene& scene);
    bool replace(std::size_t cell, const Pattern& pattern, const Rule& rule, Scene& scene);
    bool replace_by_chance(std::size_t cell, const Pattern& pattern, const Rule& rule, Scene& scene);
    bool mark(std::size_t cell, const Pattern& pattern, const Rule& rule, Scene& scene);
    const Word* anchors(Direction direction, std::size_t length);
    void in_order(Direction direction, Cells& starts) const;

    const Game& game_;
    const Shape& shape_;
    Control& control_;
    std::set<std::uint32_t>& endless_;
    std::vector<Bits> anchors_[4];  // by direction and length
    std::vector<Cells> found_;      // by row of the rule
    std::vector<const std::uint32_t*> chosen_;
    std::vector<std::size_t> at_;
    // For rows with ellipses: where each part starts, and the match that is being made.
    std::vector<Bits> part_starts_;
    Cells starts_, match_;
    std::ptrdiff_t step_ = 0;
    Bits scratch_, matching_, row_;
};

}  // namespace unpuzzle::script
