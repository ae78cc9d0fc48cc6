"""What docs/project/stability.md calls frozen, as it is in the code: names, their arguments, commands, fields of JSON.

A line of `tests/golden/frozen.txt` is a group and its members. What is new may lack there; a release writes the file
anew, in the folder `tests`: PYTHONPATH=.:../docs/_ext python -m support.frozen
"""

import inspect
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import unpuzzle
from reference_pages.schemas import schema
from reference_pages.shapes import SHAPES
from unpuzzle.base.values import schema_name
from unpuzzle.cli import COMMANDS
from unpuzzle.cli.parser import option_parser
from unpuzzle.model import Puzzle
from unpuzzle.model.classes import HEIR_OF
from unpuzzle.translators.shared import GridPuzzle

FILE = Path(__file__).parents[1] / "golden" / "frozen.txt"


@cache
def frozen_now() -> dict[str, list[str]]:
    """Return the members of each group, as the code has them."""
    face = set(unpuzzle.__all__) - {"register"}  # which loads unified-planning, for seconds; tests/up calls it
    groups = {"unpuzzle": _members(unpuzzle, face), "Puzzle": _members(Puzzle, dir(Puzzle))}
    groups["GridPuzzle"] = _members(GridPuzzle, vars(GridPuzzle))
    groups["capabilities"] = [f"{heir}.{name}" for name, heir in HEIR_OF.items()]
    modules = (
        "pddl",
        "puzzle",
        "base.errors",
        "base.run",
        "base.outcomes",
        "planning.result",
        "testing",
    )
    for name in modules:
        module = import_module(f"unpuzzle.{name}")
        groups[module.__name__] = _members(module, getattr(module, "__all__", None) or _own_names(module))
    for command in COMMANDS:
        actions = option_parser(command, [])[1]._actions
        words = [word for action in actions for word in action.option_strings or [str(action.metavar or action.dest)]]
        groups[command] = sorted({*words})
    for name in sorted(SHAPES):
        forms = schema(name).get("anyOf", [schema(name)])
        groups[schema_name(name)] = sorted({field for form in forms for field in form["properties"]})
    return groups


def frozen_before() -> dict[str, list[str]]:
    """Return the members of each group, as the file has them."""
    return {words[0]: words[1:] for words in map(str.split, FILE.read_text().splitlines())}


def _own_names(module: Any) -> list[str]:
    """Return the names of the classes and functions that a module defines, and of its words, such as statuses."""
    own = {name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__}
    return [*own, *(name for name, value in vars(module).items() if name.isupper() and isinstance(value, str))]


def _members(home: Any, names: Iterable[str]) -> list[str]:
    return sorted(name + _arguments(getattr(home, name)) for name in names if name[0] != "_")


def _arguments(value: Any) -> str:
    """Return the arguments of what can be called, such as `(subject,planner=,*,limits=)`, else nothing."""
    try:
        parameters = inspect.signature(value).parameters
    except (TypeError, ValueError):
        return ""
    bare = [
        each.replace(annotation=each.empty, default=each.default if each.default is each.empty else "")
        for each in parameters.values()
    ]
    return str(inspect.Signature(bare)).replace("''", "").replace(" ", "")


if __name__ == "__main__":
    FILE.write_text("".join(f"{' '.join([group, *members])}\n" for group, members in frozen_now().items()))
