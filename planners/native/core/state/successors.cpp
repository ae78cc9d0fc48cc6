#include "state/successors.hpp"

#include <queue>

#include "task/fact_numbers.hpp"

namespace unpuzzle {

// The numbers of facts of one variable are neighbours. Every operator has a list of the facts not yet asked on its
// branch; an operator is on one branch at a time, so these lists are shrunk in place.
class SuccessorGenerator::Builder {
  public:
    Builder(SuccessorGenerator& out, const Task& task, const Layout& layout, Control& control)
        : out_(out), task_(task), layout_(layout), control_(control), numbers_(task) {}

    void build() {
        control_.begin_phase();
        list_facts();
        Vector<OperatorId> all;
        for (OperatorId op = 0; op < task_.operators.size(); ++op) {
            if (task_.operators[op].possible) all.push_back(op);
        }
        jobs_.push_back({std::move(all), {Hole::root, 0}, 0, {}});
        while (!jobs_.empty()) {
            level(take_last(jobs_));
        }
    }

  private:
    struct Hole {  // where the reference to what is built next must be written
        enum { root, next, child, ref } kind;
        std::uint32_t index;
    };
    struct Job {
        Vector<OperatorId> operators;
        Hole hole;
        std::size_t depth;
        Vector<FactId> facts;  // of the guard whose child this is
    };

    void list_facts() {
        wanted_by_.resize(numbers_.count(), 0);
        begin_.resize(numbers_.count(), 0);
        taken_.resize(task_.operators.size(), 0);
        for (const Operator& op : task_.operators) {
            control_.tick();
            open_.push_back({open_facts_.size(), 0});
            for (const Fact& fact : task_.facts(op.precondition)) {
                if (layout_[fact.variable].mask == 0) continue;  // its only value
                open_facts_.push_back(numbers_[fact]);
            }
            open_.back().end = open_facts_.size();
        }
    }

    std::span<const FactId> open(OperatorId op) const {
        return {open_facts_.data() + open_[op].begin, open_[op].end - open_[op].begin};
    }
    void asked(OperatorId op, FactId fact) {
        FactId* facts = open_facts_.data();
        Range& range = open_[op];
        std::swap(facts[range.begin], *std::find(facts + range.begin, facts + range.end, fact));
        ++range.begin;
    }

    void level(const Job& job) {
        hole_ = job.hole;
        const Vector<FactId> common = shared(job.operators);
        if (job.hole.kind == Hole::child) {
            finish_guard(job.hole.index, job.facts, common);
        } else if (!common.empty()) {
            return guard(common, job.operators, job.depth);
        }
        Vector<OperatorId> done, rest;
        for (const OperatorId op : job.operators) (open(op).empty() ? done : rest).push_back(op);
        if (done.size() == 1 && rest.empty()) return fill(SINGLE | done.front());
        if (!done.empty()) apply(done);
        if (!rest.empty()) questions(rest, job.depth);
    }

    // The facts that all of `operators` want, now asked.
    Vector<FactId> shared(const Vector<OperatorId>& operators) {
        if (operators.empty()) return {};
        const auto first = open(operators.front());
        const Vector<FactId> wanted(first.begin(), first.end());
        std::size_t alive = wanted.size(), seen = 0;
        for (const OperatorId op : operators) {  // wanted_by_ counts those operators of which all before wanted it
            if (alive == 0) break;
            alive = 0;
            for (const FactId fact : open(op)) {
                if (wanted_by_[fact] != seen) continue;
                ++wanted_by_[fact];
                ++alive;
            }
            ++seen;
        }
        Vector<FactId> common;
        for (const FactId fact : wanted) {
            if (alive > 0 && wanted_by_[fact] == operators.size()) common.push_back(fact);
            wanted_by_[fact] = 0;
        }
        for (const OperatorId op : operators) {
            for (const FactId fact : common) asked(op, fact);
        }
        return common;
    }

