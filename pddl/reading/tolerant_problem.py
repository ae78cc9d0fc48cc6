"""Reading problems with faults: the parts that can be understood, and a note for each fault."""

from __future__ import annotations

from typing import Any

from unpuzzle.pddl.declarations import Domain, Problem
from unpuzzle.pddl.formulas import And, Atom, Condition, FunctionTerm
from unpuzzle.pddl.reading.brackets import Note
from unpuzzle.pddl.reading.lexer import Form
from unpuzzle.pddl.reading.sections import PROBLEM_SECTIONS, ProblemReader, arities_of
from unpuzzle.pddl.reading.tolerant_sections import TolerantSections


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
            span=self.span(self.form),
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
            words = " ".join(form[1:])  # type: ignore[arg-type]
            message = f"each fact stands in brackets: write ({words})"
            self.note("no-brackets", message, form, 1, self.around(form, 1, len(form) - 1, "("))
            return ()
        index = 0
        while (index := index + 1) < len(form):
            if isinstance(form[index], str):
                last = index
                while last + 1 < len(form) and isinstance(form[last + 1], str):
                    last += 1
                words = " ".join(map(str, form[index : last + 1]))
                fix = self.around(form, index, last, "(")
                self.note("no-brackets", f"each fact stands in brackets: write ({words})", form, index, fix)
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
            span = self.span(form, index)
            inner = (
                self.source.text[self.span(fact, int(joined)).start : span.end - 1].strip()
                if len(fact) > joined
                else ""
            )
            message = "the initial state is a list of facts: they need no 'and' and no brackets around them"
            sure = joined or len(fact) > 1  # one alone may lack its `not`
            self.note("and-in-init", message, form, index, (span.start, span.end, inner), sure)
            for at in range(int(joined), len(fact)):
                self.tolerant(self._fact, None, fact, at, true, denied)
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
        self.starts.pop(single.at, None)
        self.denied = []
        true += ProblemReader.facts(self, single)
        denied += self.denied
