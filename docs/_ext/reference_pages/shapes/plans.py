"""The JSON objects of commands that find, play, validate and explain plans."""

from __future__ import annotations

from reference_pages.shapes.shape import MESSAGE, REMARKS, Shape
from unpuzzle.base.outcomes import STATUSES
from unpuzzle.counting import Count
from unpuzzle.explanation.reasons import Explanation
from unpuzzle.model.replaying import Replay
from unpuzzle.pddl.tracing import Trace
from unpuzzle.pddl.validation import Validation
from unpuzzle.planning.planner import OBJECTIVES
from unpuzzle.planning.result import Result
from unpuzzle.verification.move_comparison import MovesComparison

PLANS: dict[str, tuple[Shape, ...]] = {
    "result": (
        Shape(
            ("solve", "plan"), "The answer of one planner run.",
            "status planner cost objective pushes moves plan=list[str]|None valid expanded generated evaluated "
            "frontier seconds peak_memory_mb=float|None message solution?=str|None confidence?=float "
            "condition?=str refutation?=dict[str,object] "
            "solutions?=int|None unique?=bool|None other_solution?=str|None differences?=dict[str,list[object]] "
            "conflict?=list[str]|None file?=str|None remarks?=list[str] plans?=list[dict[str,object]] "
            "reasons?=list[str]",
            Result, open="further fields of the planner, such as `stages` of searches by subgoals",
            notes={
                "peak_memory_mb": "the peak memory, in MiB, or null",
                "refutation": "a position that shows that the heuristic is not admissible: its `estimate` exceeds "
                              "the `cost` of its `solution`; `moves` lead to it",
                "solutions": "the number of solutions found, with `--count`",
                "unique": "whether there is only one solution; null if unknown",
                "other_solution": "a second solution, on one line",
                "differences": "the two values of each cell in which two solutions differ, by cell name",
                "conflict": "givens that contradict each other, if there is no solution",
                "file": "the picture that was written", **REMARKS,
                "plans": "with `--anytime`, each better plan: `seconds` (from the beginning), `cost`, `pushes`, "
                         "`moves`, `plan`",
                "reasons": "of a PDDL task without a plan: the strongest reason, and a change that would help",
            },
            words={"status": STATUSES, "objective": OBJECTIVES},
        ),
    ),
    "solve": (
        Shape(
            ("solve",), "The results for all levels of a file.",
            "levels=list[dict[str,object]] file?=str|None message?=str",
            notes={
                "levels": "the answer for each, as for one level (`unpuzzle/result/1`), with its `name`, which is the "
                          "title or the number, and its `number`; of one that cannot be read `status` (`bad_input`), "
                          "`message`, `file`, `line` and `column`",
                "file": "the file that they were written into, with the solutions", **MESSAGE,
            },
        ),
    ),
    "replay": (
        Shape(
            ("replay",), "The result of playing moves.", "position? legal solved cost step reason file?=str|None "
            "remarks?=list[str]", Replay,
            notes={"position": "the last position, as text; not in the answer of the command",
                   "file": "the picture that was written", **REMARKS},
        ),
        Shape(
            ("replay",), "With `--solutions`: the results of playing the solutions in a file of levels.",
            "levels=list[dict[str,object]]",
            notes={"levels": "`name`, `number` and `solutions`, each with `legal`, `solved`, `cost`, `pushes`, `step` "
                             "and `reason`; `message`: why a level cannot be read"},
        ),
    ),
    "compare-moves": (
        Shape(
            ("replay",), "With `--against`: a comparison of two sequences of moves.",
            "as_good first second kind step position=str next=list[str|None] status file?=str message?=str",
            MovesComparison,
            notes={
                "position": "the position from which they differ, as text",
                "next": "the first differing move of each sequence",
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
                "turns": "with `--fired`: each turn, its `input` (0 the start), `key`, `why` (start, input, again or "
                "restart), the board `before` and `after`, its `steps`, and how it `ends` (cancel, no player moved, "
                "restart, win, again, or empty). A step is a `rule` that fires, `commands` that are queued, the "
                "`input` or the `movement` of objects, or `rigid`, where all is taken back",
                "rules": "with `--fired`: by line the text of the rules that fire or queue commands",
                "status": "the limit that ended it", **MESSAGE,
            },
        ),
    ),
    "explanation": (
        Shape(("explain",), "Why there is no plan.", "* file?=str remarks?=list[str]", Explanation,
              notes={"file": "the picture of the nearest miss", **REMARKS}),
    ),
    "explain": (
        Shape(
            ("explain",), "What a game says of its own level, where it can explain: Sudoku the next step, Gogen what "
            "each word is needed for.", "", open="what the game tells",
        ),
    ),
    "count": (Shape((), "Counted solutions, from Python.", "*", Count),),
}  # fmt: skip
