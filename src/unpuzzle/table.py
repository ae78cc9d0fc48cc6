"""The table of modules and objects by name, which are imported only when needed.

`load` knows what is ours; `offers` finds what other distributions add by their entry points.
"""

from __future__ import annotations

from collections.abc import Collection
from importlib import import_module

from unpuzzle.base.type_hints import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

TABLE = {
    "planners": {
        "native": "unpuzzle.planners.native.planner:NativeKind",
        "reference": "unpuzzle.planners.reference:ReferenceKind",
        "fast-downward": "unpuzzle.planners.external.fast_downward:FastDownwardKind",
        "command": "unpuzzle.planners.external.command:CommandKind",
        "up": "unpuzzle.planners.external.up:UnifiedPlanningKind",
        "rules": "unpuzzle.planners.rules.planner:RulesKind",
        "subgoals": "unpuzzle.planners.subgoals:SubgoalsKind",
        "cp-sat": "unpuzzle.planners.constraint:CpSatKind",
        "backtracking": "unpuzzle.planners.constraint:BacktrackingKind",
        "mace4": "unpuzzle.planners.external.mace4:Mace4Kind",
        "clues": "unpuzzle.planners.clues.planner:CluesKind",
        "puzzlescript": "unpuzzle.puzzlescript.searching.planner:ScriptKind",
    },
    "readers of games": {".txt": "unpuzzle.puzzlescript.game:read_game", ".pddl": "unpuzzle.pddl_game.game:read_game"},
    "game formats": {".txt": "unpuzzle.puzzlescript.files:ScriptFormat"},
    "pictures": {".html": "unpuzzle.play.web_page:page_of_scene"},
    "picture lines": {
        "level": "unpuzzle.pddl_game.picture:picture_of",
        "faults": "unpuzzle.pddl_game.picture:picture_faults",
    },
    "notebooks": {
        "html": "unpuzzle.play.notebooks:html_of",
        "bundle": "unpuzzle.play.notebooks:mimebundle",
    },
    "command line": {"answer": "unpuzzle.cli:answer_as_written"},
    "costs": {"refuse undefined": "unpuzzle.planners.native:require_costs"},
}
"""By kind and name a module, or an object of a module after a colon."""
ENTRY_POINTS = {"planners": "unpuzzle.planners", "puzzles": "unpuzzle.puzzles"}
"""The entry points by which other distributions add planners and puzzles."""
PACKAGES = {
    "unpuzzle": {
        "version": "__version__",
        "verification.side_by_side": "check",
        "verification.heuristics": "check_heuristic",
        "experiments.comparing": "compare",
        "experiments.experimenting": "experiment",
        "experiments.reporting": "report",
        "verification.bisimulation": "same",
        "solving": "solve improve",
        "counting": "count_solutions",
        "planners.subgoals": "solve_by_subgoals",
        "state_space.exploration": "explore",
        "state_space.surveying": "survey",
        "generation.judging": "solve_many",
        "generation.generating": "generate",
        "planners.native.families": "Family",
        "state_space.space": "reachable",
        "up": "register",
        "model.replaying": "replay",
        "translators": "find",
        "model.position": "Game Position Puzzle",
        "base.run": "Limits",
        "planning.result": "Result",
        "base.errors": (
            "UnpuzzleError ParseError IllegalMove UnsupportedFeature DependencyMissing LimitReached ModelMismatch "
            "PlannerFailed UsageError WorkersFailed"
        ),
    },
    "unpuzzle.generation": {
        "candidates": "GeneratedLevel",
        "generating": "Generation generate",
        "collections": "read_collection write_collection",
        "judging": "solve_many",
    },
    "unpuzzle.verification": {
        "report": "Check Difference",
        "grading": "Grader",
        "side_by_side": "check task_of",
        "domains": "check_domain",
        "heuristics": "check_heuristic",
        "pointing": "point",
        "bisimulation": "same",
    },
    "unpuzzle.rendering": {
        "scenes": "draw picture_of",
        "saving": "save",
        "svg": "svg_of",
    },
    "unpuzzle.experiments": {
        "runs": "BetterPlan ExperimentRun Runs read_runs",
        "comparing": "Comparison ComparisonRow compare",
    },
    "unpuzzle.interop": {
        "tarski_problems": "from_tarski plan_from_tarski plan_to_tarski to_tarski",
        "up_problems": (
            "from_unified_planning plan_from_unified_planning plan_to_unified_planning to_unified_planning"
        ),
    },
    "unpuzzle.model": {
        "heuristic": "NULL Heuristic Subgoal",
        "position": "Game Position Puzzle by_text",
        "replaying": "Replay replay split_moves",
        "capabilities": "heuristic_of",
    },
    "unpuzzle.state_space": {
        "exploration": "Branching Exploration Hardest explore",
        "surveying": "SurveyRow survey",
    },
    "unpuzzle.pddl": {
        "nodes": (
            "Action And Atom Axiom Condition Domain Effect Exists Forall Function FunctionTerm GroundAction Imply "
            "Increase Node Not Or Plan Predicate Problem Span Task TypedName Value When"
        ),
        "linting.fault": "Edit Fault",
        "semantics": "Semantics applicable apply holds initial",
        "validation": "Validation validate",
        "linting.linting": "lint",
        "reading.reader": "parse_domain parse_problem parse_task read read_domain read_problem",
        "plans": "parse_plan read_plan write_plan",
        "writer": "write",
    },
    "unpuzzle.translators.shared": {
        "cells": "Distances Symmetry cell_name cell_names groups neighbours place reachable step symmetries",
        "grid": "GridPuzzle Sheet",
        "text": "Page Word",
    },
}
"""By package and module of it the names that the package offers (PEP 562)."""
PARTS = (
    "base constraints counting drawing experiments explanation generation installation interop model pddl planners "
    "planning play puzzlescript rendering solving state_space testing translators untrusted verification"
).split()
"""The modules and packages that `unpuzzle` itself offers."""


