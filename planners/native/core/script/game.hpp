// A compiled PuzzleScript game in the core: checked, and with all sets in one form.
//
// The objects and movements on a cell are one row of bits, so that most games need a single word per cell:
//
//     │ objects, as they are numbered │ layer 0 │ layer 1 │ ... │      a layer: up down left right action,
//     0                           objects       5 bits each            its five bits in one word
//
// Left sides test bits, right sides clear and set them: `row = (row & ~clear) | set`.
//
// The bytes that `Game` reads come from `puzzlescript/searching/native_engine.py`: little-endian words, signed
// numbers or sets. Any other bytes are refused (`BadTask`), so that accepted ones cannot crash later.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "script/bits.hpp"
#include "task/task.hpp"

namespace unpuzzle::script {

enum Command : std::uint32_t {
    CANCEL = 1,
    RESTART = 2,
    WIN = 4,
    AGAIN = 8,
    CHECKPOINT = 16,
    MESSAGE = 32,
};
enum Direction : std::uint32_t { UP, DOWN, LEFT, RIGHT, ACTION, NO_DIRECTION };

constexpr std::size_t MOVES = 5;                 // of a layer
constexpr std::uint32_t NO_LAYER = 0xFFFFFFFFu;  // of an object that is on no board
constexpr std::uint32_t MOST_RIGID_GROUPS = 31;

struct Pattern {
    // What must hold, for all cells at once: numbers of row bits.
    std::vector<std::uint32_t> present, missing;
    std::vector<std::vector<std::uint32_t>> any;
    // The same for one cell: rows.
    Bits must, must_not;
    std::vector<Bits> some;
    // What becomes of it.
    bool replaces = false, draws = false;
    Bits clear, set;
    std::vector<std::uint32_t> rigid_layers, random_objects, random_layers;
};

struct Part {                          // of a row: cells without an ellipsis between them
    std::vector<std::uint32_t> cells;  // numbers of patterns
    std::vector<std::uint32_t> order;  // in which to look for them: those that move first
};
struct Row {
    std::vector<Part> parts;
    std::vector<std::uint32_t> cells;  // of all parts
};
struct Rule {
    Direction direction = UP;
    bool has_right = false, draws = false;
    std::uint32_t commands = 0, distinct_commands = 0, rigid_group = 0;
    std::vector<Row> rows;
};
struct Group {
    std::uint32_t number = 0;                    // late ones come after all others
    std::uint32_t first_rule = 0, end_rule = 0;  // among all rules of the game
    bool random = false;
    std::int32_t jump = -1;
};
struct WinCondition {
    int quantifier = 0;  // -1 no, 0 some, 1 all
    bool first_is_aggregate = false, second_is_aggregate = false;
    bool anything = false;                     // there is no second: an aggregate of nothing
    std::vector<std::uint32_t> first, second;  // objects
};

class Game {
  public:
    explicit Game(std::span<const unsigned char> bytes);

    std::size_t objects = 0, layers = 0;
    std::size_t object_words = 0, move_words = 0;  // of sets as they come from outside
    std::size_t row_words = 0;
    std::vector<std::uint32_t> layer_of;    // by object
    std::vector<Bits> layer_rows;           // by layer, its objects as a row
    std::vector<std::uint32_t> moves_from;  // by layer, the row bit of its first movement
    Bits object_row, move_row;              // all objects, all movements
    Bits player_row;
    std::vector<std::uint32_t> player;
    bool player_is_aggregate = false;
    bool require_player_movement = false, run_rules_on_level_start = false, no_action = false;
    bool no_undo = false, no_restart = false;
    std::vector<WinCondition> wins;
    std::vector<Pattern> patterns;
    std::vector<Rule> rules;
    Bits needs;  // by rule, a row: bits that must be on the board
    std::vector<Group> early, late;
    std::vector<std::uint32_t> rigid_groups;
    std::uint32_t commands = 0;  // of all rules
    bool chance = false;         // a rule depends on it

  private:
    class Reader;
    void read(Reader& from);
    void read_wins(Reader& from);
    void lay_out();
    std::vector<Group> read_groups(Reader& from);
    void read_rule(Reader& from);
    Row read_row(Reader& from);
    void read_pattern(Reader& from);
    void read_replacement(Reader& from, Pattern& to);
    Bits row_of(const Bits& object_set, const Bits& move_set) const;
    std::vector<std::uint32_t> layers_in(const Bits& move_set) const;
    void require_layers(const Bits& object_set, Reader& from) const;
};

}  // namespace unpuzzle::script
