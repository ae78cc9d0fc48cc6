"""Repair of unmatched brackets in a PDDL text, by trying which change gives the most plausible text.

The strict reader stops at the first bracket too many or too few. Here a text is cut into parts whose brackets should
match, so that one missing bracket spoils one part:

    (define (domain d)                          one bracket stays open
      (:types a b)                              none
      (:action move :parameters (?x ?y)         the parts of an action: one, none, none, and one that closes it
        :precondition (p ?x) :effect (q ?y)))   and the definition

A part with a wrong number of brackets gets a `)`, or loses one, at the place where the result reads best: atoms without
brackets inside, a `not` with one operand, closing brackets aligned with their opening ones. Of several such places, the
last one at the end of a line is chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from math import inf
from typing import NamedTuple

from unpuzzle.base.run import within_limits
from unpuzzle.base.text import listing
from unpuzzle.pddl.formulas import CONNECTIVES
from unpuzzle.pddl.syntax import DEEPEST, SECTIONS, Form, Text

_MOST_WORK, _LEAST_WORK, _ALL_WORK = 300_000, 20_000, 600_000
"""Tokens examined for one bracket over all tried places; the smaller number, and the most for the whole text."""
_LONG = 400
"""A list of facts with more tokens is searched for faults line by line."""
_CLEAR = 0.45
"""How much better than all others a sure reading scores; a difference in layout alone is less."""
LISTS = frozenset((":objects", ":constants", ":types", ":requirements", ":parameters"))
ONE = frozenset((":precondition", ":preconditions", ":effect", ":effects", ":goal", ":condition"))
OPERANDS = {"not": 1, "imply": 2, "when": 2, "exists": 2, "forall": 2, "increase": 2}
_EARLY = 5.0
"""The penalty for a bracket that closes more than its part, with more words after it."""
_ASKEW = 0.1
"""The penalty for a bracket that begins its line and is not aligned with the opening bracket."""


class Note(NamedTuple):
    """A fault at a place of a text, and perhaps its correction: the replacement of a range of the text.

    The correction is only a suggestion unless it is `sure`: unless nothing else can have been meant.
    """

    code: str
    message: str
    start: int
    end: int
    fix: tuple[int, int, str] | None = None
    severity: str = "error"
    sure: bool = True


def merged(text: str, notes: Sequence[Note]) -> Note:
    """Merge notes of one kind into one note at the first position; its edit makes all the corrections."""
    first, *others = notes
    fixed, at = "", first.start
    for note in notes:
        start, end, right = note.fix or (note.start, note.end, "")
        fixed, at = fixed + text[at:start] + right, end
    more = f", and {len(others)} more like it" if others else ""
    sure = all(note.sure for note in notes)
    return first._replace(message=first.message + more, fix=(first.start, at, fixed), sure=sure)


class Token(NamedTuple):
    """A word or bracket with its position; `sure` is False for an inserted bracket that could also stand elsewhere."""

    word: str
    start: int
    end: int
    line: int
    column: int
    sure: bool = True


Score = Callable[[list[Token]], float]


class Brackets:
    """A repair of the brackets of a text; `notes` describes each inserted and removed bracket."""

    def __init__(self, source: Text, kind: str, arities: dict[str, int]) -> None:
        self.notes: list[Note] = []
        self._spent = 0
        self._source = source
        source.locate_all()
        found = zip(source.words, source.starts, source.ends, strict=True)
        tokens = [Token(word, start, end, *source.position(start)) for word, start, end in found]
        self._kind = kind
        self._scoring = Scoring(arities or _arities(tokens))
        for word, token in {token.word: token for token in reversed(tokens) if not _plain(token.word)}.items():
            message = f"the name {word!a} is not made of plain letters: outside comments, only ASCII is allowed"
            self.notes.append(Note("not-ascii", message, token.start, token.end))
        self.tokens: list[Token] = self._framed(self._calls_turned(tokens))
        self.source = Text(source.text, source.name, [token[:3] for token in self.tokens])
        self.form = self._form()

    def _framed(self, tokens: list[Token]) -> list[Token]:
        """Return the tokens of the definition `(define ...)`, with the brackets of each section repaired."""
        words = [token.word for token in tokens]
        first = next((at for at in range(len(tokens) - 1) if words[at : at + 2] == ["(", "define"]), None)
        if first is None:
            tokens = self._defined(tokens)
        else:
            if first:
                text = self._source.text[tokens[0].start : tokens[first - 1].end]
                message = f"expected '(define ({self._kind} NAME) ...)', found '{text.split()[0]}'"
                self.notes.append(Note("no-definition", message, tokens[0].start, tokens[first - 1].end))
            tokens = tokens[first:]
        tokens = self._sections_opened(tokens)
        starts = [at for at in range(1, len(tokens) - 1) if _opens_section(tokens[at], tokens[at + 1])]
        bounds = [0, *starts, len(tokens)]
        mended: list[Token] = []
        for number, (start, end) in enumerate(pairwise(bounds)):
            closes = int(end == len(tokens))
            if number == 0:
                mended += self._part(tokens[start:end], 1 - closes, "header")
            else:
                mended += self._section(tokens[start:end], -closes)
        return mended

    def _calls_turned(self, tokens: list[Token]) -> list[Token]:
        """Convert calls such as `holding(?x)` to `(holding ?x)`; add a note about the first call."""
        tokens, calls = list(tokens), []
        for at in range(1, len(tokens) - 1):
            word, after = tokens[at], tokens[at + 1]
            bare = after.word == "(" and after.start == word.end and tokens[at - 1].word != "("
            if bare and word.word[0].isalpha() and word.word not in CONNECTIVES:
                tokens[at], tokens[at + 1] = after, word
                calls.append(word)
        text = self._source.text
        if calls:
            first, last = calls[0], calls[-1]
            right, at = "", first.start
            for call in calls:
                right += f"{text[at : call.start]}({text[call.start : call.end]} "
                at = call.end + 1
            end = text.find(")", at) + 1 or at
            shown = " ".join(f"({first.word} {text[first.end + 1 : text.find(')', first.end) + 1]}".split())
            others = f", and {len(calls) - 1} more like it" if len(calls) > 1 else ""
            message = f"the bracket belongs before the name: write {shown}{others}"
            fix = (first.start, max(end, last.end), right + text[at:end])
            self.notes.append(Note("call", message, first.start, first.end, fix))
        return tokens

    def _sections_opened(self, tokens: list[Token]) -> list[Token]:
        """Insert a `(` before each section keyword that has none."""
        result: list[Token] = []
        for at, token in enumerate(tokens):
            if token.word in SECTIONS and at and tokens[at - 1].word == ")":
                self._note_unopened(token)
                result.append(Token("(", token.start, token.start, token.line, token.column))
            result.append(token)
        return result

    def _defined(self, tokens: list[Token]) -> list[Token]:
        """Insert `(define` into a text that has none."""
        start, end = (tokens[0].start, tokens[0].end) if tokens else (0, 0)
        found = f", found '{tokens[0].word}'" if tokens else ": the text is empty"
        message = f"expected '(define ({self._kind} NAME) ...)'{found}"
        headed = [token.word for token in tokens[:2]] == ["(", self._kind]
        fix = (start, start, "(define ") if headed else None
        if headed and len(tokens) > 3 and _plain_name(tokens[2].word):
            name = tokens[2].word
            message = f"expected '(define ({self._kind} {name}) ...)', found '({self._kind} {name}'"
            if tokens[3].word != ")":  # as in `(domain river (:predicates ...))`
                end = tokens[2].end
                fix = (start, end, f"(define ({self._source.text[tokens[1].start : end]})")
                opener = Token("(", start, start, tokens[0].line, tokens[0].column)
                tokens = _with_closing([opener, *tokens[1:]], 3)
        self.notes.append(Note("no-definition", message, start, end, fix))
        where = (start, start, *self._source.position(start))
        added = [Token("(", *where), Token("define", *where)]
        if not headed:
            added += [Token("(", *where), Token(self._kind, *where), Token("unnamed", *where), Token(")", *where)]
            sections = (at for at, pair in enumerate(pairwise(tokens)) if _opens_section(*pair))
            tokens = tokens[next(sections, len(tokens)) :]
        if tokens and _balance(tokens) >= 0:
            tokens = [*tokens, Token(")", tokens[-1].end, tokens[-1].end, *self._source.position(tokens[-1].end))]
        return [*added, *tokens] if tokens else [*added, Token(")", *where)]

    def _section(self, tokens: list[Token], expected: int) -> list[Token]:
        """Return a section with balanced brackets; after the last section, also close the definition."""
        cuts = [2]
        if tokens[1].word in (":action", ":durative-action"):
            cuts = [at for at in range(2, len(tokens)) if _is_keyword(tokens[at].word)]
            cuts = cuts or [min(3, len(tokens))]
        bounds = [0, *cuts, len(tokens)]
        mended: list[Token] = []
        for start, end in pairwise(bounds):
            if start == end:
                continue
            last = end == len(tokens) and start > 0
            want = expected - 1 if last else int(start == 0)
            role = tokens[start].word if start else "head"
            if len(cuts) == 1 and start == 2:
                role = tokens[1].word
            mended += self._part(tokens[start:end], want, role, tokens[0])
        return mended

    def _most(self, part: list[Token]) -> int:
        """Return how many positions of a bracket to try in a section: fewer in a long section, to limit the work."""
        work = _MOST_WORK if self._spent < _ALL_WORK else _LEAST_WORK
        self._spent += max(work, len(part))
        return max(1, work // len(part))

    def _by_lines(self, part: list[Token]) -> list[Token]:
        """Repair a long list of facts line by line, so that each line closes the brackets that it opens.

        Facts of several lines begin further to the left than what follows of them. If the lines are long, each fact is
        repaired separately.
        """
        pairs = list(enumerate(pairwise(part), 1))
        opening = [at for at, (before, token) in pairs if token.line > before.line and token.word == "("]
        usual = max((columns := Counter(part[at].column for at in opening)), key=columns.__getitem__, default=0)
        starts = [at for at in opening if part[at].column <= usual]
        if len(part) > _LONG * (len(starts) + 1):
            starts = [at for at, (before, token) in pairs if token.word == "(" and before.word not in ("=", "not")]
        bounds = [0, *starts, len(part)]
        mended: list[Token] = []
        for start, end in pairwise(bounds):
            inner = start > 0 and end < len(part)
            mended += self._part(part[start:end], 0, ":init") if inner else part[start:end]
        return mended

    def _part(self, part: list[Token], expected: int, role: str, outer: Token | None = None) -> list[Token]:
        """Return a section with brackets added or removed so that it is balanced."""
        if role == ":init" and len(part) > _LONG and _balance(part) != expected:
            part = self._by_lines(part)
        score = partial(self._scoring.score, expected=expected, role=role, outer=outer)
        for _ in within_limits(range(10), long=True):
            surplus = _balance(part) - expected
            if not surplus or not part:
                break
            part = self._closed(part, score) if surplus > 0 else self._opened(part, score)
        return part

    def _closed(self, part: list[Token], score: Score) -> list[Token]:
        """Add one `)` to a section or, if more plausible, remove a doubled `(` and add a note about the removal."""
        doubled = [at for at, (token, after) in enumerate(pairwise(part)) if token.word == after.word == "("]
        doubled += [len(part) - 1] if part[-1].word == "(" and part[-1].end > part[-1].start else []
        fewer = _Readings(doubled[: self._most(part)], partial(_without, part), score)
        pairs = list(enumerate(pairwise(part), 1))
        inside_lines = {at for at, (token, after) in pairs if after.line == token.line}
        places = [
            at for at, (token, after) in pairs if token.word != "(" and (after.word != ")" or at not in inside_lines)
        ]
        places += [len(part)] if part[-1].word != "(" else []
        more = _Readings(places[-self._most(part) :] or [len(part)], partial(_with_closing, part), score)
        best = min(more.scores, key=lambda at: (more.scores[at], at in inside_lines, -at))
        extra, limit = fewer.first, more.scores[best]
        if extra is None or fewer.scores[extra] > limit - (0 if extra == len(part) - 1 else 0.3):
            closed = more.made(best)
            closed[best] = closed[best]._replace(sure=more.is_sure(best, fewer.least))
            return closed
        end = len(self._source.text.rstrip())  # there, the text may be cut off
        sure = fewer.is_sure(extra, limit) and part[extra].end < end
        self._note_extra(part[extra], "this '(' opens nothing: there is one '(' too many", sure)
        return fewer.made(extra)

    def _opened(self, part: list[Token], score: Score) -> list[Token]:
        """Remove one `)` from a section, or add one `(` if that is more plausible; add a note about the change."""
        closing = [at for at, token in enumerate(part) if token.word == ")" and token.end > token.start]
        closing = closing[-self._most(part) :]
        if not closing:  # all closing brackets here were inserted
            return [*part, Token("(", part[-1].end, part[-1].end, part[-1].line, part[-1].column)]
        fewer = _Readings(closing, partial(_without, part), score)
        words = [at for at, token in enumerate(part) if token.word not in "()" and not _is_keyword(token.word)]
        places = [at for at in words if at == 0 or part[at - 1].word != "("]
        more = _Readings(places[: self._most(part)], partial(_with_opening, part), score)
        at, best = max(place for place in closing if fewer.scores[place] == fewer.least), more.first
        if best is not None and more.scores[best] < fewer.least - 0.3:
            self._note_unopened(part[best], more.is_sure(best, fewer.least))
            return more.made(best)
        message = "this ')' closes no open bracket: there is one ')' too many"
        self._note_extra(part[at], message, fewer.is_sure(at, more.least))
        return fewer.made(at)

    def _note_unopened(self, token: Token, sure: bool = True) -> None:
        message, fix = f"a '(' is missing before '{token.word}'", (token.start, token.start, "(")
        self.notes.append(Note("unopened-bracket", message, token.start, token.end, fix, sure=sure))

    def _note_extra(self, token: Token, message: str, sure: bool) -> None:
        fix = (token.start, token.end, "")
        self.notes.append(Note("extra-bracket", message, token.start, token.end, fix, sure=sure))

    def _form(self) -> Form:
        """Return the definition as a form, and add a note about each inserted closing bracket."""
        root = Form()
        root.source, root.at, root.to = self.source, -1, len(self.tokens)
        stack = [root]
        openers: list[Token] = []
        self._open_at_end: list[tuple[Note, str]] = []
        self._end = max([token.end for token in self.tokens], default=0)
        for number, token in enumerate(self.tokens):
            if token.word == "(":
                if len(stack) > DEEPEST:
                    break
                child = Form()
                child.source, child.at, child.to = self.source, number, number
                stack[-1].append(child)
                stack.append(child)
                openers.append(token)
            elif token.word == ")" and openers:
                # An inserted `)` closes a written `(`.
                if token.start == token.end and openers[-1].end > openers[-1].start:
                    self._unclosed(openers[-1], token, stack[-1])
                stack.pop().to = number
                openers.pop()
            elif token.word != ")":
                stack[-1].append(token.word)
        for form in stack:
            form.to = len(self.tokens)
        self._cut_off()
        return root[0] if root and isinstance(root[0], Form) else root

    def _unclosed(self, opener: Token, closing: Token, form: Form) -> None:
        """Add a note about a bracket that is never closed."""
        if opener.start == opener.end or (form[:1] == ["define"] and self._lacks_define()):
            return  # the bracket was inserted, too
        head = form[0] if form and isinstance(form[0], str) else ""
        message = f"this bracket is never closed: its ')' is missing, perhaps in line {closing.line}"
        if closing.line == opener.line:
            message = f"this bracket, of '({head}', is never closed: its ')' is missing"
        fix = (closing.end, closing.end, ")")
        note = Note("unclosed-bracket", message, opener.start, opener.end, fix, sure=closing.sure)
        self.notes.append(note)
        if closing.end == self._end:
            self._open_at_end.append((note, f"'({head}' of line {opener.line}"))

    def _cut_off(self) -> None:
        """Merge the notes about brackets that are open at the end of the text, which is probably cut off."""
        if not any(token.word in (":action", ":goal") for token in self.tokens):
            gone = [note for note, _ in self._open_at_end]
            self.notes = [note._replace(sure=note.sure and note not in gone) for note in self.notes]
        if len(self._open_at_end) > 1:
            (inner, first), *outer = self._open_at_end
            end = inner.fix[0] if inner.fix else inner.end
            around = listing(name for _, name in outer)
            message = f"the text ends inside {first}, which is in {around}, and none is closed: is it cut off?"
            fix = (end, end, ")" * len(self._open_at_end))
            gone = [note for note, _ in self._open_at_end]
            note = Note("unclosed-bracket", message, inner.start, inner.end, fix, sure=False)
            self.notes = [*(other for other in self.notes if other not in gone), note]

    def _lacks_define(self) -> bool:
        return any(note.code == "no-definition" for note in self.notes)


class _Readings:
    """The possible repairs of a section, each with its penalty, by the position of the changed bracket."""

    def __init__(self, places: Sequence[int], made: Callable[[int], list[Token]], score: Score) -> None:
        self.made = made
        self.scores: dict[int, float] = {at: score(made(at)) for at in places}
        self.least: float = min(self.scores.values(), default=inf)
        self.first: int | None = min((at for at in places if self.scores[at] == self.least), default=None)

    def is_sure(self, at: int, rival: float) -> bool:
        """Return whether a repair is clearly better than repairs with other results, and than the penalty `rival`."""
        words = [token.word for token in self.made(at)]
        near = [place for place, score in self.scores.items() if score <= self.scores[at] + _CLEAR]
        same = ([token.word for token in self.made(place)] == words for place in near)
        return self.scores[at] < rival - _CLEAR and all(same)


def _without(part: list[Token], at: int) -> list[Token]:
    return [*part[:at], *part[at + 1 :]]


def _with_closing(part: list[Token], at: int) -> list[Token]:
    before = part[at - 1]
    return [*part[:at], Token(")", before.end, before.end, before.line, before.column), *part[at:]]


def _with_opening(part: list[Token], at: int) -> list[Token]:
    after = part[at]
    return [*part[:at], Token("(", after.start, after.start, after.line, after.column), *part[at:]]


def _plain_name(word: str) -> bool:
    return word not in "()" and not _is_keyword(word)


def _plain(word: str) -> bool:
    return word.isascii() and word.isprintable()


def _balance(tokens: list[Token]) -> int:
    return sum((token.word == "(") - (token.word == ")") for token in tokens)


def _opens_section(token: Token, after: Token) -> bool:
    return token.word == "(" and _is_keyword(after.word)


def _is_keyword(word: str) -> bool:
    return word[0] == ":" and len(word) > 1


def _arities(tokens: list[Token]) -> dict[str, int]:
    """Return the number of parameters of each predicate if the brackets of the section `:predicates` are correct."""
    words = [token.word for token in tokens]
    result: dict[str, int] = {}
    if ":predicates" in words:
        name = None
        for at in range(words.index(":predicates") + 1, len(words)):
            if words[at - 1] == "(":
                if words[at][0] == ":":
                    break
                name = words[at]
                result[name] = 0
            elif name and words[at][0] == "?":
                result[name] += 1
    return result


# How well a part reads: the number of things in it that are surely wrong.


class BracketNode(list["str | BracketNode"]):
    """The words and nested nodes between two brackets."""


class Scoring:
    """A scorer of repaired texts, which gives penalties; `arities` are the numbers of parameters of predicates."""

    def __init__(self, arities: dict[str, int]) -> None:
        self._arities = arities

    def score(self, part: list[Token], expected: int, role: str, outer: Token | None) -> float:
        """Return the penalty of a section's text, which should leave `expected` brackets open at its end."""
        items, penalty = self._items(part, expected, outer)
        return penalty + self._items_penalty(items, role)

    def _items(self, part: list[Token], expected: int, outer: Token | None) -> tuple[BracketNode, float]:
        """Convert a section to nested lists of words; return them, and the penalty for badly placed brackets."""
        root = BracketNode()
        stack, openers, penalty, below = [root], [], 0.0, 0
        indents: dict[int, int] = {}
        for token in part:
            first = token.line not in indents
            indents.setdefault(token.line, token.column)
            if token.word == "(":
                child = BracketNode()
                stack[-1].append(child)
                stack.append(child)
                openers.append(token)
                continue
            if token.word != ")":
                penalty += _EARLY if below else 0  # a `)` before this word has closed the part
                stack[-1].append(token.word)
                continue
            opener = openers.pop() if openers else (None if below else outer)
            if len(stack) > 1:
                stack.pop()
            else:
                below += 1
            if opener and first and token.end > token.start:  # a `)` that begins a line is usually below its `(`
                penalty += _ASKEW * (token.column not in (opener.column, indents.get(opener.line, opener.column)))
        return root, penalty + max(0, len(openers) - max(0, expected))

    def _items_penalty(self, items: BracketNode, role: str) -> float:
        """Return the penalty of the items in a section, by what the section `role` should contain."""
        items = BracketNode(items[1:]) if items[:1] == [role] else items
        forms = [item for item in items if isinstance(item, BracketNode)]
        if role in ONE:
            return abs(len(forms) - 1) + 0.5 * (len(items) > 1) + sum(map(self._structure_penalty, forms))
        if role == ":parameters":
            nested = sum(isinstance(part, BracketNode) and part[:1] != ["either"] for item in forms for part in item)
            return float(abs(len(items) - 1) + nested)
        if role in (":predicates", ":functions"):
            return sum(map(_declaration_penalty, forms)) + 0.5 * (len(items) - len(forms))
        if role == ":init":
            return sum(map(self._structure_penalty, forms)) + 0.5 * (len(items) - len(forms))
        if role == ":derived":
            return abs(len(items) - 2) + sum(map(self._structure_penalty, forms))
        if role in LISTS:
            return float(sum(form[:1] != ["either"] for form in forms))
        return 0.0

    def _structure_penalty(self, node: BracketNode) -> float:
        """Return the penalty for structural mistakes in a condition, effect or fact."""
        head = node[0] if node else ""
        forms = [item for item in node[1:] if isinstance(item, BracketNode)]
        if not isinstance(head, str):
            return 1 + sum(map(self._structure_penalty, forms))
        words = len(node) - 1 - len(forms)
        if not node:  # `()` is read as true, but hardly meant
            return 1.0
        if head in ("and", "or"):
            return words + sum(map(self._structure_penalty, forms))
        if head == "=":
            return float(len(node) != 3)
        if head in CONNECTIVES:
            quantified = head in ("exists", "forall")
            inner = forms[1:] if quantified else forms
            if head == "increase":
                inner, words = [], 0
            return words + abs(len(node) - 1 - OPERANDS[head]) + sum(map(self._structure_penalty, inner))
        arity = self._arities.get(head)
        types = sum(2 for item in node if item == "-")  # the words of a typed list that are dashes or types
        return len(forms) * 2 + (0 if arity is None else 0.7 * (words - types != arity))


def _declaration_penalty(node: BracketNode) -> float:
    """Return the penalty of a predicate's declaration, which should consist of variables and types."""
    names = [item for before, item in pairwise(node) if before != "-" and item != "-"]
    forms = [item for item in node if isinstance(item, BracketNode) and item[:1] != ["either"]]
    return len(forms) * 2.0 + sum(isinstance(name, str) and name[0] != "?" for name in names) + (not node)
