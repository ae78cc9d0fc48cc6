"""unpuzzle.pddl: the language. Read, write, lint, run and validate PDDL; no planner in sight.

    read(domain, problem) -> Task        read_domain / read_problem / parse_domain / parse_problem / parse_task
    write(node)                          the smallest true set of requirements, loads everywhere
    lint(domain_text, problem_text)      every fault at once, not the first
    Semantics(task)                      initial, holds, applicable, apply: the reference meaning
    compiled.CompiledSemantics           the same on integers, for many states of one task
    validate(task, plan) -> Validation   runs a plan step by step and explains where it fails
    read_plan / parse_plan / write_plan  plan files

and the nodes that tasks are made of (`unpuzzle.pddl.nodes`). A module is loaded when one of its names is first used.

    node formulas declarations nodes     the parts of a task, from the smallest to the whole
    reading/                             from texts to tasks                judging/    faults of tasks and of texts
    normal_form/                         substitution, single effects, invariants
    types world query steps axioms       the reference meaning: objects, states, joins, derived predicates
    schemas costs semantics              actions, what they cost, and all of it put together
    validation tracing failures plans    plans, and why they fail           compiled/   the meaning on integers
"""

if __name__ == "pddl":
    raise ImportError("this folder is part of unpuzzle; use `import unpuzzle.pddl`, not `import pddl`")

from unpuzzle.late import homes_of, loader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.pddl.judging.fault import Edit, Fault
    from unpuzzle.pddl.judging.linting import lint
    from unpuzzle.pddl.nodes import *
    from unpuzzle.pddl.plans import parse_plan, read_plan, write_plan
    from unpuzzle.pddl.reading.reader import parse_domain, parse_problem, parse_task, read, read_domain, read_problem
    from unpuzzle.pddl.semantics import Semantics, applicable, apply, holds, initial
    from unpuzzle.pddl.validation import Validation, validate
    from unpuzzle.pddl.writer import write

# ruff: noqa: F403, F405
__all__ = [
    "Action", "And", "Atom", "Axiom", "Condition", "Domain", "Edit", "Effect", "Exists", "Fault", "Forall", "Function",
    "FunctionTerm", "GroundAction", "Imply", "Increase", "Node", "Not", "Or", "Plan", "Predicate", "Problem",
    "Semantics", "Span", "Task", "TypedName", "Validation", "Value", "When", "applicable", "apply", "holds", "initial",
    "lint", "parse_domain", "parse_plan", "parse_problem", "parse_task", "read", "read_domain", "read_plan",
    "read_problem", "validate", "write", "write_plan",
]  # fmt: skip

_NAMES = {
    "judging.fault": "Edit Fault",
    "judging.linting": "lint",
    "plans": "parse_plan read_plan write_plan",
    "reading.reader": "parse_domain parse_problem parse_task read read_domain read_problem",
    "semantics": "Semantics applicable apply holds initial",
    "validation": "Validation validate",
    "writer": "write",
}
_HOMES = dict.fromkeys(__all__, "nodes") | homes_of(**_NAMES)

__getattr__ = loader(__name__, _HOMES)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
