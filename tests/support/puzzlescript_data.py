"""What the reference engine of PuzzleScript says, as `$UNPUZZLE_DATA/puzzlescript` holds it: read here, and our own
compiled games written in the same form, so that lines can be compared."""

import gzip
import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest

from support.data import DATA, absence
from unpuzzle.puzzlescript.compiling.compiled import CellPattern, Compiled, Group, Rule
from unpuzzle.puzzlescript.debugging.recording import BoardTracing, Tracer
from unpuzzle.puzzlescript.engine.engine import Engine
from unpuzzle.puzzlescript.game import ScriptGame, game_of
from unpuzzle.puzzlescript.rules import engine_of

GAMES = DATA / "puzzlescript"
PLAYS = GAMES / "plays.jsonl.gz"
needs_games = pytest.mark.skipif(not PLAYS.exists(), reason=absence(PLAYS))


@cache
def plays(name: str = "plays") -> list[dict[str, Any]]:
    """The lines of `plays.jsonl.gz` or `random-plays.jsonl.gz`."""
    with gzip.open(GAMES / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def texts() -> dict[str, list[str]]:
    """The different texts of each name, in their order."""
    found: dict[str, list[str]] = {}
    for play in plays():
        known = found.setdefault(play["name"], [])
        if play["text"] not in known:
            known.append(play["text"])
    return found


@cache
def compiled_games() -> list[tuple[str, str, list[str]]]:
    """Name, text, and the lines that describe the compiled game, of each game."""
    remaining = texts()
    games = []
    with gzip.open(GAMES / "compiled.txt.gz", "rt", encoding="utf-8") as file:
        parts = ("\n" + file.read()).split("\ngame_text ")[1:]
    for part in parts:
        name, *lines = part.split("\n")
        text = remaining[json.loads(name)].pop(0)
        games.append((json.loads(name), text, [line.strip() for line in lines if line.strip()]))
    return games


def lines_of(game: Compiled) -> Iterator[str]:
    """A compiled game in the form of the data."""
    yield f"game {len(game.objects)} {len(game.layers)}"
    yield f"player {int(game.player_is_aggregate)} {_set(game.player)}"
    for layer in game.layers:
        yield f"layer {_set(layer)}"
    yield f"opts {' '.join(str(int(value)) for value in game.options)}"
    yield f"wins {len(game.wins)}"
    for win in game.wins:
        flags = f"{win.quantifier} {int(win.first_is_aggregate)} {int(win.second_is_aggregate)}"
        yield f"{flags} {_set(win.first)} {int(win.anything)} {_set(win.second)}"
    for groups in (game.rules, game.late):
        yield f"groups {len(groups)}"
        for group in groups:
            yield from _group(group)
    yield "end -1"
    yield " ".join(["rigid", str(len(game.rigid_groups)), *map(str, game.rigid_groups)])
    yield f"levels {len(game.levels)}"
    for level in game.levels:
        yield f"{level.width} {level.height}"
        if level.cells:
            yield " ".join(map(_set, level.cells))


def _set(bits: int) -> str:
    members = [str(bit) for bit in range(bits.bit_length()) if bits >> bit & 1]
    return " ".join([str(len(members)), *members])


def _group(group: Group) -> Iterator[str]:
    yield f"group {len(group.rules)} {int(group.random)} {group.jump}"
    for rule in group.rules:
        yield _head(rule)
        for row in rule.rows:
            yield f"row {len(row)}"
            for cell in row:
                yield "..." if cell is None else f"cell {_cell(cell)}"


def _head(rule: Rule) -> str:
    flags = f"{rule.direction} {int(rule.has_right)} {int(rule.rigid)} {rule.commands} {rule.distinct_commands}"
    return f"rule {flags} {len(rule.rows)} {rule.rigid_group}"


def _cell(cell: CellPattern) -> str:
    left = [_set(cell.present), _set(cell.missing), str(len(cell.any)), *map(_set, cell.any)]
    left += [_set(cell.moves_present), _set(cell.moves_missing), str(int(cell.replacement is not None))]
    return " ".join([*left, *(map(_set, cell.replacement) if cell.replacement else [])])


# ---- plays


def difference(play: dict[str, Any], engine: str = "python") -> str | None:
    """In what our play differs from a random one; None if it does not, with one of the texts of that name."""
    found: str | None = "there is no such text"
    for text in texts()[play["name"]]:
        game = game_of(text, play["name"])
        ours = trace(game, str(play["level"]), play["inputs"], engine_of(engine, game.compiled))
        names = ("start", "boards", "won", "capped")
        found = next((f"{name} differs" for name in names if getattr(ours, name) != play[name]), None)
        if found is None:
            return None
    return found


def trace(
    game: ScriptGame, level: str, inputs: str, engine: Engine, seed: str = "1", through: bool = False
) -> BoardTracing:
    """Inputs that are played on a level."""
    tracing = BoardTracing(game, level, inputs, engine, seed, through)
    tracing.run()
    return tracing


def recorded_difference(play: dict[str, Any], engine: str = "python") -> str | None:
    """Our last board in the form of a recorded play, where it differs from the recorded one."""
    game = game_of(play["text"], play["name"])
    levels = game.compiled.levels
    number = next(n for n in range(int(play["level"]), len(levels)) if levels[n].width)
    seed = "1" if play["seed"] is None else str(play["seed"])
    tracer = Tracer(game, engine_of(engine, game.compiled), seed, messages=False)
    tracer.begin(number)
    for key in play["inputs"]:
        tracer.session.press(key)
        if tracer.session.outcome().won:
            tracer.go_on()
    ours = _recorded(game, tracer.session.outcome().cells, tracer.state.width)
    return None if ours == play["recorded"] else ours


def _recorded(game: ScriptGame, cells: Sequence[int], width: int) -> str:
    """Cells in the order of their index, in rows of `width`; each kind of cell is spelled once, then numbered."""
    numbers: dict[str, int] = {}
    found = []
    for index, cell in enumerate(cells):
        name = game.text.board([cell], 1, 1)
        if name not in numbers:
            numbers[name] = len(numbers)
            found.append(f"{name}:")
        found.append(f"{numbers[name]},")
        if index % width == width - 1:
            found.append("\n")
    return "".join(found)
