#include "search/family.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <new>
#include <string>
#include <system_error>
#include <thread>

namespace unpuzzle {

namespace {

constexpr std::chrono::milliseconds LOOK_GAP{50};

void check(const Task& task, const Fact& fact) {
    if (fact.variable < task.variables.size() && fact.value < task.variables[fact.variable].domain) return;
    throw BadTask("there is no value " + std::to_string(fact.value) + " of variable " + std::to_string(fact.variable));
}

struct Silent : Observer {
    bool look(const Counters&, double) override { return true; }
};

}  // namespace

Packer::Packer(const CompiledTask& compiled, std::vector<FamilyFact> facts, std::vector<bool> exact,
               std::span<const Fact> otherwise)
    : compiled_(compiled),
      facts_(std::move(facts)),
      exact_(std::move(exact)),
      base_(compiled.extended_words()),
      fact_seen_(facts_.size()),
      group_seen_(exact_.size()) {
    for (const FamilyFact& fact : facts_) {
        certain_ += fact.certain;
        if (fact.variable >= 0) check(compiled.task, {static_cast<std::uint32_t>(fact.variable), fact.value});
        for (const std::uint32_t group : fact.groups) {
            if (group >= exact_.size()) throw BadTask("group " + std::to_string(group) + " does not exist");
        }
    }
    exact_groups_ = static_cast<std::size_t>(std::count(exact_.begin(), exact_.end(), true));
    std::vector<std::uint32_t> values(compiled.task.variables.size());
    for (const Fact& fact : otherwise) {
        check(compiled.task, fact);
        values[fact.variable] = fact.value;
    }
    compiled.layout.pack(values, base_.data());
    base_.resize(compiled.words());
}

bool Packer::pack(std::span<const std::uint32_t> facts, Word* state) {
    ++start_;
    std::copy(base_.begin(), base_.end(), state);
    std::size_t certain = 0, exact = 0;
    for (const std::uint32_t number : facts) {
        if (fact_seen_[number] == start_) continue;
        fact_seen_[number] = start_;
        const FamilyFact& fact = facts_[number];
        certain += fact.certain;
        for (const std::uint32_t group : fact.groups) {
            if (group_seen_[group] == start_) return false;
            group_seen_[group] = start_;
            exact += exact_[group];
        }
        if (fact.variable >= 0) {
            compiled_.layout[static_cast<std::size_t>(fact.variable)].write(fact.value, state);
        }
    }
    return certain == certain_ && exact == exact_groups_;
}

// A borrowed search with its memory: an idle one, or a new one; idle again afterwards.
class Family::Loan {
  public:
    explicit Loan(Family& family) : family_(family) {
        {
            const std::lock_guard lock(family_.mutex_);
            if (!family_.idle_.empty()) search_ = take_last(family_.idle_);
        }
        if (!search_) search_ = make_small_search(family_.compiled_);
    }
    ~Loan() {
        const std::lock_guard lock(family_.mutex_);
        try {
            family_.idle_.push_back(std::move(search_));
        } catch (const std::bad_alloc&) {  // the next one makes its own
        }
    }
    SmallSearch& operator*() const { return *search_; }

  private:
    Family& family_;
    std::unique_ptr<SmallSearch> search_;
};

void Family::add_goal(std::span<const Fact> facts, bool possible) {
    SmallGoal goal;
    goal.possible = possible;
    std::vector<Fact> sorted(facts.begin(), facts.end());
    sort_and_unique(sorted);
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        check(compiled_.task, sorted[i]);
        if (i > 0 && sorted[i - 1].variable == sorted[i].variable) goal.possible = false;
    }
    Vector<Test> tests;
    compiled_.layout.tests(sorted, tests);
    for (const Test& test : tests)
        (test.word < compiled_.words() ? goal.tests.stored : goal.tests.derived).push_back(test);
    goals_.push_back(std::make_unique<const SmallGoal>(std::move(goal)));
}

SmallAnswer Family::solve(const Word* start, const SmallGoal* goal, const SmallBounds& bounds, Control& control) {
    const Loan search(*this);
    return (*search).solve(start, *goal, bounds, control);
}

Family::Answers Family::solve_many(const Batch& batch, Observer& observer) {
    Answers result;
    result.answers.resize(batch.goals.size());
    if (batch.threads > 1 && batch.goals.size() > 1) {
        result.interrupted = in_threads(batch, result.answers, observer);
        return result;
    }
    std::atomic<std::size_t> next{0};
    Control control(observer, batch.seconds);
    work(batch, result.answers, next, control);
    result.interrupted = std::any_of(result.answers.begin(), result.answers.end(),
                                     [](const auto& answer) { return answer.status == Status::interrupted; });
    return result;
}

void Family::work(const Batch& batch, std::vector<SmallAnswer>& answers, std::atomic<std::size_t>& next,
                  Control& control) {
    constexpr std::size_t AT_ONCE = 8;
    const Loan search(*this);
    bool stopped = false;
    Status reason = Status::gave_up;
    while (true) {
        const std::size_t begin = next.fetch_add(AT_ONCE, std::memory_order_relaxed);
        if (begin >= answers.size()) return;
        for (std::size_t i = begin; i < std::min(begin + AT_ONCE, answers.size()); ++i) {
            if (stopped) {
                answers[i].status = reason;
                continue;
            }
            answers[i] =
                (*search).solve(batch.starts.data() + i * compiled_.words(), *batch.goals[i], batch.bounds, control);
            reason = answers[i].status;
            stopped = reason == Status::timeout || reason == Status::cancelled || reason == Status::interrupted;
        }
    }
}

// Starts workers and waits, so that this thread can look out for Ctrl-C; tells whether it met one.
bool Family::in_threads(const Batch& batch, std::vector<SmallAnswer>& answers, Observer& observer) {
    std::atomic<std::size_t> next{0};
    std::atomic<std::uint32_t> stop{0};
    std::mutex mutex;
    std::condition_variable ended;
    std::size_t done = 0;
    std::exception_ptr failure;  // the first one
    std::vector<std::thread> threads;
    // Made before any worker is: one that begins late, after the flag rose, must see that it did. And the clock is that
    // of the whole batch.
    Silent silent;
    const Control whole(silent, batch.seconds, &stop);
    const auto worker = [&] {
        std::exception_ptr thrown;
        try {
            Control control = whole;
            work(batch, answers, next, control);
        } catch (...) {  // such as std::bad_alloc
            thrown = std::current_exception();
            stop.fetch_add(1);
        }
        const std::lock_guard lock(mutex);
        if (!failure) failure = thrown;
        ++done;
        ended.notify_one();
    };
    try {
        while (threads.size() < std::min<std::size_t>(batch.threads, answers.size())) threads.emplace_back(worker);
    } catch (const std::system_error&) {  // fewer will do
        if (threads.empty()) worker();
    }
    bool interrupted = false;
    std::unique_lock lock(mutex);
    while (!ended.wait_for(lock, LOOK_GAP, [&] { return done >= threads.size(); })) {
        lock.unlock();
        if (!interrupted && !observer.look({}, 0)) {
            interrupted = true;
            stop.fetch_add(1);
        }
        lock.lock();
    }
    lock.unlock();
    for (std::thread& thread : threads) thread.join();
    if (failure) std::rethrow_exception(failure);
    return interrupted;
}

}  // namespace unpuzzle
