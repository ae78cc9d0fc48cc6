"""The reference page of PDDL features: a small task for each, which is read and planned when the page is made.

pages()      the page, by its path below `docs/reference`
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reference_pages.docstrings import prose
from reference_pages.schemas import escape_cell
from unpuzzle.base.errors import ParseError, UnpuzzleError, UnsupportedFeature
from unpuzzle.base.outcomes import UNSUPPORTED
from unpuzzle.pddl import Task, parse_domain, parse_task
from unpuzzle.pddl.reading.reader import DECLARED_IN_VAIN, FOREIGN, REFUSED
from unpuzzle.planners.native.planner import NativeKind
from unpuzzle.planning import registry
from unpuzzle.planning.result import Result
from unpuzzle.solving import solve

PROCESSES = 2
TASKS = Path(__file__).with_name("pddl_features.txt")
PLANNERS = ("native", "reference", "fast-downward")
"""Those that read PDDL and are the same everywhere; `up` and `command` are as good as what they call."""


@dataclass(frozen=True)
class Feature:
    """A feature of PDDL: its name, some words about it, and the texts of a task that needs it."""

    name: str
    about: str
    domain: str
    problem: str


@cache
def features() -> tuple[Feature, ...]:
    """Return the features, in the order of the page."""
    found = []
    for entry in TASKS.read_text(encoding="utf-8").strip().split("\n\n"):
        head, _, body = entry.partition("\n")
        name, _, about = head.partition(" | ")
        domain, _, problem = body.partition("\n--\n")
        texts = (f"(define (domain d) {domain})", f"(define (problem p) (:domain d) {problem})")
        found.append(Feature(name, about, *texts))
    return tuple(found)


@cache
def read(feature: Feature) -> Task | UnpuzzleError:
    """Read the task of a feature; return the task, or the error if the feature is not supported."""
    try:
        return parse_task(feature.domain, feature.problem)
    except (ParseError, UnsupportedFeature) as error:
        return error


def planned(feature: Feature, planner: str) -> Result:
    """Return the result of a planner for the task of a supported feature."""
    task = read(feature)
    assert isinstance(task, Task)
    return solve(task, planner)


@cache
def all_planned() -> dict[tuple[str, str], Result]:
    """Return the results of all planners of the table, by feature and planner."""
    pairs = [(feature, name) for feature in features() for name in planners() if isinstance(read(feature), Task)]
    with ThreadPoolExecutor(PROCESSES) as pool:
        results = pool.map(planned, *zip(*pairs, strict=True))
        return {(feature.name, name): result for (feature, name), result in zip(pairs, results, strict=True)}


def planners() -> list[str]:
    """Return the installed planners of the table."""
    return [name for name in PLANNERS if registry.missing(name) is None]


@cache
def configurations() -> tuple[str, ...]:
    """Return the configurations of the native planner that need no argument."""
    names = NativeKind().configurations.partition("[")[2].partition("]")[0].split("|")
    return tuple(f"native{name}" for name in names if name != ":boxes")  # refuses tasks, whatever their features


@cache
def refusing(feature: Feature) -> dict[str, str]:
    """Return the message of each native configuration that refuses a feature, by the configuration's name."""
    answers = {name: planned(feature, name) for name in configurations()}
    return {name: result.message for name, result in answers.items() if result.status == UNSUPPORTED}


def pages() -> dict[str, str]:
    """Return the page of PDDL features, by its path."""
    return {"pddl-features.md": "\n".join(_page()) + "\n"}


def _page() -> Iterator[str]:
    yield from ("# Supported PDDL features", "", ABOUT, "")
    names = planners()
    yield "| feature | read | " + " | ".join(f"`{name}`" for name in names) + " | not by |"
    yield "|---" * (len(names) + 3) + "|"
    for feature in features():
        yield "| " + " | ".join(map(escape_cell, _row(feature, names))) + " |"
    yield from ("", "## Unsupported features", "", REFUSALS, "", "| feature | words | message |", "|---|---|---|")
    for name, (words, sentence) in refusals().items():
        yield f"| `{name}` | {', '.join(f'`{word}`' for word in words)} | {escape_cell(prose(sentence))} |"
    vain = ", ".join(f"`{word}`" for word in sorted(DECLARED_IN_VAIN))
    yield from ("", f"Requirements that are merely declared are warnings of lint: {vain}. What needs them is refused.")
    yield from ("", "## Tasks of the table", "")
    for feature in features():
        yield from (f"### {feature.name}", "", "```lisp", feature.domain, feature.problem, "```", "")


ABOUT = """The table is made by running a small task for each feature, shown below: `optimal` is a plan that was
proved to be a cheapest one, `plan` one that was not; every plan was validated. *Not by* names the configurations of the
native planner that refuse the feature in words. `up` and `command` plan with what the engine or program can read
that they call."""
REFUSALS = """A text that asks for more than is offered is refused with the place and the name of the feature
(status `unsupported`, exit code 4): never read as if it said something else."""


def _row(feature: Feature, names: list[str]) -> Iterator[str]:
    name = f"`{feature.name}`" if feature.name.startswith(":") else f"**{feature.name}**"
    yield f"{name}: {prose(feature.about)}"
    task = read(feature)
    if not isinstance(task, Task):
        yield f"no: {prose(str(getattr(task, 'message', task)))}"
        yield from [""] * (len(names) + 1)
        return
    yield "yes"
    for name in names:
        yield _cell(all_planned()[feature.name, name])
    yield ", ".join(f"`{name}`" for name in refusing(feature))


def _cell(result: Result) -> str:
    words = {"solved_optimally": "optimal", "solved": "plan", UNSUPPORTED: "no"}
    return words.get(result.status, result.status)


@cache
def refusals() -> dict[str, tuple[list[str], str]]:
    """Return, by unsupported feature, its PDDL words and the message for the first of them."""
    found: dict[str, tuple[list[str], str]] = {}
    texts = {word: f"(define (domain d) (:requirements {word}))" for word in sorted(REFUSED)}
    texts |= {f"({word} …)": f"(define (domain d) ({word} x))" for word in sorted(FOREIGN)}
    for word, text in texts.items():
        try:
            parse_domain(text)
        except UnsupportedFeature as error:
            found.setdefault(error.feature, ([], error.message))[0].append(word)
        except ParseError:
            continue
    return found
