"""A solution as a film: which piece of a position is which one of the next.

Pieces of one kind are interchangeable, so those that stay where they are are matched first, then each of the others
with the nearest one of its kind. What finds no match goes, or comes. A **track** is what became of one piece: by frame
its look, row and column, or None while it is not there.
"""

from __future__ import annotations

from unpuzzle.drawing import Ground, picture_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from unpuzzle.drawing import Piece
    from unpuzzle.rendering.saving import Scene

    Appearance = tuple[str, float, float]
    """Look, row, column."""
    Track = list[Appearance | None]


class Film:
    """The ground of all positions, the pieces of each, and the tracks: `ground`, `frames`, `tracks`."""

    __slots__ = ("frames", "ground", "tracks")

    def __init__(self, scene: Scene) -> None:
        pictures = [picture_of(position) for position in scene.positions]
        self.ground = common_ground([ground for ground, _ in pictures])
        self.frames: list[list[Piece]] = [list(pieces) for _, pieces in pictures]
        self.tracks = self._tracked()

    def between(self, move: int, part: float) -> list[Piece]:
        """The pieces after so many moves and a part, from 0 to 1, of the next."""
        return [piece for track in self.tracks for piece in _at(track, move, part)]

    def _tracked(self) -> list[Track]:
        """What became of each piece; lower ones first."""
        tracks: list[Track] = []
        kinds: list[str] = []
        for number, frame in enumerate(self.frames):
            for track in tracks:
                track.append(None)
            for place, (look, row, column, kind) in _matched(tracks, kinds, frame):
                if place is None:
                    tracks.append([None] * (number + 1))
                    kinds.append(kind)
                tracks[-1 if place is None else place][number] = look, row, column
        layers = self.ground.layers()
        return sorted(tracks, key=lambda track: min(layers[seen[0]] for seen in track if seen))


def _at(track: Track, move: int, part: float) -> Iterator[Piece]:
    """The piece of a track, on its way: it keeps its look, and is there, until it arrives."""
    before = track[move]
    if before is not None:
        after = (part and track[move + 1]) or before
        row, column = (old + part * (new - old) for old, new in zip(before[1:], after[1:], strict=True))
        yield before[0], row, column, ""


def common_ground(grounds: Sequence[Ground]) -> Ground:
    """One ground for all: they differ only where texts that nobody described differ in size."""
    first = grounds[0]
    if all(ground is first or ground == first for ground in grounds):
        return first
    looks = {name: look for ground in grounds for name, look in ground.looks.items()}
    rows, columns = (max(sizes) for sizes in zip(*((ground.rows, ground.columns) for ground in grounds), strict=True))
    return Ground(rows, columns, looks, first.shapes, step=first.step, margin=first.margin)


def _matched(
    tracks: Sequence[Track], kinds: Sequence[str], frame: Iterable[Piece]
) -> Iterable[tuple[int | None, Piece]]:
    """Each piece of a frame with the number of the track that it continues, None if it begins one."""
    free: dict[str, dict[int, Appearance]] = {}
    for number, (track, kind) in enumerate(zip(tracks, kinds, strict=True)):
        before = track[-2]
        if before is not None:
            free.setdefault(kind, {})[number] = before
    moved = []
    for piece in frame:
        there = free.get(piece[3], {})
        same = next((number for number, before in there.items() if before[1:] == piece[1:3]), None)
        if same is None:
            moved.append(piece)
        else:
            del there[same]
            yield same, piece
    for piece in moved:
        there = free.get(piece[3], {})
        nearest = min(there, key=lambda number: _distance(there[number], piece), default=None)
        if nearest is not None:
            del there[nearest]
        yield nearest, piece


def _distance(before: Appearance, piece: Piece) -> float:
    return (before[1] - piece[1]) ** 2 + (before[2] - piece[2]) ** 2
