// Walking the tree of successors.hpp: which operators are applicable in a state.
#include "state/successors.hpp"

namespace unpuzzle {

OperatorId* SuccessorGenerator::filter(const Node& node, const Word* state, OperatorId* end) const {
    const Candidate* candidates = &candidates_[node.first];
    for (std::uint32_t begin = 0; begin < node.count; begin += 64) {
        const std::uint32_t size = std::min<std::uint32_t>(node.count - begin, 64);
        std::uint64_t hits = 0;
        for (std::uint32_t i = 0; i < size; ++i) {
            const Candidate& it = candidates[begin + i];
            hits |= std::uint64_t{(state[it.word] & it.mask) == it.value} << i;
        }
        for (; hits != 0; hits &= hits - 1) {
            const Candidate& it = candidates[begin + static_cast<std::uint32_t>(std::countr_zero(hits))];
            if (all_hold({tests_.data() + it.more, it.more_count}, state)) *end++ = it.op;
        }
    }
    return end;
}

OperatorId* SuccessorGenerator::in_all_sets(const Node& node, const Word* state, OperatorId* end) const {
    switch ((node.count + SET - 1) / SET) {
        case 1:
            return in_all_sets<1>(node, state, end);
        case 2:
            return in_all_sets<2>(node, state, end);
        case 3:
            return in_all_sets<3>(node, state, end);
        default:
            return in_all_sets<MOST_SETS>(node, state, end);
    }
}

template <std::uint32_t SIZE>
OperatorId* SuccessorGenerator::in_all_sets(const Node& node, const Word* state, OperatorId* end) const {
    std::uint64_t hits[SIZE];
    std::fill_n(hits, SIZE, ~std::uint64_t{0});
    const Chunk* chunk = &chunks_[node.keys];
    for (const Chunk* const last = chunk + node.shift; chunk != last; ++chunk) {
        const auto value = static_cast<std::uint32_t>(state[chunk->word] >> chunk->shift) & chunk->mask;
        const std::uint64_t* set = &sets_[chunk->first + value * SIZE];
#pragma GCC unroll 4
        for (std::uint32_t i = 0; i < SIZE; ++i) hits[i] &= set[i];
    }
    const std::uint32_t* operators = &refs_[node.first];
    for (std::uint32_t i = 0; i < SIZE; ++i) {
        for (std::uint64_t left = hits[i]; left != 0; left &= left - 1)
            *end++ = operators[i * SET + static_cast<std::uint32_t>(std::countr_zero(left))];
    }
    return end;
}

void SuccessorGenerator::find(const Word* state, ApplicableOperators& found) const {
    found.count_ = 0;
    if (found.stack_.size() <= depth_) found.stack_.resize(depth_ + 1);
    std::uint32_t* const stack = found.stack_.data();
    Ref at = root_;
    std::size_t waiting = 0;
    while (true) {
        Ref child = NONE, next = NONE;
        if (at & SINGLE) {
            found.add(at & ~SINGLE);
        } else if (at != NONE) {
            const Node& node = nodes_[at];
            next = node.next;
            if (node.kind == Kind::table) {
                const std::uint32_t value = static_cast<std::uint32_t>(state[node.word] >> node.shift) & node.mask;
                if (value < node.count) child = refs_[node.first + value];
            } else if (node.kind == Kind::sets) {
                found.end_at(in_all_sets(node, state, found.room(node.count)));
            } else if (node.kind == Kind::filter) {
                found.end_at(filter(node, state, found.room(node.count)));
            } else if (node.kind == Kind::guard) {
                if (all_hold({tests_.data() + node.first, node.count}, state)) child = node.mask;
            } else if (node.kind == Kind::apply) {
                found.end_at(std::copy_n(refs_.data() + node.first, node.count, found.room(node.count)));
            } else {
                const std::uint32_t value = static_cast<std::uint32_t>(state[node.word] >> node.shift) & node.mask;
                const auto begin = keys_.begin() + node.keys, end = begin + node.count;
                const auto key = std::lower_bound(begin, end, value);
                if (key != end && *key == value) child = refs_[node.first + static_cast<std::uint32_t>(key - begin)];
            }
        }
        if (child == NONE) {
            at = next;
        } else if (child & SINGLE) {
            found.add(child & ~SINGLE);
            at = next;
        } else {
            if (next != NONE) stack[waiting++] = next;
            at = child;
        }
        if (at == NONE) {
            if (waiting == 0) return;
            at = stack[--waiting];
        }
    }
}

}  // namespace unpuzzle
