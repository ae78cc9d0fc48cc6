"""The command `unpuzzle explore PUZZLE LEVEL`: count the states by depth, and draw the one farthest from a goal."""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from typing import Any

from unpuzzle.base.errors import (
    CANCELLED,
    INTERRUPTED,
    NO_ANSWER,
    OF_STATUS,
    YES,
    LimitReached,
    UsageError,
    of_error,
)
from unpuzzle.base.run import phase
from unpuzzle.base.text import count
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.drawing import PictureFile
from unpuzzle.cli.files import read_level, save_beside
from unpuzzle.cli.parser import add_level, add_limits, add_objective, flag, has_limits, option, whole
from unpuzzle.drawing.panels import rows_of
from unpuzzle.planning import registry
from unpuzzle.puzzle.position import Position
from unpuzzle.puzzle.replaying import joined_moves, noun_of_pushes
from unpuzzle.rendering.analysis import space_svg, trap_panels, traps_sheet
from unpuzzle.rendering.saving import kind_of
from unpuzzle.spaces.dead_ends import NOWHERE, OPTIMAL_WAYS, Trap, Traps, find_traps, reason_of
from unpuzzle.spaces.difficulty import Difficulty
from unpuzzle.spaces.exploration import Exploration, dot, graphml
from unpuzzle.spaces.space import COMPLETE
from unpuzzle.spaces.surveying import SearchAnswer
from unpuzzle.workspace.exploring import ExplorationInput, ExplorationOutcome

EXAMPLE = """unpuzzle explore boxup 1 --graph boxup-1.graphml
  unpuzzle explore domain.pddl p01 --picture p01.svg
  unpuzzle explore sokoban 1 --traps --picture traps.svg"""
SEE = "`survey` shows all levels of a game in one table"
GRAPH_STATES = 20_000
FORMATS = (".graphml", ".dot")
ROWS, WIDTH = 32, 60
"""The most bars, and the length of the longest."""
_EIGHTHS = " ▏▎▍▌▋▊▉"


def arguments(parser: ArgumentParser) -> None:
    add_level(parser)
    about = "if there are more states, only search for a solution, with N states at most; default: no limit"
    option(parser, "--max-states N", about, whole())
    about = f"write all states into this file, .graphml or .dot; --max-states is then {GRAPH_STATES:,} unless given"
    option(parser, "-o --output --graph FILE", about, dest="graph")
    add_objective(parser)
    option(parser, "--picture FILE", "draw all states into this .svg file; very many states are drawn as a profile")
    about = "show where players get lost: the first moves that make it unsolvable, and why; --picture then draws these,"
    flag(parser, "--traps", f"{about} on one sheet or, into a folder, one by one")
    flag(parser, "--labels", "write moves beside the lines of --picture, which is always done for PDDL domains")
    add_limits(parser)


class ExploreRequest(ExplorationInput):
    """A request to explore a level, with the requested figures and files."""

    graph: str | None = None
    picture: str | None = None
    traps: bool = False
    labels: bool = False
    apart: bool = False


def read(options: Namespace) -> ExploreRequest:
    """Read the level. Raises UsageError, before any work, for files that cannot be written."""
    graph, picture, traps = options.graph, options.picture, options.traps
    if graph is not None and not graph.endswith(FORMATS):
        raise UsageError(f"the name of the file of --graph must end in {' or '.join(FORMATS)}, not '{graph}'")
    if options.labels and (picture is None or traps):
        raise UsageError("--labels is for pictures of all states: add --picture FILE.svg, without --traps")
    if picture is not None and traps:
        _require_pictures(picture)
    elif picture is not None and kind_of(picture) != ".svg":
        raise UsageError(f"the name of the file of --picture must end in .svg, not '{picture}'")
    level = read_level(options.puzzle, options.level, options.obstacles)
    bounded = bool(graph) and options.max_states is None
    more = {"max_states": GRAPH_STATES} if bounded else {}
    return ExploreRequest.of(options, level=level, more_on_request=bounded, apart=has_limits(options), **more)


