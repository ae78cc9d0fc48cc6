"""Files that authors of a game's PDDL fill in: the texts of the levels, and a skeleton of each problem.

    files = template(game)      {"domain.pddl": ..., "1.txt": ..., "1.pddl": ..., ...}

The files leave out everything by which a domain is judged: types, predicates, actions, objects, facts and goals. The
rules and a picture of each level are given in comments.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from shlex import quote

from unpuzzle.base.errors import UsageError
from unpuzzle.exchange.translation import title
from unpuzzle.puzzle.position import Game, Position
from unpuzzle.spaces.surveying import require_levels

DOMAIN = "domain.pddl"

_DOMAIN = """\
{rules}
;
; Fill in this domain and the problems beside it. Names are yours to choose: what counts is what can be done, what it
; costs, and where the goal is. Then compare them with the game:
;   unpuzzle check {file} --game {game} --problems {folder}

(define (domain {name})
  (:requirements :strips :typing{costs})
  (:types )
  (:predicates ){functions}

  ; (:action ...
  ;   :parameters ()
  ;   :precondition (and )
  ;   :effect (and {increase}))
)
"""
_COSTS = {
    "costs": " :action-costs",
    "functions": "\n  (:functions (total-cost) - number)",
    "increase": "(increase (total-cost) 1)",
    "zero": "(= (total-cost) 0)",
    "metric": "\n  (:metric minimize (total-cost))",
}
"""The text that is filled in for a game whose moves do not all cost 1."""

_PROBLEM = """\
; Level {level}, whose text is {text}:
;
{picture}
;
; Moves from here: {moves}

(define (problem {name})
  (:domain {domain})
  (:objects )
  (:init {zero})
  (:goal (and )){metric})
"""


def template(
    game: Game, levels: Iterable[str] | None = None, *, folder: str = "DIR", named: str = ""
) -> dict[str, str]:
    """Return, by name, the files to fill in for the given bundled levels of a game (default: all of them).

    Args:
        folder, named: the files' later folder, and words that find the game, for the command in the domain's
        comment.

    Raises UsageError for an unknown level, or a level name that cannot be a file name.
    """
    chosen = list(game.levels if levels is None else levels)
    require_levels(game, chosen)
    name = title(game.name, "domain")
    for level in chosen:
        if level in (".", "..") or set("/\\\0") & set(level):
            raise UsageError(f"the level's name {level!r} cannot be the name of a file")
    starts = {level: game.parse(game.levels[level], level) for level in chosen}
    costs = dict.fromkeys(_COSTS, "") if all(start.unit_cost() for start in starts.values()) else _COSTS
    words = {"file": f"{folder}/{DOMAIN}", "folder": folder, "game": named or game.name}
    words = {key: quote(word) for key, word in words.items()}
    rules = commented(f"{game.title or game.name}\n\n{rules_of(game)}".rstrip())
    files = {DOMAIN: _DOMAIN.format(rules=rules, name=name, **words, **costs)}
    for level, start in starts.items():
        files[f"{level}.txt"] = game.levels[level]
        files[f"{level}.pddl"] = _problem(start, level, name, costs)
    return files


def rules_of(game: Game) -> str:
    """Return the rules of a game from the docstring of its module; empty if there is no docstring."""
    module = getattr(game, "__module__", type(game).__module__)
    return (getattr(sys.modules.get(module), "__doc__", None) or "").strip()


def commented(text: str) -> str:
    return "\n".join(f"; {line}".rstrip() for line in text.split("\n"))


def _problem(position: Position, level: str, domain: str, filled: Mapping[str, str]) -> str:
    costs = [f"{move} (cost {position.cost(move)})" for move in position.moves()]
    return _PROBLEM.format(
        level=level,
        text=f"{level}.txt",
        picture=commented(position.draw().rstrip("\n")),
        moves=", ".join(costs) or "none",
        name=title(f"{domain}-{level}", "problem"),
        domain=domain,
        **filled,
    )
