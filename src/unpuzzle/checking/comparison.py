"""One step of check(): a position beside a PDDL state, and a move beside its actions.

Atoms are compared for every predicate that some action's effect changes, in the puzzle's own domain or in the one that
is checked: an effect that is missing may make a predicate static.
"""

from __future__ import annotations

from unpuzzle.errors import IllegalMove, ParseError
from unpuzzle.pddl.semantics import Semantics

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from unpuzzle.pddl.nodes import Atom, GroundAction, Task
    from unpuzzle.puzzle.position import Position

    State = frozenset[Atom]


class Parted(Exception):
    """Rules and PDDL do not say the same: in words, what the `rules` say and what the `pddl` says."""

    def __init__(self, rules: str, pddl: str) -> None:
        super().__init__(rules, pddl)
        self.rules = rules
        self.pddl = pddl


class Comparison:
    """The rules of a puzzle and the meaning of a task; every method raises `Parted` where they differ."""

    def __init__(self, puzzle: Position, task: Task) -> None:
        self.semantics = Semantics(task)
        ours = Semantics(puzzle.task())
        fluents = ours.fluent_predicates | self.semantics.fluent_predicates
        self._static = frozenset(atom for atom in self.semantics.initial if atom.predicate not in fluents)

    def pair(self, position: Position, state: State) -> dict[str, list[GroundAction]]:
        """Compares legal moves and goal; returns the applicable actions by move."""
        options: dict[str, list[GroundAction]] = {}
        legal = position.moves()
        for action in self.semantics.applicable(state):
            try:
                options.setdefault(position.decode(action), []).append(action)
            except ParseError as error:
                pddl = f"an applicable action stands for no move: {error.message}"
                raise Parted(f"the legal moves are {listed(legal)}", pddl) from error
        for move, actions in options.items():
            if move not in legal:
                raise Parted(_why_illegal(position, move), f"{move} is possible: {listed(actions)} is applicable")
        for move in legal:
            if move not in options:
                raise Parted(f"{move} is legal", f"{move} is impossible: no applicable action stands for it")
        self._goal(position, state)
        return options

    def _goal(self, position: Position, state: State) -> None:
        solved = position.solved()
        if solved == self.semantics.solved(state):
            return
        if solved:
            raise Parted("the puzzle is solved", f"the goal does not hold: {self.semantics.why_unsolved(state)}")
        raise Parted("the puzzle is not solved", "the goal holds")

    def move(
        self, position: Position, state: State, move: str, actions: Iterable[GroundAction]
    ) -> tuple[Position, State]:
        """Compares the cost and the outcome of a legal move with those of each action for it; returns the outcome."""
        successor, cost = position.apply(move), position.cost(move)
        following = state
        for action in actions:
            if (actual := self.semantics.cost(action)) != cost:
                raise Parted(f"{move} costs {cost}", f"{action} costs {actual}")
            following = self.semantics.apply(state, action)
            self.atoms(successor, following, f" after {action}")
        return successor, following

    def atoms(self, position: Position, state: State, after: str = "") -> None:
        """Compares a position with a state, atom by atom."""
        expected, actual = position.atoms(), state - self._static
        if actual != expected:
            raise Parted(_only_here(expected - actual, ""), _only_here(actual - expected, after))


def _why_illegal(position: Position, move: str) -> str:
    try:
        position.apply(move)
    except IllegalMove as error:
        return f"{move} is illegal: {str(error).removeprefix(move + ': ')}"
    return f"{move} is not among the legal moves, which are {listed(position.moves())}"


def _only_here(atoms: Iterable[Atom], after: str) -> str:
    """What one side says and the other does not, at most three atoms of it."""
    here = sorted(map(str, atoms))
    if not here:
        return f"nothing true here is false on the other side{after}"
    more = f" and {len(here) - 3} more" if len(here) > 3 else ""
    return f"true here, false on the other side{after}: {listed(here[:3])}{more}"


def listed(things: Iterable[object]) -> str:
    """`a, b, c`, or `none`."""
    return ", ".join(map(str, things)) or "none"
