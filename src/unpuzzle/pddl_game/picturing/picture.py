"""The picture of a level with a block: the ground that no move changes, and the pieces of a state.

Below the board are the parts of the goal, each with a mark once it is true; if there are many, only their number.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.drawing import At, Ground, Look, Path, Piece, Point, Rect, Shape, Text, terminal
from unpuzzle.pddl.declarations import Domain
from unpuzzle.pddl.failures import text
from unpuzzle.pddl.formulas import Atom, Condition, conjuncts
from unpuzzle.pddl.judging.fault import WARNING, Fault
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading.reader import parse_domain
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.world import World, fact_tables
from unpuzzle.pddl_game.picturing.block import CODE, Block, has_block, read_tolerantly
from unpuzzle.pddl_game.picturing.layout import Layout
from unpuzzle.pddl_game.picturing.looks import Looks, Styles
from unpuzzle.pddl_game.picturing.scene import Script
from unpuzzle.translators.shared.grid_picture import GOAL

MOST_GOALS = 12
"""The most parts of a goal that are listed; more are counted."""
GOAL_LETTERS, GOAL_LETTER = 0.34, 0.215
"""The size and the width of a letter in goals."""
HEADING = 1.3
"""The room for the word before the goals."""
BELOW = 0.15
"""The distance of the goals from the board."""
KEPT = 4_096
"""The number of states whose pieces are cached."""


class LevelPicture:
    """The picture of a level. Raises ParseError, with its place in the block, for lines that cannot be drawn."""

    def __init__(self, block: Block, semantics: Semantics) -> None:
        self._semantics = semantics
        self.script = Script(block, semantics)
        self._styles = Styles(self.script)
        self._layout = Layout(self.script, self._styles.shape, self._styles.own_size)
        self._looks = Looks(self._layout, self._styles)
        self._look_names: dict[tuple[str, int], str] = {}
        self._kept: dict[frozenset[Atom], tuple[Piece, ...]] = {}
        self._goals: list[Condition] = list(conjuncts(semantics.task.problem.goal))
        self._goal_texts = [_short(part) for part in self._goals]
        at = self._layout.places(self._layout.fixed)
        self._fixed = {name: place for name, place in at.items() if not self._layout.moves(name)}
        self._changing = frozenset(name for name in self._fixed if self._styles.variants(name) > 1)

    @cached_property
    def ground(self) -> Ground:
        """The part of the picture that no move changes."""
        layout, things, across = self._layout, self.script.things, self._looks.across
        area = {name: layout.body(name)[0] * layout.body(name)[1] for name in things}
        lowest, standing = self._first_lines()
        order = sorted(things, key=lambda name: (-area[name], lowest.get(name, 0), things[name]))
        looks = self._shared_looks(order)
        rows, columns = layout.rows, layout.columns
        fixed: list[Piece] = [
            (self._look_names[name, 0], *self._fixed[name], name)
            for name in order
            if name in self._fixed and name not in self._changing
        ]
        marks = self._marks()
        looks |= {"goal mark": Look(*GOAL, text="×", role="goal", label="")} if marks else {}
        fixed += [("goal mark", row, column, "") for row, column in marks]
        shapes: list[Shape] = [Rect(0, 0, columns, rows, 0.1, fill="floor")]
        if any(layout.shape(name) not in ("frame", "peg", "cell") for name in standing):
            shapes.append(Path([(0.05, rows), (columns - 0.05, rows)], line="wall", thick=0.1))
        shapes += [At(row, column, look) for look, row, column, _ in fixed]
        lines = terminal(Ground(rows, columns, looks, step=(1, across)), fixed).split("\n")
        places, high, wide = self._goal_places(rows, columns)
        looks |= self._goal_looks()
        if places:
            shapes.append(Text(0.1, places[0][0] + 0.5, "goal", GOAL_LETTERS, left=True))
            lines += [*([""] * (round(places[0][0]) - len(lines))), "goal"]
        aims = tuple(self._goal_texts)[:MOST_GOALS]
        return Ground(high, wide, looks, shapes, "\n".join(lines), (1, across), role="ink", aims=aims)

    def _shared_looks(self, order: Iterable[str]) -> dict[str, Look]:
        """Return the looks of things by name; equal looks are shared, since boards have many cells."""
        names: dict[Look, str] = {}
        self._look_names.clear()
        for name in order:
            for variant in range(self._styles.variants(name)):
                own = f"{name}~{variant}" if variant else name
                self._look_names[name, variant] = names.setdefault(self._looks.look(name, variant), own)
        return {name: look for look, name in names.items()}

    def _first_lines(self) -> tuple[Mapping[str, int], set[str]]:
        """Return by thing the first line that may place it, and the things that may stand on the ground."""
        found: dict[str, int] = {}
        standing: set[str] = set()
        for number, place in enumerate(self.script.block.places):
            for name in self.script.candidates(place, place.thing):
                found.setdefault(name, number)
                if not place.relation and place.row is None:
                    standing.add(name)
        return found, standing

    def _marks(self) -> list[Point]:
        """Return the places of goal marks: fixed places in which the goal, with the static facts, wants something."""
        semantics, found = self._semantics, dict[Point, None]()
        wanted = [part for part in self._goals if isinstance(part, Atom)]
        atoms = [atom for atom in wanted if atom.predicate in semantics.fluent_predicates]
        init = [atom for atom in semantics.task.problem.init if atom.predicate in semantics.static_predicates]
        world = World(semantics.types, fact_tables(init), atoms)
        for where in self.script.placed(world).values():
            if where.target in self._fixed and self.script.block.places[where.line].relation == "at":
                row, column = self._fixed[where.target]
                wide, high = self._layout.body(where.target)
                found[row + (high - 1) / 2, column + (wide - 1) / 2] = None
        return list(found)

    def _goal_places(self, rows: float, columns: float) -> tuple[list[Point], float, float]:
        """Return the places of the parts of the goal, below the board, and the size of the whole picture."""
        number = len(self._goals)
        texts = self._goal_texts if number <= MOST_GOALS else [f"{number} of {number}"]
        if not texts:
            return [], rows, columns
        most, across = max(map(len, texts)), self._looks.across
        width = most * GOAL_LETTER + 0.8
        step, indent = max(width, (most + 6) / across), max(HEADING, 5 / across)
        abreast = max(1, int((columns - indent) / step))
        top = rows + BELOW
        places = [(top + number // abreast, indent + (number % abreast) * step) for number in range(len(texts))]
        return places, places[-1][0] + 1, max(columns, indent + (abreast - 1) * step + width)

    def _goal_looks(self) -> dict[str, Look]:
        """Return the looks of the parts of the goal, true and false."""
        most = len(self._goals)
        if most > MOST_GOALS:
            return {f"goal {held}": _goal_look(f"{held} of {most}", held == most) for held in range(most + 1)}
        parts = [(number, words, held) for number, words in enumerate(self._goal_texts) for held in (False, True)]
        return {f"goal {number}{'!' * held}": _goal_look(words, held) for number, words, held in parts}

    def pieces(self, atoms: frozenset[Atom]) -> Sequence[Piece]:
        _ = self.ground  # computing it names the looks
        if atoms not in self._kept:
            if len(self._kept) >= KEPT:
                self._kept.clear()
            self._kept[atoms] = tuple(self._pieces(self._semantics.world(atoms)))
        return self._kept[atoms]

    def _pieces(self, world: World) -> Iterator[Piece]:
        variants = self._styles.variants_now(world)
        for name, (row, column) in self._layout.places(self.script.placed(world)).items():
            if name not in self._fixed or name in self._changing:
                yield self._look_names[name, variants.get(name, 0)], row, column, name
        held = [world.holds(part, {}) for part in self._goals]
        spots = self._goal_places(self._layout.rows, self._layout.columns)[0]
        if len(self._goals) > MOST_GOALS:
            yield f"goal {sum(held)}", *spots[0], "goal"
        else:
            yield from ((f"goal {at}{'!' * held[at]}", *spot, f"goal {at}") for at, spot in enumerate(spots))


def _short(part: Condition) -> str:
    """Return a part of a goal as a text: `on a b`."""
    words = text(part, {})
    return words[1:-1] if isinstance(part, Atom) else words if len(words) <= 60 else words[:59] + "…"


def _goal_look(words: str, held: bool) -> Look:
    """Return a part of the goal, with a box that has a mark if it holds."""
    box: list[Shape] = [Rect(0.12, 0.32, 0.36, 0.36, 0.06, fill="goal" if held else "floor", line="goal", thick=0.05)]
    if held:
        box.append(Path([(0.2, 0.51), (0.28, 0.59), (0.41, 0.41)], line="floor", thick=0.06))
    mark, state = ("[x] ", "holds") if held else ("[ ] ", "is missing")
    box.append(Text(0.62, 0.5, words, GOAL_LETTERS, left=True))
    return Look(*box, text=mark + words, role="goal", label=f"goal {words} {state}")


# Faults of picture lines for `lint`: warnings, since the game can still be played.


def picture_faults(text: str, name: str, tasks: Iterable[Task] = ()) -> list[Fault]:
    """Return the faults of a domain's picture lines.

    Some show only with a task; they are reported for the first task that has any.
    """
    if not has_block(text):
        return []
    try:
        domain = parse_domain(text, name)
    except (ParseError, UnsupportedFeature):
        return []  # a text with errors gets no further warnings
    return _faults(text, name, domain, (), [task for task in tasks if not has_own_block(task)])


def problem_picture_faults(text: str, name: str, task: Task) -> list[Fault]:
    objects = [item.name for item in task.problem.objects]
    return _faults(text, name, task.domain, objects, [task]) if has_block(text) else []


def has_own_block(task: Task) -> bool:
    """Return whether the problem of a task has picture lines, which replace the domain's."""
    span = task.problem.span
    return span is not None and has_block(span.source.text)


def _faults(text: str, name: str, domain: Domain, objects: Iterable[str], tasks: Iterable[Task]) -> list[Fault]:
    block, errors = read_tolerantly(text, domain, name, objects)
    try:
        for task in () if errors else tasks:
            _ = LevelPicture(block, Semantics(task)).ground
    except ParseError as error:
        errors = [error]
    return [
        Fault(
            each.file, each.line, each.column, WARNING, each.message, each.line, each.column and each.column + 1, CODE
        )
        for each in errors
    ]
