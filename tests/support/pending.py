"""What the house does not hold yet: these lists only shrink."""

IMPORTS: set[str] = set()
"""Files whose imports do not point one way."""

CIRCLES: list[set[str]] = [
    {"unpuzzle.cli", "unpuzzle.cli.files", "unpuzzle.cli.parser"},
    {
        "unpuzzle.testing.game_laws",
        "unpuzzle.testing.game_laws.capabilities",
        "unpuzzle.testing.game_laws.causes",
        "unpuzzle.testing.game_laws.constrained",
        "unpuzzle.testing.game_laws.guidance",
        "unpuzzle.testing.game_laws.language",
        "unpuzzle.testing.game_laws.making",
        "unpuzzle.testing.game_laws.pictures",
        "unpuzzle.testing.game_laws.processes",
        "unpuzzle.testing.game_laws.rules",
        "unpuzzle.testing.game_laws.subject",
        "unpuzzle.testing.game_laws.text",
    },
    {"unpuzzle.translators.boxup", "unpuzzle.translators.boxup.making", "unpuzzle.translators.boxup.rules"},
    {"unpuzzle.translators.boxup.board", "unpuzzle.translators.boxup.picture"},
    {
        "unpuzzle.translators.pacman",
        "unpuzzle.translators.pacman.heuristics",
        "unpuzzle.translators.pacman.maze",
        "unpuzzle.translators.pacman.picture",
        "unpuzzle.translators.pacman.rules",
    },
    {"unpuzzle.translators.shared.grid", "unpuzzle.translators.shared.grid_picture"},
    {
        "unpuzzle.translators.sliding_tiles",
        "unpuzzle.translators.sliding_tiles.parity",
        "unpuzzle.translators.sliding_tiles.rules",
        "unpuzzle.translators.sliding_tiles.subgoals",
    },
    {"unpuzzle.translators.sliding_tiles.board", "unpuzzle.translators.sliding_tiles.picture"},
    {"unpuzzle.translators.sokoban.heuristics", "unpuzzle.translators.sokoban.rules"},
]
"""Modules that import each other."""

STALE: set[str] = set()
"""Files whose prose names something that is not there."""

LONG: set[str] = {
    "src/unpuzzle/limits.py",
}
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
