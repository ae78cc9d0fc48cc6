"""What the house does not hold yet: these lists only shrink."""

IMPORTS: set[str] = set()
"""Files whose imports do not point one way."""

CIRCLES: list[set[str]] = [
    {"unpuzzle.cli", "unpuzzle.cli.files", "unpuzzle.cli.parser"},
]
"""Modules that import each other."""

STALE: set[str] = set()
"""Files whose prose names something that is not there."""

LONG: set[str] = set()
"""Files of more than 400 lines."""

LINES = 57200

SPEAK_OF: dict[str, set[str]] = {
    "puzzlescript": {
        "src/unpuzzle/__init__.py",
        "src/unpuzzle/cli/__init__.py",
        "src/unpuzzle/cli/commands/trace.py",
        "src/unpuzzle/planning/registry.py",
        "translators/_files.py",
    },
    "clues?|clued": {
        "planners/__init__.py",
        "src/unpuzzle/cli/commands/explain.py",
        "src/unpuzzle/planning/registry.py",
        "src/unpuzzle/puzzle/capabilities/of_positions.py",
    },
}
"""Files outside the rooms of a subject that name it."""
