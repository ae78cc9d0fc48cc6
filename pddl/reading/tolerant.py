"""Reading expressions with faults: each fault is noted at its place, and replaced by the probable intention.

    (implies (p) (q))            read as `imply`                 (not (p) (q))       as `(not (and (p) (q)))`
    ((p) (q))                    as a conjunction                (exists ?x (p ?x))  with brackets around ?x
    (?x = ?y)                    as `(= ?x ?y)`

The methods call the strict reader and catch its errors, so a fault spoils only the smallest expression around it.
Nothing here runs for correct texts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from unpuzzle.base.text import corrected, nearest
from unpuzzle.pddl.features import ASSIGNMENTS, CHANCES, COMPARISONS, CONNECTIVES, TRAJECTORIES
from unpuzzle.pddl.formulas import And, Atom, Condition, Effect, Exists, Forall, Not, TypedName, When
from unpuzzle.pddl.reading.expressions import CONDITIONS, EFFECTS
from unpuzzle.pddl.reading.tolerant_lists import MisreadError, TolerantLists
from unpuzzle.pddl.syntax import Form

MEANT = {
    **dict.fromkeys(("implies", "implie", "=>", "->"), "imply"),
    **dict.fromkeys(("&", "&&", "/\\"), "and"),
    **dict.fromkeys(("|", "||", "\\/"), "or"),
    **dict.fromkeys(("!", "~"), "not"),
    **dict.fromkeys(("for-all", "foreach", "all", "every"), "forall"),
    **dict.fromkeys(("exist", "some"), "exists"),
    "==": "=",
}
"""Words of logic and of programming languages, with the connective of PDDL for each."""
MEANT_AS_EFFECT = {
    **dict.fromkeys(("if", "imply", "implies", "=>", "->"), "when"),
    **dict.fromkeys(("delete", "del", "remove"), "not"),
    **{word: meant for word, meant in MEANT.items() if meant in ("and", "not", "forall")},
}


AND_ONCE = "'and' stands once, before all that it joins: write (and ...)"
IMPLY = "'when' is an effect: in a condition, write (imply ...)"
FOREIGN_WORDS = COMPARISONS | ASSIGNMENTS | TRAJECTORIES | CHANCES.keys() | {"preference"}


class TolerantExpressions(TolerantLists):
    """Reads expressions and notes their faults."""

    # ---- conditions and effects

    def condition(self, form: Form, index: int) -> Condition:
        nothing: Condition = And()
        return self.tolerant(lambda: self._condition(form, index), nothing)

    def effect(self, form: Form, index: int, nested: bool = False) -> Effect:
        nothing: Effect = And()
        return self.tolerant(lambda: self._effect(form, index, nested), nothing)

    def _condition(self, form: Form, index: int) -> Condition:
        item: Any = form[index] if index < len(form) else None
        self._require_form(form, index, "a condition")
        if self._is_list(item):
            return self._listed(item, self.condition, (":adl", "disjunctive", "(or", "(imply"))
        if len(item) == 3 and item[1] in ("=", "==", "!=", "<>") and isinstance(item[0], str):
            return self._infix(form, index, item)
        if item[:1] == ["when"] and len(item) > 2 and "when" not in self.predicates:
            self.note("effect-as-condition", IMPLY, item, 0, self.instead(item, 0, "imply"), sure=False)
            return self.compound(item, "imply")
        head = self._meant(item, MEANT, CONDITIONS, "a condition")
        return self.compound(item, head) if head in CONDITIONS else super().condition(form, index)

    def _effect(self, form: Form, index: int, nested: bool) -> Effect:
        item: Any = form[index] if index < len(form) else None
        self._require_form(form, index, "an effect")
        if self._is_list(item):
            others = (":adl", "conditional", "(when")
            return self._listed(item, lambda form, index: self.effect(form, index, nested), others)
        head = self._meant(item, MEANT_AS_EFFECT, EFFECTS, "an effect")
        return self.compound_effect(item, head, nested) if head in EFFECTS else super().effect(form, index, nested)

    def _require_form(self, form: Form, index: int, what: str) -> None:
        item = form[index] if index < len(form) else None
        if isinstance(item, str) and item[0] not in ":(":
            last = self.last_word(form, index)
            if item in ("or", "imply", "when") and last + 1 < len(form):
                right = "imply" if item == "when" and what == "a condition" else item
                self.fail("no-brackets", f"brackets are missing: write ({right} ...)", form, index)
            if item in ("!", "~", "-", "not") and last + 1 < len(form):
                fix = self.instead(form, index, f"(not {form.written(last + 1)})", last + 1)
                message = "the bracket stands before 'not': write (not ...)"
                self.fail("connective", message, form, index, None if item == "-" or form[0] == "not" else fix)
            if item in ("and", "&", "&&") and form[0] != item:
                self.fail("infix", AND_ONCE, form, index)
            raise MisreadError(self.bare(form, index, last, f"{what} stands in brackets"))
        if not isinstance(item, Form):
            self.expected(f"{what} in brackets", form, index)

    def _is_list(self, item: Form) -> bool:
        return bool(item) and not isinstance(item[0], str)

    def _listed(self, item: Form, read: Callable[[Form, int], Any], others: tuple[str, ...]) -> And:
        """Read `((p) (q))`, which lacks its `and`, or a `not`, or in a text with `others` some other word."""
        joined = [at for at in range(len(item)) if item[at] not in ("and", "&", "&&")]
        if len(joined) < len(item):
            self.note("infix", AND_ONCE, item, None, (item.start, item.end, self.conjunction(item, joined)))
        else:
            sure = len(item) > 1 and not any(other in self.source.text.lower() for other in others)
            message, fix = "'and' is missing before these: write (and ...)", self.before(item, 0, "and ")
            self.note("missing-and", message, item, None, fix, sure)
        return And(tuple([read(item, at) for at in joined]), span=item.span())

    def conjunction(self, form: Form, places: list[int]) -> str:
        """Return the text of the conjunction of some items of a form."""
        return f"(and {' '.join(map(form.written, places))})"

    def _infix(self, form: Form, index: int, item: Form) -> Condition:
        equal = f"(= {item[0]} {item[2]})"
        right = equal if item[1] in ("=", "==") else f"(not {equal})"
        message = f"'{item[1]}' stands first in PDDL: write {right}"
        self.note("infix", message, item, 1, self.instead(form, index, right))
        atom = Atom("=", (str(item[0]), str(item[2])), span=item.span())
        return atom if right == equal else Not(atom)

    def _meant(self, item: Form, table: dict[str, str], words: frozenset[str], what: str) -> str:
        """Return the connective at the head of a form, also if another word is used for it; empty if there is none."""
        head = str(item[0]) if item else ""
        if not item or head in self.predicates or self.is_atom(item):
            return ""
        if head in words:
            return head
        meant = table.get(head)
        nested = any(isinstance(operand, Form) for operand in item[1:])
        if meant is None and nested and head not in CONNECTIVES and head not in FOREIGN_WORDS:
            meant = nearest(head, words)
        if meant in words:
            sure = head in table or corrected(head, words) == meant
            wrong = "is a condition" if head == "imply" else "is not a word of PDDL"
            message = f"'{head}' {wrong}: {what} begins with '{meant}' here"
            self.note("connective", message, item, 0, self.instead(item, 0, str(meant)), sure)
            return str(meant)
        if meant == "=":
            self.fail("connective", f"'{head}' is not a word of PDDL: write '='", item, 0)
        joins = len(item) > 1 and all(isinstance(operand, Form) for operand in item[1:])
        if joins and head not in CONNECTIVES and head not in FOREIGN_WORDS:
            listed = ", ".join(sorted(words))
            message = f"'{head}' is not a word that joins others: {what} begins with one of {listed}"
            self.fail("connective", message, item, 0)
        return ""

    def compound(self, form: Form, head: str) -> Condition:
        if head == "not" and len(form) > 2:
            return Not(self._joined(form, 1, self.condition), span=form.span())
        if head in ("exists", "forall") and len(form) > 2:
            kind = Exists if head == "exists" else Forall
            variables, body = self._quantified(form)
            return kind(variables, self._joined(form, body, self.condition), span=form.span())
        return super().compound(form, head)

    def compound_effect(self, form: Form, head: str, nested: bool) -> Effect:
        def part(form: Form, index: int) -> Effect:
            return self.effect(form, index, True)

        if head == "not" and (len(form) > 2 or (len(form) == 2 and isinstance(form[1], Form))):
            return self._deleted(form, nested)
        if head == "forall" and len(form) > 2:
            variables, body = self._quantified(form)
            return Forall(variables, self._joined(form, body, part), span=form.span())
        if head == "when" and len(form) > 3:
            return When(self.condition(form, 1), self._joined(form, 2, part), span=form.span())
        return super().compound_effect(form, head, nested)

    def _deleted(self, form: Form, nested: bool) -> Effect:
        """Read `(not ...)` as an effect, even with several atoms inside."""
        operands = form[1:]
        first: Any = form[1]
        if len(form) == 2 and first[:1] == ["and"] and not self.is_atom(first):
            operands = first[1:]
        if not all(isinstance(operand, Form) for operand in operands):
            return Not(self._joined(form, 1, self.condition))
        if len(operands) == 1 and operands[0][:1] != ["not"]:
            return super().compound_effect(form, "not", nested)
        texts = [f"(not ({' '.join(map(str, operand))}))" for operand in operands]
        flat = all(isinstance(word, str) for operand in operands for word in operand)
        span = form.span()
        fix = (span.start, span.end, " ".join(texts)) if flat else None
        before = " ".join(self.source.text[: span.start].lower().rpartition("(:action")[2].split())
        asked = all(f"({' '.join(map(str, operand))})" in before for operand in operands)
        sure = len(form) == 2 or asked  # else a bracket may stand too late, and the other atoms be added
        self.note("operands", "'not' makes one atom false: write (not ...) around each of them", form, None, fix, sure)
        holder = first if len(form) == 2 else form
        read = [self.effect(holder, at, nested) for at in range(1, len(holder))]
        return And(tuple([Not(atom) if isinstance(atom, Atom) else atom for atom in read]), span=span)

    def _joined(self, form: Form, first: int, read: Callable[[Form, int], Any]) -> Any:
        """Read the operands from `first` on as one, even if their `and` is missing."""
        last = len(form) - 1
        if first >= last:
            return read(form, first)
        if all(isinstance(item, str) for item in form[first:]):
            raise MisreadError(self.bare(form, first, last, "brackets are missing"))
        message = f"'{form[0]}' takes one of these: put (and ...) around them"
        sure = form[0] != "not"  # else it may be: not all of these, or none
        self.note("missing-and", message, form, first + 1, self.around(form, first, last, "(and "), sure)
        parts = tuple([read(form, at) for at in range(first, len(form))])
        return And(parts, span=form.span(first))

    def _quantified(self, form: Form) -> tuple[tuple[TypedName, ...], int]:
        """Return the variables of a quantifier, and the index of its body; brackets around variables may be missing."""
        body = next((at for at in range(1, len(form)) if isinstance(form[at], Form)), len(form))
        if body == 1:
            return self.variables(form, 1), 2
        self.notes.append(self.bare(form, 1, body - 1, "variables stand in brackets", "no-variables"))
        return self.typed(form.part(form[:body], form.at), 1, "variable"), body

    def terms(self, form: Form, start: int = 1) -> tuple[str, ...]:
        for index in range(start, len(form)):
            if not isinstance(form[index], str):
                inner: Any = form[index]
                if len(inner) == 1 and isinstance(inner[0], str):
                    message = f"an argument stands without brackets: write {inner[0]}"
                    self.fail("unexpected", message, form, index, self.instead(form, index, inner[0]))
        return super().terms(form, start)
