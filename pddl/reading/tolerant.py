"""The tolerant parser of expressions and typed lists, which notes each fault and guesses the meaning.

    (?x -block)          with a blank after the dash         (x y - block)      with question marks
    (?x - either a b)    with brackets around the types      (?x : block)       with a dash for the colon
    (implies (p) (q))    read as `imply`                     (not (p) (q))      as `(not (and (p) (q)))`
    ((p) (q))            as a conjunction                    (exists ?x (p ?x)) with brackets around ?x
    (?x = ?y)            as `(= ?x ?y)`

The methods call the strict reader and catch its errors, so a fault spoils only the smallest expression around it.
Nothing here runs for correct texts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from unpuzzle.base.text import corrected, nearest, with_article
from unpuzzle.pddl.formulas import (
    CONNECTIVES,
    OBJECT,
    And,
    Atom,
    Condition,
    Effect,
    Exists,
    Forall,
    Not,
    TypedName,
    When,
)
from unpuzzle.pddl.reading.brackets import Note, merged
from unpuzzle.pddl.reading.expressions import (
    ASSIGNMENTS,
    CHANCES,
    COMPARISONS,
    CONDITIONS,
    EFFECTS,
    TRAJECTORIES,
    Expressions,
)
from unpuzzle.pddl.syntax import Form

T = TypeVar("T")
Fix = tuple[int, int, str]
"""A range of the text, and its replacement."""


class MisreadError(Exception):
    """The error that ends the parsing of one expression; `note` describes the fault."""

    def __init__(self, note: Note) -> None:
        super().__init__(note.message)
        self.note = note


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


AND_ONCE = "'and' is written once, before everything that it joins: write (and ...)"
IMPLY = "'when' is an effect: in a condition, write (imply ...)"
FOREIGN_WORDS = COMPARISONS | ASSIGNMENTS | TRAJECTORIES | CHANCES.keys() | {"preference"}


class TolerantExpressions(Expressions):
    """A parser of expressions and typed lists that collects the faults and continues after each."""

    notes: list[Note]
    types_known: frozenset[str] = frozenset()
    constants_known: frozenset[str] = frozenset()
    """The declared types of a domain, once they are read."""

    # ---- faults

    def fail(self, code: str, message: str, form: Form, index: int | None = None, fix: Fix | None = None) -> NoReturn:
        raise MisreadError(self._noted(code, message, form, index, fix))

    def refuse(self, message: str, feature: str, form: Form, index: int | None = None) -> NoReturn:
        self.fail("unsupported", message, form, index)

    def note(
        self, code: str, message: str, form: Form, index: int | None = None, fix: Fix | None = None, sure: bool = True
    ) -> None:
        """Add a note about a fault to `notes`."""
        self.notes.append(self._noted(code, message, form, index, fix)._replace(sure=sure))

    def _noted(self, code: str, message: str, form: Form, index: int | None, fix: Fix | None) -> Note:
        """Return a note about a form or, if `index` is not None, about the form's item at `index`."""
        span = form.span(index)
        return Note(code, message, span.start, span.end, fix)

    def tolerant(self, read: Callable[..., T], instead: T, *arguments: Any) -> T:
        """Call a parsing function; if it fails, add a note about the fault and return `instead`."""
        try:
            return read(*arguments)
        except MisreadError as misread:
            self.notes.append(misread.note)
            return instead

    def around(self, form: Form, first: int, last: int, before: str) -> Fix:
        """Return the edit that puts brackets around the items `first` to `last`, with the text `before` in front."""
        return self.instead(form, first, f"{before}{form.written(first, last)})", last)

    def instead(self, form: Form, index: int, text: str, last: int | None = None) -> Fix:
        """Return the edit that replaces the items from `index` to `last`, or only the item at `index`, by a text."""
        return *form.place(index, last), text

    def bare(self, form: Form, first: int, last: int, what: str, code: str = "no-brackets", sure: bool = True) -> Note:
        """Return the note about words that should be in brackets."""
        words = " ".join(map(str, form[first : last + 1]))
        fix = self.around(form, first, last, "(")
        return self._noted(code, f"{what}: write ({words})", form, first, fix)._replace(sure=sure)

    def before(self, form: Form, index: int, text: str) -> Fix:
        """Return the edit that inserts a text before the item at `index`."""
        start = form.place(index)[0]
        return start, start, text

    def last_word(self, form: Form, index: int, stop: str = ":") -> int:
        """Return the index of the last word in the run of words that begins at `index`."""
        while index + 1 < len(form) and isinstance(item := form[index + 1], str) and item[0] not in (*stop,):
            index += 1
        return index

    # ---- lists of names

    def typed(self, form: Form, start: int, what: str) -> tuple[TypedName, ...]:
        result: list[TypedName] = []
        group: list[TypedName] = []
        index, noted = start, len(self.notes)
        while index < len(form):
            item: Any = form[index]
            if isinstance(item, str) and (item == ":" or (item[0] in "-:" and (len(item) > 1 or item == "-"))):
                index = self._type_after(form, index, result, group, what)
                continue
            if isinstance(item, Form):
                (result if "-" in item else group).extend(self._nested(form, index, what))
            elif what == "variable" and item in self.types_known and group:
                message = f"a '-' is missing before the type: write - {item}"
                sure = f"?{item}" not in self.source.text.lower() and group[-1].name[-1] != "-"  # or a variable
                self.note("typed-list", message, form, index, self.before(form, index, "- "), sure)
                result += [TypedName(named.name, (item,), span=named.span) for named in group]
                group.clear()
            elif item != "?" and item[0] not in ":-":
                group.append(TypedName(self._named(form, index, what), OBJECT, span=form.span(index)))
            else:
                self.tolerant(self._no_item, None, form, index, what)
            index += 1
        self._join_marks(noted)
        return (*result, *group)

    def _join_marks(self, since: int) -> None:
        """Merge the notes about missing or superfluous question marks in one typed list."""
        own = [note for note in self.notes[since:] if note.code == "question-mark"]
        if len(own) > 1:
            whole, others = merged(self.source.text, own), own[1:]
            kept = [note for note in self.notes[since:] if note not in others]
            self.notes[since:] = [whole if note is own[0] else note for note in kept]

    def _no_item(self, form: Form, index: int, what: str) -> None:
        shape = " (a name that begins with '?')" if what == "variable" else ""
        self.expected(f"{with_article(what)}{shape}", form, index, "typed-list")

    def _type_after(self, form: Form, index: int, result: list[TypedName], group: list[TypedName], what: str) -> int:
        """Read a type after `-` or `:`, which need not be followed by a blank; return the index after the type."""
        item = str(form[index])
        if item[0] == ":" and len(item) > 1 and item[1:].isidentifier() and not group:  # a misplaced keyword
            self.note("typed-list", f"expected {with_article(what)}, found '{item}'", form, index)
            return index + 1
        types: tuple[str, ...] = OBJECT
        after = index + 1
        if len(item) > 1:
            start, message = form.place(index)[0], f"expected a blank between '-' and the type: write - {item[1:]}"
            self.note("typed-list", message, form, index, (start, start + 1, "- "))
            types = (item[1:],)
        else:
            if item == ":":
                message, fix = "a type follows '-', not ':'", self.instead(form, index, "-")
                self.note("typed-list", message, form, index, fix)
            if index + 1 >= len(form):
                self.note("typed-list", "expected a type after '-', found ')'", form, index + 1)
            elif form[index + 1] == "either":
                types, after = self._either(form, index + 1, what)
            else:
                types = self.tolerant(lambda: self._type(form, index + 1, bool(group), what), OBJECT)
                after = index + 2
        result += [TypedName(named.name, types, span=named.span) for named in group]
        group.clear()
        return after

    def _either(self, form: Form, index: int, what: str) -> tuple[tuple[str, ...], int]:
        """Read `either a b` without brackets; return the types, and the index after them."""
        last = self.last_word(form, index, "?-:(")
        if what != "variable" and "-" in form[last + 1 : last + 2]:  # then the last word is the next name
            last = max(index + 1, last - 1)
        words = [str(word) for word in form[index + 1 : last + 1]]
        if not words:
            return self.tolerant(lambda: self._type(form, index, True, what), OBJECT), index + 1
        sure = what == "variable" or last + 1 == len(form)  # else the last word may be a name
        self.notes.append(self.bare(form, index, last, "brackets are missing", sure=sure))
        return tuple(dict.fromkeys(words)), last + 1

    def _type(self, form: Form, index: int, anything: bool, what: str) -> tuple[str, ...]:
        item = form[index]
        if isinstance(item, str) and item[0] == "?" and len(item) > 1:
            message, fix = f"a type has no '?': write {item[1:]}", self.instead(form, index, item[1:])
            self.note("typed-list", message, form, index, fix, item[1:] in self.types_known)
            return (item[1:],)
        return self.types(form, index, anything, what)

    def _named(self, form: Form, index: int, what: str) -> str:
        """Return the name at `index`; a missing question mark is added, and a superfluous one is removed."""
        item = str(form[index])
        variable = what == "variable"
        if variable == (item[0] == "?"):
            return item
        right = f"?{item}" if variable else item[1:]
        message = "a variable begins with '?'" if variable else f"{with_article(what)} has no '?'"
        sure = item not in self.types_known | self.constants_known  # else these may be meant
        self.note("question-mark", f"{message}: write {right}", form, index, self.instead(form, index, right), sure)
        return right

    def _nested(self, form: Form, index: int, what: str) -> list[TypedName]:
        """Read the names inside superfluous brackets."""
        inner: Any = form[index]
        text, flat = " ".join(map(str, inner)), all(isinstance(word, str) for word in inner)
        message = f"these names need no brackets: write {text}"
        self.note("typed-list", message, form, index, self.instead(form, index, text) if flat else None)
        return list(self.typed(inner, 0, what)) if flat else []

    # ---- conditions and effects

    def condition(self, form: Form, index: int) -> Condition:
        nothing: Condition = And()
        return self.tolerant(lambda: self._condition(form, index), nothing)

    def effect(self, form: Form, index: int, nested: bool = False) -> Effect:
        nothing: Effect = And()
        return self.tolerant(lambda: self._effect(form, index, nested), nothing)

    def _condition(self, form: Form, index: int) -> Condition:
        """Read the condition at `index`, and guess the meaning of a faulty one."""
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
        """Read the effect at `index`, and guess the meaning of a faulty one."""
        item: Any = form[index] if index < len(form) else None
        self._require_form(form, index, "an effect")
        if self._is_list(item):
            others = (":adl", "conditional", "(when")
            return self._listed(item, lambda form, index: self.effect(form, index, nested), others)
        head = self._meant(item, MEANT_AS_EFFECT, EFFECTS, "an effect")
        return self.compound_effect(item, head, nested) if head in EFFECTS else super().effect(form, index, nested)

    def _require_form(self, form: Form, index: int, what: str) -> None:
        """Raise an error if the item at `index` is not in brackets; `what` says what it should be."""
        item = form[index] if index < len(form) else None
        if isinstance(item, str) and item[0] not in ":(":
            last = self.last_word(form, index)
            if item in ("or", "imply", "when") and last + 1 < len(form):
                right = "imply" if item == "when" and what == "a condition" else item
                self.fail("no-brackets", f"brackets are missing: write ({right} ...)", form, index)
            if item in ("!", "~", "-", "not") and last + 1 < len(form):
                fix = self.instead(form, index, f"(not {form.written(last + 1)})", last + 1)
                message = "the bracket belongs before 'not': write (not ...)"
                self.fail("connective", message, form, index, None if item == "-" or form[0] == "not" else fix)
            if item in ("and", "&", "&&") and form[0] != item:
                self.fail("infix", AND_ONCE, form, index)
            raise MisreadError(self.bare(form, index, last, f"{what} must be in brackets"))
        if not isinstance(item, Form):
            self.expected(f"{what} in brackets", form, index)

    def _is_list(self, item: Form) -> bool:
        return bool(item) and not isinstance(item[0], str)

    def _listed(self, item: Form, read: Callable[[Form, int], Any], others: tuple[str, ...]) -> And:
        """Read `((p) (q))` as a conjunction, and add a note that `and` is missing."""
        joined = [at for at in range(len(item)) if item[at] not in ("and", "&", "&&")]
        if len(joined) < len(item):
            self.note("infix", AND_ONCE, item, None, (item.start, item.end, self.conjunction(item, joined)))
        else:
            sure = len(item) > 1 and not any(other in self.source.text.lower() for other in others)
            message, fix = "'and' is missing before these: write (and ...)", self.before(item, 0, "and ")
            self.note("missing-and", message, item, None, fix, sure)
        return And(tuple([read(item, at) for at in joined]), span=item.span())

    def conjunction(self, form: Form, places: list[int]) -> str:
        """Return the items `first` to `last` as the text of a conjunction."""
        return f"(and {' '.join(map(form.written, places))})"

    def _infix(self, form: Form, index: int, item: Form) -> Condition:
        equal = f"(= {item[0]} {item[2]})"
        right = equal if item[1] in ("=", "==") else f"(not {equal})"
        message = f"'{item[1]}' comes first in PDDL: write {right}"
        self.note("infix", message, item, 1, self.instead(form, index, right))
        atom = Atom("=", (str(item[0]), str(item[2])), span=item.span())
        return atom if right == equal else Not(atom)

    def _meant(self, item: Form, table: dict[str, str], words: frozenset[str], what: str) -> str:
        """Return the connective that a form's first word stands for, such as `and` for `&&`; empty if there is none."""
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
            message = f"'{head}' is not a connective: {what} begins with one of {listed}"
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
        """Read an effect `(not ...)`, even if several atoms follow the `not`."""
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
        """Read the items from `first` on as a conjunction, even if `and` is missing."""
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
        """Read a quantifier's variables, with or without brackets; return them and the index of the body."""
        body = next((at for at in range(1, len(form)) if isinstance(form[at], Form)), len(form))
        if body == 1:
            return self.variables(form, 1), 2
        self.notes.append(self.bare(form, 1, body - 1, "variables must be in brackets", "no-variables"))
        return self.typed(form.part(form[:body], form.at), 1, "variable"), body

    def terms(self, form: Form, start: int = 1) -> tuple[str, ...]:
        for index in range(start, len(form)):
            if not isinstance(form[index], str):
                inner: Any = form[index]
                if len(inner) == 1 and isinstance(inner[0], str):
                    message = f"an argument is written without brackets: write {inner[0]}"
                    self.fail("unexpected", message, form, index, self.instead(form, index, inner[0]))
        return super().terms(form, start)
