"""A web page on which levels can be played; it is one file and contains the data of each level.

    <meta Content-Security-Policy>    nothing is loaded, and only the script and the style with these hashes are used
    <style>, <script>                 player.css, facts.css and the colours of the looks; player.js and its helpers
    <script type="text/plain">        a level each: deflated, in base64

`player.js` shows and plays a level by `table.js` or `operators.js`; `names.js` adds named moves, `groups.js` grouped
buttons for actions with arguments, `keyed.js` the keys of another engine, `drag.js` draggable pieces, `debug.js` the
rules that fire, `set.js` several levels. None of them knows a rule of any puzzle. They are in the folder `page`; pages
contain smaller forms, from its folder `shrunk`, by `scripts/make/shrink_page_scripts.py`.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import accumulate, chain
from json import dumps
from re import compile
from typing import Any
from zlib import DEFLATED, compressobj, crc32

from unpuzzle.base.defaults import TABLE_STATES as MAX_STATES
from unpuzzle.base.distances import Explorer
from unpuzzle.base.errors import DependencyMissing, LimitReached, UnpuzzleError, UnsupportedFeature, UsageError
from unpuzzle.base.outcomes import GAVE_UP, UNSOLVABLE
from unpuzzle.base.run import Run, checkpoint, current, phase
from unpuzzle.base.text import cut
from unpuzzle.base.values import Record
from unpuzzle.drawing import Ground
from unpuzzle.drawing.covering import covered
from unpuzzle.model.capabilities import Debugger, Pictured, Traced, offered, required
from unpuzzle.model.position import Game, Position
from unpuzzle.pddl_game.game import PddlPosition
from unpuzzle.play.page_data import (
    MOST_ACCESSES,
    AccessCounter,
    GroundOperators,
    StateTable,
    in_groups,
    placements,
    words_about,
    write,
)
from unpuzzle.play.session import are_directions, letters_of
from unpuzzle.rendering.scenes import Scene
from unpuzzle.rendering.svg import LINES, SCOPE, board, escaped, frame, policy_hash, roles, style, symbols
from unpuzzle.rendering.themes import AUTO
from unpuzzle.solving import solve
from unpuzzle.state_space.exploration import Exploration, explore
from unpuzzle.state_space.space import RulesSpace, space_of, steps_by_rules

MOST_WITH_RULES = 2_000
"""The most positions of a level with rules on the page: about 1 MB."""
FEW = 3_000
"""The most states of a page that is made while a user waits."""
SCHEMES = {"light": "light", "print": "light", "dark": "dark"}
LEVEL = '<script type="text/plain" class="level">{}</script>'
SCRIPTS = (
    "operators.js",
    "table.js",
    "player.js",
    "names.js",
    "groups.js",
    "facts.js",
    "keyed.js",
    "drag.js",
    "debug.js",
    "set.js",
)
"""The scripts in the order in which a page has them."""
ADDRESS = compile(r"https?://[\w-]+(\.[\w-]+)+(:\d+)?(/[^\s\"'<>`\\]*)?")
SHAPES = "p"
"""The scope of the looks' names: a page shows one level at a time."""
NO_SOLUTION = "This level cannot be solved: {reason}."
LONGEST_TITLE = 40
"""The longest title; a longer message before a level is cut."""
SEARCHED = 40_000
"""The most states that a search for a solution may expand."""
PART = 1_000
"""The states of a table that is a part, if the solution does not need more."""
FREE = "It can be played, but this page has no hints for it"
AROUND_SOLUTION = "This page has one solution and the positions near to it"
AROUND_START = "This page has the positions near to the start, and no solution"
FILM = "Only one solution can be played here, by Solution or move by move."
LargeLevel = tuple[StateTable | GroundOperators, str, str, dict[str, Any]]
"""The data to play a large level, why there are no hints, why it cannot be solved, and the page's notes."""