def present(asked: ExploreRequest, outcome: ExplorationOutcome, view: View) -> Answer:
    """Return the figures about the state space; a complete exploration is a "yes", even of an unsolvable level."""
    exploration, search = outcome.exploration, outcome.search
    if outcome.incomplete and search is not None:  # the number of states seen, and the result of a search
        words = "unsolvable" if not search.solvable else "solvable" if search.cost is None else f"cost {search.cost}"
        text = "" if search.solvable is None else f"{'from here':<12} {words}"
        if outcome.ended_by is not None:
            answer = Answer(NO_ANSWER, outcome, text, f"unpuzzle: {outcome.fields['message']}")
            answer.code, answer.fields["status"] = of_error(outcome.ended_by) or (INTERRUPTED, CANCELLED)
            return answer
        complaint = f"unpuzzle: {exploration.status}: {outcome.fields['message']}"
        return Answer(OF_STATUS[exploration.status], outcome, text, complaint)
    lines = [*_figures(exploration), *_best(search, asked.objective, exploration.subject)]
    answer = Answer(YES, outcome)
    if not view.bare:
        lines += ["", "states by depth", *_bars(exploration.depths), ""]
        try:
            lines += _hardest(exploration, asked.position)
        except LimitReached as reached:
            _complain(answer, f"the position farthest from a goal is not drawn: {reached}")
    answer.text = "\n".join([*lines, ""])
    if outcome.unmeasured:
        _complain(answer, f"its lines and its difficulty are not measured: {outcome.unmeasured}")
    if (slow := registry.missing(registry.DEFAULT)) is not None:
        _complain(answer, f"explored slowly, on the rules: {slow}")
    if asked.graph:
        write = graphml if asked.graph.endswith(".graphml") else dot
        with phase("making the graph"):
            save_beside(answer, asked.graph, lambda: write(exploration.graph()))
    if asked.traps:
        _add_traps(answer, exploration, asked, quiet=view.quiet)
    elif asked.picture:
        labels = asked.labels or None
        save_beside(answer, asked.picture, lambda: space_svg(exploration, labels=labels))
    return answer


def _complain(answer: Answer, message: str) -> None:
    """Add a sentence on stderr to an answer; if the answer has no message yet, this sentence becomes the message."""
    answer.complain(f"unpuzzle: {message}")
    answer.fields["message"] = answer.fields["message"] or message


def _figures(exploration: Exploration) -> Iterator[str]:
    """Yield lines with one figure each; the numbers are aligned in a column."""
    numbers = {
        "states": exploration.states,
        "transitions": exploration.transitions,
        "goal states": exploration.goals,
        "dead ends": exploration.dead_ends or 0,
    }
    width = max(len(f"{number:,}") for number in numbers.values())
    for name, number in numbers.items():
        yield f"{name:<12} {number:>{width},}"
    if (branching := exploration.branching) is not None:
        yield f"{'branching':<12} {branching.mean:.2f} moves a state, {branching.least} to {branching.most}"
    plans, solution = exploration.optimal_plans, f"unsolvable: {exploration.reason}"
    if exploration.cost is not None:
        endless = "in any number of ways: moves of cost 0 form a cycle"
        ways = endless if plans is None else "one way only" if plans == 1 else f"{plans:,} ways{_lines(exploration)}"
        solution = f"cost {exploration.cost}, {ways}"
    yield f"{'from here':<12} {solution}"
    if exploration.cost and exploration.difficulty is not None:
        yield from _difficulty(exploration.difficulty)


def _lines(exploration: Exploration) -> str:
    """Return in words the number of optimal solutions, not counting walks or the order of independent changes."""
    if (lines := exploration.measures.lines) is None:
        return ""
    return f", {'at least ' if lines.number is None else ''}{count(lines.least, 'line')}"


def _difficulty(difficulty: Difficulty) -> Iterator[str]:
    """Yield lines on the difficulty of optimal solutions, as the help of `survey --difficulty` explains them."""
    numbers = {"change": difficulty.pushes, "detour": difficulty.detours, "trap": difficulty.traps}
    parts = [count(number, word) for word, number in numbers.items() if number is not None]
    yield f"{'on the way':<12} {', '.join(parts)}"
    choices = difficulty.optimal_choices, difficulty.longer_choices, difficulty.fatal_choices
    words = [f"{number:.2f} {kind}" for number, kind in zip(choices, ("optimal", "longer", "fatal"), strict=True)]
    yield f"{'choices':<12} {', '.join(words)}, on average"
    if difficulty.shortest_trap is not None:
        soonest = f"{difficulty.lost:.1%} of the states, soonest after {count(difficulty.shortest_trap, 'move')}"
        lasts = difficulty.trap_lasts
        late = "" if lasts is None else f"; a trap shows after {count(lasts, 'change')} at most"
        yield f"{'lost':<12} {soonest}{late}"


def _best(search: SearchAnswer | None, objective: str, subject: Any) -> Iterator[str]:
    """Yield lines on a solution that is best by another objective than the least cost."""
    if search is not None:
        known = search.cost is not None and search.pushes is not None
        figures = (
            f"{count(search.pushes or 0, *noun_of_pushes(subject))}, cost {search.cost}" if known else search.message
        )
        yield f"{'best for':<12} {objective}: {figures or 'not known'}"


