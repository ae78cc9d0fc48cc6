"""unpuzzle explore PUZZLE LEVEL."""

from __future__ import annotations

from time import perf_counter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Callable
    from typing import Any

    from unpuzzle.cli.answer import Answer
    from unpuzzle.errors import LimitReached
    from unpuzzle.limits import Deadline
    from unpuzzle.puzzle.position import Position
    from unpuzzle.spaces.exploration import Exploration
    from unpuzzle.spaces.searched import Known

EXAMPLE = "unpuzzle explore boxup 1 --graph boxup-1.graphml"

GRAPH_STATES = 20_000
FORMATS = (".graphml", ".dot")
UNKNOWN = "transitions depths goals dead_ends hardest cost optimal_plans branching".split()


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    from unpuzzle.cli.numbers import whole
    from unpuzzle.cli.parser import add_limits

    parser.add_argument("puzzle", metavar="PUZZLE")
    parser.add_argument("level", metavar="LEVEL", help="a bundled level's name, a file, or - for standard input")
    parser.add_argument(
        "--max-states",
        metavar="N",
        type=whole(),
        help="give up where there are more, and search for a solution, N states at most; default: no limit",
    )
    parser.add_argument(
        "--graph",
        metavar="FILE",
        help=f"write all states there, as .graphml or .dot; then --max-states is {GRAPH_STATES:,} unless given",
    )
    parser.add_argument("--picture", metavar="FILE", help="draw all states there, as .svg; of very many a profile")
    add_limits(parser)


def execute(options: Namespace) -> Answer:
    """Explore a level. Whatever there is to see, the answer is "yes": an unsolvable level has a state space, too."""
    from unpuzzle.cli import exits
    from unpuzzle.cli.answer import Answer
    from unpuzzle.cli.exploration_text import text_of
    from unpuzzle.cli.files import read_level
    from unpuzzle.errors import LimitReached
    from unpuzzle.planning import registry

    _check(options)
    level = read_level(options.puzzle, options.level, options)
    try:
        found = _explored(level, options)
    except LimitReached as reached:
        return _searched(level, reached, options)
    answer = Answer(exits.YES, _fields(found, options), text_of(found, options.quiet))
    slow = registry.missing(registry.DEFAULT)
    if slow is not None:
        answer.complaint = f"unpuzzle: explored slowly, on the rules: {slow}"
        answer.fields["message"] = answer.fields["message"] or answer.complaint.removeprefix("unpuzzle: ")
    if options.graph:
        _write_graph(found, options, answer)
    if options.picture:
        _draw(found, options, answer)
    return answer


def _check(options: Namespace) -> None:
    """Raises ParseError for options that make no sense, before any work is done."""
    from unpuzzle.errors import ParseError

    if options.graph is not None and not options.graph.endswith(FORMATS):
        raise ParseError(f"--graph writes files that end in {' or '.join(FORMATS)}, not '{options.graph}'")
    if options.picture is not None:
        from unpuzzle.rendering.saving import kind_of

        if kind_of(options.picture) != ".svg":
            raise ParseError(f"--picture writes a file that ends in .svg, not '{options.picture}'")


def _explored(level: Position, options: Namespace) -> Exploration:
    from unpuzzle.cli.parser import limits_left
    from unpuzzle.cli.progress import ProgressLine
    from unpuzzle.spaces.exploration import explore
    from unpuzzle.spaces.searched import for_exploring

    most = GRAPH_STATES if options.graph and options.max_states is None else options.max_states
    with ProgressLine(options) as show:

        def told(states: int) -> None:
            if show is not None:
                show(f"{states:,} states explored")

        return explore(level, for_exploring(limits_left(options)), max_states=most, progress=told)


def _searched(level: Position, reached: LimitReached, options: Namespace) -> Answer:
    """The answer where a limit was too small: how many states were seen, and what a search tells."""
    from unpuzzle.cli import exits
    from unpuzzle.cli.answer import Answer
    from unpuzzle.cli.parser import limits_of
    from unpuzzle.result import GAVE_UP
    from unpuzzle.spaces.searched import searched

    message = str(reached)
    known = searched(level, limits_of(options), options.clock, options.max_states)
    if options.graph and options.max_states is None and reached.status == GAVE_UP:
        message += "; a graph of more is written where --max-states allows it"
    fields = {
        "status": reached.status,
        "states": getattr(reached, "states", 0),  # none where it ended while grounding
        **dict.fromkeys(UNKNOWN),
        "cost": known.cost,
        "seconds": {"total": round(perf_counter() - options.clock, 6)},
        "message": message,
    }
    text = "" if known.solvable is None else f"{'from here':<12} {_in_words(known)}"
    return Answer(exits.OF_STATUS[reached.status], fields, text, f"unpuzzle: {reached.status}: {message}")


def _in_words(known: Known) -> str:
    if not known.solvable:
        return "unsolvable"
    return "solvable" if known.cost is None else f"cost {known.cost}"


def _fields(found: Exploration, options: Namespace) -> dict[str, Any]:
    hardest, branching = found.hardest, found.branching
    start = hardest and {"level": str(hardest.position), "cost": hardest.cost, "moves": list(hardest.moves)}
    return {
        "status": "complete",
        "states": found.states,
        "transitions": found.transitions,
        "depths": found.depths,
        "goals": found.goals,
        "dead_ends": found.dead_ends,
        "hardest": start,
        "cost": found.cost,
        "optimal_plans": found.optimal_plans,
        "branching": {"mean": round(branching.mean, 6), "least": branching.least, "most": branching.most},
        "seconds": {"total": round(perf_counter() - options.clock, 6)},
        "message": found.reason,
    }


def _draw(found: Exploration, options: Namespace, answer: Answer) -> None:
    from unpuzzle.rendering.state_graph import space_svg

    watch = _watch(options, "drawing")
    _saved(options.picture, lambda: space_svg(found, limits=watch), "picture", answer)


def _write_graph(found: Exploration, options: Namespace, answer: Answer) -> None:
    from unpuzzle.spaces.graphs import dot, graphml, to_networkx

    write = graphml if options.graph.endswith(".graphml") else dot
    watch = _watch(options, "making the graph")
    _saved(options.graph, lambda: write(to_networkx(found, watch), watch), "graph", answer)


def _watch(options: Namespace, work: str) -> Deadline:
    from unpuzzle.cli.parser import limits_left
    from unpuzzle.limits import Deadline

    return Deadline(limits_left(options), work)


def _saved(path: str, make: Callable[[], str], what: str, answer: Answer) -> None:
    """Save what is made; where that fails, what was found is not lost."""
    from unpuzzle.cli import exits
    from unpuzzle.cli.files import save
    from unpuzzle.errors import LimitReached

    try:
        save(path, make())
        return
    except OSError as error:
        answer.code, why = exits.BAD_INPUT, f"{path}: {error.strerror}"
    except LimitReached as reached:
        answer.code, why = exits.OF_STATUS[reached.status], str(reached)
        answer.fields["status"] = reached.status
    message = f"the {what} is not written: {why}"
    answer.fields["message"], answer.complaint = message, f"unpuzzle: {message}"
