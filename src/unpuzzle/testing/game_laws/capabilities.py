"""Laws about optional features of a game, such as symmetries, walkers, points, constraints and heuristics."""

from __future__ import annotations

from fractions import Fraction
from heapq import heappop, heappush
from itertools import count, islice
from json import dumps
from typing import Any

from unpuzzle.base.errors import GameFault
from unpuzzle.base.outcomes import SOLVED_OPTIMALLY, UNSOLVABLE
from unpuzzle.constraints import Search, violated
from unpuzzle.model import capabilities as can
from unpuzzle.model.heuristic import Heuristic
from unpuzzle.model.position import Position
from unpuzzle.model.replaying import replay
from unpuzzle.solving import solve
from unpuzzle.state_space.space import RulesSpace, reachable_by_rules
from unpuzzle.testing.game_laws.subject import (
    MOST_STATES,
    MOVES_TRIED,
    LawSubject,
    everywhere,
    layers,
    needs,
    require,
    solvable,
    spread,
    where,
)
from unpuzzle.verification.heuristics import judge_heuristic

MEASURED = 500
"""The most positions up to which symmetric levels are explored side by side."""
SOLUTIONS = 3
MOST_NODES = 20_000
"""The longest search that a law waits for: see `LawSubject.everywhere`."""
BEGUN = 4
"""The most moves before a tested position: every position has constraints, not only starts."""
LEVELS = 15
"""The number of levels examined completely, or up to `MOST_STATES`."""


@needs(can.Symmetric, "names no symmetries")
@everywhere(examples=40, steps=4)
def symmetries_are_a_closed_set(subject: LawSubject, position: Position) -> None:
    """Require that all positions listed by `symmetries` list the same positions, and that each lists itself."""
    same = list(can.symmetries_of(position))
    require(position in same, "symmetries() leaves out the position itself")
    require(len(set(same)) == len(same), "symmetries() gives a position twice")
    for other in same:
        again = subject.game.parse(str(other))
        require(again == other, f"parse(str(position)) is another position for the symmetric position\n{other}")
        require(set(can.symmetries_of(other)) == set(same), f"symmetries() differs for the symmetric position\n{other}")
        remedy = "if turned or mirrored positions are not alike, symmetries() returns [self]; the position is"
        alike = other.canonical() == position.canonical()
        require(alike, f"canonical() differs for the symmetric position: {remedy}\n{other}")
    canonical = position.canonical()
    require(canonical.canonical() == canonical, "canonical() of the canonical position is another")


@needs(can.Symmetric, "names no symmetries")
@everywhere(examples=30, steps=4)
def symmetric_positions_have_symmetric_moves(_: LawSubject, position: Position) -> None:
    """Require that symmetric positions have moves to symmetric positions, at the same costs."""

    def options(position: Position) -> set[tuple[Position, int]]:
        return {(position.apply(move).canonical(), position.cost(move)) for move in position.moves()[:MOVES_TRIED]}

    if len(position.moves()) > MOVES_TRIED:
        return
    expected = options(position)
    for other in can.symmetries_of(position):
        require(
            options(other) == expected,
            f"moves lead to positions that are not symmetric, in the symmetric position\n{other}",
        )
        require(other.solved() == position.solved(), f"only one of two symmetric positions is solved, not\n{other}")


@needs(can.Symmetric, "names no symmetries")
def symmetric_levels_are_equally_hard(subject: LawSubject) -> None:
    """Require that symmetric levels have, at each depth, equal numbers of positions and of solved positions."""

    def measures(position: Position) -> list[tuple[int, int]]:
        return [(len(layer), sum(other.solved() for other in layer)) for layer in layers(position, MEASURED)]

    for position in subject.samples[:8]:
        expected = measures(position)
        for other in {*can.symmetries_of(position), position.canonical()}:
            require(measures(other) == expected, f"the symmetric levels\n{position}and\n{other}are not equally hard")


@needs(can.Reversible, "is not searched from both ends")
@everywhere()
def predecessors_lead_here(_: LawSubject, position: Position) -> None:
    """Require that the move of each predecessor is legal and leads from the predecessor to the position."""
    steps = list(_reversible(position).predecessors() or ())
    require(len(set(steps)) == len(steps), "predecessors() gives a step twice")
    for move, previous in steps:
        require(move in previous.moves(), f"predecessors() gives {move!r}, which is not a legal move in\n{previous}")
        leads_here = previous.apply(move) == position
        require(leads_here, f"the move {move!r} of predecessors() does not lead here from\n{previous}")


