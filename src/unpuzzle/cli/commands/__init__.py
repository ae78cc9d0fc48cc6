"""The commands, in the modules of this folder: a line about each for the help, its exit codes, and its old names.

Old names of commands and options work until version 2.0, with a warning. The words of a command line are translated
before they are read, so that nothing else knows the old names.

A module has the name of its command, but these hold several:

    moves              replay, trace         task_differences    diff, grade         state_spaces    explore, survey
    pictures           draw, booklet         texts               lint, format        available       list, version
    experiments        compare, experiment, report               editors_and_agents  lsp, mcp
"""

from unpuzzle.base.errors import UsageError
from unpuzzle.base.outcomes import BAD_INPUT, BROKEN, INTERRUPTED, NO, NO_ANSWER, TERMINATED, YES
from unpuzzle.base.type_hints import Any

GROUPS = {
    "solve": {
        "solve": "solve a level of a puzzle, or a PDDL problem, and show the moves",
        "plan": "solve a PDDL task and show the plan",
        "replay": "play moves on the game's rules: do they solve the level? or compare them with others",
        "validate": "run a plan step by step and say where it fails",
        "trace": "show what each step of a plan on PDDL, or of inputs to a game in PuzzleScript, changes",
        "explain": "say why there is no plan, what a person would do next, or what each part of a level is for",
        "play": "play a level in the terminal, or make a page to play it on",
    },
    "understand": {
        "check": "compare rules with PDDL; with --game, check a domain or code that somebody wrote for a game",
        "diff": "compare two PDDL tasks: identical, the same up to names, or where do they differ?",
        "explore": "explore all positions of a level: dead ends, traps, the position farthest from a goal",
        "survey": "list every level of a game in one table: solvable, least moves, states, dead ends, optimal lines",
        "grade": "compare a class of PDDL domains with a reference, in one table",
    },
    "make": {
        "new": "write a first puzzle of your own: rules, PDDL domain and test",
        "generate": "make levels of known difficulty",
        "draw": "draw a level, or moves: in the terminal or into a file",
        "booklet": "make a booklet of levels to print, with solutions at the back",
        "pddl": "write a level as PDDL files",
    },
    "text": {
        "lint": "find all faults of PDDL files, plans and games in PuzzleScript; explain and fix them",
        "format": "format PDDL files and games in PuzzleScript; comments stay",
    },
    "measure": {
        "compare": "solve a level with several algorithms and planners, and show the results in one table",
        "experiment": "run many planners on many tasks, each run within its limits; go on after an interruption",
        "report": "make a page of an experiment's runs: scores, plots, what is wrong, what has changed",
    },
    "more": {
        "list": "list the puzzles, their bundled levels, and the planners",
        "doctor": "show what is installed, what is missing, the command that gets it, and whether it works",
        "help": "show the help of a command, or what can be done with a file or a puzzle",
        "version": "show the version",
        "lsp": "serve editors: faults, completion, definitions, renaming, solving (needs an extra)",
        "mcp": "offer tools to agents, over the Model Context Protocol",
        "watch": "check files at every save: faults, solution, what is new",
        "studio": "open a page to write puzzles on: text, board and answers side by side",
        "repair": "let a language model write search components, test them, and report the faults to it",
    },
}
"""The groups of the help: the commands of each, with a line about each command."""
COMMANDS = {command: about for group in GROUPS.values() for command, about in group.items()}
TOGETHER = {
    "moves": ("replay", "trace"),
    "task_differences": ("diff", "grade"),
    "state_spaces": ("explore", "survey"),
    "pictures": ("draw", "booklet"),
    "texts": ("lint", "format"),
    "experiments": ("compare", "experiment", "report"),
    "available": ("list", "version"),
    "editors_and_agents": ("lsp", "mcp"),
}
"""The modules of several commands; all other commands have a module of their own."""

