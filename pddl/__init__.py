"""unpuzzle.pddl: the language. Read, write, lint, run and validate PDDL; no planner in sight.

    read(domain, problem) -> Task        read_domain / read_problem / parse_domain / parse_problem
    write_domain / write_problem         the smallest true set of requirements, loads everywhere
    lint(...)                            every fault at once, not the first
    Semantics(task)                      initial, holds, applicable, apply: the reference meaning
    validate(task, plan) -> Validation   runs a plan step by step and explains where it fails
    read_plan / write_plan               plan files

Everything here is lazy: a name's module is loaded when the name is first used.
"""

if __name__ == "pddl":
    raise ImportError("this folder is part of unpuzzle; use `import unpuzzle.pddl`, not `import pddl`")
