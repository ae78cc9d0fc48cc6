"""What `explore` found, for people: figures, a bar for each depth, a picture of the state farthest from a goal."""

from __future__ import annotations

from unpuzzle.puzzle.replaying import joined_moves

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from unpuzzle.spaces.exploration import Exploration

ROWS = 32
WIDTH = 60
_EIGHTHS = " ▏▎▍▌▋▊▉"


def text_of(found: Exploration, quiet: bool) -> str:
    """All of it, or, if `quiet`, the figures."""
    lines = list(_figures(found))
    if not quiet:
        lines += ["", "states by depth", *_bars(found.depths), "", *_hardest(found)]
    return "\n".join(lines)


def _figures(found: Exploration) -> Iterator[str]:
    """One a line, the numbers in a column."""
    numbers = {
        "states": found.states,
        "transitions": found.transitions,
        "goal states": found.goals,
        "dead ends": found.dead_ends,
    }
    width = max(len(f"{number:,}") for number in numbers.values())
    for name, number in numbers.items():
        yield f"{name:<12} {number:>{width},}"
    branching = found.branching
    yield f"{'branching':<12} {branching.mean:.2f} moves a state, {branching.least} to {branching.most}"
    yield f"{'from here':<12} {_solution(found)}"


def _solution(found: Exploration) -> str:
    if found.cost is None:
        return f"unsolvable: {found.reason}"
    if found.optimal_plans is None:
        return f"cost {found.cost}, in any number of ways: moves of cost 0 go round"
    return f"cost {found.cost}, " + ("one way only" if found.optimal_plans == 1 else f"{found.optimal_plans:,} ways")


def _bars(depths: list[int]) -> Iterator[str]:
    """A bar for each depth, or for as many next to each other as leave no more than `ROWS` bars."""
    step = -(-len(depths) // ROWS)
    starts = range(0, len(depths), step)
    counts = [sum(depths[start : start + step]) for start in starts]
    names = [str(start) if step == 1 else f"{start}-{min(start + step, len(depths)) - 1}" for start in starts]
    margin, width, most = max(map(len, names)), max(len(f"{count:,}") for count in counts), max(counts)
    for name, count in zip(names, counts, strict=True):
        whole, eighths = divmod(max(1, round(8 * WIDTH * count / most)), 8)
        bar = "█" * whole + _EIGHTHS[eighths].strip()
        yield f"{name:>{margin}} {count:>{width},} {bar}".rstrip()


def _hardest(found: Exploration) -> Iterator[str]:
    hardest = found.hardest
    if hardest is None:
        yield "no goal can be reached from any state"
        return
    others = f", the first of {hardest.number:,} as far" if hardest.number > 1 else ""
    yield f"farthest from a goal: cost {hardest.cost}{others}"
    yield hardest.position.draw()
    yield from str(hardest.position).splitlines()
    yield joined_moves(found.level.game, hardest.moves)
