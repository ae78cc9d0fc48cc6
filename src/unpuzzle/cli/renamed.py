"""Map old names of commands and options to present names. The old names work until version 2.0, with a warning.

The words of a command line are translated before they are read, so that nothing else knows the old names.
"""

from __future__ import annotations

from unpuzzle.base.errors import UsageError

RENAMED: dict[str, tuple[str, str]] = {
    "compare-moves": ("replay", "replay PUZZLE LEVEL MOVES --against best|MOVES2"),
    "same": ("diff", "diff"),
    "test-components": ("check", "check FILE.py --game GAME"),
    "test-domain": ("check", "check FILE.pddl --game GAME"),
    "draw --sheet": ("booklet", "booklet PUZZLE LEVEL... -o FILE"),
}
"""By the old name of a command, its name today and the form to write."""
OPTIONS = {
    "draw --sheet": {"--sheet": "--output", "--rules": "--rules-text"},
    "generate": {"--sheet": "--booklet", "--rules": "--rules-text"},
    "survey": {"--rules": "--rule-coverage"},
    "trace": {"--rules": "--fired"},
}
"""By command, the old names of options, with the names today."""
DROPPED = ("--theme", "--pixels")
"""Options that `draw --sheet` took and did not use."""
DRAWING = {"-o", "--output", "--graph", "--still"}
"""Options that `draw --sheet` refused."""
FLAGS = {"--help", "--json", "--quiet"}
"""The long options of `compare-moves` that take no value."""


def renamed(words: list[str]) -> tuple[list[str], str]:
    """Replace old names in a command line; return the new words, and a sentence if a name was replaced."""
    command, *rest = words or [""]
    own = {word.partition("=")[0] for word in rest}
    if command == "draw" and "--sheet" in own and not own & DRAWING:
        command = "draw --sheet"
        rest = _without(rest, DROPPED)
    name, form = RENAMED.get(command, (command, ""))
    options = OPTIONS.get(command, {})
    old = [command] if form else [f"{command} {option}" for option in options if option in own]
    if not old:
        return words, ""
    rest = [_by_new_name(word, options) for word in rest]
    if command == "compare-moves":
        rest = _with_others_named(rest)
    elif command == "test-components":
        rest = ["--code", *rest]
    forms = [form] if form else [f"{command} {new}" for option, new in options.items() if option in own]
    return [name, *rest], f"unpuzzle: `{old[0]}` is now `{forms[0]}`; the old name works until 2.0"


def _by_new_name(word: str, options: dict[str, str]) -> str:
    option, equals, value = word.partition("=")
    return f"{options.get(option, option)}{equals}{value}"


def _without(words: list[str], options: tuple[str, ...]) -> list[str]:
    """Return the words without the given options and their values."""
    kept: list[str] = []
    for place, word in enumerate(words):
        if not word.startswith(tuple(f"{option}=" for option in options)) and word not in options:
            kept += [] if place and words[place - 1] in options else [word]
    return kept


def _with_others_named(words: list[str]) -> list[str]:
    """Translate `compare-moves PUZZLE LEVEL MOVES [MOVES2]` to words for `replay`, where MOVES2 is an option.

    Raises UsageError for fewer or more of them.
    """
    operands, value, only = [], False, False  # `only`: after `--` there are no options
    for place, word in enumerate(words):
        if value or only or not word.startswith("-") or word == "-":
            operands += [] if value else [place]
            value = False
        elif word.startswith("--"):
            only, value = word == "--", word != "--" and "=" not in word and word not in FLAGS
        else:
            value = len(word[1:].lstrip("hjq")) == 1  # with more, the value is joined to the option
    if len(operands) == 2:
        raise UsageError("MOVES is missing")
    if len(operands) > 4:
        raise UsageError(f"unrecognized arguments: {' '.join([words[place] for place in operands[4:]])}")
    if len(operands) < 4:
        return ["--against=best", *words]
    other = operands[3]
    return [f"--against={words[other]}", *words[:other], *words[other + 1 :]]
