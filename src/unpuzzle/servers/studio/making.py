"""Results made from a level: similar levels, the state graph, a plan step by step, pages and pictures."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from contextlib import suppress
from math import ceil
from typing import Any

from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.base.outcomes import SOLVED_OPTIMALLY, verdict_of_status
from unpuzzle.base.run import Limits, current, phase
from unpuzzle.base.text import count
from unpuzzle.generation.generating import Generation, generate
from unpuzzle.model.capabilities import options_of
from unpuzzle.model.position import Position
from unpuzzle.model.replaying import cost_in_words
from unpuzzle.pddl_game.game import PlanTracing
from unpuzzle.play.web_page import PlayableLevel, page, playable_levels
from unpuzzle.processes.pool import Data, Tell
from unpuzzle.rendering.analysis import space_svg
from unpuzzle.rendering.paper import BookletEntry, Front, booklet
from unpuzzle.rendering.saving import KINDS, kind_of, render
from unpuzzle.rendering.scenes import Scene
from unpuzzle.rendering.svg import svg_of
from unpuzzle.servers.studio.texts import Opened, open_text
from unpuzzle.solving import solve
from unpuzzle.state_space.exploration import explore

COUNT = 6
"""The number of similar levels made at once."""
MOST_STATES = 20_000
EASIER, HARDER = 0.7, 1.6
"""Bounds on the cost of similar levels, relative to the level's cost."""
PAGE, SHEET, FILM = ".html", ".pdf", ".gif"
MOST_LETTERS = 5_000
"""The most letters of a sheet's title, its author, and its rules."""
SHARE = 0.8
"""The share of the time for generating, so that the levels found can still be drawn."""


def like(request: Data, tell: Tell) -> Data:
    """Make similar levels, with about the same cost if that is known; report each new level at once."""
    opened = open_text(request)
    level, cost = opened.level(request["level"]), request.get("cost")
    starts = "from" in options_of(level.game)
    # Random levels of a puzzle without `from` have costs of their own.
    bounds = (1, None) if not cost or not starts else (max(1, ceil(cost * EASIER)), ceil(cost * HARDER) + 1)
    pictures: dict[str, Data] = {}
    left = current().time_left()

    def found(generation: Generation) -> None:
        known = len(pictures)
        for each in generation.levels:
            if each.text not in pictures:
                position = level.game.parse(each.text)
                words = cost_in_words(position, each.cost)
                made = {"text": each.text, "cost": each.cost, "words": words, "picture": svg_of(position)}
                pictures[each.text] = made
        if len(pictures) > known:
            tell({"levels": list(pictures.values())[:COUNT]})

    source, limits = {"from": (level.text,)} if starts else {}, Limits(left and left * SHARE)
    settings: dict[str, Any] = {"count": COUNT, "moves": bounds, "limits": limits, "progress": found}
    generation = generate(level.game, source, seed=int(request.get("seed", 0)), **settings)
    found(generation)
    return {"levels": list(pictures.values())[:COUNT], "candidates": generation.candidates, "status": generation.status}


def graph(request: Data, tell: Tell) -> Data:
    """Draw all positions of a level, and the moves between them."""
    position = open_text(request).level(request["level"]).position()
    with phase("exploring"):
        exploration = explore(position, max_states=MOST_STATES)
        if not exploration.complete:
            why = f"not all positions were seen: {exploration.reason or exploration.status}"
            return {"error": why, "verdict": verdict_of_status(exploration.status)}
        picture = space_svg(exploration)
        states, dead = count(exploration.states, "position"), count(exploration.dead_ends or 0, "dead end")
        return {"picture": picture, "words": f"all {states} of the level, {dead}"}


def plan(request: Data, tell: Tell) -> Data:
    """Find a plan for a problem and run the plan step by step; return what each action adds and deletes."""
    level = open_text(request).level(request["level"])
    position = level.position()
    result = solve(position)
    if result.moves is None:
        why = f"there is no plan to show: {result.message or result.status}"
        return {"error": why, "verdict": verdict_of_status(result.status)}
    tracing = PlanTracing(level.game, str(position), " ".join(result.moves))
    tracing.run()
    return {"trace": tracing.to_dict(), "optimal": result.status == SOLVED_OPTIMALLY, "cost": result.cost}


def export(request: Data, tell: Tell) -> Data:
    """Return the bytes of a file: a page to play on, a picture, an animation of the solution, or a sheet of levels."""
    opened, kind = open_text(request), request.get("kind", "")
    if kind not in KINDS:
        raise UsageError(f"'{kind}' is not a kind of file: the kinds are {', '.join(KINDS)}")
    kind_of(f"level{kind}")  # which says what has to be installed
    with phase("making the file"):
        if kind in (PAGE, SHEET):
            data = _page(opened, request) if kind == PAGE else _sheet(opened, request)
        else:
            position = opened.level(request["level"]).position()
            moves = request.get("moves", ()) if kind == FILM else ()
            data = render(Scene.of(position, moves), kind)
        return {"data": b64encode(data).decode(), "name": f"{_name(opened, request, kind)}{kind}"}


def _name(opened: Opened, request: Mapping[str, Any], kind: str) -> str:
    stem = opened.path.replace("\\", "/").rpartition("/")[2].rpartition(".")[0] or "puzzle"
    several = kind in (PAGE, SHEET) or len(opened.levels) == 1
    return stem if several else f"{stem}-{request['level']}"


def _positions(opened: Opened) -> list[tuple[str, Position]]:
    """Return the levels that can be read, each with a heading. Raises ParseError if none can be read."""
    if opened.error is not None:
        raise opened.error
    positions = []
    for level in opened.levels:
        with suppress(ParseError):
            positions.append((f"{level.name}. {level.title}" if level.title else level.name, level.position()))
    if not positions:
        raise ParseError("no level of this file can be read", file=opened.path)
    return positions


def _page(opened: Opened, request: Mapping[str, Any]) -> bytes:
    """Return a page on which all levels can be played; with `debug`, the page also shows which rules fire."""
    debug = bool(request.get("debug"))
    outcomes = list(playable_levels(_positions(opened), debug=debug))
    levels = [outcome for outcome in outcomes if isinstance(outcome, PlayableLevel)]
    if not levels:
        raise next(outcome for outcome in outcomes if isinstance(outcome, BaseException))
    return page(levels).encode()


def _sheet(opened: Opened, request: Mapping[str, Any]) -> bytes:
    """Return a booklet of all levels; each level gets a share of the time to find its best solution.

    The request may have its `title` and `author`, the `rules` of the game in words, and whether it has a `cover` and
    `solutions`.
    """
    positions, entries = _positions(opened), []
    solutions = bool(request.get("solutions", True))
    for number, (_, position) in enumerate(positions):
        left = (current().time_left() or 60.0) / (len(positions) - number + 1)
        result = solve(position, limits=Limits(left))
        known = result.status == SOLVED_OPTIMALLY and result.cost is not None
        words = cost_in_words(position, result.cost or 0) if known else ""
        entries.append(BookletEntry(position, words, result.moves if result.solved and solutions else None))
    names = ("title", "author", "rules")
    title, author, rules = [str(request.get(name) or "").strip()[:MOST_LETTERS] for name in names]
    title = title or positions[0][1].game.title or opened.path.rpartition("/")[2]
    return booklet(entries, title, front=Front(author, rules, bool(request.get("cover"))))