@needs(can.Reversible, "is not searched from both ends")
def no_predecessor_is_missing(subject: LawSubject) -> None:
    """Require that `predecessors` lists every unsolved position from which a move leads to the position."""
    starts = [start for start in subject.starts if _reversible(start).goal_position() is not None]
    for start in spread(starts, 20):
        for layer in layers(start, 200):
            for position in layer if len(layer) < MOST_STATES else ():
                listed = _reversible(position).predecessors() is not None
                require(listed, f"there is no list of predecessors of\n{position}")
                for move in () if position.solved() else position.moves():
                    steps = _reversible(position.apply(move)).predecessors() or ()
                    said = f"predecessors() after the move {move!r} does not list the position before,\n{position}"
                    require((move, position) in steps, said)


@needs(can.Reversible, "is not searched from both ends")
def the_goal_position_is_where_best_solutions_end(subject: LawSubject) -> None:
    """Require that the goal position is solved, is its own goal position, and ends all cheapest solutions."""
    for start in subject.starts:
        goal = _reversible(start).goal_position()
        if goal is None:
            continue
        require(goal.solved(), f"goal_position() is not solved:\n{goal}")
        require(
            _reversible(goal).goal_position() == goal, f"goal_position() of the goal position is not itself:\n{goal}"
        )
        require(not start.solved() or goal == start, f"goal_position() of a solved position is another one:\n{start}")
        others = sorted(map(str, _nearest(start) - {goal}))
        said = f"a cheapest solution of\n{start}does not end in its goal_position(), but in\n{''.join(others[:1])}"
        require(not others, said)


def _reversible(position: Position) -> can.Reversible:
    return can.required(position, can.Reversible, "is tested")


def _nearest(start: Position) -> set[Position]:
    """Return the solved positions of least cost (E. W. Dijkstra, 1959); empty after MOST_STATES positions."""
    tie = count()
    queue = [(0, next(tie), start)]
    closed: set[Position] = set()
    nearest: set[Position] = set()
    least = None
    while queue and len(closed) < MOST_STATES:
        cost, _, position = heappop(queue)
        if least is not None and cost > least:
            return nearest
        if position in closed:
            continue
        closed.add(position)
        if position.solved():
            least = cost
            nearest.add(position)
            continue  # a cheapest solution does not go on
        for move in position.moves():
            heappush(queue, (cost + position.cost(move), next(tie), position.apply(move)))
    return set() if queue else nearest


