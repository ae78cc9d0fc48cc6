"""From forms to effects, numbers and function terms."""

from __future__ import annotations

from unpuzzle.pddl.features import ASSIGNMENTS, CHANCES, TOTAL_COST
from unpuzzle.pddl.formulas import And, Atom, Forall, FunctionTerm, Increase, Not, When
from unpuzzle.pddl.reading.expressions import Expressions
from unpuzzle.pddl.reading.lexer import Form, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from unpuzzle.pddl.formulas import Effect

LARGEST = 10**12
"""The largest number that is read: the sum of a million of them fits into 64 bits."""


class Effects(Expressions):
    """Reads effects and numbers, too."""

    def __init__(self, source: Text, predicates: dict[str, int], tick: Callable[[], None] | None = None) -> None:
        super().__init__(source, predicates, tick)
        self.effects: dict[str, Callable[[Form, bool], Effect]] = {
            "and": self._and_effect,
            "not": self._delete,
            "forall": self._forall_effect,
            "when": self._when,
            "increase": self._increase,
        }

    def whole_effect(self, form: Form, index: int) -> Effect:
        """Read the effect of an action; one that is only a cost is put into an `and`, as Fast Downward needs it."""
        effect = self.effect(form, index)
        return And((effect,), span=effect.span) if isinstance(effect, Increase) else effect

    def effect(self, form: Form, index: int, nested: bool = False) -> Effect:
        """Read the effect that is item `index` of a form; `nested` if it is inside a `when` or `forall`."""
        item = form[index] if index < len(form) else None
        if not isinstance(item, Form):
            self.expected("an effect in brackets", form, index)
        if not item:
            return And((), span=self.span(item))
        head = item[0]
        if not isinstance(head, str):
            self.expected("a predicate or one of and, not, forall, when, increase", item, 0)
        reader = self.effects.get(head)
        if reader and not self.is_atom(item):
            return reader(item, nested)
        if head not in self.predicates:
            self._refuse_effect(item, head)
        return self.atom(item)

    def _refuse_effect(self, form: Form, head: str) -> None:
        if head in ASSIGNMENTS:
            self.refuse(f"the numeric effect '({head} ...)' is not supported", ":numeric-fluents", form)
        if head in CHANCES:
            self.refuse(f"the effect '({head} ...)' is not supported", CHANCES[head], form)
        if head == "=" or head in self.conditions:
            self.fail(f"'{head}' is a condition: expected an effect", form, 0)

    def _and_effect(self, form: Form, nested: bool) -> Effect:
        return And(tuple([self.effect(form, index, nested) for index in range(1, len(form))]), span=self.span(form))

    def _delete(self, form: Form, nested: bool) -> Effect:
        self.operands(form, 1, "'(not (PREDICATE ...))'")
        operand = self.effect(form, 1, nested)
        if not isinstance(operand, Atom):
            self.fail("expected an atom after 'not': an effect can only make an atom false", form, 1)
        return Not(operand, span=self.span(form))

    def _forall_effect(self, form: Form, nested: bool) -> Effect:
        self.operands(form, 2, "'(forall (VARIABLES) EFFECT)'")
        return Forall(self.variables(form, 1), self.effect(form, 2, True), span=self.span(form))

    def _when(self, form: Form, nested: bool) -> Effect:
        self.operands(form, 2, "'(when CONDITION EFFECT)'")
        return When(self.condition(form, 1), self.effect(form, 2, True), span=self.span(form))

    # Numbers

    def _increase(self, form: Form, nested: bool) -> Effect:
        self.operands(form, 2, "'(increase (total-cost) AMOUNT)'")
        target = self.function_term(form, 1)
        if target != FunctionTerm(TOTAL_COST):
            self.refuse(
                f"increasing '{target}' is not supported: only (total-cost) may grow", ":numeric-fluents", form, 1
            )
        if nested:
            self.refuse("a cost inside 'when' or 'forall' is not supported", "conditional costs", form)
        return Increase(target, self.amount(form, 2), span=self.span(form))

    def amount(self, form: Form, index: int) -> FunctionTerm | int:
        """Read the amount that an action adds to total-cost: a number or a static function term."""
        item = form[index]
        if isinstance(item, str) and (item[0].isdigit() or item[0] in ".+-"):
            return self.number(form, index)
        term = self.function_term(form, index)
        if term.function == TOTAL_COST:
            self.refuse("a cost that depends on (total-cost) is not supported", ":numeric-fluents", form, index)
        return term

    def number(self, form: Form, index: int) -> int:
        """Read a whole number, 0 or more; `3.0` is one."""
        word = form[index] if index < len(form) else None
        signless = (word[1:] if word[:1] in ("+", "-") else word) if isinstance(word, str) else ""
        whole, _, rest = signless.partition(".")
        if not (whole + rest).isdigit():
            self.expected("a number", form, index)
        whole = whole.lstrip("0") or "0"  # Python reads no number of thousands of digits
        if word[0] == "-":  # type: ignore[index]
            self.fail(f"the number {word} is negative: costs must be 0 or more", form, index)
        if rest.strip("0"):
            self.refuse(f"the number {word} is not whole: only whole costs are supported", "fractions", form, index)
        if len(whole) > len(str(LARGEST)) or int(whole) > LARGEST:
            self.refuse(f"a number larger than {LARGEST} is not supported", "large numbers", form, index)
        return int(whole)

    def function_term(self, form: Form, index: int) -> FunctionTerm:
        """Read `(distance ?a ?b)`; without arguments the brackets may be missing."""
        item = form[index] if index < len(form) else None
        if isinstance(item, Form):
            if item and isinstance(item[0], str) and item[0] in "+-*/":
                self.refuse(f"the arithmetic '({item[0]} ...)' is not supported", ":numeric-fluents", form, index)
            return FunctionTerm(self.word(item, 0, "the name of a function"), self.terms(item), span=self.span(item))
        return FunctionTerm(self.word(form, index, "a number or a function term"), (), span=self.span(form, index))