class PlayableLevel(Record):
    """A level that is prepared for a web page."""

    position: Position
    title: str  # its name and, if there is one message before it, that message, cut if it is long
    states: int | None  # the number of states in its table; None if there are too many for one
    limitation: str  # why there are no hints, and the substitute; empty if there are hints
    unsolvable: str  # why it cannot be solved; empty if it can, or if that is unknown
    ground: Ground
    scripts: tuple[str, ...]
    head: dict[str, Any]  # the scripts' data as JSON
    data: bytes  # the scripts' data as bytes

    @classmethod
    def of(
        cls,
        position: Position,
        name: str = "",
        *,
        solution: Sequence[str] = (),
        max_states: int = MAX_STATES,
        progress: Callable[[int], None] | None = None,
        free: bool = True,
        debug: bool = False,
    ) -> PlayableLevel:
        """Explore a level, and prepare it for a web page.

        The page plays the moves of `solution` as its solution, otherwise a best one. If there are more than
        `max_states` states, it allows free play without hints or, if `free` is false or free play is impossible, only
        the solution. Half of the time is for exploring; `progress` is called with the number of states so far. `name`
        is for pages with several levels; with `debug` the page shows which rules fire.

        Raises LimitReached, and UnsupportedFeature for a game with chance.
        """
        with phase("making the page"):
            exploration, why = _explore(position, max_states, progress)
            head: dict[str, Any] = {}
            if exploration is not None:
                played: StateTable | GroundOperators = StateTable(exploration)
                limitation, unsolvable = "", exploration.reason.rstrip(".")
            else:
                played, limitation, unsolvable, head = play_large(position, why, solution, free=free)
            note = " ".join(filter(None, [unsolvable and NO_SOLUTION.format(reason=unsolvable), head.get("note", "")]))
            before, after = position.messages()
            named = len(before) == 1 and before[0].lower() != name.lower()
            title = ": ".join(filter(None, [name, cut(before[0], LONGEST_TITLE)])) if named else name
            messages = _nonempty(title=title, before="\n".join(before), after="\n".join(after))
            names = [move for move, _ in played.moves]
            # The last mapping wins: a large level may replace the usual entries.
            head = _picture_and_moves(played) | words_about(position, played.numbers) | messages | head
            head |= _nonempty(
                note=note,
                sides=letters_of(names),
                directed=int(are_directions(names)),
                goals=played.ground.aims,
                grouped=int(in_groups(names)),
            )
            head |= _keyboard(position, played)
            in_table = len(played.positions) if isinstance(played, StateTable) else 0
            head |= _nonempty(states=in_table, solution=list(solution))
            states = exploration.states if exploration is not None else None
            scripts = tuple(_scripts(position, played, names))
            if debug and isinstance(played, StateTable):
                head["debug"] = rules_beside(position, played.positions)
                scripts += ("debug.js",)
            data = played.packed()
            return cls(position, title, states, limitation, unsolvable, played.ground, scripts, head, data)


class LevelReport(Record):
    """A report on how a level works on a web page; `message` describes limitations."""

    level: str
    made: bool
    states: int | None
    hints: bool
    solvable: bool | None
    message: str


def report_on(name: str, outcome: PlayableLevel | BaseException | None) -> LevelReport:
    """Return the report on a level from its outcome: the prepared level, an error, or None after an interruption."""
    if not isinstance(outcome, PlayableLevel):
        message = f"level {name} is not on the page: {str(outcome or '') or 'interrupted'}"
        return LevelReport(name, made=False, states=None, hints=False, solvable=None, message=message)
    message, hints = "", outcome.states is not None
    if outcome.unsolvable:
        message = f"level {name} cannot be solved: {outcome.unsolvable}"
    elif outcome.limitation:
        message = f"no hints on the page for level {name}: {outcome.limitation}; see --max-states"
    solvable = False if outcome.unsolvable else True if hints else None
    return LevelReport(name, made=True, states=outcome.states, hints=hints, solvable=solvable, message=message)


def playable_levels(
    positions: Sequence[tuple[str, Position]],
    *,
    max_states: int = MAX_STATES,
    progress: Callable[[str, int], None] | None = None,
    debug: bool = False,
) -> Iterator[PlayableLevel | LimitReached | DependencyMissing | UnsupportedFeature]:
    """Yield, for each named position, the level prepared for a web page, or the error that prevents it.

    Each level has its share of the time left, so that a slow level does not use up all of it. `progress` is called with
    the name of a level and the number of its states explored so far; with `debug` pages show which rules fire.
    """
    run = Run(phase="making the page")
    for number, (name, position) in enumerate(positions):
        try:
            show = None if progress is None else partial(progress, name)
            with run, Run(run.share(1 / (len(positions) - number))):
                level = PlayableLevel.of(position, name, max_states=max_states, progress=show, debug=debug)
        except (LimitReached, DependencyMissing, UnsupportedFeature) as error:
            yield error
        else:
            yield level


