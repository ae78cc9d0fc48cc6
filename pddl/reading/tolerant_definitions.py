"""The tolerant parser of domains and problems, which reads what it can and notes each fault."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from unpuzzle.base.errors import ParseError
from unpuzzle.base.text import corrected, nearest
from unpuzzle.pddl.declarations import Axiom, Domain, Predicate, Problem
from unpuzzle.pddl.formulas import CONNECTIVES, And, Atom, Condition, TypedName
from unpuzzle.pddl.reading.brackets import Brackets, Note
from unpuzzle.pddl.reading.expressions import EFFECTS
from unpuzzle.pddl.reading.reader import (
    ACTION_PARTS,
    DECLARED_IN_VAIN,
    FOREIGN,
    IN_DOMAINS,
    NAMELESS,
    PROBLEM_SECTIONS,
    REFUSED,
    REQUIREMENTS,
    DomainReader,
    ProblemReader,
    Sections,
    arities_of,
)
from unpuzzle.pddl.reading.tolerant import AND_ONCE, IMPLY, TolerantExpressions
from unpuzzle.pddl.syntax import SECTIONS, Form, Text, read_form

_WORDS = {
    **dict.fromkeys((":start", ":initial", ":initial-state", ":state", ":facts"), ":init"),
    **dict.fromkeys((":operator", ":act", ":move"), ":action"),
    **dict.fromkeys((":pre", ":precond", ":if", ":when"), ":precondition"),
    **dict.fromkeys((":post", ":postcondition", ":eff", ":then", ":result"), ":effect"),
    **dict.fromkeys((":params", ":args", ":arguments", ":variables"), ":parameters"),
    **dict.fromkeys((":axiom-rule", ":rule", ":derived-predicate"), ":derived"),
}
"""Other words for sections and parts."""
_MOVED = {":objects": ":constants", ":constants": ":objects"}
"""Sections with another name in the other kind of file."""


def near_section(word: str, known: tuple[str, ...]) -> str | None:
    """Return the section keyword that is most similar to a word; None if no keyword is similar."""
    keyword = word if word[0] == ":" else f":{word}"
    meant = _WORDS.get(keyword)
    return meant if meant in known else nearest(keyword, known)


def is_sure(word: str, near: str, known: tuple[str, ...]) -> bool:
    """Return whether a word is certainly a misspelling of the keyword `near`."""
    keyword = word if word[0] == ":" else f":{word}"
    return near in (_WORDS.get(keyword), keyword, corrected(keyword, known))


BARE = ("or", "imply", "forall", "exists", "when")
"""Connectives that are noticed without their brackets: `(:goal or (p) (q))`."""


class TolerantSections(TolerantExpressions, Sections):
    """The base class of tolerant parsers for domains and problems, `(define (KIND NAME) (:section ...) ...)`."""

    def __init__(self, text: str, name: str | None, predicates: dict[str, int]) -> None:
        source = Text(text, name)
        form = matching_form(source)
        if form is not None:
            self.source, self.form, self.notes = source, form, []
        else:
            brackets = Brackets(source, self.kind, predicates)
            self.source, self.form, self.notes = brackets.source, brackets.form, brackets.notes
        self.predicates = predicates
        self._moves: dict[tuple[int, int], Sequence[int] | Form] = {}
        self.name = self.tolerant(self._header, NAMELESS)

    def _header(self) -> str:
        header = self.form[1] if len(self.form) > 1 else None
        if isinstance(header, str) and header == self.kind and len(self.form) > 2 and isinstance(self.form[2], str):
            self.notes.append(self.bare(self.form, 1, 2, "brackets are missing"))
            return self.form[2]
        if not isinstance(header, Form) or header[:1] != [self.kind]:
            if isinstance(header, Form) and header and str(header[0])[:1] != ":":
                message = f"this is not a {self.kind}: expected '({self.kind} NAME)', found '({header[0]}'"
                edit = None if self.kind in header else self.instead(header, 0, self.kind)
                self.fail("no-definition", message, self.form, 1, edit)
            self.expected(f"'({self.kind} NAME)'", self.form, 1, "no-definition")
        if len(header) > 2 and all(isinstance(word, str) for word in header):
            joined = "-".join(header[1:])  # type: ignore[arg-type]
            fix, sure = self.instead(header, 1, joined, len(header) - 1), len({*header}) == len(header)
            self.note("name", f"a name is one word: write {joined}", header, 2, fix, sure)
            return joined
        return self.only_word(header, f"the name of the {self.kind}")

    def split(self) -> list[tuple[str, Form]]:
        """Return the known sections with their corrected keywords, in the order of the text."""
        result: list[tuple[str, Form]] = []
        earlier: dict[str, Form] = {}
        for index in range(2 if isinstance(self.form[1:2] and self.form[1], Form) else 3, len(self.form)):
            section: Any = self.form[index]
            if not isinstance(section, Form) or not section or not isinstance(section[0], str):
                self.tolerant(self._no_section, None, index)
                continue
            keyword = self.tolerant(self._keyword, "", section)
            if not keyword:
                continue
            if keyword in earlier and keyword not in (":action", ":derived"):
                first = earlier[keyword].span().line
                self.note("second-section", f"a second '{keyword}' section: the first is in line {first}", section, 0)
            earlier.setdefault(keyword, section)
            result.append((keyword, section))
        return result

    def _no_section(self, index: int) -> None:
        example = "(:predicates ...)" if self.kind == "domain" else "(:objects ...)"
        self.expected(f"a section of the {self.kind}, such as '{example}'", self.form, index)

    def _keyword(self, section: Form) -> str:
        """Return the corrected keyword of a section; empty if the section cannot be used."""
        word = str(section[0])
        if word in self.known:
            return word
        if word == ":" and len(section) > 1 and f":{section[1]}" in self.known:
            joined = f":{section[1]}"
            message = f"no blank may follow the colon: write {joined}"
            self.note("unknown-section", message, section, 0, self.instead(section, 0, joined, 1))
            del section.numbers[0], section[0]  # the items then begin after the keyword, as in other sections
            return joined
        if word == ":axiom" and ":derived" in self.known:
            message = "':axiom' is of an older PDDL: write (:derived (PREDICATE ?VARIABLE ...) CONDITION)"
            plain = len(section) > 1 and isinstance(section[1], Form)
            self.note("unknown-section", message, section, 0, self.instead(section, 0, ":derived") if plain else None)
            return ":derived" if plain else ""
        if word in FOREIGN:
            self.refuse(f"'{word}' is not supported", FOREIGN[word], section, 0)
        meant = _MOVED.get(word)
        if meant in self.known:
            message = f"a {self.kind} has '{meant}', not '{word}'"
            self.note("other-section", message, section, 0, self.instead(section, 0, str(meant)))
            return str(meant)
        others = PROBLEM_SECTIONS if self.kind == "domain" else IN_DOMAINS
        if word in others:
            self.fail("other-section", f"'{word}' belongs in the {self.other}, not in the {self.kind}", section, 0)
        near = near_section(word, self.known)
        if near:
            colon = "" if word[0] == ":" else ": a section begins with a colon"
            message = f"unknown section '{word}', did you mean '{near}'?{colon}"
            sure = is_sure(word, near, self.known)
            self.note("unknown-section", message, section, 0, self.instead(section, 0, near), sure)
            return near
        message = f"unknown section '{word}': expected one of {', '.join(self.known)}"
        return self.fail("unknown-section", message, section, 0)

    def requirements(self, form: Form) -> tuple[str, ...]:
        good = []
        for index in range(1, len(form)):
            word = self.tolerant(self._requirement, "", form, index)
            good += [word] if word else []
        return tuple(dict.fromkeys(good))

    def _requirement(self, form: Form, index: int) -> str:
        """Read one requirement; a misspelt requirement is corrected, and an empty text stands for an unknown one."""
        word = form[index]
        if not isinstance(word, str):
            self.expected("a requirement, such as ':strips'", form, index, "unknown-requirement")
        if word in REQUIREMENTS or word in DECLARED_IN_VAIN:
            return word
        if word in REFUSED:
            self.refuse(f"the requirement '{word}' is not supported", word, form, index)
        known = tuple(sorted(REQUIREMENTS))
        near = nearest(word if word[0] == ":" else f":{word}", known)
        hint = f", did you mean '{near}'?" if near else ""
        message = f"unknown requirement '{word}'{hint}"
        fix = self.instead(form, index, near) if near else None
        self.note("unknown-requirement", message, form, index, fix, near is not None and is_sure(word, near, known))
        return near or ""

    def several(self, form: Form, first: int, last: int, what: str, sure: bool = True) -> None:
        """Add a note about several conditions or effects where only one is allowed."""
        words = [at for at in range(first, last + 1) if isinstance(form[at], str)]
        if (head := form[first]) in BARE:
            effect = what == "effect"
            right = {("when", False): "imply", ("imply", True): "when"}.get((head, effect), str(head))
            fix = self.instead(form, first, f"({right}{form.written(first, last)[len(str(head)) :]})", last)
            code, message = "no-brackets", f"brackets are missing: write ({right} ...)"
            if right == "imply" != head:
                code, message = "effect-as-condition", IMPLY
            elif effect and right not in EFFECTS:
                code, message, right = "condition-as-effect", f"'{head}' is a condition: expected an effect", "and"
            self.note(code, message, form, first, fix if right != "and" else None, sure=right == head)
            operands = form[first + 1 : last + 1] if right != "and" else []
            self._moves[form.at, first] = form.part([right, *operands], form.numbers[first] - 1)
            return
        if words:  # `(p) and (q)`, `and (p) (q)`
            forms = [at for at in range(first, last + 1) if at not in words]
            fix = self.instead(form, first, self.conjunction(form, forms), last)
            self.note("infix", AND_ONCE, form, words[0], fix)
            self._moves[form.at, first] = forms
            return
        message = f"this is a second {what}, and only one is allowed here: put (and ...) around them"
        self.note("missing-and", message, form, first + 1, self.around(form, first, last, "(and "), sure)
        self._moves[form.at, first] = range(first, last + 1)

    def joins(self, form: Form, first: int, last: int) -> bool:
        """Return whether the items from `first` to `last` are several conditions or effects that lack an `and`."""
        items = form[first : last + 1]
        words = [item for item in items if isinstance(item, str)]
        if words[:1] == items[:1] and len(words) == 1 and words[0] in BARE:
            return len(items) > 1
        return len(items) - len(words) > (0 if words else 1) and set(words) <= {"and", "&", "&&"}

    def condition(self, form: Form, index: int) -> Condition:
        moved = self._moves.pop((form.at, index), None)
        if isinstance(moved, Form):
            nothing: Condition = And()
            return self.tolerant(lambda: self.compound(moved, str(moved[0])), nothing)
        if moved is None:
            return super().condition(form, index)
        return And(tuple([super(TolerantSections, self).condition(form, at) for at in moved]))

    def effect(self, form: Form, index: int, nested: bool = False) -> Any:
        moved = self._moves.pop((form.at, index), None)
        if isinstance(moved, Form):
            nothing: Any = And()
            return self.tolerant(lambda: self.compound_effect(moved, str(moved[0]), nested), nothing)
        if moved is None:
            return super().effect(form, index, nested)
        return And(tuple([super(TolerantSections, self).effect(form, at, nested) for at in moved]))


# Definitions whose brackets need no repair: the tolerant reader takes their forms as the strict reader makes them.
#
# That is most texts with faults. `Brackets` takes far longer, for it cuts a text into parts and counts in each.

_CALL = re.compile(r"[^\s()]\(")
"""Text that may be a call such as `holding(?x)`, or is in a comment."""

_ACTIONS = (":action", ":durative-action")


def matching_form(source: Text) -> Form | None:
    """Return the form `(define ...)` of a text; None if `Brackets` must repair the brackets first."""
    if _CALL.search(source.text):
        return None
    try:
        form = read_form(source, "a definition")
    except ParseError:
        return None
    return form if form[:1] == ["define"] and all(map(_in_place, form[1:])) else None


def _in_place(item: str | Form) -> bool:
    """Return whether all keywords in an item of a definition begin sections, or parts such as effects."""
    if isinstance(item, str):
        return not _is_keyword(item)
    head = item[0] if item else ""
    keywords = [part for part in item[1:] if _is_keyword(part)]
    if not SECTIONS.isdisjoint(keywords) or (bool(keywords) != (head in _ACTIONS) and head != ":requirements"):
        return False
    queue = [part for part in item if not isinstance(part, str)]
    while queue:
        inner = queue.pop()
        if any(map(_is_keyword, inner)):
            return False
        queue += [part for part in inner if not isinstance(part, str)]
    return True


def _is_keyword(part: str | Form) -> bool:
    return isinstance(part, str) and part[0] == ":"


# Domains.

NUMBERS = frozenset("int integer num numeric real float double nat natural cost".split())
"""Names of the type of numbers in other languages."""


def tolerant_domain(text: str, name: str | None) -> tuple[Domain, list[Note]]:
    """Read the readable parts of a domain, and return them with notes about the faults of the text."""
    reader = _TolerantDomain(text, name, {})
    return reader.domain(), reader.notes


def _words(form: Form) -> Iterator[str]:
    for item in form:
        if isinstance(item, str):
            yield item
        else:
            yield from _words(item)


class _TolerantDomain(TolerantSections, DomainReader):
    def domain(self) -> Domain:
        self._types = super().types_declared()
        self.types_known = frozenset([item.name for item in self._types])
        return super().domain()

    def types_declared(self) -> tuple[TypedName, ...]:
        return self._types

    def constants_declared(self) -> tuple[TypedName, ...]:
        constants = super().constants_declared()
        self.constants_known = frozenset([item.name for item in constants])
        return constants

    def predicate_list(self, form: Form) -> tuple[Predicate, ...]:
        result: list[Predicate] = []
        index = 1
        while index < len(form):
            entry = form[index]
            if isinstance(entry, str):
                last = self.last_word(form, index, "")
                self.notes.append(self.bare(form, index, last, "each predicate must be in brackets"))
                listed = form.part(form[index : last + 1], form.numbers[index] - 1)
                result.append(Predicate(entry, self.typed(listed, 1, "variable"), span=form.span(index)))
                index = last
            elif entry[:1] != ["="]:
                declared = self.tolerant(self.declaration, None, entry)
                result += [declared] if declared else []
            index += 1
        return tuple(result)

    def no_number(self, form: Form, index: int) -> None:
        """Add a note about a function that does not have the type `number`."""
        word = str(form[index])
        if word in NUMBERS or nearest(word, ["number"]):
            message = f"the values of functions are of type 'number', not '{word}'"
            sure = word in NUMBERS or corrected(word, ["number"]) is not None
            self.note("function-type", message, form, index, self.instead(form, index, "number"), sure)
        else:
            self.tolerant(lambda: super(_TolerantDomain, self).no_number(form, index), None)

    def axioms(self, form: Form) -> list[Axiom]:
        """Read an axiom, whose head may contain objects; return a list with the axiom, or empty if it is unreadable."""
        since = len(self.notes)
        axioms = self._axioms_of(form)
        for at in range(since, len(self.notes)):
            note = self.notes[at]
            self.notes[at] = note._replace(sure=note.sure and note.code != "question-mark")
        return axioms

    def _axioms_of(self, form: Form) -> list[Axiom]:
        """Read a `:derived` section as a list of axioms, in spite of wrong brackets; it is empty if this fails."""
        if len(form) == 4 and isinstance(form[1], str) and all(isinstance(item, Form) for item in form[2:]):
            return self.tolerant(lambda: [self._headed(form)], [])
        if len(form) > 3 and all(isinstance(item, Form) for item in form[1:]):
            self.several(form, 2, len(form) - 1, "condition")
            head: Any = form[1]
            return self.tolerant(lambda: [Axiom(self.declaration(head), self.condition(form, 2), span=form.span())], [])
        return self.tolerant(lambda: [self.axiom(form)], [])

    def _headed(self, form: Form) -> Axiom:
        """Read an axiom whose head is not an atom, as in `(:derived above (?x ?y) CONDITION)`."""
        name, variables, condition = self.word(form, 1, "a predicate"), self.variables(form, 2), self.condition(form, 3)
        inside = form.written(2).strip("() \n\t")
        head, message = f"({name} {inside})" if inside else f"({name})", "the derived atom must be in brackets: write "
        self.note("no-brackets", message + head, form, 1, self.instead(form, 1, head, 2))
        return Axiom(Predicate(name, variables, span=form.span(1)), condition, span=form.span())

    def parameters(self, form: Form, index: int) -> tuple[TypedName, ...]:
        if index >= len(form) or self._begins_part(form[index]):  # its value is missing
            used = dict.fromkeys(word for word in _words(form) if word[0] == "?")
            return tuple([TypedName(word) for word in used])
        if isinstance(form[index], Form):
            return self.variables(form, index)
        last = self.last_word(form, index)
        self.notes.append(self.bare(form, index, last, "parameters must be in brackets", "no-variables"))
        return self.typed(form.part(form[: last + 1], form.at), index, "variable")

    def parts(self, form: Form) -> dict[str, int]:
        """Return the index of the value of each part of an action, by the part's keyword, and note faults."""
        parts: dict[str, int] = {}
        index = 2
        if len(form) > 1 and (not isinstance(form[1], str) or form[1][0] == ":"):
            index = 1  # the name is missing, which is noted elsewhere
        while index < len(form):
            word = form[index]
            near = self._part(form, index, parts)
            if near is None:
                index += 1
                continue
            last = index + 1
            while last + 1 < len(form) and not self._begins_part(form[last + 1]):
                last += 1
            if index + 1 >= len(form) or self._begins_part(form[index + 1]):
                self.note("no-value", f"expected a value after '{word}'", form, index)
                if near == ":parameters":  # without any, the action is still understood
                    parts.setdefault(near, index + 1)
                index += 1
                continue
            if near in parts:
                self.note("second-section", f"a second '{near}' in this action", form, index)
            else:
                parts[near] = index + 1
                forms = [at for at in range(index + 1, last + 1) if isinstance(form[at], Form)]
                if near != ":parameters" and self.joins(form, index + 1, last):
                    others = [each for each in form[2:] if isinstance(each, str) and self._begins_part(each)]
                    sure = len({*others} - {word, ":parameters"}) > 0  # else the second one's name may be missing
                    self.several(form, index + 1, last, near[1:], sure)
                elif len(forms) > 1 or (forms and len(forms) < last - index):
                    self.note("unexpected", f"expected one of {', '.join(ACTION_PARTS)}", form, index + 2)
            index = last + 1
        return parts

    def _begins_part(self, item: str | Form) -> bool:
        return isinstance(item, str) and (item[0] == ":" or f":{item}" in (*ACTION_PARTS, ":preconditions", ":effects"))

    def _part(self, form: Form, index: int, parts: dict[str, int]) -> str | None:
        """Return the corrected keyword of an action's part; if no keyword is similar, add a note and return None."""
        word: Any = form[index]
        if word in ACTION_PARTS:
            return str(word)
        if isinstance(word, str) and word in FOREIGN:
            self.tolerant(lambda: self.refuse(f"'{word}' is not supported", FOREIGN[word], form, index), None)
            return None
        near = near_section(word, ACTION_PARTS) if isinstance(word, str) else None
        if near is not None and (word[0] == ":" or near not in parts):
            message = f"unknown section '{word}', did you mean '{near}'?"
            sure = is_sure(word, near, ACTION_PARTS)
            self.note("unknown-section", message, form, index, self.instead(form, index, near), sure)
            return near
        if isinstance(word, str) and not parts and word[0] != ":" and index == 2:
            joined = f"{form[1]}-{word}"
            fix = self.instead(form, 1, joined, 2)
            sure = word not in (form[1], *CONNECTIVES)
            self.note("name", f"a name is one word: write {joined}", form, index, fix, sure)
            return None
        if isinstance(word, Form) and index == 2 and word and str(word[0])[:1] == "?" and ":parameters" not in form:
            fix = self.before(form, index, ":parameters ")
            sure = ":" not in str(form[1])  # else it may be part of that word
            self.note("unexpected", "':parameters' is missing before this list", form, index, fix, sure)
            parts[":parameters"] = index
            return None
        if isinstance(word, Form):
            word = "("
        self.note("unexpected", f"expected one of {', '.join(ACTION_PARTS)}, found '{word}'", form, index)
        return None


