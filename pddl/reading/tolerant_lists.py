"""Reading lists of names with faults, and noting faults: the common part of the tolerant readers.

(?x -block)       with a blank after the dash          (?x - either a b)     with brackets around `either a b`
(x y - block)     with question marks                  (?x : block)          with a dash for the colon
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

from unpuzzle.base.text import with_article
from unpuzzle.pddl.formulas import OBJECT, TypedName
from unpuzzle.pddl.reading.brackets import Note, merged
from unpuzzle.pddl.reading.expressions import Expressions
from unpuzzle.pddl.syntax import Form

T = TypeVar("T")
Fix = tuple[int, int, str]
"""A range of the text, and its replacement."""


class MisreadError(Exception):
    """Ends the reading of one expression; `note` gives the reason."""

    def __init__(self, note: Note) -> None:
        super().__init__(note.message)
        self.note = note


class TolerantLists(Expressions):
    """Reads lists of names and notes their faults."""

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
        """Note a fault, and continue."""
        self.notes.append(self._noted(code, message, form, index, fix)._replace(sure=sure))

    def _noted(self, code: str, message: str, form: Form, index: int | None, fix: Fix | None) -> Note:
        """Return the note for a fault of a form, or of one of its items."""
        span = form.span(index)
        return Note(code, message, span.start, span.end, fix)

    def tolerant(self, read: Callable[..., T], instead: T, *arguments: Any) -> T:
        """Return the result of a reading function or, after noting a fault, a substitute."""
        try:
            return read(*arguments)
        except MisreadError as misread:
            self.notes.append(misread.note)
            return instead

    def around(self, form: Form, first: int, last: int, before: str) -> Fix:
        """Return the edit that puts brackets around some items of a form, and words before them."""
        return self.instead(form, first, f"{before}{form.written(first, last)})", last)

    def instead(self, form: Form, index: int, text: str, last: int | None = None) -> Fix:
        """Return the edit that replaces an item, or items up to a last one."""
        return *form.place(index, last), text

    def bare(self, form: Form, first: int, last: int, what: str, code: str = "no-brackets", sure: bool = True) -> Note:
        """Return the note about words that lack their brackets."""
        words = " ".join(map(str, form[first : last + 1]))
        fix = self.around(form, first, last, "(")
        return self._noted(code, f"{what}: write ({words})", form, first, fix)._replace(sure=sure)

    def before(self, form: Form, index: int, text: str) -> Fix:
        """Return the edit that puts a text before an item."""
        start = form.place(index)[0]
        return start, start, text

    def last_word(self, form: Form, index: int, stop: str = ":") -> int:
        """Return the index of the last of the words that stand side by side from an item on."""
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
        """Join the notes for all names of a list with a missing or superfluous question mark."""
        own = [note for note in self.notes[since:] if note.code == "question-mark"]
        if len(own) > 1:
            whole, others = merged(self.source.text, own), own[1:]
            kept = [note for note in self.notes[since:] if note not in others]
            self.notes[since:] = [whole if note is own[0] else note for note in kept]

    def _no_item(self, form: Form, index: int, what: str) -> None:
        shape = " (a name that begins with '?')" if what == "variable" else ""
        self.expected(f"{with_article(what)}{shape}", form, index, "typed-list")

    def _type_after(self, form: Form, index: int, result: list[TypedName], group: list[TypedName], what: str) -> int:
        """Read `- type`, even without the blank or with a colon for the dash; return the index after it."""
        item = str(form[index])
        if item[0] == ":" and len(item) > 1 and item[1:].isidentifier() and not group:
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
                message, fix = "a type stands after '-', not after ':'", self.instead(form, index, "-")
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
        """Read `either a b` without its brackets; return the types, and the index after them."""
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
        """Return a name of a list, with its question mark corrected: one for a variable, none for other names."""
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
        """Read names in superfluous brackets."""
        inner: Any = form[index]
        text, flat = " ".join(map(str, inner)), all(isinstance(word, str) for word in inner)
        message = f"these names need no brackets of their own: write {text}"
        self.note("typed-list", message, form, index, self.instead(form, index, text) if flat else None)
        return list(self.typed(inner, 0, what)) if flat else []
