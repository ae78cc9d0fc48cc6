"""Name the planners of a report; another limit, version or objective makes another planner.

    native (10 s of wall clock)    native (60 s of wall clock)    lama (unpuzzle 0.8.2)

A name says only what differs among the planners that share it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from unpuzzle.lab.runs import ExperimentRun
from unpuzzle.record import Record

GIB = 2**30
NO_LIMITS = "no limits"
Identity = tuple[tuple[str, str], ...]
"""The properties that distinguish planners, as pairs of a name and a text."""


class Label(Record):
    """A planner of a report, with its limits and versions.

    Attributes:
        name: unique within the report.
        planner, configuration, limits, versions, objective: as in `ExperimentRun`.
    """

    name: str
    planner: str
    configuration: str
    limits: Mapping[str, float | None]
    versions: Mapping[str, str]
    objective: str


def labelled(runs: Iterable[ExperimentRun]) -> list[tuple[Label, list[ExperimentRun]]]:
    """Return labels with their runs, by name: runs may have come in any order."""
    groups: dict[str, dict[Identity, list[ExperimentRun]]] = {}
    seen: dict[tuple[Any, ...], Identity] = {}  # so that the identity is made once for each kind of run
    for run in runs:
        kind = (run.configuration, run.objective, *run.limits.items(), None, *run.versions.items())
        if kind not in seen:
            seen[kind] = _identity(run)
        groups.setdefault(run.planner, {}).setdefault(seen[kind], []).append(run)
    labels: dict[str, tuple[Label, list[ExperimentRun]]] = {}
    for planner, kinds in groups.items():
        for identity, those in kinds.items():
            name = base = planner + _difference(identity, [*kinds])
            number = 1
            while name in labels:
                number += 1
                name = f"{base}, {number}"
            first = those[0]
            limits, versions = dict(first.limits), dict(first.versions)
            labels[name] = Label(name, planner, first.configuration, limits, versions, first.objective), those
    return sorted(labels.values(), key=lambda pair: pair[0].name)


def limits_text(limits: Mapping[str, float | None]) -> str:
    """Return limits in words, such as `10 s of processor time, 2 GiB`."""
    return ", ".join(text for _, text in _limits(limits)) or NO_LIMITS


def _identity(run: ExperimentRun) -> Identity:
    versions = [(f"version of {name}", f"{name} {version}") for name, version in sorted(run.versions.items())]
    objective = [("objective", f"for {run.objective}")]
    return (("configuration", run.configuration), *objective, *_limits(run.limits), *versions)


def _limits(limits: Mapping[str, float | None]) -> list[tuple[str, str]]:
    time, cpu, memory = (limits.get(name) for name in ("time", "cpu", "memory"))
    texts = []
    if cpu is not None:
        texts.append(("cpu", f"{cpu:g} s of processor time"))
    if time is not None:
        texts.append(("time", f"{time:g} s of wall clock"))
    if memory is not None:
        texts.append(("memory", f"{memory / GIB:.3g} GiB"))
    return texts


def _difference(identity: Identity, others: Sequence[Identity]) -> str:
    """Return the words that distinguish a planner from others of the same name, such as its limits."""
    if len(others) == 1:
        return ""
    every = set(others[0]).intersection(*map(set, others[1:]))
    own = [text for name, text in identity if (name, text) not in every]
    return f" ({', '.join(own) or 'without'})"
