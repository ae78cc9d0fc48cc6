"""Replay of moves by a game's rules, decoding of plans to moves, and phrases for costs and pushes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from unpuzzle.base.errors import IllegalMove, ModelMismatch, UnsupportedFeature
from unpuzzle.base.run import Limits, Run, current, phase, within_limits
from unpuzzle.base.text import count
from unpuzzle.base.values import Record
from unpuzzle.model.capabilities import Translated, offered
from unpuzzle.model.classes import fault_at, place_of
from unpuzzle.model.collection import Collected, CollectedSolution
from unpuzzle.model.position import Game, Position
from unpuzzle.model.task import task_of
from unpuzzle.pddl.nodes import Domain, GroundAction, Task

_PUSHES = ("push", "pushes")
_OTHERS = ("move besides walking", "moves besides walking")
TRANSLATING = "translating the rules into PDDL"


class Replay(Record):
    """The outcome of replaying a sequence of moves.

    Attributes:
        position: the last position that was reached.
        legal: whether all moves are legal.
        solved: whether all moves are legal and lead to a goal.
        cost: of the moves that were played.
        step: the number, from 1, of the first illegal move, or None.
        reason: a sentence on why the position is not solved; empty if it is.
    """

    schema = "replay"

    position: Position
    legal: bool
    solved: bool
    cost: int
    step: int | None = None
    reason: str = ""


def replay(position: Position, moves: str | Iterable[str], *, limits: Limits | None = None) -> Replay:
    """Play moves (a sequence or a text) up to the first illegal move, and return the outcome. Raises LimitReached."""
    with Run(limits, "playing the moves"):
        cost = 0
        for step, move in enumerate(within_limits(as_moves(position, moves)), 1):
            try:
                following = position.apply(move)
            except IllegalMove as error:
                return Replay(position, False, False, cost, step, f"move {step} is illegal: {error}")
            cost += position.cost(move)
            position = following
        solved = position.solved()
        if not isinstance(solved, bool):
            raise fault_at(position, "solved", f"solved() gave {solved!r:.60}, which is neither True nor False")
        reason = "" if solved else "the goal is not reached after the last move"
        return Replay(position, True, not reason, cost, None, reason)


def as_moves(position: Position, moves: str | Iterable[str]) -> Iterable[str]:
    """Return the moves in a text or a sequence, one by one."""
    if not isinstance(moves, str):
        return moves

    collected = offered(position.game, Collected)
    return collected.moves_of(position, CollectedSolution(moves)) if collected else split_moves(position.game, moves)


def split_moves(game: Game, text: str) -> tuple[str, ...]:
    """Return the moves of a text: separated by blanks, or without blanks if all moves are single letters."""
    return game.read_moves(text)


def joined_moves(game: Game, moves: Iterable[str]) -> str:
    """Return moves as one line of text. Raises GameFault if `split_moves` could not read this line."""
    moves = tuple(moves)
    longer = next((move for move in moves if len(move) != 1), None)
    if longer is not None and game.one_letter_moves:
        remedy = "set `one_letter_moves = False` in its class, so that blanks separate moves"
        message = f"the move {longer!r} has several letters, and the game says that all moves have one: {remedy}"
        raise fault_at(game, "one_letter_moves", message)
    return ("" if game.one_letter_moves else " ").join(moves)


def decoded_moves(position: Position, plan: Iterable[GroundAction]) -> tuple[str, ...]:
    """Decode the actions of a plan, and return the moves up to the first illegal move."""
    actions = tuple(plan)
    if offered(position, Translated) is not None:  # one translation serves all positions after the moves
        return tuple([position.decode(action) for action in actions])
    moves = decoded_anywhere(position, actions)
    if moves is not None:
        return tuple(moves)
    played: list[str] = []
    for action in within_limits(actions):
        played.append(position.decode(action))
        try:
            position = position.apply(played[-1])
        except IllegalMove:
            break
    return tuple(played)


def require_solution(
    position: Position, moves: Sequence[str], cost: int | None, *, model: str = "the PDDL differs"
) -> None:
    """Raise ModelMismatch unless moves solve a level by the rules, at the cost that a model of the level gives.

    The rules must offer the first move: many rules make moves that nobody is offered, so that nobody can play them.
    """
    verdict = replay(position, moves)
    said = verdict.reason or f"the moves cost {verdict.cost}, the plan costs {cost}"
    if verdict.solved and (cost is None or verdict.cost == cost):
        if not moves or moves[0] in position.moves():
            return
        said = "the rules do not offer the first move"
    raise ModelMismatch(f"{model} from the rules: {said} (moves {' '.join(moves)}); `check` finds the difference")


def looks_at_position(position: Position, actions: Iterable[GroundAction]) -> UnsupportedFeature:
    """Return the error for a game whose `decode` needs a position, for use where actions are decoded without one."""
    game = position.game
    action = next((action for action in actions if decoded_anywhere(position, [action]) is None), None)
    shown = "an action" if action is None else str(action)
    file, line = place_of(position, "decode")
    method = "decode()" if line else "the table `actions`"
    place = f" ({file}:{line})" if line else ""
    return UnsupportedFeature(
        f"{method} of {game.name}{place} needs the position to find the move of {shown}, and here all actions are "
        "translated at once: let it depend on the action's name and arguments, and give the action in the domain a "
        "parameter, such as a direction, for the missing information",
        feature="moves that depend on the position",
    )


def decoded_anywhere(position: Position, actions: Iterable[GroundAction]) -> list[str] | None:
    """Decode actions without a position, and return the moves; None if `decode` needs the position."""
    if position.game.moves_are_actions:
        return [position.decode(action) for action in actions]
    kind = type(position)
    blank = kind.__new__(kind)
    try:
        if not isinstance(position.game, type):
            blank.game = position.game  # type: ignore[misc]
        return [blank.decode(action) for action in actions]
    except Exception:  # the empty position may cause any error
        return None


def cost_in_words(position: Position, cost: int) -> str:
    """Return the cost of moves: `12 moves` if each move of the level costs 1, otherwise `cost 12`."""
    return count(cost, "move") if position.unit_cost() else f"cost {cost:,}"


def pushing(subject: Position | Task | Domain | Game) -> bool:
    """Return whether moves that are not walks are called "pushes", as the game says or action names suggest."""
    if isinstance(subject, Task | Domain):
        domain = subject.domain if isinstance(subject, Task) else subject
        return any("push" in action.name for action in domain.actions)
    game = subject.game if isinstance(subject, Position) else subject
    return any("push" in name.lower() for name in game.actions) if game.pushing is None else game.pushing


def noun_of_pushes(subject: Position | Task | Game) -> tuple[str, str]:
    """Return the singular and plural of the noun for moves that are not walks, such as `push`."""
    return _PUSHES if pushing(subject) else _OTHERS


def task_within(position: Position) -> Task:
    """Return the PDDL task of a position, built within the limits of the current run.

    Raises LimitReached, and UnsupportedFeature for a position without PDDL.
    """
    with phase(TRANSLATING):
        current().look()
        translated = offered(position, Translated)
        if translated is not None:
            translated.translate()
        task = position.task() if type(position).task is not Position.task else task_of(position)
        current().look()
        return task
