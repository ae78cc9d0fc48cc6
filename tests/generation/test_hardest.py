"""`generate --best`: the hardest levels of a number of candidates or of a time, whoever does the work."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Any

import pytest

from support.command_line import run, run_json
from unpuzzle import find, generate
from unpuzzle.base import outcomes as exits
from unpuzzle.base.errors import UsageError
from unpuzzle.base.run import Limits
from unpuzzle.generation import candidates as origins
from unpuzzle.generation import generating
from unpuzzle.generation.candidates import ChunkVerdicts, Numbers, Origin, descendant, numbers_used
from unpuzzle.model.capabilities import completed
from unpuzzle.translators.sliding_tiles import SlidingTiles

if TYPE_CHECKING:
    from unpuzzle.generation.generating import Generation

SMALL = {"size": (2, 3)}
ROOM = "########\n#   #  #\n#@$ *. #\n#   #  #\n########\n"


def hardest(number: int, **options: Any) -> Generation:
    return generate(SlidingTiles, SMALL, best=inf, candidates=number, moves=(0, None), **options)


def test_the_hardest_of_all_candidates_are_kept() -> None:
    kept: list[Generation] = []
    best = hardest(200, count=3, progress=kept.append)
    assert best.status == "complete"
    assert best.candidates == 200
    assert len(best.levels) == 3
    assert hardest(200).levels == best.levels[-1:]
    assert max(level.cost for made in kept for level in made.levels) == best.levels[-1].cost


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("sokoban", {"size": (3, 4), "boxes": 2}),
        ("sokoban", {"from": (ROOM,), "locked": "c5", "changes": 1}),
        ("boxup", {"size": (2, 4), "boxes": 4}),
    ],
)
def test_it_climbs(name: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Changes of the hardest levels lead higher than new candidates do, and are as the options say."""
    game = find(name)
    climbed = [generate(game, options, best=inf, candidates=256, seed=seed).levels[-1] for seed in (1, 2)]
    monkeypatch.setattr(origins, "NEW", 1.0)
    new = [generate(game, options, best=inf, candidates=256, seed=seed).levels[-1] for seed in (1, 2)]
    assert sum(level.cost for level in climbed) > sum(level.cost for level in new)
    for level in climbed:
        if "locked" in options:
            assert [row[4] for row in level.text.split("\n")[:5]] == ["#", "#", "*", "#", "#"]
        else:
            counted = sum(level.text.count(symbol) for symbol in ("$*" if name == "sokoban" else "nesw" + "NESW"))
            assert counted == options["boxes"]


def test_children_have_the_random_numbers_of_their_parents() -> None:
    game, options = find("sokoban"), completed(find("sokoban"), {})
    parent = Origin(7, 7)
    assert descendant(game, options, 1, parent) == descendant(game, options, 1, parent)
    used = numbers_used(game, options, 1, parent)
    same = parent.child(30, "", {used + 5: 0.5})  # beyond the last number
    assert str(descendant(game, options, 1, same)) == str(descendant(game, options, 1, parent))
    others = {str(descendant(game, options, 1, parent.child(30, "", {place: 0.01}))) for place in range(used)}
    assert len(others) > 2
    assert parent.child(30, "x", {2: 0.5}).child(31, "y", {1: 0.1, 2: 0.2}) == Origin(31, 7, ((1, 0.1), (2, 0.2)), "y")


def test_the_numbers_that_are_exchanged_are_those_named() -> None:
    plain, changed = (Numbers(SlidingTiles, 1, Origin(7, 7, exchanged)) for exchanged in ((), ((0, 0.5), (2, 0.25))))
    usual = [plain.random() for _ in range(4)]
    assert [changed.random() for _ in range(4)] == [0.5, usual[1], 0.25, usual[3]]
    assert changed.used == 4


def test_workers_do_not_matter() -> None:
    alone = hardest(300, seed=4, count=3)
    assert alone == hardest(300, seed=4, count=3, workers=2)
    assert alone.levels == hardest(300, seed=4, count=3, workers=3).levels


def test_each_answer_lets_a_chunk_be_sent_and_every_fourth_chunk_one_more() -> None:
    """The numbers of chunks that are sent before an answer is awaited."""
    climb, sent = origins.HardLevelSearch(SlidingTiles, completed(SlidingTiles, SMALL), 0, lambda level: ()), [0]
    while len(sent) <= 12:
        while climb.origins(range(1)) is not None:
            sent[-1] += 1
        climb.answer(ChunkVerdicts((("", "too_easy"),)))
        sent.append(sent[-1])
    assert sent[:-1] == [5, 6, 7, 9, 10, 11, 13, 14, 15, 17, 18, 19]


