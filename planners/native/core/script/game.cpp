#include "script/game.hpp"

#include "base/array_reader.hpp"

namespace unpuzzle::script {

namespace {
constexpr std::int64_t MOST = std::int64_t{1} << 24;  // of anything that is counted
constexpr std::size_t MOST_PARTS = 8;                 // of a row; PuzzleScript allows 3
}  // namespace

// Reads numbers, and sets as words.
class Game::Reader : public ArrayReader<std::int64_t> {
  public:
    explicit Reader(std::span<const std::int64_t> words) : ArrayReader("compiled game", words) {}

    std::int64_t number(std::int64_t least, std::int64_t most) {
        const std::int64_t read = next("a number");
        if (read >= least && read <= most) return read;
        fail(std::to_string(read) + " is not in " + std::to_string(least) + ".." + std::to_string(most));
    }
    bool flag() { return number(0, 1) != 0; }
    // How many things follow, each of at least one word.
    std::size_t count(std::int64_t least = 0) {
        const auto read = static_cast<std::size_t>(number(least, MOST));
        if (read > left()) fail("there is less data than counted");
        return read;
    }
    // A set of numbers below `most`.
    Bits set(std::size_t words, std::size_t most) {
        Bits read(words);
        for (Word& each : read) each = static_cast<Word>(next("a set"));
        each(read, [&](std::size_t member) {
            if (member >= most) fail("there is no number " + std::to_string(member));
        });
        return read;
    }
};

namespace {

std::vector<std::uint32_t> list_of(const Bits& set) {
    std::vector<std::uint32_t> list;
    each(set, [&](std::size_t member) { list.push_back(static_cast<std::uint32_t>(member)); });
    return list;
}

}  // namespace

Game::Game(std::span<const unsigned char> bytes) {
    std::vector<std::int64_t> words(bytes.size() / sizeof(Word));
    if (!words.empty()) std::memcpy(words.data(), bytes.data(), words.size() * sizeof(Word));
    Reader from(words);
    read(from);
    if (!from.done() || bytes.size() % sizeof(Word) != 0) from.fail("the data should end here", 0);
}

void Game::read(Reader& from) {
    objects = static_cast<std::size_t>(from.number(1, 1 << 16));
    layers = static_cast<std::size_t>(from.number(1, 1 << 14));
    object_words = words_for(objects);
    move_words = words_for(MOVES * layers);
    layer_of.assign(objects, NO_LAYER);
    lay_out();
    for (std::size_t layer = 0; layer < layers; ++layer) {
        const Bits set = from.set(object_words, objects);
        each(set, [&](std::size_t object) {
            if (layer_of[object] != NO_LAYER) from.fail("an object is in two layers");
            layer_of[object] = static_cast<std::uint32_t>(layer);
        });
        layer_rows.push_back(row_of(set, Bits(move_words)));
    }
    player_is_aggregate = from.flag();
    const Bits players = from.set(object_words, objects);
    require_layers(players, from);
    player = list_of(players);
    player_row = row_of(players, Bits(move_words));
    require_player_movement = from.flag();
    run_rules_on_level_start = from.flag();
    no_action = from.flag();
    no_undo = from.flag();
    no_restart = from.flag();
    read_wins(from);
    const std::size_t groups = from.count();
    if (groups > MOST_RIGID_GROUPS) from.fail("there are too many rigid groups");
    for (std::size_t i = 0; i < groups; ++i) rigid_groups.push_back(static_cast<std::uint32_t>(from.number(0, MOST)));
    const std::size_t cells = from.count();
    for (std::size_t i = 0; i < cells; ++i) read_pattern(from);
    early = read_groups(from);
    late = read_groups(from);
}

// Movements come after the objects, those of a layer in one word.
void Game::lay_out() {
    std::size_t next = objects;
    for (std::size_t layer = 0; layer < layers; ++layer) {
        if (next % WORD_BITS + MOVES > WORD_BITS) next = words_for(next) * WORD_BITS;
        moves_from.push_back(static_cast<std::uint32_t>(next));
        next += MOVES;
    }
    row_words = words_for(next);
    object_row.assign(row_words, 0);
    move_row.assign(row_words, 0);
    for (std::size_t object = 0; object < objects; ++object) add(object_row, object);
    for (const std::uint32_t first : moves_from) {
        for (std::size_t move = 0; move < MOVES; ++move) add(move_row, first + move);
    }
}

void Game::read_wins(Reader& from) {
    const std::size_t count = from.count();
    for (std::size_t i = 0; i < count; ++i) {
        WinCondition win;
        win.quantifier = static_cast<int>(from.number(-1, 1));
        win.first_is_aggregate = from.flag();
        win.second_is_aggregate = from.flag();
        win.anything = from.flag();
        win.first = list_of(from.set(object_words, objects));
        win.second = list_of(from.set(object_words, objects));
        if (win.anything) {
            win.second.clear();
            win.second_is_aggregate = true;
        }
        wins.push_back(std::move(win));
    }
}

std::vector<Group> Game::read_groups(Reader& from) {
    std::vector<Group> groups(from.count());
    for (Group& group : groups) {
        group.number = static_cast<std::uint32_t>(early.size() + static_cast<std::size_t>(&group - groups.data()));
        group.random = from.flag();
        group.jump = static_cast<std::int32_t>(from.number(-1, static_cast<std::int64_t>(groups.size()) - 1));
        const std::size_t count = from.count();
        group.first_rule = static_cast<std::uint32_t>(rules.size());
        for (std::size_t i = 0; i < count; ++i) read_rule(from);
        group.end_rule = static_cast<std::uint32_t>(rules.size());
        chance |= group.random && count > 0;
    }
    return groups;
}

void Game::read_rule(Reader& from) {
    Rule rule;
    rule.direction = static_cast<Direction>(from.number(UP, RIGHT));
    rule.has_right = from.flag();
    rule.commands = static_cast<std::uint32_t>(from.number(0, 127));
    rule.distinct_commands = static_cast<std::uint32_t>(from.number(0, MOST));
    rule.rigid_group = static_cast<std::uint32_t>(from.number(0, static_cast<std::int64_t>(rigid_groups.size())));
    const std::size_t count = from.count(1);
    Bits need(row_words);
    for (std::size_t i = 0; i < count; ++i) {
        rule.rows.push_back(read_row(from));
        for (const std::uint32_t cell : rule.rows.back().cells) {
            need |= patterns[cell].must;
            rule.draws |= patterns[cell].draws;
        }
    }
    chance |= rule.draws;
    commands |= rule.commands;
    needs.insert(needs.end(), need.begin(), need.end());
    rules.push_back(std::move(rule));
}

Row Game::read_row(Reader& from) {
    Row row;
    row.parts.emplace_back();
    const std::size_t count = from.count(1);
    for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t cell = from.number(-1, static_cast<std::int64_t>(patterns.size()) - 1);
        if (cell < 0) {
            if (row.parts.back().cells.empty()) from.fail("nothing stands before an ellipsis");
            if (row.parts.size() == MOST_PARTS) from.fail("there are too many ellipses in a row");
            row.parts.emplace_back();
            continue;
        }
        row.parts.back().cells.push_back(static_cast<std::uint32_t>(cell));
        row.cells.push_back(static_cast<std::uint32_t>(cell));
    }
    if (row.parts.back().cells.empty()) from.fail("nothing stands after an ellipsis");
    for (Part& part : row.parts) {
        for (std::uint32_t i = 0; i < part.cells.size(); ++i) part.order.push_back(i);
        std::stable_partition(part.order.begin(), part.order.end(),
                              [&](std::uint32_t i) { return meets(patterns[part.cells[i]].must, move_row); });
    }
    return row;
}

