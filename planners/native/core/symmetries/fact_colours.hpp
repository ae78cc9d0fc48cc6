// A glance that tells most tasks without symmetries, at a fraction of what it takes to look for some.
//
// Colours that no symmetry can change: a fact's tells at first whether it is a goal, then round after round
// what the operators that test it or set it do to facts of which colours (Weisfeiler and Leman 1968).
//
//     round 0       goal   not   not   not   not
//     round 1          a     b     b     c     d
//     round 2          e     f     g     h     i          all different: no symmetry moves any
//
// Where two colours stay the same there may be a symmetry or not: that is for automorphisms.hpp to say. A
// colour is a hash of sums, so facts that differ may by chance look the same, but never the other way round.
// Conditional effects and axioms are not looked at, of tasks with them it says nothing.
#pragma once

#include "task/fact_numbers.hpp"

namespace unpuzzle {

// True: no symmetry moves a fact that the task mentions. False: perhaps.
bool asymmetric_at_a_glance(const Task& task, const FactNumbers& numbers, Control& control);

}  // namespace unpuzzle
