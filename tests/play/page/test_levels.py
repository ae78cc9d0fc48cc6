"""What a page is told of a level: small, right, and refused where it cannot be."""

from __future__ import annotations

import base64
import json
import re
import runpy
import zlib
from pathlib import Path
from zlib import crc32

import pytest

from support.browser import bundled
from support.registry import WITH_MOVES
from unpuzzle import Puzzle, find, solve
from unpuzzle.play import page_data, web_page
from unpuzzle.play.page_data import GroundOperators, StateTable, distinct
from unpuzzle.play.web_page import PlayableLevel, page, page_of_scene
from unpuzzle.rendering.saving import kind_of, render
from unpuzzle.rendering.scenes import Scene, picture_of
from unpuzzle.state_space import explore


def heads(html: str) -> list[dict[str, object]]:
    """The JSON of each level on a page."""
    found = []
    for text in re.findall(r'<script type="text/plain" class="level">(.*?)</script>', html):
        data = zlib.decompress(base64.b64decode(text), -15)
        start = next(number for number, byte in enumerate(data) if byte < 128) + 1
        found.append(json.JSONDecoder().raw_decode(data[start:].decode("utf-8", "replace"))[0])
    return found


def test_sizes() -> None:
    assert len(page([PlayableLevel.of(bundled("boxup", "3"))]).encode()) <= 25_600
    assert len(page([PlayableLevel.of(bundled("pacman", "dots"))]).encode()) <= 29_500
    assert len(page([PlayableLevel.of(bundled("sliding-tiles", "15-hard"))]).encode()) <= 31_500
    table = StateTable(explore(bundled("boxup", "6")))
    assert len(zlib.compress(table.packed(), 9)) <= 4 * len(table.positions)


def test_the_same_page_every_time() -> None:
    for level in (("boxup", "1", 20_000), ("pacman", "room", 100)):
        name, start, most = level
        assert len({page([PlayableLevel.of(bundled(name, start), max_states=most)]) for _ in range(2)}) == 1


@pytest.mark.parametrize("puzzle", WITH_MOVES)
def test_nothing_is_loaded_by_a_page(puzzle: str) -> None:
    text = page([PlayableLevel.of(find(puzzle).parse(next(iter(find(puzzle).levels.values()))))])
    assert "Content-Security-Policy" in text
    assert "default-src 'none'" in text
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", text)
    assert "unsafe" not in text


def test_placements_of_pieces_that_are_alike() -> None:
    assert distinct([("x", 0, 0, "k"), ("x", 0, 0, "k"), ("y", 0, 0, "k")]) == [
        ("x", 0, 0, "k", 0),
        ("x", 0, 0, "k", 1),
        ("y", 0, 0, "k", 0),
    ]


def test_text_of_a_puzzle_cannot_leave_its_place() -> None:
    class Tricky(Puzzle):
        name = "tricky</script>"
        title = 'A "title" {braces} <b>: & </title><script>alert(1)</script>'
        levels = {"1": "</script>\n"}
        one_letter_moves = False

        def __init__(self, text: str) -> None:
            self.text = text

        @classmethod
        def parse(cls, text: str, source: str | None = None) -> Tricky:
            return cls(text)

        def __str__(self) -> str:
            return self.text

        def following(self) -> dict[str, Tricky]:
            return {} if "x" in self.text else {"</script>": Tricky(self.text + "x")}

        def solved(self) -> bool:
            return "x" in self.text

    start = Tricky("<&\n")
    text = page([PlayableLevel.of(start, "</script><b>")])
    assert text.count("<script") == 2
    assert text.count("</script>") == 2
    assert "<b>" not in text
    assert heads(text)[0]["moves"] == ["</script>"]


# ---- too large for a table


def test_ground_operators_tell_every_piece() -> None:
    start = bundled("sliding-tiles", "15-easy")
    told = GroundOperators(start)
    assert len(told.numbers) == 15 * 16  # each tile in each cell; at home it looks otherwise
    assert not told.unseen
    assert [move for move, _ in told.moves] == ["D", "L", "R", "U"]


