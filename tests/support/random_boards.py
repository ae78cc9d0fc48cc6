"""Random graphs on which a walker pushes boxes, as PDDL: boards, and tasks that break an axiom of boards on purpose.

The axioms are those of `core/boxes/board.hpp`. Which of them a task breaks is read off its ground operators, since the
grounder leaves out what is never reached. Facts have names of their own, so that two cells can share one: a push of the
box on `?b` to `?c` is about the facts (box ?m), (clear ?n) of `?b` and (box ?o), (clear ?p) of `?c`.
"""

from collections import Counter, defaultdict
from random import Random

from unpuzzle.base.distances import distances
from unpuzzle.pddl import parse_task
from unpuzzle.pddl.nodes import Atom
from unpuzzle.planners.native import _core
from unpuzzle.planners.native.grounding import CoreGrounding, FDRTask

DOMAIN = """(define (domain graph)
(:predicates (at ?a) (box ?m) (clear ?n) (lit ?a) (path ?a ?b ?n) (open ?a ?b) (button ?a ?b) (gate ?a ?b ?c)
             (line ?a ?b ?m ?n ?c ?o ?p) (hole ?a ?b ?m ?n ?c ?p) (spring ?a ?b ?n ?c ?o ?p))
(:action walk :parameters (?a ?b ?n) :precondition (and (path ?a ?b ?n) (at ?a) (clear ?n))
 :effect (and (not (at ?a)) (at ?b)))
(:action stroll :parameters (?a ?b) :precondition (and (open ?a ?b) (at ?a)) :effect (and (not (at ?a)) (at ?b)))
(:action press :parameters (?a ?b) :precondition (and (button ?a ?b) (at ?a))
 :effect (and (not (at ?a)) (at ?b) (lit ?b)))
(:action pass :parameters (?a ?b ?c) :precondition (and (gate ?a ?b ?c) (at ?a) (lit ?c))
 :effect (and (not (at ?a)) (at ?b)))
(:action push :parameters (?a ?b ?m ?n ?c ?o ?p)
 :precondition (and (line ?a ?b ?m ?n ?c ?o ?p) (at ?a) (box ?m) (clear ?p))
 :effect (and (not (at ?a)) (at ?b) (not (box ?m)) (clear ?n) (box ?o) (not (clear ?p))))
(:action sink :parameters (?a ?b ?m ?n ?c ?p)
 :precondition (and (hole ?a ?b ?m ?n ?c ?p) (at ?a) (box ?m) (clear ?p))
 :effect (and (not (at ?a)) (at ?b) (not (box ?m)) (clear ?n)))
(:action rise :parameters (?a ?b ?n ?c ?o ?p)
 :precondition (and (spring ?a ?b ?n ?c ?o ?p) (at ?a) (clear ?n) (clear ?p))
 :effect (and (not (at ?a)) (at ?b) (box ?o) (not (clear ?p)))))"""

BREAKS = (
    "a walk without a way back",
    "a cell entered in two ways",
    "a clear fact of two cells",
    "a box fact of two cells",
    "a push onto a cell without a clear fact",
    "a push from a cell that no walk joins to the box",
    "a push to a cell that no walk joins to the box",
    "a push to the cell where the walker was",
    "a walker on a box",
    "a box that sinks",
    "a box that comes up",
    "a step that changes something else",
    "a goal of the walker",
)


