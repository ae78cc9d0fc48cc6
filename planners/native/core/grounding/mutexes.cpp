#include "grounding/mutexes.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "grounding/events.hpp"

namespace unpuzzle::ground {

namespace {

constexpr std::int64_t BUDGET_PER_EVENT = 60;
constexpr int MOST_TRIALS = 100;

struct OutOfBudget {};
struct FirstChoice {
    EventId event;
    AtomId balancer;
};

class Search {
  public:
    Search(const GroundTask& task, Reachability& names, Control& control)
        : task_(task),
          names_(names),
          control_(control),
          events_(task, control),
          unbalanced_(task.facts.size()),
          member_(task.facts.size()),
          tried_(task.facts.size()),
          grouped_(task.facts.size()),
          last_(task.operators.size()),
          marks_(2 * task.facts.size()),
          patterns_(events_.count(), NO_PATTERN),
          covered_(task.starts.none()) {
        for (EventId i = 0; i < events_.count(); ++i) {
            const Event& event = events_[i];
            if (event.balancer_count == 0 && !events_.requires_(event, event.fact)) unbalanced_[at(event.fact)] = 1;
        }
        budget_ = 1000 + BUDGET_PER_EVENT * static_cast<std::int64_t>(events_.count());
    }

    // Seeds are the facts that are true in the first start, then those of other starts that no group has yet.
    std::vector<MutexGroup> run() {
        try {
            for (std::size_t seed = 0; seed < task_.facts.size(); ++seed) {
                control_.tick();
                if (task_.starts.at(seed, 0)) sow(seed);
            }
            for (std::size_t seed = 0; task_.starts.count() > 1 && seed < task_.facts.size(); ++seed) {
                control_.tick();
                if (!task_.starts.at(seed, 0) && task_.starts.somewhere(seed) && !grouped_[seed]) sow(seed);
            }
        } catch (const OutOfBudget&) {  // what was found so far is right; more might have been found
        }
        return std::move(groups_);
    }

  private:
    static constexpr int NO_PATTERN = -1;

    static std::size_t at(AtomId fact) { return static_cast<std::size_t>(fact); }

    struct Mark {
        std::size_t members, entries, choices;
    };
    struct Entry {  // an event of a member, and the one before it of the same operator
        EventId event;
        std::uint32_t before;
    };

    void sow(std::size_t seed) {
        if (!unbalanced_[seed] && task_.layers[seed] < 0) grow_all(static_cast<AtomId>(seed));
    }

    // Every way to balance the first event of the seed that leaves a choice makes a group of its own.
    void grow_all(AtomId seed) {
        for (const EventId i : events_.adding(seed)) {
            const Event& event = events_[i];
            Vector<AtomId> usable;
            for (const AtomId balancer : events_.balancers(event)) {
                if (unbalanced_[at(balancer)] || meets(task_.starts[at(seed)], task_.starts[at(balancer)])) continue;
                usable.push_back(balancer);
            }
            if (usable.size() > 1 && !events_.requires_(event, seed)) {
                for (const AtomId balancer : usable) {
                    const FirstChoice first{i, balancer};
                    grow(seed, &first);
                }
                return;
            }
        }
        grow(seed, nullptr);
    }

    void grow(AtomId seed, const FirstChoice* first) {
        take_back({0, 0, 0});
        if (first) choices_.emplace_back(pattern(first->event), choice(events_[first->event], first->balancer));
        if (!closed(seed, {}, 0)) return;
        extend();
        if (members_.size() < 2) return;
        Vector<AtomId> facts = members_;
        std::sort(facts.begin(), facts.end());
        if (!found_.insert(facts).second) return;
        for (const AtomId fact : facts) grouped_[at(fact)] = 1;
        groups_.push_back({std::move(facts), exact()});
    }

    void spend() {
        control_.tick();
        if (--budget_ < 0) throw OutOfBudget{};
    }

    // Patterns

    // What a fact looks like from an operator: its predicate, and which parameters stand in it.
    int choice(const Event& event, AtomId fact) {
        key_.assign(1, -1);
        describe(event, fact);
        return number(key_);
    }
    int pattern(EventId event) {
        if (patterns_[event] < 0) {
            key_.assign(1, static_cast<Int>(task_.operators[events_[event].op].action));
            describe(events_[event], events_[event].fact);
            patterns_[event] = number(key_);
        }
        return patterns_[event];
    }
    void describe(const Event& event, AtomId fact) {
        const GroundOperator& op = task_.operators[event.op];
        const Relation& instances = names_.instances(op.action);
        const Object* arguments = instances.row(op.instance);
        const Object* end = arguments + instances.arity();
        const GroundFact& name = task_.facts[at(fact)];
        const Relation& relation = names_.of(name.predicate);
        key_.push_back(name.predicate);
        for (std::uint32_t i = 0; i < relation.arity(); ++i) {
            const Object object = relation.row(name.row)[i];
            const Object* place = std::find(arguments, end, object);
            key_.push_back(place == end ? ~object : static_cast<Int>(place - arguments));
        }
    }
    int number(const std::vector<Int>& key) {
        return numbers_.emplace(key, static_cast<int>(numbers_.size())).first->second;
    }