    // A chain of nodes that asks all of `operators` their next question.
    void questions(const Vector<OperatorId>& operators, std::size_t depth) {
        count(operators);
        ++level_;
        std::priority_queue<std::pair<std::uint64_t, std::size_t>> best;  // gain, place in touched_ (inverted)
        for (std::size_t i = 0; i < touched_.size(); i = end_of_variable(i)) best.push({worth(groups(i)), ~i});
        std::size_t left = operators.size();
        while (left > 0) {
            const auto [promised, inverted] = best.top();
            best.pop();
            const Vector<FactId> facts = groups(~inverted);
            const std::uint64_t now = worth(facts);
            if (now < promised) {
                if (now > 0) best.push({now, inverted});
                continue;
            }
            if (left <= FEW || total(facts) <= FEW) {
                filter(operators);
                break;
            }
            ask(facts, left, depth);
            best.push({worth(groups(~inverted)), inverted});
        }
        for (const FactId fact : touched_) wanted_by_[fact] = 0;
    }
    std::size_t end_of_variable(std::size_t i) const {
        const std::uint32_t variable = numbers_.fact(touched_[i]).variable;
        while (i < touched_.size() && numbers_.fact(touched_[i]).variable == variable) ++i;
        return i;
    }
    // The facts of the variable whose first fact is there that are worth to be in one switch.
    Vector<FactId> groups(std::size_t begin) const {
        const auto first = touched_.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last = touched_.begin() + static_cast<std::ptrdiff_t>(end_of_variable(begin));
        std::uint32_t most = 1;
        for (auto it = first; it != last; ++it) most = std::max(most, wanted_by_[*it]);
        Vector<FactId> facts;
        std::copy_if(first, last, std::back_inserter(facts),
                     [&](FactId fact) { return wanted_by_[fact] > 0 && wanted_by_[fact] >= most / SMALL_PART; });
        return facts;
    }
    std::uint32_t total(const Vector<FactId>& facts) const {
        std::uint32_t sum = 0;
        for (const FactId fact : facts) sum += wanted_by_[fact];
        return sum;
    }
    // The operators that a switch on these facts rules out, if each value is as likely as any other; times 1024.
    std::uint64_t worth(const Vector<FactId>& facts) const {
        if (facts.empty()) return 0;
        const std::uint64_t domain = task_.variables[numbers_.fact(facts.front()).variable].domain;
        const std::uint64_t scaled = std::uint64_t{total(facts)} << 10;
        return scaled - scaled / domain;
    }

    // All operators that no node of this chain has asked yet.
    void filter(const Vector<OperatorId>& operators) {
        Node node{Kind::filter};
        node.first = static_cast<std::uint32_t>(out_.candidates_.size());
        for (const OperatorId op : operators) {
            if (taken_[op] != level_) candidate(op);
        }
        node.count = static_cast<std::uint32_t>(out_.candidates_.size()) - node.first;
        append(node);
    }
    void candidate(OperatorId op) {
        Vector<Fact> facts;
        for (const FactId fact : open(op)) facts.push_back(numbers_.fact(fact));
        Vector<Test> tests;
        layout_.tests(facts, tests);
        const Test& first = tests.front();
        const auto more = static_cast<std::uint32_t>(out_.tests_.size());
        out_.tests_.insert(out_.tests_.end(), tests.begin() + 1, tests.end());
        out_.candidates_.push_back(
            {first.mask, first.value, first.word, op, more, static_cast<std::uint32_t>(tests.size() - 1)});
    }

    // For each fact the operators that want it: lists one after the other in members_.
    void count(const Vector<OperatorId>& operators) {
        touched_.clear();
        std::size_t total = 0;
        for (const OperatorId op : operators) {
            control_.tick();
            for (const FactId fact : open(op)) {
                if (wanted_by_[fact]++ == 0) touched_.push_back(fact);
                ++total;
            }
        }
        std::ranges::sort(touched_);
        members_.resize(total);
        std::size_t at = 0;
        for (const FactId fact : touched_) {
            begin_[fact] = at;
            at += wanted_by_[fact];
        }
        for (const OperatorId op : operators) {
            for (const FactId fact : open(op)) members_[begin_[fact]++] = op;
        }
        for (const FactId fact : touched_) begin_[fact] -= wanted_by_[fact];
        end_.assign(touched_.size(), 0);
        for (std::size_t i = 0; i < touched_.size(); ++i) end_[i] = begin_[touched_[i]] + wanted_by_[touched_[i]];
    }

    void ask(const Vector<FactId>& facts, std::size_t& left, std::size_t depth) {
        Vector<Vector<OperatorId>> members;
        for (const FactId fact : facts) {
            members.push_back(take(fact));
            left -= members.back().size();
        }
        facts.size() == 1 ? guard(facts, members.front(), depth) : table_or_search(facts, members, depth);
    }

    Vector<OperatorId> take(FactId fact) {
        const auto index = static_cast<std::size_t>(std::ranges::lower_bound(touched_, fact) - touched_.begin());
        Vector<OperatorId> members;
        for (std::size_t i = begin_[fact]; i < end_[index]; ++i) {
            const OperatorId op = members_[i];
            if (taken_[op] == level_) continue;
            taken_[op] = level_;
            for (const FactId other : open(op)) --wanted_by_[other];
            asked(op, fact);
            members.push_back(op);
        }
        return members;
    }

