"""Tasks misspelt: near misses of names, and nodes exchanged wherever they stand."""

from random import Random

from unpuzzle.pddl.nodes import Atom, Domain, Node, Problem


def misspelt(word: str) -> str:
    """A near miss that is no other word."""
    return f"{word}{word[-1]}"


def renamed(rng: Random, atom: Atom) -> Atom:
    """A predicate or an argument misspelt, an argument too many, or one too few."""
    kinds = ["predicate", "more"] + ["argument", "fewer"] * bool(atom.arguments)
    kind, place = rng.choice(kinds), rng.randrange(len(atom.arguments) or 1)
    if kind == "predicate":
        return Atom(misspelt(atom.predicate), atom.arguments)
    if kind == "more":
        return Atom(atom.predicate, (*atom.arguments, "o0"))
    if kind == "fewer":
        return Atom(atom.predicate, atom.arguments[1:])
    changed = [*atom.arguments]
    changed[place] = misspelt(changed[place])
    return Atom(atom.predicate, tuple(changed))


def replaced(node, old, new):
    """A node with another in the place of one that is in it (by identity), wherever that may be."""
    if node is old:
        return new
    if isinstance(node, tuple):
        return tuple(replaced(each, old, new) for each in node)
    if not isinstance(node, Node):
        return node
    return type(node)(*[replaced(getattr(node, name), old, new) for name in node._fields])


def everything(node):
    """All nodes in a node, and what stands in their fields, but for names of tasks and requirements."""
    for name in node._fields:
        value = getattr(node, name)
        if name == "requirements" or (name in ("name", "domain_name") and isinstance(node, Domain | Problem)):
            continue
        parts = value if isinstance(value, tuple) else (value,)
        yield from parts
        for part in parts:
            if isinstance(part, Node):
                yield from everything(part)