class RandomBoard:
    """A random task of a seed; `broken` is the axiom that it is meant to break, None for a board."""

    def __init__(self, seed: int, broken: str | None = None) -> None:
        self.rng = Random(seed)
        self.broken = broken
        self.cells: list[str] = []
        self.boxes: list[str] = []
        self.walker = ""
        self.edges: set[tuple[str, str]] = set()
        self.lines: list[tuple[str, str, str]] = []
        while self._after(1) == self.boxes:
            self._draw()
        self.box_mark = {cell: cell for cell in self.cells}
        self.clear_mark = {cell: cell for cell in self.cells}
        self.facts: list[tuple[str, ...]] = []
        self._break_lines()
        self.strolls = self._strolls()
        self._break_walks()
        self.goal = self._goal()

    def _draw(self) -> None:
        """Draw a graph, boxes and a walker on it, and pushes along its edges."""
        rng = self.rng
        self.cells = cells = [f"c{i}" for i in range(rng.randint(4, rng.choice((7, 9, 12, 14))))]
        self.edges = set()
        self.walker, *self.boxes = rng.sample(cells, 1 + rng.randint(1, min(5, len(cells) - 2)))
        near = rng.randint(1, 4)
        parts = rng.random() < 0.3
        for i in range(1, len(cells)):
            if not parts or rng.random() < 0.8:
                self._edge(cells[i], cells[rng.randrange(max(0, i - near), i)])
        for _ in range(rng.randint(0, len(cells))):
            i = rng.randrange(len(cells))
            j = rng.choice((i - 1, i - 2, rng.randrange(len(cells))))
            if i != j >= 0:
                self._edge(cells[i], cells[j])
        some = rng.choice((0.1, 0.2, 0.4, 0.7))
        self.lines = [triple for triple in self._triples(True, True) if rng.random() < some]

    def _edge(self, one: str, other: str) -> None:
        self.edges |= {(one, other), (other, one)}

    def _triples(self, first: bool, second: bool) -> list[tuple[str, str, str]]:
        """Return all (from, box, to) whose two pairs are edges, or are not."""
        return [
            (a, b, c)
            for b in self.cells
            for a in self.cells
            for c in self.cells
            if len({a, b, c}) == 3 and ((a, b) in self.edges) == first and ((b, c) in self.edges) == second
        ]

    def _some(self, things: list, most: int) -> list:
        return self.rng.sample(things, min(len(things), self.rng.randint(1, most)))

    def _break_lines(self) -> None:
        rng = self.rng
        if self.broken == "a push from a cell that no walk joins to the box":
            self.lines += self._some(self._triples(False, True), 14)
        elif self.broken == "a push to a cell that no walk joins to the box":
            self.lines += self._some(self._triples(True, False), 14)
        elif self.broken == "a push to the cell where the walker was":
            self.lines += [(a, b, a) for a, b in self._some(sorted(self.edges), 4)]
        elif self.broken == "a walker on a box":
            self.walker = rng.choice(self.boxes)
        elif self.broken == "a box fact of two cells":
            one, other = rng.sample(self.cells, 2)
            self.box_mark[one] = other
        elif self.broken == "a clear fact of two cells":
            _, one, other = rng.choice([line for line in self.lines if line[1] in self.boxes])
            self.clear_mark[one] = rng.choice([cell for cell in (*self.boxes, *self.boxes, other) if cell != one])

    def _strolls(self) -> set[tuple[str, str]]:
        """Return the walks that want nothing clear: to some of the cells where no box can ever be."""
        boxed = {*self.boxes, *(cell for line in self.lines for cell in line[1:])}
        empty = [cell for cell in self.cells if cell not in boxed and self.rng.random() < 0.5]
        return {edge for edge in self.edges if edge[1] in empty}

    def _break_walks(self) -> None:
        rng, edges = self.rng, sorted(self.edges)
        if not edges:
            return
        if self.broken == "a walk without a way back":
            self.edges -= set(self._some(edges, 3))
        elif self.broken == "a cell entered in two ways":
            self.strolls |= set(self._some(edges, 3))
        elif self.broken == "a push onto a cell without a clear fact" and self.lines:
            cell = rng.choice(self.lines)[rng.randint(1, 2)]
            self.strolls |= {edge for edge in edges if edge[1] == cell}
        elif self.broken == "a step that changes something else":
            pairs = self._some(edges, 3)
            self.facts += [("button", *pair) for pair in pairs]
            self.facts += [("gate", *rng.choice(edges), pair[1]) for pair in pairs]
        elif self.broken in ("a box that sinks", "a box that comes up"):
            name = "hole" if "sinks" in self.broken else "spring"
            for a, b, c in self._some(self._triples(True, True), 4):
                marks = (self.box_mark[b],) if name == "hole" else ()
                more = () if name == "hole" else (self.box_mark[c],)
                self.facts.append((name, a, b, *marks, self.clear_mark[b], c, *more, self.clear_mark[c]))

    def _goal(self) -> list[str]:
        rng = self.rng
        kind = self.kind = rng.choice(("all", "all", "all", "fewer", "room", "room", "both", "negated"))
        wanted = self._after(rng.randint(1, 12)) if rng.random() < 0.5 else rng.sample(self.cells, len(self.boxes))
        others = [cell for cell in self.cells if cell not in wanted]
        if kind == "fewer":
            wanted = wanted[1:]
        elif kind == "room":  # as many goals as boxes, or more
            rng.shuffle(others)
            others = others[rng.randint(0, min(2, len(others))) :]
        goal = [f"(box {self.box_mark[cell]})" for cell in wanted]
        clear = [f"(clear {self.clear_mark[cell]})" for cell in others]
        if kind == "room":
            goal = clear
        elif kind == "negated":
            goal = [f"(not (clear {self.clear_mark[cell]}))" if rng.random() < 0.7 else f"(box {self.box_mark[cell]})"
                    for cell in wanted]  # fmt: skip
            goal += [f"(not (box {self.box_mark[cell]}))" for cell in others if rng.random() < 0.3]
        elif kind == "both":
            goal += [f"(not (clear {self.clear_mark[cell]}))" for cell in wanted if rng.random() < 0.6]
            goal += [part for part in clear if rng.random() < 0.2]
        if self.broken == "a goal of the walker":
            goal.append(f"(at {rng.choice(self.cells)})")
        return goal

    def _after(self, pushes: int) -> list[str]:
        """Return where boxes are after so many random pushes."""
        boxes, walker = [*self.boxes], self.walker
        for _ in range(pushes):
            area = distances([walker], lambda a: [b for one, b in self.edges if one == a and b not in boxes])
            ready = [line for line in self.lines if line[0] in area and line[1] in boxes and line[2] not in boxes]
            if not ready:
                break
            _, walker, to = self.rng.choice(ready)
            boxes[boxes.index(walker)] = to
        return boxes

    def problem(self) -> str:
        facts = [*self.facts, ("at", self.walker)]
        facts += [("box", self.box_mark[cell]) for cell in self.boxes]
        taken = {self.clear_mark[cell] for cell in self.boxes}
        facts += [("clear", mark) for mark in sorted({*self.clear_mark.values()} - taken)]
        facts += [("open", *edge) for edge in sorted(self.strolls)]
        both = self.strolls if self.broken != "a cell entered in two ways" else set()
        facts += [("path", a, b, self.clear_mark[b]) for a, b in sorted(self.edges - both)]
        mark = lambda cell: (cell, self.box_mark[cell], self.clear_mark[cell])  # noqa: E731
        facts += [("line", a, *mark(b), *mark(c)) for a, b, c in self.lines]
        init = " ".join(f"({' '.join(fact)})" for fact in facts)
        return (
            f"(define (problem graph) (:domain graph) (:objects {' '.join(self.cells)})\n"
            f"(:init {init})\n(:goal (and {' '.join(self.goal)})))"
        )


