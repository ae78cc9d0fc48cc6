#include "script/rules.hpp"

#include <algorithm>
#include <new>

#include "base/control.hpp"
#include "script/columns.hpp"

namespace unpuzzle::script {

namespace {
constexpr std::size_t MOST_FOUND = std::size_t{1} << 27;  // cells of matches of a row, where no budget says so before
}

Rules::Rules(const Game& game, const Shape& shape, Control& control)
    : game_(game),
      shape_(shape),
      control_(control),
      scratch_(shape.words),
      matching_(shape.words),
      row_(game.row_words) {
    std::size_t rows = 1, parts = 1;
    for (const Rule& rule : game.rules) {
        rows = std::max(rows, rule.rows.size());
        for (const Row& row : rule.rows) parts = std::max(parts, row.parts.size());
    }
    found_.resize(rows);
    chosen_.resize(rows);
    at_.resize(rows);
    part_starts_.assign(parts, Bits(shape.words));
}

void Rules::run(const std::vector<Group>& groups, Scene& scene, const std::vector<char>& banned) {
    bool changed = false;
    int jumps = 0;
    for (std::size_t place = 0; place < groups.size();) {
        const Group& group = groups[place];
        if (banned.empty() || !banned[place]) changed |= run_group(group, scene);
        if (changed && group.jump >= 0) {
            place = static_cast<std::size_t>(group.jump);
            changed = false;
            if (++jumps > MOST_PASSES) {
                note_endless(groups[place], true);
                break;
            }
        } else {
            ++place;
        }
    }
}

bool Rules::run_group(const Group& group, Scene& scene) {
    if (group.random) return run_one(group, scene);
    bool changed = false;
    for (int pass = 0; pass < MOST_PASSES; ++pass) {
        bool passed = false;
        for (std::uint32_t number = group.first_rule; number < group.end_rule; ++number) {
            if (!within(&game_.needs[number * game_.row_words], scene.board.seen(), game_.row_words)) continue;
            passed |= run_rule(game_.rules[number], scene);
        }
        if (!passed) return changed;
        changed = true;
    }
    note_endless(group, false);
    return changed;
}

void Rules::note_endless(const Group& group, bool loop) {
    const auto in = [&](const std::vector<Group>& groups) {
        return !groups.empty() && &group >= groups.data() && &group <= &groups.back();
    };
    const std::size_t number = in(game_.early) ? static_cast<std::size_t>(&group - game_.early.data())
                                               : game_.early.size() + (&group - game_.late.data());
    endless.insert(static_cast<std::uint32_t>(2 * number + (loop ? 1 : 0)));
}

bool Rules::run_one(const Group& group, Scene& scene) {
    const auto ways = [&](const Rule& rule) {
        if (!find(rule, scene.board)) return 0.0;
        double product = 1;
        for (std::size_t row = 0; row < rule.rows.size(); ++row) {
            product *= static_cast<double>(found_[row].size() / rule.rows[row].cells.size());
        }
        return product;
    };
    double all = 0;
    for (std::uint32_t number = group.first_rule; number < group.end_rule; ++number) all += ways(game_.rules[number]);
    if (all == 0) return false;
    auto drawn = static_cast<double>(scene.draws.below(all));
    for (std::uint32_t number = group.first_rule; number < group.end_rule; ++number) {
        const Rule& rule = game_.rules[number];
        const double here = ways(rule);
        if (drawn >= here) {
            drawn -= here;
            continue;
        }
        choose(drawn, rule);
        const bool changed = rule.has_right && apply(rule, scene);
        if (rule.commands) scene.queue.add(rule);
        return changed;
    }
    return false;
}

// The combination with a number, the first row fastest.
void Rules::choose(double number, const Rule& rule) {
    auto left = static_cast<std::uint64_t>(number);
    for (std::size_t row = 0; row < rule.rows.size(); ++row) {
        const std::size_t length = rule.rows[row].cells.size(), count = found_[row].size() / length;
        chosen_[row] = &found_[row][left % count * length];
        left /= count;
    }
}

bool Rules::run_rule(const Rule& rule, Scene& scene) {
    if (!find(rule, scene.board)) return false;
    control_.tick();
    bool changed = false;
    if (rule.has_right) {
        const std::size_t rows = rule.rows.size();
        for (std::size_t row = 0; row < rows; ++row) {
            at_[row] = 0;
            chosen_[row] = found_[row].data();
        }
        for (bool first = true;; first = false) {
            if (first || holds(rule, scene.board)) changed |= apply(rule, scene);
            std::size_t row = 0;
            for (; row < rows; ++row) {  // the next combination
                at_[row] += rule.rows[row].cells.size();
                if (at_[row] == found_[row].size()) at_[row] = 0;
                chosen_[row] = &found_[row][at_[row]];
                if (at_[row] != 0) break;
            }
            if (row == rows) break;
            if (rows > 1) control_.tick();
        }
    }
    if (rule.commands) scene.queue.add(rule);
    return changed;
}

bool Rules::holds(const Rule& rule, const Board& board) const {
    const std::size_t words = game_.row_words;
    for (std::size_t row = 0; row < rule.rows.size(); ++row) {
        const auto& cells = rule.rows[row].cells;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const Pattern& pattern = game_.patterns[cells[i]];
            const Word* here = board.row(chosen_[row][i]);
            if (!within(pattern.must.data(), here, words)) return false;
            if (!disjoint(pattern.must_not.data(), here, words)) return false;
            for (const Bits& some : pattern.some) {
                if (disjoint(some.data(), here, words)) return false;
            }
        }
    }
    return true;
}

