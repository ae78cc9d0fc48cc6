"""The configurations of the native planner: by name, the algorithm, the heuristic, and what may be chosen."""

from __future__ import annotations

HEURISTICS = ("blind", "goalcount", "hmax", "hadd", "ff", "landmarks", "lmcut", "pdb")

# By name: algorithm and heuristic.
SEARCHES = {
    "blind": ("astar", "blind"),
    "bfs": ("bfs", "blind"),
    "hmax": ("astar", "hmax"),
    "lmcut": ("astar", "lmcut"),
    "hadd": ("astar", "hadd"),
    "ff": ("astar", "ff"),
    "goalcount": ("astar", "goalcount"),
    "pdb": ("astar", "pdb"),
    "bidirectional": ("bidirectional", "blind"),
    "wastar": ("astar", "lmcut"),
    "lazywastar": ("lazywastar", "ff,landmarks"),
    "gbfs": ("gbfs", "ff,landmarks"),
    "idastar": ("idastar", "lmcut"),
    "orbits": ("astar", "blind"),
}
SYMMETRIC = ("orbits", "bidirectional")  # use symmetries
INFORMED = ("wastar", "lazywastar", "gbfs", "idastar", "orbits")  # take a heuristic in parentheses
WEIGHTED = ("wastar", "lazywastar")  # take a weight
TAKING_TWO = ("lazywastar", "gbfs")  # take two heuristics, too, with a comma between them
WEIGHT, MOST_WEIGHT = 3, 1000
CONFIGURATIONS = ("auto", *SEARCHES)


def parse(config: str) -> tuple[str, str, int]:
    """Return algorithm, heuristic and its weight, of a configuration other than `auto`: `NAME[=WEIGHT][(HEURISTIC)]`.

    Raises UsageError for what is no configuration.
    """
    from unpuzzle.planning.configuration import Form, Number, read_configuration

    weight = Number("weight", 1, MOST_WEIGHT)
    forms = {
        name: Form(weight if name in WEIGHTED else None, (name in INFORMED) + (name in TAKING_TWO)) for name in SEARCHES
    }
    chosen = read_configuration("native", config, forms, known=HEURISTICS)
    algorithm, heuristic = SEARCHES[chosen.name]
    usual = WEIGHT if chosen.name in WEIGHTED else 1
    return algorithm, ",".join(chosen.arguments) or heuristic, int(chosen.number or usual)
