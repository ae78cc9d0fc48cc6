#include "boxes/feature_search.hpp"

#include <algorithm>
#include <tuple>

namespace unpuzzle::boxes {

BoardKnowledge::BoardKnowledge(const Board& board, Control& control)
    : distances(board, Occupied(board.cells()), control),
      deadlocks(board, distances, control),
      barring(board, distances, control),
      final_goals(board.goals) {
    if (board.goals.size() == board.boxes.size()) return;
    Matching matching(board, distances, control);  // the goals with the least pushes
    final_goals = matching.of(board.boxes) < NEVER ? matching.goals() : Vector<Cell>();
}

FeatureSearch::FeatureSearch(const Board& board, const Look& look, Control& control)
    : board_(board),
      control_(control),
      known_(board, control),
      look_(look),
      matching_(board, known_.distances, control),
      packing_(board, known_.final_goals, look.order, control),
      reader_(board, packing_, look.features, control),
      routes_(board, known_.distances, control),
      corrals_(board, known_.distances, control),
      area_(board),
      positions_(board.boxes.size(), control),
      occupied_(board.cells()),
      child_(board.boxes.size() + 1),
      estimates_(board.cells()) {}

void FeatureSearch::place(std::span<const Cell> boxes, std::uint8_t there) {
    for (const Cell box : boxes) occupied_[box] = there;
}

// The initial position, and whether there is something to search for.
Status FeatureSearch::start() {
    const Vector<Cell>& boxes = board_.boxes;
    place(boxes, 1);
    std::copy(boxes.begin(), boxes.end(), child_.begin());
    child_.back() = area_.fill(occupied_, board_.walker);
    const bool solved = std::all_of(boxes.begin(), boxes.end(), [&](Cell box) { return board_.is_goal[box] != 0; });
    const bool dead = !solved && (matching_.of(boxes) >= NEVER ||
                                  known_.deadlocks.at_a_glance(boxes, occupied_, child_.back(), NOWHERE) ||
                                  known_.deadlocks.at_a_look(boxes, occupied_, child_.back(), NOWHERE));
    const Features features = reader_.of(boxes, occupied_, board_.walker, area_.cells().size());
    place(boxes, 0);
    positions_.add(child_);
    nodes_.push_back({NO_NODE, NOWHERE, NOWHERE, child_.back(), 0, 0, features});
    if (dead) return Status::unsolvable;
    if (solved) {
        solution_ = 0;
    } else {
        open(0);
    }
    return solution_ == NO_NODE ? Status::gave_up : Status::solved;
}

Status FeatureSearch::run(std::uint64_t most_expanded) {
    const std::uint64_t most = most_expanded < UINT64_MAX - expanded_ ? expanded_ + most_expanded : UINT64_MAX;
    if (nodes_.empty()) {
        const Status status = start();
        if (status != Status::gave_up) return status;
    }
    for (std::size_t idle = 0; idle < cells_.size(); next_cell_ = (next_cell_ + 1) % cells_.size()) {
        control_.tick();
        if (expanded_ >= most) return Status::gave_up;
        auto& cell = cells_[next_cell_];
        ++idle;
        if (cell.empty()) continue;
        idle = 0;
        std::pop_heap(cell.begin(), cell.end(), std::greater<>());
        const Step step = take_last(cell);
        if (step.from == NOWHERE) {
            release_others(step);
        } else {
            add(step);
        }
        if (solution_ != NO_NODE) return Status::solved;
    }
    return Status::unsolvable;
}

// The position after a step, unless it is known or dead.
void FeatureSearch::add(const Step& step) {
    control_.tick();
    const auto boxes = positions_.boxes(step.node);
    const auto box = static_cast<std::size_t>(std::lower_bound(boxes.begin(), boxes.end(), step.from) - boxes.begin());
    move_box(boxes, box, step.to, child_.data());
    child_.back() = step.walker;
    if (positions_.has(child_)) return;
    const std::span<const Cell> after(child_.data(), child_.size() - 1);
    place(after, 1);
    const bool dead = known_.deadlocks.at_a_glance(after, occupied_, step.walker, step.to) ||
                      known_.deadlocks.at_a_look(after, occupied_, step.walker, step.to);
    area_.fill(occupied_, step.walker);
    const Features features = reader_.of(after, occupied_, step.walker, area_.cells().size());
    place(after, 0);
    const std::uint32_t number = positions_.add(child_).first;
    nodes_.push_back(
        {step.node, step.from, step.to, step.walker, step.weight, nodes_[step.node].pushes + step.pushes, features});
    if (!dead) open(number);
}

void FeatureSearch::open(std::uint32_t node) {
    ++control_.counters.expanded;
    ++expanded_;
    find_candidates(node);
    if (solution_ != NO_NODE) return;
    advise(node);
    const std::uint32_t weight = nodes_[node].weight;
    bool others = false;
    for (const Candidate& candidate : candidates_) {
        if (candidate.advised) push_step(candidate, node, weight);
        others = others || !candidate.advised;
    }
    if (others) push_step({NOWHERE, NOWHERE, NOWHERE, 0, {}, 0}, node, weight + 1);
}

void FeatureSearch::push_step(const Candidate& candidate, std::uint32_t node, std::uint32_t weight) {
    const auto found = cell_numbers_.emplace(nodes_[node].features, static_cast<std::uint32_t>(cells_.size()));
    if (found.second) cells_.emplace_back();
    auto& cell = cells_[found.first->second];
    cell.push_back(
        {weight, rank(candidate), steps_++, node, candidate.from, candidate.to, candidate.walker, candidate.pushes});
    std::push_heap(cell.begin(), cell.end(), std::greater<>());
}

std::uint32_t FeatureSearch::rank(const Candidate& candidate) const {
    if (look_.first == First::widest) return static_cast<std::uint32_t>(board_.cells()) - candidate.reached;
    std::uint32_t mixed = steps_ + look_.shuffle * 0x9E3779B9u;  // as in the last step of MurmurHash3 (Appleby)
    mixed = (mixed ^ mixed >> 16) * 0x85EBCA6Bu;
    return mixed ^ mixed >> 13;
}

// Which of them advisers knew is not remembered: those lead to known positions by now, or will.
void FeatureSearch::release_others(const Step& step) {
    constexpr std::uint32_t PER_WEIGHT = 3;
    find_candidates(step.node);
    if (look_.ranked) {
        const auto key = [](const Candidate& one) {
            return std::tuple(-int{one.features.packed}, one.features.obstacles, one.estimate);
        };
        std::stable_sort(candidates_.begin(), candidates_.end(),
                         [&](const Candidate& one, const Candidate& other) { return key(one) < key(other); });
    }
    std::uint32_t before = 0;
    for (const Candidate& candidate : candidates_) {
        push_step(candidate, step.node, step.weight + (look_.ranked ? before / PER_WEIGHT : 0));
        ++before;
    }
}

// All steps that are not dead at a glance, nor lead to a known position.
void FeatureSearch::find_candidates(std::uint32_t node) {
    candidates_.clear();
    const Vector<Cell> boxes(positions_.boxes(node).begin(), positions_.boxes(node).end());
    matching_.of(boxes);
    place(boxes, 1);
    const auto& only = corrals_.boxes_to_push(boxes, occupied_, positions_.walker(node));
    for (std::size_t box = 0; box < boxes.size() && solution_ == NO_NODE; ++box) {
        if (!only.empty() && std::find(only.begin(), only.end(), boxes[box]) == only.end()) continue;
        std::fill(estimates_.begin(), estimates_.end(), UNKNOWN);
        const auto& ends = routes_.from(boxes[box], positions_.walker(node), occupied_);
        for (const Routes::End& end : ends) {
            if (end.to == boxes[box]) {  // the walker elsewhere, by pushing to and fro
                if (end.walker == positions_.walker(node)) continue;
            }
            consider(boxes, box, end);
            if (solution_ == NO_NODE) continue;
            nodes_.push_back({node, boxes[box], end.to, end.walker, 0, nodes_[node].pushes + end.pushes, {}});
            solution_ = static_cast<std::uint32_t>(nodes_.size() - 1);
            positions_.add(child_);
            break;
        }
    }
    place(boxes, 0);
}

void FeatureSearch::consider(std::span<const Cell> boxes, std::size_t box, const Routes::End& end) {
    ++control_.counters.generated;
    control_.work(2 * board_.cells() + 8 * board_.goals.size());
    move_box(boxes, box, end.to, child_.data());
    child_.back() = end.walker;
    if (positions_.has(child_)) return;
    if (estimates_[end.to] == UNKNOWN) estimates_[end.to] = matching_.moved(box, end.to);
    const Pushes estimate = estimates_[end.to];
    if (estimate >= NEVER) return;
    const std::span<const Cell> after(child_.data(), boxes.size());
    if (estimate == 0) {
        solution_ = 0;
        return;
    }
    occupied_[boxes[box]] = 0;
    occupied_[end.to] = 1;
    if (!known_.deadlocks.at_a_glance(after, occupied_, end.walker, end.to)) {
        candidates_.push_back({boxes[box], end.to, end.walker, static_cast<std::uint16_t>(std::min(end.pushes, 65535u)),
                               reader_.of(after, occupied_, end.walker, end.reached), estimate, end.reached,
                               look_.barring ? known_.barring.pairs(after) : 0});
    }
    occupied_[end.to] = 0;
    occupied_[boxes[box]] = 1;
}

// Advises the candidate with the least value below a bound, unless it unpacks boxes; of several the one nearest to the
// goals.
template <class Value>
void FeatureSearch::advise_least(const Features& now, Value&& value,
                                 decltype(value(std::declval<const Candidate&>())) bound) {
    const auto key = [&](const Candidate& one) { return std::tuple(value(one), one.estimate, one.pushes); };
    Candidate* best = nullptr;
    for (Candidate& candidate : candidates_) {
        if (candidate.features.packed < now.packed || value(candidate) >= bound) continue;
        if (!best || key(candidate) < key(*best)) best = &candidate;
    }
    if (best) best->advised = true;
}

void FeatureSearch::advise(std::uint32_t node) {
    const Features now = nodes_[node].features;
    const Vector<Cell> boxes(positions_.boxes(node).begin(), positions_.boxes(node).end());
    const auto feature = [](auto member) { return [member](const Candidate& one) { return one.features.*member; }; };
    advise_least(now, [](const Candidate& one) { return -int{one.features.packed}; }, -int{now.packed});
    for (const auto member : {&Features::obstacles, &Features::areas, &Features::blocked, &Features::astray})
        advise_least(now, feature(member), now.*member);
    if (look_.nearest) advise_least({}, [](const Candidate& one) { return one.estimate; }, NEVER);
    place(boxes, 1);
    area_.fill(occupied_, positions_.walker(node));
    place(boxes, 0);
    const auto reached = static_cast<std::int64_t>(area_.cells().size());
    advise_least(now, [](const Candidate& one) { return -std::int64_t{one.reached}; }, -reached);
    if (look_.barring) advise_least(now, [](const Candidate& one) { return one.barred; }, known_.barring.pairs(boxes));
}

Pushed FeatureSearch::pushes() {
    Vector<std::uint32_t> way;
    for (std::uint32_t node = solution_; node != NO_NODE; node = nodes_[node].parent) way.push_back(node);
    Pushed result;
    for (std::size_t i = way.size(); i-- > 1;) {
        const Node& step = nodes_[way[i - 1]];
        place(positions_.boxes(way[i]), 1);
        routes_.from(step.from, positions_.walker(way[i]), occupied_);
        place(positions_.boxes(way[i]), 0);
        routes_.pushes_to(step.to, step.walker, result);
    }
    return result;
}

}  // namespace unpuzzle::boxes
