"""Films: which piece of a position is which one of the next.

Pieces of one kind are interchangeable. So pieces that stay where they are are matched first, then each of the others
with the nearest one of its kind. A piece without a match comes, or goes. A **track** follows one piece: by frame its
look, row and column, or None while it is not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import dist

from unpuzzle.drawing import Ground, Piece
from unpuzzle.rendering.scenes import Scene
from unpuzzle.rendering.subjects import picture_of

Appearance = tuple[str, float, float]
"""Look, row, column."""
Track = list[Appearance | None]


@dataclass(frozen=True, slots=True)
class Film:
    """The positions of a scene as frames: one ground, the pieces of each frame, and the tracks of the pieces."""

    ground: Ground
    frames: Sequence[Sequence[Piece]]
    tracks: Sequence[Track]

    @classmethod
    def of(cls, scene: Scene) -> Film:
        """Return the film of a scene."""
        pictures = [picture_of(subject) for subject in scene.subjects]
        ground = common_ground([ground for ground, _ in pictures])
        frames = [pieces for _, pieces in pictures]
        return cls(ground, frames, _tracks(ground, frames))

    def between(self, move: int, part: float) -> list[Piece]:
        """Return the pieces after some moves and a part, from 0 to 1, of the next move.

        A piece on its way keeps its look until it arrives.
        """
        pieces = []
        for track in self.tracks:
            if before := track[move]:
                after = (part and track[move + 1]) or before
                row, column = (old + part * (new - old) for old, new in zip(before[1:], after[1:], strict=True))
                pieces.append((before[0], row, column, ""))
        return pieces


def common_ground(grounds: Sequence[Ground]) -> Ground:
    """Return one ground for all: they differ only where nobody described the pictures and texts differ in size."""
    first = grounds[0]
    if all(ground is first or ground == first for ground in grounds):
        return first
    looks = {name: look for ground in grounds for name, look in ground.looks.items()}
    rows, columns = (max(sizes) for sizes in zip(*((ground.rows, ground.columns) for ground in grounds), strict=True))
    return Ground(rows, columns, looks, first.shapes, step=first.step, margin=first.margin)


def _tracks(ground: Ground, frames: Sequence[Sequence[Piece]]) -> list[Track]:
    """Return the track of each piece, those of lower looks first."""
    tracks: list[Track] = []
    kinds: list[str] = []
    for number, frame in enumerate(frames):
        for track in tracks:
            track.append(None)
        for place, (look, row, column, kind) in _matches(tracks, kinds, frame):
            if place is None:
                tracks.append([None] * (number + 1))
                kinds.append(kind)
            tracks[-1 if place is None else place][number] = look, row, column
    layers = ground.layers()
    return sorted(tracks, key=lambda track: min(layers[appearance[0]] for appearance in track if appearance))


def _matches(
    tracks: Sequence[Track], kinds: Sequence[str], frame: Iterable[Piece]
) -> Iterable[tuple[int | None, Piece]]:
    """Yield each piece of a frame with the number of the track that it continues, or None."""
    free: dict[str, dict[int, Appearance]] = {}
    for number, (track, kind) in enumerate(zip(tracks, kinds, strict=True)):
        before = track[-2]
        if before is not None:
            free.setdefault(kind, {})[number] = before
    others = []
    for piece in frame:
        there = free.get(piece[3], {})
        same = next((number for number, before in there.items() if before[1:] == piece[1:3]), None)
        if same is None:
            others.append(piece)
        else:
            del there[same]
            yield same, piece
    for piece in others:
        there = free.get(piece[3], {})
        nearest = min(there, key=lambda number: dist(there[number][1:], piece[1:3]), default=None)
        if nearest is not None:
            del there[nearest]
        yield nearest, piece
