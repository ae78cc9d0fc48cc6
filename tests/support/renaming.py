"""The same task in other words: names exchanged, and everything in another order where the order means nothing."""

from unpuzzle.pddl.nodes import And, Domain, Node, Or, Problem, Task

KEPT = {"", "=", "object", "total-cost"}
UNORDERED = {
    Domain: {"constants", "predicates", "functions", "actions", "axioms"},
    Problem: {"objects", "init", "values"},
}


def renamed(rng, task, kept=()):
    """A task with other names for types, predicates, objects, parameters and actions, but those `kept`; shuffled."""
    names: dict[str, str] = {}

    def name(word):
        if word in KEPT or word in kept:
            return word
        new = f"n{len(names)}x{rng.randrange(100)}"
        return names.setdefault(word, f"?{new}" if word.startswith("?") else new)

    def changed(node):
        if isinstance(node, str):
            return name(node)
        if isinstance(node, tuple):
            return tuple(map(changed, node))
        if not isinstance(node, Node):
            return node
        return type(node)(**{field: shuffled(node, field) for field in node._fields if field != "requirements"})

    def shuffled(node, field):
        value = changed(getattr(node, field))
        if field in UNORDERED.get(type(node), ()) or isinstance(node, And | Or):
            return tuple(rng.sample(value, len(value)))
        return value

    return Task(changed(task.domain), changed(task.problem))
