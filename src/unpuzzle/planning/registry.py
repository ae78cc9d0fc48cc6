"""The registry of planners by name, and the syntax of names: `KIND[:NAME[=NUMBER][(ARGUMENT,...)]]`.

A kind is a `PlannerKind`. Its module loads when one of its planners is requested. Installed distributions may offer
kinds as entry points of the group `unpuzzle.planners`, each of which names a subclass of `PlannerKind`. Built-in names
take precedence. A kind has a table of the names of its configurations, with the form of each, such as
`wastar=2(manhattan)`; `read_configuration` reads them all.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from unpuzzle.base.errors import UsageError
from unpuzzle.base.run import Limits
from unpuzzle.base.text import suggestion
from unpuzzle.base.type_hints import Any
from unpuzzle.base.values import Record
from unpuzzle.model.position import Game
from unpuzzle.planning.planner import TIES, Planner, PlannerKind
from unpuzzle.table import ENTRY_POINTS, TABLE, load, offers
from unpuzzle.table import hidden as hidden_offers

KINDS = TABLE["planners"]
"""The class of each kind of planner."""

GROUP = ENTRY_POINTS["planners"]
"""The group of entry points for planners of distributions."""
COUNTING = ("cp-sat", "backtracking")
"""The kinds of planners that count solutions."""
DEFAULT, SLOW, SLOW_BY_RULES = "native", "reference", "rules:ucs"
RULES_SEARCHES = ("bfs", "dfs", "ucs", "greedy", "astar", "wastar", "idastar")
"""Searches of the planner `rules`, whose names are often given without it."""
MOST_DIGITS = 18


def kind_of(name: str) -> str:
    """Return the kind in a planner's name, such as `native` for `native:bfs`."""
    return name.partition(":")[0]


def usage(name: str) -> str:
    """Return the name of a kind with the syntax of its configurations, such as `native[:auto|blind|bfs]`."""
    return f"{name}{kind(name).configurations}"


def kind(name: str) -> PlannerKind:
    """Return the kind of planner that a name begins with. Raises UsageError for an unknown kind."""
    name = kind_of(name)
    if name in KINDS:
        found: type[PlannerKind] = load("planners", name)
        return found()
    entries = offers(GROUP).get(name)
    if entries is None:
        known = (*KINDS, *installed())
        own = f", did you mean 'rules:{name}'?" if name.partition("(")[0].partition("=")[0] in RULES_SEARCHES else ""
        hint = own or suggestion(name, known) or f"; it must be one of {', '.join(known)}"
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
    """Return the kinds of planners from installed distributions; built-in kinds take precedence."""
    return tuple(sorted(set(offers(GROUP)) - set(KINDS)))


def hidden() -> dict[str, str]:
    """Return the kinds of planners whose entry points in other distributions are ignored, each with the reason."""
    return hidden_offers(GROUP, KINDS, "a built-in planner")


def find(planner: str | Planner, game: Game | type[Game] | None = None, **settings: Any) -> Planner:
    """Return the planner with a name such as `native:bfs`; return a planner object unchanged.

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
    """Return the default planner: the game's own planner, else `native`, or `reference` without a compiled core."""
    name = DEFAULT if game is None or not game.planner else game.planner
    chosen = kind(name)
    other = SLOW if name == DEFAULT else chosen.fallback
    return _made(chosen, name) if not other or chosen.missing() is None else find(other, game)


def missing(name: str) -> str | None:
    """Return a sentence on how to install a planner (by name or kind); None if it can run here."""
    return kind(name).missing()


class NumberSyntax(Record):
    """The number in a planner's name, as in `NAME=NUMBER`: its meaning and its range."""

    noun: str
    least: int = 0
    most: int | None = None
    fractions: bool = False

    def read(self, text: str) -> float | None:
        """Return the number in a text; None if the text is not a number within the range."""
        whole, point, fraction = text.partition(".")
        if not (text.isascii() and len(text) <= MOST_DIGITS and whole.isdigit() and (fraction.isdigit() or not point)):
            return None
        if point and not self.fractions:
            return None
        number = float(text) if point else int(text)
        return number if self.least <= number and (self.most is None or number <= self.most) else None

    def __str__(self) -> str:
        kind = "such as 1.5" if self.fractions else "a whole number"
        if self.most is None:
            return f"a {self.noun}, {kind}"
        return f"a {self.noun} from {self.least} to {self.most}, {kind}"


class ConfigurationSyntax(Record):
    """The syntax of a named configuration: the number after the name, and how many arguments stand in parentheses."""

    number: NumberSyntax | None = None
    arguments: int = 0


class Configuration(Record):
    """The configuration in a planner's name, parsed; omitted parts are None or empty."""

    name: str
    number: float | None = None
    arguments: tuple[str, ...] = ()


def read_configuration(
    kind: str,
    text: str,
    forms: Mapping[str, ConfigurationSyntax],
    *,
    argument: str = "heuristic",
    known: Collection[str] = (),
) -> Configuration:
    """Parse the configuration in a planner's name, which follows `kind:`.

    `forms` has the allowed parts by name, `argument` the noun for an argument in messages, and `known` the valid
    arguments (empty if they are checked elsewhere). Raises UsageError with the valid forms.
    """
    head, parenthesis, inner = text.partition("(")
    name, equals, number = head.partition("=")
    if name not in forms:
        raise UsageError(unknown_name(f"configuration '{kind}:{text}'", name, forms))
    form, value = forms[name], _number(kind, text, name, number, forms) if equals else None
    arguments = tuple(inner.removesuffix(")").split(",", max(form.arguments - 1, 0))) if parenthesis else ()
    if parenthesis and (not form.arguments or not inner.endswith(")") or "" in arguments):
        taking = ", ".join(each for each, other in forms.items() if other.arguments)
        raise UsageError(f"'{kind}:{text}': a {argument} in parentheses is possible only for {taking}")
    for each in arguments:
        if known and each not in known:
            unknown = unknown_name(f"{argument} '{each}'", each, known)
            raise UsageError(f"'{kind}:{text}': {unknown}")
    return Configuration(name, value, arguments)


def _number(kind: str, text: str, name: str, number: str, forms: Mapping[str, ConfigurationSyntax]) -> float:
    """Return the number in a configuration. Raises UsageError if it is wrong or none is allowed."""
    expected = forms[name].number
    if expected is None:
        taking = [f"{each} (a {form.number.noun})" for each, form in forms.items() if form.number]
        verb = "takes" if len(taking) == 1 else "take"
        raise UsageError(f"'{kind}:{text}': only {' and '.join(taking)} {verb} a number")
    value = expected.read(number)
    if value is None:
        raise UsageError(f"'{kind}:{text}': {name} takes {expected}")
    return value


def unknown_name(what: str, word: str, known: Collection[str]) -> str:
    return f"unknown {what}{suggestion(word, known) or '; it must be one of ' + ', '.join(known)}"


def require_ties(ties: str) -> str:
    """Return the name of a tie-breaking rule, which must be one of `TIES`. Raises UsageError otherwise."""
    if ties not in TIES:
        raise UsageError(unknown_name(f"ties '{ties}'", ties, TIES))
    return ties
