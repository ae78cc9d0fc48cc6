#include "scheduling/part.hpp"

namespace unpuzzle {

namespace {

constexpr std::uint64_t PRUNING_EFFORTS[] = {1u << 20, 1u << 22, 1u << 25};  // words of rows, see h2_pairs.hpp
constexpr std::uint64_t PRUNING_IF_FOLDED = 1u << 21;
constexpr double SHARE = 1.0 / 32;               // of the effort, in any case
constexpr double PATIENCE = 4, STEPS_TO_GO = 8;  // a dear first look waits while all goes well without it
constexpr Cost PART_OF_BOUND = 32;               // how far above the best bound the prospects are compared
constexpr double DEAR_LATER = 4;  // times as much effort as preparing takes is spent on other searches for some plan
constexpr std::size_t ROOM = 16;  // a part of the memory that is kept free for who goes on
constexpr double BEHIND = 16;     // the one with less effort goes on so much later

}  // namespace

Scheduler::Scheduler(SearchedTask task, ScheduleOptions options, Observer& observer,
                     const std::atomic<std::uint32_t>* cancels)
    : tasks_{std::move(task)},
      options_(std::move(options)),
      observer_(observer),
      cancels_(cancels),
      clock_(observer, {}, cancels) {
    add(std::move(tasks_.front()), cancels);
}

Scheduler::Scheduler(OwnSearch own, ScheduleOptions options, Observer& observer)
    : own_(std::move(own)),
      own_row_(new Row{own_.name, own_.algorithm, own_.heuristic, Feature::none, false, nullptr, nullptr}),
      options_(std::move(options)),
      observer_(observer),
      cancels_(nullptr),
      clock_(observer) {
    parts_.push_back(std::make_unique<Part>(*own_row_, *this));
}

void Scheduler::add(SearchedTask task, const std::atomic<std::uint32_t>* cancels) {
    cancels_ = cancels;
    tasks_.assign(1, std::move(task));
    const bool only_folded = options_.objective != OBJECTIVES[0];
    std::vector<std::unique_ptr<Part>> parts;
    for (const Row& row : table()) {
        const auto& names = options_.parts;
        const bool plans = row.share > 0;
        // Databases are searched for a proof in any case, and dear to make twice.
        const bool beside =
            !only_folded && (options_.anytime || (options_.plans && row.heuristic != std::string_view("pdb")));
        if (plans ? !(options_.soon ? !row.improves : beside) : options_.soon) continue;
        if (!names.empty() && std::ranges::find(names, row.name) == names.end()) continue;
        if (!tasks_.front().compiled->features.has(row.unsupported) && (row.walks || !only_folded))
            parts.push_back(std::make_unique<Part>(row, *this));
    }
    if (!only_boxes() && std::ranges::all_of(parts, [&](const auto& part) { return for_plans(*part); }))
        throw UnsupportedTask("such tasks", "These parts of the schedule");
    std::ranges::move(parts_, std::back_inserter(parts));
    parts_ = std::move(parts);
}

Scheduler::~Scheduler() {
    const Metered metered(budget_);
    board_.reset();
    parts_.clear();
}

std::uint64_t Scheduler::effort() const {
    std::uint64_t sum = pruning_effort_ + windows_.effort;
    for (const auto& part : parts_) sum += part->whole_effort();
    return sum;
}
std::uint64_t Scheduler::expanded() const {
    std::uint64_t sum = windows_.counters.expanded + boxes_.counters.expanded;
    for (const auto& part : parts_) sum += part->expanded();
    return sum;
}

// Looks for what no plan contains, when all parts together have done about as much as that takes. Tells whether it did.
bool Scheduler::prune_in_turn(const Prune& prune) {
    if (tasks_.empty()) return false;
    const bool folded = folds(tasks_.front().compiled->features);
    if (options_.soon || complete_ || pruned_ == (folded ? 1 : std::size(PRUNING_EFFORTS)) ||
        tasks_.front().compiled->features.axioms)
        return false;
    const double due = static_cast<double>(PRUNING_EFFORTS[pruned_] / Control::PIECES) * options_.scale;
    const Part& before = *parts_[std::min<std::size_t>(folded ? 1 : 0, parts_.size() - 1)];
    if (!(before.looked() || before.ended()) || (!folded && static_cast<double>(effort()) < due)) return false;
    const std::uint64_t work = folded ? PRUNING_IF_FOLDED : PRUNING_EFFORTS[pruned_];
    ++pruned_;
    Pruned found = prune(work);
    complete_ = found.complete;
    if (found.task) {
        tasks_.push_back(std::move(*found.task));
        smaller_ = true;
        folds_.reset();
    }
    return true;
}

// The effort of all parts before this one. What is dear to prepare, in one step that may take seconds, waits where
// something else is wanted first, until that has had as much; so do landmarks that were prepared once and gave no plan.
double Scheduler::from(const Row& row) const {
    if (&row == own_row_.get()) return 0;
    const double effort = row.from(*tasks_.back().compiled);
    const std::string_view heuristic = row.heuristic;
    if (heuristic == "lmcut" && options_.anytime)  // the first state alone may take a second
        return std::max(effort, FOR_AN_OPERATOR * static_cast<double>(effort_of_a_cut(*tasks_.back().compiled)));
    if (heuristic == "pdb") {
        const CompiledTask& compiled = *tasks_.back().compiled;
        const bool folded = folds(compiled.features);
        const double preparing = effort_of_databases(compiled);
        const bool plans = row.share > 0;
        if (!options_.anytime && !plans) return folded ? effort : std::max(effort, preparing / DEAR_LATER);
        return std::max({effort, folded ? 0 : BEFORE_DATABASES, plans && !folded ? DEAR_LATER * preparing : preparing});
    }
    if (row.algorithm == std::string_view("bidirectional")) return std::max(effort, 2 * blind_need(target() / 2));
    if (!row.pruning.empty()) {  // about as dear as the same search without pruning
        double look = 0;
        for (const auto& part : parts_) {
            if (part->row().share == 0 && part->row().heuristic == heuristic) look = std::max(look, part->first_look());
        }
        return std::max(effort, 2 * look);
    }
    if (row.share == 0 || !heuristic.ends_with("landmarks")) return effort;
    double prepared = 0;
    for (const auto& part : parts_) prepared = std::max(prepared, part->row().share > 0 ? part->prepared() : 0);
    return std::max(effort, prepared * DEAR_LATER);
}

// The effort of blind search until its bound is as high, as far as is known: search from both ends needs about two such
// efforts, each for half of the bound.
double Scheduler::blind_need(double bound) const {
    double need = 0;
    for (const auto& part : parts_) {
        const bool blind =
            part->row().algorithm == std::string_view("astar") && part->row().heuristic == std::string_view("blind");
        if (blind && part->looked() && !part->ended() && static_cast<double>(part->f()) < bound)
            need = std::max(need, part->need(bound));
    }
    return need;
}

// The bound for which the prospects of parts are compared.
double Scheduler::target() const { return static_cast<double>(known_ + std::max<Cost>(1, known_ / PART_OF_BOUND)); }

// Whether a part has a plan, not a proof, where a cheapest one is searched.
bool Scheduler::for_plans(const Part& part) const { return !options_.soon && part.row().share > 0; }

// The effort without what is prepared, which raises no bound.
double Scheduler::searched() const {
    double sum = 0;
    for (const auto& part : parts_) sum += part->searched();
    return sum;
}
void Scheduler::note_rise(Cost f) {
    if (f <= risen_) return;
    risen_ = f;
    rose_at_ = searched();
}

// The part for the next turn; none if all have ended.
Scheduler::Part* Scheduler::next() {
    const double target = this->target();
    const double all = static_cast<double>(effort()) - (options_.anytime ? effort_for_plans() : 0);
    const bool folded =
        !tasks_.empty() && folds(tasks_.back().compiled->features);  // there, databases nearly always win
    const double share = folded ? 0 : SHARE * all;
    Part *best = nullptr, *later = nullptr, *anew = nullptr;
    double least = HUGE_VAL, soonest = HUGE_VAL;
    for (const auto& part : parts_) {
        if (for_plans(*part)) continue;
        if (part->ended() || part->given_back()) {
            if (!part->ended() && !anew) anew = &*part;
        } else if (!part->looked()) {
            const double begin = from(part->row());
            if (!later || begin < soonest || (begin == soonest && later->glimpsed() && !part->glimpsed()))
                later = &*part;
            soonest = std::min(begin, soonest);
        } else {
            const double effort = std::max(part->effort(), 1.0), need = part->need(target);
            const Part* const twin = part->twin();
            const bool waits = (twin && twin->effort() > part->effort()) || part->says_nothing();
            const double behind = waits ? BEHIND : 1;
            const double score = options_.soon             ? need
                                 : effort < share / behind ? 0
                                                           : behind * effort * (folded ? need * need : need);
            if (score < least) best = &*part;
            least = std::min(score, least);
        }
    }
    if (!later || (soonest == HUGE_VAL && (best || anew))) return best ? best : anew;
    const double begin = soonest * options_.scale;
    const bool urgent = !best || all >= PATIENCE * begin || best->need(target) * STEPS_TO_GO >= begin;
    return all >= begin && urgent ? later : best ? best : later;
}

// Before a part goes on: if it might not find the memory, the part that helps least gives its own back.
void Scheduler::make_room(const Part& part) {
    while (budget_.left() < std::max(part.bytes(), (budget_.used() + budget_.left()) / ROOM)) {
        const auto target = static_cast<double>(known_ + 1);
        const bool plans_first = options_.anytime && wanted() == NO_BOUND;
        const auto helps = [&](const Part& other) {
            return !for_plans(other) ? -other.need(target) : plans_first ? HUGE_VAL : -HUGE_VAL;
        };
        Part* least = nullptr;
        for (const auto& other : parts_) {
            if (&*other == &part || other->bytes() == 0 || other->ended()) continue;
            if (!least || helps(*other) < helps(*least)) least = &*other;
        }
        if (!least || (for_plans(part) && !for_plans(*least) && !plans_first)) return;
        least->give_back(for_plans(*least) ? Part::MEMOUT : Part::GIVEN_BACK);
    }
}

std::optional<Status> Scheduler::turn(Part& part, const ScheduleLimits& limits) {
    if (part.stale()) part.give_back(part.looked() ? Part::PAUSED : Part::LOOKS);
    make_room(part);
    const auto place = [&](const Part& of) {
        return static_cast<std::size_t>(std::ranges::find(parts_, &of, &std::unique_ptr<Part>::get) - parts_.begin());
    };
    ended_by_ = place(part);
    try {
        return after(part, part.go_on(limits));
    } catch (const UnsupportedTask&) {
        part.give_back(Part::UNSUPPORTED);
        unsupported_ = std::current_exception();
    } catch (const Stop& stop) {
        if (stop.status != Status::memout) {
            part.give_back(Part::PAUSED);  // in the middle of a step, from which no search can go on
            throw;
        }
        run_out(part);
    } catch (const std::bad_alloc&) {
        run_out(part);
    }
    ended_by_ = NONE;
    return {};
}

// A part that ran out of memory is over, unless others have some: then it may begin anew when they are over.
void Scheduler::run_out(Part& part) {
    part.give_back(Part::MEMOUT);
    const bool alone = std::ranges::none_of(parts_, [](const auto& other) { return other->bytes() > 0; });
    if (!alone && !for_plans(part)) part.finish(Part::GIVEN_BACK);
}

// What is known after a turn: an answer, or nothing yet.
std::optional<Status> Scheduler::after(Part& part, Status status) {
    states_ = std::max(states_, part.states());
    if (for_plans(part) && status == Status::solved) {
        std::optional<Steps> plan;
        Cost cost = 0;
        part.keep_plan(plan, cost);
        part.give_back(part.row().improves && part.row().weight == 1 ? Part::PAUSED : Part::ENDED);  // or once more
        return adopt(std::move(*plan), cost);
    }
    if (!options_.soon && !for_plans(part)) known_ = std::max(known_, part.f());
    if (status == Status::solved_optimally || status == Status::solved) {
        part.keep_plan(plan_, cost_);
        part.finish(Part::ENDED);
        return options_.soon ? status : Status::solved_optimally;
    }
    if (status == Status::unsolvable) {
        part.finish(Part::ENDED);
        return wanted() == NO_BOUND ? Status::unsolvable : proved();
    }
    if (known_ < wanted() || wanted() == NO_BOUND) return {};
    return proved();
}

Status Scheduler::run(const ScheduleLimits& limits, const Prune& prune) {
    const Metered metered(budget_);
    budget_.renew(limits.bytes);
    bound_ = limits.bound;
    clock_.renew(limits.seconds);
    return within_limits([&]() -> Status {
        while (true) {
            clock_.begin_phase();
            clock_.tick();
            if (expanded() >= limits.most_expanded && expanded() > 0) return Status::gave_up;
            if (effort() >= limits.most_effort) return Status::gave_up;
            const auto left = [&] {
                seconds_ = limits.seconds ? std::optional(*limits.seconds - clock_.seconds()) : std::nullopt;
            };
            left();
            if (!tasks_.empty() && !tasks_.back().compiled->task.goal_possible) {
                ended_by_ = NONE;
                return wanted() == NO_BOUND ? Status::unsolvable : proved();
            }
            if (boxes_are_due()) {
                if (const auto answer = push_boxes(limits)) return *answer;
                continue;
            }
            ScheduleLimits until = limits;
            until.most_expanded = std::min(limits.most_expanded, states_before_boxes());
            if (plans_are_due()) {
                const Cost before = found_cost_;
                Part* const searching = next_for_plans();
                const bool windows = windows_are_due(searching);
                if (windows || searching) {
                    const auto answer = windows ? improve(limits) : turn(*searching, until);
                    if (answer) return *answer;
                    if (options_.anytime && found_cost_ < before) return improved();
                    continue;
                }
            }
            if (prune_in_turn(prune)) continue;
            if (!folds_ && !tasks_.empty()) {
                const CompiledTask& compiled = *tasks_.back().compiled;
                folds_ = false;  // without the memory to tell, it goes on as without a walker
                if (compiled.features.least_cost == 0 && options_.objective == OBJECTIVES[0])
                    within_memory(
                        [&] { folds_ = find_walker(compiled.task, compiled.features, {}, clock_).has_value(); });
            }
            Part* part = next();
            if (!part && options_.anytime) part = next_for_plans();
            if (!part && may_push_boxes()) {  // nothing else is left
                if (const auto answer = push_boxes(limits)) return *answer;
                continue;
            }
            if (!part) {
                const bool all =
                    std::ranges::all_of(parts_, [&](const auto& it) { return it->unsupported() || for_plans(*it); });
                if (all && unsupported_) std::rethrow_exception(unsupported_);
                return Status::memout;
            }
            if (const auto answer = turn(*part, until)) return *answer;
            if (expanded() >= limits.most_expanded) return Status::gave_up;
        }
    });
}

Counters Scheduler::counters(const Counters& now) const {
    Counters sum{.f = now.f};
    for (const PartReport& report : reports()) {
        sum.expanded += report.counters.expanded;
        sum.evaluated += report.counters.evaluated;
        sum.generated += report.counters.generated;
        sum.reopened += report.counters.reopened;
    }
    return sum;
}

std::vector<PartReport> Scheduler::reports() const {
    std::vector<PartReport> all;
    for (const auto& part : parts_) all.push_back(part->report());
    if (windows_.effort > 0) all.push_back(windows_);
    if (boxes_.state != Part::LOOKS) all.push_back(boxes_);
    return all;
}

}  // namespace unpuzzle
