"""Random tasks that are hard on limits: very many operators, few variables, long chains and many layers of axioms.

    python scripts/benchmarks/random_tasks.py FOLDER [SEED]      writes FOLDER/NAME-{domain,problem}.pddl for all of them

Each is a function of a seed that returns a domain and a problem as text. They are made so that limits are reached
anywhere (`scripts/bench limits`), not for being solved.
"""

from __future__ import annotations

import sys
from itertools import pairwise
from pathlib import Path
from random import Random

Texts = tuple[str, str]

MOVES = """
 (:action jump :parameters (?t - token ?a ?b ?c - place)
  :precondition (and (at ?t ?a) (link ?a ?b) (seen ?c){jump}) :effect (and (not (at ?t ?a)) (at ?t ?b) (seen ?b){turn}))
 (:action forget :parameters (?c - place) :precondition (seen ?c) :effect (not (seen ?c)))"""

TURN = " (when (at ?t ?c) (not (seen ?a)))"


def operators(seed: int, places: int = 50, links: int = 500, tokens: int = 4) -> Texts:
    """Four tokens on a random graph; each move needs any place that was seen: 100,000 operators of few variables."""
    return _tokens(seed, places, links, tokens, "")


def conditions(seed: int, places: int = 40, links: int = 400, tokens: int = 2) -> Texts:
    """Tokens as in `operators`, with a conditional effect in every move: 32,000 operators."""
    return _tokens(seed, places, links, tokens, TURN)


def _tokens(seed: int, places: int, links: int, tokens: int, turn: str) -> Texts:
    """Tokens on a random graph, whose moves have a further effect."""
    rng = Random(seed)
    names = [f"p{i}" for i in range(places)]
    domain = (
        "(define (domain tokens) (:requirements :adl) (:types token place)\n"
        " (:predicates (at ?t - token ?p - place) (link ?a ?b - place) (seen ?p - place))"
        f"{MOVES.format(jump='', turn=turn)})\n"
    )
    return domain, _problem("tokens", rng, names, links, tokens, [], f"(not (seen {names[0]}))")


def axioms(seed: int, length: int = 8_000, layers: int = 60, places: int = 25, links: int = 200) -> Texts:
    """A chain of 8,000 axioms that a token lights, above it sixty layers of negated axioms: 10,000 operators."""
    rng = Random(seed)
    names, beads = [f"p{i}" for i in range(places)], [f"b{i}" for i in range(length)]
    ladder = "".join(
        f"\n (:derived (level{i} ?p - place) (exists (?q - place) (and (link ?p ?q) (not (level{i - 1} ?q)))))"
        for i in range(1, layers)
    )
    domain = (
        "(define (domain tokens) (:requirements :adl :derived-predicates) (:types token place bead)\n"
        " (:predicates (at ?t - token ?p - place) (link ?a ?b - place) (seen ?p - place) (lit ?b - bead)\n"
        "  (next ?a ?b - bead) (lamp ?p - place ?b - bead) (last ?b - bead) (bright) "
        f"{' '.join(f'(level{i} ?p - place)' for i in range(layers))})\n"
        " (:derived (lit ?b - bead) (exists (?a - bead) (and (next ?a ?b) (lit ?a))))\n"
        " (:derived (lit ?b - bead) (exists (?t - token ?p - place) (and (at ?t ?p) (lamp ?p ?b))))\n"
        " (:derived (bright) (exists (?b - bead) (and (last ?b) (lit ?b))))\n"
        " (:derived (level0 ?p - place) (and (seen ?p) (bright)))"
        f"{ladder}{MOVES.format(jump=f' (or (level{layers - 1} ?b) (not (bright)))', turn='')})\n"
    )
    more = [f"(last {beads[-1]})"] + [f"(next {a} {b})" for a, b in pairwise(beads)]
    more += [f"(lamp {place} {beads[0]})" for place in rng.sample(names, places // 2)]
    goal = f"(not (level{layers - 1} {names[0]})) (bright)"
    return domain, _problem("tokens", rng, names, links, 2, more, goal, f"{' '.join(beads)} - bead")


def _problem(
    domain: str, rng: Random, names: list[str], links: int, tokens: int, more: list[str], goal: str, objects: str = ""
) -> str:
    """Return a problem: all places must be seen but for one, which every path to the goal sees."""
    pairs = set(pairwise(names))
    while len(pairs) < links:
        pairs.add(tuple(rng.sample(names, 2)))
    tokens_ = [f"t{i}" for i in range(tokens)]
    init = [f"(link {a} {b})" for a, b in sorted(pairs)] + [f"(at {t} {rng.choice(names[1:])})" for t in tokens_]
    init += [f"(seen {name})" for name in rng.sample(names, len(names) // 2)] + more
    goals = " ".join(f"(seen {name})" for name in names[1:])
    return (
        f"(define (problem random) (:domain {domain})\n (:objects {' '.join(tokens_)} - token {' '.join(names)} - place"
        f" {objects})\n (:init {' '.join(init)})\n (:goal (and {goals} {goal})))\n"
    )


TASKS = (operators, conditions, axioms)


def write(folder: Path, seed: int) -> None:
    """Write all tasks of a seed."""
    folder.mkdir(parents=True, exist_ok=True)
    for make in TASKS:
        for part, text in zip(("domain", "problem"), make(seed), strict=True):
            (folder / f"{make.__name__}-{part}.pddl").write_text(text)


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)
