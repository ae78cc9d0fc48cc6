"""All names in a PDDL text: the kind of each name, and the places that declare and use the name.

    symbols = Symbols(Tree(text))
    symbols.occurrences           in the order of the text
    symbols.at(offset)            the occurrence at a place
    symbols.declarations          by kind and name: parameters, types, and the comment above

A name is the same thing in a domain and in its problems if kind and name are equal; a variable also belongs to a scope,
the form that declares it. Nothing here checks names: an undeclared name is an occurrence like the others.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import takewhile

from unpuzzle.base.values import Record
from unpuzzle.pddl.formulas import CONNECTIVES
from unpuzzle.pddl.syntax import Form, Tree

ACTION, CONSTANT, DOMAIN, FUNCTION = "action", "constant", "domain", "function"
PREDICATE, PROBLEM, TYPE, VARIABLE = "predicate", "problem", "type", "variable"
KEYWORD, NUMBER = "keyword", "number"
NAME = "name"
"""The kind of all names in games of other formats."""
NO_SCOPE = -1
_BEHIND = re.compile(r"[) \t]*;([^\n]*)")
_NUMBER = re.compile(r"-?[\d.]+")
_BUILT_IN = {TYPE: {"object", "number"}, FUNCTION: {"total-cost"}, PREDICATE: {"="}}


class Occurrence(Record):
    """A name at a place in a text; `scope` is the offset of the form that declares a variable."""

    kind: str
    name: str
    start: int
    end: int
    declares: bool = False
    scope: int = NO_SCOPE

    @property
    def key(self) -> tuple[str, str, int]:
        """The key that all occurrences of the same declared thing have in common."""
        return self.kind, self.name, self.scope

    @property
    def built_in(self) -> bool:
        """Whether PDDL itself declares the name."""
        return self.name in _BUILT_IN.get(self.kind, ())


class Typed(Record):
    """A name with its types."""

    name: str
    types: tuple[str, ...] = ("object",)

    def __str__(self) -> str:
        types = self.types[0] if len(self.types) == 1 else f"(either {' '.join(self.types)})"
        return self.name if self.types == ("object",) else f"{self.name} - {types}"


class Declaration(Record):
    """The declaration of a name: where it is in the text, its parameters or types, and its comment."""

    kind: str
    name: str
    start: int
    end: int
    place: tuple[int, int]
    parameters: tuple[Typed, ...] = ()
    types: tuple[str, ...] = ()
    comment: str = ""

    @property
    def signature(self) -> str:
        """A text that shows how to use the name, with types: `(on ?x - block ?y - block)`."""
        if self.kind in (PREDICATE, FUNCTION, ACTION):
            return f"({' '.join([self.name, *map(str, self.parameters)])})"
        return str(Typed(self.name, self.types or ("object",)))


class Symbols:
    """The names of a text; `sections` are the forms in the definition or, without a definition, the top-level forms.

    An outline needs the declarations after each key, but few other names: those are found when they are first needed.
    """

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        definition = tree.definition
        self.sections: list[Form] = [
            form for form in (definition or tree.root).forms() if definition is not None or form.head
        ]

    @cached_property
    def declarations(self) -> dict[tuple[str, str], Declaration]:
        """The declarations in the text, by kind and name."""
        return _Walk(self, whole=False).declarations

    @cached_property
    def walk(self) -> _Walk:
        """The result of a traversal of the whole text."""
        return _Walk(self, whole=True)

    @cached_property
    def occurrences(self) -> list[Occurrence]:
        """The names in the order of the text, except that a definition's own name comes before its parameters."""
        return self.walk.occurrences

    @cached_property
    def by_key(self) -> Mapping[tuple[str, str, int], list[Occurrence]]:
        """The occurrences of each name, by their common key."""
        table: dict[tuple[str, str, int], list[Occurrence]] = {}
        for each in self.occurrences:
            table.setdefault(each.key, []).append(each)
        return table

    def at(self, offset: int) -> Occurrence | None:
        """Return the occurrence that contains an offset or ends there; None without such an occurrence."""
        starts, ordered = self._by_start
        last = bisect_right(starts, offset) - 1
        near = ordered[bisect_left(starts, starts[last])] if last >= 0 else None
        return near if near is not None and offset <= near.end else None

    @cached_property
    def _by_start(self) -> tuple[list[int], list[Occurrence]]:
        """The offsets at which occurrences begin, and the occurrences in this order; occurrences do not overlap."""
        ordered = sorted(self.occurrences, key=lambda each: each.start)
        return [each.start for each in ordered], ordered

    def declared(self, kind: str) -> list[Declaration]:
        """Return the declarations of a kind, in the order of the text."""
        return [each for each in self.declarations.values() if each.kind == kind]

    def parents(self, name: str) -> list[str]:
        """Return a type and all its ancestors."""
        found = [name]
        for each in found:  # which grows
            declaration = self.declarations.get((TYPE, each))
            found += [parent for parent in declaration.types if parent not in found] if declaration else []
        return [*found, *(() if "object" in found else ("object",))]