@where(lambda game, _: game.compass, "has no walker")
def headings_are_moves_and_the_opposite_one_leads_back(subject: LawSubject) -> None:
    """Require that all moves are in `compass`, and that after each move the opposite move is legal."""
    compass = subject.game.compass
    even = len(set(compass)) == len(compass) and len(compass) % 2 == 0
    require(even, f"compass {compass} is not an even number of moves")

    def holds(position: Position) -> None:
        others = set(position.moves()) - set(compass)
        require(not others, f"the moves {', '.join(sorted(others))} are not in compass")
        for move in position.moves():
            back = compass[compass.index(move) - len(compass) // 2]
            require(back in position.apply(move).moves(), f"after {move!r}, the way back {back!r} is not a move")

    subject.everywhere(holds)


@needs(can.Scored, "gives no points")
@everywhere()
def points_are_whole_numbers(_: LawSubject, position: Position) -> None:
    """Require that `level_score` returns a whole number or None after legal moves."""
    for moves in ((), *[(move,) for move in position.moves()[:MOVES_TRIED]]):
        score = can.score_of(position, moves)
        fine = score is None or type(score) is int
        require(fine, f"level_score({moves!r}) gave {score!r}, which is not a whole number")


@needs(can.ForComponents, "shows its text as plain data")
@everywhere(examples=30)
def plain_data_is_plain(subject: LawSubject, position: Position) -> None:
    """Require that equal positions have equal `plain()` data, made of JSON values, tuples and exact fractions."""
    data = can.required(position, can.ForComponents, "is tested").plain()
    odd = _first_not_plain(data)
    require(odd is None, f"plain() contains {odd!r}, which is not plain data")
    again = can.required(subject.game.parse(str(position)), can.ForComponents, "is tested").plain()
    require(again == data, "plain() differs between equal positions")


def _first_not_plain(data: object) -> object | None:
    """Return the first part of a value that is not plain data; None if the whole value is plain data."""
    if isinstance(data, dict):
        data = [*data, *data.values()]
    if isinstance(data, list | tuple):
        return next((odd for part in data if (odd := _first_not_plain(part)) is not None), None)
    return None if data is None or isinstance(data, str | int | float | Fraction) else data


@needs(can.Constrained, "states no constraints")
@everywhere(examples=20, steps=BEGUN)
def solutions_of_the_constraints_solve_the_position(_: LawSubject, position: Position) -> None:
    """Require that each solution of the constraints gives legal moves to a solved position, at the cost it claims."""
    constrained = can.required(position, can.Constrained, "is tested")
    model = constrained.constraints()
    costs = set()
    for values in islice(Search(model, most_nodes=MOST_NODES).solutions(), SOLUTIONS):
        wrong = violated(model, values)
        require(wrong is None, f"the search finds values that are not a solution: {wrong}")
        played = replay(position, tuple(constrained.moves_to(values)))
        require(played.solved, f"moves_to({values!r}) does not solve it: {played.reason}")
        costs.add(played.cost)
        if model.costs is not None:
            said = model.cost(values)
            require(said == played.cost, f"the constraints say {said}, and the moves cost {played.cost}")
    require(
        model.costs is not None or len(costs) < 2,
        f"the constraints have no costs, but their solutions cost {sorted(costs)}",
    )


@needs(can.Constrained, "states no constraints")
@everywhere(examples=20, steps=BEGUN)
def constraints_have_a_solution_where_the_rules_have(_: LawSubject, position: Position) -> None:
    """Require that rules and constraints agree on which positions have a solution."""
    model = can.required(position, can.Constrained, "is tested").constraints()
    by_constraints = next(Search(model, most_nodes=MOST_NODES).solutions(), None) is not None
    by_rules = solvable(position, MOST_STATES // 4)
    said = f"solvable by the rules: {by_rules}; by the constraints: {by_constraints}"
    require(by_rules is None or by_rules == by_constraints, said)


@where(lambda _, position: position.line() is not None, "is not written on one line")
def a_line_is_one_line(subject: LawSubject) -> None:
    """Require that `line()` has no blanks, and is the same for equal positions."""

    def holds(position: Position) -> None:
        line = position.line()
        fine = type(line) is str and len(line.split()) == 1 and line == line.strip()
        require(fine, f"line() gave {line!r}, which is not a line without blanks")
        again = subject.game.parse(str(position)).line()
        require(again == line, "line() differs between equal positions")

    subject.everywhere(holds, examples=20)


@needs(can.Explaining, "is not graded")
@everywhere(examples=10)
def grades_are_numbers_with_words(subject: LawSubject, position: Position) -> None:
    """Require that a grade is None or a number with words, and is the same for equal positions."""
    grade = can.required(position, can.Explaining, "is tested").grade()
    fine = grade is None or (type(grade[0]) is int and type(grade[1]) is str and grade[1].strip())
    require(fine, f"grade() gave {grade!r}, which is neither None nor a whole number with words")
    again = can.required(subject.game.parse(str(position)), can.Explaining, "is tested").grade()
    require(again == grade, "grade() differs between equal positions")


@needs(can.Explaining, "explains nothing")
def explanations_are_text_and_plain_data(subject: LawSubject) -> None:
    """Require that `explain()` returns a text and data for JSON for each level."""
    for position in subject.starts:
        text, data = can.required(position, can.Explaining, "is tested").explain()
        require(type(text) is str and text.strip(), f"explain() returned an empty text for the level\n{position}")
        require(isinstance(data, dict), f"explain() gave {data!r}, which is not a dict, for the level\n{position}")
        dumps(data)


@needs(can.HasHeuristics, "has no heuristics")
def heuristics_go_by_their_names(subject: LawSubject) -> None:
    """Require that each heuristic has a description of one line, and a name without blanks, commas or brackets."""
    for name, heuristic in can.heuristics_of(subject.game).items():
        require(isinstance(heuristic, Heuristic), f"heuristics[{name!r}] is a {type(heuristic).__name__}, no Heuristic")
        require(heuristic.name == name, f"heuristics[{name!r}] has the name {heuristic.name!r}")
        require(name and not set(name) & set(" \t=(),"), f"the name {name!r} has blanks, commas, '=' or parentheses")
        require(heuristic.about.strip(), f"heuristic {name!r} has no description (`about`)")
        sound = heuristic.admissible or not heuristic.consistent
        require(sound, f"heuristic {name!r} claims to be consistent, so it is admissible, too, if 0 at goals")


@needs(can.HasHeuristics, "has no heuristics")
def heuristics_are_what_they_claim(subject: LawSubject) -> None:
    """Require that heuristics are as admissible and consistent as they claim, 0 at goals, and never negative."""
    spaces: dict[Position, RulesSpace] = {}
    for name, heuristic in can.heuristics_of(subject.game).items():
        fitting = [start for start in subject.starts if heuristic.unfit(start) is None]
        for level in spread(fitting, subject.some(LEVELS)):
            if level not in spaces:
                spaces[level] = reachable_by_rules(level, max_states=MOST_STATES, partial=True)
            report = judge_heuristic(spaces[level], heuristic)
            wrong = f"heuristic {name!r} is not what it claims, in the level\n{level}\n{report}"
            require(report.holds is not False, wrong)


@needs(can.HasHeuristics, "has no heuristics")
@everywhere()
def estimates_are_numbers(subject: LawSubject, position: Position) -> None:
    """Require that estimates are at least 0, the same for equal positions, and 0 at goals if admissible."""
    for name, heuristic in can.heuristics_of(subject.game).items():
        if heuristic.unfit(position) is None:
            try:
                estimate, again = map(heuristic.watched(), (position, subject.game.parse(str(position))))
            except GameFault as fault:
                raise AssertionError(fault.message) from fault
            said = f"the estimate of {name!r} is {estimate!r}"
            require(estimate == again, f"{said}, and {again!r} for an equal position")
            goal = position.solved() and heuristic.admissible
            require(estimate == 0 or not goal, f"{said} at a goal, where it must be 0")


@needs(can.Staged, "names no subgoals")
def stages_see_the_moves_of_the_game(subject: LawSubject) -> None:
    """Require that the search for a subgoal has the same moves, costs and successors as the game."""
    for start in spread(subject.starts, 20):
        for subgoal in can.subgoals_of(start) or ():
            _require_stage(subgoal, start)


def _require_stage(subgoal: Any, position: Position) -> None:
    """Require that the search for a subgoal agrees with the game on positions of a walk."""
    stage = f"stage {subgoal.name!r}"
    for choice in range(8):
        view = subgoal.view(position)
        moves = position.moves()[:MOVES_TRIED]
        expected = {(move, subgoal.view(position.apply(move)), position.cost(move)) for move in moves}
        steps = set(subgoal.successors(view))
        require(steps >= expected, f"{stage} misses moves of\n{position}")
        surplus = {move for move, _, _ in steps} - set(position.moves())
        require(not surplus, f"{stage} lists {surplus}, which are not moves of\n{position}")
        zero = subgoal.estimate(view) == 0 or not subgoal.achieved(view)
        require(zero, f"{stage} is achieved, but its estimate is not 0, in\n{position}")
        for move, following, cost in steps if subgoal.admissible else ():
            fits = subgoal.estimate(view) <= cost + subgoal.estimate(following)
            require(fits, f"the estimate of {stage} is not consistent at the move {move!r} of\n{position}")
        if not moves:
            break
        position = position.apply(moves[choice * 7 % len(moves)])


@needs(can.Staged, "names no subgoals")
def when_all_subgoals_are_achieved_the_position_is_solved(subject: LawSubject) -> None:
    """Require that a search by subgoals solves solvable levels, and never claims that they are unsolvable."""
    for start in subject.samples:
        if can.subgoals_of(start) is None or (possible := solvable(start)) is None:
            continue
        result = solve(start, "subgoals")
        sound = result.valid or result.status == UNSOLVABLE or not possible
        require(sound, f"a search by subgoals wrongly answers {result.status} for\n{start}")
        wrong = (result.status == UNSOLVABLE and possible) or (result.solved and not possible)
        require(not wrong, f"solving by subgoals says {result.status}, which is wrong, for\n{start}")
        if result.status == SOLVED_OPTIMALLY:
            best = solve(start, "rules:ucs").cost
            said = f"the solution by subgoals costs {result.cost}, the best one {best}, of\n{start}"
            require(result.cost == best, said)