TO_TRY = {
    "solve boxup 1 --draw": "solve a level and show every position",
    "play sokoban 1 -o sokoban.html": "make a page to play it on, with hints",
    "check sliding-tiles 2x3": "prove that a puzzle's PDDL is the game",
    "compare pacman loops": "search algorithms on one level, in a table; --planners adds planners",
    "new my-puzzle": "write a puzzle of your own, to solve, to draw, to change",
}
"""Commands for new users: each works at once, in an empty folder, without extras."""
SOLVING = {
    YES: "solved, and the answer is checked",
    NO: "there is no solution, and that is proved",
    NO_ANSWER: "a limit was reached, an incomplete search ended, or the answer is a guess",
}
COMPARING = {
    YES: "the same up to names, and all was compared (with --partial: no difference in a part)",
    NO: "they differ; this is certain, even if only a part was compared",
    NO_ANSWER: "no difference in the part that was compared, or they behave the same and are not the same up to names",
}
EXITS: dict[str, dict[int, str]] = {
    "list": {YES: "listed"},
    "doctor": {YES: "the base works", NO: "the base does not work", NO_ANSWER: "the trial did not end"},
    "solve": SOLVING
    | {YES: "solved, and the answer is checked; a file of several levels exits as its worst level, the highest code"},
    "plan": SOLVING,
    "pddl": {YES: "written", NO_ANSWER: "a limit was reached before the PDDL was made"},
    "validate": {YES: "the plan is valid", NO: "it is not valid"},
    "replay": {
        YES: "the moves are legal and solve the level; with --solutions: all in the file do; with --against: they cost "
        "no more than the others, which solve it, too",
        NO: "a move is illegal, or the goal is not reached; with --against: the others do not solve it, or cost less",
        NO_ANSWER: "with --against: no optimal solution to compare with is known",
    },
    "booklet": {
        YES: "written",
        NO: "a level is certainly without a solution",
        BAD_INPUT: "wrong usage, or a level is unreadable or faulty; the others are in the booklet",
        NO_ANSWER: "a limit was reached before a level was solved",
    },
    "draw": {YES: "drawn", NO: "a move is illegal; what comes before it is drawn"},
    "play": {
        YES: "the page is written, or the level was solved in the terminal",
        NO: "played in the terminal, and not solved",
        NO_ANSWER: "a level is not on the page, because a limit was reached",
    },
    "check": {
        YES: "rules and PDDL are the same game, or the heuristic or the FILE is what it claims to be, or the template "
        "is written",
        NO: "rules and PDDL differ, or heuristic or FILE is not what it claims; certain, even for a part",
        NO_ANSWER: "nothing is wrong in the part that was examined; the rest is not known",
    },
    "compare": {
        YES: "at least one of them solved it",
        NO: "none solved it, and one proved that there is no solution; or an answer is refuted by another answer "
        "or by its own path",
        NO_ANSWER: "none found an answer",
    },
    "report": {
        YES: "written; nothing is certainly wrong and, with --compare, nothing worse than before",
        NO: "a plan is invalid, answers contradict each other, or with --compare a planner lost a task, "
        "has a more expensive plan or takes more time than noise explains",
    },
    "experiment": {
        YES: "all runs are in the file, whatever their results",
        NO_ANSWER: "the experiment was cancelled: some runs are not in the file",
    },
    "explore": {YES: "all states were explored", NO_ANSWER: "a limit or --max-states was reached first"},
    "survey": {
        YES: "all levels meet --require",
        NO: "a level certainly does not meet --require",
        NO_ANSWER: "for some level, it is not known whether it meets --require",
    },
    "explain": {YES: "explained", NO_ANSWER: "a limit was reached: whether there is a solution is not known"},
    "generate": {
        YES: "as many levels as requested; with --all: at least one",
        NO: "with --all: no level of this shape meets the requirements",
        NO_ANSWER: "fewer levels: a limit was reached, or the number of candidates",
    },
    "lint": {YES: "no errors; there may be warnings", NO: "errors", BAD_INPUT: "errors in the syntax, or wrong usage"},
    "format": {YES: "formatted, or nothing to do", NO: "with --check: a file would change"},
    "lsp": {YES: "the editor ended the session, or the settings are shown"},
    "grade": {
        YES: "all domains are the same as the reference",
        NO: "one domain differs from the reference",
        BAD_INPUT: "a domain is unreadable, and none differs; or wrong usage",
        NO_ANSWER: "a domain only behaves the same, or is undecided, and none differs",
    },
    "repair": {
        YES: "the last answer is right",
        NO: "no answer was right",
        NO_ANSWER: "no difference was found, but the answer is not proved right",
    },
    "diff": COMPARING,
    "help": {YES: "shown", BAD_INPUT: "no command is given, or a word is neither a command nor a known file"},
    "version": {YES: "shown"},
    "trace": {YES: "played; a plan is valid", NO: "a plan is not valid", NO_ANSWER: "a limit was reached"},
    "new": {YES: "written"},
    "watch": {
        YES: "with --once: no errors, and all is solved",
        NO: "with --once: errors, or something is unsolvable or not the game",
        BAD_INPUT: "with --once: syntax errors, unreadable input or wrong usage",
        NO_ANSWER: "with --once: a limit left something undecided",
    },
    "mcp": {YES: "the client ended the session, or the tools are listed"},
    "studio": {YES: "ended on its page"},
}
"""Meanings by command and exit code; every command also has the codes of `ALWAYS`."""
ALWAYS = {
    BAD_INPUT: "wrong usage, or input that is unreadable or faulty",
    BROKEN: "a planner or library is missing, does not support the task, or broke; or there is a bug in unpuzzle",
    INTERRUPTED: "interrupted by Ctrl-C; finished results are shown",
    TERMINATED: "interrupted by SIGTERM or SIGHUP; finished results are shown",
}
IN_HELP = (BAD_INPUT, BROKEN)
"""The codes of `ALWAYS` that are in each command's help."""
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


class Command:
    """The parts of a command that its module defines, such as its options, examples and functions.

    In a module of several commands, each part ends with the command's name: `read_lsp`, `EXAMPLE_LSP`.
    """

    def __init__(self, name: str) -> None:
        from importlib import import_module

        home = next((module for module, commands in TOGETHER.items() if name in commands), name)
        self._module = import_module(f"{__name__}.{home}")
        self._ending = "" if home == name else f"_{name}"

    def __getattr__(self, part: str) -> Any:
        ending = self._ending.upper() if part.isupper() else self._ending
        return getattr(self._module, f"{part}{ending}")


def exits_of(command: str) -> dict[int, str]:
    """Return the meaning of each exit code of a command, in the order of the codes."""
    meanings = ALWAYS | EXITS.get(command, {})
    return {code: meanings[code] for code in sorted(meanings)}


def lines_of(command: str) -> list[str]:
    """Return lines about the exit codes of a command, for its help text."""
    own = EXITS.get(command, {})
    return [f"  {code}  {text}" for code, text in exits_of(command).items() if code in own or code in IN_HELP]


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
        raise UsageError("MOVES is missing: name the moves to play")
    if len(operands) > 4:
        raise UsageError(f"unrecognized arguments: {' '.join([words[place] for place in operands[4:]])}")
    if len(operands) < 4:
        return ["--against=best", *words]
    other = operands[3]
    return [f"--against={words[other]}", *words[:other], *words[other + 1 :]]
