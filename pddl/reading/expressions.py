"""The parser of typed lists, conditions, effects, numbers and function terms.

Only the *shape* is checked here; `names` checks the names. But a domain may declare a predicate `when` or `not`. `(not
(p))` and `(not ?x)` can be distinguished, as can all others: a connective's operands are in brackets, an atom's
arguments are not. If the shape does not decide (`(and)`, with a predicate `and` without parameters), the declaration
wins.
"""

from __future__ import annotations

from unpuzzle.base.run import checkpoint
from unpuzzle.base.text import count, with_article
from unpuzzle.base.type_hints import Any, NoReturn
from unpuzzle.pddl.formulas import (
    CONNECTIVES,
    TOTAL_COST,
    And,
    Atom,
    Condition,
    Effect,
    Exists,
    Forall,
    Imply,
    Increase,
    Not,
    Or,
    When,
)
from unpuzzle.pddl.nodes import OBJECT, FunctionTerm, TypedName
from unpuzzle.pddl.syntax import Form, Text, TokenSpan, parse_error, unsupported

CONDITIONS = frozenset("and or not imply exists forall".split())
EFFECTS = frozenset("and not forall when increase".split())
COMPARISONS = frozenset("< > <= >=".split())
ASSIGNMENTS = frozenset("decrease assign scale-up scale-down".split())
TRAJECTORIES = frozenset(
    "always sometime within at-most-once sometime-after sometime-before always-within hold-during hold-after".split()
)
CHANCES = {"probabilistic": ":probabilistic-effects", "oneof": ":non-deterministic"}
"""The heads of expressions that are refused; `CHANCES` with the name of the feature."""
LARGEST = 10**12
"""The largest accepted number: the sum of a million of them fits into 64 bits."""