def test_a_piece_that_several_facts_tell_together() -> None:
    start = bundled("gogen", "six")
    told = GroundOperators(start)
    ticks = [placement for placement in told.numbers if placement[0] == "✓"]
    assert ticks
    assert {placement[0] for placement in told.numbers} >= {look for look, *_ in picture_of(start)[1]}


@pytest.mark.parametrize(
    ("puzzle", "level", "reason"),
    [
        ("blocksworld", "six", "pictures of blocksworld do not follow"),
        ("hanoi", "5", "of hanoi needs the position to find the move of"),
        ("24", "3-3-8-8", "24 "),
    ],
)
def test_without_operators_a_part_of_the_states_can_be_played(puzzle: str, level: str, reason: str) -> None:
    start = bundled(puzzle, level)
    large = PlayableLevel.of(start, max_states=4)
    assert re.search(f"^there are more positions than 4, and .*{reason}.*one solution", large.limitation)
    [head] = heads(page([large]))
    position = start
    for move in head["solution"]:
        position = position.apply(move)
    assert position.solved()
    assert "This page has one solution" in str(head["note"])


def test_a_solution_can_be_shown_all_the_same() -> None:
    start = bundled("hanoi", "5")
    moves = solve(start).moves
    assert moves is not None
    level = PlayableLevel.of(start, solution=moves, max_states=4)
    [head] = heads(page([level]))
    assert (head["states"], head["film"], head["solution"]) == (len(moves) + 1, 1, list(moves))
    assert level.states is None


# ---- files and notebooks


def test_a_page_is_a_kind_of_picture() -> None:
    scene = Scene.of(bundled("boxup", "1"), "ULDRR")
    assert kind_of("level.html") == ".html"
    [head] = heads(render(scene, ".html").decode())
    assert head["solution"] == [*"ULDRR"]
    assert head["states"] == 140


def test_a_small_page_has_the_states_of_small_levels_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for most, film in ((140, None), (139, 1)):
        monkeypatch.setattr(web_page, "FEW", most)
        [head] = heads(page_of_scene(Scene.of(bundled("boxup", "1"), [*"ULDRR"]), small=True))
        assert head.get("film") == film


def test_a_solution_in_a_notebook_is_soon_there() -> None:
    start = bundled("sliding-tiles", "8-hard")
    moves = solve(start).moves
    assert moves is not None
    [head] = heads(page_of_scene(Scene.of(start, moves), small=True))
    assert head["film"] == 1
    assert head["states"] == 32


# ---- The scripts that pages hold are made of the readable ones, and of nothing older


ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "src/unpuzzle/play/page"


def test_no_readable_script_is_newer() -> None:
    lines = (FOLDER / "shrunk/SOURCES").read_text().split("\n")[:-1]
    checksums = {name: checksum for checksum, name in map(str.split, lines)}
    sources = [*FOLDER.glob("*.js"), *FOLDER.glob("*.css")]
    assert checksums == {path.name: f"{crc32(path.read_bytes()):08x}" for path in sources}, (
        "run scripts/make/shrink_page_scripts.py"
    )


def test_they_are_what_the_minifier_makes() -> None:
    pytest.importorskip("rjsmin")
    pytest.importorskip("rcssmin")
    files = runpy.run_path(str(ROOT / "scripts/make/shrink_page_scripts.py"))["shrunk_files"]()
    assert files == {name: (FOLDER / "shrunk" / name).read_text(encoding="utf-8") for name in files}


def test_the_distances_of_a_table_are_as_its_docstring_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the page's script reads them: 0 is a dead end, else one more than 2n for a change of n, or -2n - 1 below 0."""
    table, numbers = StateTable(explore(find("sokoban").parse("######\n#@$ .#\n#    #\n######"))), list[int]()
    monkeypatch.setattr(page_data, "write", lambda out, number: numbers.append(number))
    table.packed()
    assert -1 in table.left
    start, *changes = numbers[len(table.edges) + sum(map(len, table.edges)) :]
    left = [start - 1]
    for parent in table.parents[1:]:
        if left[parent] < 0:
            left.append(-1)
        else:
            change = changes.pop(0) - 1
            left.append(-1 if change < 0 else left[parent] + (-(change + 1) // 2 if change % 2 else change // 2))
    assert left == table.left