# Problems.


def tolerant_problem(
    text: str, domain: Domain | None, name: str | None
) -> tuple[Problem, tuple[Atom, ...], list[Note]]:
    """Read the readable parts of a problem; return also the negated atoms in `:init`, and notes about faults."""
    reader = _TolerantProblem(text, name, arities_of(domain.predicates) if domain else {})
    return reader.problem(), tuple(reader.denied), reader.notes


class _TolerantProblem(TolerantSections, ProblemReader):
    def lacks(self, keyword: str, message: str) -> None:
        if not any(note.code == "unknown-section" and not note.fix for note in self.notes):
            self.note("no-section", message, self.form, len(self.form))

    def goal(self, form: Form) -> Condition:
        if self.joins(form, 1, len(form) - 1):
            self.several(form, 1, len(form) - 1, "condition")
        elif len(form) < 2:
            self.note("no-value", "expected a condition after ':goal'", form, 1)
            return And()
        return self.condition(form, 1)

    def facts(self, form: Form) -> tuple[Atom, ...]:
        denied: list[Atom] = []
        true: list[Atom] = []
        if len(form) > 1 and all(isinstance(item, str) for item in form[1:]):
            self.notes.append(self.bare(form, 1, len(form) - 1, "each fact must be in brackets"))
            return ()
        index = 0
        while (index := index + 1) < len(form):
            if isinstance(form[index], str):
                last = self.last_word(form, index, "")
                self.notes.append(self.bare(form, index, last, "each fact must be in brackets"))
                index = last
                continue
            self.tolerant(self._fact, None, form, index, true, denied)
        both = set(denied).intersection(true)
        for atom in (atom for atom in denied if atom in both):
            span: Any = atom.span
            message = f"{atom} is true and false in the initial state"
            self.notes.append(Note("true-and-false", message, span.start, span.end))
        self.denied += denied
        return tuple(true)

    def _fact(self, form: Form, index: int, true: list[Atom], denied: list[Atom]) -> None:
        """Read one fact of the initial state into `true` or, if it is negated, into `denied`."""
        fact: Any = form[index]
        joined = isinstance(fact, Form) and fact[:1] == ["and"] and not self.is_atom(fact)
        if joined or (isinstance(fact, Form) and fact and not isinstance(fact[0], str)):
            text = self.source.text
            inner = text[fact.place(int(joined))[0] : fact.end - 1].strip() if len(fact) > joined else ""
            message = "the initial state is a list of facts: they need no 'and' and no brackets around them"
            sure = joined or len(fact) > 1  # one alone may lack its `not`
            self.note("and-in-init", message, form, index, self.instead(form, index, inner), sure)
            for at in range(int(joined), len(fact)):
                self.tolerant(self._fact, None, fact, at, true, denied)
            return
        head = fact.head if isinstance(fact, Form) else ""
        if head in ("or", "forall", "exists", "imply", "when") and not self.is_atom(fact):
            self.fail("unexpected", f"'{head}' cannot be in the initial state, which is a list of facts", form, index)
        if head == "at" and not str(fact[1:2])[2:3].isdigit():
            true.append(self.atom(fact))
            return
        single = form.part([":init", fact], form.numbers[index] - 2)
        self.denied = []
        true += ProblemReader.facts(self, single)
        denied += self.denied
