// Who walks in a task: a variable that some operators change and change nothing else, each such change taken back by
// another such operator wherever it can be made. Sokoban's player is one, Pacman, a crane.
//
//     walk     pre: player=a, clear(b)                 nothing but the walker, unconditionally; and its inverse can be
//              eff: player:=b                          applied wherever it leads: clear(a) follows from player=a
//
//     walk     pre: player=a, clear(b)                 with *shadows*: variables of two values that only say whether
//              eff: player:=b, clear(a), not clear(b)  the walker, or something else that is there, is away
//
//     walk     pre: at=a                               an operator that does more may be a walk where that is done
//              eff: at:=b, not food(b)                 already: where there is no food, Pacman only walks
//
// All of that is proved, never guessed. That a fact follows from where the walker is, is told by mutex groups, or by an
// induction over all operators (implications.hpp). A shadow is one fact of a group of which always exactly one holds
// (shadows.hpp), so what it says is known from the rest. What cannot be proved is no walk; nor is a walk that could
// only be taken back by what is no walk.
//
// Of several things that walk, the one with the most walks counts, then the first. Tasks with axioms have no walker.
#pragma once

#include <optional>

#include "base/rows.hpp"
#include "task/features.hpp"

namespace unpuzzle {

struct Walk {
    OperatorId op;
    std::uint32_t from, to;  // values of the walker's variable: places
    Vector<Fact> wants;      // what must hold besides, so that it can be applied and is a walk
    bool always = true;      // it never does more
};

// A variable that a place of the walker decides: it has the other one of its two values while the walker is there.
struct Shadow {
    std::uint32_t variable, away;  // the value if neither the walker nor anything else is there
    bool full = true;              // its group never becomes empty; else it is handed over
};

struct Walker {
    std::uint32_t variable;
    Vector<Walk> walks;    // ascending by operator
    Rows<Shadow> shadows;  // by place
};

// Which operators may be walks.
struct WalkerRequest {
    std::optional<std::vector<OperatorId>> among;  // none: all
};

std::optional<Walker> find_walker(const Task& task, const TaskFeatures& features, const WalkerRequest& request,
                                  Control& control);

}  // namespace unpuzzle