class Expressions:
    """A parser of the expressions in one text.

    `predicates` gives the number of parameters of each declared predicate.
    """

    def __init__(self, source: Text, predicates: dict[str, int]) -> None:
        self.source = source
        self.predicates = predicates

    def tolerant(self, read: Any, instead: Any, *arguments: Any) -> Any:
        """Call a parsing function and return its result; tolerant subclasses return `instead` if the function fails."""
        return read(*arguments)

    def fail(self, code: str, message: str, form: Form, index: int | None = None) -> NoReturn:
        """Raise ParseError for a form or for its item at `index`; `code` is the fault code of lint."""
        raise parse_error(message, form.span(index), code)

    def expected(self, what: str, form: Form, index: int, code: str = "unexpected") -> NoReturn:
        """Raise ParseError because the item at `index` is not `what`, or is missing."""
        item: Any = form[index] if index < len(form) else ")"
        if not isinstance(item, str):
            item = f"({item[0]}" if item and isinstance(item[0], str) else "("
        self.fail(code, f"expected {what}, found '{item}'", form, index)

    def refuse(self, message: str, feature: str, form: Form, index: int | None = None) -> NoReturn:
        raise unsupported(message, feature=feature, span=form.span(index))

    def word(self, form: Form, index: int, what: str) -> str:
        """Return the item at `index`. Raises ParseError if the item is not a name."""
        item = form[index] if index < len(form) else None
        if not isinstance(item, str) or item[0] in ":?-":
            self.expected(what, form, index, "no-name")
        return item

    def terms(self, form: Form, start: int = 1) -> tuple[str, ...]:
        """Return the arguments of an atom or function term. Raises ParseError if one is not a name."""
        terms = form[start:]
        for item in terms:
            if not isinstance(item, str) or item[0] in ":-":
                index = next(at for at in range(start, len(form)) if form[at] is item)
                head = "" if isinstance(item, str) else item.head
                if head and head not in (CONNECTIVES | self.predicates.keys()):
                    message = f"the function term '({head} ...)' as an argument is not supported"
                    self.refuse(message, ":object-fluents", form, index)
                self.expected("an object or a variable", form, index)
        return tuple(terms)  # type: ignore[arg-type]

    def typed(self, form: Form, start: int, what: str) -> tuple[TypedName, ...]:
        """Read a typed list such as `a b - t c - (either t u)` from `index` on; `what` is the kind of the names."""
        result: list[TypedName] = []
        group: list[tuple[str, int]] = []
        numbers, index, variable = form.numbers, start, what == "variable"
        while index < len(form):
            checkpoint()
            item = form[index]
            if item == "-":
                types = self.types(form, index + 1, bool(group), what)
                result += [TypedName(name, types, span=TokenSpan(self.source, at)) for name, at in group]
                group = []
                index += 2
                continue
            if not isinstance(item, str) or (item[0] == "?") != variable or item[0] in ":-" or item == "?":
                if isinstance(item, str) and item[0] == "-":
                    self.fail("typed-list", f"expected a blank between '-' and the type '{item[1:]}'", form, index)
                shape = " (a name that begins with '?')" if variable else ""
                self.expected(f"{with_article(what)}{shape}", form, index, "typed-list")
            group.append((item, numbers[index]))
            index += 1
        result += [TypedName(name, OBJECT, span=TokenSpan(self.source, at)) for name, at in group]
        return tuple(result)

    def types(self, form: Form, index: int, anything: bool, what: str) -> tuple[str, ...]:
        """Read the type that follows a `-`: one name, or `(either ...)`."""
        if not anything:
            self.fail("typed-list", f"expected {with_article(what)} before '-'", form, index - 1)
        item = form[index] if index < len(form) else None
        if isinstance(item, Form) and len(item) > 1 and item[0] == "either":
            names = [self.word(item, place, "the name of a type") for place in range(1, len(item))]
            return tuple(dict.fromkeys(names))
        return (self.word(form, index, "a type or '(either TYPE ...)' after '-'"),)

    def variables(self, form: Form, index: int) -> tuple[TypedName, ...]:
        """Read the list of typed variables that is the item at `index`."""
        item = form[index] if index < len(form) else None
        if not isinstance(item, Form):
            self.expected("a list of variables in brackets", form, index, "no-variables")
        return self.typed(item, 0, "variable")

    def condition(self, form: Form, index: int) -> Condition:
        """Read the condition at `index`. Raises UnsupportedFeature for numeric conditions and preferences."""
        item, head = self.opened(form, index, "a condition", "and, or, not, imply, exists, forall")
        if not item:
            return And((), span=item.span())
        if head in CONDITIONS and not self.is_atom(item):
            return self.compound(item, head)
        if head not in self.predicates:
            if head in COMPARISONS:
                self.refuse(f"the numeric condition '({head} ...)' is not supported", ":numeric-fluents", item)
            if head == "preference":
                self.refuse("preferences are not supported", ":preferences", item)
            if head in TRAJECTORIES:
                self.refuse(f"the trajectory constraint '({head} ...)' is not supported", ":constraints", item)
            if head in CONNECTIVES:
                instead = "in a condition, write (imply ...)" if head == "when" else "expected a condition"
                self.fail("effect-as-condition", f"'{head}' is an effect: {instead}", item, 0)
        return self.atom(item)

    def opened(self, form: Form, index: int, what: str, connectives: str) -> tuple[Form, str]:
        """Return the form at `index` and its first word, which is empty for `()`. Raises ParseError for a word."""
        item = form[index] if index < len(form) else None
        if not isinstance(item, Form):
            self.expected(f"{what} in brackets", form, index)
        head = item[0] if item else ""
        if not isinstance(head, str):
            self.expected(f"a predicate or one of {connectives}", item, 0)
        return item, head

    def compound(self, form: Form, head: str) -> Condition:
        """Read a condition whose connective or quantifier is `head`."""
        span = form.span()
        match head:
            case "and" | "or":
                operands = tuple([self.condition(form, index) for index in range(1, len(form))])
                return And(operands, span=span) if head == "and" else Or(operands, span=span)
            case "not":
                self.operands(form, 1, "'(not CONDITION)'")
                return Not(self.condition(form, 1), span=span)
            case "imply":
                self.operands(form, 2, "'(imply CONDITION CONDITION)'")
                return Imply(self.condition(form, 1), self.condition(form, 2), span=span)
        self.operands(form, 2, f"'({head} (VARIABLES) CONDITION)'")
        kind = Exists if head == "exists" else Forall
        return kind(self.variables(form, 1), self.condition(form, 2), span=span)

    def is_atom(self, form: Form) -> bool:
        arity = self.predicates.get(form[0])  # type: ignore[arg-type]
        if arity is None or (len(form) == 1 and arity > 0):
            return False
        return not any(isinstance(item, Form) for item in form)

    def atom(self, form: Form) -> Atom:
        """Read an atom, which may be an equality of objects."""
        name = form[0] if form else ""
        if name == "=":
            for index, item in enumerate(form):
                if not isinstance(item, str):
                    self.refuse("comparing numbers is not supported", ":numeric-fluents", form, index)
        if not isinstance(name, str) or not name or name[0] in ":?-":
            name = self.word(form, 0, "the name of a predicate")
        return Atom(name, self.terms(form), span=TokenSpan(self.source, form.at))

    def operands(self, form: Form, number: int, usage: str) -> None:
        if len(form) != number + 1:
            self.fail("operands", f"expected {usage}, found {count(len(form) - 1, 'operand')}", form)

    def effect(self, form: Form, index: int, nested: bool = False) -> Effect:
        """Read the effect at `index`; `nested` is True inside `when` and `forall`."""
        item, head = self.opened(form, index, "an effect", "and, not, forall, when, increase")
        if not item:
            return And((), span=item.span())
        if head in EFFECTS and not self.is_atom(item):
            return self.compound_effect(item, head, nested)
        if head not in self.predicates:
            if head in ASSIGNMENTS:
                self.refuse(f"the numeric effect '({head} ...)' is not supported", ":numeric-fluents", item)
            if head in CHANCES:
                self.refuse(f"the effect '({head} ...)' is not supported", CHANCES[head], item)
            if head == "=" or head in CONDITIONS:
                self.fail("condition-as-effect", f"'{head}' is a condition: expected an effect", item, 0)
        return self.atom(item)

    def compound_effect(self, form: Form, head: str, nested: bool) -> Effect:
        """Read an effect that begins with `head`: `and`, `not`, `forall` or `when`."""
        span = form.span()
        match head:
            case "and":
                return And(tuple([self.effect(form, index, nested) for index in range(1, len(form))]), span=span)
            case "not":
                self.operands(form, 1, "'(not (PREDICATE ...))'")
                operand = self.effect(form, 1, nested)
                if not isinstance(operand, Atom):
                    message = "expected an atom after 'not': an effect can only make an atom false"
                    self.fail("operands", message, form, 1)
                return Not(operand, span=span)
            case "forall":
                self.operands(form, 2, "'(forall (VARIABLES) EFFECT)'")
                return Forall(self.variables(form, 1), self.effect(form, 2, True), span=span)
            case "when":
                self.operands(form, 2, "'(when CONDITION EFFECT)'")
                return When(self.condition(form, 1), self.effect(form, 2, True), span=span)
        return self.increase(form, nested)

    def increase(self, form: Form, nested: bool) -> Effect:
        """Read `(increase (total-cost) AMOUNT)`. Raises UnsupportedFeature for all other numeric effects."""
        self.operands(form, 2, "'(increase (total-cost) AMOUNT)'")
        target = self.function_term(form, 1)
        if target != FunctionTerm(TOTAL_COST):
            message = f"increasing '{target}' is not supported: only (total-cost) may grow"
            self.refuse(message, ":numeric-fluents", form, 1)
        if nested:
            self.refuse("a cost inside 'when' or 'forall' is not supported", "conditional costs", form)
        return Increase(target, self.amount(form, 2), span=form.span())

    def amount(self, form: Form, index: int) -> FunctionTerm | int:
        """Read the amount of `(increase (total-cost) AMOUNT)`: a number or a static function term."""
        item = form[index]
        if isinstance(item, str) and (item[0].isdigit() or item[0] in ".+-"):
            return self.number(form, index)
        term = self.function_term(form, index)
        if term.function == TOTAL_COST:
            self.refuse("a cost that depends on (total-cost) is not supported", ":numeric-fluents", form, index)
        return term

    def number(self, form: Form, index: int) -> int:
        """Read a whole number of at least 0; `3.0` counts as a whole number."""
        word = form[index] if index < len(form) else None
        signless = (word[1:] if word[:1] in ("+", "-") else word) if isinstance(word, str) else ""
        whole, _, rest = signless.partition(".")
        if not (whole + rest).isdigit():
            self.expected("a number", form, index, "bad-number")
        whole = whole.lstrip("0") or "0"  # Python refuses to read thousands of digits
        if word[0] == "-":  # type: ignore[index]
            self.fail("bad-number", f"the number {word} is negative: costs must be 0 or more", form, index)
        if rest.strip("0"):
            self.refuse(f"the number {word} is not whole: only whole costs are supported", "fractions", form, index)
        if len(whole) > len(str(LARGEST)) or int(whole) > LARGEST:
            self.refuse(f"a number larger than {LARGEST} is not supported", "large numbers", form, index)
        return int(whole)

    def function_term(self, form: Form, index: int) -> FunctionTerm:
        """Read a function term such as `(distance ?a ?b)`; brackets are optional if there are no arguments."""
        item = form[index] if index < len(form) else None
        if isinstance(item, Form):
            if item and isinstance(item[0], str) and item[0] in "+-*/":
                self.refuse(f"the arithmetic '({item[0]} ...)' is not supported", ":numeric-fluents", form, index)
            return FunctionTerm(self.word(item, 0, "the name of a function"), self.terms(item), span=item.span())
        return FunctionTerm(self.word(form, index, "a number or a function term"), (), span=form.span(index))
