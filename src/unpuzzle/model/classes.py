"""Find faults in the class of a game, and the source line that defines a method.

A class may misspell members, or offer them without effect: a class that defines `subgoals`, or `subgoal`, without
inheriting `Staged` would silently offer nothing. Names that begin with `_` are ignored. Required members are abstract,
so Python itself makes no object without it; a game's file with such a class is refused when it is read.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator

from unpuzzle.base.errors import GameFault
from unpuzzle.base.text import distance

_OF_BOTH = {"component_arguments": "ForComponents", "component_levels": "ForComponents"}
_OF_GAMES = _OF_BOTH | {"generate": "Generating", "heuristics": "HasHeuristics", "options": "Generating"}
_OF_POSITIONS = (
    _OF_BOTH
    | {"constraints": "Constrained", "level_score": "Scored", "mace4_input": "ModelFinding", "pieces": "Pictured"}
    | {"goal_position": "Reversible", "predecessors": "Reversible", "subgoals": "Staged", "symmetries": "Symmetric"}
)
HEIR_OF = _OF_GAMES | _OF_POSITIONS
"""The capability of each member name, for names with no other use."""
_UNGUESSED = {"heuristics", "options", "pieces"}  # without their capability, a near miss of them may mean anything


def require_sound(kind: type) -> None:
    """Raise GameFault for the first fault of a game's class; classes of unpuzzle are not checked."""
    if not kind.__module__.startswith("unpuzzle."):
        for name, sentence in faults(kind):
            raise fault_at(kind, name, f"{kind.__name__}: {sentence}")


def faults(kind: type) -> Iterator[tuple[str, str]]:
    """Yield the faults of a game's or position's class, each as (name of the member, sentence)."""
    own = {name: value for name, value in vars(kind).items() if not name.startswith("_")}
    ours = [base for base in (*kind.__mro__[1:], *type.mro(type(kind))) if base.__module__.startswith("unpuzzle.")]
    known = {name for base in ours for name in vars(base) if not name.startswith("_")}
    names = {base.__name__ for base in ours}
    heirs = (_OF_GAMES if "Game" in names else {}) | (_OF_POSITIONS if "Position" in names else {})
    heirs = {name: heir for name, heir in heirs.items() if name not in known and heir not in names}
    for name in [name for name in own if name in heirs]:
        if name != "pieces" or "ground" in own:  # each alone may mean anything
            yield name, f"to offer `{name}`, inherit {heirs[name]}: class {kind.__name__}(..., {heirs[name]})"
    if {"HasHeuristics", "Puzzle"} <= names and not hasattr(kind, "heuristics"):  # other games may set it in `__init__`
        yield "", "it inherits and does not define `heuristics` of HasHeuristics"
    methods = (heirs.keys() - _UNGUESSED) | {name for name in known if callable(getattr(kind, name, None))}
    for name in [name for name in own if name not in known and not hasattr(own[name], "__set__")]:
        for meant in sorted((methods if callable(getattr(kind, name)) else known - methods) - own.keys()):
            if len(meant) > 5 and distance(name, meant) == 1:  # shorter names are often other words
                heir = f" of {heirs[meant]}" if meant in heirs else ""
                yield name, f"`{name}`: did you mean `{meant}`{heir}? If not, give it another name, or one with `_`"


def fault_at(owner: object, member: str, message: str) -> GameFault:
    """Return a GameFault that points to the file and line where a game or position defines a member."""
    file, line = place_of(owner, member)
    return GameFault(message, file=file, line=line)


def place_of(owner: object, member: str = "") -> tuple[str | None, int | None]:
    """Return the file and line where the class of a game or position defines `member` or, without `member`, begins."""
    kind = owner if isinstance(owner, type) else type(owner)
    base = next((base for base in kind.__mro__ if member in vars(base)), object) if member else kind
    if (file := own_file(base)) is None:
        file = own_file(kind)
        return file and shown(file), None  # the member is not the game's own
    if getattr(vars(base).get(member), "__module__", None) == "unpuzzle.model.position":
        member = "following"  # which it is made from
    from linecache import getlines  # which loads what parses Python

    text = "".join(getlines(file))
    inside = rf"(.*?^\s+def\s+{member}\s*\(|.*?^\s+{member}\s*[:=]|)" if member else ""
    found = re.search(rf"^\s*class\s+{base.__name__}\b{inside}", text, re.DOTALL | re.MULTILINE)
    return shown(file), text.count("\n", 0, found.end()) + 1 if found else None


def own_file(kind: type) -> str | None:
    """Return the file that defines a class; None for base classes of unpuzzle, and for classes made at run time."""
    ours = f"{kind.__module__}.".startswith(("unpuzzle.model.", "unpuzzle.translators.shared."))
    return None if ours else getattr(sys.modules.get(kind.__module__), "__file__", None)


def shown(file: str) -> str:
    """Return a file's path, relative to the current folder if the file is inside that folder."""
    near = os.path.abspath(file).removeprefix(os.path.join(os.getcwd(), ""))
    return file if os.path.isabs(near) else near
