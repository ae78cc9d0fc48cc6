"""Search for the entry points of installed distributions, such as puzzles and planners. Imports only from `base`."""

from __future__ import annotations

from collections.abc import Collection

from unpuzzle.base.type_hints import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


def offers(group: str) -> dict[str, list[EntryPoint]]:
    """Return the different entry points of a group by name. No result is cached, because distributions may change."""
    from importlib.metadata import entry_points

    by_name: dict[str, list[EntryPoint]] = {}
    for entry in entry_points(group=group):
        others = by_name.setdefault(entry.name, [])
        if entry.value not in [other.value for other in others]:
            others.append(entry)
    return by_name


def hidden(group: str, own: Collection[str], what: str) -> dict[str, str]:
    """Return the names whose entry points are not used, each with the reason.

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