def broken_axioms(task: FDRTask, walker: str) -> set[str]:
    """Return the axioms that the ground operators break."""
    entered, boxes, entries = defaultdict(set), defaultdict(set), defaultdict(set)
    walks, pushes, names = set(), [], Counter(op.action.name for op in task.operators)
    places = [number for number, variable in enumerate(task.variables) if Atom("at", (walker,)) in variable.values]
    shown = lambda fact: str(task.variables[fact[0]].values[fact[1]])  # noqa: E731
    for op in task.operators:
        wanted = [fact for fact in op.precondition if fact[0] not in places]
        if op.action.name in ("walk", "stroll", "press", "pass") and len(op.effects) == 1:
            a, b, *_ = op.action.arguments
            walks.add((a, b))
            entered[b].add((*wanted,))
            for fact in wanted:
                entries[fact].add(b)
        elif op.action.name == "push":
            a, b, _, _, c, *_ = op.action.arguments
            pushes.append((a, b, c, {fact for fact in wanted if shown(fact).startswith("(clear")}))
            for fact in wanted:
                if not shown(fact).startswith("(clear"):
                    boxes[fact].add(b)
            for effect in op.effects:
                if shown(fact := (effect.variable, effect.value)).startswith("(box"):
                    boxes[fact].add(c)
    true = set(enumerate(task.initial))
    found = (
        any((b, a) not in walks for a, b in walks),
        any(len(ways) > 1 for ways in entered.values()),
        any(len(cells) > 1 for cells in entries.values()),
        any(len(cells) > 1 for cells in boxes.values()),
        any({(fact,) for fact in clear} != entered[c] or entered[b] <= {()} for _, b, c, clear in pushes),
        any(not {(a, b), (b, a)} <= walks for a, b, _, _ in pushes),
        any(not {(b, c), (c, b)} <= walks for _, b, c, _ in pushes),
        any(a == c for a, _, c, _ in pushes),
        any(not true.issuperset(facts) for facts in entered[walker]),
        names["sink"] > 0,
        names["rise"] > 0,
        any(op.action.name == "press" and len(op.effects) > 1 for op in task.operators),
        any(variable in places for variable, _ in task.goal),
    )
    return {name for name, breaks in zip(BREAKS, found, strict=True) if breaks}


