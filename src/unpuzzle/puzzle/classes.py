"""Find faults in the class of a game, and the line that defines a method.

A class may misspell members, or offer them in vain: a class that defines `subgoals`, or `subgoal`, without inheriting
`Staged` would silently offer nothing. Names that begin with `_` are ignored. Members that are required are abstract, so
Python itself makes no object of a class that lacks one; a game's file with such a class is refused when it is read.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator

from unpuzzle.errors import GameFault
from unpuzzle.words import distance

_OF_BOTH = {"component_arguments": "ForComponents", "component_levels": "ForComponents"}
_OF_GAMES = _OF_BOTH | {"generate": "Generating", "heuristics": "HasHeuristics", "options": "Generating"}
_OF_POSITIONS = _OF_BOTH | {
    "constraints": "Constrained",
    "goal_position": "Reversible",
    "level_score": "Scored",
    "mace4_input": "ModelFinding",
    "pieces": "Pictured",
    "predecessors": "Reversible",
    "subgoals": "Staged",
    "symmetries": "Symmetric",
}
HEIR_OF = _OF_GAMES | _OF_POSITIONS
"""The capability of each member name, for names with no other use."""
SHORTEST = 6
"""The fewest letters of a name that may count as misspelled; shorter ones are often other words."""
_UNGUESSED = {"heuristics", "options", "pieces"}
"""Names without a capability that a near miss is not taken for: it may mean anything."""


def require_sound(kind: type) -> None:
    """Raise GameFault for the first fault of a class made outside of this package, whose own classes a test checks."""
    if not kind.__module__.startswith("unpuzzle."):
        for name, sentence in faults(kind):
            raise fault_at(kind, name, f"{kind.__name__}: {sentence}")


def faults(kind: type) -> Iterator[tuple[str, str]]:
    """Yield the faults of a class: the name of the member, and a sentence."""
    own = {name: value for name, value in vars(kind).items() if not name.startswith("_")}
    ours = [base for base in (*kind.__mro__[1:], *type.mro(type(kind))) if base.__module__.startswith("unpuzzle.")]
    known = {name for base in ours for name in vars(base) if not name.startswith("_")}
    names = {base.__name__ for base in ours}
    heirs = (_OF_GAMES if "Game" in names else {}) | (_OF_POSITIONS if "Position" in names else {})
    heirs = {name: heir for name, heir in heirs.items() if name not in known and heir not in names}
    for name in [name for name in own if name in heirs]:
        if name != "pieces" or "ground" in own:  # each alone may mean anything
            yield name, f"`{name}` is offered by inheriting {heirs[name]}: class {kind.__name__}(..., {heirs[name]})"
    if {"HasHeuristics", "Puzzle"} <= names and not hasattr(kind, "heuristics"):  # other games may set it in `__init__`
        yield "", "it inherits and does not define `heuristics` of HasHeuristics"
    methods = (heirs.keys() - _UNGUESSED) | {name for name in known if callable(getattr(kind, name, None))}
    for name in [name for name in own if name not in known and not hasattr(own[name], "__set__")]:
        for meant in sorted((methods if callable(getattr(kind, name)) else known - methods) - own.keys()):
            if len(meant) >= SHORTEST and distance(name, meant) == 1:
                heir = f" of {heirs[meant]}" if meant in heirs else ""
                yield name, f"`{name}`: did you mean `{meant}`{heir}? If not, give it another name, or one with `_`"


def fault_at(owner: object, member: str, message: str) -> GameFault:
    """Return a fault of a game or position, with the place of a member."""
    file, line = place_of(owner, member)
    return GameFault(message, file=file, line=line)


def place_of(owner: object, member: str = "") -> tuple[str | None, int | None]:
    """Return the file and line where the class of a game or position defines a member or, without one, begins.

    What is made from `following` is defined there. The line is None for a member that is not the game's own.
    """
    kind = owner if isinstance(owner, type) else type(owner)
    base = next((base for base in kind.__mro__ if member in vars(base)), None) if member else kind
    file = module_file(kind if base is None or is_ours(base) else base)
    if base is None or is_ours(base) or file is None:
        return file and shown(file), None
    if getattr(vars(base).get(member), "__module__", None) == "unpuzzle.puzzle.position":
        member = "following"
    from linecache import getlines  # which loads what parses Python

    text, head = "".join(getlines(file)), rf"^\s*class\s+{base.__name__}\b"
    for inside in (rf".*?^\s+def\s+{member}\s*\(", rf".*?^\s+{member}\s*[:=]", "") if member else ("",):
        if found := re.search(head + inside, text, re.DOTALL | re.MULTILINE):
            return shown(file), text.count("\n", 0, found.end()) + 1
    return shown(file), None


def is_ours(kind: type) -> bool:
    """Return whether a class is a base class for games, not a game's own."""
    return f"{kind.__module__}.".startswith(("unpuzzle.puzzle.", "unpuzzle.translators.shared."))


def module_file(kind: type) -> str | None:
    """Return the file of a class; None for one that was made at run time."""
    file: str | None = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return file


def shown(file: str) -> str:
    """Return a file's name as seen from the current folder, if it is below that."""
    near = os.path.abspath(file).removeprefix(os.path.join(os.getcwd(), ""))
    return file if os.path.isabs(near) else near
