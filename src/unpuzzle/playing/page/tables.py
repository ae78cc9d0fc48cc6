"""A level's whole state space in a few bytes per state, so that a web page can play the level without rules.

States are numbered breadth-first. The page's script (`player.js`) reads, in this order:

    moves       by state, a bit mask of the level's moves
    targets     for each of them 0 for the next new state; k for the k-th of the earlier states that lead here, which
                makes the way back cheap; above those, the distance from the newest state
    distances   by state, to a goal, minus the distance of the state that it was first reached from; 0 is a dead end,
                after which nothing follows, since all states behind it are dead ends, too
    goals       the gaps between their numbers
    pictures    the placements (and facts) of the start, then all changes; and for each state its change

All is deflated afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, chain, islice
from typing import Any

from unpuzzle.base.errors import DependencyMissing, LimitReached, UnsupportedFeature
from unpuzzle.base.run import checkpoint, within_limits
from unpuzzle.drawing import Ground
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.nodes import Atom
from unpuzzle.pddl_game.game import PddlPosition
from unpuzzle.planners.native import missing
from unpuzzle.planners.native.grounding.common_ground import CommonGround
from unpuzzle.planners.native.grounding.fdr import Fact, FDRTask, Operator
from unpuzzle.planning.translating import task_within
from unpuzzle.playing.page.facts import (
    CostedMove,
    Seen,
    board_of,
    distinct,
    facts_of,
    has_board,
    natural,
    number_facts,
    numbered,
    write,
    write_gaps,
)
from unpuzzle.playing.page.signs import Facts, Signs, signs_of, walk
from unpuzzle.puzzle.capabilities import Pictured, offered
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import decoded_anywhere, looks_at_position
from unpuzzle.rendering.animation import common_ground
from unpuzzle.spaces.exploration import Exploration
from unpuzzle.spaces.space import Space

Edge = tuple[int, int]
"""A move's number, and the number of its target state."""


class StateTable:
    """A state space with numbered moves and states, for a web page.

    `moves` have their costs, in the order of their numbers. By state there are `positions`, `edges`, the least cost to
    a goal (`left`, -1 in a dead end) and the state that it was first reached from (`parents`, -1 for the start).
    `goals` are the solved states, `ground` is the ground of all positions, and `numbers` has all placements, and all
    facts of a PDDL game (`facts.py`).
    """

    def __init__(self, exploration: Exploration) -> None:
        space = exploration.space
        of_operator: list[CostedMove] = list(zip(exploration.moves, space.costs, strict=True))
        self.moves: list[CostedMove] = sorted(set(of_operator), key=natural)
        self.positions: list[Position] = [exploration.position(0)]
        self.edges: list[list[Edge]] = []
        self.parents: list[int] = [-1]
        numbers = {move: number for number, move in enumerate(self.moves)}
        order = self._number_states(space, [numbers[move] for move in of_operator])
        left, goals = space.goal_distance.tolist(), space.goals.tolist()
        self.left: list[int] = [left[state] for state in order]
        self.goals: list[int] = [number for number, state in enumerate(order) if goals[state]]
        pictures = [board_of(position) for position in within_limits(self.positions)]
        self.ground: Ground = common_ground([ground for ground, _ in pictures])
        pieces = [distinct(pieces) for _, pieces in pictures]
        facts = [facts_of(position) for position in within_limits(self.positions)]
        placed = numbered(self.ground, chain.from_iterable(pieces))
        self.numbers: dict[Seen, int] = number_facts(placed, chain.from_iterable(facts))
        self._seen = [[*row, *more] for row, more in zip(pieces, facts, strict=True)]

    def _number_states(self, space: Space[Any], moves: Sequence[int]) -> list[int]:
        """Fill in positions, edges and parents; return the states of the space in their new order."""
        offsets, operators, targets = space.offsets.tolist(), space.operators.tolist(), space.targets.tolist()
        order, numbers = [0], {0: 0}
        for number, state in enumerate(order):  # the list grows meanwhile
            checkpoint()
            arcs = [(moves[operators[arc]], targets[arc]) for arc in range(offsets[state], offsets[state + 1])]
            edges = []
            for move, target in sorted(arcs):
                if target not in numbers:
                    numbers[target] = len(order)
                    order.append(target)
                    self.positions.append(self.positions[number].apply(self.moves[move][0]))
                    self.parents.append(number)
                edges.append((move, numbers[target]))
            self.edges.append(edges)
        return order

    def packed(self) -> bytes:
        """Return the table as bytes, in the format that the module's docstring describes."""
        out = bytearray()
        for edges in self.edges:
            write(out, sum([1 << move for move, _ in edges]))
        self._pack_targets(out)
        write(out, self.left[0] + 1)
        for left, parent in zip(self.left[1:], self.parents[1:], strict=True):
            if self.left[parent] >= 0:
                change = left - self.left[parent]
                write(out, 0 if left < 0 else 1 + (2 * change if change >= 0 else -2 * change - 1))
        write_gaps(out, self.goals)
        self._pack_pictures(out)
        return bytes(out)

    def _pack_targets(self, out: bytearray) -> None:
        newest = 1
        before: list[list[int]] = [[] for _ in self.edges]
        for state, (near, edges) in enumerate(zip(before, self.edges, strict=True)):
            for _, target in edges:
                if target > state:
                    before[target].append(state)
                if target == newest:
                    newest += 1
                    write(out, 0)
                else:
                    write(out, near.index(target) + 1 if target in near else len(near) + newest - target)

    def _pack_pictures(self, out: bytearray) -> None:
        before: list[frozenset[int]] = []
        changes: dict[frozenset[int], int] = {}
        by_state = []
        for seen, parent in zip(self._seen, self.parents, strict=True):
            checkpoint()
            before.append(frozenset([self.numbers[each] for each in seen]))
            if parent >= 0:
                by_state.append(changes.setdefault(before[-1] ^ before[parent], len(changes)))
        write_gaps(out, sorted(before[0]))
        write(out, len(changes))
        for change in changes:
            write_gaps(out, sorted(change))
        for number in by_state:
            write(out, number)