def compare(seed: int, counts: Counter[str]) -> str:
    """Compare the search for boards with blind search on the task of a seed; return what is wrong, "" for nothing."""
    random = RandomBoard(seed, BREAKS[seed // 2 % len(BREAKS)] if seed % 2 else None)
    ground = CoreGrounding(parse_task(DOMAIN, random.problem()))
    if not ground.goal_possible:
        counts["unreachable goals"] += 1
        return ""
    fdr = ground.fdr()
    breaks = broken_axioms(fdr, random.walker)
    task = ground.task()
    board = task.has_boxes()
    counts.update(f"broken: {name}" for name in breaks)
    counts["recognised" if board else "no board, nothing broken" if not breaks else "no board"] += 1
    if not board:
        return ""
    counts[f"recognised, goals {random.kind}"] += 1
    counts["recognised with rows"] += sum(len(variable.values) > 2 for variable in fdr.variables) > 1
    blind = task.search("astar", "blind")
    try:
        wrong = _difference(ground, task, blind.plan, counts) or _wrong_schedule(task, blind)
    except Exception as error:
        wrong = f"{type(error).__name__}: {error}"
    return wrong or (f"recognised, with {', '.join(sorted(breaks))}" if breaks else "")


def _difference(ground: CoreGrounding, task: _core.Task, blind: list[int] | None, counts: Counter[str]) -> str:
    first = task.push_boxes()
    assert first is not None
    counts[first.status] += 1
    if (first.status, first.plan is None) != (("unsolvable", True) if blind is None else ("solved", False)):
        return f"{first.status}, but blind search finds {blind}"
    if first.plan is None:
        return ""
    task.eliminated(first.plan)  # raises where a step cannot be taken, or the goal is not reached
    pushes = lambda plan: sum(ground.action(number).name == "push" for number in plan)  # noqa: E731
    for pushes_first in (True, False):
        better = task.push_boxes(max_improving=2_000, pushes_first=pushes_first)
        task.eliminated(better.plan)
        if pushes_first and pushes(better.plan) > pushes(first.plan):
            return "improving adds pushes"
        if not pushes_first and better.cost > first.cost:
            return "improving adds steps"
    return ""


def _wrong_schedule(task: _core.Task, blind: _core.SearchResult) -> str:
    """Return what is wrong with answers of the schedule, in which boxes are pushed soon; "" for nothing."""
    for mode in ("plans", "anytime"):
        schedule = _core.Schedule(task, scale=1e-4, **{mode: True})
        result, costs = schedule.run(), list[int | None]()
        while mode == "anytime" and result.status == "solved":
            costs.append(result.cost)
            result = schedule.run()
        if (result.plan is None, result.status == "unsolvable") != (blind.plan is None, blind.plan is None):
            return f"{mode}: {result.status}, but blind search finds {blind.plan}"
        if result.plan is not None:
            task.eliminated(result.plan)  # raises where a step cannot be taken, or the goal is not reached
        if result.status == "solved_optimally" and result.cost != blind.cost:
            return f"{mode}: cost {result.cost}, but the least is {blind.cost}"
        if result.status == "solved" and mode == "anytime":
            return "anytime: no proof"
        if costs != sorted(set(costs), reverse=True):  # type: ignore[type-var]
            return f"anytime: plans of the costs {costs}"
    return ""
