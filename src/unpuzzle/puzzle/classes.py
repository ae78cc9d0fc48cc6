"""Find faults of a game's class when it is made, and the line of a member.

A class may lack members, misspell them, or offer them in vain: a class that defines `subgoals`, or `subgoal`, without
inheriting `Staged` would silently offer nothing. Names that begin with `_` are ignored.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping
from types import FunctionType

from unpuzzle.errors import GameFault
from unpuzzle.record import annotations_of

HEIR_OF = {
    **dict.fromkeys(("component_arguments", "component_levels"), "ForComponents"),
    **dict.fromkeys(("generate", "options"), "Generating"),
    **dict.fromkeys(("goal_position", "predecessors"), "Reversible"),
    "constraints": "Constrained",
    "heuristics": "HasHeuristics",
    "level_score": "Scored",
    "mace4_input": "ModelFinding",
    "subgoals": "Staged",
    "symmetries": "Symmetric",
}
"""The capability of each member name, for names with no other use."""
VALUES = ("heuristics", "options")
"""The names among these that are not methods."""
OF_GAMES, OF_BOTH = ("HasHeuristics", "Generating"), ("ForComponents",)
"""Capabilities of games, and of games and positions alike; the others are of positions."""
BASES = ("Game", "Position", "Puzzle")
"""Classes that are not capabilities; their abstract members are required when a game is found."""
SHORTEST = 6
"""The fewest letters of a name that may count as misspelled; shorter ones are often other words."""


def require_sound(kind: type) -> None:
    """Raise GameFault for the first fault of the class of a game or position."""
    for name, sentence in faults(kind):
        file, line = _place(kind, name)
        raise GameFault(f"{kind.__name__}: {sentence}", file=file, line=line)


def faults(kind: type) -> Iterator[tuple[str, str]]:
    """Yield the faults of a class: the name of the member, and a sentence."""
    inherited = _inherited(kind)
    own = {name: value for name, value in vars(kind).items() if not name.startswith("_")}
    heirs = {name: HEIR_OF[name] for name in own if name in HEIR_OF}
    if "ground" in own and "pieces" in own:  # each alone may mean anything
        heirs["pieces"] = "Pictured"
    for name, heir in heirs.items():
        if name not in inherited and _can_offer(kind, heir):
            yield name, f"`{name}` is offered by inheriting {heir}: class {kind.__name__}(..., {heir})"
    if missing := [f"`{name}` of {owner.__name__}" for name, owner in _required(kind) if not _has(kind, name)]:
        yield "", f"it inherits and does not define {' and '.join(missing)}"
    sorts = {name: "method" for name, heir in HEIR_OF.items() if name not in VALUES and _can_offer(kind, heir)}
    sorts |= {name: _sort(value) for name, value in inherited.items()}
    for name, value in own.items():
        for meant, sort in sorts.items() if name not in sorts else ():
            if len(meant) >= SHORTEST and meant not in own and one_edit(name, meant) and _sort(value) == sort != "":
                heir = "" if meant in inherited else f" of {HEIR_OF[meant]}"
                yield name, f"`{name}`: did you mean `{meant}`{heir}? If not, give it another name, or one with `_`"


def _inherited(kind: type) -> Mapping[str, object]:
    """Return the public members that a class has from this package, also by its metaclass; `()` for annotations."""
    members: dict[str, object] = {}
    bases = (*kind.__mro__[1:], *type.mro(type(kind)))
    for base in reversed(bases):
        if base.__module__.startswith("unpuzzle."):
            members.update(dict.fromkeys(annotations_of(vars(base)), ()))
            members.update(vars(base))
    return {name: value for name, value in members.items() if not name.startswith("_")}


def _can_offer(kind: type, capability: str) -> bool:
    """Return whether a class can have a capability: positions have no options, and games no subgoals."""
    metaclass, bases = ({base.__name__ for base in owner.__mro__} for owner in (type(kind), kind))
    return "Game" in metaclass or capability in OF_BOTH or ("Game" in bases) == (capability in OF_GAMES)


def _required(kind: type) -> Iterator[tuple[str, type]]:
    """Yield the members that capabilities require, each with its capability."""
    for base in kind.__mro__:
        if _is_capability(base):
            annotated = [name for name in annotations_of(vars(base)) if name not in vars(base)]
            abstract = [name for name, value in vars(base).items() if getattr(value, "__isabstractmethod__", False)]
            yield from ((name, base) for name in (*annotated, *abstract))


def _is_capability(kind: type) -> bool:
    return kind.__module__.startswith("unpuzzle.puzzle.") and kind.__name__ not in BASES


def _has(kind: type, name: str) -> bool:
    """Return whether a class or its objects have a member; an annotation or `__init__` may give it to objects."""
    theirs = [base for base in kind.__mro__ if not _is_capability(base)]
    if any(name in annotations_of(vars(base)) or name in _set_by_init(base) for base in theirs):
        return True
    return hasattr(kind, name) and not getattr(getattr(kind, name), "__isabstractmethod__", False)


def _set_by_init(kind: type) -> list[str]:
    """Return the names of the attributes that a class's `__init__` sets."""
    from dis import get_instructions  # long to load, and few classes set what a capability requires

    init = vars(kind).get("__init__")
    steps = get_instructions(init) if isinstance(init, FunctionType) else ()
    return [step.argval for step in steps if step.opname == "STORE_ATTR"]


