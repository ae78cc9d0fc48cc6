// Parts of the decision tree as sets of operators; see successors.hpp.
//
// A walk through the tree is short if a question rules out nearly all operators, such as the player's place. If
// questions rule out little (peg solitaire: any peg may jump), there are many, and no processor can predict the
// answers. Then all operators of a part of the tree are tested together: for each chunk of some bits of the state and
// each value of it, a set has the operators that do not require another value.
//
// Every node estimates whether that is faster: its children and the rest of its chain cost a number of questions on
// average, or a number of chunks. A part keeps the order in which the tree would have found its operators, so only time
// depends on the choice.
#include <algorithm>
#include <functional>

#include "state/successors.hpp"

namespace unpuzzle {

namespace {

constexpr std::size_t MOST_NODES = std::size_t{1} << 16, MOST_WORDS_ASKED = 16;
constexpr std::size_t CACHED = 8192, MOST_SETS_IN_ALL = 65536;  // words of 64 operators
constexpr std::uint32_t WIDEST = 8, NARROWEST = 4;

// What things cost, in some unit; measured on 8-puzzle, peg solitaire, sokoban and termes.
constexpr std::uint64_t SWITCH = 32, GUARD = 24, SEARCH = 64, FILTER = 24, CANDIDATE = 10, APPLY = 8, SETS = 24,
                        CHUNK = 8, MORE_SETS = 4;

}  // namespace

class SuccessorGenerator::Sets {
  public:
    Sets(SuccessorGenerator& out, const Task& task, const Layout& layout, Control& control)
        : out_(out), task_(task), layout_(layout), control_(control), words_(layout.words() + layout.derived_words()) {}

    void replace() {
        const std::size_t nodes = out_.nodes_.size();
        if (nodes > MOST_NODES || words_ > MOST_WORDS_ASKED) return;
        parts_.resize(nodes);
        asked_.resize(nodes * words_, 0);
        for (std::size_t i = nodes; i-- > 0;) {  // whatever follows from a node has a greater number
            control_.tick();
            measure(static_cast<std::uint32_t>(i));
        }
        const Vector<std::uint32_t> all = chosen();
        const auto size = [&](std::uint32_t bits) {
            std::size_t size = 0;
            for (const std::uint32_t index : all) size += sets_of(index, bits);
            return size;
        };
        std::uint32_t bits = WIDEST;
        while (bits > NARROWEST && size(bits) > CACHED) --bits;
        if (size(bits) > MOST_SETS_IN_ALL) return;
        for (const std::uint32_t index : all) write(index, bits);
    }

  private:
    // The part of the tree below a node.
    struct Part {
        std::uint64_t operators = 0, cost = 0;  // at most; on average, in eighths of a nanosecond or so
        bool as_sets = false;
    };

    static std::size_t words_for(std::size_t operators) { return (operators + SET - 1) / SET; }
    void add_test(std::uint32_t index, std::uint32_t word, Word mask) { asked_[index * words_ + word] |= mask; }

    void measure(std::uint32_t index) {
        const Node& node = out_.nodes_[index];
        Part& part = parts_[index];
        std::uint64_t children = 0;
        each_child(node, [&](Ref child) { add(index, child, &children); });
        switch (node.kind) {
            case Kind::table:
            case Kind::search:
                part.cost += (node.kind == Kind::table ? SWITCH : SEARCH) + children / node.count;
                add_test(index, node.word, Word{node.mask} << node.shift);
                break;
            case Kind::guard:
                part.cost += GUARD + children / 2;
                for (std::uint32_t i = node.first; i < node.first + node.count; ++i)
                    add_test(index, out_.tests_[i].word, out_.tests_[i].mask);
                break;
            case Kind::filter:
                part.cost += FILTER + CANDIDATE * node.count;
                part.operators += node.count;
                for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
                    const Candidate& it = out_.candidates_[i];
                    add_test(index, it.word, it.mask);
                    for (std::uint32_t more = it.more; more < it.more + it.more_count; ++more)
                        add_test(index, out_.tests_[more].word, out_.tests_[more].mask);
                }
                break;
            default:
                part.cost += APPLY * node.count;
                part.operators += node.count;
        }
        if (node.next != NONE) add(index, node.next, &part.cost);
        if (part.operators > SET * MOST_SETS) return;
        const std::uint64_t cost = cost_as_sets(index);
        part.as_sets = cost < part.cost;
        part.cost = std::min(part.cost, cost);
    }