bool Rules::apply(const Rule& rule, Scene& scene) {
    bool changed = false;
    for (std::size_t row = 0; row < rule.rows.size(); ++row) {
        const auto& cells = rule.rows[row].cells;
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const Pattern& pattern = game_.patterns[cells[i]];
            if (pattern.replaces) changed |= replace(chosen_[row][i], pattern, rule, scene);
        }
    }
    return changed;
}

bool Rules::replace(std::size_t cell, const Pattern& pattern, const Rule& rule, Scene& scene) {
    if (pattern.draws) return replace_by_chance(cell, pattern, rule, scene);
    bool changed = rule.rigid_group != 0 && mark(cell, pattern, rule, scene);
    for (std::size_t w = 0; w < game_.row_words; ++w) {
        const Word old = scene.board.row(cell)[w];
        if (const Word bits = old ^ ((old & ~pattern.clear[w]) | pattern.set[w])) {
            scene.board.flip(cell, w, bits);
            changed = true;
        }
    }
    return changed;
}

bool Rules::replace_by_chance(std::size_t cell, const Pattern& pattern, const Rule& rule, Scene& scene) {
    Bits clear = pattern.clear, set = pattern.set;
    if (!pattern.random_objects.empty()) {
        const std::uint32_t drawn =
            pattern.random_objects[scene.draws.below(static_cast<double>(pattern.random_objects.size()))];
        const std::uint32_t layer = game_.layer_of[drawn];
        add(set, drawn);
        clear |= game_.layer_rows[layer];
        for (std::size_t move = 0; move < MOVES; ++move) add(clear, game_.moves_from[layer] + move);
    }
    for (const std::uint32_t layer : pattern.random_layers) {
        add(set, game_.moves_from[layer] + scene.draws.below(4));
    }
    const bool marked = rule.rigid_group != 0 && mark(cell, pattern, rule, scene);
    for (std::size_t w = 0; w < row_.size(); ++w) row_[w] = (scene.board.row(cell)[w] & ~clear[w]) | set[w];
    return scene.board.put(cell, row_.data()) || marked;
}

// Marks layers of a cell with the number of the rule's rigid group; whether they were free.
bool Rules::mark(std::size_t cell, const Pattern& pattern, const Rule& rule, Scene& scene) {
    std::uint8_t* here = scene.rigid + cell * game_.layers;
    if (pattern.rigid_layers.empty()) return false;
    for (const std::uint32_t layer : pattern.rigid_layers) {
        if (here[layer]) return false;
    }
    for (const std::uint32_t layer : pattern.rigid_layers) here[layer] = static_cast<std::uint8_t>(rule.rigid_group);
    return true;
}