def load(kind: str, name: str) -> Any:
    """Return the module or object that the table lists under a name. Raises KeyError for an unknown name."""
    module, _, item = TABLE[kind][name].partition(":")
    found = import_module(module)
    return getattr(found, item) if item else found


def offered_names(package: str) -> list[str]:
    """Return the public names of a package."""
    return sorted(name for names in PACKAGES[package].values() for name in names.split())


def attribute(package: str, name: str) -> Any:
    """Import and return the object with a public name of a package. Raises AttributeError for unknown names."""
    for module, names in PACKAGES[package].items():
        if name in names.split():
            return getattr(import_module(f"{package}.{module}"), name)
    if package == "unpuzzle" and name in PARTS:
        return import_module(f"unpuzzle.{name}")
    raise AttributeError(f"module {package!r} has no attribute {name!r}")


def notebook_html(value: object) -> str:
    """Return a value as HTML for notebooks; classes use this function as their `_repr_html_`."""
    text: str = load("notebooks", "html")(value)
    return text


def notebook_bundle(value: object, include: object = None, exclude: object = None) -> dict[str, str]:
    """Return a value in the media types for notebooks; classes use this function as their `_repr_mimebundle_`."""
    bundle: dict[str, str] = load("notebooks", "bundle")(value)
    return bundle


def offers(group: str) -> dict[str, list[EntryPoint]]:
    """Return the entry points of a group in the installed distributions, by name."""
    from importlib.metadata import entry_points

    by_name: dict[str, list[EntryPoint]] = {}
    for entry in entry_points(group=group):
        others = by_name.setdefault(entry.name, [])
        if entry.value not in [other.value for other in others]:
            others.append(entry)
    return by_name


def hidden(group: str, own: Collection[str], what: str) -> dict[str, str]:
    """Return the names in a group of entry points that are ignored or used only in part, each with the reason.

    `what` describes our `own` things with these names.
    """
    reasons: dict[str, str] = {}
    for name, entries in offers(group).items():
        values = " and ".join(repr(entry.value) for entry in entries)
        if name in own:
            reasons[name] = f"the entry point {values} is not used: {name} is {what}"
        elif len(entries) > 1:
            reasons[name] = f"of the entry points {values} only the last is used"
    return reasons
