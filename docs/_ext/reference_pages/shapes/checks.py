"""The JSON objects of commands that check something: tasks, heuristics, domains, components, files."""

from __future__ import annotations

from reference_pages.shapes.shape import MESSAGE, Shape
from unpuzzle.untrusted.repairing import Repair
from unpuzzle.verification.domains import DomainReport
from unpuzzle.verification.grading import BEHAVES, SAME, UNREADABLE, GradeRow
from unpuzzle.verification.heuristics import HeuristicCheck
from unpuzzle.verification.many_levels import LevelChecks
from unpuzzle.verification.report import DIFFERENT, RELATIONS, UNDECIDED, Check, Report, Sameness

VERDICT = {"hint": "how to compare up to names, where only names differ", **MESSAGE}
CHECKS: dict[str, tuple[Shape, ...]] = {
    "check": (
        Shape(
            ("check",), "The comparison of rules and PDDL on one level.",
            "same exhaustive states transitions solutions? difference status message?=str hint?=str",
            Check, notes=VERDICT,
        ),
    ),
    "check-levels": (
        Shape(
            ("check",), "Several levels.", "same status levels=list[LevelCheck] message?=str", LevelChecks,
            notes=MESSAGE,
        ),
    ),
    "check-heuristic": (
        Shape(
            ("check",), "With `--heuristic`: whether a heuristic is admissible and consistent.",
            "heuristic holds claims admissible consistent exhaustive states transitions overestimate inconsistency "
            "status no_estimate message?=str",
            HeuristicCheck, notes=MESSAGE,
        ),
    ),
    "same": (
        Shape(
            ("diff", "check"), "Two tasks, compared up to names; also `check` of a PDDL domain with `--domain`.",
            "same relation=str bijection exhaustive states=int transitions=int second_states=int "
            "second_transitions=int depth difference status sentence?=str message?=str",
            Sameness, words={"relation": RELATIONS},
            notes={
                "states": "of the first task, as far as it was explored", "transitions": "of the first task",
                "second_states": "of the second task", "second_transitions": "of the second task",
                "sentence": "on the difference", **MESSAGE,
            },
        ),
    ),
    "grade": (
        Shape(("grade",), "The verdict on one file.", "*", GradeRow, rows=True,
              words={"verdict": (SAME, BEHAVES, DIFFERENT, UNDECIDED, UNREADABLE)}),
    ),
    "test-components": (
        Shape(("check",), "With `--game`: functions that somebody else wrote.", "*", Report),
    ),
    "test-domain": (
        Shape(
            ("check",), "With `--game`: a domain that somebody else wrote, compared with a game.",
            "* message?=str", DomainReport,
            notes={
                "status": "`complete`, `gave_up` where a level is too large, or the limit that ended it",
                "sentence": "in what the domain differs, up to names", "action": "the action that differs, or null",
                "literal": "the literal in it that is wrong, or null", "relation": "the weakest on any level",
                **MESSAGE,
            },
            words={"relation": RELATIONS},
        ),
        Shape(("check",), "With `--game` and `--template`: the files that were written.", "status=str files=list[str]"),
    ),
    "repair": (
        Shape(
            ("repair",), "The last answer of a language model, and the report on it.",
            "sound=bool|None complete=bool|None findings=list[Finding] score=dict[str,object] rounds code message "
            "status?=str sentence?=str action?=str|None literal?=str|None relation?=str",
            Repair, notes={
                "sound": "whether all successors are legal",
                "complete": "whether no legal successor is missing", "findings": "the counterexamples",
                "score": "counts of tests and levels", "code": "the last code of the model, or null",
                "rounds": "the number of questions", "message": "the last message to the model, or empty",
            },
        ),
    ),
    "lint": (
        Shape(
            ("lint",), "All faults of files; `message` to `column` are about the first syntax error.",
            "faults=list[Fault] fixed?=dict[str,int] fixable?=dict[str,int] diff?=str status?=str message?=str "
            "file?=str|None line?=int|None column?=int|None",
            notes={
                "faults": "in the order of files and lines", "fixed": "with `--fix`: how many faults, by file",
                "fixable": "with `--dry-run`: fixable faults, by file", "diff": "with `--fix`: the changes",
                "status": "`bad_input` where the syntax is wrong", "message": "the first such fault",
                "file": "its file", "line": "its line", "column": "its column",
            },
        ),
        Shape(("lint",), "With `--explain`: the meaning of codes.", "codes=list[Code]"),
    ),
}  # fmt: skip
