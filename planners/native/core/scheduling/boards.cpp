// Searches of a board on which boxes are pushed, in turns with the parts of the schedule.
#include "scheduling/part.hpp"

namespace unpuzzle {

namespace {

// States of all parts before boxes are pushed for the first time, and for good.
constexpr std::uint64_t BEFORE_BOXES = 400'000, BEFORE_BOXES_IF_FOLDED = 15'000;
constexpr std::uint64_t BEFORE_ONLY_BOXES = 10'000'000, BEFORE_ONLY_BOXES_BY_PUSHES = 2'000'000;
constexpr double BESIDE_BOXES = 1'000'000;  // ticks, for the first turn of the other parts; then twice as much
constexpr std::uint64_t FIRST_POSITIONS = 1'000;
constexpr unsigned MOST_DOUBLED = 20;  // turns of a board
constexpr std::uint64_t POSITIONS_TO_IMPROVE = 20'000, POSITIONS_TO_IMPROVE_FIRST = 50'000;
constexpr std::uint64_t POSITIONS_TO_IMPROVE_LAST[] = {100'000, 200'000, 400'000};

}  // namespace

bool Scheduler::may_push_boxes() const {
    const auto& names = options_.parts;
    const bool named = names.empty() || std::ranges::find(names, BOXES) != names.end();
    return named && !board_over_ && !tasks_.empty() && !options_.soon;
}

// The states of all parts after which boxes are pushed.
std::uint64_t Scheduler::states_before_boxes() const {
    if (!may_push_boxes() || options_.anytime) return UINT64_MAX;
    if (only_boxes()) return 0;
    const bool late = by_moves() && !folds(tasks_.front().compiled->features);
    const std::uint64_t first = late ? BEFORE_BOXES : BEFORE_BOXES_IF_FOLDED;
    const std::uint64_t last = by_moves() ? BEFORE_ONLY_BOXES : BEFORE_ONLY_BOXES_BY_PUSHES;
    return static_cast<std::uint64_t>(static_cast<double>(board_turns_ > 0 ? last : first) * options_.scale);
}

bool Scheduler::boxes_are_due() const {
    if (!options_.anytime) return expanded() >= states_before_boxes();
    return may_push_boxes() &&
           static_cast<double>(effort()) >= BESIDE_BOXES * options_.scale * (std::exp2(board_turns_) - 1);
}

// Whether the task is a board. Without the memory to tell, it is none.
bool Scheduler::find_board() {
    const CompiledTask& compiled = *tasks_.front().compiled;
    board_control_ = std::make_unique<Control>(observer_, seconds_, cancels_);
    within_memory([&] {
        if (auto board = boxes::recognise(compiled, *board_control_))
            board_ = std::make_unique<boxes::Solver>(
                std::move(*board), compiled, options_.objective.starts_with("pushes"), *board_control_, observer_);
    });
    return board_ != nullptr;
}

// A turn of the searches of a board. The first is short, and the last, if there is one, goes on to the end.
std::optional<Status> Scheduler::push_boxes(const ScheduleLimits& limits) {
    if (!board_ && !find_board()) {
        board_over_ = true;
        if (only_boxes()) throw UnsupportedTask("tasks that are no boards of boxes", "Pushes");
        return {};
    }
    board_control_->renew(seconds_);
    boxes_.state = Part::PAUSED;
    ended_by_ = reports().size() - 1;
    const unsigned turns = std::min(board_turns_, MOST_DOUBLED);
    const bool last = !options_.anytime && (only_boxes() || board_turns_ > 0), known = found_cost_ != NO_BOUND;
    if (!board_->plan() && !(options_.anytime && known)) {
        const std::uint64_t left = limits.most_expanded - std::min(expanded(), limits.most_expanded);
        const auto answer = search_board(std::min(last ? UINT64_MAX : FIRST_POSITIONS << turns, left));
        if (answer || !board_ || !board_->plan()) {
            ++board_turns_;
            return answer;
        }
        if (options_.anytime && found_cost_ < NO_BOUND) return improved();
    } else if (options_.anytime) {
        board_->take(*tasks_.front().own(found_));
    }
    ++board_turns_;
    if (!last || only_boxes())
        improve_on_board(options_.anytime ? POSITIONS_TO_IMPROVE << turns : POSITIONS_TO_IMPROVE_FIRST);
    if (last) {
        for (const std::uint64_t positions : POSITIONS_TO_IMPROVE_LAST) improve_on_board(positions);
        std::tie(plan_, cost_) = *unproved();
        return Status::solved;
    }
    const Cost before = found_cost_;
    const auto answer = by_moves() ? adopt(tasks_.front().told(*board_->plan()), board_->cost()) : std::nullopt;
    return answer || !options_.anytime || found_cost_ == before ? answer : improved();
}

// Searches so many positions more; what is known then, but a plan.
std::optional<Status> Scheduler::search_board(std::uint64_t most) {
    const std::uint64_t done = board_control_->counters.expanded;
    Status status = Status::memout;
    within_memory([&] { status = board_->search(done + std::min(most, UINT64_MAX - done)); });
    const Counters& now = board_control_->counters;
    std::tie(boxes_.counters.expanded, boxes_.counters.evaluated, boxes_.counters.generated) =
        std::tie(now.expanded, now.evaluated, now.generated);
    if (status == Status::memout) {
        board_.reset();
        board_over_ = true;
        boxes_.state = Part::MEMOUT;
        if (only_boxes()) return status;
    } else if (status == Status::unsolvable) {
        boxes_.state = Part::ENDED;
        return wanted() == NO_BOUND ? status : proved();
    } else if (status == Status::solved && by_moves()) {
        return adopt(tasks_.front().told(*board_->plan()), board_->cost());
    }
    if (status != Status::solved) ended_by_ = NONE;
    return {};
}

void Scheduler::improve_on_board(std::uint64_t positions) {
    const Status ended = board_->improve(positions);
    if (ended != Status::solved) throw Stop{ended};
}

std::optional<std::pair<Steps, Cost>> Scheduler::unproved() const {
    if (options_.anytime || !board_ || !board_->plan()) return {};
    if (by_moves() && found_cost_ < board_->cost()) return std::pair(found_, found_cost_);
    return std::pair(tasks_.front().told(*board_->plan()), board_->cost());
}

}  // namespace unpuzzle
