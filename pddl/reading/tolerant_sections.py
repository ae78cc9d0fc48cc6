"""Definitions that are read in spite of faults: sections and parts under names that are nearly right, or out of place.

`tolerant_domain` and `tolerant_problem` return what could be understood, and a note for each fault.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from unpuzzle.pddl.declarations import Action, Axiom, Domain, Function, Predicate, Problem
from unpuzzle.pddl.features import FOREIGN, REFUSED, REQUIREMENTS
from unpuzzle.pddl.formulas import And, Atom, Condition, FunctionTerm, Increase, TypedName
from unpuzzle.pddl.reading.brackets import Brackets, Note
from unpuzzle.pddl.reading.lexer import Form, Text
from unpuzzle.pddl.reading.sections import (
    ACTION_PARTS,
    DOMAIN_SECTIONS,
    PROBLEM_SECTIONS,
    DomainReader,
    ProblemReader,
    Sections,
    arities_of,
)
from unpuzzle.pddl.reading.tolerant import TolerantExpressions
from unpuzzle.words import nearest

NAMELESS = "unnamed"
IN_DOMAINS = (*DOMAIN_SECTIONS, ":action", ":derived")
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
"""Sections that have another name in the other kind of file."""


def tolerant_domain(text: str, name: str | None) -> tuple[Domain, list[Note]]:
    """Return as much of a domain as can be understood, and its faults."""
    reader = _TolerantDomain(text, name, {})
    return reader.domain(), reader.notes


def tolerant_problem(
    text: str, domain: Domain | None, name: str | None
) -> tuple[Problem, tuple[Atom, ...], list[Note]]:
    """Return as much of a problem as can be understood, the atoms that its `:init` negates, and its faults."""
    reader = _TolerantProblem(text, name, arities_of(domain.predicates) if domain else {})
    return reader.problem(), tuple(reader.denied), reader.notes


def _words(form: Form) -> Iterator[str]:
    """Yield all words in a form."""
    for item in form:
        if isinstance(item, str):
            yield item
        else:
            yield from _words(item)


def _near(word: str, known: tuple[str, ...]) -> str | None:
    """Return the section that a word stands for."""
    keyword = word if word[0] == ":" else f":{word}"
    meant = _WORDS.get(keyword)
    return meant if meant in known else nearest(keyword, known)


class _TolerantSections(TolerantExpressions, Sections):
    """Reads the common form of domains and problems."""

    known: tuple[str, ...]

    def __init__(self, text: str, name: str | None, predicates: dict[str, int]) -> None:
        source = Text(text, name)
        brackets = Brackets(source, self.kind, predicates)
        self.source, self.form, self.notes = brackets.source, brackets.form, brackets.notes
        self.tick, self.predicates = None, predicates
        self._moves: dict[tuple[int, int], range] = {}
        self.name = self.tolerant(self._header, NAMELESS)

    def _header(self) -> str:
        header = self.form[1] if len(self.form) > 1 else None
        if isinstance(header, str) and header == self.kind and len(self.form) > 2 and isinstance(self.form[2], str):
            fix = self.around(self.form, 1, 2, "(")
            self.note("no-brackets", f"brackets are missing: write ({self.kind} {self.form[2]})", self.form, 1, fix)
            return self.form[2]
        if not isinstance(header, Form) or header[:1] != [self.kind]:
            if isinstance(header, Form) and header and str(header[0])[:1] != ":":
                message = f"this is no {self.kind}: expected '({self.kind} NAME)', found '({header[0]}'"
                self.fail("no-definition", message, self.form, 1, self.instead(header, 0, self.kind))
            self.expected(f"'({self.kind} NAME)'", self.form, 1, "no-definition")
        if len(header) > 2 and all(isinstance(word, str) for word in header):
            joined = "-".join(header[1:])  # type: ignore[arg-type]
            self.note("name", f"a name is one word: write {joined}", header, 2, self.around_words(header, 1, joined))
            return joined
        return self.only_word(header, f"the name of the {self.kind}")

    def around_words(self, form: Form, first: int, text: str, last: int | None = None) -> tuple[int, int, str]:
        """Return the edit that replaces the items of a form from `first` to `last`."""
        return self.span(form, first).start, self.span(form, last or len(form) - 1).end, text

    def split(self) -> list[tuple[str, Form]]:
        """Return the sections that are known, by their right names, in the order of the text."""
        result: list[tuple[str, Form]] = []
        earlier: dict[str, Form] = {}
        for index in range(2 if isinstance(self.form[1:2] and self.form[1], Form) else 3, len(self.form)):
            section: Any = self.form[index]
            if not isinstance(section, Form) or not section or not isinstance(section[0], str):
                example = "(:predicates ...)" if self.kind == "domain" else "(:objects ...)"
                self.tolerant(
                    lambda at=index: self.expected(f"a section of the {self.kind}, such as '{example}'", self.form, at),  # type: ignore[misc]
                    None,
                )
                continue
            keyword = self.tolerant(lambda section=section: self._keyword(section), "")  # type: ignore[misc]
            if not keyword:
                continue
            if keyword in earlier and keyword not in (":action", ":derived"):
                first = self.span(earlier[keyword]).line
                self.note("second-section", f"a second '{keyword}' section: the first is in line {first}", section, 0)
            earlier.setdefault(keyword, section)
            result.append((keyword, section))
        return result

    def _keyword(self, section: Form) -> str:
        """Return the right keyword of a section; empty where it is left out."""
        word = str(section[0])
        if word in self.known:
            return word
        if word in FOREIGN:
            self.refuse(f"'{word}' is not supported", FOREIGN[word], section, 0)
        meant = _MOVED.get(word)
        if meant in self.known:
            message = f"a {self.kind} has '{meant}', not '{word}'"
            self.note("other-section", message, section, 0, self.instead(section, 0, str(meant)))
            return str(meant)
        others = PROBLEM_SECTIONS if self.kind == "domain" else IN_DOMAINS
        if word in others:
            self.fail("other-section", f"'{word}' belongs into the {self.other}, not into the {self.kind}", section, 0)
        near = _near(word, self.known)
        if near:
            colon = "" if word[0] == ":" else ": a section begins with a colon"
            message = f"unknown section '{word}', did you mean '{near}'?{colon}"
            self.note("unknown-section", message, section, 0, self.instead(section, 0, near))
            return near
        self.fail("unknown-section", f"unknown section '{word}': expected one of {', '.join(self.known)}", section, 0)

    def requirements(self, form: Form) -> tuple[str, ...]:
        good = []
        for index in range(1, len(form)):
            word = self.tolerant(lambda at=index: self._requirement(form, at), "")  # type: ignore[misc]
            good += [word] if word else []
        return tuple(dict.fromkeys(good))

    def _requirement(self, form: Form, index: int) -> str:
        word = form[index]
        if not isinstance(word, str):
            self.expected("a requirement, such as ':strips'", form, index, "unknown-requirement")
        if word in REFUSED:
            self.refuse(f"the requirement '{word}' is not supported", word, form, index)
        if word in REQUIREMENTS:
            return word
        near = nearest(word if word[0] == ":" else f":{word}", sorted(REQUIREMENTS))
        hint = f", did you mean '{near}'?" if near else ""
        message = f"unknown requirement '{word}'{hint}"
        self.note("unknown-requirement", message, form, index, self.instead(form, index, near) if near else None)
        return near or ""

    def several(self, form: Form, first: int, last: int, what: str) -> None:
        """Note that some conditions or effects stand where one belongs."""
        message = f"this is a second {what}, and only one may stand here: put (and ...) around them"
        self.note("missing-and", message, form, first + 1, self.around(form, first, last, "(and "))
        self._moves[form.at, first] = range(first, last + 1)

    def condition(self, form: Form, index: int) -> Condition:
        moved = self._moves.pop((form.at, index), None)
        if moved is None:
            return super().condition(form, index)
        return And(tuple([super(_TolerantSections, self).condition(form, at) for at in moved]))

    def effect(self, form: Form, index: int, nested: bool = False) -> Any:
        moved = self._moves.pop((form.at, index), None)
        if moved is None:
            return super().effect(form, index, nested)
        return And(tuple([super(_TolerantSections, self).effect(form, at, nested) for at in moved]))


class _TolerantDomain(_TolerantSections, DomainReader):
    known = IN_DOMAINS

    def domain(self) -> Domain:
        sections = self.split()
        by_name = {keyword: [form for other, form in sections if other == keyword] for keyword in self.known}
        predicates = tuple([each for form in by_name[":predicates"] for each in self.predicate_list(form)])
        heads = arities_of(predicates)
        self.predicates = heads
        return Domain(
            self.name,
            tuple([word for form in by_name[":requirements"] for word in self.requirements(form)]),
            tuple([each for form in by_name[":types"] for each in self.typed(form, 1, "type")]),
            tuple([each for form in by_name[":constants"] for each in self.typed(form, 1, "constant")]),
            predicates,
            tuple([each for form in by_name[":functions"] for each in self._function_list(form)]),
            tuple([self.action(form) for form in by_name[":action"]]),
            tuple([axiom for form in by_name[":derived"] for axiom in self._axioms(form)]),
            span=self.span(self.form),
        )

    def predicate_list(self, form: Form) -> tuple[Predicate, ...]:
        result: list[Predicate] = []
        index = 1
        while index < len(form):
            entry = form[index]
            if isinstance(entry, str):
                last = index
                while last + 1 < len(form) and isinstance(form[last + 1], str):
                    last += 1
                words = " ".join(form[index : last + 1])  # type: ignore[arg-type]
                message = f"each predicate stands in brackets: write ({words})"
                self.note("no-brackets", message, form, index, self.around(form, index, last, "("))
                listed = Form(form[index : last + 1])
                listed.at = self.span(form, index).token - 1
                result.append(Predicate(entry, self.typed(listed, 1, "variable"), span=self.span(form, index)))
                index = last
            elif entry[:1] != ["="]:
                declared = self.tolerant(lambda entry=entry: self.declaration(entry), None)  # type: ignore[misc]
                result += [declared] if declared else []
            index += 1
        return tuple(result)

    def _function_list(self, form: Form) -> tuple[Function, ...]:
        return self.tolerant(lambda: self.function_list(form), ())

    def _axioms(self, form: Form) -> list[Axiom]:
        """Return the axiom of a section; none where its head cannot be read."""
        if len(form) > 3 and all(isinstance(item, Form) for item in form[2:]):
            self.several(form, 2, len(form) - 1, "condition")
            head: Any = form[1]
            return self.tolerant(
                lambda: [Axiom(self.declaration(head), self.condition(form, 2), span=self.span(form))], []
            )
        return self.tolerant(lambda: [self.axiom(form)], [])

    def action(self, form: Form) -> Action:
        name = self.tolerant(lambda: self.word(form, 1, "the name of the action"), NAMELESS)
        parts = self.parts(form)
        parameters = self._parameters(form, parts[":parameters"]) if ":parameters" in parts else ()
        precondition = self.condition(form, parts[":precondition"]) if ":precondition" in parts else And()
        effect = self.effect(form, parts[":effect"]) if ":effect" in parts else And()
        return Action(
            name,
            parameters,
            precondition,
            And((effect,), span=effect.span) if isinstance(effect, Increase) else effect,
            span=self.span(form),
        )

    def _parameters(self, form: Form, index: int) -> Any:
        if index >= len(form) or self._begins_part(form[index]):  # its value is missing
            used = dict.fromkeys(word for word in _words(form) if word[0] == "?")
            return tuple([TypedName(word) for word in used])
        if isinstance(form[index], Form):
            return self.variables(form, index)
        last = index
        while last + 1 < len(form) and isinstance(form[last + 1], str) and str(form[last + 1])[0] != ":":
            last += 1
        words = " ".join(form[index : last + 1])  # type: ignore[arg-type]
        self.note(
            "no-variables",
            f"parameters stand in brackets: write ({words})",
            form,
            index,
            self.around(form, index, last, "("),
        )
        listed = Form(form[: last + 1])
        listed.at = form.at
        return self.typed(listed, index, "variable")

    def parts(self, form: Form) -> dict[str, int]:
        parts: dict[str, int] = {}
        index = 2
        if len(form) > 1 and (not isinstance(form[1], str) or form[1][0] == ":"):
            index = 1  # the name is missing: that is noted
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
                if near != ":parameters" and len(forms) == last - index > 1:
                    self.several(form, index + 1, last, near[1:])
                elif len(forms) > 1 or (forms and len(forms) < last - index):
                    self.note("unexpected", f"expected one of {', '.join(ACTION_PARTS)}", form, index + 2)
            index = last + 1
        return parts

    def _begins_part(self, item: str | Form) -> bool:
        return isinstance(item, str) and (item[0] == ":" or f":{item}" in (*ACTION_PARTS, ":preconditions", ":effects"))

    def _part(self, form: Form, index: int, parts: dict[str, int]) -> str | None:
        """Return the right name of a part of an action; None, with a note, where there is none."""
        word: Any = form[index]
        if word in ACTION_PARTS:
            return str(word)
        if isinstance(word, str) and word in FOREIGN:
            self.tolerant(lambda: self.refuse(f"'{word}' is not supported", FOREIGN[word], form, index), None)
            return None
        near = _near(word, ACTION_PARTS) if isinstance(word, str) else None
        if near is not None and (word[0] == ":" or near not in parts):
            message = f"unknown section '{word}', did you mean '{near}'?"
            self.note("unknown-section", message, form, index, self.instead(form, index, near))
            return near
        if isinstance(word, str) and not parts and word[0] != ":" and index == 2:
            joined = f"{form[1]}-{word}"
            self.note("name", f"a name is one word: write {joined}", form, index, self.around_words(form, 1, joined, 2))
            return None
        if isinstance(word, Form):
            word = "("
        self.note("unexpected", f"expected one of {', '.join(ACTION_PARTS)}, found '{word}'", form, index)
        return None


class _TolerantProblem(_TolerantSections, ProblemReader):
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
            span=self.span(self.form),
        )

    def _goal(self, form: Form) -> Condition:
        if len(form) > 2 and all(isinstance(item, Form) for item in form[1:]):
            self.several(form, 1, len(form) - 1, "condition")
        elif len(form) < 2:
            self.note("no-value", "expected a condition after ':goal'", form, 1)
            return And()
        return self.condition(form, 1)

    def facts(self, form: Form) -> tuple[Atom, ...]:
        denied: list[Atom] = []
        true: list[Atom] = []
        if len(form) > 1 and all(isinstance(item, str) for item in form[1:]):
            words = " ".join(form[1:])  # type: ignore[arg-type]
            message = f"each fact stands in brackets: write ({words})"
            self.note("no-brackets", message, form, 1, self.around(form, 1, len(form) - 1, "("))
            return ()
        for index in range(1, len(form)):
            self.tolerant(lambda at=index: self._fact(form, at, true, denied), None)  # type: ignore[misc]
        for atom in [atom for atom in denied if atom in set(true)]:
            span: Any = atom.span
            message = f"{atom} is true and false in the initial state"
            self.notes.append(Note("true-and-false", message, span.start, span.end))
        self.denied += denied
        return tuple(true)

    def _fact(self, form: Form, index: int, true: list[Atom], denied: list[Atom]) -> None:
        fact: Any = form[index]
        joined = isinstance(fact, Form) and fact[:1] == ["and"] and not self.is_atom(fact)
        if joined or (isinstance(fact, Form) and fact and not isinstance(fact[0], str)):
            span = self.span(form, index)
            inner = (
                self.source.text[self.span(fact, int(joined)).start : span.end - 1].strip()
                if len(fact) > joined
                else ""
            )
            message = "the initial state is a list of facts: they need no 'and' and no brackets around them"
            self.note("and-in-init", message, form, index, (span.start, span.end, inner))
            for at in range(int(joined), len(fact)):
                self.tolerant(lambda at=at: self._fact(fact, at, true, denied), None)  # type: ignore[misc]
            return
        if (
            isinstance(fact, Form)
            and fact
            and fact[0] in ("or", "forall", "exists", "imply", "when")
            and not self.is_atom(fact)
        ):
            self.fail(
                "unexpected", f"'{fact[0]}' cannot stand in the initial state, which is a list of facts", form, index
            )
        if isinstance(fact, Form) and fact[:1] == ["at"] and not str(fact[1:2])[2:3].isdigit():
            true.append(self.atom(fact))
            return
        single = Form([form[0], fact])
        single.at = self.span(form, index).token - 2
        self.denied = []
        true += ProblemReader.facts(self, single)
        denied += self.denied
