"""Laws about what guides searches: heuristics are what they claim, subgoals keep what they promise."""

from __future__ import annotations

from unpuzzle.checking.heuristics import judge_heuristic
from unpuzzle.limits import Deadline, Limits
from unpuzzle.puzzle.capabilities import HasHeuristics, Staged, heuristics_of, offered, subgoals_of
from unpuzzle.puzzle.heuristic import Heuristic
from unpuzzle.puzzle.position import Position
from unpuzzle.result import SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.solving import solve
from unpuzzle.spaces.by_rules import RulesSpace, reachable_by_rules
from unpuzzle.testing.game_laws.subject import MOST_STATES, MOVES_TRIED, Subject, require, skip, solvable, spread

LEVELS = 15
"""So many are looked at whole, or as far as `MOST_STATES` go."""


def _nothing_tick() -> None:
    """Do nothing: estimates that take long call this meanwhile."""


def heuristics_go_by_their_names(subject: Subject) -> None:
    """Names that can be written as `rules:astar(NAME)`, and a line for people."""
    _heuristic_or_skip(subject)
    for name, heuristic in heuristics_of(subject.game).items():
        require(isinstance(heuristic, Heuristic), f"heuristics[{name!r}] is a {type(heuristic).__name__}, no Heuristic")
        require(heuristic.name == name, f"heuristics[{name!r}] has the name {heuristic.name!r}")
        require(name and not set(name) & set(" \t=(),"), f"the name {name!r} has blanks, commas, '=' or parentheses")
        require(heuristic.about.strip(), f"heuristic {name!r} does not say what it is about")
        sound = heuristic.admissible or not heuristic.consistent
        require(sound, f"heuristic {name!r} claims to be consistent, so it is admissible, too, if 0 at goals")


def heuristics_are_what_they_claim(subject: Subject) -> None:
    """Admissible, consistent, 0 at goals, nowhere negative."""
    _heuristic_or_skip(subject)
    watch = Deadline(Limits(), "checking a heuristic")
    spaces: dict[Position, RulesSpace] = {}
    for name, heuristic in heuristics_of(subject.game).items():
        fitting = [start for start in subject.starts if heuristic.unfit(start) is None]
        for level in spread(fitting, subject.some(LEVELS)):
            if level not in spaces:
                spaces[level] = reachable_by_rules(level, limits=watch, max_states=MOST_STATES, partial=True)
            report = judge_heuristic(spaces[level], heuristic, watch)
            require(
                report.holds is not False, f"heuristic {name!r} is not what it claims, in the level\n{level}\n{report}"
            )


def estimates_are_numbers(subject: Subject) -> None:
    """0 or more; 0 at goals, if the heuristic is admissible."""
    _heuristic_or_skip(subject)
    found = heuristics_of(subject.game)

    def holds(position: Position) -> None:
        for name, heuristic in found.items():
            if heuristic.unfit(position) is not None:
                continue
            estimate = heuristic.watched(_nothing_tick)(position)
            sound = isinstance(estimate, int | float) and estimate >= 0
            require(sound, f"the estimate of {name!r} is {estimate!r}, which is no number, 0 or more")
            goal = position.solved() and heuristic.admissible
            require(
                estimate == 0 or not goal, f"the estimate of {name!r} is {estimate!r} at a goal, where it must be 0"
            )

    subject.everywhere(holds)


def stages_see_the_moves_of_the_game(subject: Subject) -> None:
    """What a stage sees of a position has the moves, costs and successors of the position."""
    _staged_or_skip(subject)
    for start in spread(subject.starts, 20):
        for subgoal in subgoals_of(start) or ():
            _stage(subgoal, start)


def _stage(subgoal, start) -> None:  # type: ignore[no-untyped-def]
    position = start
    for choice in range(8):
        view = subgoal.view(position)
        moves = position.moves()[:MOVES_TRIED]
        expected = {(move, subgoal.view(position.apply(move)), position.cost(move)) for move in moves}
        steps = set(subgoal.successors(view))
        require(steps >= expected, f"stage {subgoal.name!r} does not see all moves of\n{position}")
        surplus = {move for move, _, _ in steps} - set(position.moves())
        require(not surplus, f"stage {subgoal.name!r} sees {surplus}, which are no moves of\n{position}")
        zero = subgoal.estimate(view) == 0 or not subgoal.achieved(view)
        require(zero, f"stage {subgoal.name!r} is achieved, but its estimate is not 0, in\n{position}")
        for move, following, cost in steps if subgoal.admissible else ():
            fits = subgoal.estimate(view) <= cost + subgoal.estimate(following)
            require(
                fits, f"the estimate of stage {subgoal.name!r} is not consistent at the move {move!r} of\n{position}"
            )
        if not moves:
            break
        position = position.apply(moves[choice * 7 % len(moves)])


def when_all_subgoals_are_achieved_the_position_is_solved(subject: Subject) -> None:
    """Solving in stages solves what can be solved, and proves nothing else."""
    _staged_or_skip(subject)
    for start in subject.samples:
        if subgoals_of(start) is None:
            continue
        possible = solvable(start)
        if possible is None:
            continue
        result = solve(start, "subgoals")
        require(
            result.valid or result.status == UNSOLVABLE or not possible, f"{result.status} is the answer for\n{start}"
        )
        wrong = (result.status == UNSOLVABLE and possible) or (result.solved and not possible)
        require(not wrong, f"solving by subgoals says {result.status}, which is wrong, for\n{start}")
        if result.status == SOLVED_OPTIMALLY:
            best = solve(start, "rules:ucs")
            require(
                result.cost == best.cost,
                f"the solution by subgoals costs {result.cost}, the best one {best.cost}, of\n{start}",
            )


def _heuristic_or_skip(subject: Subject) -> None:
    if offered(subject.game, HasHeuristics) is None:
        skip(f"{subject.game.name} has no heuristics")


def _staged_or_skip(subject: Subject) -> None:
    if offered(subject.starts[0], Staged) is None:
        skip(f"{subject.game.name} names no subgoals")


LAWS = (
    heuristics_go_by_their_names,
    heuristics_are_what_they_claim,
    estimates_are_numbers,
    stages_see_the_moves_of_the_game,
    when_all_subgoals_are_achieved_the_position_is_solved,
)
