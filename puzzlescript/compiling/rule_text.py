"""The section RULES of a game, read as rules, groups and loops; rules are not expanded here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from unpuzzle.base.run import within_limits
from unpuzzle.base.text import count
from unpuzzle.puzzlescript.compiling.names import ObjectNames
from unpuzzle.puzzlescript.compiling.text import FaultCollector, SourceLine

Cell = tuple[tuple[str, str], ...]
"""Pairs of a direction word, empty if there is none, and a name."""
Row = tuple[Cell, ...]
Rows = tuple[Row, ...]

ELLIPSIS: Cell = (("...", "..."),)
ABSOLUTE = ("up", "down", "left", "right")
PREFIXES: Mapping[str, tuple[str, ...]] = {
    "up": ("up",),
    "down": ("down",),
    "left": ("left",),
    "right": ("right",),
    "horizontal": ("left", "right"),
    "vertical": ("up", "down"),
    "orthogonal": ABSOLUTE,
}
RELATIVE = ("^", "v", "<", ">", "parallel", "perpendicular")
WORDS = frozenset([*PREFIXES, *RELATIVE, *"moving stationary action no random randomdir".split()])
"""Words allowed before a name in a cell."""
_MARKS = frozenset(["[", "]", "|", "->", "+", "...", "late", "rigid", "random", "startloop", "endloop"])
_OF_ROWS = WORDS | {"|", "..."}
COMMANDS = ("cancel", "checkpoint", "restart", "win", "message", "again", *(f"sfx{n}" for n in range(11)))


def pairs_of(*sides: Rows) -> Iterator[tuple[str, str]]:
    return (pair for rows in sides for row in rows for cell in row for pair in cell)


class RuleLine(NamedTuple):
    """A rule as the game's author wrote it; `group` is the line of the first rule in the rule's group."""

    line: int
    group: int
    directions: tuple[str, ...]
    left: Rows
    right: Rows
    has_right: bool
    late: bool
    rigid: bool
    random: bool
    commands: tuple[str, ...]


class Loop(NamedTuple):
    """A line with `startloop` or `endloop`, where a loop of groups begins or ends."""

    line: int
    starts: bool


class _RuleReader:
    """A parser of one rule.

    PuzzleScript ignores many slips: words in meaningless places, and rules whose rows on the left and right differ in
    number. Such slips are warnings here.
    """

    def __init__(self, line: SourceLine, names: ObjectNames, faults: FaultCollector) -> None:
        self.line = line
        self.names = names
        self.faults = faults
        self.directions: list[str] = []
        self.flags: set[str] = set()
        self.told: set[str] = set()
        self.joins = self.begun = False
        self.sides: tuple[list[Row], list[Row]] = ([], [])
        self.side = 0
        self.commands: list[str] = []
        self.wrong = self.foreign = self.is_in_row = False
        self.open = 0
        """The number of `[` minus the number of `]`."""
        self.row: list[Cell] = []
        self.cell: list[tuple[str, str]] = []
        self.direction: str | None = None
        self.cause: tuple[str, str] | None = None
        """The message and the name, if an unknown name left a direction word without a name."""

    def fault(self, code: str, message: str, what: str | None = None) -> None:
        """Record an error on this line that leaves the rest of the rule usable, and is no consequence of another."""
        if self.wrong:  # a broken form has further consequences
            return
        if self.cause and code in ("script-row", "script-direction"):  # PuzzleScript reports it
            self.faults.counted(self.line.number, message)
        else:
            self.faults.error(code, self.line.number, message, what)

    def once(self, code: str, kind: str, message: str, what: str) -> None:
        """Record an error, unless an error of the same kind is already recorded for this line."""
        if kind not in self.told:
            self.fault(code, message, what)
        self.told.add(kind)

    def broken(self, code: str, message: str, what: str | None = None) -> None:
        self.fault(code, message, what)
        self.wrong = True

    def fatal(self, message: str) -> None:
        """Record an error in the shape of the rule that makes the game unplayable, or else its cause."""
        if self.cause is None:
            self.faults.fatal("script-row", self.line.number, message)
        else:
            self.faults.fatal("script-unknown-name", self.line.number, *self.cause)
        self.broken("script-row", message)

    def slip(self, code: str, message: str, what: str | None = None) -> None:
        if not self.wrong and not (self.cause and code == "script-row"):
            self.faults.warning(code, self.line.number, message, what)

    def dropped(self, code: str, message: str, what: str | None = None) -> None:
        """Record a warning that the rule is ignored."""
        self.slip(code, f"this rule is left out: {message}", what)
        self.wrong = True

    def read(self) -> None:
        """Read the rule, token by token."""
        code = self.line.read
        for mark in ("[", "]", "|", "->"):
            code = code.replace(mark, f" {mark} ")
        if code.strip()[:1] == "+":
            code = code.replace("+", " + ", 1)
        if self.line.stray or ("(" in self.line.original and "->" not in code):
            for token in code.split():  # of which PuzzleScript reports no more than its unknown words
                self._count(token)
            return
        for token in code.split():
            if token == "message" and self.begun and not self.names.defines(token):
                self._command(token)
                break
            self.take(token)
        if self.is_in_row:
            self.slip("script-row", "a row of cells is not closed: `]` is missing", "[")

    def take(self, token: str) -> None:
        """Read one token of the rule."""
        self._count(token)
        if token == "[":
            self._open()
        elif not self.begun:
            self._prefix(token)
        elif token == "]":
            self._close()
        elif token == "->":
            self._arrow()
        elif self.is_in_row:
            self._in_row(token)
        elif token in _OF_ROWS or self.names.defines(token):
            self.slip(
                "script-rule", f"{token} means nothing here: it belongs in a row of cells, or before the rule", token
            )
        elif token in COMMANDS:
            self._command(token)
        elif not self.foreign:  # what follows an unknown command may belong to it
            self.foreign = True
            if self.faults.foreign("script-command", self.line.number, token):
                return
            there_are = ": the commands are cancel, checkpoint, restart, win, message, again, sfx0 to sfx10"
            hint = self.faults.unknown(token, COMMANDS) or there_are
            self.fault("script-command", f"{token} is not a command of PuzzleScript{hint}", token)

    def _count(self, token: str) -> None:
        """Count an unknown word as often as PuzzleScript reports it, because too many errors make a game unplayable."""
        token = token.lstrip("+").removeprefix(")")
        is_word = (
            not token or token in COMMANDS or token in _MARKS or (token in WORDS if self.begun else token in PREFIXES)
        )
        if not is_word and token in self.line.code and not self.names.defines(token):
            self.faults.counted(self.line.number, token)
        for member in self.names.properties.get(token, ()):
            self.faults.counted(self.line.number, member, not self.names.defines(member))

    def _arrow(self) -> None:
        if self.is_in_row:
            self.slip("script-row", "`->` within a row of cells: `]` is missing before it", "->")
        elif self.side:
            self.broken("script-rule", "a rule must have exactly one `->`", "->")
        else:
            self.side = 1

    def _prefix(self, token: str) -> None:
        """Read a token before the first row of cells: a direction, `+`, or a word such as `late`."""
        if token == "+":
            if self.joins or self.flags or self.directions:
                self.fault("script-rule", "+ is allowed only once, at the beginning of a rule", "+")
            self.joins = True
        elif token in ("late", "rigid", "random", "global"):  # `global`, of PuzzleScript Plus, means nothing here
            self.flags.add(token)
        elif token in PREFIXES:
            self.directions += PREFIXES[token]
        elif token in RELATIVE:
            self.once(
                "script-direction",
                "relative",
                f"{token} is relative: only up, down, left, right, horizontal, vertical are allowed before a rule",
                token,
            )
        elif not self.faults.foreign("script-rule", self.line.number, token):
            self.fault(
                "script-rule",
                f"{token} is not allowed here: before the first `[` only directions, late, rigid, random are",
                token,
            )

    def _open(self) -> None:
        """Begin a row of cells."""
        if self.cell or self.direction is not None:
            self.fault("script-row", "`[` within a row of cells: `]` is missing before it", "[")
        self.open += 1
        if self.open > 1 and not self.cell:
            self.slip("script-row", "`[` within a row of cells: `]` is missing before it", "[")
        self.begun = self.is_in_row = True
        self.cell, self.direction = [], None

    def _close(self) -> None:
        """End a row of cells."""
        self.open -= 1
        if self.open < 0:
            self.dropped("script-row", "`]` closes nothing", "]")
        if self.commands and self.side:
            command = self.commands[-1]
            self.slip("script-command", f"{command} is before a `]`: commands must be at the end of a rule", command)
        self._close_cell()
        self.sides[self.side].append(tuple(self.row))
        self.row = []
        self.is_in_row = False

    def _in_row(self, token: str) -> None:
        """Read a token inside a row of cells."""
        if token == "|":
            self._close_cell()
        elif token == "..." and not self.names.defines(token):
            self.cell.append(("...", "..."))
        elif token in WORDS:
            self._word(token)
        elif self.names.defines(token):
            self._check_repeated(token)
            self.cell.append((self.direction or "", token))
            self.direction = None
        elif token in COMMANDS:
            self._command(token)
        else:
            message = f"{token} is not defined{self.faults.unknown(token, *self.names.kinds())}"
            self.fault("script-unknown-name", message, token)
            if self.direction is not None:
                self.cause = self.cause or (message, token)

    def _check_repeated(self, name: str) -> None:
        words = [word for word, other in self.cell if other == name]
        if "no" in words and self.direction == "no":
            self.slip("script-rule", f"no {name} is twice in this cell", name)
        if any(word != "no" or self.direction != "no" for word in words):
            self.fault("script-rule", f"{name} is twice in this cell", name)
            self.faults.counted(0, "a property", name in self.names.properties)

    def _word(self, token: str) -> None:
        """Read a direction word, or `no`, before a name."""
        if self.direction is not None:
            self.once(
                "script-direction", "two", f"{self.direction} {token}: a name can have only one direction word", token
            )
        elif "late" in self.flags and token not in ("no", "random", "randomdir"):
            self.once(
                "script-late",
                "late",
                f"{token} cannot be in a late rule: late rules are applied after all movements",
                token,
            )
        else:
            self.direction = token

    def _command(self, token: str) -> None:
        if not self.side:
            self.fault(
                "script-command", f"the command {token} is before `->`: commands must be at the end of a rule", token
            )
        self.commands.append(token)

    def _close_cell(self) -> None:
        """End the current cell of the row."""
        if self.direction is not None:  # PuzzleScript continues with the cell
            self.once("script-direction", "alone", f"{self.direction} has no name after it", self.direction)
            return
        cell = tuple(self.cell)
        if ELLIPSIS[0] in cell and len(cell) > 1:
            self.fault("script-row", "an ellipsis `...` must have its own cell", "...")
            cell = ELLIPSIS
        self.row.append(cell)
        self.cell = []


def read_rules(
    lines: Sequence[SourceLine], names: ObjectNames, faults: FaultCollector
) -> tuple[list[RuleLine], list[Loop]]:
    """Parse the section RULES; return the rules and loops in the order of lines."""
    rules: list[RuleLine] = []
    loops: list[Loop] = []
    for line in within_limits(lines):
        words = [] if line.stray else line.read.split()
        if words in (["startloop"], ["endloop"]):
            loops.append(Loop(line.number, words[0] == "startloop"))
            continue
        reader = _RuleReader(line, names, faults)
        reader.read()
        # PuzzleScript ignores such a line; it was read only for its faults.
        if line.stray:
            continue
        if reader.joins and not rules:
            reader.fault(
                "script-rule", "+ joins a rule to the group of the rule before, but no rule is before this one", "+"
            )
        rule = _rule(reader, rules[-1].group if rules else line.number)
        if rule is not None:
            if reader.joins and rules and rules[-1].late != rule.late:
                reader.slip(
                    "script-late",
                    "late rules cannot be in one group with other rules: they are applied after all movements",
                )
            rules.append(rule)
    _check_loops(loops, faults)
    return rules, loops


def _rule(reader: _RuleReader, group_before: int) -> RuleLine | None:
    """Return the rule that a parser has read; None if errors leave no rule in the line."""
    line, (left, right) = reader.line, reader.sides
    if "->" not in line.read:
        reader.fault("script-rule", "a rule must have `->` between its pattern and its effect")
        reader.wrong = reader.wrong or "(" in line.original  # the arrow may be in a comment, so no rule is left
    if not left:
        reader.broken("script-rule", "a rule needs a pattern: `[` is missing")
    elif len(left) != len(right) and not (reader.commands and not right):
        what = "cells or commands" if not right else f"as many rows as before it, {len(left)} and not {len(right)}"
        reader.dropped("script-row", f"after `->` there must be {what}", "->")
    if not reader.wrong:
        _check_shape(left, right, partial(reader.broken, "script-row"), reader.fatal)
    if reader.wrong:
        return None
    return RuleLine(
        line=line.number,
        group=group_before if reader.joins else line.number,
        directions=tuple(reader.directions) or ABSOLUTE,
        left=tuple(left),
        right=tuple(right),
        has_right=bool(right),
        late="late" in reader.flags,
        rigid="rigid" in reader.flags,
        random="random" in reader.flags,
        commands=tuple(dict.fromkeys(reader.commands)),
    )


def _check_shape(
    left: Sequence[Row], right: Sequence[Row], broken: Callable[[str], None], fatal: Callable[[str], None]
) -> None:
    """Report rows that differ in length on the left and the right, and misplaced ellipses."""
    for before, after in zip(left, right, strict=False):
        if len(before) != len(after):
            cells = count(len(before), "cell")
            fatal(f"a row has {cells} on the left and {len(after)} on the right: there must be as many")
        elif any((a == ELLIPSIS) != (b == ELLIPSIS) for a, b in zip(before, after, strict=True)):
            broken("an ellipsis must be in the same place on the left and on the right")
    for row in left:
        if not row:
            broken("a row without a cell matches nothing")
        elif ELLIPSIS in (row[0], row[-1]):
            broken("an ellipsis must be between two cells")
        if row.count(ELLIPSIS) > 2:
            broken("a row can have at most two ellipses")


def _check_loops(loops: Sequence[Loop], faults: FaultCollector) -> None:
    """Report loops inside loops, and loops that are not closed or not opened."""
    open_line = 0
    for loop in loops:
        if loop.starts and open_line:
            faults.error("script-loop", loop.line, f"a loop cannot contain a loop: one is open since line {open_line}")
        elif not loop.starts and not open_line:
            faults.error("script-loop", loop.line, "endloop without startloop")
        open_line = loop.line if loop.starts else 0
    if open_line:
        faults.error("script-loop", open_line, "this loop is not closed: endloop is missing")


def check_rules(rules: Iterable[RuleLine], sounds: Collection[str], faults: FaultCollector) -> None:
    """Report words with no meaning at their place in a rule; `sounds` are the events for which a sound is defined."""
    late = "late rules are applied after all movements"
    for rule in rules:
        for command in [command for command in rule.commands if command.startswith("sfx") and command not in sounds]:
            faults.warning("script-sound", rule.line, f"{command} has no sound", command)
        for word, name in pairs_of(rule.left):
            if word in ("random", "randomdir"):
                what = "the pattern of a rule cannot be random"
                faults.error("script-rule", rule.line, f"{word} {name} on the left: {what}", word)
        if rule.late and any(word == "randomdir" for word, _ in pairs_of(rule.left, rule.right)):
            faults.warning("script-late", rule.line, f"randomdir in a late rule: {late}", "randomdir")
        if rule.late and rule.rigid:
            faults.error("script-late", rule.line, f"a late rule cannot be rigid: {late}", "rigid")
        if rule.random and rule.group != rule.line:
            message = "only the first rule of a group can make it random, not one that begins with +"
            faults.error("script-random", rule.line, message, "+")
