"""One level in the studio: examined whenever its text changes, and played by the game's rules, key by key.

Judging tells the picture at once, then the solution, then what the whole state space says. A first round takes little
time, so that one endless level does not delay the answers for others; a level that it leaves undecided gets a second
round with all of its time.

A request to play has all moves so far, so that nothing is lost when a process ends. The session of the level that was
played last is kept: the next move then takes one step of the rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from unpuzzle.base.errors import LimitReached, UnpuzzleError, UnsupportedFeature
from unpuzzle.base.outcomes import CANCELLED, UNSOLVABLE, verdict_of_status
from unpuzzle.base.run import Limits, Run, checkpoint, current
from unpuzzle.base.text import count
from unpuzzle.explanation.reasons import explain_level
from unpuzzle.model.position import Position
from unpuzzle.model.replaying import cost_in_words, pushing
from unpuzzle.planning.result import Result
from unpuzzle.play.session import Guide, Session
from unpuzzle.play.web_page import debugger_of
from unpuzzle.processes.pool import Data, Tell
from unpuzzle.rendering.scenes import label_of
from unpuzzle.rendering.svg import picture_svg, svg_of
from unpuzzle.servers.studio.texts import open_text
from unpuzzle.solving import solve
from unpuzzle.state_space.surveying import SurveyRow, survey

FOR_SOLVING, FOR_EXPLORING = 0.5, 0.7
"""Shares of the time that is left."""
BY_RULES = "rules:bfs"
MOST_MOVES = 5_000
"""The longest solution that the page plays, in moves."""
MOST_STATES, SECONDS = 3_000, 0.4
"""The limits beyond which a level gets no count of remaining moves."""
MOST_CHOICES = 200
MOST_STEPS = 200
_SESSIONS: dict[tuple[Any, ...], Session] = {}


def judge(request: Data, tell: Tell) -> Data:
    """Report the picture and the solution of a level as soon as each is known; return all results."""
    level = open_text(request).level(request["level"])
    position = level.position()
    tell(pictured(position))
    with Run(current().share(FOR_SOLVING), "solving"):
        result = _solved(position)
    tell(_of_result(position, result))
    with Run(current().share(FOR_EXPLORING), "exploring"):
        row = _surveyed(position, level.name, result)
    badges = of_row(position, row, result.condition)
    decided = row.complete or row.status in ("unsupported", "bad_input")  # more time would give no more information
    answer = _of_result(position, result) | {"badges": badges, "cost": row.cost, "decided": decided}
    answer["verdict"] = {True: "yes", False: "no", None: verdict_of_status(row.status)}[row.solvable]
    if row.solvable is False:
        answer["why"] = _why(position)
    return answer


def pictured(position: Position) -> Data:
    """Return the picture of a position for the page, and a text for people who cannot see the picture."""
    return {"picture": svg_of(position), "words": f"{label_of(position)}\n{position.draw()}"}


def _solved(position: Position) -> Result:
    try:
        return solve(position)
    except UnsupportedFeature:  # no PDDL: the rules are searched
        return solve(position, BY_RULES)


def _of_result(position: Position, result: Result) -> dict[str, Any]:
    moves = list(result.moves or ())[:MOST_MOVES] if result.solved else None
    message = "" if result.solved or result.status == UNSOLVABLE else result.message
    return {"badges": of_result(position, result), "moves": moves, "message": message}


def _surveyed(position: Position, name: str, result: Result) -> SurveyRow:
    """Return figures on all states of a level or, if the level is too large to explore, the result of the search."""
    if result.status == CANCELLED:
        raise LimitReached(CANCELLED, "the work on this level was cancelled")
    row = survey(position.game, [name], read=lambda _: position)[0]
    if row.status == CANCELLED:
        raise LimitReached(CANCELLED, "the work on this level was cancelled")
    if row.solvable is None and (result.solved or result.status == UNSOLVABLE):
        row = row.replace(solvable=result.solved)
    if row.cost is None and result.status == "solved_optimally":
        row = row.replace(cost=result.cost)
    return row


def _why(position: Position) -> list[str]:
    """Return the known reasons why a level has no solution; an empty list if no reason is known."""
    said = position.impossible()
    if said is not None:
        return [said]
    try:
        checkpoint()
        return [line for line in str(explain_level(position)).split("\n") if line][:6]
    except (UnpuzzleError, MemoryError):
        return []


# The answer about a level in a few words: badges, each with a tone and an explanation.
#
# Only proved facts are stated: everything else is `not known`.

GOOD, BAD, CARE, QUIET = "good", "bad", "care", "quiet"
"""Tones: as it should be, certainly wrong, worth a look, nothing to say."""
Badge = dict[str, str]


def badge(tone: str, text: str, about: str) -> Badge:
    """Return a badge (a short label on a level) as data for the page."""
    return {"tone": tone, "text": text, "about": about}


NO_SOLUTION = badge(BAD, "no solution", "It is proved that no moves solve this level.")


def of_result(position: Position, result: Result) -> list[Badge]:
    """Return the badges for a search result: the least number of moves, or that there is no solution."""
    if result.status == UNSOLVABLE:
        return [NO_SOLUTION]
    if result.cost is None:
        return []
    if result.status != "solved_optimally":
        return [
            badge(
                CARE,
                f"at most {result.cost}",
                f"It can be solved at a cost of {result.cost}; a cheaper solution may exist.",
            )
        ]
    return [_least(position, result.cost, result.condition)]


def _least(position: Position, cost: int, condition: str | None) -> Badge:
    words = cost_in_words(position, cost)
    if condition:
        return badge(CARE, words, f"The best solution, if {condition}: {words}.")
    return badge(GOOD, words, f"The best solution: {words}.")


def of_row(position: Position, row: SurveyRow, condition: str | None = None) -> list[Badge]:
    """Return the badges of a level, the most important first; `condition` says when its plan is surely optimal."""
    if row.solvable is False:
        return [NO_SOLUTION]
    if row.solvable is None:
        return [badge(QUIET, "not known", f"Whether it can be solved is not known: {row.message or row.status}.")]
    first = [badge(CARE, "solvable", "It can be solved; the best solution is not known.")]
    known = first if row.cost is None else [_least(position, row.cost, condition)]
    return [*known, *_further(row, pushing(position))]


def _further(row: SurveyRow, pushes: bool) -> Iterator[Badge]:
    """Yield the badges of a solvable level that follow the badge for its cost."""
    if pushes and row.pushes is not None:
        about = "The fewest moves that do more than walk, among the best solutions."
        yield badge(QUIET, count(row.pushes, "push", "pushes"), about)
    yield _ways(row)
    yield _traps(row)
    if row.states is not None and row.complete:
        yield badge(QUIET, count(row.states, "position"), "All positions that can be reached.")


def _ways(row: SurveyRow) -> Badge:
    """Return the badge for the number of best solutions."""
    what = "solution" if row.constrained else "best way"
    about = "Walking, and the order of things that do not touch, make no difference."
    if row.unique:
        return badge(GOOD, f"one {what}", f"There is exactly one. {about}" if not row.constrained else "Exactly one.")
    if row.unique is None:
        return badge(QUIET, f"{what}s not counted", f"How many there are is not known. {row.message}".strip())
    number = row.optimal_lines
    if row.constrained or number is None:
        return badge(CARE, f"several {what}s", "There is more than one.")
    return badge(CARE, f"{number:,} {what}s", f"The number of different best solutions. {about}")


def _traps(row: SurveyRow) -> Badge:
    """Return the badge for dead ends."""
    if row.dead_ends is None:
        return badge(QUIET, "traps not known", "Not all positions were seen.")
    if not row.dead_ends:
        return badge(GOOD, "no dead ends", "From every position that can be reached the goal can be reached, too.")
    about = f"In {row.dead_ends:,} of {row.states:,} positions the goal is out of reach."
    if row.shortest_trap is not None:
        about += f" The first can come after {count(row.shortest_trap, 'move')}."
    if not row.traps:
        return badge(CARE, "dead ends", f"{about} No single step from a best solution leads to one.")
    return badge(
        CARE,
        count(row.traps, "trap"),
        f"{about} On every best solution, one wrong step can make the level unsolvable at least this often.",
    )


def play(request: Data, tell: Tell) -> Data:
    """Make the moves of a request, then one more input: a move, a direction like `up`, `undo`, `restart` or `hint`."""
    session = _session(request)
    word = request.get("word", "")
    before = session.position
    news = session.obey(word) if word else ""
    if word == "hint" and session.hint:  # said, and to be made by another word
        news = f"a best move: {session.hint}"
    answer = _shown(session) | {"news": news or "", "hint": session.hint}
    if request.get("rules") and word:
        answer["rules"] = _rules(before, session, word)
    return answer


def _session(request: Data) -> Session:
    """Return a session for the level of a request, in which the moves of the request have been made."""
    key = tuple(request.get(name, "") for name in ("path", "text", "puzzle", "version", "level"))
    session = _SESSIONS.get(key)
    if session is None:
        position = open_text(request).level(request["level"]).position()
        session = Session(position, _guide(position), lambda _: "")
        _SESSIONS.clear()
        _SESSIONS[key] = session
    wanted = tuple(request.get("moves", ()))
    if session.history[: len(wanted)] == wanted:
        session.at = len(wanted)
    elif session.history != wanted:
        session.at = 0
        for move in wanted:
            session.obey(move)
    session.hint = None
    return session


def _guide(position: Position) -> Guide:
    try:
        with Run(Limits(time=SECONDS), "exploring"):
            return Guide.of(position, max_states=MOST_STATES)
    except (LimitReached, UnpuzzleError):
        return Guide(position)


def _shown(session: Session) -> dict[str, Any]:
    """Return the state of a game in play as data for the page."""
    position = session.position
    left = session.guide.left(position)
    return pictured(position) | {
        "moves": list(session.history),
        "spent": session.spent(),
        "choices": list(position.moves())[:MOST_CHOICES],
        "directed": session.directed,
        "deeds": session.deeds,
        "solved": position.solved(),
        "left": left if left is not None and left >= 0 else None,
        "lost": left == -1,
    }


# ---- which rules fired

KEYS = {"up": "u", "left": "l", "down": "d", "right": "r", "act": "x"}
"""The debugger's names of keys that make no move."""