    // Its tests are written when its operators come up: they may share more facts than these.
    void guard(const Vector<FactId>& facts, const Vector<OperatorId>& operators, std::size_t depth) {
        const std::uint32_t index = append(Node{Kind::guard});
        later(operators, {Hole::child, index}, depth, facts);
    }
    void finish_guard(std::uint32_t index, const Vector<FactId>& facts, const Vector<FactId>& more) {
        Vector<Fact> list;
        for (const FactId fact : facts) list.push_back(numbers_.fact(fact));
        for (const FactId fact : more) list.push_back(numbers_.fact(fact));
        Node& node = out_.nodes_[index];
        node.first = static_cast<std::uint32_t>(out_.tests_.size());
        layout_.tests(list, out_.tests_);
        node.count = static_cast<std::uint32_t>(out_.tests_.size()) - node.first;
    }

    void table_or_search(const Vector<FactId>& facts, const Vector<Vector<OperatorId>>& members, std::size_t depth) {
        const Place& place = layout_[numbers_.fact(facts.front()).variable];
        const std::uint32_t size = numbers_.fact(facts.back()).value + 1;
        const bool table = size <= 4 * facts.size() + 16;
        Node node{table ? Kind::table : Kind::search};
        node.word = place.word;
        node.shift = place.shift;
        node.mask = static_cast<std::uint32_t>(place.mask);
        node.first = static_cast<std::uint32_t>(out_.refs_.size());
        node.count = table ? size : static_cast<std::uint32_t>(facts.size());
        node.keys = static_cast<std::uint32_t>(out_.keys_.size());
        out_.refs_.resize(out_.refs_.size() + node.count, NONE);
        append(node);
        for (std::uint32_t i = 0; i < facts.size(); ++i) {
            const std::uint32_t value = numbers_.fact(facts[i]).value;
            if (!table) out_.keys_.push_back(value);
            later(members[i], {Hole::ref, node.first + (table ? value : i)}, depth);
        }
    }

    void apply(const Vector<OperatorId>& operators) {
        Node node{Kind::apply};
        node.first = static_cast<std::uint32_t>(out_.refs_.size());
        node.count = static_cast<std::uint32_t>(operators.size());
        out_.refs_.insert(out_.refs_.end(), operators.begin(), operators.end());
        append(node);
    }

    void later(Vector<OperatorId> operators, Hole hole, std::size_t depth, Vector<FactId> facts = {}) {
        out_.depth_ = std::max(out_.depth_, depth + 1);
        jobs_.push_back({std::move(operators), hole, depth + 1, std::move(facts)});
    }
    // The node goes to the end of the chain that is being built.
    std::uint32_t append(const Node& node) {
        const auto index = static_cast<std::uint32_t>(out_.nodes_.size());
        out_.nodes_.push_back(node);
        fill(index);
        hole_ = {Hole::next, index};
        return index;
    }
    void fill(Ref ref) {
        if (hole_.kind == Hole::root) out_.root_ = ref;
        if (hole_.kind == Hole::next) out_.nodes_[hole_.index].next = ref;
        if (hole_.kind == Hole::child) out_.nodes_[hole_.index].mask = ref;
        if (hole_.kind == Hole::ref) out_.refs_[hole_.index] = ref;
    }

    static constexpr std::uint32_t SMALL_PART = 4, FEW = 4;

    SuccessorGenerator& out_;
    const Task& task_;
    const Layout& layout_;
    Control& control_;
    FactNumbers numbers_;
    Vector<Range> open_;  // by operator, in open_facts_
    Vector<FactId> open_facts_;
    Vector<std::uint32_t> wanted_by_;  // by fact; all 0 between levels
    Vector<std::size_t> begin_;        // by fact, in members_
    Vector<FactId> touched_;           // facts of this level, ascending
    Vector<std::size_t> end_;          // by place in touched_
    Vector<OperatorId> members_;
    std::size_t level_ = 0;
    Vector<std::size_t> taken_;  // by operator, the last level in which it was asked
    Vector<Job> jobs_;
    Hole hole_{Hole::root, 0};
};

SuccessorGenerator::SuccessorGenerator(const Task& task, const Layout& layout, Control& control) {
    Builder(*this, task, layout, control).build();
    use_sets(task, layout, control);
}

}  // namespace unpuzzle