// ---- finding

// All matches of all rows of a rule, in `found_`; false if a row has none.
bool Rules::find(const Rule& rule, const Board& board) {
    for (std::size_t i = 0; i < rule.rows.size(); ++i) {
        const auto find_row_of = [&]<int K>() { return find_row<K>(rule.rows[i], rule.direction, board, found_[i]); };
        found_[i].clear();
        const bool some = shape_.words == 1   ? find_row_of.operator()<1>()
                          : shape_.words == 2 ? find_row_of.operator()<2>()
                          : shape_.words == 3 ? find_row_of.operator()<3>()
                                              : find_row_of.operator()<0>();
        if (!some) return false;
    }
    return true;
}

template <int K>
bool Rules::find_row(const Row& row, Direction direction, const Board& board, Cells& found) {
    const std::size_t words = shape_.words, length = row.cells.size();
    if (length > std::max(shape_.width, shape_.height)) return false;
    copy<K>(matching_.data(), anchors(direction, length), words);
    step_ = shape_.step(direction);
    if (!starts<K>(row.parts[0], game_, board, step_, matching_.data(), scratch_.data(), words)) return false;
    starts_.clear();
    members(matching_, [&](std::size_t cell) { starts_.push_back(static_cast<std::uint32_t>(cell)); });
    in_order(direction, starts_);
    if (row.parts.size() > 1) return find_with_gaps<K>(row, direction, board, found);
    for (const std::uint32_t start : starts_) {
        std::ptrdiff_t cell = start;
        for (std::size_t i = 0; i < length; ++i, cell += step_) found.push_back(static_cast<std::uint32_t>(cell));
    }
    return true;
}

template <int K>
bool Rules::find_with_gaps(const Row& row, Direction direction, const Board& board, Cells& found) {
    const std::size_t words = shape_.words;
    for (std::size_t part = 1; part < row.parts.size(); ++part) {
        Word* const there = part_starts_[part].data();
        copy<K>(there, anchors(direction, row.parts[part].cells.size()), words);
        if (!starts<K>(row.parts[part], game_, board, step_, there, scratch_.data(), words)) return false;
    }
    for (const std::uint32_t start : starts_) {
        match_.clear();
        follow(row, 0, start, shape_.room(start, direction) - row.cells.size(), found);
    }
    return !found.empty();
}

// The matches that go on with a part at a cell, with at most `free` cells in gaps.
void Rules::follow(const Row& row, std::size_t part, std::size_t start, std::size_t free, Cells& found) {
    control_.tick();
    if (found.size() > MOST_FOUND) throw std::bad_alloc();
    const std::size_t before = match_.size();
    auto cell = static_cast<std::ptrdiff_t>(start);
    for (std::size_t i = 0; i < row.parts[part].cells.size(); ++i, cell += step_) {
        match_.push_back(static_cast<std::uint32_t>(cell));
    }
    if (part + 1 == row.parts.size()) {
        found.insert(found.end(), match_.begin(), match_.end());
    } else {
        const Word* const there = part_starts_[part + 1].data();
        for (std::size_t gap = 0; gap <= free; ++gap, cell += step_) {
            const auto next = static_cast<std::size_t>(cell);
            if (has(there, next)) follow(row, part + 1, next, free - gap, found);
        }
    }
    match_.resize(before);
}

const Word* Rules::anchors(Direction direction, std::size_t length) {
    auto& known = anchors_[direction];
    while (known.size() <= length) known.push_back(shape_.anchors(direction, known.size()));
    return known[length].data();
}

// To the left and right, rows are gone through one after the other.
void Rules::in_order(Direction direction, Cells& starts) const {
    if (direction != LEFT && direction != RIGHT) return;
    if (starts.size() < 2) return;
    const auto& place = shape_.by_rows;
    std::sort(starts.begin(), starts.end(), [&](std::uint32_t a, std::uint32_t b) { return place[a] < place[b]; });
}

}  // namespace unpuzzle::script
