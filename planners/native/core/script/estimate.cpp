#include "script/estimate.hpp"

#include <algorithm>
#include <string>

#include "base/errors.hpp"

namespace unpuzzle::script {

namespace {
constexpr std::uint32_t FAR = 1u << 30;
}

Estimate::Estimate(Kind kind, const Game& game, const Shape& shape, std::vector<std::uint32_t> shortened)
    : kind_(kind),
      game_(game),
      shape_(shape),
      shortened_(std::move(shortened)),
      fields_(game.wins.size()),
      everywhere_(shape.anchors(UP, 1)),
      first_(shape.words),
      second_(shape.words),
      wrong_(shape.words) {
    shortened_.resize(game.wins.size());
}

Estimate::Kind Estimate::kind_of(std::string_view name) {
    constexpr std::string_view NAMES[] = {"blind", "unmet", "distance", "sum"};
    const auto found = std::find(std::begin(NAMES), std::end(NAMES), name);
    if (found == std::end(NAMES)) throw UnknownName("there is no heuristic " + std::string(name));
    return static_cast<Kind>(found - std::begin(NAMES));
}

std::uint64_t Estimate::of(const Board& board, bool won) {
    if (won) return 0;
    std::uint64_t found = 0;
    for (std::size_t i = 0; kind_ != BLIND && i < game_.wins.size(); ++i) {
        const std::uint64_t here = of_condition(board, i);
        found = kind_ == DISTANCE ? std::max(found, here) : found + here;
    }
    return std::max<std::uint64_t>(found, 1);
}

std::uint64_t Estimate::of_condition(const Board& board, std::size_t number) {
    const WinCondition& win = game_.wins[number];
    board.cells_with(win.first, win.first_is_aggregate, everywhere_, first_);
    if (win.anything) {
        second_ = everywhere_;
    } else {
        board.cells_with(win.second, win.second_is_aggregate, everywhere_, second_);
    }
    std::size_t count = 0;
    for (std::size_t w = 0; w < shape_.words; ++w) {
        wrong_[w] = win.quantifier > 0 ? first_[w] & ~second_[w] : first_[w] & second_[w];
        count += static_cast<std::size_t>(std::popcount(wrong_[w]));
    }
    if (win.quantifier == 0) {
        if (count > 0) return 0;
        wrong_ = first_;
        count = 1;
    }
    if (count == 0) return 0;
    const bool far = kind_ != UNMET && win.quantifier >= 0 && !win.anything && shortened_[number] > 0;
    return far ? distance(number, count) : kind_ == DISTANCE ? 1 : count;
}

// Of the cells in `wrong_`: the farthest or the sum of all; of `some X`, the nearest.
std::uint64_t Estimate::distance(std::size_t number, std::size_t count) {
    const auto& all = distances(number);
    std::uint64_t farthest = 0, nearest = FAR, sum = 0;
    members(wrong_.data(), shape_.words, [&](std::size_t cell) {
        const std::uint64_t here = all[cell] < FAR ? all[cell] : 1;
        farthest = std::max(farthest, here);
        nearest = std::min(nearest, here);
        sum += here;
    });
    if (game_.wins[number].quantifier == 0) farthest = sum = nearest < FAR ? nearest : count;
    const std::uint64_t found = kind_ == DISTANCE ? farthest : sum;
    return (found + shortened_[number] - 1) / shortened_[number];
}

// From all cells to the nearest in `second_`: there and back over columns and rows (Rosenfeld and Pfaltz
// 1966).
const Vector<std::uint32_t>& Estimate::distances(std::size_t number) {
    Field& field = fields_[number];
    if (field.cells == second_) return field.distances;
    field.cells = second_;
    auto& to = field.distances;
    to.assign(shape_.cells, FAR);
    members(second_.data(), shape_.words, [&](std::size_t cell) { to[cell] = 0; });
    const std::size_t height = shape_.height;
    for (std::size_t cell = 0; cell < shape_.cells; ++cell) {
        if (cell % height) to[cell] = std::min(to[cell], to[cell - 1] + 1);
        if (cell >= height) to[cell] = std::min(to[cell], to[cell - height] + 1);
    }
    for (std::size_t cell = shape_.cells; cell-- > 0;) {
        if (cell % height + 1 < height) to[cell] = std::min(to[cell], to[cell + 1] + 1);
        if (cell + height < shape_.cells) to[cell] = std::min(to[cell], to[cell + height] + 1);
    }
    return to;
}

}  // namespace unpuzzle::script