    // The group while it grows

    Mark here() const { return {members_.size(), entries_.size(), choices_.size()}; }
    void take_back(const Mark& mark) {
        for (; members_.size() > mark.members; members_.pop_back()) {
            member_[at(members_.back())] = 0;
            subtract(covered_, task_.starts[at(members_.back())]);
        }
        for (; entries_.size() > mark.entries; entries_.pop_back()) {
            last_[events_[entries_.back().event].op] = entries_.back().before;
        }
        choices_.resize(mark.choices);
    }

    void add(AtomId fact, Vector<EventId>& pending) {
        members_.push_back(fact);
        member_[at(fact)] = 1;
        unite(covered_, task_.starts[at(fact)]);
        for (const EventId event : events_.adding(fact)) {
            std::uint32_t& last = last_[events_[event].op];
            entries_.push_back({event, last});
            last = static_cast<std::uint32_t>(entries_.size());
            pending.push_back(event);
        }
    }

    bool fits(AtomId fact) {
        if (unbalanced_[at(fact)] || task_.layers[at(fact)] >= 0) return false;
        if (meets(task_.starts[at(fact)], covered_)) return false;
        for (const EventId event : events_.adding(fact)) {
            spend();
            for (std::uint32_t i = last_[events_[event].op]; i != 0; i = entries_[i - 1].before) {
                if (together(events_[event], events_[entries_[i - 1].event], fact)) return false;
            }
        }
        return true;
    }

    // Whether two add effects of one operator can fire at once, as far as the group tells.
    bool together(const Event& one, const Event& other, AtomId newcomer) {
        ++stamp_;
        true_.clear();
        if (!read(events_.precondition(one), newcomer) || !read(events_.condition(one), newcomer) ||
            !read(events_.condition(other), newcomer)) {
            return false;
        }
        if (newcomer >= 0) {
            for (const Event* event : {&one, &other}) {
                const auto balancers = events_.balancers(*event);
                const bool known =
                    std::find_first_of(true_.begin(), true_.end(), balancers.begin(), balancers.end()) != true_.end();
                if (known || events_.requires_(*event, event->fact)) continue;
                if (balancers.size() > 1) return false;
                true_.insert(true_.end(), balancers.begin(), balancers.end());
            }
        }
        return true_.size() < 2;
    }
    bool read(std::span<const Literal32> literals, AtomId newcomer) {
        for (const Literal32 literal : literals) {
            if (marks_[Possible::at(~literal)] == stamp_) return false;
            std::uint32_t& mark = marks_[Possible::at(literal)];
            if (mark == stamp_) continue;
            mark = stamp_;
            if (literal >= 0 && (literal == newcomer || member_[at(literal)])) true_.push_back(literal);
        }
        return true;
    }

    bool consistent() {
        for (const Entry& entry : entries_) {
            control_.tick();
            for (std::uint32_t i = entry.before; i != 0; i = entries_[i - 1].before) {
                const Event &one = events_[entry.event], &other = events_[entries_[i - 1].event];
                if (one.fact != other.fact && together(one, other, -1)) return false;
            }
        }
        return true;
    }

    // Adds the newcomer and all that its adders (and the further events) need; false leaves the trail in
    // disorder.
    bool closed(AtomId newcomer, const Vector<EventId>& events, int trials) {
        Vector<EventId> pending = events, undecided;
        if (!member_[at(newcomer)]) {
            if (!fits(newcomer)) return false;
            add(newcomer, pending);
        }
        Vector<AtomId> candidates;
        Vector<int> open_patterns;  // one event of each is looked at; the others wait for its choice
        for (std::size_t i = 0; i < pending.size(); ++i) {
            const EventId event = pending[i];
            spend();
            if (balanced(events_[event])) continue;
            const int like = events_[event].balancer_count > 1 ? pattern(event) : NO_PATTERN;
            if (std::find(open_patterns.begin(), open_patterns.end(), like) != open_patterns.end()) {
                undecided.push_back(event);
                continue;
            }
            const int chosen_before = made_choice(like);
            AtomId chosen = wanted(events_[event], chosen_before);
            if (chosen < 0) {
                candidates.clear();
                for (const AtomId balancer : events_.balancers(events_[event])) {
                    if (fits(balancer)) candidates.push_back(balancer);
                }
                if (candidates.empty()) return false;
                if (candidates.size() > 1) {
                    undecided.push_back(event);
                    if (chosen_before == NO_PATTERN) open_patterns.push_back(like);
                    continue;
                }
                chosen = candidates[0];
                if (like != NO_PATTERN && chosen_before == NO_PATTERN) {
                    choices_.emplace_back(like, choice(events_[event], chosen));  // what was forced once is tried first
                }
            }
            add(chosen, pending);
        }
        std::erase_if(undecided, [&](EventId event) { return balanced(events_[event]); });
        if (undecided.empty()) return consistent();
        return trials < MOST_TRIALS && try_each(undecided, trials);
    }

