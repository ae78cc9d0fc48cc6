"""unpuzzle.pddl: read, write, lint, run and validate PDDL, without planners.

    read(domain, problem) -> Task        read_domain / read_problem / parse_domain / parse_problem / parse_task
    write(node)                          text that declares exactly the requirements it needs
    lint(domain_text, problem_text)      every fault at once, not the first
    Semantics(task)                      initial, holds, applicable, apply: the reference meaning
    compiled.CompiledSemantics           the same on integers, for many states of one task
    validate(task, plan) -> Validation   runs a plan step by step and explains where it fails
    read_plan / parse_plan / write_plan  plan files

and the nodes that tasks are made of (`unpuzzle.pddl.nodes`). A module is loaded when one of its names is first used.

    formulas declarations nodes          the parts of a task, from the smallest to the whole
    syntax formatting matching           a text as a tree; formatted; the kind of a text, a problem's domain
    reading/ writer                      from trees to tasks, and from tasks to text
    linting/                             faults of tasks and of texts
    world query semantics                the reference meaning: objects, states, costs; joins, derived predicates
    compiled                             the same meaning on integers
    validation tracing plans             plans, and why they fail
    normal_form plain_names              substitution, single effects, equal tasks in other words; valid names
    invariants walker_detection          what no action increases; which object walks
"""

if __name__ == "pddl":
    raise ImportError("this folder is part of unpuzzle; use `import unpuzzle.pddl`, not `import pddl`")

from unpuzzle.base.type_hints import Any
from unpuzzle.table import attribute, offered_names

__all__ = [*offered_names(__name__)]  # noqa: PLE0604 - names that load when they are used


def __getattr__(name: str) -> Any:
    return attribute(__name__, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
