"""Scores for parts of a definition: the number of things in them that are surely wrong.

Used to choose the place of a missing or superfluous bracket.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from unpuzzle.pddl.features import CONNECTIVES

LISTS = frozenset((":objects", ":constants", ":types", ":requirements", ":parameters"))
ONE = frozenset((":precondition", ":preconditions", ":effect", ":effects", ":goal", ":condition"))
OPERANDS = {"not": 1, "imply": 2, "when": 2, "exists": 2, "forall": 2, "increase": 2}
_EARLY = 5.0
"""The penalty for a bracket that closes more than its part, with more words after it."""
_ASKEW = 0.1
"""The penalty for a bracket that begins its line and is not aligned with the opening bracket."""


class Token(NamedTuple):
    """A word or a bracket of a text; an inserted one is `sure` if it can stand nowhere else."""

    word: str
    start: int
    end: int
    line: int
    column: int
    sure: bool = True


class Node(list["str | Node"]):
    """The items between two brackets."""


class Scoring:
    """Scores parts; `arities` are the numbers of parameters of predicates."""

    def __init__(self, arities: dict[str, int]) -> None:
        self._arities = arities

    def score(self, part: list[Token], expected: int, role: str, outer: Token | None) -> float:
        """Return the penalty of a part that should leave `expected` brackets open."""
        items, penalty = self._items(part, expected, outer)
        return penalty + self._items_wrong(items, role)

    def _items(self, part: list[Token], expected: int, outer: Token | None) -> tuple[Node, float]:
        """Return the items of a part, and the penalty for its badly placed brackets."""
        root = Node()
        stack, openers, penalty, below = [root], [], 0.0, 0
        indents: dict[int, int] = {}
        for token in part:
            first = token.line not in indents
            indents.setdefault(token.line, token.column)
            if token.word == "(":
                child = Node()
                stack[-1].append(child)
                stack.append(child)
                openers.append(token)
                continue
            if token.word != ")":
                penalty += _EARLY if below else 0
                stack[-1].append(token.word)
                continue
            opener = openers.pop() if openers else (None if below else outer)
            if len(stack) > 1:
                stack.pop()
            else:
                below += 1
            if opener and first and token.end > token.start:
                penalty += _ASKEW * (token.column not in (opener.column, indents.get(opener.line, opener.column)))
        return root, penalty + max(0, len(openers) - max(0, expected))

    def _items_wrong(self, items: Node, role: str) -> float:
        items = Node(items[1:]) if items[:1] == [role] else items
        forms = [item for item in items if isinstance(item, Node)]
        if role in ONE:
            return abs(len(forms) - 1) + 0.5 * (len(items) > 1) + sum(map(self._wrong, forms))
        if role == ":parameters":
            nested = sum(isinstance(part, Node) and part[:1] != ["either"] for item in forms for part in item)
            return float(abs(len(items) - 1) + nested)
        if role in (":predicates", ":functions"):
            return sum(map(_undeclared, forms)) + 0.5 * (len(items) - len(forms))
        if role == ":init":
            return sum(map(self._wrong, forms)) + 0.5 * (len(items) - len(forms))
        if role == ":derived":
            return abs(len(items) - 2) + sum(map(self._wrong, forms))
        if role in LISTS:
            return float(sum(form[:1] != ["either"] for form in forms))
        return 0.0

    def _wrong(self, node: Node) -> float:
        """Return the penalty of a condition, an effect or a fact."""
        head = node[0] if node else ""
        forms = [item for item in node[1:] if isinstance(item, Node)]
        if not isinstance(head, str):
            return 1 + sum(map(self._wrong, forms))
        words = len(node) - 1 - len(forms)
        if not node:  # `()` is read as true, but hardly meant
            return 1.0
        if head in ("and", "or"):
            return words + sum(map(self._wrong, forms))
        if head == "=":
            return float(len(node) != 3)
        if head in CONNECTIVES:
            quantified = head in ("exists", "forall")
            inner = forms[1:] if quantified else forms
            if head == "increase":
                inner, words = [], 0
            return words + abs(len(node) - 1 - OPERANDS[head]) + sum(map(self._wrong, inner))
        arity = self._arities.get(head)
        types = sum(2 for item in node if item == "-")  # the words of a typed list that are dashes or types
        return len(forms) * 2 + (0 if arity is None else 0.7 * (words - types != arity))


def _undeclared(node: Node) -> float:
    """Return the penalty of a declaration, which should have variables and, after dashes, types."""
    names = [item for before, item in pairwise(node) if before != "-" and item != "-"]
    forms = [item for item in node if isinstance(item, Node) and item[:1] != ["either"]]
    return len(forms) * 2.0 + sum(isinstance(name, str) and name[0] != "?" for name in names) + (not node)