def _explore(
    position: Position, max_states: int, progress: Callable[[int], None] | None
) -> tuple[Exploration | None, str]:
    """Return the state space and an empty text or, if the space is too large, None and the reason."""
    exploration = explore(position, limits=current().share(0.5), max_states=max_states, progress=progress)
    if exploration.complete:
        return exploration, ""
    current().look()
    if exploration.status != GAVE_UP or exploration.overlooked:
        return None, exploration.reason
    return None, f"there are more positions than {max_states:,}"


def _keyboard(position: Position, played: StateTable | GroundOperators) -> dict[str, Any]:
    """Return how the keys of a level differ from the default keys of web pages.

    `checkpoints` has three numbers for each key that sets one, even if it changes nothing: its state, the move, and the
    state that a restart leads to from then on; -1 if that is not in the table.
    """
    keys = keyboard_of(position)
    head: dict[str, Any] = _nonempty(keyed=bool(keys), **keys)
    if "checkpoints" in head and isinstance(played, StateTable):
        numbers = {each: number for number, each in enumerate(played.positions)}
        saved: list[int] = []
        for state, each in enumerate(played.positions):
            for move in range(len(played.moves) if not each.solved() else 0):
                after = required(each, Pictured, "has no keys").checkpoint_after(played.moves[move][0])
                saved += () if after is None else (state, move, numbers.get(after, -1))
        head["checkpoints"] = saved
    return head


def _scripts(position: Position, played: StateTable | GroundOperators, names: Sequence[str]) -> Iterator[str]:
    """Yield the names of the page scripts that a level needs, for example to drag pieces."""
    yield "table.js" if isinstance(played, StateTable) else "operators.js"
    yield "player.js"
    if not are_directions(names):
        yield "names.js"
    if in_groups(names):
        yield "groups.js"
    if isinstance(position, PddlPosition):
        yield "facts.js"
    if keyboard_of(position):
        yield "keyed.js"
    before = {place[1:4] for place in placements(position)}
    for move in position.moves():
        after = {place[1:4] for place in placements(position.apply(move))}
        if {kind for *_, kind in before - after} & {kind for *_, kind in after - before}:
            yield "drag.js"  # a piece moves from one place to another
            return


def _nonempty(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value}


def _picture_and_moves(played: StateTable | GroundOperators) -> dict[str, Any]:
    """Return the data of a level that its page needs for pictures and moves."""
    ground, layers = played.ground, played.ground.layers()
    placed = [each for each in played.numbers if type(each) is tuple]
    kinds = {kind: number for number, kind in enumerate(dict.fromkeys(place[3] for place in placed))}
    costs = [cost for _, cost in played.moves]
    cells = {layers[name]: covered(look, ground.looks) for name, look in ground.looks.items()}
    return {
        "box": frame(ground),
        "board": f"<defs>{symbols(ground)}</defs>{board(ground)}".replace(SCOPE, SHAPES),
        "labels": [look.label or look.text.strip() for look in ground.looks.values()],
        "places": [[layers[look], row, column, kinds[kind]] for look, row, column, kind, _ in placed],
        "moves": [move for move, _ in played.moves],
        **({"costs": costs} if set(costs) - {1} else {}),
        **_nonempty(cells={look: several for look, several in cells.items() if several != [(0, 0)]}),
    }


# A level that has too many states for a table is played in other ways. With its ground operators (`GroundOperators`) it
# can be played freely. Some games have none, and in others the move of an action depends on the position; these are
# played by a table of a part of the states, near to the start or, if a search finds a solution soon, near to the
# solution. Work is counted and not timed, so equal levels have equal pages: see `MOST_ACCESSES`, `SEARCHED` and `PART`.


