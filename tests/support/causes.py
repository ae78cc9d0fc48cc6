"""Thirty tasks without a plan, each for another cause, as beginners make them.

for name, (domain, problem, words) in CAUSES.items(): ...    `words`: what an explanation must say
"""

from support.mutated_starts import BLOCKS, DOORS, FLAT, HOUSE, LIFT, ROUND, TOWER, TRUCKS


def changed(text: str, *pairs: tuple[str, str]) -> str:
    """Return a text with parts replaced, each of which must be there."""
    for old, new in pairs:
        assert old in text, old
        text = text.replace(old, new)
    return text


def goal(problem: str, wanted: str) -> str:
    return f"{problem[: problem.index('(:goal')]}(:goal {wanted}))"


PUSH = """(define (domain push) (:requirements :strips :typing) (:types cell way)
  (:predicates (me ?c - cell) (box ?c - cell) (free ?c - cell) (beside ?a ?b - cell ?w - way))
  (:action walk :parameters (?a ?b - cell ?w - way) :precondition (and (me ?a) (beside ?a ?b ?w) (free ?b))
    :effect (and (not (me ?a)) (me ?b) (free ?a) (not (free ?b))))
  (:action push :parameters (?a ?b ?c - cell ?w - way)
    :precondition (and (me ?a) (beside ?a ?b ?w) (box ?b) (beside ?b ?c ?w) (free ?c))
    :effect (and (not (me ?a)) (me ?b) (free ?a) (not (box ?b)) (box ?c) (not (free ?c)))))"""
ROW = """(define (problem row) (:domain push) (:objects a b c d - cell left right - way)
  (:init (me b) (box c) (free a) (free d) (beside a b right) (beside b c right) (beside c d right)
         (beside b a left) (beside c b left) (beside d c left))
  (:goal (box b)))"""
SLIDE = """(define (domain slide) (:requirements :strips :typing) (:types cell tile)
  (:predicates (on ?t - tile ?c - cell) (blank ?c - cell) (beside ?a ?b - cell))
  (:action slide :parameters (?t - tile ?a ?b - cell) :precondition (and (on ?t ?a) (blank ?b) (beside ?a ?b))
    :effect (and (not (on ?t ?a)) (on ?t ?b) (not (blank ?b)) (blank ?a))))"""
SQUARE = """(define (problem square) (:domain slide) (:objects a b c d - cell t u v - tile)
  (:init (on t a) (on u b) (on v c) (blank d) (beside a b) (beside b a) (beside a c) (beside c a) (beside b d)
         (beside d b) (beside c d) (beside d c))
  (:goal (and (on u a) (on t b) (on v c))))"""
SHOP = """(define (domain shop) (:requirements :adl :typing :derived-predicates) (:types good coin day)
  (:predicates (have ?g - good) (purse ?c - coin) (open) (today ?d - day) (feast ?d - day) (rich) (sold-out ?g - good))
  (:derived (rich) (exists (?c ?e - coin) (and (purse ?c) (purse ?e) (not (= ?c ?e)))))
  (:action buy :parameters (?g - good ?c - coin) :precondition (and (open) (purse ?c))
    :effect (and (not (purse ?c)) (have ?g)))
  (:action wait :parameters (?d ?e - day) :precondition (today ?d)
    :effect (and (not (today ?d)) (today ?e) (when (feast ?e) (open)))))"""
STALL = """(define (problem stall) (:domain shop) (:objects milk bread - good one - coin mon tue - day)
  (:init (purse one) (today mon) (open))
  (:goal (and (have milk) (have bread))))"""

