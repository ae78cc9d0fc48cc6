"""Ask a language model: the rules as the game's file tells them, what a state is, an example; and find code in its
answer.
"""

from __future__ import annotations

import re
import sys
from random import Random

from unpuzzle.checking.findings import Report
from unpuzzle.components.child import decode
from unpuzzle.components.instances import Instance
from unpuzzle.components.places import LevelPlaces, Place
from unpuzzle.puzzle.capabilities import ForComponents, offered
from unpuzzle.puzzle.position import Game

_FENCE = re.compile(r"(`{3,}|~{3,})[ \t]*([\w+-]*)")

SYSTEM = "You write search components for puzzles: exact, deterministic Python functions without side effects."

TASK = """\
Write two Python functions for this game.

successors(state{parameters}) returns a list of all states that one legal move leads to, and no others.
is_goal(state{parameters}) returns True if the game is solved in this state, and else False.

They must not change their arguments, print, or use files, and may import only what comes with Python. A state is
plain data of exactly the form shown; successors must have that form, too.
Answer with one block of Python code that holds both functions.
"""

AGAIN = """\
The functions are not right yet. This is what testing them on the game's own rules found:

{findings}
Write both functions again, whole, in one block of Python code.
"""

NO_CODE = "Your answer has no block of Python code. Answer with one block of Python code that holds both functions.\n"


def question(game: Game) -> str:
    """Return what to ask first."""
    parts = [f"The game: {game.title or game.name}\n", rules(game)]
    example = _example(game)
    arguments = example.level.arguments
    parts.append(TASK.format(parameters="".join(f", {name}" for name in arguments)))
    parts.append(f"{_form(example)}\nExample. This is a state:\n{decode(example.state)!r}\n")
    parts += [f"With it comes {name} = {decode(value)!r}\n" for name, value in arguments.items()]
    parts.append("It is a goal.\n" if example.solved else "It is no goal.\n")
    steps = example.successors().values()
    lines = [f"  after {' or '.join(moves)}: {decode(state)!r}\n" for moves, state, _ in steps]
    parts.append("Its successors are, by their moves:\n" + "".join(lines))
    return "\n".join(parts)


def rules(game: Game) -> str:
    """Return the rules as the file tells them that defines the game's positions."""
    module = getattr(game, "__module__", type(game).__module__)
    text = getattr(sys.modules.get(module), "__doc__", None) or ""
    return text.strip() + "\n" if text else ""


def _form(example: Place) -> str:
    """Return what the game says of its states and of what comes with them."""
    kind = type(example.position)
    lines = []
    for what, name in (("A state", "plain"), ("What comes with it", "component_arguments")):
        method = getattr(kind, name, None)
        if method is not None and method is not getattr(ForComponents, name) and method.__doc__:
            sentence = method.__doc__.strip().removeprefix("Return ")
            lines.append(f"{what}: {sentence[:1].upper()}{sentence[1:]}\n")
    return "".join(lines)


def _example(game: Game) -> Place:
    """Return the start of the first level."""
    special = offered(game, ForComponents)
    levels = (special and special.component_levels(Random(0))) or map(game.parse, game.levels.values())
    start = next(iter(levels), None) or game.sample(Random(0))
    return Place(LevelPlaces(Instance("example", start, 0, 1)), start, ())


def feedback(report: Report) -> str:
    """Return what to tell a model about functions that are not right."""
    return AGAIN.format(findings=report.text)


def refusal(sentence: str) -> str:
    """Return what to tell a model about code that cannot even be loaded."""
    return AGAIN.format(findings=sentence + "\n")


def code_in(answer: str) -> str | None:
    """Return the code of an answer: its blocks of Python, or all of it where it looks like that."""
    blocks = _blocks(answer)
    chosen = [text for language, text in blocks if language in ("python", "py", "python3")]
    chosen = chosen or [text for language, text in blocks if "def " in text]
    if not chosen and not blocks and re.search(r"^def \w+\(", answer, re.MULTILINE):
        chosen = [answer]
    return "\n\n".join(chosen) if chosen else None


def _blocks(answer: str) -> list[tuple[str, str]]:
    """Return language and text of each block between fences, in one pass: an answer may be made to take long."""
    blocks: list[tuple[str, str]] = []
    fence, language, inside = "", "", list[str]()
    lines = answer.split("\n")
    for number, line in enumerate(lines):
        opening = None if fence else _FENCE.match(line.lstrip(" \t"))
        if fence and line.strip(" \t\r") == fence:
            blocks.append((language, "".join(inside)))
            fence, inside = "", []
        elif fence:
            inside.append(line if number == len(lines) - 1 else line + "\n")
        elif opening is not None and number < len(lines) - 1:
            fence, language = opening[1], opening[2].lower()
    return [*blocks, (language, "".join(inside))] if fence else blocks