def _sort(value: object) -> str:
    """Return `method` or `value`; an empty text for slots and properties, which are neither."""
    if isinstance(value, FunctionType | classmethod | staticmethod):
        return "method"
    return "" if hasattr(value, "__set__") else "value"


def one_edit(one: str, other: str) -> bool:
    """Return whether two words differ by one letter added, removed or replaced, or two exchanged."""
    short, long = sorted((one, other), key=len)
    start = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    rest, longer = short[start:], long[start:]
    if len(short) < len(long):
        return rest == longer[1:]
    return one != other and (rest[1:] == longer[1:] or (rest[:2] == longer[1::-1] and rest[2:] == longer[2:]))


def _place(kind: type, name: str) -> tuple[str | None, int | None]:
    """Return the file and line on which a class defines a member, or begins; None for both without a file."""
    file = module_file(kind)
    from linecache import getlines  # which loads what parses Python

    lines = getlines(file) if file else []
    head = _first(lines, 0, rf"\s*class\s+{kind.__name__}\b")
    if not file or head is None:
        return None, None
    member = name and (_first(lines, head, rf"\s+def\s+{name}\s*\(") or _first(lines, head, rf"\s+{name}\s*[:=]"))
    return shown(file), member or head


def _first(lines: list[str], start: int, pattern: str) -> int | None:
    """Return the number of the first line after the `start`-th that matches."""
    return next((i for i, line in enumerate(lines[start:], start + 1) if re.match(pattern, line)), None)


_OURS = ("unpuzzle.puzzle.", "unpuzzle.translators.shared.")
"""The modules of the base classes; their definitions are not the game's own."""


def is_ours(kind: type) -> bool:
    """Return whether a class is a base class for games, not a game's own."""
    return f"{kind.__module__}.".startswith(_OURS)


def shown(file: str) -> str:
    """Return a file's name as seen from the current folder."""
    try:
        near = os.path.relpath(file)
    except ValueError:  # on another drive
        return file
    return file if near.startswith(os.pardir) else near


def module_file(kind: type) -> str | None:
    file: str | None = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return file


def file_of(owner: object) -> str | None:
    """Return the file of a class, or of the class of a position or game, as seen from the current folder."""
    file = module_file(owner if isinstance(owner, type) else type(owner))
    return None if file is None else shown(file)


def line_of(owner: object, method: str) -> int | None:
    """Return the line of a method, or of `following` in its place, in its class's own file; None if it is elsewhere."""
    kind = owner if isinstance(owner, type) else type(owner)
    base = next((base for base in kind.__mro__ if method in vars(base)), None)
    if base is None or is_ours(base):
        return None
    module = getattr(vars(base)[method], "__module__", None) or ""  # of what is made from `following`: ours
    return _place(base, "following" if module.startswith("unpuzzle.puzzle.") else method)[1]
