"""The sections LEGEND and COLLISIONLAYERS of a game: the objects of each name, and the layer of each object.

A name is an object, a synonym, an aggregate (`A and B`: all of them in one cell) or a property (`A or B`: any of them).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import reduce
from itertools import chain
from operator import itemgetter, or_
from typing import NamedTuple

from unpuzzle.base.run import checkpoint, within_limits
from unpuzzle.puzzlescript.compiling.objects import ScriptObject
from unpuzzle.puzzlescript.compiling.text import KEYWORDS, SECTIONS, FaultCollector, SourceLine

MOST_MEMBERS, MOST_TOLD = 100_000, 2_000_000
"""The largest numbers of members of a name, and of all aggregates and properties together (with repetitions)."""
MOST_OBJECTS = 10_000
"""The largest number of objects, and of layers; the largest known game has some thousand."""
_NO_NAME = re.compile(r"[^\w\s,)]")
SYNONYM, AGGREGATE, PROPERTY = "synonym", "and", "or"


class LegendEntry(NamedTuple):
    """A definition in the legend: its name, its kind, and the words after the `=`."""

    name: str
    kind: str
    words: tuple[str, ...]
    line: int


class ObjectNames:
    """The names of a game with their objects, layers and level characters.

    Attributes: `objects` in the order of their numbers; `number` and `layer_of` by object; `layers` as sets; `synonyms`
    (name to object), `aggregates` and `properties` (name to objects, in the legend's order); `layer_of_property` for
    those whose members share a layer; `masks` (any name to a set of objects); `glyphs` (a character to a set).
    """

    def __init__(self, things: dict[str, ScriptObject]) -> None:
        self.things = things
        self.objects: list[str] = []
        self.number: dict[str, int] = {}
        self.layer_of: dict[str, int] = {}
        self.layers: list[int] = []
        self.synonyms: dict[str, str] = {}
        self.aggregates: dict[str, tuple[str, ...]] = {}
        self.properties: dict[str, tuple[str, ...]] = {}
        self.layer_of_property: dict[str, int] = {}
        self.masks: dict[str, int] = {}
        self.glyphs: dict[str, int] = {}
        self.signs: set[str] = set()
        """The characters allowed in rows of levels, even from meaningless lines of the legend."""
        self.defined: list[tuple[int, LegendEntry, tuple[str, ...]]] = []
        """The lines of the legend with their numbers and objects; each comes after the lines that it needs."""
        self.member_count: int = 0
        """The number of members of all aggregates and properties together, with repetitions."""

    def defines(self, name: str) -> bool:
        return name in self.things or name in self.synonyms or name in self.aggregates or name in self.properties

    def kinds(self) -> tuple[Collection[str], ...]:
        return self.things, self.synonyms, self.aggregates, self.properties

    def is_aggregate(self, name: str) -> bool:
        """Return whether a name means all of several objects at once, as `X = A and B` does."""
        kinds = self.things, self.synonyms, self.properties
        return name in self.aggregates and not any(name in kind for kind in kinds)

    def player(self) -> int:
        """Return the objects that the name `player` means, as a set of bits."""
        meanings = (self.synonyms.get("player", "player"), *self.aggregates.get("player", ()))
        found = {"player", *meanings, *self.properties.get("player", ())} & self.number.keys()
        return reduce(or_, [1 << self.number[name] for name in found], 0)

    def members(self, name: str) -> tuple[str, ...]:
        if name in self.things:
            return (name,)
        if name in self.synonyms:
            return (self.synonyms[name],)
        return self.aggregates.get(name) or self.properties.get(name) or ()

    def layers_of(self, name: str) -> set[int | None]:
        """Return the layers of the objects that a name means; None stands for an object without a layer."""
        return {self.layer_of.get(member) for member in self.members(name)}

    def layer(self, name: str) -> int | None:
        """Return the layer of all objects that a name means; 0 if they have none, None if they have several."""
        layer = self.layer_of.get(name, 0 if name in self.number else None)
        return self.layer_of_property.get(name) if layer is None else layer

    def background(self) -> tuple[int, int]:
        """Return two sets of bits: the objects of the background layer, and the object `background`."""
        members = self.members("background")
        if not members or members[0] not in self.layer_of:
            return 0, 0
        return self.layers[self.layer_of[members[0]]], 1 << self.number[members[0]]


def read_names(
    things: dict[str, ScriptObject],
    beside: dict[str, str],
    legend: Sequence[SourceLine],
    layers: Sequence[SourceLine],
    faults: FaultCollector,
) -> ObjectNames:
    """Read the sections LEGEND and COLLISIONLAYERS; return the names of the game."""
    names = ObjectNames(things)
    entries = [LegendEntry(name, SYNONYM, (of,), things[of].line) for name, of in beside.items()]
    _read_legend(legend, things, entries, faults)
    _resolve(names, entries, faults)
    _read_layers(names, layers, faults)
    _name_sets(names, faults)
    _find_glyphs(names, faults)
    return names


def _read_legend(
    lines: Sequence[SourceLine], things: dict[str, ScriptObject], entries: list[LegendEntry], faults: FaultCollector
) -> None:
    """Add the definitions in the section LEGEND to `entries`, and report faulty lines."""
    known = {name: thing.line for name, thing in things.items()} | {entry.name: entry.line for entry in entries}
    for line in within_limits(lines):
        if line.code.endswith(")"):
            message = "this line is left out: it ends with a `)` that closes no comment"
            faults.warning("script-legend", line.number, message, len(line.code))
            continue
        words = _legend_words(line, faults)
        if line.stray and words[:1] == ["="]:
            faults.warning("script-legend", line.number, "this line is left out: it names nothing but `)`", ")")
            continue
        if len(words) < 3 or words[1] != "=":
            faults.error(
                "script-legend", line.number, "a line of the legend must be `A = B`, `A = B and C` or `A = B or C`"
            )
            faults.counted(line.number, "", len(words) > 1 and words[1] != "=")
            continue
        name, right = words[0], words[2:]
        if name in KEYWORDS:
            faults.keyword(line.number, name)
        if len(set(right[::2])) < len(right[::2]):
            faults.warning("script-legend", line.number, f"{name} names an object twice")
        others = [word for word in right[::2] if word != name]
        if len(others) * 2 <= len(right) - 1:
            faults.error("script-legend", line.number, f"{name} is defined by itself", name)
            if not others or not name.replace("_", "a").isalnum():  # which leaves nothing of the line
                continue
            # The same list without the name itself: `A = A or B or C` is read as `A = B or C`.
            right = [word for other in others for word in (*right[1:2], other)][len(right) > 1 :]
        joins = set(right[1::2])
        kind = SYNONYM if len(right) == 1 else right[1]
        if len(right) % 2 == 0 or len(joins) > 1 or kind not in (SYNONYM, AGGREGATE, PROPERTY):
            faults.error("script-legend", line.number, "names must be joined all by `and`, or all by `or`")
            wrong = joins - {AGGREGATE, PROPERTY}
            unknown = [word for word in right[::2] if word not in known] if len(right) % 2 else []
            # As many errors as PuzzleScript counts: one a wrong word, one for mixed words, one an unknown name.
            faults.counted(line.number, "", len(wrong) + (len(joins - wrong) + bool(wrong) > 1) + len(unknown))
            continue
        if name in known and (known[name] < line.number or kind == SYNONYM):  # objects may be further down
            faults.error("script-defined-twice", line.number, f"the name {name} is defined already", name)
        known[name] = line.number
        entries.append(LegendEntry(name, kind, tuple(right[::2]), line.number))


def _legend_words(line: SourceLine, faults: FaultCollector) -> list[str]:
    """Return the words of a line in the section LEGEND; report characters that no name contains."""
    left, equals, right_side = line.code.partition("=")
    # a `)` within the name belongs to it
    words = _words([word.lstrip(")") for word in left.split() if word.strip(")")], line, faults)
    # A comma is strange here, too: unlike in other lists, it joins no names.
    mark = _NO_NAME.search(right_side.replace(",", ";")) if equals else None
    if mark:
        strange = right_side[mark.start() :]
        message = f"{strange} is left out: names are joined by `and`, or by `or`"
        faults.error("script-legend", line.number, message, strange)
        right_side = right_side[: mark.start()]
    return [*words, *equals, *_words(right_side.replace(")", " ").split(), line, faults)]


def _words(words: list[str], line: SourceLine, faults: FaultCollector) -> list[str]:
    """Return the words of a line, except names of sections, which PuzzleScript ignores."""
    for word in words:
        if word in SECTIONS:
            message = f"{word} means nothing here: it is the name of a section"
            faults.warning("script-legend", line.number, message, word)
    return [word for word in words if word not in SECTIONS]


def _resolve(names: ObjectNames, entries: list[LegendEntry], faults: FaultCollector) -> None:
    """Find the objects of each legend entry; entries whose names it uses come first."""
    missing = [{word for word in entry.words if word not in names.things} for entry in entries]
    users: dict[str, list[int]] = {}
    for place, words in enumerate(missing):
        for word in words:
            users.setdefault(word, []).append(place)
    waiting = dict.fromkeys(range(len(entries)))
    ready = [place for place in waiting if not missing[place]]
    while ready:
        freed = set()
        for place in ready:
            del waiting[place]
            _define(names, place, entries[place], faults)
            for user in users.pop(entries[place].name, ()):
                missing[user].discard(entries[place].name)
                if not missing[user]:
                    freed.add(user)
        ready = sorted(freed)
    _check_order(names, entries, faults)
    for place in waiting:
        _define(names, place, entries[place], faults)
    if len({*names.things, *(entry.name for entry in entries)}) < len(names.things) + len(entries):
        _follow(names)


def _check_order(names: ObjectNames, entries: list[LegendEntry], faults: FaultCollector) -> None:
    """Report words in the legend that are not defined, or are defined only in a later line."""
    seen, all_names = set(names.things), {*names.things, *(entry.name for entry in entries)}
    for entry in entries:
        for word in [word for word in entry.words if word not in seen]:
            if word not in all_names:
                message = f"{word} is not defined{faults.unknown(word, all_names)}"
                faults.error("script-unknown-name", entry.line, message, word)
            else:
                faults.error("script-unknown-name", entry.line, f"{word} is defined only in a later line", word)
        seen.add(entry.name)


def _follow(names: ObjectNames) -> None:
    """Replace each name in a definition by the name's last definition."""
    for name, value in tuple(names.synonyms.items()):
        if value in names.properties:
            names.properties[name] = names.properties[value]
            del names.synonyms[name]
        elif value in names.aggregates:
            names.aggregates[name] = names.aggregates[value]
        else:
            names.synonyms[name] = names.synonyms.get(value, value)
    for kind in (names.properties, names.aggregates):
        for name, values in tuple(kind.items()):
            others = [each for value in values if value != name for each in kind.get(value, ())]
            own = [names.synonyms.get(value, value) for value in values if value not in kind]
            kind[name] = tuple(dict.fromkeys([*own, *others]))


def _define(names: ObjectNames, place: int, entry: LegendEntry, faults: FaultCollector) -> None:
    """Store the objects that one legend entry means, and report contradictions."""
    checkpoint()
    name, kind = entry.name, entry.kind
    if kind == SYNONYM:
        (word,) = entry.words
        kind = AGGREGATE if word in names.aggregates else PROPERTY if word in names.properties else SYNONYM
    wrong = {AGGREGATE: names.properties, PROPERTY: names.aggregates}.get(kind, {})
    for word in entry.words:
        if word in wrong:
            what = ("aggregate (and)", "property (or)") if kind == AGGREGATE else ("property (or)", "aggregate (and)")
            faults.error(
                "script-aggregate", entry.line, f"{name} is an {what[0]}, so {word} cannot be a {what[1]}", word
            )
    if sum(len(names.members(word)) for word in entry.words) > MOST_MEMBERS:
        faults.fatal("script-too-many", entry.line, f"{name} means more than {MOST_MEMBERS:,} objects")
        return
    names.member_count += sum(len(names.members(word)) for word in entry.words)
    if names.member_count > MOST_TOLD:
        faults.give_up(
            "script-too-many",
            entry.line,
            f"the names up to {name} mean more than {MOST_TOLD:,} objects altogether",
        )
    # a word without a meaning stays as one: a rule with it is still a rule
    objects = tuple([m for word in entry.words if word not in wrong for m in names.members(word) or (word,)])
    if not objects:
        objects = tuple([m for word in entry.words for m in names.members(word)])
    names.defined.append((place, entry, objects))
    if kind == AGGREGATE:
        names.aggregates[name] = objects
    elif kind == PROPERTY:
        names.properties[name] = objects
    else:
        names.synonyms[name] = objects[0]


def _separated(line: SourceLine, faults: FaultCollector) -> str:
    for strange in dict.fromkeys(_NO_NAME.findall(line.code)):
        faults.error("script-layers", line.number, f"{strange} cannot separate names: write blanks or commas", strange)
    return re.sub(r"[^\w\s]", " ", line.code)


def _read_layers(names: ObjectNames, lines: Sequence[SourceLine], faults: FaultCollector) -> None:
    """Read the layer of each object (the last one that lists it), and the order of objects within layers."""
    ordered: list[list[str]] = []
    numbers: list[int] = []
    for line in within_limits(lines):
        words = _words(_separated(line, faults).split(), line, faults)
        if not words:
            continue
        if line.stray and not ordered:
            faults.error("script-layers", line.number, "this line is left out: no layer is open before its `)`", ")")
            continue
        if not line.stray:  # a line without a beginning continues the layer before
            ordered.append([])
            numbers.append(line.number)
        if len(set(words)) < len(words):
            faults.warning("script-layers", line.number, "a name is twice in this layer")
        if "background" in words and len(words) > 1:
            faults.error("script-layers", line.number, "background must have its own layer", "background")
        for word in words:
            if not names.defines(word):
                message = f"{word} is not defined{faults.unknown(word, *names.kinds())}"
                faults.error("script-unknown-name", line.number, message, word)
            elif names.is_aggregate(word):
                message = f"{word} is an aggregate (and): only objects and properties can be in layers"
                faults.error("script-aggregate", line.number, message, word)
            else:
                ordered[-1] += [member for member in names.members(word) if member in names.things]
    most = max(len(ordered), sum(map(len, ordered)))
    if most > MOST_OBJECTS:
        faults.give_up(
            "script-too-many", faults.last_line, f"{most:,} objects or layers: at most {MOST_OBJECTS:,} are allowed"
        )
    for layer, members in enumerate(ordered):
        for member in dict.fromkeys(members):
            if names.layer_of.get(member, layer) != layer:
                faults.warning("script-layers", numbers[layer], f"{member} is in two layers; this one counts")
            names.layer_of[member] = layer
    names.layers += [0] * len(ordered)
    names.objects += chain.from_iterable(ordered)
    names.number |= {member: number for number, member in enumerate(names.objects)}
    for member, layer in names.layer_of.items():
        names.layers[layer] |= 1 << names.number[member]


def _name_sets(names: ObjectNames, faults: FaultCollector) -> None:
    """Compute the objects of each name as a set of bits, and report objects without a layer."""
    for name, thing in names.things.items():
        if name not in names.number:
            faults.error("script-layers", thing.line, f"the object {name} is in no collision layer", name)
            if names.objects:  # for PuzzleScript it is the first one then, but in levels
                names.number[name] = 0
                if names.number[names.objects[0]]:  # the first one is there again, and is in no layer itself
                    faults.fatal("script-layers", thing.line, f"the object {name} is in no collision layer", name)
    masks = names.masks
    masks |= {name: 1 << names.number[name] for name in names.things if name in names.number}
    for _, entry, objects in sorted(names.defined, key=itemgetter(0)):  # of several meanings the last one counts
        checkpoint()
        if entry.kind == PROPERTY:
            masks[entry.name] = reduce(or_, {masks.get(name, 0) for name in objects}, 0)
        elif entry.kind == SYNONYM and entry.words[0] in masks:
            masks[entry.name] = masks[entry.words[0]]
    for name, members in names.aggregates.items():
        checkpoint()
        masks.setdefault(name, reduce(or_, {masks.get(member, 0) for member in members}, 0))
    for name, members in names.properties.items():
        layers = {names.layer_of.get(member) for member in members}
        layer = layers.pop() if len(layers) == 1 else None
        if layer is not None:
            names.layer_of_property[name] = layer


def _find_glyphs(names: ObjectNames, faults: FaultCollector) -> None:
    """Find the objects of each character in levels; if a character is defined twice, its first definition counts."""
    shown = {name: 1 << names.number[name] if name in names.layer_of else 0 for name in names.things}
    for _, entry, members in names.defined:
        if entry.kind == SYNONYM and entry.words[0] in shown:
            shown.setdefault(entry.name, shown[entry.words[0]])
        elif entry.kind == AGGREGATE and entry.name not in shown and names.things.keys() >= set(members):
            by_layer: dict[int, str] = {}
            faults.counted(entry.line, "", len([member for member in members if member not in names.layer_of]))
            for member in [member for member in members if member in names.layer_of]:
                first = by_layer.setdefault(names.layer_of[member], member)
                if first != member:
                    message = f"{entry.name} has {first} and {member}, which are in one layer and never in one cell"
                    faults.error("script-aggregate", entry.line, message, entry.name)
            shown[entry.name] = sum(shown[member] for member in by_layer.values())
    named = [entry.name for _, entry, _ in names.defined if entry.kind != PROPERTY]
    names.signs |= {name for name in (*names.things, *named) if len(name) == 1}
    kinds = (*names.things, *names.synonyms, *names.aggregates, *names.properties)
    names.glyphs |= {name: shown[name] for name in kinds if len(name) == 1 and name in shown}
