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
    types world query steps axioms       the reference meaning: objects, states, joins, derived predicates
    schemas costs semantics              actions, what they cost, and all of it put together
    validation explain plans             plans, and why they fail           compiled/   the meaning on integers
"""

from __future__ import annotations

if __name__ == "pddl":
    raise ImportError("this folder is part of unpuzzle; use `import unpuzzle.pddl`, not `import pddl`")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.pddl.judging.linting import Fault as Fault
    from unpuzzle.pddl.judging.linting import lint as lint
    from unpuzzle.pddl.nodes import *  # noqa: F403
    from unpuzzle.pddl.plans import parse_plan as parse_plan
    from unpuzzle.pddl.plans import read_plan as read_plan
    from unpuzzle.pddl.plans import write_plan as write_plan
    from unpuzzle.pddl.reading.reader import parse_domain as parse_domain
    from unpuzzle.pddl.reading.reader import parse_problem as parse_problem
    from unpuzzle.pddl.reading.reader import parse_task as parse_task
    from unpuzzle.pddl.reading.reader import read as read
    from unpuzzle.pddl.reading.reader import read_domain as read_domain
    from unpuzzle.pddl.reading.reader import read_problem as read_problem
    from unpuzzle.pddl.semantics import Semantics as Semantics
    from unpuzzle.pddl.semantics import applicable as applicable
    from unpuzzle.pddl.semantics import apply as apply
    from unpuzzle.pddl.semantics import holds as holds
    from unpuzzle.pddl.semantics import initial as initial
    from unpuzzle.pddl.validation import Validation as Validation
    from unpuzzle.pddl.validation import validate as validate
    from unpuzzle.pddl.writer import write as write

_NAMES = {
    "judging.linting": "Fault lint",
    "nodes": (
        "Action And Atom Axiom Condition Domain Effect Exists Forall Function FunctionTerm GroundAction Imply Increase "
        "Node Not Or Plan Predicate Problem Span Task TypedName Value When"
    ),
    "plans": "parse_plan read_plan write_plan",
    "reading.reader": "parse_domain parse_problem parse_task read read_domain read_problem",
    "semantics": "Semantics applicable apply holds initial",
    "validation": "Validation validate",
    "writer": "write",
}
_HOMES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_HOMES)  # noqa: PLE0605


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
