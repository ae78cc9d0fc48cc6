"""Find faults in the class of a game, and the line that defines a method.

A class may lack members, misspell them, or offer them in vain: a class that defines `subgoals`, or `subgoal`, without
inheriting `Staged` would silently offer nothing. Names that begin with `_` are ignored.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from types import FunctionType

from unpuzzle.errors import GameFault
from unpuzzle.record import annotations_of
from unpuzzle.words import distance

_OF_GAMES = {"generate": "Generating", "heuristics": "HasHeuristics", "options": "Generating"}
_OF_POSITIONS = {
    "constraints": "Constrained",
    "goal_position": "Reversible",
    "level_score": "Scored",
    "mace4_input": "ModelFinding",
    "pieces": "Pictured",
    "predecessors": "Reversible",
    "subgoals": "Staged",
    "symmetries": "Symmetric",
}
_OF_BOTH = {"component_arguments": "ForComponents", "component_levels": "ForComponents"}
HEIR_OF = _OF_BOTH | _OF_GAMES | _OF_POSITIONS
"""The capability of each member name, for names with no other use."""
_BASES = ("Game", "Position", "Puzzle")
"""Classes whose abstract members are required when a game is found, not when a class is made."""
SHORTEST = 6
"""The fewest letters of a name that may count as misspelled; shorter ones are often other words."""
_UNGUESSED = {"heuristics", "options", "pieces"}
"""Names without a capability that a near miss is not taken for: it may mean anything."""


def require_sound(kind: type) -> None:
    """Raise GameFault for the first fault of the class of a game or position."""
    for name, sentence in faults(kind):
        raise fault_at(kind, name, f"{kind.__name__}: {sentence}")


def faults(kind: type) -> Iterator[tuple[str, str]]:
    """Yield the faults of a class: the name of the member, and a sentence."""
    own = {name: value for name, value in vars(kind).items() if not name.startswith("_")}
    ours = [base for base in (*kind.__mro__[1:], *type.mro(type(kind))) if base.__module__.startswith("unpuzzle.")]
    known = {name for base in ours for name in (*annotations_of(vars(base)), *vars(base)) if not name.startswith("_")}
    names = {base.__name__ for base in ours}
    heirs = _OF_BOTH | (_OF_GAMES if "Game" in names else {}) | (_OF_POSITIONS if "Position" in names else {})
    for name in [name for name in own if name in heirs and name not in known]:
        if name != "pieces" or "ground" in own:  # each alone may mean anything
            yield name, f"`{name}` is offered by inheriting {heirs[name]}: class {kind.__name__}(..., {heirs[name]})"
    if lacking := list(_lacking(kind, known)):
        yield "", f"it inherits and does not define {' and '.join(lacking)}"
    methods = (heirs.keys() - known - _UNGUESSED) | {name for name in known if callable(getattr(kind, name, None))}
    for name in [name for name in own if name not in known and not hasattr(own[name], "__set__")]:
        for meant in sorted((methods if callable(getattr(kind, name)) else known - methods) - own.keys()):
            if len(meant) >= SHORTEST and abs(len(meant) - len(name)) <= 1 and distance(name, meant) == 1:
                heir = "" if meant in known else f" of {HEIR_OF[meant]}"
                yield name, f"`{name}`: did you mean `{meant}`{heir}? If not, give it another name, or one with `_`"


def _lacking(kind: type, known: set[str]) -> Iterator[str]:
    """Yield the members that capabilities require and a class does not define."""
    for member in [getattr(kind, name, None) for name in sorted(known)]:
        if getattr(member, "__isabstractmethod__", False) and isinstance(member, FunctionType):
            capability, _, name = member.__qualname__.partition(".")
            if member.__module__.startswith("unpuzzle.puzzle.") and capability not in _BASES:
                yield f"`{name}` of {capability}"
    theirs = [base for base in kind.__mro__ if base.__name__ != "HasHeuristics"]
    if "heuristics" in known and not (hasattr(kind, "heuristics") or any(map(_gives_heuristics, theirs))):
        yield "`heuristics` of HasHeuristics"


def _gives_heuristics(kind: type) -> bool:
    """Return whether a class annotates `heuristics`, or sets it in `__init__`."""
    from dis import get_instructions  # long to load, and few classes need it

    init = vars(kind).get("__init__")
    steps = get_instructions(init) if isinstance(init, FunctionType) else ()
    sets = any(step.opname == "STORE_ATTR" and step.argval == "heuristics" for step in steps)
    return sets or "heuristics" in annotations_of(vars(kind))


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

    lines = getlines(file)
    head = _first(lines, rf"\s*class\s+{base.__name__}\b")
    inside = [_first(lines, pattern, head or 0) for pattern in (rf"\s+def\s+{member}\s*\(", rf"\s+{member}\s*[:=]")]
    return shown(file), next(filter(None, inside), head) if head and member else head


def _first(lines: list[str], pattern: str, start: int = 0) -> int | None:
    """Return the number of the first line after the `start`-th that matches."""
    return next((i for i, line in enumerate(lines[start:], start + 1) if re.match(pattern, line)), None)


def is_ours(kind: type) -> bool:
    """Return whether a class is a base class for games, not a game's own."""
    return f"{kind.__module__}.".startswith(("unpuzzle.puzzle.", "unpuzzle.translators.shared."))


def module_file(kind: type) -> str | None:
    """Return the file of a class; None for one that was made at run time."""
    file: str | None = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return file


def shown(file: str) -> str:
    """Return a file's name as seen from the current folder."""
    try:
        near = os.path.relpath(file)
    except ValueError:  # on another drive
        return file
    return file if near.startswith(os.pardir) else near