def _bars(depths: list[int]) -> Iterator[str]:
    """Yield a bar for each depth; if that takes more than `ROWS` bars, one for several neighbouring depths."""
    step = -(-len(depths) // ROWS)
    starts = range(0, len(depths), step)
    counts = [sum(depths[start : start + step]) for start in starts]
    names = [str(start) if step == 1 else f"{start}-{min(start + step, len(depths)) - 1}" for start in starts]
    margin, width, most = max(map(len, names)), max(len(f"{number:,}") for number in counts), max(counts)
    for name, number in zip(names, counts, strict=True):
        whole_blocks, eighths = divmod(max(1, round(8 * WIDTH * number / most)), 8)
        bar = "█" * whole_blocks + _EIGHTHS[eighths].strip()
        yield f"{name:>{margin}} {number:>{width},} {bar}".rstrip()


def _hardest(exploration: Exploration, start: Position) -> Iterator[str]:
    hardest = exploration.hardest
    if hardest is None or hardest.position is None:
        yield "no goal can be reached from any state"
        return
    others = f", the first of {hardest.number:,} at this distance" if hardest.number > 1 else ""
    yield f"farthest from a goal: cost {hardest.cost}{others}"
    yield hardest.position.draw()
    yield from hardest.level.splitlines()
    yield joined_moves(start.game, hardest.moves)


ENDING = ".svg"
"""The ending of pictures in a folder."""


def _require_pictures(path: str) -> None:
    """Raise UsageError, before any work, for a path that is neither a folder nor a picture file."""
    if not _is_folder(path):
        PictureFile(path).require_panels()
    elif not os.path.isdir(path):
        raise UsageError(f"{path}: there is no such folder")


def _add_traps(answer: Answer, exploration: Exploration, asked: ExploreRequest, *, quiet: bool) -> None:
    """Add the traps of a level to an answer, and draw them if requested."""
    try:
        traps = find_traps(exploration)
    except KeyboardInterrupt as error:
        answer.code, answer.fields["status"] = of_error(error) or (INTERRUPTED, CANCELLED)
        _complain(answer, "interrupted: where players get lost was not found out")
        return
    answer.fields["lost_moves"] = traps.to_dict()
    answer.text += "\n" + _text(exploration, traps, quiet=quiet) + "\n"
    if traps.status != COMPLETE:
        answer.code = OF_STATUS[traps.status]
        answer.fields["message"] = f"{traps.status}: these are not all traps that were asked for"
        answer.complain(f"unpuzzle: {answer.fields['message']}")
    if asked.picture and traps.traps:
        answer.fields["files"] = _draw(exploration, traps, asked.picture, asked.apart)


def _is_folder(path: str) -> bool:
    return os.path.isdir(path) or path.endswith(os.sep)


def _draw(exploration: Exploration, traps: Traps, path: str, apart: bool) -> list[str]:
    """Draw all traps into one file, or one file per trap in a folder; return the names of the files."""
    names, panels = [path], [traps_sheet(exploration, traps)]
    if _is_folder(path):
        names = [os.path.join(path, f"trap-{number:02}{ENDING}") for number in range(1, len(traps.traps) + 1)]
        panels = [*trap_panels(exploration, traps)]
    for name, each in zip(names, panels, strict=True):
        PictureFile(name, apart=apart).draw_panels(each)
    return names


def _text(exploration: Exploration, traps: Traps, *, quiet: bool) -> str:
    lines = [_heading(exploration, traps)]
    pictures = []
    assert isinstance(exploration.subject, Position)
    for number, trap in enumerate(traps.traps, 1):
        lines.append(
            f"{number:>3}. {_where(exploration.subject, trap)}: {reason_of(trap, exploration.subject, traps.walks)}"
        )
        if not quiet:
            pictures.append((f"{number}. {trap.move}", exploration.position(trap.after).draw().rstrip()))
    return "\n".join(lines) + (f"\n\n{rows_of(pictures)}" if pictures else "")


def _heading(exploration: Exploration, traps: Traps) -> str:
    if traps.total is None:
        return "where players get lost is not known"
    if exploration.cost is None:
        return "it is lost at the start; `explain` says why"
    if traps.origin == NOWHERE:
        return "no move makes it unsolvable"
    where = "one move off an optimal way" if traps.origin == OPTIMAL_WAYS else "nearest to the start"
    shown = f"; the first {len(traps.traps)}" if len(traps.traps) < traps.total else ""
    return f"moves that make it unsolvable, {where}: {traps.total:,}{shown}"


def _where(start: Position, trap: Trap) -> str:
    way = joined_moves(start.game, trap.moves)
    return f"{trap.move} after {way}" if way else f"{trap.move} at the start"
