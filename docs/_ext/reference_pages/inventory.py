"""The public names, and the reference page of each name.

Public is what stands here: all that the package itself and its parts list in their `__all__`, and names of other
modules that a page names one by one. A name stands once, under the shortest path that leads to it: `unpuzzle.check`,
not `unpuzzle.verification.check`.

    for entry in entries():     Entry(path="unpuzzle.check", home="unpuzzle.verification.side_by_side.check", ...)
"""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import pairwise
from types import ModuleType
from typing import Any

import unpuzzle
from unpuzzle.table import PACKAGES


@dataclass(frozen=True)
class Page:
    """A reference page about public names: its file name, title and contents.

    Attributes:
        name: its file's name.
        title, about: its heading, and a sentence below that.
        face: names of the package itself that stand on it.
        modules: modules below `unpuzzle` with a list of what they offer, or `MODULE: NAME NAME`.
    """

    name: str
    title: str
    about: str
    face: str
    modules: tuple[str, ...]


PAGES = (
    Page(
        "solving", "Solve", "Find a game, read a level, solve it, play the answer.",
        "find solve improve replay count_solutions solve_many solve_by_subgoals Family Result Limits __version__",
        ("translators: names installed hidden read_level reader_of", "solving: default_planner planner_for read_by",
         "counting: Count", "base.outcomes: STATUSES LIMITS",
         "base.run: Run checkpoint within_limits current phase part sooner grace detached driven handed interrupt",
         "base.files: read_bytes read_stream"),
    ),
    Page(
        "checking", "Check and explain", "Compare rules, PDDL and heuristics; explain why there is no plan.",
        "check same check_heuristic",
        ("verification", "verification.report: GameDifference Sameness", "verification.report: Report Finding",
         "verification.heuristics: HeuristicCheck Inconsistency Overestimate", "verification.domains: DomainReport",
         "verification.many_levels: check_levels LevelCheck LevelChecks",
         "verification.grading: GradeRow", "verification.pointing: Pointer", "solving: mend Mending",
         "explanation.reasons: explain Explanation Reason", "explanation.excuses: excuses Excuse",
         "verification.domains: template", "verification.move_comparison: compare_moves MovesComparison Way",
         "explanation.reasons: explain_level", "explanation.reasons: explain_actions"),
    ),
    Page(
        "spaces", "Explore", "Whole state spaces: every position, dead ends, the farthest start; levels in a table.",
        "explore survey reachable", ("state_space", "state_space.space: Space", "state_space.space: StateSpace",
         "state_space.dead_ends: find_traps Traps Trap find_shortfall Shortfall GoalPart NearestMiss"),
    ),
    Page(
        "levels", "Make levels, compare planners", "Levels of known difficulty; many ways to solve one.",
        "generate compare experiment report",
        ("generation", "generation.candidates: must needs without Must Proof",
         "generation.collections: numbered position_of replays with_solution",
         "model.collection: Collection CollectedLevel CollectedSolution", "experiments",
         "rendering.report_figures: plot",
         "experiments.comparing: comparison_table comparison_csv runs_table runs_csv",
         "base.tables: align_columns csv_of",
         "experiments.experimenting: ExperimentProgress", "experiments.subjects: subjects_of Subject",
         "experiments.runs: ExperimentRun BetterPlan attributes_in", "experiments.reporting: ExperimentReport report",
         "rendering.reports: figure_files report_page"),
    ),
    Page(
        "puzzles", "Write a puzzle",
        "What a puzzle of your own defines. What it may offer besides is on the page of capabilities.",
        "Game Position Puzzle",
        ("model", "model.options: Option Number Size Choice Levels Cells by_name", "translators.shared"),
    ),
    Page(
        "capabilities", "Capabilities",
        "What a game or its positions may offer beyond the rules, each with an example.", "",
        ("model.capabilities: HasHeuristics Generating Reversible Symmetric Scored Staged Constrained Explaining "
         "Pictured ForComponents Traced ModelFinding Overwriting SelfExploring Translated "
         "offered required heuristics_of heuristic_of options_of generated completed symmetries_of subgoals_of "
         "score_of",),
    ),
    Page(
        "drawing", "Draw and play", "Describe pictures once and draw them in every format; make pages to play on.", "",
        ("drawing", "rendering", "rendering.themes: THEMES themes contrast", "rendering.analysis: space_svg",
         "rendering.paper: booklet BookletEntry Front", "play.web_page: page page_of_scene",
         "play.web_page: LevelReport PlayableLevel playable_levels report_on", "base.defaults: TABLE_STATES"),
    ),
    Page(
        "constraints", "State constraints", "Models of constraints, and the search for their solutions.", "",
        ("constraints",),
    ),
    Page(
        "pddl", "PDDL", "The language: read, write, lint, run and validate.", "",
        ("pddl", "pddl.compiled: CompiledSemantics", "pddl.tracing: trace_plan Trace TraceStep Fired",
         "pddl.validation: FalsePart", "pddl.linting.fault: codes Code", "pddl_game.game: PddlGame PddlPosition"),
    ),
    Page(
        "planning", "Planners", "Define, find and run planners.", "",
        ("planning.planner: Planner PlannerKind SearchOptions Progress TIES", "planning.running: results run",
         "planning.registry: KINDS GROUP find kind missing usage installed default",
         "planning.registry: read_configuration Configuration"),
    ),
    Page(
        "exchange", "Other libraries", "Tasks and plans as objects of unified-planning and tarski.", "register",
        ("interop", "up: UnpuzzleEngine"),
    ),
    Page(
        "components", "Untrusted code", "Search components and domains that somebody else, or a model, wrote.", "",
        ("untrusted.trying: check_components", "untrusted.repairing: repair repair_domain Repair",
         "untrusted.repairing: Endpoint"),
    ),
    Page(
        "puzzlescript", "PuzzleScript", "Games in PuzzleScript, from Python.", "",
        ("puzzlescript.game: ScriptGame ScriptPosition game_of", "puzzlescript.rules: ScriptRules",
         "puzzlescript.game: read_game", "puzzlescript.files: ScriptFormat faults_of",
         "model.game_formats: GameFormat"),
    ),
    Page("testing", "Test", "Helpers for the tests of your own puzzles and domains.", "", ("testing",)),
    Page(
        "values", "Errors and values", "The exceptions, and the base class of all results.",
        "UnpuzzleError UsageError ParseError UnsupportedFeature IllegalMove DependencyMissing PlannerFailed "
        "ModelMismatch WorkersFailed LimitReached",
        ("base.errors: GameFault EffortSpent Interrupted",
         "installation: examine Installation Part Trial TrialRun",
         "base.values: Record field schema_name plain VERSION",
         "base.text: suggestion nearest count with_article listing cut shorten"),
    ),
)  # fmt: skip
"""In the order in which a reader looks for them."""


