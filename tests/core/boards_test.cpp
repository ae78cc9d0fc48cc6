// Boards with boxes, and walks folded away: that limits hold in every loop, what is no board, and what guides searches.
// Looks at a clock that stands still are counted, as in limits_test.cpp.
#include <set>

#include "boxes/feature_search.hpp"
#include "boxes/window.hpp"
#include "support.hpp"
#include "walking/walking.hpp"

using namespace unpuzzle;

namespace {
struct Clock : Observer {
    bool look(const Counters&, double) override { return true; }
    double now() const override {
        ++looks;
        return 0;
    }
    mutable std::uint64_t looks = 0;
};

// The fewest looks that so many pieces of work bring.
std::uint64_t looks_for(std::uint64_t pieces) { return pieces / Control::PIECES / Control::MOST_TICKS; }

// An empty square room, in which so many boxes stand in the second column; all cells but the corner are goals, or as
// many as there are boxes, in the third column.
Buffers room(std::int32_t side, std::int32_t boxes, bool goals_everywhere) {
    Buffers task;
    const std::int32_t cells = side * side;
    task.domains = {cells};
    task.layers = {-1};
    task.initial = {0};
    const auto clear = [](std::int32_t cell) { return 1 + cell; };
    const auto inside = [&](std::int32_t row, std::int32_t column) {
        return 0 <= row && row < side && 0 <= column && column < side;
    };
    for (std::int32_t cell = 0; cell < cells; ++cell) {
        const bool box = cell % side == 1 && cell / side >= 1 && cell / side <= boxes;
        task.domains.push_back(2);
        task.layers.push_back(-1);
        task.initial.push_back(box ? 1 : 0);
    }
    if (goals_everywhere) push(task.goal, {clear(cells - 1), 0});
    for (std::int32_t i = 1; !goals_everywhere && i <= boxes; ++i) push(task.goal, {clear(i * side + 2), 1});
    const std::int32_t sides[][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
    for (std::int32_t row = 0; row < side; ++row) {
        for (std::int32_t column = 0; column < side; ++column) {
            for (const auto& [down, right] : sides) {
                const std::int32_t a = row * side + column, b = a + down * side + right, c = b + down * side + right;
                if (!inside(row + down, column + right)) continue;
                push(task.operators, {2, 0, a, clear(b), 0, 1, 0, 0, b});
                task.costs.push_back(1);
                if (!inside(row + 2 * down, column + 2 * right)) continue;
                push(task.operators, {3, 0, a, clear(b), 1, clear(c), 0, 3, 0, 0, b, 0, clear(b), 0, 0, clear(c), 1});
                task.costs.push_back(1);
            }
        }
    }
    return task;
}

// Each part of what is done to a large board.
void looks_come_in_every_loop() {
    constexpr std::int32_t SIDE = 34;
    constexpr std::uint64_t CELLS = SIDE * SIDE;
    Clock clock;
    Control control(clock);
    const CompiledTask compiled(room(SIDE, 1, true), control);
    const auto board = boxes::recognise(compiled, control);
    check(board.has_value(), "an empty room is a board");
    if (!board) return;
    check(board->goals.size() == CELLS - 1, "every cell that need not be clear is a goal");
    const auto looks_of = [&](const char* what, std::uint64_t pieces, auto&& work) {
        control.begin_phase();
        const std::uint64_t before = clock.looks;
        work();
        const std::uint64_t looks = clock.looks - before;
        check(looks > looks_for(pieces), what + (": " + std::to_string(looks)) + " looks");
    };
    std::optional<boxes::Distances> distances;
    looks_of("distances", CELLS * CELLS, [&] { distances.emplace(*board, boxes::Occupied(board->cells()), control); });
    looks_of("matching", 4 * CELLS * CELLS, [&] { boxes::Matching(*board, *distances, control).of(board->boxes); });
    std::optional<boxes::Packing> packing;
    looks_of("packing", 8 * CELLS * (CELLS - 1),
             [&] { packing.emplace(*board, board->boxes, boxes::Unpack::nearest, control); });
    looks_of("doors", 8 * CELLS * (CELLS - 1), [&] { boxes::FeatureReader(*board, *packing, {}, control); });
}

void searches_of_pushes_look() {
    Clock clock;
    Control control(clock);
    Budget budget;
    const CompiledTask compiled(room(30, 2, false), control);
    for (const Objective objective : {Objective::pushes, Objective::moves, Objective::pushes_moves}) {
        control.counters = {};
        const std::uint64_t before = clock.looks;
        PushSearch(compiled, {.objective = objective}, control, budget).run(400);
        const std::uint64_t edges = 4 * 30 * 29 * control.counters.expanded;
        check(control.counters.expanded > 0, "pushes are searched");
        check(clock.looks - before >= looks_for(edges), "walks are counted as work");
    }
}

// Operators that change nothing, while others change the walker twice: as many changes as operators.
void what_is_no_board() {
    Still observer;
    Control control(observer);
    Buffers task;
    task.domains = {3, 2};
    task.layers = {-1, -1};
    task.initial = {0, 0};
    task.goal = {0, 2};
    push(task.operators, {1, 0, 0, 2, 0, 0, 1, 0, 0, 1});
    push(task.operators, {1, 0, 1, 1, 0, 1, 1});
    task.costs = {1, 1};
    check(!boxes::recognise(CompiledTask(task, control), control), "no walker changes twice in one step");
    task.operators.clear();
    push(task.operators, {1, 0, 0, 2, 0, 0, 1, 0, 0, 1});
    push(task.operators, {1, 0, 1, 0});
    check(!boxes::recognise(CompiledTask(task, control), control), "every operator of a board changes something");
}

// Two boxes in a corridor of five cells, each pushed to the right. Each has a fact of its own, or both have one together,
// which is gone with the first push.
Buffers corridor(bool together) {
    Buffers task;
    task.domains = {5, 2, 2, 2, 2, 2, 3};  // the walker; whether cells are clear, 0 if so; where boxes are
    task.layers.assign(7, -1);
    task.initial = {0, 0, 1, 0, 1, 0, 0};
    task.goal = {3, 1, 5, 1};
    for (std::int32_t cell = 0; cell < 5; ++cell) {
        for (const std::int32_t to : {cell - 1, cell + 1}) {
            if (to < 0 || to > 4) continue;
            push(task.operators, {2, 0, cell, 1 + to, 0, 1, 0, 0, to});
            task.costs.push_back(1);
        }
    }
    for (const std::int32_t box : {1, 3}) {
        push(task.operators, {3, 0, box - 1, 2 + box, 0});
        push(task.operators, {together ? 6 : 1 + box, together ? 0 : 1});
        push(task.operators, {together ? 4 : 3, 0, 0, box, 0, 1 + box, 0, 0, 2 + box, 1});
        if (together) push(task.operators, {0, 6, 2});
        task.costs.push_back(1);
    }
    return task;
}

void cells_share_no_box_fact() {
    Still observer;
    Control control(observer);
    check(boxes::recognise(CompiledTask(corridor(false), control), control).has_value(), "a corridor is a board");
    check(!boxes::recognise(CompiledTask(corridor(true), control), control), "two cells share the fact of their boxes");
}

void limits_end_searches() {
    Still observer;
    Control control(observer);
    const CompiledTask compiled(room(20, 6, false), control);
    boxes::Options options;
    options.bytes = 1000;
    const auto full = boxes::solve(compiled, options, observer);
    check(full && full->status == Status::memout, "memory ends a search for boxes");
    const std::atomic<std::uint32_t> cancels{0};
    options.bytes = SIZE_MAX;
    options.seconds = 0;
    const auto late = boxes::solve(compiled, options, observer, &cancels);
    check(late && late->status == Status::timeout, "time ends a search for boxes");
}

// A board in the usual signs of Sokoban; its cells are the characters of the text, row by row.
boxes::Board board_of(const std::vector<std::string>& rows) {
    const std::size_t width = rows.front().size();
    std::string text;
    for (const std::string& row : rows) text += row;
    const auto cell = [](std::size_t place) { return static_cast<boxes::Cell>(place); };
    const auto each_step = [&](auto&& visit) {  // (before, at, after) in a line, without walls
        for (std::size_t at = width; at + width < text.size(); ++at) {
            for (const std::ptrdiff_t step : {-static_cast<std::ptrdiff_t>(width), std::ptrdiff_t{-1},
                                              std::ptrdiff_t{1}, static_cast<std::ptrdiff_t>(width)}) {
                const std::size_t before = at - static_cast<std::size_t>(step),
                                  after = at + static_cast<std::size_t>(step);
                if (text[at] != '#' && text[after] != '#') visit(before, at, after);
            }
        }
    };
    boxes::Board board;
    board.walks = Rows<boxes::Walk>::by_row(text.size(), [&](auto&& put) {
        each_step([&](std::size_t, std::size_t at, std::size_t after) { put(at, boxes::Walk{cell(after), 0}); });
    });
    const auto each_push = [&](auto&& visit) {
        each_step([&](std::size_t before, std::size_t at, std::size_t after) {
            if (text[before] != '#') visit(boxes::Push{cell(before), cell(at), cell(after), 0});
        });
    };
    board.pushes = Rows<boxes::Push>::by_row(
        text.size(), [&](auto&& put) { each_push([&](const boxes::Push& push) { put(push.box, push); }); });
    board.pulls = Rows<boxes::Push>::by_row(
        text.size(), [&](auto&& put) { each_push([&](const boxes::Push& push) { put(push.to, push); }); });
    board.is_goal.resize(text.size());
    for (std::size_t place = 0; place < text.size(); ++place) {
        if (text[place] == '.') board.goals.push_back(cell(place));
        if (text[place] == '.') board.is_goal[place] = 1;
        if (text[place] == '$') board.boxes.push_back(cell(place));
        if (text[place] == '@') board.walker = cell(place);
    }
    return board;
}

// Each of a hundred boxes has nearly twenty thousand pushes to go.
void long_ways_are_no_dead_ends() {
    Clock clock;
    Control control(clock);
    constexpr std::size_t LENGTH = 20'000, BOXES = 100;
    std::string row(LENGTH, ' ');
    for (std::size_t i = 0; i < BOXES; ++i) row[3 + 2 * i] = '$', row[LENGTH - 3 - i] = '.';
    row.front() = row.back() = '#';
    const boxes::Board board = board_of({std::string(LENGTH, '#'), row, std::string(LENGTH, '#')});
    const boxes::Distances distances(board, boxes::Occupied(board.cells()), control);
    const boxes::Pushes pushes = boxes::Matching(board, distances, control).of(board.boxes);
    check(pushes == 1'984'550, "the sum of long ways: " + std::to_string(pushes));
}

void corrals_leave_less_to_try() {
    Clock clock;
    Control control(clock);
    const auto to_push = [&](const std::vector<std::string>& rows) {
        const boxes::Board board = board_of(rows);
        boxes::Occupied occupied(board.cells());
        for (const boxes::Cell box : board.boxes) occupied[box] = 1;
        const boxes::Distances distances(board, boxes::Occupied(board.cells()), control);
        boxes::Corrals corrals(board, distances, control);
        return corrals.boxes_to_push(board.boxes, occupied, board.walker);
    };
    check(to_push({"#######", "#.  # #", "# $@$.#", "#   # #", "#######"}) == Vector<boxes::Cell>{18},
          "a box in a door is pushed into the room behind it first");
    check(to_push({"########", "#.  ## #", "# $@$ .#", "#   $ .#", "#.  ## #", "########"}).size() == 2,
          "two boxes in a wide door");
    check(to_push({"#######", "#.    #", "# $@$.#", "#     #", "#######"}).empty(), "an open room has no corral");
}

void packing_begins_in_every_area() {
    Clock clock;
    Control control(clock);
    const boxes::Board board = board_of({"######", "# .  #", "##.  #", "# $$ #", "#  @ #", "######"});
    const boxes::Packing packing(board, board.goals, boxes::Unpack::nearest, control);
    check(packing.stages() == 3, "full goals shut a corner off, and boxes are pulled off them from the other side");
}

void obstacles_are_counted() {
    Clock clock;
    Control control(clock);
    // Its one goal is in a corridor on the left; boxes are pushed there from the right.
    const auto count = [&](const std::vector<std::string>& rows) {
        const boxes::Board board = board_of(rows);
        boxes::Occupied occupied(board.cells());
        for (const boxes::Cell box : board.boxes) occupied[box] = 1;
        const boxes::Packing packing(board, board.goals, boxes::Unpack::nearest, control);
        return int{boxes::Obstacles(board, packing, control).count(0, occupied, board.walker)};
    };
    check(count({"########", "#. $ @ #", "########"}) == 0, "nothing is in the way");
    check(count({"#########", "#. $ $@ #", "#########"}) == 1, "the walker comes past another box only");
    check(count({"########", "#.     #", "#  $ $@#", "#      #", "########"}) == 0, "the walker has a way around");
    check(count({"########", "#. $   #", "####$###", "#  @   #", "########"}) == 1,
          "a box in the door to the corridor");
}

void boxes_bar_others() {
    Clock clock;
    Control control(clock);
    const auto pairs = [&](const std::vector<std::string>& rows) {
        const boxes::Board board = board_of(rows);
        const boxes::Distances distances(board, boxes::Occupied(board.cells()), control);
        return boxes::Barring(board, distances, control).pairs(board.boxes);
    };
    check(pairs({"#########", "#.. $ $@#", "#########"}) == 1, "in a corridor the first box bars the second");
    check(pairs({"#########", "#..     #", "#   $ $@#", "#       #", "#########"}) == 0, "in a room none bars another");
}

void every_look_finds_the_same_answers() {
    Clock clock;
    Control control(clock);
    const std::vector<std::string> room{"########", "#   @  #", "# $##$ #", "#  ..  #",
                                        "# $##. #", "#      #", "########"},
        corner{"########", "#$  @  #", "#  ##$ #", "#  ..  #", "########"};
    std::set<std::uint64_t> expanded;
    for (std::uint32_t shuffle = 0; shuffle < 4; ++shuffle) {
        for (const boxes::Look& look :
             {boxes::Look{.first = boxes::First::shuffled, .shuffle = shuffle, .ranked = true},
              boxes::Look{.features = {.packed = false, .areas = false, .reach = true},
                          .first = boxes::First::shuffled,
                          .shuffle = shuffle,
                          .barring = true}}) {
            const boxes::Board solvable = board_of(room), unsolvable = board_of(corner);
            const std::uint64_t before = control.counters.expanded;
            boxes::FeatureSearch search(solvable, look, control);
            check(search.run(100'000) == Status::solved, "every look solves the room");
            expanded.insert(control.counters.expanded - before);
            check(!search.pushes().empty(), "a solution has pushes");
            check(boxes::FeatureSearch(unsolvable, look, control).run(100'000) == Status::unsolvable,
                  "every look proves that a box in a corner stays there");
        }
    }
    check(expanded.size() > 1, "shuffled searches go different ways");
}
}  // namespace

int main() {
    every_look_finds_the_same_answers();
    obstacles_are_counted();
    boxes_bar_others();
    corrals_leave_less_to_try();
    packing_begins_in_every_area();
    looks_come_in_every_loop();
    searches_of_pushes_look();
    what_is_no_board();
    cells_share_no_box_fact();
    long_ways_are_no_dead_ends();
    limits_end_searches();
    return verdict("the rooms of boards keep their limits");
}
