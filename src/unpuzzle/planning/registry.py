"""The registry of planners by name; a name is `KIND` or `KIND:CONFIGURATION`.

A kind is a `PlannerKind`. Its module loads when one of its planners is requested. Installed distributions may offer
kinds as entry points of the group `unpuzzle.planners`, each of which names a subclass of `PlannerKind`. Built-in names
take precedence.
"""

from __future__ import annotations

from unpuzzle.base import entry_points
from unpuzzle.base.errors import UsageError
from unpuzzle.base.limits import Limits
from unpuzzle.base.text import suggestion
from unpuzzle.base.type_hints import Any
from unpuzzle.planning.planner import Planner, PlannerKind
from unpuzzle.puzzle.position import Game
from unpuzzle.table import ENTRY_POINTS, TABLE, load

KINDS = TABLE["planners"]
"""The class of each kind of planner."""

GROUP = ENTRY_POINTS["planners"]
"""The group of entry points for planners of distributions."""
COUNTING = ("cp-sat", "backtracking")
"""The kinds of planners that count solutions."""
DEFAULT, SLOW, SLOW_BY_RULES = "native", "reference", "rules:ucs"


def kind_of(name: str) -> str:
    """Return the kind in a planner's name, such as `native` for `native:bfs`."""
    return name.partition(":")[0]


def usage(name: str) -> str:
    """Return the usage of a kind with its configurations, such as `native[:auto|blind|bfs]`."""
    return f"{name}{kind(name).configurations}"


def kind(name: str) -> PlannerKind:
    """Return the kind of planner that a name begins with. Raises UsageError for an unknown kind."""
    name = kind_of(name)
    if name in KINDS:
        found: type[PlannerKind] = load("planners", name)
        return found()
    entries = entry_points.offers(GROUP).get(name)
    if entries is None:
        known = (*KINDS, *installed())
        hint = suggestion(name, known) or f"; it must be one of {', '.join(known)}"
        raise UsageError(f"unknown planner '{name}'{hint}")
    what = f"the planner {name!r}, entry point {entries[-1].value!r} of {GROUP},"
    try:
        offered = entries[-1].load()
        made = offered() if isinstance(offered, type) else offered
    except (Exception, SystemExit) as error:
        raise UsageError(f"{what} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(made, PlannerKind):
        raise UsageError(f"{what} is not a subclass of PlannerKind")
    return made


def installed() -> tuple[str, ...]:
    """Return the kinds that installed distributions offer, except for names of built-in kinds."""
    return tuple(sorted(set(entry_points.offers(GROUP)) - set(KINDS)))


def hidden() -> dict[str, str]:
    """Return the kinds of planners whose entry points are ignored, each with the reason."""
    return entry_points.hidden(GROUP, KINDS, "a built-in planner")


def find(planner: str | Planner, game: Game | type[Game] | None = None, **settings: Any) -> Planner:
    """Return the planner with a name such as `native:bfs`; a planner object is returned unchanged.

    A `game` with its own planner may replace another by it. Settings belong to the planner's kind (`kind(name)`), such
    as `ties="lifo"` of searches on the rules. Raises UsageError for an unknown name, configuration or setting.
    """
    if isinstance(planner, Planner):
        return planner
    if not isinstance(planner, str):
        hint = "; limits are given by name: limits=Limits(...)" if isinstance(planner, Limits) else ""
        what = f"a planner is a name such as 'native', or a planner from `planning.find`, not {planner!r}"
        raise UsageError(f"{what}{hint}")
    chosen = kind(planner)
    for setting in settings:
        if setting not in chosen.settings:
            raise UsageError(f"planner '{planner}' has no setting '{setting}'")
    own = kind(game.planner) if game is not None and game.planner else None
    if own is not None and own.stands_for == kind_of(planner) and (substitute := own.stand_in(planner)) is not None:
        return substitute
    return _made(chosen, planner, **settings)


def _made(made: PlannerKind, name: str, **settings: Any) -> Planner:
    _, colon, config = name.partition(":")
    return made.make(config if colon else None, **settings)


def default(game: Game | type[Game] | None = None) -> Planner:
    """Return the default planner: that of the game, else `native`, or `reference` without a compiled core."""
    name = DEFAULT if game is None or not game.planner else game.planner
    chosen = kind(name)
    other = SLOW if name == DEFAULT else chosen.fallback
    return _made(chosen, name) if not other or chosen.missing() is None else find(other, game)


def missing(name: str) -> str | None:
    """Return a sentence on how to install a planner (by name or kind); None if it can run here."""
    return kind(name).missing()