# Levels with too many states for a table: a page plays by the ground operators of their PDDL, without hints.
#
# The operators come from the native core's grounding, in which a state gives every variable one of its values
# (`planners/native/grounding/fdr.py`). A **fact**, a variable with a value, has a number. For `player.js`:
#
#     variables    how many; of each how many values it has, and its value at the start
#     operators    how many; of each its move, its preconditions, and its effects: the conditions and the fact of each
#     axioms       how many; of each its layer, the fact that it derives and its body
#     goal         facts
#     pictures     by placement, fact and part of the goal (facts.py) the facts that are its sign; then the facts with
#                  unknown pieces: signs.py

TRIED = 60
"""The number of positions in which the moves of actions are computed."""


class GroundOperators:
    """The ground task of a level with numbered moves and facts, for a web page.

    `moves` have their costs, in the order of their numbers; `ground` is the ground of the pictures, and `numbers` has
    all placements. Facts that held in no position are `unseen`: their pieces may be missing.

    Raises UnsupportedFeature for games without PDDL, for moves or pieces that do not follow from the PDDL alone, and
    DependencyMissing without the compiled core.
    """

    def __init__(self, level: Position) -> None:
        by_facts = isinstance(level, PddlPosition)
        if offered(level, Pictured) is None and not by_facts:
            message = f"{level.game.name} does not describe pictures"
            raise UnsupportedFeature(message, feature="pieces of a text")
        self.task: FDRTask
        self.task, parts, always = _ground(level)
        self._firsts = list(accumulate([len(variable.values) for variable in self.task.variables], initial=0))
        of_operator = _moves(level, self.task.operators)
        self.moves: list[CostedMove] = sorted(set(of_operator), key=natural)
        numbers = {move: number for number, move in enumerate(self.moves)}
        self._move_numbers = [numbers[move] for move in of_operator]
        basic = [number for number, variable in enumerate(self.task.variables) if variable.layer < 0]
        every = frozenset([fact for number in basic for fact in range(self._firsts[number], self._firsts[number + 1])])
        placed: Signs = {}
        self.unseen: Facts = frozenset()
        if has_board(level):
            placed, self.unseen = signs_of(level, self._facts_of(basic), every)
        self.ground: Ground = board_of(level)[0]
        self._signs: dict[Seen, tuple[int, ...]] = dict(placed.items())
        if by_facts:
            self._signs |= self._signs_of_facts(basic, parts, always)
        facts = [each for each in self._signs if not isinstance(each, tuple)]
        self.numbers: dict[Seen, int] = number_facts(numbered(self.ground, placed), facts)

    def _signs_of_facts(
        self, basic: list[int], parts: Sequence[Sequence[Fact]], always: Iterable[Atom]
    ) -> dict[Seen, tuple[int, ...]]:
        """Return, for each atom and each numbered goal part, the facts that must hold for it to be true."""
        signs: dict[Seen, tuple[int, ...]] = dict.fromkeys(always, ())
        for number in basic:
            for fact, atom in enumerate(self.task.variables[number].values, self._firsts[number]):
                if atom is not None:
                    signs[atom] = (fact,)
        return signs | {number: tuple(sorted(self._numbered(part))) for number, part in enumerate(parts)}

    def _numbered(self, facts: Iterable[Fact]) -> list[int]:
        return [self._firsts[variable] + value for variable, value in facts]

    def _facts_of(self, basic: list[int]) -> Callable[[Position], Facts]:
        """Return a function from a position to facts: for each variable, the value whose atom is true there."""
        none = [-1] * len(basic)
        of_atom = {}
        for place, number in enumerate(basic):
            for fact, atom in enumerate(self.task.variables[number].values, self._firsts[number]):
                if atom is None:
                    none[place] = fact
                else:
                    of_atom[atom] = place, fact

        def facts_of(position: Position) -> Facts:
            facts = none.copy()
            for atom in position.atoms():
                if atom in of_atom:
                    place, fact = of_atom[atom]
                    facts[place] = fact
            return frozenset(facts)

        return facts_of

    def packed(self) -> bytes:
        """Return the operators as bytes, in the format that the comment above the class describes."""
        out = bytearray()
        write(out, len(self.task.variables))
        for variable, value in zip(self.task.variables, self.task.initial, strict=True):
            write(out, len(variable.values))
            write(out, value)
        write(out, len(self.task.operators))
        for operator, move in zip(self.task.operators, self._move_numbers, strict=True):
            checkpoint()
            write(out, move)
            self._pack_facts(out, operator.precondition)
            write(out, len(operator.effects))
            for effect in operator.effects:
                self._pack_facts(out, effect.conditions)
                write(out, self._firsts[effect.variable] + effect.value)
        write(out, len(self.task.axioms))
        for rule in self.task.axioms:
            write(out, self.task.variables[rule.variable].layer)
            write(out, self._firsts[rule.variable] + 1)
            self._pack_facts(out, rule.body)
        self._pack_facts(out, self.task.goal)
        for seen in self.numbers:
            write_gaps(out, self._signs[seen])
        write_gaps(out, sorted(self.unseen))
        return bytes(out)

    def _pack_facts(self, out: bytearray, facts: Iterable[Fact]) -> None:
        write_gaps(out, sorted(self._numbered(facts)))


