"""Groups of rules, in the order in which they are applied, and the jumps back of loops."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from unpuzzle.puzzlescript.compiling import compiled
from unpuzzle.puzzlescript.compiling.choices import MOST_CHOICES, TooManyError, choose_words
from unpuzzle.puzzlescript.compiling.compiled import Group, Rule
from unpuzzle.puzzlescript.compiling.directions import Directed, directions_of, has_extent
from unpuzzle.puzzlescript.compiling.faults import Faults
from unpuzzle.puzzlescript.compiling.names import Names
from unpuzzle.puzzlescript.compiling.patterns import NeverMatchesError, Patterns, stationary_where_spawned
from unpuzzle.puzzlescript.compiling.rule_text import Loop, RuleLine

_DIRECTION_BITS = {"up": 1, "down": 2, "left": 4, "right": 8}
_COMMAND_BITS = {
    "cancel": compiled.CANCEL,
    "restart": compiled.RESTART,
    "win": compiled.WIN,
    "again": compiled.AGAIN,
    "checkpoint": compiled.CHECKPOINT,
    "message": compiled.MESSAGE,
}
MOST_RIGID_GROUPS = 30
MOST_RULES = 100_000
"""Of a game, compiled; the largest that is known has 38,301."""


class Grouped(NamedTuple):
    """The groups of a game: rules, late rules, and which of the first have rigid rules."""

    rules: tuple[Group, ...]
    late: tuple[Group, ...]
    rigid: tuple[int, ...]


def group_rules(lines: Sequence[RuleLine], loops: Sequence[Loop], names: Names, faults: Faults) -> Grouped:
    """Compile the rules of a game and put them into groups."""
    by_group: dict[int, list[RuleLine]] = {}
    for line in lines:
        by_group.setdefault(line.group, []).append(line)
    maker = _Maker(names, faults)
    early: list[list[tuple[RuleLine, Rule]]] = []
    late: list[list[tuple[RuleLine, Rule]]] = []
    for number in sorted(by_group):
        pairs = list(maker.rules(by_group[number]))
        for group, part in ((early, [p for p in pairs if not p[0].late]), (late, [p for p in pairs if p[0].late])):
            if part:
                group.append(part)
    rigid = tuple([index for index, group in enumerate(early) if any(line.rigid for line, _ in group)])
    if len(rigid) > MOST_RIGID_GROUPS:
        faults.error(
            early[rigid[0]][0][0].line, f"{len(rigid)} groups with rigid rules: there may be {MOST_RIGID_GROUPS}"
        )
    for groups in (early, late):
        _check_loops([(group[0][0].line, group[-1][0].line) for group in groups], loops, faults)
    return Grouped(_groups(early, loops, rigid), _groups(late, loops, ()), rigid)


def _check_loops(groups: Sequence[tuple[int, int]], loops: Sequence[Loop], faults: Faults) -> None:
    """Note loops that begin or end within a group: `groups` are the lines of the first and last rules."""
    firsts = [first for first, _ in groups]
    for loop in loops:
        place = bisect_right(firsts, loop.line) - 1
        if place >= 0 and loop.line <= groups[place][1]:
            word = "startloop" if loop.starts else "endloop"
            first, last = groups[place]
            message = f"{word} within the group of rules on the lines {first} to {last}: a rule after it begins with +"
            faults.error(loop.line, message, word)


def _groups(
    groups: Sequence[Sequence[tuple[RuleLine, Rule]]], loops: Sequence[Loop], rigid: Sequence[int]
) -> tuple[Group, ...]:
    jumps = _jumps([group[0][0].line for group in groups], loops)
    numbers = {index: number for number, index in enumerate(rigid, 1)}
    return tuple(
        [
            compiled.Group(
                rules=tuple([r._replace(rigid_group=numbers[i]) if r.rigid and i in numbers else r for _, r in group]),
                random=group[0][0].random,
                jump=jumps.get(i, -1),
            )
            for i, group in enumerate(groups)
        ]
    )


def _jumps(lines: Sequence[int], loops: Sequence[Loop]) -> dict[int, int]:
    """Return, by the number of a loop's last group, the first group of the loop."""
    jumps = {}
    for start, end in zip(loops[::2], loops[1::2], strict=False):
        first, last = bisect_right(lines, start.line), bisect_left(lines, end.line) - 1
        if first <= last:
            jumps[last] = first
    return jumps


class _Maker:
    """Makes the compiled rules of the lines of a group."""

    def __init__(self, names: Names, faults: Faults) -> None:
        self.names = names
        self.faults = faults
        self.patterns = Patterns(names)
        self.count = 0

    def rules(self, lines: Iterable[RuleLine]) -> Iterator[tuple[RuleLine, Rule]]:
        """Yield the rules of a group; of equal ones the last stays."""
        for line in lines:
            if self.count > MOST_RULES:
                return
            for rule in self._of_line(line):
                self.faults.tick()
                self.count += 1
                yield line, rule
            if self.count > MOST_RULES:
                self.faults.fatal(line.line, f"the rules down to here stand for more than {MOST_RULES:,} rules")

    def _of_line(self, line: RuleLine) -> Iterator[Rule]:
        different: dict[object, Directed] = {}
        try:
            for rule in self._choices(line):
                key = (rule.direction if has_extent(rule.left) else "", rule.left, rule.right)
                different.pop(key, None)
                different[key] = rule
        except TooManyError:
            message = f"this rule stands for more than {MOST_CHOICES:,} rules: it is left out"
            self.faults.error(line.line, message)
            return
        reasons: list[str] = []
        matching, harmless = 0, False
        for rule in different.values():
            try:
                yield self._compiled(rule)
                matching += 1
            except NeverMatchesError as error:
                reasons.append(str(error))
                harmless = harmless or error.harmless
        if reasons and not matching:
            tell = self.faults.warning if harmless else self.faults.error
            tell(line.line, f"this rule never matches: {reasons[0]}")

    def _choices(self, line: RuleLine) -> Iterator[Directed]:
        for rule in directions_of(line, self.names):
            for choice in choose_words(rule, self.names, self.faults):
                yield choice._replace(right=stationary_where_spawned(choice, self.names))

    def _compiled(self, rule: Directed) -> Rule:
        line = rule.source
        commands = 0
        for command in line.commands:
            commands |= _COMMAND_BITS.get(command, compiled.SOUND)
        return compiled.Rule(
            direction=_DIRECTION_BITS[rule.direction],
            has_right=line.has_right,
            rigid=line.rigid,
            commands=commands,
            distinct_commands=len(line.commands),
            rows=self.patterns.rows(rule.left, rule.right),
            rigid_group=0,
            line=line.line,
        )
