#include "boxes/feature_search.hpp"

#include <algorithm>
#include <tuple>

namespace unpuzzle::boxes {

FeatureSearch::FeatureSearch(const Board& board, Control& control)
    : board_(board),
      control_(control),
      distances_(board, Occupied(board.cells()), control),
      deadlocks_(board, distances_, control),
      matching_(board, distances_),
      packing_(board, final_goals(), control),
      reader_(board, packing_),
      routes_(board, distances_, control),
      area_(board),
      positions_(board.boxes.size(), control),
      occupied_(board.cells()),
      child_(board.boxes.size() + 1),
      in_the_way_(board.cells()) {}

// Where there are more goals than boxes: those with the least pushes.
Vector<Cell> FeatureSearch::final_goals() {
    Vector<Cell> goals = board_.goals;
    if (goals.size() == board_.boxes.size()) return goals;
    return matching_.of(board_.boxes) < NEVER ? matching_.goals() : Vector<Cell>();
}

void FeatureSearch::place(std::span<const Cell> boxes, std::uint8_t there) {
    for (const Cell box : boxes) occupied_[box] = there;
}

Status FeatureSearch::run(std::uint64_t most_expanded) {
    place(board_.boxes, 1);
    std::copy(board_.boxes.begin(), board_.boxes.end(), child_.begin());
    child_.back() = area_.fill(occupied_, board_.walker);
    const bool dead = matching_.of(board_.boxes) >= NEVER ||
                      deadlocks_.at_a_glance(board_.boxes, occupied_, child_.back(), NOWHERE) ||
                      deadlocks_.at_a_look(board_.boxes, occupied_, child_.back(), NOWHERE);
    const Features features = reader_.of(board_.boxes, occupied_);
    const bool solved = std::all_of(board_.boxes.begin(), board_.boxes.end(), [&](Cell box) { return board_.is_goal[box]; });
    place(board_.boxes, 0);
    if (dead && !solved) return Status::unsolvable;
    positions_.add(child_);
    nodes_.push_back({~0u, NOWHERE, NOWHERE, child_.back(), 0, 0, features});
    if (solved) {
        solution_ = 0;
        return Status::solved;
    }
    open(0);
    while (solution_ == ~0u) {
        bool any = false;
        for (std::size_t cell = 0; cell < cells_.size() && solution_ == ~0u; ++cell) {
            if (cells_[cell].empty()) continue;
            if (control_.counters.expanded >= most_expanded) return Status::gave_up;
            any = true;
            std::pop_heap(cells_[cell].begin(), cells_[cell].end(), std::greater<>());
            const Step step = cells_[cell].back();
            cells_[cell].pop_back();
            if (step.from == NOWHERE) {
                release_others(step);
            } else {
                add(step);
            }
        }
        if (!any) return solution_ == ~0u ? Status::unsolvable : Status::solved;
    }
    return Status::solved;
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
    const bool dead = deadlocks_.at_a_glance(after, occupied_, step.walker, step.to) ||
                      deadlocks_.at_a_look(after, occupied_, step.walker, step.to);
    const Features features = reader_.of(after, occupied_);
    place(after, 0);
    const std::uint32_t number = positions_.add(child_).first;
    nodes_.push_back({step.node, step.from, step.to, step.walker, step.weight, nodes_[step.node].pushes + step.pushes,
                      features});
    if (!dead) open(number);
}

void FeatureSearch::open(std::uint32_t node) {
    ++control_.counters.expanded;
    find_candidates(node);
    if (solution_ != ~0u) return;
    const Node& about = nodes_[node];
    advise(about);
    bool others = false;
    for (const Candidate& candidate : candidates_) {
        if (candidate.advised) push_step(candidate, node, about.weight);
        others = others || !candidate.advised;
    }
    if (others) push_step({NOWHERE, NOWHERE, NOWHERE, 0, {}, matching_.of(positions_.boxes(node)), false}, node, about.weight + 1);
}

void FeatureSearch::push_step(const Candidate& candidate, std::uint32_t node, std::uint32_t weight) {
    const auto found = cell_numbers_.emplace(nodes_[node].features, static_cast<std::uint32_t>(cells_.size()));
    if (found.second) cells_.emplace_back();
    auto& cell = cells_[found.first->second];
    cell.push_back({weight, candidate.estimate, steps_++, node, candidate.from, candidate.to, candidate.walker,
                    candidate.pushes});
    std::push_heap(cell.begin(), cell.end(), std::greater<>());
}

void FeatureSearch::release_others(const Step& step) {
    find_candidates(step.node);
    advise(nodes_[step.node]);
    for (const Candidate& candidate : candidates_) {
        if (!candidate.advised) push_step(candidate, step.node, step.weight);
    }
}

// All steps that are not dead at a glance, nor lead to a known position.
void FeatureSearch::find_candidates(std::uint32_t node) {
    candidates_.clear();
    const Vector<Cell> boxes(positions_.boxes(node).begin(), positions_.boxes(node).end());
    matching_.of(boxes);
    place(boxes, 1);
    for (std::size_t box = 0; box < boxes.size() && solution_ == ~0u; ++box) {
        const auto& ends = routes_.from(boxes[box], positions_.walker(node), occupied_);
        for (const Routes::End& end : ends) {
            if (end.to == boxes[box]) {  // the walker elsewhere, by pushing to and fro
                if (end.walker == positions_.walker(node)) continue;
            }
            consider(boxes, box, end);
            if (solution_ == ~0u) continue;
            nodes_.push_back({node, boxes[box], end.to, end.walker, 0, nodes_[node].pushes + end.pushes, {}});
            solution_ = static_cast<std::uint32_t>(nodes_.size() - 1);
            positions_.add(child_);
            break;
        }
    }
    place(boxes, 0);
    if (solution_ == ~0u) find_way(nodes_[node], boxes);
}

void FeatureSearch::consider(std::span<const Cell> boxes, std::size_t box, const Routes::End& end) {
    ++control_.counters.generated;
    control_.work(2 * board_.cells() + 8 * board_.goals.size());
    move_box(boxes, box, end.to, child_.data());
    child_.back() = end.walker;
    if (positions_.has(child_)) return;
    const Pushes estimate = matching_.moved(box, end.to);
    if (estimate >= NEVER) return;
    const std::span<const Cell> after(child_.data(), boxes.size());
    if (estimate == 0) {
        solution_ = 0;
        return;
    }
    occupied_[boxes[box]] = 0;
    occupied_[end.to] = 1;
    if (!deadlocks_.at_a_glance(after, occupied_, end.walker, end.to)) {
        candidates_.push_back({boxes[box], end.to, end.walker, static_cast<std::uint16_t>(std::min(end.pushes, 65535u)),
                               reader_.of(after, occupied_), estimate});
    }
    occupied_[end.to] = 0;
    occupied_[boxes[box]] = 1;
}

template <class Better>
void FeatureSearch::advise_best(Better&& better) {
    Candidate* best = nullptr;
    for (Candidate& candidate : candidates_) {
        if (better(candidate, best)) best = &candidate;
    }
    if (best) best->advised = true;
}

void FeatureSearch::advise(const Node& node) {
    const Features now = node.features;
    const auto nearer = [](const Candidate& one, const Candidate& other) {
        return std::tuple(one.estimate, one.pushes) < std::tuple(other.estimate, other.pushes);
    };
    advise_best([&](const Candidate& one, const Candidate* best) {
        if (one.features.packed <= now.packed) return false;
        return !best || one.features.packed > best->features.packed ||
               (one.features.packed == best->features.packed && nearer(one, *best));
    });
    const auto fewer = [&](auto member) {
        advise_best([&](const Candidate& one, const Candidate* best) {
            if (one.features.*member >= now.*member || one.features.packed < now.packed) return false;
            return !best || one.features.*member < best->features.*member ||
                   (one.features.*member == best->features.*member && nearer(one, *best));
        });
    };
    fewer(&Features::areas);
    fewer(&Features::blocked);
    fewer(&Features::astray);
    advise_best([&](const Candidate& one, const Candidate* best) { return !best || nearer(one, *best); });
    advise_best([&](const Candidate& one, const Candidate* best) {
        if (!in_the_way_[one.from] || in_the_way_[one.to] || one.features.packed < now.packed) return false;
        return !best || one.features < best->features || (one.features == best->features && nearer(one, *best));
    });
}

// Marks the cells of the shortest route for the box that is to be packed next, on which boxes cost some pushes each.
void FeatureSearch::find_way(const Node& node, std::span<const Cell> boxes) {
    constexpr std::uint32_t PER_BOX = 8;
    std::fill(in_the_way_.begin(), in_the_way_.end(), 0);
    if (node.features.packed + 1u >= packing_.stages()) return;
    const auto& done = packing_.stage(node.features.packed);
    const auto& next = packing_.stage(node.features.packed + 1u);
    place(boxes, 1);
    for (const Cell target : next) {
        if (occupied_[target] && std::binary_search(done.begin(), done.end(), target)) continue;
        if (occupied_[target]) continue;
        // By pulls from the target, cheapest first; the walker is taken to get everywhere.
        Vector<std::uint32_t> cost(board_.cells(), ~0u);
        Vector<const Push*> by(board_.cells(), nullptr);
        Vector<std::pair<std::uint32_t, Cell>> open{{0, target}};
        cost[target] = 0;
        while (!open.empty()) {
            control_.tick();
            std::pop_heap(open.begin(), open.end(), std::greater<>());
            const auto [spent, cell] = open.back();
            open.pop_back();
            if (spent > cost[cell]) continue;
            if (occupied_[cell] && !std::binary_search(done.begin(), done.end(), cell)) {
                for (Cell at = cell; by[at] != nullptr; at = by[at]->to) {
                    in_the_way_[by[at]->to] = in_the_way_[by[at]->from] = 1;
                }
                in_the_way_[cell] = 0;
                break;
            }
            for (const Push& push : board_.pulls[cell]) {
                if (std::binary_search(done.begin(), done.end(), push.box)) continue;
                if (std::binary_search(done.begin(), done.end(), push.from)) continue;
                const std::uint32_t more = spent + 1 + PER_BOX * (occupied_[push.from] ? 1 : 0);
                if (more >= cost[push.box]) continue;
                cost[push.box] = more;
                by[push.box] = &push;
                open.emplace_back(more, push.box);
                std::push_heap(open.begin(), open.end(), std::greater<>());
            }
        }
        break;
    }
    place(boxes, 0);
}

Pushed FeatureSearch::pushes() {
    Vector<std::uint32_t> way;
    for (std::uint32_t node = solution_; node != ~0u; node = nodes_[node].parent) way.push_back(node);
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
