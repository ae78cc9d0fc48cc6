"""The registry of planners: by name, which is `KIND` or `KIND:CONFIGURATION`.

A kind is a module with a function:

    make(config: str | None, **settings) -> Planner     UsageError if there is no such configuration

and perhaps with more, if it has more to say:

    missing() -> str | None                             None if it can run here, else a sentence on how to install it
    CONFIGURATIONS_HELP                                 the possible configurations, for lists
    SETTINGS                                            the names of settings that `make` takes

A module of a planner that a game brings (`Game.planner`) may have three more:

    STANDS_FOR                              another kind that it may replace on such games
    stand_in(name) -> Planner | None        the replacement, under the requested name
    FALLBACK                                the default planner of such games if this one is missing

Modules load when one of their planners is requested. Installed distributions may offer kinds as entry points of the
group `unpuzzle.planners`: each names such a module, or an object with the same members. Built-in names take precedence.
"""

from __future__ import annotations

from unpuzzle import entry_points
from unpuzzle.errors import UsageError
from unpuzzle.planning.planner import Planner
from unpuzzle.puzzle.position import Game
from unpuzzle.table import ENTRY_POINTS, TABLE, load
from unpuzzle.type_hints import Any
from unpuzzle.words import suggestion

KINDS = TABLE["planners"]
"""The module of each kind of planner."""

GROUP = ENTRY_POINTS["planners"]
"""The group of entry points for planners of distributions."""
COUNTING = ("cp-sat", "backtracking")
"""The kinds of planners that count solutions."""
DEFAULT, SLOW, SLOW_BY_RULES = "native", "reference", "rules:ucs"


def kind_of(name: str) -> str:
    """Return the kind of a planner's name: `native` of `native:bfs`."""
    return name.partition(":")[0]


def usage(kind: str) -> str:
    """Return a kind with its configurations, such as `native[:auto|blind|bfs]`."""
    return f"{kind}{getattr(_kind(kind), 'CONFIGURATIONS_HELP', '')}"


def _kind(name: str) -> Any:
    if name in KINDS:
        return load("planners", name)
    entries = entry_points.offers(GROUP).get(name)
    if entries is None:
        known = (*KINDS, *installed())
        hint = suggestion(name, known) or f"; known are {', '.join(known)}"
        raise UsageError(f"unknown planner '{name}'{hint}")
    what = f"the planner {name!r}, entry point {entries[-1].value!r} of {GROUP},"
    try:
        kind = entries[-1].load()
    except (Exception, SystemExit) as error:
        raise UsageError(f"{what} cannot be loaded: {type(error).__name__}: {error}") from error
    if not hasattr(kind, "make"):
        raise UsageError(f"{what} lacks make")
    return kind


def installed() -> tuple[str, ...]:
    """Return the kinds from installed distributions, without those hidden by built-in ones."""
    return tuple(sorted(set(entry_points.offers(GROUP)) - set(KINDS)))


def hidden() -> dict[str, str]:
    """Return the kinds with unused entry points, each with the reason."""
    return entry_points.hidden(GROUP, KINDS, "a built-in planner")


def find(name: str, game: Game | type[Game] | None = None, **settings: Any) -> Planner:
    """Return the planner of a name such as `native`, `native:bfs` or `fast-downward:lama-first`.

    A `game` with its own planner may replace another by it. Settings belong to the planner's kind (see `settings_of`),
    such as `ties="lifo"` of searches on the rules. Raises UsageError for an unknown name, configuration or setting.
    """
    for setting in settings:
        if setting not in settings_of(name):
            raise UsageError(f"planner '{name}' has no setting '{setting}'")
    kind, colon, config = name.partition(":")
    own: Any = _kind(kind_of(game.planner)) if game is not None and game.planner else None
    if getattr(own, "STANDS_FOR", None) == kind:
        substitute: Planner | None = own.stand_in(name)
        if substitute is not None:
            return substitute
    planner: Planner = _kind(kind).make(config if colon else None, **settings)
    return planner


def settings_of(name: str) -> tuple[str, ...]:
    """Return the names of the settings that planners of a name's kind take."""
    return tuple(getattr(_kind(kind_of(name)), "SETTINGS", ()))


def default(game: Game | type[Game] | None = None) -> str:
    """Return the name of the default planner: the game's own, else `native`, or `reference` without a compiled core."""
    if game is None or not game.planner:
        return DEFAULT if missing(DEFAULT) is None else SLOW
    fallback: str | None = getattr(_kind(kind_of(game.planner)), "FALLBACK", None)
    return game.planner if fallback is None or missing(game.planner) is None else fallback


def missing(name: str) -> str | None:
    """Return a sentence on how to install a planner (of this name or kind), or None if it can run here."""
    ask = getattr(_kind(kind_of(name)), "missing", None)
    return ask() if ask is not None else None
