"""unpuzzle lint DOMAIN [PROBLEM], and unpuzzle lint GAME."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Mapping

from unpuzzle.checking.reachability import undefined_costs, unreachable
from unpuzzle.cli.answer import NO, YES, Answer
from unpuzzle.cli.files import read_text
from unpuzzle.cli.parser import add_limits, deadline_of, operand
from unpuzzle.errors import UnsupportedFeature, UsageError
from unpuzzle.pddl import Fault, lint, parse_task
from unpuzzle.translators import language_of
from unpuzzle.words import count

GROUNDING_SECONDS = 10.0
"""How long grounding may look for what can never happen; a task too large for that is not judged."""

EXAMPLE = "unpuzzle lint domain.pddl problem.pddl --json"


def arguments(parser: ArgumentParser) -> None:
    operand(parser, "DOMAIN", "a PDDL domain file, or a .txt file with a game")
    operand(parser, "PROBLEM", "a PDDL problem file", nargs="?")
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Report all faults."""
    language = language_of(options.domain)
    if language is not None and not options.domain.endswith(".pddl"):  # a game in a language of its own
        if options.problem is not None:
            raise UsageError(f"{options.domain} is a game: it has no problem file '{options.problem}'")
        return _answer(*language.lint_file(options.domain, deadline_of(options, "reading the game")), options)
    domain, domain_name = read_text(options.domain, options)
    problem, problem_name = (None, None) if options.problem is None else read_text(options.problem, options)
    deadline = deadline_of(options, "looking for faults")
    try:
        faults = lint(domain, problem, domain_name=domain_name, problem_name=problem_name, limits=deadline)
    except UnsupportedFeature as error:  # nothing beyond it can be judged
        faults = [Fault(error.file, error.line, error.column, "error", error.message)]
    if problem is not None and not any(fault.severity == "error" for fault in faults):
        task = parse_task(domain, problem, domain_name=domain_name, problem_name=problem_name, limits=deadline)
        limits = deadline.limits.lasting(min(deadline.time_left() or GROUNDING_SECONDS, GROUNDING_SECONDS))
        faults += undefined_costs(task, limits) or unreachable(task, limits)
    lines = [f"{f.file}:{f.line}:{f.column}: {f.severity}: {f.message}" for f in faults]
    return _answer(faults, lines, Counter(fault.severity for fault in faults), options)


def _answer(faults: list[Fault], lines: list[str], numbers: Mapping[str, int], options: Namespace) -> Answer:
    """Answer with the faults that are listed, and how many there are of each severity."""
    names = ("file", "line", "column", "severity", "message")
    if not options.quiet:
        listed = "" if len(faults) == sum(numbers.values()) else f", of which {len(faults):,} are listed"
        lines.append(f"{count(numbers['error'], 'error')}, {count(numbers['warning'], 'warning')}{listed}")
    fields = {"faults": [{name: getattr(fault, name) for name in names} for fault in faults]}
    return Answer(NO if numbers["error"] else YES, fields, "\n".join(lines))