class _Walk:
    """A traversal of a text that collects all names, or only the declarations.

    Attributes:
        variables: the variables with their types, by scope.
        changed, derived: the predicates that effects change, and those that axioms derive.
        arities: the numbers of parameters of declared predicates.
    """

    def __init__(self, symbols: Symbols, whole: bool) -> None:
        self.whole = whole
        self.occurrences: list[Occurrence] = []
        self.declarations: dict[tuple[str, str], Declaration] = {}
        self.variables: dict[int, list[Typed]] = {}
        self.changed: set[str] = set()
        self.derived: set[str] = set()
        self.arities: dict[str, set[int]] = {}
        for section in symbols.sections:
            for form in section.forms() if section.head == ":predicates" else ():
                self.arities.setdefault(form.head, set()).add(sum(word[0] == "?" for word in form.words()))
        for section in symbols.sections:
            self.section(section)
        if symbols.tree.definition is None:
            for step in symbols.tree.root.forms():  # of a plan
                if step.head and step.head[0] != ":":
                    self.atom(step, {}, ACTION)

    def add(self, kind: str, form: Form, index: int = 0, declares: bool = False, scope: int = NO_SCOPE) -> None:
        """Record an item of a form as an occurrence, if the item is a word."""
        word = form[index] if self.whole and index < len(form) else None
        if isinstance(word, str):
            self.occurrences.append(Occurrence(kind, word, *form.place(index), declares, scope))

    def declare(
        self, kind: str, form: Form, index: int, parameters: Sequence[Typed] = (), types: tuple[str, ...] = ()
    ) -> None:
        """Record a declaration; only the first declaration of a name counts."""
        place, name = form.place(index), str(form[index])
        if (kind, name) not in self.declarations:
            found = form.start, form.end, place, tuple(parameters), types, self.comment_at(form, index)
            self.declarations[kind, name] = Declaration(kind, name, *found)

    def comment_at(self, form: Form, index: int) -> str:
        """Return the comment after a declaration on its last line, or else the comment above the declaration."""
        source, is_rule = form.source, form.head in (":action", ":derived")
        behind = _BEHIND.match(source.text, form.end if index == 0 else form.place(index)[1])
        if behind is not None and not is_rule:  # which reads no more of a long line than it needs
            return behind[1].lstrip("; ").rstrip()
        token = form.at if is_rule or index == 0 else form.numbers[index]
        while token and "\n" not in source.gap(token):
            if source.words[token - 1] != "(" and source.starts[token - 1] < source.ends[token - 1]:
                return ""  # behind something else on its line, but not behind a missing bracket
            token -= 1
        above = map(str.strip, source.gap(token).split("\n")[-2 : 0 if token else None : -1])
        lines = [line.lstrip("; ").rstrip() for line in takewhile(lambda line: line.startswith(";"), above)]
        return "\n".join(reversed(lines))

    # ---- sections

    def section(self, form: Form) -> None:
        """Traverse a section of a domain or problem by the rules of its keyword."""
        head = form.head
        self.add(KEYWORD, form)
        named = len(form) > 1 and isinstance(form[1], str)
        if head in (DOMAIN, PROBLEM) and named:
            self.add(head, form, 1, declares=True)
            self.declare(head, form, 1)
        elif head == ":domain":
            self.add(DOMAIN, form, 1)
        elif head == ":requirements":
            for index in range(1, len(form)):
                self.add(KEYWORD, form, index)
        elif head in (":types", ":constants", ":objects"):
            kind = TYPE if head == ":types" else CONSTANT
            for names, types, places in _entries(form, 1):
                for index in names:
                    self.add(kind, form, index, declares=True)
                    self.declare(kind, form, index, types=types)
                for place in places:
                    self.add(TYPE, *place)
        elif head in (":predicates", ":functions"):
            self.heads(form, PREDICATE if head == ":predicates" else FUNCTION)
        elif head in (":action", ":durative-action"):
            self.action(form)
        elif head == ":derived":
            self.axiom(form)
        elif head in (":init", ":goal"):
            for fact in form.forms() if self.whole else ():
                self.formula(fact, {})
        elif head == ":metric":
            self.add(KEYWORD, form, 1)
            for term in form.forms():
                self.atom(term, {}, FUNCTION)

    def typed(self, form: Form, start: int, scope: int) -> list[Typed]:
        """Traverse the variables of a typed list, starting at an item, and record each variable's types and scope."""
        typed = []
        for names, types, places in _entries(form, start):
            for index in names:
                self.add(VARIABLE, form, index, declares=True, scope=scope)
                typed.append(Typed(str(form[index]), types or ("object",)))
            for place in places:
                self.add(TYPE, *place)
        self.variables.setdefault(scope, []).extend(typed)
        return typed

    def heads(self, form: Form, kind: str) -> None:
        """Traverse the declarations of predicates or functions."""
        for head in form.forms():
            if head.head:
                self.add(kind, head, declares=True)
                self.declare(kind, head, 0, self.typed(head, 1, head.start))
        for index in range(1, len(form)):
            if form[index] != "-":
                self.add(TYPE, form, index)

    def action(self, form: Form) -> None:
        """Traverse the parameters, conditions and effects of an action."""
        scope = form.start
        named = len(form) > 1 and isinstance(form[1], str) and form[1][0] != ":"
        if named:
            self.add(ACTION, form, 1, declares=True)
        scopes: dict[str, int] = {}
        parameters: list[Typed] = []
        part = ""
        for index, item in enumerate(form[1 + named :], 1 + named):
            if isinstance(item, str):
                part = item
                self.add(KEYWORD, form, index)
            elif part == ":parameters" or (item and not part):
                parameters = self.typed(item, 0, scope)
                scopes = {each.name: scope for each in parameters}
            else:
                self.formula(item, scopes, scope, effect=part.startswith(":effect"))
        if named:
            self.declare(ACTION, form, 1, parameters)

    def axiom(self, form: Form) -> None:
        """Traverse a derived predicate: its head, which declares variables, and its condition."""
        head, *body = [*form.forms()] or [form]
        scopes: dict[str, int] = {}
        if head is not form and head.head:
            self.add(PREDICATE, head)
            self.derived.add(head.head)
            typed = self.typed(head, 1, form.start)
            scopes = {each.name: form.start for each in typed}
        for each in body:
            self.formula(each, scopes, form.start)

    # ---- formulas

    def formula(self, form: Form, scopes: Mapping[str, int], outer: int = NO_SCOPE, effect: bool = False) -> None:
        """Traverse a condition, effect or fact; `outer` is the scope of variables that are not declared."""
        head = form.head
        if not self.whole:
            return
        if not head:
            for inner in form.forms():
                self.formula(inner, scopes, outer, effect)
            return
        if self.is_atom(form):
            self.atom(form, scopes, PREDICATE, outer)
            if effect:
                self.changed.add(head)
            return
        self.add(KEYWORD, form)
        if head in ("exists", "forall"):
            rest = list(form.forms())
            inner_scopes = dict(scopes)
            if rest and form[1] is rest[0] and (not rest[0].head or rest[0].head[0] == "?"):
                declared = self.typed(rest[0], 0, form.start)
                inner_scopes |= {each.name: form.start for each in declared}
                del rest[0]
            for inner in rest:
                self.formula(inner, inner_scopes, outer, effect)
        elif head in ("=", "increase", "decrease", "assign", "<", ">", "<=", ">="):
            self.terms(form, scopes, outer)
        else:
            for at, inner in enumerate(form.forms()):
                self.formula(inner, scopes, outer, effect and not (head == "when" and at == 0))
            self.terms(form, scopes, outer, words_only=True)

    def is_atom(self, form: Form) -> bool:
        """Return whether a form is an atom; needed because a predicate may have the name of a connective."""
        head = form.head
        if head not in CONNECTIVES and head not in ("=", "increase", "decrease", "assign"):
            return True
        return next(form.forms(), None) is None and (len(form) > 1 or 0 in self.arities.get(head, ()))

    def atom(self, form: Form, scopes: Mapping[str, int], kind: str, outer: int = NO_SCOPE) -> None:
        self.add(kind, form)
        self.terms(form, scopes, outer)

    def terms(self, form: Form, scopes: Mapping[str, int], outer: int, words_only: bool = False) -> None:
        """Traverse the arguments of an atom: variables, constants, numbers, function terms."""
        for index in range(1, len(form)):
            item = form[index]
            if not isinstance(item, str):
                if not words_only:
                    self.atom(item, scopes, FUNCTION, outer)
            elif item[0] == "?":
                self.add(VARIABLE, form, index, scope=scopes.get(item, outer))
            else:
                self.add(NUMBER if _NUMBER.fullmatch(item) else CONSTANT, form, index)


def _entries(form: Form, start: int) -> Iterator[tuple[list[int], tuple[str, ...], list[tuple[Form, int]]]]:
    """Yield the entries of a typed list: the indices of the names, their types, and the places of the types."""
    names: list[int] = []
    at = start
    while at < len(form):
        item = form[at]
        if item == "-":
            kind = form[at + 1] if at + 1 < len(form) else ""
            places = [(form, at + 1)] if kind and isinstance(kind, str) else []
            if not isinstance(kind, str):
                places = [(kind, index) for index in range(len(kind)) if isinstance(kind[index], str)][1:]
            yield names, tuple([str(own[index]) for own, index in places]), places
            names = []
            at += 1
        elif isinstance(item, str):
            names.append(at)
        at += 1
    if names:
        yield names, (), []
