"""unpuzzle lint DOMAIN [PROBLEM]."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from unpuzzle.cli.answer import Answer

GROUNDING_SECONDS = 10.0
"""How long grounding may look for what can never happen; a task too large for that is not judged."""

EXAMPLE = "unpuzzle lint domain.pddl problem.pddl --json"


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("domain", metavar="DOMAIN", help="a PDDL domain file")
    parser.add_argument("problem", metavar="PROBLEM", nargs="?", help="a PDDL problem file")


def execute(options: Namespace) -> Answer:
    """Report all faults."""
    from unpuzzle.cli import exits
    from unpuzzle.cli.answer import Answer
    from unpuzzle.cli.files import read_text
    from unpuzzle.errors import UnsupportedFeature
    from unpuzzle.limits import Limits
    from unpuzzle.pddl import Fault, lint, parse_task
    from unpuzzle.words import count

    domain, domain_name = read_text(options.domain)
    problem, problem_name = (None, None) if options.problem is None else read_text(options.problem)
    try:
        faults = lint(domain, problem, domain_name, problem_name)
    except UnsupportedFeature as error:  # nothing beyond it can be judged
        faults = [Fault(error.file, error.line, error.column, "error", error.message)]
    if problem is not None and not any(fault.severity == "error" for fault in faults):
        from unpuzzle.checking.reachability import unreachable

        task = parse_task(domain, problem, domain_name, problem_name)
        faults += unreachable(task, Limits(time=GROUNDING_SECONDS))
    fields = {
        "faults": [
            {
                "file": fault.file,
                "line": fault.line,
                "column": fault.column,
                "severity": fault.severity,
                "message": fault.message,
            }
            for fault in faults
        ]
    }
    errors = sum(fault.severity == "error" for fault in faults)
    lines = [f"{f.file}:{f.line}:{f.column}: {f.severity}: {f.message}" for f in faults]
    if not options.quiet:
        lines.append(f"{count(errors, 'error')}, {count(len(faults) - errors, 'warning')}")
    return Answer(exits.NO if errors else exits.YES, fields, "\n".join(lines))
