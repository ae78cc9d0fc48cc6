// Parts of the decision tree as sets of operators; see successors.hpp.
//
// A walk through the tree is short where a question rules out nearly all operators, as where the player is.
// Where questions rule out little (peg solitaire: any peg may jump), it asks many, and no processor can
// predict the answers. There, all operators of a part of the tree are looked at together: for each chunk of
// some bits of the state and each value of it, a set has those operators that do not want another value.
//
// Whether that is faster is estimated for every node: what follows from it (its children and the rest of its
// chain) costs so many questions on average, or so many chunks. A part keeps the order in which the tree
// would have found its operators, so nothing but time depends on the choice.
#pragma once

#include <functional>

#include "state/successors.hpp"

namespace unpuzzle {

class SuccessorGenerator::Sets {
  public:
    Sets(SuccessorGenerator& out, const Task& task, const Layout& layout, Control& control);
    void replace();

  private:
    // What follows from a node, in the tree.
    struct Part {
        std::uint64_t operators = 0, cost = 0;  // at most; on average, in eighths of a nanosecond or so
        bool as_sets = false;
    };

    void measure(std::uint32_t index);
    void add(std::uint32_t index, Ref ref, std::uint64_t* cost);
    void add_test(std::uint32_t index, std::uint32_t word, Word mask) { asked_[index * words_ + word] |= mask; }
    std::uint64_t cost_as_sets(std::uint32_t index) const;
    Vector<std::uint32_t> chosen() const;
    void each_child(const Node& node, const std::function<void(Ref)>& see) const;
    Vector<OperatorId> operators_of(std::uint32_t index) const;
    Vector<Chunk> chunks_of(std::uint32_t index, std::uint32_t bits) const;
    std::size_t sets_of(std::uint32_t index, std::uint32_t bits) const;
    std::size_t chunks_in(std::uint32_t index) const;  // of the widest
    void write(std::uint32_t index, std::uint32_t bits);
    void write(Chunk chunk, const Vector<Vector<Test>>& tests);

    SuccessorGenerator& out_;
    const Task& task_;
    const Layout& layout_;
    Control& control_;
    std::size_t words_;
    Vector<Part> parts_;  // by node
    Vector<Word> asked_;  // by node and word
};

}  // namespace unpuzzle