def step(request: Data, tell: Tell) -> Data:
    """Draw the board before and after one step of a turn."""
    position = _session(request).position
    debugger = debugger_of(position)
    try:
        if debugger is None:
            raise IndexError
        boards = debugger.boards(position, str(request["key"]), int(request["turn"]), int(request["step"]))
    except (IndexError, KeyError, TypeError, ValueError):
        return {"error": "there is no such step here"}
    labels = {name: f"the board {name} this step" for name in ("before", "after")}
    pairs = zip(labels.items(), boards, strict=True)
    return {name: picture_svg(board, (), label=label) for (name, label), board in pairs}


def _rules(before: Position, session: Session, word: str) -> dict[str, Any] | None:
    """Return the turns that a key caused, with the rules that fired; None for a game without such rules."""
    debugger = debugger_of(before)
    if debugger is None:
        return None
    moved = session.at > 0 and session.position is not before and word not in ("undo", "redo", "restart", "hint")
    key = session.history[-1] if moved else KEYS.get(word, word)
    turns = debugger.turns(before).get(key)
    if turns is None:
        return None
    sources = debugger.head()["rules"]
    moves = list(session.history[:-1] if moved else session.history)
    return {"key": key, "moves": moves, "turns": [_turn(turn, sources) for turn in turns]}