@dataclass(frozen=True)
class Entry:
    """A public name, with the object and the module that defines it.

    Attributes:
        path: the shortest path that leads to it, such as `unpuzzle.check`.
        home: where it is defined, such as `unpuzzle.verification.side_by_side.check`.
        page: the name of its page.
        module: the module under which the page lists it.
        value: what it is.
        doc: its docstring.
    """

    path: str
    home: str
    page: str
    module: str
    value: Any
    doc: str


def public_names(part: str) -> tuple[ModuleType, list[str]]:
    """Return a module and its public names from a line such as `verification` or `run: Run phase`."""
    path, _, names = part.partition(":")
    module = import_module(f"unpuzzle.{path}")
    return module, names.split() or sorted(module.__all__, key=str.lower)


def _order(module: ModuleType) -> list[str]:
    """Return the top-level names of a module, in the order of their definitions."""
    names: list[str] = []
    for node in _tree(module.__name__).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            names += [target.id for target in _targets(node) if isinstance(target, ast.Name)]
    return list(dict.fromkeys(names))


def _targets(node: ast.Assign | ast.AnnAssign) -> list[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


@cache
def _tree(module: str) -> ast.Module:
    return ast.parse(inspect.getsource(import_module(module)))


@cache
def constants(module: str) -> dict[str, str]:
    """Return the docstrings that follow the constants of a module, by name."""
    texts = {}
    body = _tree(module).body
    for node, after in pairwise(body):
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(after, ast.Expr):
            value = after.value
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                for target in _targets(node):
                    if isinstance(target, ast.Name):
                        texts[target.id] = inspect.cleandoc(value.value)
    return texts


@cache
def entries() -> tuple[Entry, ...]:
    """Return all public names, each once, in the order of the pages."""
    found: dict[int | str, Entry] = {}
    for page in PAGES:
        for name in page.face.split():
            _add(found, page, unpuzzle, name, f"unpuzzle.{name}")
    for page in PAGES:
        for part in page.modules:
            module, names = public_names(part)
            for name in names:
                _add(found, page, module, name, f"{module.__name__}.{name}")
    pages = [page.name for page in PAGES]
    return tuple(sorted(found.values(), key=lambda entry: pages.index(entry.page)))


def _add(found: dict[int | str, Entry], page: Page, module: ModuleType, name: str, path: str) -> None:
    value = getattr(module, name)
    value = inspect.unwrap(value) if callable(value) else value  # a function whose results are kept
    is_defined = inspect.isclass(value) or inspect.isfunction(value)
    if not is_defined and inspect.ismodule(value):
        return
    home = f"{value.__module__}.{value.__qualname__}" if is_defined else _home(module, name)
    if home not in found:
        found[home] = Entry(path, home, page.name, module.__name__, value, _doc(value, home, is_defined))


def _home(module: ModuleType, name: str) -> str:
    """Return the module that defines a constant."""
    if name in _order(module):
        return f"{module.__name__}.{name}"
    for node in ast.walk(_tree(module.__name__)):
        if isinstance(node, ast.ImportFrom) and any(alias.name == name for alias in node.names):
            home = import_module(node.module or "")
            return _home(home, name)
    parts = PACKAGES.get(module.__name__, {})
    homes = {name: f"{module.__name__}.{part}" for part, names in parts.items() for name in names.split()}
    return _home(import_module(homes[name]), name) if name in homes else f"{module.__name__}.{name}"


def _doc(value: object, home: str, is_defined: bool) -> str:
    module, _, name = home.rpartition(".")
    if is_defined:
        return inspect.getdoc(value) or ""
    if name == "__version__":  # whose module has no room for more
        return (inspect.getdoc(import_module(module)) or "").partition(",")[0] + "."
    return constants(module).get(name, "")
