"""Random tasks on roads in which something walks, or nearly does; and the least pushes, counted over all states.

Beside `walk` there may be a second way to move, which keeps or breaks what `free` says (that a place is empty); roads
may be one-way, or lead back where they begin; gates may close behind the walker; and boxes are taken or pushed.
"""

import heapq
from collections import Counter
from itertools import pairwise
from random import Random

from unpuzzle.pddl import parse_domain, parse_problem
from unpuzzle.pddl.nodes import Atom, GroundAction, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.planning.walking import weigh

State = frozenset[Atom]
MOVE = """(:action {name} :parameters (?a ?b) :precondition (and (at ?a) {wants})
  :effect (and (not (at ?a)) (at ?b) {more}))"""
OTHERS = {
    "take": "(:action take :parameters (?a) :precondition (and (at ?a) (box ?a)) :effect (and (not (box ?a)) (got)))",
    "push": """(:action push :parameters (?a ?b ?c) :precondition (and (road ?a ?b) (road ?b ?c) (at ?a) (box ?b)
      (not (box ?c)) {free}) :effect (and (not (at ?a)) (at ?b) (not (box ?b)) (box ?c) {pushed}))""",
    "shut": "(:action shut :parameters (?a) :precondition (and (at ?a) (open ?a)) :effect (not (open ?a)))",
    "unlock": "(:action unlock :parameters (?a) :precondition (at ?a) :effect (open ?a))",
    "clear": "(:action clear :parameters (?a ?b) :precondition (and (at ?a) (road ?a ?b)) :effect (free ?b))",
    "fill": "(:action fill :parameters (?a ?b) :precondition (and (at ?a) (free ?b)) :effect (not (free ?b)))",
}


def _some(rng: Random, parts: dict[str, float]) -> str:
    return " ".join([part for part, share in parts.items() if rng.random() < share])


def pushing_task(seed: int) -> Task:
    """Return a random task; each third has no `free`, each other fifth no second way to move."""
    rng = Random(f"pushing roads {seed}")
    shadowed = seed % 3 > 0
    actions = [_move(rng, "walk", shadowed, second=False)]
    if seed % 5:
        actions.append(_move(rng, "run", shadowed, second=True))
    boxes = rng.choice(("take", "take", "push"))
    room = {"(free ?c)": 0.9} if shadowed else {}
    pushed = {"(free ?a)": 0.95, "(not (free ?c))": 0.95} if shadowed else {}
    others = {boxes, *rng.sample(("shut", "unlock", "clear", "fill"), rng.choice((0, 0, 0, 1, 2)))}
    others -= set() if shadowed else {"clear", "fill"}
    actions += [OTHERS[name].format(free=_some(rng, room), pushed=_some(rng, pushed)) for name in sorted(others)]
    rng.shuffle(actions)
    domain = f"""(define (domain roads) (:requirements :adl)
      (:predicates (road ?a ?b) (at ?a) (free ?a) (open ?a) (box ?a) (got)) {" ".join(actions)})"""
    return Task(read := parse_domain(domain), parse_problem(_problem(rng, boxes, shadowed), read))


def _move(rng: Random, name: str, shadowed: bool, *, second: bool) -> str:
    """Return an action that moves the walker; a second one is apter to leave something out."""
    sure = 0.7 if second else 0.95
    wants = {"(road ?a ?b)": 0.8, "(open ?b)": 0.15, "(not (box ?b))": 0.3, "(box ?a)": 0.05, "(free ?b)": 0.0}
    more = {"(open ?a)": 0.03, "(not (open ?a))": 0.05, "(got)": 0.03}
    if shadowed:
        wants["(free ?b)"] = sure
        more |= {"(free ?a)": sure, "(not (free ?b))": sure}
    text = _some(rng, wants)
    if "road" not in text:
        text += "(road ?b ?a)"
    action = MOVE.format(name=name, wants=text, more=_some(rng, more))
    kind = rng.random()
    if second and kind < 0.2:  # under a condition, one part of the effect or all of it
        parts = ("(free ?a)", "(not (free ?b))", "(and (not (at ?a)) (at ?b))")
        action = action.replace("(not (at ?a)) (at ?b)", parts[2])
        part = rng.choice([part for part in parts if part in action.partition(":effect")[2]])
        head, effect, tail = action.partition(":effect")
        action = head + effect + tail.replace(part, f"(when {rng.choice(('(open ?b)', '(box ?b)'))} {part})")
    elif second and kind < 0.3:  # for all places but one
        action = action.replace("(not (free ?b))", "(forall (?c) (when (not (free ?b)) (not (free ?c))))")
    return action


