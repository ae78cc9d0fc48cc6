#include "boxes/feature_search.hpp"

#include <algorithm>
#include <tuple>

namespace unpuzzle::boxes {

BoardKnowledge::BoardKnowledge(const Board& of, Control& control)
    : board(of),
      distances(of, Occupied(of.cells()), control),
      deadlocks(of, distances, control),
      final_goals(of.goals) {
    if (of.goals.size() == of.boxes.size()) return;
    Matching matching(of, distances, control);  // the goals with the least pushes
    final_goals = matching.of(of.boxes) < NEVER ? matching.goals() : Vector<Cell>();
}

FeatureSearch::FeatureSearch(BoardKnowledge& known, Profile profile, Unpack order, Control& control)
    : board_(known.board),
      control_(control),
      deadlocks_(known.deadlocks),
      matching_(known.board, known.distances, control),
      packing_(known.board, known.final_goals, order, control),
      reader_(known.board, packing_, profile, control),
      routes_(known.board, known.distances, control),
      corrals_(known.board, known.distances, control),
      area_(known.board),
      positions_(known.board.boxes.size(), control),
      occupied_(known.board.cells()),
      child_(known.board.boxes.size() + 1),
      in_the_way_(known.board.cells()) {}

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
    const bool dead =
        !solved && (matching_.of(boxes) >= NEVER || deadlocks_.at_a_glance(boxes, occupied_, child_.back(), NOWHERE) ||
                    deadlocks_.at_a_look(boxes, occupied_, child_.back(), NOWHERE));
    const Features features = reader_.of(boxes, occupied_);
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
        const Step step = cell.back();
        cell.pop_back();
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
    const bool dead = deadlocks_.at_a_glance(after, occupied_, step.walker, step.to) ||
                      deadlocks_.at_a_look(after, occupied_, step.walker, step.to);
    const Features features = reader_.of(after, occupied_);
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
    const Node& about = nodes_[node];
    advise(about);
    bool others = false;
    for (const Candidate& candidate : candidates_) {
        if (candidate.advised) push_step(candidate, node, about.weight);
        others = others || !candidate.advised;
    }
    if (others)
        push_step({NOWHERE, NOWHERE, NOWHERE, 0, {}, matching_.of(positions_.boxes(node)), false}, node,
                  about.weight + 1);
}

void FeatureSearch::push_step(const Candidate& candidate, std::uint32_t node, std::uint32_t weight) {
    const auto found = cell_numbers_.emplace(nodes_[node].features, static_cast<std::uint32_t>(cells_.size()));
    if (found.second) cells_.emplace_back();
    auto& cell = cells_[found.first->second];
    cell.push_back(
        {weight, candidate.estimate, steps_++, node, candidate.from, candidate.to, candidate.walker, candidate.pushes});
    std::push_heap(cell.begin(), cell.end(), std::greater<>());
}

// Which of them advisers knew is not remembered: those lead to known positions by now, or will.
void FeatureSearch::release_others(const Step& step) {
    find_candidates(step.node);
    for (const Candidate& candidate : candidates_) push_step(candidate, step.node, step.weight);
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
    if (solution_ == NO_NODE) find_way(nodes_[node], boxes);
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
