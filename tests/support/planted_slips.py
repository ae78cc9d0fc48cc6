"""Slips planted into the texts of tasks, kind by kind: the reader refuses each text, so `lint --fix` looks at it.

    for kind, texts in slips(rng, texts): ...       one text after the other with one slip

`NAMED` are the kinds of one slip in a name, which `--fix` should mend. Whatever the kind, it must restore
what was meant or leave the fault.
"""

import re

from unpuzzle.base.errors import UnpuzzleError
from unpuzzle.pddl.formulas import And
from unpuzzle.pddl.nodes import Domain, Node, Not, Problem
from unpuzzle.pddl.reading.reader import parse_task

ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
TOKEN = re.compile(r";[^\n]*|[()]|[^\s();]+")
OTHER = ("unless", "nor", "xor", "iff", "nand", "any", "only")


def meaning(texts):
    """The task of texts without requirements and superfluous connectives; None where the reader refuses them."""
    try:
        task = parse_task(*texts)
    except UnpuzzleError:
        return None
    return plain(task.domain), plain(task.problem)


def plain(node):
    if isinstance(node, tuple):
        return tuple(map(plain, node))
    if not isinstance(node, Node):
        return node
    kept = [
        name for name in node._fields if not (isinstance(node, Domain | Problem) and name in ("requirements", "name"))
    ]
    parts = [plain(getattr(node, name)) for name in kept]
    if isinstance(node, And):
        flat = [each for part in parts[0] for each in (part[1:] if part[0] == "And" else (part,))]
        return flat[0] if len(flat) == 1 else ("And", *flat)
    if isinstance(node, Not) and parts[0][0] == "Not":
        return parts[0][1]
    return (type(node).__name__, *parts)


# ---- kinds: each takes a random source, a word or the words around a place, and returns what stands there instead


def doubled(rng, word):
    at = rng.randrange(len(word))
    return word[:at] + word[at] + word[at:]


def lost(rng, word):
    at = rng.randrange(len(word))
    return word[:at] + word[at + 1 :]


def swapped(rng, word):
    at = rng.randrange(len(word) - 1) if len(word) > 1 else 0
    return word[:at] + word[at : at + 2][::-1] + word[at + 2 :]


def next_key(rng, word):
    at = rng.randrange(len(word))
    row = next((row for row in ROWS if word[at] in row), word[at])
    place = row.index(word[at])
    keys = row[max(0, place - 1) : place] + row[place + 1 : place + 2]
    return word[:at] + (rng.choice(keys) if keys else word[at]) + word[at + 1 :]


def negated(rng, word):
    prefix = rng.choice(("un", "in", "dis", "non-", "not-", "no-"))
    return word.removeprefix(prefix) if word.startswith(prefix) else prefix + word


def numbered(rng, word):
    return re.sub(r"\d", lambda digit: str((int(digit[0]) + 1) % 10), word) if re.search(r"\d", word) else word + "2"


SPELLED = {"doubled": doubled, "lost": lost, "swapped": swapped, "next key": next_key}
NAMES = {**SPELLED, "negated": negated, "numbered": numbered}


def spelled(kind, wanted):
    """A slip in one occurrence of a name of some kinds (`names`, or `terms`: objects and variables)."""

    def plant(rng, text, words):
        places = [match for match in TOKEN.finditer(text) if match[0].lower() in words[wanted]]
        if not places:
            return text
        match = rng.choice(places)
        word = match[0].lower()
        mark = "?" if word[0] == "?" else ""
        return text[: match.start()] + mark + NAMES[kind](rng, word.removeprefix("?")) + text[match.end() :]

    return plant


def undeclared(rng, text, words):
    """A predicate whose declaration was forgotten."""
    found = re.search(r"\(:predicates(.*?)\)\s*(?=\(:)", text, re.DOTALL)
    places = list(re.finditer(r"\([\w-]+[^()]*\)", found[1])) if found else []
    if not places:
        return text
    place, start = rng.choice(places), found.start(1)
    return text[: start + place.start()] + text[start + place.end() :]