def play_large(position: Position, why: str, solution: Sequence[str], *, free: bool) -> LargeLevel:
    """Return the data to play a large level; `why` is the reason why the page has no table of all its states.

    `solution` and `free` are as in `PlayableLevel.of`. Raises LimitReached, UnsupportedFeature for a game with chance.
    """
    with phase("preparing a large level for the page"):
        unsolvable = (position.impossible() or "").rstrip(".")
        if solution and not free:
            return _film(position, solution, unsolvable)
        try:
            if keyboard_of(position).get("checkpoints"):
                raise UnsupportedFeature(
                    "a page cannot play this level without a table of all states, because the game has checkpoints",
                    feature="checkpoints",
                )
            with Run(current().share(0.5)):
                operators = GroundOperators(position)
        except (UnsupportedFeature, DependencyMissing, LimitReached) as error:
            current().look()
            if solution:
                return _film(position, solution, unsolvable)
            return _part(position, f"{why}, and {error}", unsolvable)
        return (operators, f"{why}. {FREE}", unsolvable, {"note": f"{FREE}: {why}."})


def keyboard_of(position: Position) -> Mapping[str, float]:
    """Return how a position's keys differ from the default keys of web pages; empty if they do not differ."""
    pictured = offered(position, Pictured)
    return {} if pictured is None else pictured.keyboard()


def _film(position: Position, solution: Sequence[str], unsolvable: str) -> LargeLevel:
    """Return the data to play only the states along a solution."""
    positions, edges, operators = [position], [], []
    for number, move in enumerate(solution):
        checkpoint()
        operators.append((move, positions[-1].cost(move)))
        positions.append(positions[-1].apply(move))
        edges.append([(number, number + 1)])
    space = RulesSpace(positions, [*edges, []], operators, GAVE_UP)
    space.compute()
    return (StateTable(Exploration(position, space)), FILM, unsolvable, {"note": FILM, "film": 1})


def _part(position: Position, why: str, unsolvable: str) -> LargeLevel:
    """Return the data to play only the states near a solution or, if no solution is known, near the start."""
    solution, unsolvable = ((), unsolvable) if unsolvable else _search(position)
    space, ends = space_around(position, solution, PART)
    table = StateTable(space)
    what = AROUND_SOLUTION if solution else AROUND_START
    unknown = [number for number, each in enumerate(table.positions) if each in ends]
    head = {"note": f"{what}: {why}.", "open": unknown} | ({"solution": list(solution)} if solution else {})
    return (table, f"{why}. {what}", unsolvable, head)


def _search(position: Position) -> tuple[Sequence[str], str]:
    """Return the moves of a solution if a short search finds one, and the reason if it proves that there is none."""
    try:
        result = solve(position, limits=current().share(0.5), max_expanded=SEARCHED)
    except UnpuzzleError:
        current().look()
        return (), ""
    current().look()
    unsolvable = result.message or "a search of all that can be reached has found no solution"
    return result.moves or (), unsolvable.rstrip(".") if result.status == UNSOLVABLE else ""


def space_around(start: Position, solution: Sequence[str], most: int) -> tuple[Exploration, set[Position]]:
    """Return about `most` states near a solution or the start as a space, and which of them have unexplored moves.

    The positions of the solution come first, so all moves in each of them are known. If a game's turns are costly,
    which is counted, there are fewer states (see `AccessCounter`).
    """
    accesses, explorer = AccessCounter(MOST_ACCESSES), Explorer(start, steps_by_rules)
    with accesses:
        for position in accumulate(solution, lambda position, move: position.apply(move), initial=start):
            if position not in explorer.numbers:
                explorer.add(position, 0, "")
        first = len(explorer.states)
        while explorer.depth is not None:
            accesses.count()
            if len(explorer.edges) >= first and (len(explorer.states) >= most or accesses.left < 0):
                break
            explorer.expand()
    space = space_of(explorer, GAVE_UP)
    space.compute()
    return Exploration(start, space), set(explorer.states[len(explorer.edges) :])


