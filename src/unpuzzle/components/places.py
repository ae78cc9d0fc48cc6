"""Positions to try components on, as plain data, with the right answers of `successors`, `is_goal` and `cost` there."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from unpuzzle.components.child import NotPlainError, decode, encode
from unpuzzle.components.instances import Instance
from unpuzzle.errors import ParseError
from unpuzzle.puzzle.capabilities import ForComponents, offered
from unpuzzle.puzzle.position import Position


class LevelPlaces:
    """What the places of a level share: its name, the further arguments, and those that may be left out."""

    def __init__(self, instance: Instance) -> None:
        self.name: str = instance.name
        self.start: Position = instance.start
        special = offered(instance.start, ForComponents)
        self.arguments: dict[str, Any] = encode(special.component_arguments()) if special else {}
        self.assumed: frozenset[str] = frozenset(special.assumed_arguments() if special else ())


class Place:
    """A position of a level; `state` is its plain data as JSON has it."""

    def __init__(self, level: LevelPlaces, position: Position, way: tuple[str, ...]) -> None:
        self.level = level
        self.position = position
        self.way = way
        self.state: Any = state_of(position)
        self.solved: bool = position.solved()

    def successors(self) -> dict[str, tuple[list[str], Any, int]]:
        """Return the moves that lead to each other state, the state, and the least cost, by the state's key."""
        steps: dict[str, tuple[list[str], Any, int]] = {}
        own = key(self.position, self.state)
        for move, after in self.position.following().items():
            state, cost = state_of(after), self.position.cost(move)
            name = key(after, state)
            if name == own:
                continue
            moves, _, least = steps.get(name, ([], None, cost))
            steps[name] = ([*moves, move], state, min(cost, least))
        return steps


def state_of(position: Position) -> Any:
    """Return the plain data of a position. Raises ParseError where the game breaks the promise that it is plain."""
    special = offered(position, ForComponents)
    try:
        return encode(special.plain() if special else str(position))
    except NotPlainError as error:
        raise ParseError(f"plain() of {position.game.name} gives what is not plain data: {error}") from None


def key(position: Position, state: Any) -> str:
    """Return a text that is the same for all spellings of a state."""
    special = offered(position, ForComponents)
    if special is not None and type(special).respelled is not ForComponents.respelled:
        state = encode(special.respelled(decode(state)))
    return json.dumps(state, sort_keys=True)


def places_of(instances: Iterable[Instance]) -> list[Place]:
    """Return the places of all instances, each state once; those that few moves lead to come first."""
    places: dict[tuple[str, str], Place] = {}
    for instance in instances:
        level = LevelPlaces(instance)
        arguments = json.dumps(level.arguments, sort_keys=True)
        for position, way in instance.ways.items():
            place = Place(level, position, way)
            name = arguments, key(position, place.state)
            if name not in places or len(way) < len(places[name].way):
                places[name] = place
    return sorted(places.values(), key=lambda place: len(place.way))
