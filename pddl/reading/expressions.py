"""From forms to typed lists and conditions.

Only the *shape* is checked here; `names` checks what the names mean. One thing about names must be known beforehand: a
domain may declare a predicate `when` or `not`. `(not (p))` and `(not ?x)` differ, and so do all others: a connective's
operands are in brackets, an atom's arguments are not. Where even that does not help (`(and)`, with a predicate `and`
without parameters), the declaration wins.
"""

from __future__ import annotations

from unpuzzle.pddl.features import COMPARISONS, CONNECTIVES, TRAJECTORIES
from unpuzzle.pddl.formulas import OBJECT, And, Atom, Exists, Forall, Imply, Not, Or, TypedName
from unpuzzle.pddl.reading.complaints import parse_error, unsupported
from unpuzzle.pddl.reading.lexer import Form, Text, TokenSpan
from unpuzzle.words import with_article

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn

    from unpuzzle.pddl.formulas import Condition


def size(item: str | Form) -> int:
    """Return the number of tokens of an item."""
    return 1 if isinstance(item, str) else 2 + sum(map(size, item))


class Expressions:
    """Reads the expressions of one text.

    `predicates` says how many parameters each declared predicate has; `tick` is called often, and may raise.
    """

    def __init__(self, source: Text, predicates: dict[str, int], tick: Callable[[], None] | None = None) -> None:
        self.source = source
        self.tick = tick
        self.predicates = predicates
        self.conditions: dict[str, Callable[[Form], Condition]] = {
            "and": self._several,
            "or": self._several,
            "not": self._not,
            "imply": self._imply,
            "exists": self._quantified,
            "forall": self._quantified,
        }

    # Places and errors

    def span(self, form: Form, index: int | None = None) -> TokenSpan:
        """Return the place of a form or of one of its items; one item too many is the bracket that closes it."""
        if index is None:
            return TokenSpan(self.source, form.at)
        return TokenSpan(self.source, form.at + 1 + sum(map(size, form[:index])))

    def fail(self, message: str, form: Form, index: int | None = None) -> NoReturn:
        raise parse_error(message, self.span(form, index))

    def expected(self, what: str, form: Form, index: int) -> NoReturn:
        """Raise the error for a wrong or missing item."""
        self.fail(f"expected {what}, found {_description(form, index)}", form, index)

    def refuse(self, message: str, feature: str, form: Form, index: int | None = None) -> NoReturn:
        raise unsupported(message, feature, self.span(form, index))

    # Words and lists

    def word(self, form: Form, index: int, what: str) -> str:
        """Return an item that must be a name."""
        item = form[index] if index < len(form) else None
        if not isinstance(item, str) or item[0] in ":?-":
            self.expected(what, form, index)
        return item

    def terms(self, form: Form, start: int = 1) -> tuple[str, ...]:
        """Return the arguments of an atom or function term."""
        for index in range(start, len(form)):
            item = form[index]
            if not isinstance(item, str):
                if item and isinstance(item[0], str) and item[0] not in (CONNECTIVES | self.predicates.keys()):
                    self.refuse(
                        f"the function term '({item[0]} ...)' as an argument is not supported",
                        ":object-fluents",
                        form,
                        index,
                    )
                self.expected("an object or a variable", form, index)
            if item[0] in ":-":
                self.expected("an object or a variable", form, index)
        return tuple(form[start:])  # type: ignore[arg-type]

    def typed(self, form: Form, start: int, what: str) -> tuple[TypedName, ...]:
        """Read `a b - t c - (either t u) d`, from the item `start` on; `what` is `variable` or another noun."""
        result: list[TypedName] = []
        group: list[tuple[str, int]] = []
        token, index, variable = form.at + 1 + sum(map(size, form[:start])), start, what == "variable"
        while index < len(form):
            if self.tick is not None:
                self.tick()
            item = form[index]
            if item == "-":
                types = self._types(form, index + 1, bool(group), what)
                result += [TypedName(name, types, span=TokenSpan(self.source, at)) for name, at in group]
                group = []
                token += 1 + size(form[index + 1])
                index += 2
                continue
            if not isinstance(item, str) or (item[0] == "?") != variable or item[0] in ":-" or item == "?":
                self._not_a_name(form, index, what)
            group.append((item, token))
            token += 1
            index += 1
        result += [TypedName(name, OBJECT, span=TokenSpan(self.source, at)) for name, at in group]
        return tuple(result)

    def _not_a_name(self, form: Form, index: int, what: str) -> NoReturn:
        item = form[index]
        if isinstance(item, str) and item[0] == "-":
            self.fail(f"expected a blank between '-' and the type '{item[1:]}'", form, index)
        shape = " (a name that begins with '?')" if what == "variable" else ""
        self.expected(f"{with_article(what)}{shape}", form, index)

    def _types(self, form: Form, index: int, anything: bool, what: str) -> tuple[str, ...]:
        """Read the type expression after a `-`."""
        if not anything:
            self.fail(f"expected {with_article(what)} before '-'", form, index - 1)
        item = form[index] if index < len(form) else None
        if isinstance(item, Form) and len(item) > 1 and item[0] == "either":
            names = [self.word(item, place, "the name of a type") for place in range(1, len(item))]
            return tuple(dict.fromkeys(names))
        return (self.word(form, index, "a type or '(either TYPE ...)' after '-'"),)

    # Conditions

    def condition(self, form: Form, index: int) -> Condition:
        """Read the condition that is item `index` of a form."""
        item = form[index] if index < len(form) else None
        if not isinstance(item, Form):
            self.expected("a condition in brackets", form, index)
        if not item:
            return And((), span=self.span(item))
        head = item[0]
        if not isinstance(head, str):
            self.expected("a predicate or one of and, or, not, imply, exists, forall", item, 0)
        reader = self.conditions.get(head)
        if reader and not self.is_atom(item):
            return reader(item)
        if head not in self.predicates:
            self._refuse_condition(item, head)
        return self.atom(item)

    def is_atom(self, form: Form) -> bool:
        arity = self.predicates.get(form[0])  # type: ignore[arg-type]
        if arity is None or (len(form) == 1 and arity > 0):
            return False
        return not any(isinstance(item, Form) for item in form)

    def atom(self, form: Form) -> Atom:
        if form[0] == "=":
            self._check_equality(form)
        return Atom(
            self.word(form, 0, "the name of a predicate"), self.terms(form), span=TokenSpan(self.source, form.at)
        )

    def _check_equality(self, form: Form) -> None:
        for index, item in enumerate(form[1:], 1):
            if not isinstance(item, str):
                self.refuse("comparing numbers is not supported", ":numeric-fluents", form, index)

    def _refuse_condition(self, form: Form, head: str) -> None:
        if head in COMPARISONS:
            self.refuse(f"the numeric condition '({head} ...)' is not supported", ":numeric-fluents", form)
        if head == "preference":
            self.refuse("preferences are not supported", ":preferences", form)
        if head in TRAJECTORIES:
            self.refuse(f"the trajectory constraint '({head} ...)' is not supported", ":constraints", form)
        if head in CONNECTIVES:
            self.fail(f"'{head}' is an effect: expected a condition", form, 0)

    def operands(self, form: Form, count: int, usage: str) -> None:
        if len(form) != count + 1:
            self.fail(f"expected {usage}, found {len(form) - 1} operands", form)

    def _several(self, form: Form) -> Condition:
        kind = And if form[0] == "and" else Or
        return kind(tuple([self.condition(form, index) for index in range(1, len(form))]), span=self.span(form))

    def _not(self, form: Form) -> Condition:
        self.operands(form, 1, "'(not CONDITION)'")
        return Not(self.condition(form, 1), span=self.span(form))

    def _imply(self, form: Form) -> Condition:
        self.operands(form, 2, "'(imply CONDITION CONDITION)'")
        return Imply(self.condition(form, 1), self.condition(form, 2), span=self.span(form))

    def _quantified(self, form: Form) -> Condition:
        self.operands(form, 2, f"'({form[0]} (VARIABLES) CONDITION)'")
        kind = Exists if form[0] == "exists" else Forall
        return kind(self.variables(form, 1), self.condition(form, 2), span=self.span(form))

    def variables(self, form: Form, index: int) -> tuple[TypedName, ...]:
        """Read the list of typed variables that is item `index` of a form."""
        item = form[index] if index < len(form) else None
        if not isinstance(item, Form):
            self.expected("a list of variables in brackets", form, index)
        return self.typed(item, 0, "variable")


def _description(form: Form, index: int) -> str:
    """Return an item of a form in words for a message."""
    if index >= len(form):
        return "')'"
    item: Any = form[index]
    if isinstance(item, str):
        return f"'{item}'"
    return f"'({item[0]}'" if item and isinstance(item[0], str) else "'('"
