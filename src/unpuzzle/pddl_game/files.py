"""PDDL domain files as games, with the problem files near them as levels.

The problems of a domain are the `.pddl` files of its folder, and of the folders `instances` and `problems` there, that
say `(:domain NAME)`. A domain in a folder `domains` has those of the folders beside it, too. They are searched for when
the levels are first used; each is read when it is used.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.base.found_files import found_files
from unpuzzle.pddl.matching import DOMAINS, PddlText, domain_for, domains_in, read_text_of, wanted_domain
from unpuzzle.pddl.nodes import Domain
from unpuzzle.pddl.reading.complaints import read_text
from unpuzzle.pddl.reading.reader import parse_domain, read_domain
from unpuzzle.pddl_game.game import PddlGame
from unpuzzle.translators import find

FOLDERS = ("instances", "problems")


class ProblemFiles(Mapping[str, str]):
    """The texts of the problems beside a domain file, by file name without `.pddl`, in natural order."""

    def __init__(self, domain: str, file: str) -> None:
        self._domain = domain
        self._file = file
        self._paths: dict[str, str] | None = None

    def __getitem__(self, name: str) -> str:
        return read_text(self._listed()[name])[0]

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed())

    def __len__(self) -> int:
        return len(self._listed())

    def __contains__(self, name: object) -> bool:
        return name in self._listed()

    def paths(self) -> list[str]:
        return list(self._listed().values())

    def _listed(self) -> dict[str, str]:
        if self._paths is None:
            self._paths = dict(sorted(self._found(), key=lambda item: natural_key(item[0])))
        return self._paths

    def _found(self) -> Iterator[tuple[str, str]]:
        home = os.path.dirname(self._file) or "."
        rivals = list(domains_in(home, self._domain))
        inside = os.path.basename(os.path.abspath(home)) == DOMAINS
        root = os.path.normpath(os.path.join(home, os.pardir)) if inside else home
        for place in (home, *(os.path.join(root, folder) for folder in FOLDERS)):
            for path in found_files(place, ".pddl", root=root) if os.path.isdir(place) else ():
                if _domain_named_in(path) == self._domain and self._is_of(path, rivals):
                    yield os.path.splitext(os.path.basename(path))[0], path

    def _is_of(self, path: str, rivals: list[PddlText]) -> bool:
        """Return whether a problem belongs to this domain file, not to another file with a domain of the same name."""
        if len(rivals) < 2:
            return True
        try:
            return os.path.samefile(domain_for(read_text_of(path), [rivals]).name, self._file)
        except (UsageError, ParseError, OSError):  # nobody can say which is meant: the named one
            return True


def read_game(path: str, name: str = "") -> PddlGame:
    """Return the game of a domain file, by default with the domain's name. Raises ParseError, UnsupportedFeature."""
    game = _game_of(read_domain(path), path)
    if name:
        game.name = name

    game.home = (find, (str(game.file),))
    return game


def game_in(text: str, path: str) -> PddlGame:
    """Return the game of a domain given as text; `path` is its file name. Raises ParseError, UnsupportedFeature."""
    return _game_of(parse_domain(text, path), path)


def _game_of(domain: Domain, path: str) -> PddlGame:
    full = os.path.abspath(path)
    return PddlGame(domain, ProblemFiles(domain.name, full), full)


def _domain_named_in(path: str) -> str | None:
    """Return the name of the domain that a problem file needs; None for other files and for unreadable files."""
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            return wanted_domain(file.read())
    except OSError:
        return None


def natural_key(name: str) -> list[tuple[int, str]]:
    """Return a sort key by which `p2` comes before `p10`."""
    return [(int(part) if part.isdigit() else -1, part) for part in re.split(r"(\d+)", name)]
