"""The planner `puzzlescript`, which searches levels of PuzzleScript games in the C++ core.

puzzlescript    the default, always optimal: A* with `distance` if it is admissible, else breadth-first search; levels
                that the rules do not solve soon may be solved by their PDDL, see `schedule`
puzzlescript:blind, puzzlescript:bfs
                breadth-first search
puzzlescript:distance, puzzlescript:sum, puzzlescript:goalcount
                A* with an estimate from the win conditions, see `rules`; `distance` is admissible in some games
puzzlescript:wastar, puzzlescript:gbfs, puzzlescript:idastar
                weighted A* (`wastar=5`: weight 5), greedy best-first search, IDA*; an estimate in parentheses takes the
                place of the usual one: `gbfs(goalcount)`

Optimal searches, and A* with any estimate, support all objectives: walks and pushes are distinguished by the judge's
definition (`core/script/walks.hpp`), and a step costs its share of the objective.

For a configuration of `native` that exists here, too, such as `native:gbfs`, this planner is used instead; the other
ones read the PDDL of the level.
"""

from __future__ import annotations

from collections.abc import Iterator

from unpuzzle.base.errors import UsageError
from unpuzzle.base.outcomes import GAVE_UP, MEMOUT, SOLVED
from unpuzzle.base.run import Run, driven, phase
from unpuzzle.model.capabilities import Translated, offered
from unpuzzle.planners.native import missing
from unpuzzle.planners.native.planner import INFORMED, MOST_WEIGHT, WEIGHT, WEIGHTED
from unpuzzle.planning.planner import MOVES, OBJECTIVES, OWN, USUAL, Planner, PlannerKind, SearchOptions
from unpuzzle.planning.registry import ConfigurationSyntax, NumberSyntax, read_configuration
from unpuzzle.planning.result import Result
from unpuzzle.puzzlescript.game import ScriptPosition
from unpuzzle.puzzlescript.rules import ScriptRules
from unpuzzle.puzzlescript.searching.searches import RuleSearch, Searching, is_admissible

KIND = "puzzlescript"

ESTIMATES = ("blind", "goalcount", "distance", "sum")
SEARCHES = {
    "blind": RuleSearch("bfs"),
    "bfs": RuleSearch("bfs"),
    "goalcount": RuleSearch("astar", "goalcount"),
    "distance": RuleSearch("astar", "distance"),
    "sum": RuleSearch("astar", "sum"),
    "wastar": RuleSearch("astar", "distance"),
    "gbfs": RuleSearch("gbfs", "sum"),
    "idastar": RuleSearch("idastar", "distance"),
}
"""By configuration the search, with its usual heuristic."""
CONFIGURATIONS = ("auto", *SEARCHES)

FIRST_STATES = 60_000
"""The number of states that the default may expand before it looks for PDDL."""
QUICK = (RuleSearch("gbfs", "sum", 1, 1_000_000), RuleSearch("astar", "sum", 1, 1_000_000))
"""The first searches of anytime planning: for some plan quickly, then for a better one."""


def search_of(config: str) -> RuleSearch:
    """Return the search that a configuration `NAME[=WEIGHT][(ESTIMATE)]` describes."""
    weight = NumberSyntax("weight", 1, MOST_WEIGHT)
    forms = {
        name: ConfigurationSyntax(weight if name in WEIGHTED else None, int(name in INFORMED)) for name in SEARCHES
    }
    choice = read_configuration(KIND, config, forms, argument="estimate", known=ESTIMATES)
    search = SEARCHES[choice.name]
    if choice.arguments:
        search = search.replace(heuristic=choice.arguments[0])
    if choice.name in WEIGHTED:
        search = search.replace(weight=int(choice.number or WEIGHT))
    return RuleSearch("bfs") if (search.algorithm, search.heuristic) == ("astar", "blind") else search


class ScriptPlanner(Planner):
    """The planner `puzzlescript`, which solves levels of PuzzleScript games by searches on their rules."""

    kind: str = KIND
    reads: tuple[str, ...] = (OWN,)
    improves: bool = True
    reports: bool = True

    def __init__(self, config: str | None = None) -> None:
        self.name: str = KIND if config is None else f"{KIND}:{config}"
        self.search: RuleSearch | None = None if config in (None, "auto") else search_of(str(config))
        able = self.search is None or (self.search.algorithm in ("bfs", "astar") and self.search.weight == 1)
        self.objectives: tuple[str, ...] = OBJECTIVES if able else (MOVES,)

    def solve(self, subject: ScriptPosition, options: SearchOptions = USUAL) -> Result:
        """Solve a level. Raises UnsupportedFeature if its rules are random, DependencyMissing without the C++ core."""
        with phase("searching"):
            searching = Searching(self.name, subject.game, subject.state, options)
            if self.search is not None:
                searching.run(self.search)
                return searching.result()
            return _by_default(searching, subject)

    def improving(self, subject: ScriptPosition, options: SearchOptions = USUAL) -> Iterator[Result]:
        """Yield a result for each better plan, and then the result that `solve` would return."""
        if self.search is not None or options.objective != MOVES:
            yield self.solve(subject, options)
        else:
            yield from driven(Run(phase="searching"), self._improving(subject, options))

    def _improving(self, subject: ScriptPosition, options: SearchOptions) -> Iterator[Result]:
        """Yield each shorter plan of the quick searches, and then the result of the default searches."""
        searching, least = Searching(self.name, subject.game, subject.state, options), None
        for search in QUICK:
            outcome = searching.run(search)
            result = searching.result()
            if outcome.status not in (SOLVED, GAVE_UP):
                yield result
                return
            if result.moves is not None and (least is None or len(result.moves) < least):
                least = len(result.moves)
                yield result.replace(intermediate=True)
        yield _by_default(searching, subject)


class ScriptKind(PlannerKind):
    """The planner kind `puzzlescript`, which makes planners of the class `ScriptPlanner`."""

    name: str = KIND
    configurations: str = f"[:{'|'.join(CONFIGURATIONS)}]"
    stands_for: str = "native"
    fallback: str = "rules:bfs"
    planner = ScriptPlanner

    def missing(self) -> str | None:
        return missing()

    def stand_in(self, name: str) -> ScriptPlanner | None:
        config = name.partition(":")[2] or None
        try:
            planner = ScriptPlanner(config)
        except UsageError:
            return None
        planner.name = name
        return planner


def _by_default(searching: Searching, subject: ScriptPosition) -> Result:
    """Solve a level by the default searches: by its rules first, then in turns with searches on its PDDL."""
    search, state = default_search(subject.game, searching.objective), subject.state
    if offered(subject, Translated) is None or state.seed is not None or state.target is not None:
        searching.run(search)  # chance and restarts have no PDDL
        return searching.result()
    searching.begin(search, FIRST_STATES)
    outcome = searching.go_on(FIRST_STATES)
    if outcome.status not in (GAVE_UP, MEMOUT) or searching.left() == 0:
        return searching.result()
    from unpuzzle.puzzlescript.searching.schedule import Turns  # loads what makes PDDL of levels

    return searching.with_seconds(Turns(searching, subject).answer())


def default_search(game: ScriptRules, objective: str = MOVES) -> RuleSearch:
    return SEARCHES["distance"] if is_admissible(game, "distance", objective) else SEARCHES["bfs"]