def _problem(rng: Random, boxes: str, shadowed: bool) -> str:
    places = [f"l{i}" for i in range(rng.randint(2, 5))]
    roads = {(a, b) for pair in pairwise(places) for a, b in (pair, pair[::-1]) if rng.random() < 0.85}
    roads |= {(rng.choice(places), rng.choice(places)) for _ in range(rng.randint(0, 3))}
    full = rng.sample(places[1:], rng.randint(1, min(2, len(places) - 1)))
    empty = [place for place in places[1:] if boxes == "take" or place not in full]
    facts = [f"(road {a} {b})" for a, b in sorted(roads)] + [f"(box {place})" for place in full]
    facts += [f"(open {place})" for place in places if rng.random() < 0.8]
    if shadowed:
        empty = empty if rng.random() < 0.9 else rng.sample(places, len(empty))
        facts += [f"(free {place})" for place in empty]
    if boxes == "take":
        goal = "(got)" if rng.random() < 0.5 else " ".join([f"(not (box {place}))" for place in full])
    else:
        goal = f"(box {rng.choice(places)})"
    goal += f" (at {rng.choice(places)})" if rng.random() < 0.3 else ""
    return f"""(define (problem p) (:domain roads) (:objects {" ".join(places)})
      (:init (at l0) {" ".join(facts)}) (:goal (and {goal})))"""


class Counted:
    """All states of a task, and which of its steps are walks: by what holds in all of them, without any proof.

    `complementary`: `free` says in all states of each place whether it is empty, so that it may change as one walks.
    `taken_back`: each walk is, wherever its action moves the walker alone.
    """

    def __init__(self, task: Task, most: int = 500) -> None:
        self.semantics = semantics = Semantics(task)
        self.steps: dict[State, list[tuple[GroundAction, State]]] = {}
        todo = [semantics.initial]
        while todo and len(self.steps) < most:
            state = todo.pop()
            if state in self.steps:
                continue
            self.steps[state] = [(action, semantics.apply(state, action)) for action in semantics.applicable(state)]
            todo += [after for _, after in self.steps[state]]
        self.complete = all(state in self.steps for state in todo)
        if not self.complete:
            return
        self.complementary = any(self._one_of(group) for group in (("at", "free"), ("at", "free", "box")))
        self._aside = {"at", "free"} if self.complementary else {"at"}
        alone = [(state, *step) for state in self.steps for step in self.steps[state] if self._alone(state, step[1])]
        self.walks = {
            (state, after) for state, _, after in alone if any(back == state for _, back in self.steps[after])
        }
        back = {action for state, action, after in alone if (state, after) in self.walks}
        self.taken_back = not any(action in back and (state, after) not in self.walks for state, action, after in alone)

    def _one_of(self, group: tuple[str, ...]) -> bool:
        """Return whether of each place always exactly one atom of a group is true, or always none."""
        numbers = set()
        for state in self.steps:
            there = Counter([atom.arguments[0] for atom in state if atom.predicate in group])
            numbers.add(tuple(sorted(there.items())))
        return len(numbers) == 1 and all(number == 1 for _, number in numbers.pop())

    def _alone(self, state: State, after: State) -> bool:
        changed = state ^ after
        return any(atom.predicate == "at" for atom in changed) and {atom.predicate for atom in changed} <= self._aside

    def least(self, objective: str) -> int | None:
        """Return the weight of a best plan; None if there is none."""
        queue, known, number = [(0, 0, self.semantics.initial)], set[State](), 0
        while queue:
            cost, _, state = heapq.heappop(queue)
            if state in known:
                continue
            known.add(state)
            if self.semantics.solved(state):
                return cost
            for action, after in self.steps[state]:
                number += 1
                pushes = int((state, after) not in self.walks)
                step = weigh(objective, self.semantics.cost(action), pushes)
                heapq.heappush(queue, (cost + step, number, after))
        return None
