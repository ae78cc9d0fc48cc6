"""Read configurations in names of planners: `NAME[=NUMBER][(ARGUMENT,...)]`, such as `wastar=2(manhattan)`.

A kind of planner has a table of its names, with the form of each. One function reads them all.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from unpuzzle.base.errors import UsageError
from unpuzzle.base.text import suggestion
from unpuzzle.base.values import Record
from unpuzzle.planning.planner import TIES

MOST_DIGITS = 18


class Number(Record):
    """The number that can follow a name: its meaning and its range; `fractions` also permits, for example, `1.5`."""

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


class Form(Record):
    """What can follow the name of a configuration: a number, and some arguments in parentheses."""

    number: Number | None = None
    arguments: int = 0


class Configuration(Record):
    """A configuration that was read; omitted parts are None or empty."""

    name: str
    number: float | None = None
    arguments: tuple[str, ...] = ()


def read_configuration(
    kind: str, text: str, forms: Mapping[str, Form], *, argument: str = "heuristic", known: Collection[str] = ()
) -> Configuration:
    """Return the configuration after `kind:` in the name of a planner.

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
        raise UsageError(f"'{kind}:{text}': only {taking} take a {argument}, in parentheses")
    for each in arguments:
        if known and each not in known:
            unknown = unknown_name(f"{argument} '{each}'", each, known)
            raise UsageError(f"'{kind}:{text}': {unknown}")
    return Configuration(name, value, arguments)


def _number(kind: str, text: str, name: str, number: str, forms: Mapping[str, Form]) -> float:
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
