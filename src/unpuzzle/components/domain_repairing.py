"""Let a language model write a game's PDDL domain, compare it with the game, and report the findings to the model.

The model gets the rules, a level with its picture and its moves, and the game's own problem for that level, whose names
the domain must use. Its answer is only read as PDDL and never run as code, so no sandbox is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from unpuzzle.base.defaults import ROUNDS, SAMPLES
from unpuzzle.base.errors import ParseError, UnsupportedFeature
from unpuzzle.base.limits import Limits
from unpuzzle.checking.domains import check_domain
from unpuzzle.checking.templates import rules_of
from unpuzzle.components.repairing import Ask, Repair, blocks_in, converse
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading.reader import parse_domain, parse_problem
from unpuzzle.pddl.writer import write
from unpuzzle.puzzle.position import Game, Position
from unpuzzle.spaces.surveying import require_levels

TIME = 120.0
"""Seconds for the comparison of one answer; the rest is not compared."""
NAME = "answer.pddl"

SYSTEM = "You write PDDL domains: exact models of puzzles, which every planner can read."

TASK = """\
Write the PDDL domain of this game. In each state, the applicable actions must be the game's legal moves, with equal
costs, and the goal must hold where the game is solved.

It is used with problems like the one below, so it must be called as they say, and declare the types and predicates that
they use. Use no more of PDDL than :adl, :derived-predicates and :action-costs.
Answer with one block of PDDL with the whole domain.
"""

AGAIN = """\
The domain is not right yet. This is what comparing it with the game found:

{findings}
Write the domain again, whole, in one block of PDDL.
"""

NO_DOMAIN = "Your answer has no PDDL domain. Answer with one block of PDDL with '(define (domain ...) ...)'.\n"


def repair_domain(
    game: Game,
    ask: Ask,
    *,
    rounds: int = ROUNDS,
    log: Callable[[dict[str, Any]], None] | None = None,
    levels: Sequence[str] | None = None,
    samples: int = SAMPLES,
    limits: Limits | None = None,
) -> Repair:
    """Ask a model for a game's domain, compare it, and report faults, until there are none or rounds run out.

    The result's `code` is the domain, its `report` from `check_domain`. It may be neither right nor wrong: if some
    levels have too many states to compare, nothing more can be reported to the model, and it is not asked again.

    Args:
        ask, rounds, log: as in `repair`.
        levels, samples: as in `check_domain`.
        limits: of the comparison of each answer; by default two minutes.

    Raises UsageError for less than one round and for unknown levels, and the errors of `ask`.
    """
    most = Limits(TIME) if limits is None else limits
    require_levels(game, levels or ())

    def attempt(answer: str, number: int) -> Repair:
        if (text := domain_in(answer)) is None:
            return Repair(None, None, number, NO_DOMAIN)
        try:
            domain = parse_domain(text, NAME)
            problem = write(_example(game).task().problem)
            Task(domain, parse_problem(problem, domain, "the problem"))
            report = check_domain(domain, game, levels=levels, samples=samples, limits=most)
        except (ParseError, UnsupportedFeature) as error:
            return Repair(text, None, number, AGAIN.format(findings=f"{error}\n"))
        return Repair(text, report, number, AGAIN.format(findings=report.text) if report.findings else "")

    return converse(SYSTEM, domain_question(game), ask, attempt, rounds, log)


def domain_question(game: Game) -> str:
    """Return the first message to a model: rules, task, a level and the problem for it."""
    rules, start = rules_of(game), _example(game)
    parts = [f"The game: {game.title or game.name}\n", f"{rules}\n" if rules else "", TASK]
    moves = ", ".join(f"{move} (cost {start.cost(move)})" for move in start.moves()) or "none"
    parts.append(f"Example. This is a level:\n{start}\ndrawn:\n{start.draw().rstrip()}\nIts legal moves are: {moves}\n")
    parts.append(f"This is the problem for it:\n{write(start.task().problem)}")
    return "\n".join(parts)


def _example(game: Game) -> Position:
    level = next((game.parse(text, name) for name, text in game.levels.items()), None)
    return level or game.parse(str(game.sample(Random(0))))


def domain_in(answer: str) -> str | None:
    """Return the domain in an answer: the last block with one, or everything from `(define` on; else None."""
    chosen = [text for _, text in blocks_in(answer) if _holds_domain(text)]
    if chosen:
        return chosen[-1]
    at = answer.lower().find("(define")
    return answer[at:] if at >= 0 and _holds_domain(answer) else None


def _holds_domain(text: str) -> bool:
    return "(domain" in text.lower().replace(" ", "")