def unequal(rng, text, words):
    """Another notation for an equality, negated or not."""
    found = list(re.finditer(r"\(not \((=)( \?\w+ \?\w+\))\)|\((=)(?= \?)", text))
    if not found:
        return text
    match = rng.choice(found)
    right = f"({rng.choice(('!=', '<>'))}{match[2]}" if match[1] else "(=="
    return text[: match.start()] + right + text[match.end() :]


def of_tokens(change):
    """A change of one token, or of it and the next one."""

    def plant(rng, text, words):
        tokens = [match for match in TOKEN.finditer(text) if match[0][0] != ";"]
        at = rng.randrange(len(tokens) - 1)
        first, second = tokens[at], tokens[at + 1]
        between = text[first.end() : second.start()]
        return text[: first.start()] + change(rng, first[0], between, second[0]) + text[second.end() :]

    return plant


def of_brackets(change):
    def plant(rng, text, words):
        match = rng.choice([match for match in TOKEN.finditer(text) if match[0] in "()"])
        return text[: match.start()] + change(match[0]) + text[match.end() :]

    return plant


def connective(rng, text, words):
    found = list(re.finditer(r"(?<=\()(and|or|not|imply|forall|exists|when)(?=[\s(])", text))
    match = rng.choice(found)
    instead = rng.choice((*OTHER, *(make(rng, match[0]) for make in SPELLED.values())))
    return text[: match.start()] + rng.choice((instead, "")) + text[match.end() :]


def dotted(rng, text, words):
    """Facts, or parts of actions, for which dots stand."""
    match = rng.choice(list(re.finditer(r"\([\w-]+( [?\w-]+)*\)", text)))
    return text[: match.start()] + "..." + text[match.end() :]


def dashed(rng, text, words):
    return re.sub(r" - ", rng.choice((" -- ", " -", "- ", " : ", " ")), text, count=rng.randrange(1, 4))


def cut(rng, text, words):
    """A text cut off, but not where it looks like one that only lost its last bracket: after an action or the goal."""
    left = text[: rng.randrange(len(text) // 3, len(text))]
    whole = left.count("(") - left.count(")") == 1 and (":action" in left or ":goal" in left)
    return text if whole else left


KINDS = {
    **{f"name {kind}": spelled(kind, "names") for kind in NAMES},
    **{f"term {kind}": spelled(kind, "terms") for kind in NAMES},
    "declaration forgotten": undeclared,
    "unequal": unequal,
    "bracket lost": of_brackets(lambda word: ""),
    "bracket doubled": of_brackets(lambda word: word * 2),
    "bracket turned": of_brackets(lambda word: "()"[word == "("]),
    "token lost": of_tokens(lambda rng, first, between, second: between + second),
    "token doubled": of_tokens(lambda rng, first, between, second: f"{first} {first}{between}{second}"),
    "tokens swapped": of_tokens(lambda rng, first, between, second: f"{second} {first} "),
    "connective": connective,
    "dots": dotted,
    "dashes": dashed,
    "cut": cut,
}
NAMED = [f"name {kind}" for kind in SPELLED]
"""The kinds of spellings that `--fix` should mend."""


def words_of(texts):
    """The names of types, predicates and functions, and those of objects and variables."""
    task = parse_task(*texts)
    domain = task.domain
    names = {item.name for item in (*domain.types, *domain.predicates, *domain.functions)} - {"object", "total-cost"}
    terms = {item.name for item in (*domain.constants, *task.problem.objects)}
    variables = {word.lower() for word in re.findall(r"\?[\w-]+", texts[0])}
    return {"names": names - terms, "terms": (terms | variables) - names}


def slips(rng, texts, kind):
    """Two texts, the first or second with a slip of a kind that the reader refuses; None where ten tries made none."""
    words = words_of(texts)
    for _ in range(10):
        which = rng.randrange(2)
        changed = list(texts)
        changed[which] = KINDS[kind](rng, texts[which], words)
        if changed[which] != texts[which] and meaning(changed) is None:
            return tuple(changed)
    return None