def page(levels: Sequence[PlayableLevel], *, theme: str = AUTO, hints: bool = True, count: bool = True) -> str:
    """Return the text of a web page with one or more levels of one game.

    The theme is `light`, `dark`, or `auto`: as players prefer. With `hints` the page gives hints and plays solutions;
    with `count` it shows how many moves are left at best, and when the goal is out of reach.
    """
    game = levels[0].position.game
    credits = _credits(game)
    title = game.title or game.name
    name, _, about = title.partition(": ")
    scheme = SCHEMES.get(theme, "light dark")
    shapes = [level.ground.shapes for level in levels]
    shapes += [look.shapes for level in levels for look in level.ground.looks.values()]
    colours = style("", roles(chain.from_iterable(shapes)), theme)
    needed = {script for level in levels for script in level.scripts} | ({"set.js"} if len(levels) > 1 else set())
    more = _text("shrunk/facts.css") if needed & {"facts.js", "groups.js"} else ""
    more += _text("shrunk/debug.css") if "debug.js" in needed else ""
    css = (_text("shrunk/player.css") + more + colours).replace("light dark", scheme)
    scripts = [_text(f"shrunk/{file}") for file in SCRIPTS if file in needed]
    script = '"use strict";\n' + "".join(scripts)
    data = [_packed(level.head, level.data) for level in levels]
    # This script, this style and nothing else.
    allowed = f"script-src '{policy_hash(script)}'; style-src '{policy_hash(css)}'"
    return _text("player.html").format(
        policy=f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'",
        scheme=scheme,
        title=escaped(title),
        name=escaped(name),
        about=escaped(about[:1].upper() + about[1:]),
        css=css,
        script=script,
        lines=LINES,
        key=escaped(f"{game.name} {crc32(''.join(data).encode()):08x}"),
        names=escaped(dumps([level.title for level in levels], ensure_ascii=False)),
        without=" ".join([what for what, there in (("hints", hints), ("count", count)) if not there]),
        credits=credits,
        uncredited="" if credits else "hidden",
        levels="\n".join([LEVEL.format(text) for text in data]),
    )


def page_of_scene(scene: Scene, *, small: bool = False) -> str:
    """Return the web page of a scene: its start is the level, and its moves are the solution.

    A small page is made quickly: it plays a small level, or shows the moves of a larger one.
    """
    if not isinstance(scene.start, Position):
        raise UsageError("a page to play on needs a position of a game, not a PDDL task")
    most = FEW if small else MAX_STATES
    level = PlayableLevel.of(scene.start, solution=scene.moves, max_states=most, free=not small)
    return page([level], theme=scene.theme)


def _credits(game: Game) -> str:
    """Return the author and the homepage of a game; the homepage becomes a link if it is a valid web address."""
    homepage = game.homepage
    address = homepage if homepage.lower().startswith(("http://", "https://")) else f"https://{homepage}"
    link = f'<a href="{escaped(address)}" target="_blank" rel="noopener noreferrer">{escaped(homepage)}</a>'
    place = link if ADDRESS.fullmatch(address) else escaped(homepage)
    return ", ".join(filter(None, [game.author and f"by {escaped(game.author)}", homepage and place]))


def _packed(head: dict[str, Any], data: bytes) -> str:
    """Return a level as compressed text for the page's script: the length of the JSON, the JSON, the other data."""
    text = dumps(head, separators=(",", ":"), ensure_ascii=False).encode()
    length = bytearray()
    write(length, len(text))
    deflate = compressobj(9, DEFLATED, -15)
    packed = deflate.compress(bytes(length) + text + data) + deflate.flush()
    return b64encode(packed).decode()


@cache
def _text(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), "page", name), encoding="utf-8") as file:
        return file.read()


# The rules that fire with each move, for the positions of a page; `debug.js` shows them beside the board.
#
# Moves that change nothing are included: rules may have fired and been undone. In a large level only the positions
# nearest to the start have rules on the page.


def debugger_of(position: Position) -> Debugger | None:
    traced = offered(position.game, Traced)
    return None if traced is None else traced.debugger()


def require_rules(position: Position) -> Debugger:
    """Return the debugger of a position's game. Raises UsageError if the game's rules are not written as text lines."""
    debugger = debugger_of(position)
    if debugger is None:
        raise UsageError(f"--debug works only for games whose rules are a text; {position.game.name} has none")
    return debugger


def rules_beside(position: Position, positions: Sequence[Position]) -> dict[str, Any]:
    """Return the data for a page's script about the rules that fire in each of the given positions.

    Raises UsageError for a game without rules in lines, LimitReached.
    """
    debugger = require_rules(position)
    states = []
    for each in positions[:MOST_WITH_RULES]:
        checkpoint()
        states.append(debugger.turns(each))
    return {**debugger.head(), "states": states}
