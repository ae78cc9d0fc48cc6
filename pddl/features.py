"""Tables of PDDL words: supported words, and words that are known but refused, with the name of the feature."""

TOTAL_COST = "total-cost"
CONNECTIVES = frozenset("and or not imply exists forall when increase".split())

COMPARISONS = frozenset("< > <= >=".split())
ASSIGNMENTS = frozenset("decrease assign scale-up scale-down".split())
TRAJECTORIES = frozenset(
    "always sometime within at-most-once sometime-after sometime-before always-within hold-during hold-after".split()
)
CHANCES = {"probabilistic": ":probabilistic-effects", "oneof": ":non-deterministic"}

REQUIREMENTS = frozenset(
    """
    :strips :typing :negative-preconditions :disjunctive-preconditions :equality :existential-preconditions
    :universal-preconditions :quantified-preconditions :conditional-effects :adl :derived-predicates :action-costs
    :fluents :numeric-fluents :negation
    """.split()
)
"""The supported requirements. `:fluents`, `:numeric-fluents` mean `:action-costs`; `:negation` is an old name."""

REFUSED = frozenset(
    """
    :durative-actions :duration-inequalities :continuous-effects :timed-effects :timed-initial-literals
    :timed-initial-fluents :preferences :constraints :object-fluents :goal-utilities :time :processes :events
    :probabilistic-effects :rewards :mdp :non-deterministic :hierarchy :method-preconditions :multi-agent :domain-axioms
    :expression-evaluation :safety-constraints :open-world :true-negation :ucpop :action-expansions :foreach-expansions
    :dag-expansions :subgoals-through-axioms
    """.split()
)
DECLARED_IN_VAIN = REFUSED - {":open-world", ":true-negation"}
"""The requirements that may be declared, as only the constructs that need them are refused."""
FOREIGN = {
    **dict.fromkeys((":durative-action", ":duration", ":condition"), ":durative-actions"),
    **dict.fromkeys((":method", ":task", ":htn"), ":hierarchy"),
    **{word: word for word in (":constraints", ":vars", ":extends", ":timeless", ":situation")},
    **{":process": ":processes", ":event": ":events", ":axiom": ":domain-axioms", ":safety": ":safety-constraints"},
}
"""Sections of other dialects of PDDL, with the name of the feature they belong to."""