def _ground(level: Position) -> tuple[FDRTask, Sequence[Sequence[Fact]], frozenset[Atom]]:
    """Return the ground task with all operators and facts, even those that are irrelevant to the goal.

    Also return the facts of each part of the goal, and the atoms that are true in all states.
    """
    absent = missing()
    if absent is not None:
        raise DependencyMissing(f"no ground operators: {absent}", dependency="native")
    task = task_within(level)
    goals = [task.problem.goal, *(conjuncts(task.problem.goal) if isinstance(level, PddlPosition) else ())]
    common = CommonGround(task, [frozenset(task.problem.init)], goals, faithful=True)
    never = [(0, 0), (0, 1)]  # a variable with two values at once
    goal, *parts = [never if facts is None else facts for _, facts in map(common.goal, goals)]
    whole = common.fdr()
    ground = FDRTask(whole.variables, common.initial(0), goal, whole.operators, whole.axioms)
    return ground, parts, common.certain()


def _moves(level: Position, operators: Sequence[Operator]) -> list[CostedMove]:
    """Return the move and the cost of each operator.

    A `decode` that depends on its position is called in some positions, and must give the same answers in all of them.
    """
    actions = [operator.action for operator in operators]
    names = decoded_anywhere(level, actions)
    if names is None:
        try:
            names = [level.decode(action) for action in actions]
            same = True
            for position in islice(walk(level), TRIED):
                checkpoint()
                same = same and [position.decode(action) for action in actions] == names
        except LimitReached:
            raise
        except Exception as error:  # a method may fail in any way for an action that is not applicable there
            raise looks_at_position(level, actions) from error
        if not same:
            raise looks_at_position(level, actions)
    return [(name, operator.cost) for name, operator in zip(names, operators, strict=True)]
