"""What the house does not hold yet: these lists only shrink."""

IMPORTS: set[str] = {
    "planners/native/__init__.py",
    "translators/__init__.py",
    "translators/_outside.py",
    "puzzlescript/searching/spaces.py",
}
"""Files whose imports do not point one way."""

CIRCLES: list[set[str]] = [
    {"unpuzzle.checking.domain_findings", "unpuzzle.checking.domains"},
    {
        "unpuzzle.cli",
        "unpuzzle.cli.edge.defects",
        "unpuzzle.cli.files",
        "unpuzzle.cli.parser",
        "unpuzzle.cli.refusals",
    },
    {
        "unpuzzle.planners.native",
        "unpuzzle.planners.native.anytime",
        "unpuzzle.planners.native.grounding",
        "unpuzzle.planners.native.proofs",
        "unpuzzle.planners.native.schedule",
        "unpuzzle.puzzlescript.searching.native_engine",
        "unpuzzle.puzzlescript.searching.schedule",
        "unpuzzle.puzzlescript.searching.searches",
    },
    {"unpuzzle.planners.native.grounding.flatten", "unpuzzle.planners.native.grounding.schemas"},
    {"unpuzzle.puzzlescript.forking.actions", "unpuzzle.puzzlescript.forking.forked"},
    {"unpuzzle.puzzlescript.forking.kept", "unpuzzle.puzzlescript.game", "unpuzzle.puzzlescript.making"},
    {"unpuzzle.spaces.exploration", "unpuzzle.spaces.graphs"},
    {"unpuzzle.translators", "unpuzzle.translators._outside"},
]
"""Modules that import each other."""

STALE: set[str] = {
    "planners/external/up/child.py",
    "planners/native/__init__.py",
    "puzzlescript/forking/paths.py",
    "puzzlescript/searching/__init__.py",
    "puzzlescript/searching/spaces.py",
    "src/unpuzzle/spaces/by_rules.py",
    "src/unpuzzle/spaces/by_task.py",
    "translators/crossword/__init__.py",
}
"""Files whose prose names something that is not there."""

LONG: set[str] = {"planners/external/process.py", "puzzlescript/game.py"}
"""Files of more than 400 lines."""

LINES = 58_000
CAPABILITIES = 60

SPEAK_OF: dict[str, set[str]] = {
    "puzzlescript": {
        "planners/native/__init__.py",
        "src/unpuzzle/__init__.py",
        "src/unpuzzle/cli/__init__.py",
        "src/unpuzzle/cli/commands/generate.py",
        "src/unpuzzle/cli/commands/lint.py",
        "src/unpuzzle/cli/commands/trace.py",
        "src/unpuzzle/cli/files.py",
        "src/unpuzzle/levels/by_rules.py",
        "src/unpuzzle/puzzle/capabilities/of_positions.py",
        "src/unpuzzle/solving.py",
        "src/unpuzzle/spaces/by_task.py",
        "translators/__init__.py",
        "translators/_outside.py",
    },
    "clues?|clued": {
        "planners/__init__.py",
        "src/unpuzzle/cli/commands/explain.py",
        "src/unpuzzle/planning/registry.py",
        "src/unpuzzle/puzzle/capabilities/of_positions.py",
    },
}
"""Files outside the rooms of a subject that name it."""
