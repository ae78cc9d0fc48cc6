// The walker of a task: a variable that some operators change without changing anything else, so that another such
// operator can always take the change back. Sokoban's player is one, Pacman, a crane.
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
// Axioms. In all states that can be reached:
//
//     derived    no variable is derived                                                         find_walker
//     moves      a walk names the place where the walker is, and takes it to another one, whatever
//                else is true; no effect of it has a condition                                  movers
//     alone      where its `wants` hold it changes nothing else but shadows of the two places; what
//                else it writes is so already                                                   Finder::consider
//     shadows    while the walker is at a place, the place's shadows are not `away`; once a walk
//                has left it, they are; walks lead only to where they were                      Finder::find_shadows
//     back       where a walk can be made, another one leads back from its end                  Finder::drop_some
//
// Each is proved, never guessed, by the function at its right. Mutex groups, or an induction over all operators
// (implications.hpp), prove that a fact follows from the walker's place. A shadow is one fact of a group of which
// always exactly one is true, or which the walker hands over (shadows.hpp), so its value follows from the rest. An
// action without such a proof is not a walk, nor is one that only other actions could take back. The mutex groups of
// the task are assumed to be true: grounding proves them.
//
// Why plans, costs and "unsolvable" are then those of plain search. By `alone` and `shadows`, the state without the
// walker and its shadows, as `FoldedTask::lift` makes it, is the same before and after a walk; with a place it gives
// the state back (`put`). By `moves`, the possible walks depend only on that and on the place: they are the edges of
// one graph of places. So each plan is a sequence of pushes with ways in such graphs between them, the cheapest of
// which a search may take (system.hpp). Where walks cost nothing, one place stands for all that are connected: by
// `back`, what can be reached from one of them can from the others, for the same. Where walks are counted, `back` is
// not needed.
//
// If several things walk, the one with the most walks is chosen, then the first.
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

// A variable determined by a place of the walker: it has the other one of its two values while the walker is there.
struct Shadow {
    std::uint32_t variable, away;  // the value if neither the walker nor anything else is there
    bool full = true;              // its group never becomes empty; else it is handed over
};

struct Walker {
    std::uint32_t variable;
    Vector<Walk> walks;    // ascending by operator
    Rows<Shadow> shadows;  // by place
};

// The operators that may be walks.
struct WalkerRequest {
    std::optional<std::vector<OperatorId>> among;  // none: all
};

std::optional<Walker> find_walker(const Task& task, const TaskFeatures& features, const WalkerRequest& request,
                                  Control& control);

}  // namespace unpuzzle