def _turn(turn: list[Any], sources: dict[str, str]) -> dict[str, Any]:
    why, ends, steps, left_out = turn
    told = [_step(number, step, sources) for number, step in enumerate(steps[:MOST_STEPS])]
    shown = [each for each in told if each is not None]
    return {"why": why, "ends": ends, "steps": shown, "left": left_out + max(0, len(steps) - MOST_STEPS)}


def _step(number: int, step: list[Any], sources: dict[str, str]) -> dict[str, Any] | None:
    """Return a step of a turn as data for the page; None for a step that players need not see."""
    kind, line, direction, late, _, changes, commands = step
    if kind not in ("rule", "movement", "commands", "rigid"):
        return None
    words = {
        "movement": "movement",
        "rigid": "taken back: rigid bodies could not move",
        "commands": f"queues {', '.join(commands)}",
    }.get(kind, f"{'late ' if late else ''}{direction}".strip())
    return {
        "number": number,
        "drawn": bool(changes),
        "line": line or None,
        "words": words,
        "rule": sources.get(str(line), ""),
        "changes": _changes(changes),
    }


def _changes(changes: list[Any]) -> list[str]:
    """Return the changes of cells by a step in words, at most twelve."""
    told = [f"r{row + 1}c{column + 1} {words}" for row, column, _, _, _, words in changes[:12] if words]
    return told + ([f"and {len(changes) - 12} more"] if len(changes) > 12 else [])
