"""Compare one step for check(): a position with a PDDL state, and a move with its actions.

PDDL states are integers (`pddl.compiled`). The atoms of all predicates that some action changes are compared, whether
the action is in the puzzle's own domain or in the checked one: a missing effect may make a predicate static.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unpuzzle.base.errors import IllegalMove, ParseError
from unpuzzle.base.text import listed
from unpuzzle.checking.report import ATOMS, COST, FOREIGN, IMPOSSIBLE, MERGED, POSSIBLE, SOLVED, UNSOLVED
from unpuzzle.pddl.compiled import CompiledSemantics, Operator
from unpuzzle.pddl.nodes import Atom, Task
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.puzzle.faults import only, require_once
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import decoded_anywhere
from unpuzzle.puzzle.task import atom

Atoms = frozenset[Atom]
Options = dict[str, list[Operator]]
"""The applicable operators by move."""

MOVES_LISTED = 12
ATOMS_LISTED = ACTIONS_LISTED = 3
_KEPT = 50_000
"""The most combinations of operators and legal moves that are remembered as agreeing."""


@dataclass(eq=False)
class Parted(Exception):
    """A difference between rules and PDDL: the statements of the `rules` and of the `pddl`, in words.

    `kind` and `atoms` are as in `Difference`; `known` is the number of an earlier position that is wrongly equal to the
    current one, or None.
    """

    rules: str
    pddl: str
    kind: str = ""
    atoms: Atoms | None = None
    known: int | None = None


class StepComparison:
    """A comparison of a puzzle's rules with a task, by default its own; raises `Parted` if they differ.

    `own` is the task of the puzzle, `initial` the first PDDL state, `start` its atoms of the compared predicates.
    """

    def __init__(self, own: Task, task: Task | None) -> None:
        ours = Semantics(own)
        self._semantics = ours if task is None else Semantics(task)
        self._states = CompiledSemantics(self._semantics, atom)
        self.initial: int = self._states.initial
        changing = ours.fluent_predicates | self._semantics.fluent_predicates
        self.start: Atoms = frozenset([each for each in self._semantics.initial if each.predicate in changing])
        self._constant = len(self.start) - self.initial.bit_count()
        self._moves: dict[Operator, str] = {}
        self._positional: set[Operator] = set()
        self._changes: dict[tuple[int, int], tuple[Atoms, Atoms]] = {}
        self._costs: dict[Operator, int] = {}
        self._agreed: dict[tuple[tuple[Operator, ...], tuple[str, ...]], Options] = {}

    def begin(self, position: Position) -> Atoms:
        """Compare the first position with the first PDDL state; return its atoms."""
        atoms = position.atoms()
        if atoms != self.start:
            raise _different(atoms, self.start)
        return atoms

    def pair(self, position: Position, legal: tuple[str, ...], state: int) -> Options:
        """Compare legal moves with applicable operators, and the goal; return the operators by move."""
        operators = self._states.applicable(state)
        options = self._agreed.get((operators, legal))
        if options is None:
            options = self._options(position, legal, operators, state)
        if position.solved() != self._states.solved(state):
            if not position.solved():
                raise Parted("the puzzle is not solved", "the goal holds", SOLVED)
            reason = self._semantics.why_unsolved(self._states.atoms(state))
            raise Parted("the puzzle is solved", f"the goal does not hold: {reason}", UNSOLVED)
        return options

    def _options(
        self, position: Position, legal: tuple[str, ...], operators: tuple[Operator, ...], state: int
    ) -> Options:
        """Return the operators by move, if these are exactly the legal moves."""
        require_once(position, legal)
        options: Options = {}
        for operator in operators:
            options.setdefault(self._decoded(position, legal, operator), []).append(operator)
        if options.keys() != set(legal):
            self._other_moves(position, legal, options, state)
        if self._moves.keys() >= set(operators):
            if len(self._agreed) == _KEPT:
                self._agreed.clear()
            self._agreed[operators, legal] = options
        return options

    def _decoded(self, position: Position, legal: Sequence[str], operator: Operator) -> str:
        """Return the move of an operator; remember it if it is the same in every position."""
        if operator in self._moves:
            return self._moves[operator]
        try:
            move = position.decode(operator.action)
        except ParseError as error:
            pddl = f"an applicable action is not a move: {error.message}"
            raise Parted(f"the legal moves are {listed(legal, MOVES_LISTED) or 'none'}", pddl, FOREIGN) from error
        if operator not in self._positional:
            if decoded_anywhere(position, [operator.action]) == [move]:
                self._moves[operator] = move
            else:
                self._positional.add(operator)
        return move

    def _other_moves(self, position: Position, legal: Sequence[str], options: Options, state: int) -> None:
        for move, operators in options.items():
            if move not in legal:
                verb = "is" if len(operators) == 1 else "are"
                pddl = f"{move} is possible: {listed(operators, ACTIONS_LISTED)} {verb} applicable"
                following = self._states.successor(state, operators[0])
                added, deleted = self._change(following & ~state, state & ~following)
                after = (position.atoms() - deleted) | added
                raise Parted(_why_illegal(position, move, legal), pddl, POSSIBLE, after)
        move = next(move for move in legal if move not in options)
        raise Parted(f"{move} is legal", f"{move} is impossible: no applicable action makes it", IMPOSSIBLE)

    def successor(self, state: int, move: str, cost: int, operator: Operator) -> int:
        """Compare the costs of a move and of an operator for it; return the PDDL state after it."""
        if self._costs.get(operator) != cost:
            actual = self._costs[operator] = self._states.cost(operator)
            if actual != cost:
                raise Parted(f"{move} costs {cost}", f"{operator} costs {actual}", COST)
        return self._states.successor(state, operator)

    def outcome(self, before: Atoms, state: int, operator: Operator, following: int, position: Position) -> Atoms:
        """Compare the position after a move with the state `following` after an operator; return its atoms.

        They agree if the position has all atoms added to `before`, none of the deleted ones, no other new one, and as
        many atoms as the state.
        """
        added, deleted = self._change(following & ~state, state & ~following)
        atoms = position.atoms()
        alike = len(atoms) == following.bit_count() + self._constant and atoms - before <= added
        if alike and added <= atoms and deleted.isdisjoint(atoms):
            return atoms
        raise _different(atoms, (before - deleted) | added, operator)

    def merged(self, known: int, before: int, state: int) -> Parted:
        """Return the difference between two states of equal positions; the first state has the number `known`."""
        first, second = self._change(before & ~state, state & ~before)
        pddl = f"two states: first {only(first)}, then {only(second)}"
        rules = "the two positions are equal: _key() leaves out the difference between them"
        return Parted(rules, pddl, MERGED, known=known)

    def _change(self, added: int, deleted: int) -> tuple[Atoms, Atoms]:
        change = self._changes.get((added, deleted))
        if change is None:
            change = self._changes[added, deleted] = self._states.atoms(added), self._states.atoms(deleted)
        return change


def _why_illegal(position: Position, move: str, legal: Sequence[str]) -> str:
    try:
        position.apply(move)
    except IllegalMove as error:
        return f"{move} is illegal: {str(error).removeprefix(move + ': ')}"
    return f"{move} is not among the legal moves, which are {listed(legal, MOVES_LISTED) or 'none'}"


def _different(rules: Atoms, pddl: Atoms, operator: Operator | None = None) -> Parted:
    """Return the difference between two sets of atoms."""
    after = "" if operator is None else f"after {operator}, "
    ours, theirs = _truths(rules - pddl, pddl - rules), _truths(pddl - rules, rules - pddl)
    return Parted(ours, f"{after}{theirs}", ATOMS, pddl)


def _truths(true: Iterable[Atom], false: Iterable[Atom]) -> str:
    """Return in words which atoms are true and which are not."""
    sides = ((sorted(map(str, atoms)), word) for atoms, word in ((true, "true"), (false, "false")))
    return ", ".join(
        f"{listed(names, ATOMS_LISTED)} {'is' if len(names) == 1 else 'are'} {word}" for names, word in sides if names
    )