    void each_child(const Node& node, const std::function<void(Ref)>& see) const {
        if (node.kind == Kind::guard && node.mask != NONE) see(node.mask);
        if (node.kind != Kind::table && node.kind != Kind::search) return;
        for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
            if (out_.refs_[i] != NONE) see(out_.refs_[i]);
        }
    }

    // What follows from a node contains this; `cost` gets its cost.
    void add(std::uint32_t index, Ref ref, std::uint64_t* cost) {
        Part& part = parts_[index];
        if (ref & SINGLE) {
            ++part.operators;
            *cost += APPLY;
            return;
        }
        part.operators += parts_[ref].operators;
        *cost += parts_[ref].cost;
        for (std::size_t word = 0; word < words_; ++word) asked_[index * words_ + word] |= asked_[ref * words_ + word];
    }

    std::uint64_t cost_as_sets(std::uint32_t index) const {
        const std::uint64_t more = (parts_[index].operators - 1) / SET;
        std::uint64_t chunks = 0;
        each_chunk(index, WIDEST, [&](const Chunk&) { ++chunks; });
        return chunks == 0 ? UINT64_MAX : SETS + chunks * (CHUNK + more * MORE_SETS);
    }

    // The nodes that become sets: of those that could, the ones that come first.
    Vector<std::uint32_t> chosen() const {
        Vector<std::uint32_t> chosen;
        std::vector<bool> alive(parts_.size(), false);
        const auto enter = [&](Ref ref) {
            if (ref != NONE && !(ref & SINGLE)) alive[ref] = true;
        };
        enter(out_.root_);
        for (std::uint32_t index = 0; index < parts_.size(); ++index) {
            if (!alive[index]) continue;
            if (parts_[index].as_sets) {
                chosen.push_back(index);
                continue;
            }
            each_child(out_.nodes_[index], enter);
            enter(out_.nodes_[index].next);
        }
        return chosen;
    }

    // In the order in which the tree finds them.
    Vector<OperatorId> operators_of(std::uint32_t index) const {
        Vector<OperatorId> operators;
        Vector<Ref> waiting{index};
        while (!waiting.empty()) {
            const Ref ref = take_last(waiting);
            if (ref & SINGLE) {
                operators.push_back(ref & ~SINGLE);
                continue;
            }
            const Node& node = out_.nodes_[ref];
            if (node.next != NONE) waiting.push_back(node.next);
            each_child(node, [&](Ref child) { waiting.push_back(child); });
            for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
                if (node.kind == Kind::apply) operators.push_back(out_.refs_[i]);
                if (node.kind == Kind::filter) operators.push_back(out_.candidates_[i].op);
            }
        }
        return operators;
    }

    // Calls `see(chunk)` for the chunks of so many bits that hold all bits which are asked.
    template <class See>
    void each_chunk(std::uint32_t index, std::uint32_t bits, See&& see) const {
        for (std::uint32_t word = 0; word < words_; ++word) {
            for (Word left = asked_[index * words_ + word]; left != 0;) {
                const auto shift = static_cast<std::uint32_t>(std::countr_zero(left));
                const Word window = left >> shift & ((Word{1} << bits) - 1);
                see(Chunk{word, shift, static_cast<std::uint32_t>((Word{1} << std::bit_width(window)) - 1), 0});
                left &= ~(window << shift);
            }
        }
    }

    std::size_t sets_of(std::uint32_t index, std::uint32_t bits) const {
        std::size_t values = 0;
        each_chunk(index, bits, [&](const Chunk& chunk) { values += chunk.mask + 1; });
        return values * words_for(parts_[index].operators);
    }

    void write(std::uint32_t index, std::uint32_t bits) {
        const Vector<OperatorId> operators = operators_of(index);
        Node node{Kind::sets};
        node.first = static_cast<std::uint32_t>(out_.refs_.size());
        node.count = static_cast<std::uint32_t>(operators.size());
        node.keys = static_cast<std::uint32_t>(out_.chunks_.size());
        out_.refs_.insert(out_.refs_.end(), operators.begin(), operators.end());
        Vector<Vector<Test>> tests(operators.size());
        for (std::size_t i = 0; i < operators.size(); ++i)
            layout_.tests(task_.facts(task_.operators[operators[i]].precondition), tests[i]);
        each_chunk(index, bits, [&](const Chunk& chunk) {
            control_.tick();
            write(chunk, tests);
            ++node.shift;
        });
        out_.nodes_[index] = node;
    }

    // The sets of one chunk's values; each operator has its tests.
    void write(Chunk chunk, const Vector<Vector<Test>>& tests) {
        const std::size_t size = words_for(tests.size()), values = std::size_t{chunk.mask} + 1;
        chunk.first = static_cast<std::uint32_t>(out_.sets_.size());
        out_.chunks_.push_back(chunk);
        Vector<std::uint64_t> whatever(size, 0);  // operators that do not ask
        out_.sets_.resize(out_.sets_.size() + values * size, 0);
        std::uint64_t* sets = out_.sets_.data() + chunk.first;
        for (std::size_t i = 0; i < tests.size(); ++i) {
            const auto bit = std::uint64_t{1} << i % SET;
            const auto test = std::ranges::find_if(tests[i], [&](const Test& test) { return test.word == chunk.word; });
            const Word mask = test == tests[i].end() ? 0 : test->mask >> chunk.shift & chunk.mask;
            if (mask == 0) {
                whatever[i / SET] |= bit;
                continue;
            }
            const Word value = test->value >> chunk.shift & chunk.mask, others = chunk.mask & ~mask;
            for (Word rest = others;; rest = (rest - 1) & others) {  // all values of the other bits
                sets[(rest | value) * size + i / SET] |= bit;
                if (rest == 0) break;
            }
        }
        for (std::size_t i = 0; i < values * size; ++i) sets[i] |= whatever[i % size];
    }

    SuccessorGenerator& out_;
    const Task& task_;
    const Layout& layout_;
    Control& control_;
    std::size_t words_;
    Vector<Part> parts_;  // by node
    Vector<Word> asked_;  // by node and word
};

void SuccessorGenerator::use_sets(const Task& task, const Layout& layout, Control& control) {
    Sets(*this, task, layout, control).replace();
}

}  // namespace unpuzzle