CAUSES: dict[str, tuple[str, str, str]] = {
    # the start
    "no hand is free at the start": (LIFT, changed(HOUSE, ("(empty)", "")), "if (empty) were true at the start"),
    "a key fits the wrong floor": (LIFT, changed(HOUSE, ("(fits k3 f3)", "(fits k3 f2)")), "(fits ?k f3) is false"),
    "a road is missing": (TRUCKS, changed(ROUND, ("(road b c)", "")), "if (road b c) were true at the start"),
    "a one-way road": (TRUCKS, goal(ROUND, "(and (lies k d) (at t a))"), "no action makes (at t a) true"),
    "too little fuel": (TRUCKS, changed(ROUND, ("(fuel t n3)", "(fuel t n2)")), "if (fuel t n3) were true at the"),
    "the scale runs backwards": (TRUCKS, changed(ROUND, ("(next n3 n2)", "(next n2 n3)")), "if (next n3 n2) were true"),
    "there is no truck": (TRUCKS, changed(ROUND, (" t - truck", ""), ("(at t a)", ""), ("(fuel t n3)", "")), "truck"),
    "a crate lies nowhere": (LIFT, changed(HOUSE, ("(on c f1)", "")), "if (on c f2) were true at the start"),
    "the key is behind its own door": (LIFT, changed(HOUSE, ("(on k2 f0)", "(on k2 f2)")), "if (shut f2) were false"),
    "the lamp is in the dark": (DOORS, changed(FLAT, ("(dark roof)", "(dark roof) (dark hall) (dark bath)")), "(lamp)"),
    # the goal
    "two places at once": (TRUCKS, goal(ROUND, "(and (lies k d) (lies k c))"), "at most one fact of the form"),
    "a fact that nothing changes": (TRUCKS, goal(ROUND, "(and (lies k d) (road a d))"), "no action changes it"),
    "the negation of such a fact": (TRUCKS, goal(ROUND, "(not (road a b))"), "is true at the start, and no action"),
    "on each other": (BLOCKS, goal(TOWER, "(and (on p q) (on q p))"), "never true together"),
    "all objects, one of which cannot": (
        DOORS,
        goal(changed(FLAT, ("(lies steel attic)", "")), "(forall (?k - key) (has ?k))"),
        "(has steel)",
    ),
    "some object of a type without any": (
        changed(DOORS, ("(:types room key)", "(:types room key cat)"), ("(lamp) ", "(lamp) (fed ?c - cat) ")),
        goal(FLAT, "(exists (?c - cat) (fed ?c))"),
        "(exists (?c - cat) (fed ?c)) true, which the goal needs\nthat needs an object of type cat (there is none)",
    ),
    # the domain
    "parameters of too narrow a type": (
        changed(LIFT, ("take :parameters (?t - thing", "take :parameters (?t - crate")),
        HOUSE,
        "(hand ?k)",
    ),
    "an effect is missing": (changed(TRUCKS, (" (lies ?k ?p))))", ")))")), ROUND, "(lies k d)"),
    "the hand is never free again": (changed(LIFT, ("(not (hand ?t)) (empty)", "(not (hand ?t))")), HOUSE, "(empty)"),
    "no action opens": (changed(LIFT, ("(not (shut ?f))))", "(shut ?f)))")), HOUSE, "(shut f3) is true at the start"),
    "a condition on the wrong thing": (
        changed(DOORS, ("(lies ?k ?r))\n    :effect (and (has", "(lies ?k ?r) (opens ?k ?r))\n    :effect (and (has")),
        FLAT,
        "(opens",
    ),
    "swapped arguments": (changed(TRUCKS, ("(road ?a ?b) (fuel", "(road ?b ?a) (fuel")), ROUND, "if drive did not"),
    "conditions that exclude each other": (
        changed(BLOCKS, ("(and (held ?x) (clear ?y))", "(and (held ?x) (clear ?y) (empty))")),
        TOWER,
        "if stack did not need (empty)",
    ),
    "a conditional effect that never takes place": (
        SHOP,
        goal(changed(STALL, ("(open)", "")), "(have milk)"),
        "(feast ?e) is false",
    ),
    "a rule that never fires": (SHOP, goal(STALL, "(rich)"), "it needs ?c and ?e that differ (there are none)"),
    # the rules of the puzzle
    "one coin for two goods": (SHOP, STALL, "at most one fact of the form (have …) or (purse …) is true at a time"),
    "a box cannot be pulled": (PUSH, ROW, "(box b)"),
    "parity": (SLIDE, SQUARE, "(proved by looking at all pairs of facts, h^2)"),
    "the door locks behind": (
        changed(DOORS, ("(here ?b)))", "(here ?b) (when (dark ?b) (locked ?b ?a))))")),
        goal(
            changed(
                FLAT, ("(way attic roof)", "(way attic roof) (way roof attic)"), ("(lies steel attic)", "(has steel)")
            ),
            "(and (here attic) (has brass) (locked roof attic))",
        ),
        "(here attic)",
    ),
    "a sack for two": (BLOCKS, goal(TOWER, "(and (held p) (held q))"), "at most one fact of the form"),
}
"""By cause: domain, problem, and words of the explanation."""
