"""Reading definitions with faults: sections and parts with misspelt names, or in the wrong place.

This is the common part of domains and problems; `tolerant_domain` has the rest.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from unpuzzle.base.errors import ParseError
from unpuzzle.base.text import corrected, nearest
from unpuzzle.pddl.features import DECLARED_IN_VAIN, FOREIGN, REFUSED, REQUIREMENTS
from unpuzzle.pddl.formulas import And, Condition
from unpuzzle.pddl.reading.brackets import Brackets
from unpuzzle.pddl.reading.expressions import EFFECTS
from unpuzzle.pddl.reading.sections import DOMAIN_SECTIONS, PROBLEM_SECTIONS, Sections
from unpuzzle.pddl.reading.tolerant import AND_ONCE, IMPLY, TolerantExpressions
from unpuzzle.pddl.syntax import SECTIONS, Form, Text, read_form

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
"""Sections with another name in the other kind of file."""


def near_section(word: str, known: tuple[str, ...]) -> str | None:
    """Return the section that a word probably means."""
    keyword = word if word[0] == ":" else f":{word}"
    meant = _WORDS.get(keyword)
    return meant if meant in known else nearest(keyword, known)


def is_sure(word: str, near: str, known: tuple[str, ...]) -> bool:
    """Return whether a word can mean no other section than the one that is near."""
    keyword = word if word[0] == ":" else f":{word}"
    return near in (_WORDS.get(keyword), keyword, corrected(keyword, known))


BARE = ("or", "imply", "forall", "exists", "when")
"""Connectives that are noticed without their brackets: `(:goal or (p) (q))`."""


class TolerantSections(TolerantExpressions, Sections):
    """Reads the common form of domains and problems."""

    known: tuple[str, ...]

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
        """Return the known sections with their correct names, in the order of the text."""
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
        """Return the correct keyword of a section; empty if the section is left out."""
        word = str(section[0])
        if word in self.known:
            return word
        if word == ":" and len(section) > 1 and f":{section[1]}" in self.known:
            joined = f":{section[1]}"
            message = f"no blank stands after the colon: write {joined}"
            self.note("unknown-section", message, section, 0, self.instead(section, 0, joined, 1))
            del section.numbers[0], section[0]
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
            self.fail("other-section", f"'{word}' belongs into the {self.other}, not into the {self.kind}", section, 0)
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
        """Note several conditions or effects in the place of one."""
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
        message = f"this is a second {what}, and only one may stand here: put (and ...) around them"
        self.note("missing-and", message, form, first + 1, self.around(form, first, last, "(and "), sure)
        self._moves[form.at, first] = range(first, last + 1)

    def joins(self, form: Form, first: int, last: int) -> bool:
        """Return whether some items are several conditions or effects without a leading `and`."""
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
"""What may be a call such as `holding(?x)`, or stand in a comment."""

_ACTIONS = (":action", ":durative-action")


def matching_form(source: Text) -> Form | None:
    """Return the form of a definition in which `Brackets` finds nothing to repair; None where it may."""
    if _CALL.search(source.text):
        return None
    try:
        form = read_form(source, "a definition")
    except ParseError:
        return None
    return form if form[:1] == ["define"] and all(map(_in_place, form[1:])) else None


def _in_place(item: str | Form) -> bool:
    """Return whether keywords in an item of a definition stand only where they begin a section, or a part of one."""
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
