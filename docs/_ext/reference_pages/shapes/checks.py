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
                "states": "of the first task, as far as it was looked at", "transitions": "of the first task",
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
        Shape(("check",), "With `--game` and `--template`: what was written.", "status=str files=list[str]"),
    ),
    "repair": (
        Shape(
            ("repair",), "What a model wrote in the end, and the report on it.",
            "sound=bool|None complete=bool|None findings=list[Finding] score=dict[str,object] rounds code message "
            "status?=str sentence?=str action?=str|None literal?=str|None relation?=str",
            Repair, notes={
                "sound": "whether it offers nothing that the game forbids",
                "complete": "whether it misses nothing that the game allows", "findings": "the counterexamples",
                "score": "counts of tests and levels", "code": "the last code of the model, or null",
                "rounds": "how often the model was asked", "message": "the last message to it; empty if all is right",
            },
        ),
    ),
    "lint": (
        Shape(
            ("lint",), "All faults of files; of one that cannot be read, the first is told as an error is.",
            "faults=list[Fault] fixed?=dict[str,int] fixable?=dict[str,int] diff?=str status?=str message?=str "
            "file?=str|None line?=int|None column?=int|None",
            notes={
                "faults": "in the order of files and lines", "fixed": "with `--fix`: how many faults, by file",
                "fixable": "with `--dry-run`: how many can be", "diff": "with `--fix`: what is other in the files",
                "status": "`bad_input` where the syntax is wrong", "message": "the first such fault",
                "file": "its file", "line": "its line", "column": "its column",
            },
        ),
        Shape(("lint",), "With `--explain`: what codes mean.", "codes=list[Code]"),
    ),
}  # fmt: skip
