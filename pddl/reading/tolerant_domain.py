"""Reading domains with faults: the parts that can be understood, and a note for each fault."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from unpuzzle.base.text import corrected, nearest
from unpuzzle.pddl.declarations import Axiom, Domain, Function, Predicate, Problem
from unpuzzle.pddl.features import CONNECTIVES, FOREIGN
from unpuzzle.pddl.formulas import And, Atom, Condition, FunctionTerm, TypedName
from unpuzzle.pddl.reading.brackets import Note
from unpuzzle.pddl.reading.sections import ACTION_PARTS, PROBLEM_SECTIONS, DomainReader, ProblemReader, arities_of
from unpuzzle.pddl.reading.tolerant_sections import IN_DOMAINS, NAMELESS, TolerantSections, is_sure, near_section
from unpuzzle.pddl.syntax import Form

NUMBERS = frozenset("int integer num numeric real float double nat natural cost".split())
"""Names of the type of numbers in other languages."""


def tolerant_domain(text: str, name: str | None) -> tuple[Domain, list[Note]]:
    """Return the parts of a domain that can be understood, and its faults."""
    reader = _TolerantDomain(text, name, {})
    return reader.domain(), reader.notes


def _words(form: Form) -> Iterator[str]:
    for item in form:
        if isinstance(item, str):
            yield item
        else:
            yield from _words(item)


class _TolerantDomain(TolerantSections, DomainReader):
    known = IN_DOMAINS

    def domain(self) -> Domain:
        sections = self.split()
        by_name = {keyword: [form for other, form in sections if other == keyword] for keyword in self.known}
        types = tuple([each for form in by_name[":types"] for each in self.typed(form, 1, "type")])
        self.types_known = frozenset([item.name for item in types])
        predicates = tuple([each for form in by_name[":predicates"] for each in self.predicate_list(form)])
        heads = arities_of(predicates)
        self.predicates = heads
        constants = tuple([each for form in by_name[":constants"] for each in self.typed(form, 1, "constant")])
        self.constants_known = frozenset([item.name for item in constants])
        return Domain(
            self.name,
            tuple([word for form in by_name[":requirements"] for word in self.requirements(form)]),
            types,
            constants,
            predicates,
            tuple([each for form in by_name[":functions"] for each in self._function_list(form)]),
            tuple([self.action(form) for form in by_name[":action"]]),
            tuple([axiom for form in by_name[":derived"] for axiom in self._axioms(form)]),
            span=self.form.span(),
        )

    def predicate_list(self, form: Form) -> tuple[Predicate, ...]:
        result: list[Predicate] = []
        index = 1
        while index < len(form):
            entry = form[index]
            if isinstance(entry, str):
                last = self.last_word(form, index, "")
                self.notes.append(self.bare(form, index, last, "each predicate stands in brackets"))
                listed = form.part(form[index : last + 1], form.numbers[index] - 1)
                result.append(Predicate(entry, self.typed(listed, 1, "variable"), span=form.span(index)))
                index = last
            elif entry[:1] != ["="]:
                declared = self.tolerant(self.declaration, None, entry)
                result += [declared] if declared else []
            index += 1
        return tuple(result)

    def _function_list(self, form: Form) -> tuple[Function, ...]:
        return self.tolerant(lambda: self.function_list(form), ())

    def no_number(self, form: Form, index: int) -> None:
        """Note a type of functions other than `number`; a type of objects is an unsupported feature."""
        word = str(form[index])
        if word in NUMBERS or nearest(word, ["number"]):
            message = f"the values of functions are of type 'number', not '{word}'"
            sure = word in NUMBERS or corrected(word, ["number"]) is not None
            self.note("function-type", message, form, index, self.instead(form, index, "number"), sure)
        else:
            self.tolerant(lambda: super(_TolerantDomain, self).no_number(form, index), None)

    def _axioms(self, form: Form) -> list[Axiom]:
        """Return the axiom of a section; none if its head cannot be read. A name in the head may be an object."""
        since = len(self.notes)
        axioms = self._axioms_of(form)
        for at in range(since, len(self.notes)):
            note = self.notes[at]
            self.notes[at] = note._replace(sure=note.sure and note.code != "question-mark")
        return axioms

    def _axioms_of(self, form: Form) -> list[Axiom]:
        if len(form) == 4 and isinstance(form[1], str) and all(isinstance(item, Form) for item in form[2:]):
            return self.tolerant(lambda: [self._headed(form)], [])
        if len(form) > 3 and all(isinstance(item, Form) for item in form[1:]):
            self.several(form, 2, len(form) - 1, "condition")
            head: Any = form[1]
            return self.tolerant(lambda: [Axiom(self.declaration(head), self.condition(form, 2), span=form.span())], [])
        return self.tolerant(lambda: [self.axiom(form)], [])

    def _headed(self, form: Form) -> Axiom:
        """Read `(:derived above (?x ?y) CONDITION)`, with the head not written as an atom."""
        name, variables, condition = self.word(form, 1, "a predicate"), self.variables(form, 2), self.condition(form, 3)
        inside = form.written(2).strip("() \n\t")
        head, message = f"({name} {inside})" if inside else f"({name})", "what is derived stands in brackets: write "
        self.note("no-brackets", message + head, form, 1, self.instead(form, 1, head, 2))
        return Axiom(Predicate(name, variables, span=form.span(1)), condition, span=form.span())

    def action_name(self, form: Form) -> str:
        return self.tolerant(lambda: super(_TolerantDomain, self).action_name(form), NAMELESS)

    def parameters(self, form: Form, index: int) -> tuple[TypedName, ...]:
        if index >= len(form) or self._begins_part(form[index]):  # its value is missing
            used = dict.fromkeys(word for word in _words(form) if word[0] == "?")
            return tuple([TypedName(word) for word in used])
        if isinstance(form[index], Form):
            return self.variables(form, index)
        last = self.last_word(form, index)
        self.notes.append(self.bare(form, index, last, "parameters stand in brackets", "no-variables"))
        return self.typed(form.part(form[: last + 1], form.at), index, "variable")

    def parts(self, form: Form) -> dict[str, int]:
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
                if near == ":parameters":
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
        """Return the correct name of a part of an action; None, with a note, if there is none."""
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


# Reading problems with faults: the parts that can be understood, and a note for each fault.


def tolerant_problem(
    text: str, domain: Domain | None, name: str | None
) -> tuple[Problem, tuple[Atom, ...], list[Note]]:
    """Return the parts of a problem that can be understood, the atoms that its `:init` negates, and its faults."""
    reader = _TolerantProblem(text, name, arities_of(domain.predicates) if domain else {})
    return reader.problem(), tuple(reader.denied), reader.notes


class _TolerantProblem(TolerantSections, ProblemReader):
    known = PROBLEM_SECTIONS

    def problem(self) -> Problem:
        sections = self.split()
        parts = dict(reversed(sections))
        for keyword in (":domain", ":init", ":goal"):
            if keyword not in parts and not any(note.code == "unknown-section" and not note.fix for note in self.notes):
                self.note("no-section", f"the problem has no '({keyword} ...)'", self.form, len(self.form))
        self.values, self.denied = [], []
        objects = [
            each for keyword, form in sections if keyword == ":objects" for each in self.typed(form, 1, "object")
        ]
        atoms = [atom for keyword, form in sections if keyword == ":init" for atom in self.facts(form)]
        goal = parts.get(":goal")
        metric: FunctionTerm | None = None
        if ":metric" in parts:
            metric = self.tolerant(lambda: self.metric(parts[":metric"]), None)
        return Problem(
            self.name,
            self.tolerant(lambda: self.only_word(parts[":domain"], "the name of the domain"), "")
            if ":domain" in parts
            else "",
            self.requirements(parts[":requirements"]) if ":requirements" in parts else (),
            tuple(objects),
            tuple(atoms),
            tuple(self.values),
            And() if goal is None else self._goal(goal),
            metric,
            span=self.form.span(),
        )

    def _goal(self, form: Form) -> Condition:
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
            self.notes.append(self.bare(form, 1, len(form) - 1, "each fact stands in brackets"))
            return ()
        index = 0
        while (index := index + 1) < len(form):
            if isinstance(form[index], str):
                last = self.last_word(form, index, "")
                self.notes.append(self.bare(form, index, last, "each fact stands in brackets"))
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
            self.fail(
                "unexpected", f"'{head}' cannot stand in the initial state, which is a list of facts", form, index
            )
        if head == "at" and not str(fact[1:2])[2:3].isdigit():
            true.append(self.atom(fact))
            return
        single = form.part([":init", fact], form.numbers[index] - 2)
        self.denied = []
        true += ProblemReader.facts(self, single)
        denied += self.denied
