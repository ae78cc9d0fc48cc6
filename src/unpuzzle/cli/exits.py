"""The meanings of the exit codes of each command, for the help and the reference documentation."""

from __future__ import annotations

from unpuzzle.base.errors import BAD_INPUT, BROKEN, INTERRUPTED, NO, NO_ANSWER, TERMINATED, YES

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
    "doctor": {YES: "the base works", NO: "it does not work", NO_ANSWER: "the trial did not end"},
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
        NO_ANSWER: "a limit was reached before a level was solved",
    },
    "draw": {YES: "drawn", NO: "a move is illegal; what comes before it is drawn"},
    "play": {
        YES: "the page is written, or the level was solved here",
        NO: "played here, and not solved",
        NO_ANSWER: "a limit kept a level from the page",
    },
    "check": {
        YES: "rules and PDDL are the same game, or the heuristic or the FILE is what it claims to be, or the template "
        "is written",
        NO: "they differ, or it is not; this is certain, even if only a part was examined",
        NO_ANSWER: "nothing is wrong in the part that was examined; the rest is not known",
    },
    "compare": {
        YES: "at least one of them solved it",
        NO: "none solved it, and one proved that there is no solution; or an answer is refuted, by another one or by "
        "the path that it found itself",
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
    "explore": {YES: "explored; it may be solvable or not", NO_ANSWER: "a limit or --max-states was reached first"},
    "survey": {
        YES: "all levels are as --require says",
        NO: "a level is certainly not as --require says",
        NO_ANSWER: "for a level, this is not known",
    },
    "explain": {YES: "explained", NO_ANSWER: "a limit was reached: whether there is a solution is not known"},
    "generate": {
        YES: "as many levels as requested; with --all: at least one",
        NO: "with --all: no level of this shape is as asked for",
        NO_ANSWER: "fewer levels: a limit was reached, or the number of candidates",
    },
    "lint": {YES: "no errors; there may be warnings", NO: "errors", BAD_INPUT: "errors in the syntax, or wrong usage"},
    "format": {YES: "formatted, or nothing to do", NO: "with --check: a file would change"},
    "lsp": {YES: "the editor ended the session, or the settings are shown"},
    "grade": {
        YES: "all are the same as the reference",
        NO: "one is different",
        BAD_INPUT: "one is unreadable, and none different; or wrong usage",
        NO_ANSWER: "one only behaves the same, or is undecided, and none is different",
    },
    "repair": {
        YES: "the last answer is right",
        NO: "no answer was right",
        NO_ANSWER: "no difference was found, and no proof that it is the same",
    },
    "diff": COMPARING,
    "help": {YES: "shown", BAD_INPUT: "without a command, or for what is neither a command nor a known file"},
    "version": {YES: "shown"},
    "trace": {YES: "played; a plan is valid", NO: "a plan is not valid", NO_ANSWER: "a limit was reached"},
    "new": {YES: "written"},
    "watch": {
        YES: "with --once: no errors, and all is solved",
        NO: "with --once: errors, or something is unsolvable or not the game",
        BAD_INPUT: "with --once: errors in the syntax, or what cannot be read; or wrong usage",
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
    TERMINATED: "the same by SIGTERM or SIGHUP",
}
IN_HELP = (BAD_INPUT, BROKEN)
"""The codes of `ALWAYS` that are in each command's help."""


def exits_of(command: str) -> dict[int, str]:
    """Return the meaning of each exit code of a command, in the order of the codes."""
    meanings = ALWAYS | EXITS.get(command, {})
    return {code: meanings[code] for code in sorted(meanings)}


def lines_of(command: str) -> list[str]:
    """Return lines about the exit codes of a command, for its help text."""
    own = EXITS.get(command, {})
    return [f"  {code}  {text}" for code, text in exits_of(command).items() if code in own or code in IN_HELP]
