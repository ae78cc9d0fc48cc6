"""The JSON objects of commands on state spaces, comparisons, experiments and generated levels."""

from __future__ import annotations

from reference_pages.shapes.shape import Shape
from unpuzzle.base.outcomes import STATUSES
from unpuzzle.experiments.comparing import ComparisonRow
from unpuzzle.experiments.reporting import ExperimentReport
from unpuzzle.experiments.runs import ExperimentRun
from unpuzzle.generation.generating import Generation
from unpuzzle.planning.planner import OBJECTIVES
from unpuzzle.puzzlescript.debugging.covering import Coverage
from unpuzzle.state_space.dead_ends import Traps
from unpuzzle.state_space.exploration import Exploration
from unpuzzle.state_space.surveying import SurveyRow

HARD = {
    "least_lines": "a lower bound of `optimal_lines`; equal to `optimal_lines` if that is known",
    "pushes": "the fewest changes (moves other than walking) of an optimal solution; null if nobody walks",
    "detours": "the fewest moves of an optimal solution after which less of the goal is met; null without PDDL",
    "traps": "the fewest positions of an optimal solution in which one change makes the level unsolvable",
    "shortest_trap": "the fewest moves from the start after which the level is unsolvable; null without dead ends",
    "trap_lasts": "the most changes, each to a new position, after a fatal change; null if none or unknown",
    "optimal_choices": "changes that keep the best solution, on average over the positions on optimal solutions",
    "longer_choices": "changes after which the best solution is longer, on average",
    "fatal_choices": "changes after which there is no solution, on average",
    "lost": "the share of all positions from which no goal can be reached",
}
"""Of levels whose whole space was explored; else null."""
STUDIES: dict[str, tuple[Shape, ...]] = {
    "explore": (
        Shape(
            ("explore",), "The state space of a level.",
            "status states transitions=int|None depths=list[int]|None goals=int|None dead_ends hardest cost "
            "optimal_plans branching optimal_lines least_lines=int|None pushes=int|None detours=int|None "
            "traps=int|None shortest_trap=int|None trap_lasts=int|None optimal_choices=float|None "
            "longer_choices=float|None fatal_choices=float|None lost=float|None message=str seconds?=dict[str,float] "
            "objective?=str lost_moves?=dict[str,object] files?=list[str]",
            Exploration,
            notes={
                **HARD, "message": "why there is no solution, or why the exploration is incomplete",
                "seconds": "wall seconds by phase",
                "objective": "the value of `--objective`, if it is not `moves`; `pushes` is then the number "
                "of pushes of a solution that is best by this objective",
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
            ("survey",), "With `--rule-coverage`: which rules of a game in PuzzleScript fire in its levels.",
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
            ("compare",), "The result of one algorithm or planner.",
            "algorithm status cost pushes steps expanded generated frontier seconds score planner objective which seed "
            "seeds message condition refuted_by",
            ComparisonRow, rows=True, words={"status": STATUSES, "objective": OBJECTIVES},
        ),
    ),
    "experiment": (
        Shape(
            ("experiment",), "The runs of an experiment.",
            "status=str output=str made=int all=int solved=int others=int runs=list[ExperimentRun]",
            notes={
                "status": "`complete` where all runs are in the file; else what ended the experiment",
                "output": "the file", "made": "runs of this experiment that are in the file",
                "all": "runs that it has", "solved": "those with a plan",
                "others": "runs in the file of the same tasks and planners with another version, other limits or "
                "another kind of process",
                "runs": "as a line of the file each; where it was interrupted, those that were made this time",
            },
        ),
    ),
    "run": (
        Shape((), "One run: a line of the file of an experiment.", "*", ExperimentRun, words={"status": STATUSES}),
    ),
    "report": (
        Shape(
            ("report",), "The figures of an experiment.", "* files?=list[str]", ExperimentReport,
            notes={"files": "what was written"}, words={"time": ("cpu", "wall", "total")},
        ),
    ),
    "generate": (
        Shape(
            ("generate",), "Levels of known difficulty, and why the other candidates were rejected.",
            "status puzzle=str options=dict[str,object] seed levels candidates duplicates rejected=dict[str,int] "
            "repeats",
            Generation, notes={"puzzle": "the name of the game"},
        ),
    ),
}  # fmt: skip