def test_it_gets_harder() -> None:
    seen: list[int] = []
    hardest(400, progress=lambda made: seen.extend(level.cost for level in made.levels))
    assert seen == sorted(seen)
    assert len(seen) > 5


def test_the_time_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time is over as soon as a level is there: that is what was asked for, and complete."""
    chunks: list[int] = []

    def judge(chunk: Any) -> Any:
        chunks.append(len(chunk.origins))
        verdicts = real(chunk)
        if len(chunks) < 3:
            return verdicts
        return type(verdicts)(verdicts.verdicts, "timeout")

    real = generating.judge_for(
        find("sliding-tiles").parse("1 0 2"), generating.LevelRequest(None, None, False, False, 1000)
    )
    monkeypatch.setattr(generating, "judge_for", lambda *_: judge)
    made = generate(SlidingTiles, SMALL, best=3_600)
    assert made.status == "complete"
    assert len(made.levels) == 1
    assert chunks == [generating.CHUNK_FOR_THE_HARDEST] * 3
    chunks.clear()
    limited = generate(SlidingTiles, SMALL, best=3_600, limits=Limits(time=1_800))
    assert limited.status == "timeout"
    assert len(limited.levels) == 1


def test_ctrl_c_keeps_what_was_found(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    real = generating._Making._take
    taken: list[str] = []

    def take(making: Any, key: str, verdict: Any) -> None:
        taken.append(key)
        if len(taken) > 100:
            raise KeyboardInterrupt
        real(making, key, verdict)

    monkeypatch.setattr(generating._Making, "_take", take)
    words = ["generate", "sliding-tiles", "--size", "2x3", "--best", "1h", "--workers", "1"]
    code, answer = run_json(capsys, *words)
    assert (code, answer["status"], len(answer["levels"])) == (exits.INTERRUPTED, "interrupted", 1)
    taken.clear()
    code, out, err = run(capsys, *words)
    assert code == exits.INTERRUPTED
    assert answer["levels"][0]["level"] in f"{out}\n"
    assert "interrupted" in err


def test_where_nothing_fits_there_is_none() -> None:
    made = generate(SlidingTiles, SMALL, best=inf, candidates=40, moves=(500, None))
    assert (made.status, made.levels) == ("gave_up", ())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["4x"], "--best must be a time such as 60s, 5m or 1h, or a number of candidates such as 2000, not 4x"),
        (["0s"], "--best must be a time"),
        (["0"], "--best must be a time"),
        (["nans"], "--best must be a time"),
        (["60s", "--all"], "leave out --all"),
        (["60s", "--candidates", "5"], "leave out --candidates"),
    ],
)
def test_wrong_values_are_refused_in_words(words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "generate", "sokoban", "--best", *words)
    assert (code, out) == (exits.BAD_INPUT, "")
    assert sentence in err


@pytest.mark.parametrize(("best", "candidates"), [(0, None), (-1.0, None), (inf, None), (float("nan"), 5)])
def test_from_python_too(best: float, candidates: int | None) -> None:
    with pytest.raises(UsageError):
        generate(SlidingTiles, SMALL, best=best, candidates=candidates)


def test_it_ends_where_all_candidates_are_known() -> None:
    made = generate(find("sliding-tiles"), {"size": "2x2"}, best=3600, workers=1)
    assert made.complete
    assert made.candidates < 6000
    assert [level.cost for level in made.levels] == [6]
    assert generate(find("sliding-tiles"), {"size": "2x2"}, best=3600, workers=2).candidates == made.candidates


def test_it_says_that_all_candidates_were_known(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["generate", "sliding-tiles", "--size", "2x2", "--workers", "1"]
    code, _, err = run(capsys, *words, "--best", "1h")
    assert code == exits.YES
    assert err.rstrip().endswith("; ended early: of the last 5,000 candidates none was new")
    assert run_json(capsys, *words, "--best", "1h")[1]["repeats"] == 5_000
    assert "known already" not in run(capsys, *words, "--best", "40")[2]


def test_known_candidates_do_not_prolong_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generating, "REPEATS", 10**9)
    made = generate(find("sliding-tiles"), {"size": "2x2"}, best=0.3, candidates=1_000_000)
    assert made.complete
    assert made.candidates < 1_000_000
