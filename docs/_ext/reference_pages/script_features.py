"""The reference page of PuzzleScript features, made from the compiler's tables and from tested facts.

A fact is a tiny game of `tests/golden/puzzlescript`: its title says it, both engines are held to it, and here it is
tried whether its levels have PDDL.

    pages()      the page, by its path below `docs/reference`
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from warnings import catch_warnings, simplefilter

from reference_pages.docstrings import prose
from reference_pages.schemas import escape_cell
from unpuzzle.base.errors import EffortSpent, UnpuzzleError
from unpuzzle.puzzlescript.compiling import compiled, rule_text, sections, text
from unpuzzle.puzzlescript.debugging import recording
from unpuzzle.puzzlescript.engine import engine, turns
from unpuzzle.puzzlescript.game import ScriptGame, read_game

FACTS = Path(__file__).parents[3] / "tests" / "golden" / "puzzlescript"
PLAYS = FACTS / "reference.jsonl.gz"
DIALECTS = Path(text.__file__).with_name("dialects.txt")
MOST_STEPS = 1_000_000
"""Of putting the rules of a tiny game into PDDL."""
REALTIME = "realtime_interval"


def pages() -> dict[str, str]:
    """Return the page of PuzzleScript features, by its path."""
    return {"puzzlescript-features.md": "\n".join(_page()) + "\n"}


def _page() -> Iterator[str]:
    yield from ("# Supported PuzzleScript features", "", ABOUT, "", "## Differences", "")
    yield from (f"- {difference}" for difference in differences())
    yield from ("", "## Words of the language", "", "| part | words |", "|---|---|")
    for name, words in vocabulary().items():
        yield f"| {name} | {' '.join(f'`{escape_cell(word)}`' for word in words)} |"
    yield from ("", "## Tested facts", "", FACTS_ARE.format(plays=recorded_plays()), "")
    yield from ("| fact | rules | in PDDL |", "|---|---|---|")
    for game in facts():
        yield f"| {escape_cell(prose(game.title))} | {_rules(game)} | {escape_cell(prose(in_pddl(game)))} |"


ABOUT = """The language is that of the reference engine of 2026; two engines play it, one in Python and one in the
core, and give the same boards. What the reference plays without an error is played, however carelessly it is
written; `unpuzzle lint` warns of what is ignored. The [faults of PuzzleScript](faults-puzzlescript.md)
have a page of their own; [Games in PuzzleScript](../howto/levels/puzzlescript.md) explains how to work with them."""
FACTS_ARE = """Each fact is a tiny game that both engines are tested with; {plays:,} plays of small games on the
reference engine are compared besides. *In PDDL* says whether the levels of the tiny game become PDDL; others of the
kind may not."""


def differences() -> list[str]:
    """Return sentences about differences from the reference engine, and about limits."""
    alone = [name for name in sorted(sections.KNOWN) if name not in _played()]
    return [
        f"A group of rules is applied {turns.MOST_PASSES} times at most, and a loop goes back as often, as in the "
        "reference; `trace` and `lint` say where that cuts off.",
        f"A key that starts more than {engine.MOST_AGAINS} turns of `again` is not a move; a "
        "search that meets one never calls the level unsolvable.",
        "Chance: a level in which something is left to chance is searched once a line `seed 1` is below its board.",
        f"Time: `{REALTIME}` gives a move `t`, a tick without input.",
        "Sounds and screens are read, and do not matter. Pictures and pages show the whole level, also with "
        "`flickscreen` or `zoomscreen`.",
        f"A game is played in spite of up to {text.MOST_ERRORS} errors, without what is wrong; a warning says so. "
        "Rows of unequal length, unclear directions and a name defined again as something else refuse it.",
        f"Options that are read and do not matter to play: {', '.join(f'`{name}`' for name in alone)}.",
        "Options of PuzzleScript Plus that are read and change no level: "
        f"{', '.join(f'`{name}`' for name in sorted(sections.PLUS_LOOKS))}; so are its lines "
        f"{', '.join(f'`{word} …`' for word in sections.PLUS_LINES)} between levels.",
        "Options of PuzzleScript Plus with which a game is refused, since it would be another one without them: "
        f"{', '.join(f'`{name}`' for name in sorted(sections.PLUS_PLAY))}.",
        *[f"Words that only {dialect} knows are named as such: {', '.join(words)}." for dialect, words in _dialects()],
    ]


def _played() -> set[str]:
    """Return the names of the options in the prelude that affect play."""
    return {*compiled.Options._fields, REALTIME} - {"realtime"}


def _dialects() -> Iterator[tuple[str, list[str]]]:
    found: dict[str, list[str]] = {}
    for line in DIALECTS.read_text(encoding="ascii").splitlines():
        dialect, _, words = line.rpartition(": ")
        found.setdefault(dialect, []).extend(f"`{word}`" for word in words.split())
    yield from found.items()


def vocabulary() -> dict[str, list[str]]:
    """Return the words of PuzzleScript, by the section in which they are allowed."""
    named = [*rule_text.PREFIXES, *rule_text.RELATIVE]
    return {
        "sections": list(text.SECTIONS),
        "options that matter to play": sorted(_played()),
        "before a rule": [*rule_text.PREFIXES, "late", "rigid", "random", "+", "startloop", "endloop"],
        "directions in a cell": named,
        "other words in a cell": [*sorted(rule_text.WORDS - set(named)), "..."],
        "commands": [word for word in rule_text.COMMANDS if not word.startswith("sfx")] + ["sfx0 … sfx10"],
        "win conditions": [*sections.QUANTIFIERS, "on"],
        "inputs of `trace`": list(recording.INPUTS),
    }


@cache
def facts() -> tuple[ScriptGame, ...]:
    """Return the tiny games that state facts, in the order of their names."""
    with catch_warnings():
        simplefilter("ignore")  # some of them are about faults
        return tuple(read_game(str(path)) for path in sorted(FACTS.glob("*.txt")))


def recorded_plays() -> int:
    """Return the number of recorded plays of the reference engine that the tests compare with ours."""
    return len(gzip.decompress(PLAYS.read_bytes()).splitlines())


def _rules(game: ScriptGame) -> str:
    match = re.search(r"^=+\nRULES\n=+\n(.*?)^=+\nWINCONDITIONS", game.source, re.DOTALL | re.MULTILINE | re.IGNORECASE)
    lines = [line.strip() for line in match[1].splitlines() if line.strip()] if match else []
    return "<br>".join(f"`{escape_cell(line)}`" for line in lines)


def in_pddl(game: ScriptGame) -> str:
    """Return `yes` if all levels of a game can be written as PDDL, else the reason."""
    with catch_warnings():
        simplefilter("ignore")
        try:
            for level in game.levels.values():
                game.parse(level).translate(MOST_STEPS)
        except EffortSpent:
            return f"not within {MOST_STEPS:,} steps"
        except UnpuzzleError as error:
            return f"no: {getattr(error, 'message', error)}".removeprefix(
                "no: this level cannot be written as PDDL: "
            ).strip()
        return "yes"