    bool try_each(const Vector<EventId>& undecided, int trials) {
        const EventId event = undecided[0];
        const Vector<EventId> others(undecided.begin() + 1, undecided.end());
        const Mark mark = here();
        const auto balancers = events_.balancers(events_[event]);
        Vector<AtomId> candidates(balancers.begin(), balancers.end());  // what asks for least first
        std::stable_sort(candidates.begin(), candidates.end(), [&](AtomId one, AtomId other) {
            return events_.adding(one).size() < events_.adding(other).size();
        });
        for (const AtomId candidate : candidates) {
            choices_.emplace_back(pattern(event), choice(events_[event], candidate));
            if (closed(candidate, others, trials + 1)) return true;
            take_back(mark);
        }
        return false;
    }

    bool balanced(const Event& event) const {
        if (events_.requires_(event, event.fact)) return true;
        const auto balancers = events_.balancers(event);
        return std::any_of(balancers.begin(), balancers.end(), [&](AtomId fact) { return member_[at(fact)]; });
    }

    // What was chosen for events of a pattern, or NO_PATTERN.
    int made_choice(int pattern) const {
        if (pattern == NO_PATTERN) return NO_PATTERN;
        const auto made = std::find_if(choices_.rbegin(), choices_.rend(),
                                       [&](const std::pair<int, int>& choice) { return choice.first == pattern; });
        return made == choices_.rend() ? NO_PATTERN : made->second;
    }

    // The balancer that was chosen for events like this one, if it fits; otherwise -1.
    AtomId wanted(const Event& event, int chosen) {
        if (chosen == NO_PATTERN) return -1;
        for (const AtomId balancer : events_.balancers(event)) {
            if (choice(event, balancer) == chosen && fits(balancer)) return balancer;
        }
        return -1;
    }

    // Adds facts where an operator would leave the group without a true one.
    void extend() {
        Vector<AtomId> tried, open;
        bool progress = true;
        while (progress) {
            progress = false;
            const Vector<AtomId> before = members_;
            for (const AtomId fact : before) {
                for (const std::uint32_t deletion : events_.deleting(fact)) {
                    control_.tick();
                    open.clear();
                    const bool replaced = events_.partners(deletion, [&](AtomId partner) {
                        open.push_back(partner);
                        return member_[at(partner)] != 0;
                    });
                    if (replaced) continue;
                    for (const AtomId partner : open) {
                        if (tried_[at(partner)]) continue;
                        tried_[at(partner)] = 1;
                        tried.push_back(partner);
                        const Mark mark = here();
                        if (closed(partner, {}, 0)) {
                            progress = true;
                            break;
                        }
                        take_back(mark);
                    }
                }
            }
        }
        for (const AtomId fact : tried) tried_[at(fact)] = 0;
    }

    bool exact() const {
        if (!task_.starts.are_all(covered_)) return false;
        for (const AtomId fact : members_) {
            for (const std::uint32_t deletion : events_.deleting(fact)) {
                if (!events_.partners(deletion, [&](AtomId partner) { return member_[at(partner)] != 0; }))
                    return false;
            }
        }
        return true;
    }

    const GroundTask& task_;
    Reachability& names_;
    Control& control_;
    Events events_;
    Vector<std::uint8_t> unbalanced_, member_, tried_, grouped_;
    Vector<std::uint32_t> last_;  // operator → its newest entry + 1
    Vector<std::uint32_t> marks_;
    std::uint32_t stamp_ = 0;
    Vector<int> patterns_;
    std::map<std::vector<Int>, int> numbers_;
    std::vector<Int> key_;
    std::int64_t budget_;
    Vector<AtomId> members_, true_;
    Vector<Entry> entries_;
    Vector<std::pair<int, int>> choices_;  // pattern, choice
    BitSet covered_;                       // starts in which a member is true; never two members
    std::set<Vector<AtomId>> found_;
    std::vector<MutexGroup> groups_;
};

}  // namespace

std::vector<MutexGroup> find_groups(const GroundTask& task, Reachability& names, Control& control) {
    return Search(task, names, control).run();
}

}  // namespace unpuzzle::ground
