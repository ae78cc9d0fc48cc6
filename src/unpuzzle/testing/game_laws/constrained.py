"""Laws about games that state their constraints, stand on one line, are graded or explained; else they are skipped."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice

from unpuzzle.constraints import Search, TooManyNodesError, violated
from unpuzzle.puzzle.capabilities import Constrained, Explaining, offered, required
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import replay
from unpuzzle.testing.game_laws.subject import MOST_STATES, Subject, require, skip, solvable

SOLUTIONS = 3
MOST_NODES = 20_000
"""A search with more of them is left out, as one that a law need not wait for."""
BEGUN = 4
"""Constraints are stated of every position: also of those so many moves on."""


def solutions_of_the_constraints_solve_the_position(subject: Subject) -> None:
    """Their moves are legal, end in a solved position, and cost what the constraints say."""
    _needs(subject, Constrained, "states no constraints")

    def holds(position: Position) -> None:
        constrained = required(position, Constrained, "is tested")
        model = constrained.constraints()
        costs = set()
        for values in islice(_search(position).solutions(), SOLUTIONS):
            wrong = violated(model, values)
            require(wrong is None, f"the search finds values that are no solution: {wrong}")
            played = replay(position, tuple(constrained.moves_to(values)))
            require(played.solved, f"moves_to({values!r}) does not solve it: {played.reason}")
            costs.add(played.cost)
            if model.costs is not None:
                said = model.cost(values)
                require(said == played.cost, f"the constraints say {said}, and the moves cost {played.cost}")
        require(model.costs is not None or len(costs) < 2, f"without costs, solutions cost {sorted(costs)}")

    subject.everywhere(_in_time(holds), examples=20, steps=BEGUN)


def constraints_have_a_solution_where_the_rules_have(subject: Subject) -> None:
    """Neither more positions are solvable by them nor fewer."""
    _needs(subject, Constrained, "states no constraints")

    def holds(position: Position) -> None:
        found = next(_search(position).solutions(), None) is not None
        by_rules = solvable(position, MOST_STATES // 4)
        require(
            by_rules is None or by_rules == found, f"solvable by the rules: {by_rules}; by the constraints: {found}"
        )

    subject.everywhere(_in_time(holds), examples=20, steps=BEGUN)


def a_line_is_one_line(subject: Subject) -> None:
    """Without blanks, and another one where another position is left to solve."""
    if subject.starts[0].line() is None:
        skip(f"{subject.game.name} is not written on one line")

    def holds(position: Position) -> None:
        line = position.line()
        fine = type(line) is str and len(line.split()) == 1 and line == line.strip()
        require(bool(fine), f"line() gave {line!r}, which is no line without blanks")
        again = subject.game.parse(str(position)).line()
        require(again == line, "line() differs between equal positions")

    subject.everywhere(holds, examples=20)


def grades_are_numbers_with_words(subject: Subject) -> None:
    """Or None; the same for equal positions."""
    _needs(subject, Explaining, "is not graded")

    def holds(position: Position) -> None:
        grade = required(position, Explaining, "is tested").grade()
        fine = grade is None or (type(grade[0]) is int and type(grade[1]) is str and grade[1].strip())
        require(fine, f"grade() gave {grade!r}, which is neither None nor a whole number with words")
        again = required(subject.game.parse(str(position)), Explaining, "is tested").grade()
        require(again == grade, "grade() differs between equal positions")

    subject.everywhere(holds, examples=10)


def explanations_are_text_and_plain_data(subject: Subject) -> None:
    """Of all levels; as JSON, too."""
    _needs(subject, Explaining, "explains nothing")
    from json import dumps

    for position in subject.starts:
        text, data = required(position, Explaining, "is tested").explain()
        require(type(text) is str and text.strip(), f"explain() says nothing of the level\n{position}")
        require(isinstance(data, dict), f"explain() gave {data!r}, which is no dict, of the level\n{position}")
        dumps(data)


def _needs(subject: Subject, capability: type, what: str) -> None:
    if offered(subject.starts[0], capability) is None:
        skip(f"{subject.game.name} {what}")


def _search(position: Position) -> Search:
    return Search(required(position, Constrained, "is tested").constraints(), most_nodes=MOST_NODES)


def _in_time(holds: Callable[[Position], None]) -> Callable[[Position], None]:
    """Return the same law, which says nothing where a search would take long."""

    def looked(position: Position) -> None:
        try:
            holds(position)
        except TooManyNodesError:
            return

    return looked


LAWS = (
    solutions_of_the_constraints_solve_the_position,
    constraints_have_a_solution_where_the_rules_have,
    a_line_is_one_line,
    grades_are_numbers_with_words,
    explanations_are_text_and_plain_data,
)