void Game::read_pattern(Reader& from) {
    Pattern pattern;
    const Bits present = from.set(object_words, objects), missing = from.set(object_words, objects);
    const Bits moving = from.set(move_words, MOVES * layers), still = from.set(move_words, MOVES * layers);
    pattern.must = row_of(present, moving);
    pattern.must_not = row_of(missing, still);
    pattern.present = list_of(pattern.must);
    // Movements, which are rare, first.
    std::reverse(pattern.present.begin(), pattern.present.end());
    pattern.missing = list_of(pattern.must_not);
    const std::size_t groups = from.count();
    for (std::size_t i = 0; i < groups; ++i) {
        pattern.some.push_back(row_of(from.set(object_words, objects), Bits(move_words)));
        pattern.any.push_back(list_of(pattern.some.back()));
    }
    pattern.clear.assign(row_words, 0);
    pattern.set.assign(row_words, 0);
    pattern.replaces = from.flag();
    if (pattern.replaces) read_replacement(from, pattern);
    patterns.push_back(std::move(pattern));
}

void Game::read_replacement(Reader& from, Pattern& to) {
    const std::size_t moves = MOVES * layers;
    const Bits clear = from.set(object_words, objects), set = from.set(object_words, objects);
    const Bits moves_clear = from.set(move_words, moves), moves_set = from.set(move_words, moves);
    const Bits moves_layers = from.set(move_words, moves);
    const Bits drawn = from.set(object_words, objects), directions = from.set(move_words, moves);
    require_layers(set, from);
    require_layers(drawn, from);
    to.clear = row_of(clear, moves_clear);
    to.clear |= row_of(Bits(object_words), moves_layers);
    to.set = row_of(set, moves_set);
    to.rigid_layers = layers_in(moves_layers);
    to.random_objects = list_of(drawn);
    each(directions, [&](std::size_t member) {
        if (member % MOVES == 0) to.random_layers.push_back(static_cast<std::uint32_t>(member / MOVES));
    });
    to.draws = !to.random_objects.empty() || !none(directions);
}

Bits Game::row_of(const Bits& object_set, const Bits& move_set) const {
    Bits row(row_words);
    std::copy(object_set.begin(), object_set.end(), row.begin());
    each(move_set, [&](std::size_t member) { add(row, moves_from[member / MOVES] + member % MOVES); });
    return row;
}

std::vector<std::uint32_t> Game::layers_in(const Bits& move_set) const {
    std::vector<std::uint32_t> found;
    each(move_set, [&](std::size_t member) {
        const auto layer = static_cast<std::uint32_t>(member / MOVES);
        if (found.empty() || found.back() != layer) found.push_back(layer);
    });
    return found;
}

void Game::require_layers(const Bits& object_set, Reader& from) const {
    each(object_set, [&](std::size_t object) {
        if (layer_of[object] == NO_LAYER) from.fail("object " + std::to_string(object) + " is in no layer");
    });
}

}  // namespace unpuzzle::script
