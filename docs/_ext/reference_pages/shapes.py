"""Shapes: what stands in each JSON object of the command line, and which class of the code it is made from.

A shape lists the names of an object's fields, `*` for all fields of its class. The type of a field is that of the
field or property of the class, `name=type` says another one; `?` after a name: it is not always there. `schemas` makes
JSON Schema of it. The tests compare the shapes with what the commands print, and hold that each class with a schema
has one.

    "compare": (Shape(("compare",), "One way to solve the level.", "*", ComparisonRow, rows=True),)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from unpuzzle.checking.domains import DomainReport
from unpuzzle.checking.findings import Report
from unpuzzle.checking.grading import DIFFERENT, SAME, UNDECIDED, UNREADABLE, GradeRow
from unpuzzle.checking.heuristics import HeuristicCheck
from unpuzzle.checking.many_levels import LevelCheck as LevelCheck  # noqa: PLC0414
from unpuzzle.checking.many_levels import LevelChecks
from unpuzzle.checking.mending import Mending as Mending  # noqa: PLC0414 - named in types below
from unpuzzle.checking.move_comparison import MovesComparison
from unpuzzle.checking.move_comparison import Way as Way  # noqa: PLC0414
from unpuzzle.checking.reasons import Explanation
from unpuzzle.checking.report import Check, Sameness
from unpuzzle.cli.answer import FAULT, OF_ERROR
from unpuzzle.components.repairing import Repair
from unpuzzle.counting import Count
from unpuzzle.installation import Installation
from unpuzzle.lab.comparing import ComparisonRow
from unpuzzle.lab.reporting.making import ExperimentReport
from unpuzzle.lab.runs import BetterPlan as BetterPlan  # noqa: PLC0414
from unpuzzle.lab.runs import Run
from unpuzzle.levels.generating import Generation
from unpuzzle.pddl.judging.codes import Code as Code  # noqa: PLC0414
from unpuzzle.pddl.judging.fault import Fault as Fault  # noqa: PLC0414
from unpuzzle.pddl.tracing import Trace
from unpuzzle.pddl.validation import Validation
from unpuzzle.planning.planner import OBJECTIVES
from unpuzzle.playing.page import LevelReport as LevelReport  # noqa: PLC0414
from unpuzzle.puzzle.replaying import Replay
from unpuzzle.puzzlescript.debugging.covering import Coverage
from unpuzzle.result import LIMITS, STATUSES, Result
from unpuzzle.spaces.exploration import Exploration
from unpuzzle.spaces.lost_moves import Traps
from unpuzzle.spaces.shortfalls import Shortfall as Shortfall  # noqa: PLC0414
from unpuzzle.spaces.surveying import SurveyRow
from unpuzzle.watching.looks import Found as Found  # noqa: PLC0414
from unpuzzle.watching.looks import LookResult as LookResult  # noqa: PLC0414
from unpuzzle.watching.news import Change as Change  # noqa: PLC0414
from unpuzzle.watching.news import News

ERROR_STATUSES = tuple(dict.fromkeys([*(status for _, status in OF_ERROR.values()), FAULT, *LIMITS]))
"""What stands in `status` of an error."""


@dataclass(frozen=True)
class Shape:
    """The shape of one JSON object.

    Attributes:
        commands: the commands that print it.
        about: a sentence about it.
        fields: names of fields; `name=type` where the class does not say the type, `name?` if it may be missing.
        source: the class whose fields, properties and docstring tell the rest.
        rows: whether a command prints a list of such objects.
        open: whether there may be other fields besides, and which.
        notes: what a field is, where the class does not say so.
        words: by field the only texts that it may have.
    """

    commands: tuple[str, ...]
    about: str
    fields: str
    source: type | None = None
    rows: bool = False
    open: str = ""
    notes: dict[str, str] = field(default_factory=dict)
    words: dict[str, Iterable[str]] = field(default_factory=dict)


MESSAGE = {"message": "a sentence about what is missing from the answer, and why"}
VERDICT = {"hint": "how to compare up to names, where only names differ", **MESSAGE}
HARD = {
    "least_lines": "at least so many optimal lines; the same number as `optimal_lines` where that is known",
    "pushes": "the fewest changes, moves that are no walking, of an optimal solution; null where nobody walks",
    "detours": "the fewest moves of an optimal solution after which less of the goal is met; null without PDDL",
    "traps": "the fewest positions of an optimal solution in which one change makes the level unsolvable",
    "shortest_trap": "the fewest moves from the start after which it is unsolvable; null where one cannot get stuck",
    "trap_lasts": "the most changes, each to a new position, after a fatal change; null without any, or with too many",
    "optimal_choices": "changes that keep the best solution, on average over the positions on optimal ways",
    "longer_choices": "changes after which the best solution is longer, on average",
    "fatal_choices": "changes after which there is no solution, on average",
    "lost": "the share of all positions from which no goal can be reached",
}
"""Of levels whose whole space was explored; else null."""
SHAPES: dict[str, tuple[Shape, ...]] = {
    "result": (
        Shape(
            ("solve", "plan"), "The answer of one planner run.",
            "status planner cost objective pushes moves plan=list[str]|None valid expanded generated evaluated "
            "frontier seconds peak_memory_mb=float|None message solution?=str|None confidence?=float "
            "solutions?=int|None unique?=bool|None other_solution?=str|None differences?=dict[str,list[object]] "
            "conflict?=list[str]|None file?=str|None plans?=list[dict[str,object]]",
            Result, open="what only the planner tells, such as `stages` of searches by subgoals",
            notes={
                "peak_memory_mb": "the most memory that was held, in MiB, or null",
                "solutions": "how many solutions were found, with `--count`",
                "unique": "whether there is one only; null where that was not asked for or is not known",
                "other_solution": "a second solution, on one line",
                "differences": "where two solutions differ: by name of a cell the two values",
                "conflict": "names of givens that contradict each other, where there is no solution",
                "file": "the picture that was written",
                "plans": "with `--anytime` each better plan in turn: `seconds` (from the beginning), `cost`, `pushes`, "
                         "`moves`, `plan`",
            },
            words={"status": STATUSES, "objective": OBJECTIVES},
        ),
    ),
    "solve": (
        Shape(
            ("solve",), "All levels of a file of several.",
            "levels=list[dict[str,object]] file?=str|None message?=str",
            notes={
                "levels": "the answer for each, as for one level (`unpuzzle/result/1`), with its `name`, which is the "
                          "title or the number, and its `number`; of one that cannot be read `status` (`bad_input`), "
                          "`message`, `file`, `line` and `column`",
                "file": "the file that they were written into, with the solutions", **MESSAGE,
            },
        ),
    ),
    "check": (
        Shape(
            ("check",), "Rules and PDDL, side by side.",
            "same exhaustive states transitions solutions? difference status message?=str hint?=str",
            Check, notes=VERDICT,
        ),
    ),
    "check-levels": (
        Shape(
            ("check",), "Of several levels.", "same status levels=list[LevelCheck] message?=str", LevelChecks,
            notes=MESSAGE,
        ),
    ),
    "check-heuristic": (
        Shape(
            ("check",), "With `--heuristic`: an estimate, and what it claims.",
            "heuristic holds claims admissible consistent exhaustive states transitions overestimate inconsistency "
            "status message?=str",
            HeuristicCheck, notes=MESSAGE,
        ),
    ),
    "same": (
        Shape(
            ("same",), "Two tasks, compared up to names.",
            "same exhaustive states=int transitions=int second_states=int second_transitions=int depth difference "
            "status message?=str",
            Sameness,
            notes={
                "states": "of the first task, as far as it was looked at", "transitions": "of the first task",
                "second_states": "of the second task", "second_transitions": "of the second task", **MESSAGE,
            },
        ),
    ),
    "explore": (
        Shape(
            ("explore",), "All that can happen in a level.",
            "status states transitions=int|None depths=list[int]|None goals=int|None dead_ends hardest cost "
            "optimal_plans branching optimal_lines least_lines=int|None pushes=int|None detours=int|None "
            "traps=int|None shortest_trap=int|None trap_lasts=int|None optimal_choices=float|None "
            "longer_choices=float|None fatal_choices=float|None lost=float|None message=str seconds?=dict[str,float] "
            "objective?=str lost_moves?=dict[str,object] files?=list[str]",
            Exploration,
            notes={
                **HARD, "message": "why there is no solution, or why not all was seen",
                "seconds": "wall seconds by phase",
                "objective": "what was asked for with `--objective`, where that is not `moves`; `pushes` are then "
                "those of a solution that is best for it",
                "lost_moves": "with `--traps`: an object of the schema `traps`", "files": "the pictures of traps",
            },
            words={"objective": OBJECTIVES},
        ),
    ),
    "traps": (
        Shape(
            (), "The first moves that make a level unsolvable; a part of the answer of `explore --traps`.",
            "origin total traps=list[dict[str,object]] walks status", Traps,
            notes={"traps": "`moves`, `move`, `kind`, `stuck` (each a `thing` and its `place`), `area`, `goes_on`, "
                            "`states`, `before`, `after`; rows and columns of places count from 1"},
        ),
    ),
    "survey": (
        Shape(
            ("survey",), "One level of a survey.",
            "level status solvable cost states dead_ends optimal_plans optimal_lines least_lines unique pushes detours "
            "traps shortest_trap trap_lasts optimal_choices longer_choices fatal_choices lost seconds message",
            SurveyRow, rows=True, notes=HARD,
            words={"status": (*STATUSES, "bad_input")},
        ),
    ),
    "rules": (
        Shape(
            ("survey",), "With `--rules`: which rules of a game in PuzzleScript fire in its levels.",
            "levels=list[dict[str,object]] whole rules=dict[str,str] never=list[int] not_seen=list[int] "
            "absent=list[str] not_seen_objects=list[str] begin_solved=list[str]",
            Coverage,
            notes={
                "levels": "each with the lines that `fired`, those that fire `in_some` and `in_all` shortest solutions "
                "(null where none is known), and whether it was seen as a `whole`; else the `reason`",
            },
        ),
    ),
    "compare": (
        Shape(
            ("compare",), "One way to solve the level.",
            "algorithm status cost pushes steps expanded generated frontier seconds score planner objective which seed "
            "seeds message",
            ComparisonRow, rows=True, words={"status": STATUSES, "objective": OBJECTIVES},
        ),
    ),
    "experiment": (
        Shape(
            ("experiment",), "The runs of an experiment.",
            "status=str output=str made=int all=int solved=int others=int runs=list[Run]",
            notes={
                "status": "`complete` where all runs are in the file; else what ended the experiment",
                "output": "the file", "made": "runs of this experiment that are in the file",
                "all": "runs that it has", "solved": "those with a plan",
                "others": "runs in the file of the same tasks and planners with another version or other limits",
                "runs": "as a line of the file each; where it was interrupted, those that were made this time",
            },
        ),
    ),
    "run": (Shape((), "One run: a line of the file of an experiment.", "*", Run, words={"status": STATUSES}),),
    "grade": (
        Shape(("grade",), "The verdict on one file.", "*", GradeRow, rows=True,
              words={"verdict": (SAME, DIFFERENT, UNDECIDED, UNREADABLE)}),
    ),
    "generate": (
        Shape(
            ("generate",), "Levels of known difficulty, and what became of the other candidates.",
            "status puzzle=str options=dict[str,object] seed levels candidates duplicates rejected=dict[str,int] "
            "repeats",
            Generation, notes={"puzzle": "the name of the game"},
        ),
    ),
    "replay": (
        Shape(
            ("replay",), "The outcome of moves.", "position? legal solved cost step reason file?=str|None", Replay,
            notes={"position": "the last position, as text; not in the answer of the command",
                   "file": "the picture that was written"},
        ),
        Shape(
            ("replay",), "With `--solutions`: the moves that a file gives for its levels.",
            "levels=list[dict[str,object]]",
            notes={"levels": "`name`, `number` and `solutions`, each with `legal`, `solved`, `cost`, `pushes`, `step` "
                             "and `reason`; `message`: why a level cannot be read"},
        ),
    ),
    "compare-moves": (
        Shape(
            ("compare-moves",), "Two ways from one position.",
            "as_good first second kind step position=str next=list[str|None] status file?=str message?=str",
            MovesComparison,
            notes={
                "position": "the position from which they differ, as text",
                "next": "the first move of each way that the other does not have",
                "file": "the picture that was written", **MESSAGE,
            },
        ),
    ),
    "validate": (
        Shape(
            ("validate",), "The verdict on a plan.", "valid cost step reason false missing mending=Mending|None",
            Validation, notes={"mending": "a change that makes the plan valid, or null where none was found"},
        ),
    ),
    "validation": (
        Shape((), "The verdict on a plan, from Python.", "valid cost step reason false missing", Validation),
    ),
    "trace": (
        Shape(
            ("trace",), "A plan, step by step.",
            "steps start_missing=list[str] valid cost=int|None step=int|None reason false=list[FalsePart] "
            "missing=list[FalsePart] status?=str message?=str",
            Trace,
            notes={
                "start_missing": "the parts of the goal that are false at the start",
                "cost": "the cost of the steps up to the one that failed",
                "step": "the number, from 1, of the step that failed",
                "reason": "what failed; empty for a valid plan",
                "false": "all parts of the failing step's precondition that are false",
                "missing": "all parts of the goal that are false at the end", "status": "the limit that ended it",
                **MESSAGE,
            },
        ),
        Shape(
            ("trace",), "Inputs of a game in PuzzleScript, played one after the other.",
            "start=str boards=list[str] won=int|None capped=bool loops=list[dict[str,int|str]] "
            "turns?=list[dict[str,object]] rules?=dict[str,str] status?=str message?=str",
            notes={
                "start": "the first board", "boards": "the board after each input; empty where nothing has changed",
                "won": "the number of the input that won, or null",
                "capped": "whether the last input sets off turns of `again` without end",
                "loops": "groups of rules that were cut off: `input`, `line`, `message`",
                "turns": "with `--rules`: each turn, its `input` (0 the start), `key`, `why` (start, input, again or "
                "restart), the board `before` and `after`, its `steps`, and how it `ends` (cancel, no player moved, "
                "restart, win, again, or empty). A step is a `rule` that fires, `commands` that are queued, the "
                "`input` or the `movement` of objects, or `rigid`, where all is taken back",
                "rules": "with `--rules`: by line the text of the rules that fire or queue commands",
                "status": "the limit that ended it", **MESSAGE,
            },
        ),
    ),
    "explanation": (
        Shape(("explain",), "Why there is no plan.", "* file?=str", Explanation,
              notes={"file": "the picture of the nearest miss"}),
    ),
    "explain": (
        Shape(
            ("explain",), "What a game says of its own level, where it can explain: Sudoku the next step, Gogen what "
            "each word is needed for.", "", open="what the game tells",
        ),
    ),
    "test-components": (
        Shape(("test-components",), "Functions that somebody else wrote.", "*", Report),
    ),
    "test-domain": (
        Shape(
            ("test-domain",), "A domain that somebody else wrote, compared with a game.",
            "* message?=str", DomainReport,
            notes={
                "status": "`complete`, `gave_up` where a level is too large, or the limit that ended it",
                "sentence": "in what the domain differs, up to names", "action": "the action that differs, or null",
                "literal": "the literal in it that is wrong, or null", **MESSAGE,
            },
        ),
        Shape(("test-domain",), "With `--template`: what was written.", "status=str files=list[str]"),
    ),
    "repair": (
        Shape(
            ("repair",), "What a model wrote in the end, and the report on it.",
            "sound=bool|None complete=bool|None findings=list[Finding] score=dict[str,object] rounds code message "
            "status?=str sentence?=str action?=str|None literal?=str|None",
            Repair, notes={
                "sound": "whether it offers nothing that the game forbids",
                "complete": "whether it misses nothing that the game allows", "findings": "the counterexamples",
                "score": "counts of tests and levels", "code": "the last code of the model, or null",
                "rounds": "how often the model was asked", "message": "the last message to it; empty if all is right",
            },
        ),
    ),
    "count": (Shape((), "Counted solutions, from Python.", "*", Count),),
    "lint": (
        Shape(
            ("lint",), "All faults of files; of one that cannot be read, the first is told as an error is.",
            "faults=list[Fault] fixed?=dict[str,int] status?=str message?=str file?=str|None line?=int|None "
            "column?=int|None",
            notes={
                "faults": "in the order of files and lines", "fixed": "with `--fix`: how many faults, by file",
                "status": "`bad_input` where the syntax is wrong", "message": "the first such fault",
                "file": "its file", "line": "its line", "column": "its column",
            },
        ),
        Shape(("lint",), "With `--explain`: what codes mean.", "codes=list[Code]"),
    ),
    "format": (
        Shape(
            ("format",), "Which files were laid out anew.", "files=list[str] changed=list[str] text?=str",
            notes={
                "files": "all that were read", "changed": "those that changed, or would",
                "text": "of standard input, what it is laid out",
            },
        ),
    ),
    "lsp": (
        Shape(
            ("lsp",), "The settings of an editor.", "editor=str settings=str",
            notes={"editor": "its name", "settings": "what goes into its own file of settings"},
        ),
    ),
    "list": (
        Shape(
            ("list",), "The puzzles, their levels, and the planners.",
            "puzzles=dict[str,str] planners=dict[str,dict[str,bool|str]] levels=dict[str,list[str]] "
            "broken?=dict[str,str] hidden?=dict[str,str]",
            notes={
                "puzzles": "by name the title", "planners": "by kind `available`, and a `message` if it is not",
                "levels": "by puzzle the names of its levels", "broken": "games that cannot be loaded, and why",
                "hidden": "names that installed distributions offer in vain, and why",
            },
        ),
    ),
    "pddl": (
        Shape(
            ("pddl",), "A level as PDDL.", "status=str domain=str|None problem=str|None message?=str",
            notes={"status": "`written`, or the limit that was reached", "domain": "its text, or its file",
                   "problem": "its text, or its file", **MESSAGE},
        ),
    ),
    "draw": (
        Shape(
            ("draw",), "A picture.", "picture=str legal=bool step=int|None reason=str file=str|None",
            notes={"picture": "the position as text", "legal": "whether all moves are",
                   "step": "the number of the first illegal move", "reason": "why it is illegal",
                   "file": "the file that was written"},
        ),
        Shape(
            ("draw",), "With `--sheet`: levels on a sheet.", "levels=list[dict[str,object]] file=str|None message?=str",
            notes={
                "levels": "`name`, `number`, `status` (of its solution; null with `--no-solutions`) and `message` (why "
                          "there is none) of each",
                "file": "the sheet that was written, or null", **MESSAGE,
            },
        ),
        Shape(
            ("draw",), "All levels of a file of several.", "levels=list[dict[str,object]] file=str|None",
            notes={"levels": "`name`, `number` and `picture` of each", "file": "the sheet that was written, or null"},
        ),
    ),
    "play": (
        Shape(
            ("play",), "A page to play on.", "file=str levels=list[LevelReport] seconds=dict[str,float]",
            notes={"file": "the page", "levels": "how each level was put on it", "seconds": "wall seconds by phase"},
        ),
        Shape(
            ("play",), "What was played here.", "moves=list[str] solved=bool cost=int",
            notes={"moves": "in their order", "solved": "whether they solve the level", "cost": "of the moves"},
        ),
    ),
    "new": (
        Shape(("new",), "The files of a new puzzle.", "status=str files=list[str]",
              notes={"status": "`written`", "files": "their paths"}),
    ),
    "mcp": (
        Shape(
            ("mcp",), "With `--tools`: the tools as agents see them.", "tools=list[dict[str,object]]",
            notes={"tools": "each with `name`, `description`, and the schemas of its `arguments` and its `answer`"},
        ),
    ),
    "watch": (
        Shape(("watch",), "What is new since the last look; one line for each save, or one with `--once`.", "*", News),
    ),
    "studio": (
        Shape(("studio",), "What the studio was for, once it has ended.", "status=str folder=str file=str|None",
              notes={"status": "`stopped`", "file": "the file in the folder that it was started for, or null"}),
    ),
    "doctor": (Shape(("doctor",), "What is installed, and whether it works.", "*", Installation),),
    "report": (
        Shape(
            ("report",), "The figures of an experiment.", "* files?=list[str]", ExperimentReport,
            notes={"files": "what was written"}, words={"time": ("cpu", "wall", "total")},
        ),
    ),
    "error": (
        Shape(
            (), "What went wrong: printed by any command instead of its own object.",
            "status=str message=str file=str|None line=int|None column=int|None report?=str|None",
            notes={"status": "see the table of statuses", "message": "a sentence", "file": "the file it is about",
                   "line": "from 1", "column": "from 1", "report": "the file with the traceback of a fault of ours"},
            words={"status": ERROR_STATUSES},
        ),
    ),
    "help": (
        Shape((), "The help of a command.", "help=str", notes={"help": "its text"}),
        Shape((), "The list of commands.", "commands=dict[str,str] to_try?=dict[str,str]",
              notes={"commands": "by name what it is for", "to_try": "without a command: five to begin with"}),
    ),
    "version": (Shape((), "The version.", "version=str", notes={"version": "of unpuzzle"}),),
}  # fmt: skip
"""By the name of the schema what it may look like."""
