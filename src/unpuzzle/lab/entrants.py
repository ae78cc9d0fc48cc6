"""The planners of an experiment: each has a label for tables, a full name, and a version.

    entrants(["native", "lama=fast-downward:lama", "command:./plan.py {domain} {problem} --seed {seed}"])

`LABEL=` before a planner gives its label; others get a short one, made from their names. `{seed}` in a name is the
seed of the run, and a random search on the rules, such as `rules:mouse`, takes it, too.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version

from unpuzzle.base.errors import DependencyMissing, UsageError
from unpuzzle.base.values import Record
from unpuzzle.planners.external.command import words_of
from unpuzzle.planners.external.up import PACKAGES
from unpuzzle.planners.native.compiled import core
from unpuzzle.planners.rules.planner import RANDOM
from unpuzzle.planning import registry
from unpuzzle.table import offers
from unpuzzle.version import __version__

SEED = "{seed}"
LONGEST = 24
"""The most letters of an automatic label."""
_LABEL = re.compile(r"([\w.+ -]+)=(?=[\w-]+)(.+)", re.DOTALL)
DIGITS = 12
DISTRIBUTIONS = {"fast-downward": ("up-fast-downward",), "up": ("unified-planning",), "cp-sat": ("ortools",)}
"""The distributions that give a planner its version, by its kind."""
PROGRAMS = {"mace4": "mace4"}
"""The program of a planner, by its kind."""


class Entrant(Record):
    """A planner in an experiment: its label, and its full name, which may contain `{seed}`."""

    label: str
    planner: str

    @property
    def is_random(self) -> bool:
        """Whether the runs of this planner are random and get a seed."""
        return SEED in self.planner

    def configuration(self, seed: int) -> str:
        """Return the full name of the planner, with the seed of a run filled in."""
        return self.planner.replace(SEED, str(seed))


def entrants(planners: Iterable[str] | Mapping[str, str]) -> list[Entrant]:
    """Return the planners of an experiment, given by name or by label, each with a unique label.

    Raises UsageError for an unknown planner or an empty list, DependencyMissing for one that is not installed.
    """
    if isinstance(planners, str):
        planners = [planners]
    items = planners.items() if isinstance(planners, Mapping) else [_parted(name) for name in planners]
    chosen: list[Entrant] = []
    for label, name in items:
        planner = _seeded(name)
        _require(planner.replace(SEED, "0"))
        if label in [each.label for each in chosen]:
            raise UsageError(f"two planners have the label '{label}'")
        entrant = Entrant(label or _unused(_short(name), [each.label for each in chosen]), planner)
        if entrant.planner in [each.planner for each in chosen]:
            raise UsageError(f"the planner '{name}' is named twice")
        chosen.append(entrant)
    if not chosen:
        raise UsageError("an experiment needs at least one planner")
    return chosen


def _parted(text: str) -> tuple[str, str]:
    """Return label and planner of `LABEL=PLANNER`; the label is empty if the text is only a planner."""
    match = _LABEL.fullmatch(text)
    return (match[1].strip(), match[2]) if match else ("", text)


def _seeded(name: str) -> str:
    """Return the name of a planner; `{seed}` is added to a random search without a seed."""
    kind, _, config = name.partition(":")
    return f"{name}={SEED}" if kind == "rules" and config in RANDOM else name


def _require(name: str) -> None:
    """Raise UsageError for an unknown planner, DependencyMissing for a planner that is not installed."""
    registry.find(name)
    if (reason := registry.missing(name)) is not None:
        raise DependencyMissing(reason, dependency=name)


def _short(name: str) -> str:
    """Return a short label for a planner without a label."""
    kind, _, config = name.partition(":")
    if kind == "command":
        name = os.path.basename((words_of(config) or [name])[0])
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 1]}…"


def _unused(label: str, used: list[str]) -> str:
    number, first = 2, label
    while label in used:
        label, number = f"{first} {number}", number + 1
    return label


@cache
def version_of(name: str) -> str:
    """Return the version of a planner as exactly as possible, because different versions may behave differently.

    For our planners it is the version of unpuzzle and a digest of the compiled core; for a distribution its version;
    for a program a digest of its file, and of the files that its command line names.
    """
    kind, _, config = name.partition(":")
    if kind == "command":
        return _digests(words_of(config))
    if kind in PROGRAMS:
        return _digests([PROGRAMS[kind]])
    if kind not in registry.KINDS:
        found = [entry.dist.version for entry in offers(registry.GROUP).get(kind, ()) if entry.dist is not None]
        return found[-1] if found else ""
    packages = [*DISTRIBUTIONS.get(kind, ()), *([PACKAGES[config]] if kind == "up" and config in PACKAGES else [])]
    versions = [f"{package} {_version(package)}" for package in packages]
    if kind not in ("fast-downward", "up"):
        versions.insert(0, f"{__version__}{_core()}")
    return ", ".join(versions)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


@cache
def _core() -> str:
    """Return the digest of the compiled core; empty if there is no core."""
    file = getattr(core, "__file__", None)
    return "" if file is None else f"+core.{_digest(file)}"


def _digests(words: list[str]) -> str:
    paths = [shutil.which(words[0]) or "", *[word for word in words[1:] if os.path.isfile(word)]]
    return ", ".join([f"{os.path.basename(path)} {_digest(path)}" for path in paths if path]) or "not found"


def _digest(path: str) -> str:
    digest = sha256()
    try:
        with open(path, "rb") as file:
            while piece := file.read(1 << 20):
                digest.update(piece)
    except OSError:
        return "unreadable"
    return digest.hexdigest()[:DIGITS]
