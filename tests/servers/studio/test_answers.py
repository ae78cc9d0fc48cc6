"""What the studio says of texts of each kind, while they change."""

import asyncio
import io
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from support.script_texts import script
from support.studio import Visitor, running
from support.thorough import THOROUGH
from support.waiting import wait_until
from unpuzzle.base.errors import LimitReached, ParseError, UsageError
from unpuzzle.base.run import Limits
from unpuzzle.processes import pool as pool_module
from unpuzzle.processes.pool import Pool, PoolJob, answered, serve
from unpuzzle.servers.studio.levels import play
from unpuzzle.servers.studio.making import like
from unpuzzle.servers.studio.requests import beginnings
from unpuzzle.servers.studio.server import Studio
from unpuzzle.servers.studio.texts import look, pddl_beside
from unpuzzle.servers.studio.windows import FIRST_ROUND, Windows

BIG = "; Big\n\n" + "\n".join(["#" * 30, "#@" + " " * 27 + "#", *["#" + " $ ." * 7 + "#"] * 7, "#" * 30]) + "\n"
"""A level that nobody solves soon."""


def test_the_levels_of_a_collection_are_judged(visitor: Visitor, folder: Path) -> None:
    one, two = visitor.edit("levels.sok", (folder / "levels.sok").read_text())
    assert (one["title"], one["first"], one["last"], two["first"], two["last"]) == ("One", 3, 5, 9, 13)
    assert visitor.badges(one["key"])[:4] == ["1 move", "1 push", "one best way", "no dead ends"]
    assert visitor.answer(one["key"])["moves"] == ["R"]
    assert visitor.badges(two["key"])[0] == "8 moves"
    assert visitor.await_event("level", lambda data: "picture" in data)["picture"].startswith("<svg")
    assert visitor.faults() == []


def test_an_unsolvable_level_says_why(visitor: Visitor) -> None:
    (level,) = visitor.edit("levels.sok", "#####\n#@$ #\n#####\n")
    assert visitor.badges(level["key"]) == ["no solution"]
    assert visitor.answer(level["key"])["why"] == ["there are more boxes than goals"]


def test_a_game_in_a_text_is_judged_and_played(visitor: Visitor, folder: Path) -> None:
    text = (folder / "storeroom.txt").read_text()
    first, *_ = visitor.edit("storeroom.txt", text)
    assert (first["title"], first["first"], first["last"]) == ("The near corner", 88, 92)
    assert visitor.badges(first["key"])[:4] == ["5 moves", "2 pushes", "one best way", "1 trap"]
    played = visitor.ask("play", path="storeroom.txt", text=text, level="1", moves=["r"], word="down", rules=True)
    assert (played["moves"], played["solved"], played["left"]) == (["r", "d"], False, 3)
    steps = played["rules"]["turns"][0]["steps"]
    push = next(step for step in steps if step["rule"] and step["line"])
    turn = {"key": played["rules"]["key"], "turn": 0, "step": push["number"]}
    drawn = visitor.ask("step", path="storeroom.txt", text=text, level="1", moves=played["rules"]["moves"], **turn)
    assert drawn["before"].startswith("<svg")
    assert drawn["after"].startswith("<svg")
    assert drawn["before"] != drawn["after"]
    turn["step"] = 999
    missing = visitor.ask("step", path="storeroom.txt", text=text, level="1", moves=["r"], **turn)
    assert missing["error"] == "there is no such step here"
    solved = visitor.ask("play", path="storeroom.txt", text=text, level="1", moves=["r", "d", "r", "d"], word="left")
    assert solved["solved"]


def test_only_what_changed_is_solved_again(visitor: Visitor, folder: Path) -> None:
    text = (folder / "storeroom.txt").read_text()
    before = visitor.edit("storeroom.txt", text)
    for level in before:
        visitor.answer(level["key"])
    lines = text.split("\n")
    lines[before[1]["first"] + 1] = lines[before[1]["first"] + 1].replace(".", "#", 1)
    after = visitor.edit("storeroom.txt", "\n".join(lines))
    assert [one["key"] == other["key"] for one, other in zip(before, after, strict=True)] == [True, False, True]
    visitor.answer(after[1]["key"])


def test_faults_have_places_and_corrections(visitor: Visitor, folder: Path) -> None:
    text = (folder / "river" / "domain.pddl").read_text().replace("(:predicates", "(:predicats", 1)
    visitor.edit("river/domain.pddl", text)
    fault = next(fault for fault in visitor.faults() if fault["severity"] == "error")
    assert fault["line"] == text[: text.index(":predicats")].count("\n") + 1
    assert fault["fix"] is not None
    assert ":predicates" in fault["fix"][4]


@pytest.mark.filterwarnings("ignore::unpuzzle.puzzlescript.compiling.text.FaultyGame")
@pytest.mark.parametrize(
    ("name", "text", "line", "said"),
    [
        ("game.txt", script(rules="[ Player ] -> [ Plaier ]"), 39, "did you mean 'player'?"),
        ("levels.sok", "; One\n\n#####\n#@$?#\n#####\n", 4, "bad symbol '?'"),
        ("rules.py", "x = 1\ny = (\n", 2, "this is not Python"),
        ("domain.pddl", "(define (domain d)\n (:predicats (a)))", 2, "did you mean ':predicates'?"),
    ],
)
def test_a_text_of_each_kind_has_its_faults(name: str, text: str, line: int, said: str, tmp_path: Path) -> None:
    told: list[Any] = []
    (fault,) = look({"path": str(tmp_path / name), "text": text}, told.append)["faults"]
    assert (fault["line"], fault["severity"]) == (line, "error")
    assert said in fault["message"]
    assert len(told) == 1


def test_a_domain_has_the_problems_beside_it(visitor: Visitor, folder: Path) -> None:
    (level,) = visitor.edit("river/domain.pddl", (folder / "river" / "domain.pddl").read_text())
    assert level["name"] == "crossing"
    assert visitor.badges(level["key"])[0] == "7 moves"


def test_what_lies_beside_a_text_counts_as_it_is_typed(visitor: Visitor, folder: Path) -> None:
    domain = (folder / "river" / "domain.pddl").read_text()
    problem = (folder / "river" / "crossing.pddl").read_text()
    name = re.search(r"\(domain ([^)]*)\)", domain)
    assert name is not None
    others = {"river/domain.pddl": domain.replace(name[0], "(domain other)")}
    visitor.edit("river/crossing.pddl", problem, unsaved=others)
    assert f"no file in the folder of the problem, or in the folder above, defines the domain '{name[1]}'" in [
        fault["message"] for fault in visitor.faults()
    ] + [data.get("error") for kind, data in visitor.events if kind == "look"]
    others = {"river/crossing.pddl": problem.replace("(:init", "(:init ; typed", 1)}
    (level,) = visitor.edit("river/domain.pddl", domain, unsaved=others)
    (saved,) = visitor.edit("river/domain.pddl", domain)
    assert level["key"] != saved["key"]
    assert visitor.badges(saved["key"])[0] == "7 moves"
    answer = visitor.http.post("edit", json={"path": "a.sok", "text": "", "window": "w1", "unsaved": {"../b.pddl": ""}})
    assert answer.status_code == 400


def test_a_problem_has_a_plan_step_by_step(visitor: Visitor, folder: Path) -> None:
    text = (folder / "river" / "crossing.pddl").read_text()
    (level,) = visitor.edit("river/crossing.pddl", text)
    assert visitor.badges(level["key"])[0] == "7 moves"
    plan = visitor.ask("plan", path="river/crossing.pddl", text=text, level=level["name"])
    assert (plan["cost"], plan["optimal"], plan["trace"]["valid"], len(plan["trace"]["steps"])) == (7, True, True, 7)
    assert all(step["added"] for step in plan["trace"]["steps"])


def test_a_problem_without_its_domain_says_so(visitor: Visitor, folder: Path) -> None:
    assert visitor.edit("alone.pddl", (folder / "river" / "crossing.pddl").read_text()) == []
    assert "no file in the folder of the problem" in visitor.await_event("look", lambda data: "levels" in data)["error"]


def test_a_level_of_a_bundled_puzzle_is_known_by_the_name_of_its_file(visitor: Visitor, folder: Path) -> None:
    text = (folder / "boxup-1.txt").read_text()
    (level,) = visitor.edit("boxup-1.txt", text)
    assert visitor.badges(level["key"])[0] == "5 moves"
    for chosen, puzzle in (("", "boxup"), ("hanoi", "hanoi")):
        assert visitor.ask("edit", path="boxup-1.txt", text=text, puzzle=chosen, window="w9")["puzzle"] == puzzle


def test_the_puzzle_of_a_level_can_be_chosen(visitor: Visitor, folder: Path) -> None:
    assert visitor.edit("level.txt", "A: 2 1\nB:\nC:\n") == []
    (level,) = visitor.edit("level.txt", "A: 2 1\nB:\nC:\n", puzzle="hanoi")
    assert visitor.badges(level["key"])[0] == "3 moves"


def test_a_puzzle_of_ones_own_runs_as_it_was_saved(visitor: Visitor, folder: Path) -> None:
    text = (folder / "count.py").read_text()
    (level,) = visitor.edit("count.py", text)
    assert visitor.badges(level["key"])[0] == "3 moves"
    assert [each["name"] for each in visitor.edit("count.py", text.replace("three", "four"))] == ["three"]
    visitor.edit("count.py", "def (")
    assert "this is not Python" in visitor.faults()[0]["message"]


def test_a_puzzle_that_never_ends_is_ended(visitor: Visitor, folder: Path, studio: Any) -> None:
    own = (folder / "count.py").read_text().replace('return ("a",) if', 'while True: pass\n        return ("a",) if')
    (folder / "stuck.py").write_text(own.replace('"count"', '"stuck"'))
    (level,) = visitor.edit("stuck.py", own)
    wait_until(lambda: studio.windows._windows["w1"].judging, "it is being judged")
    (level,) = visitor.edit("levels.sok", "#####\n#@$.#\n#####\n")
    assert visitor.badges(level["key"])[0] == "1 move"


def test_others_are_answered_while_one_takes_for_ever(visitor: Visitor) -> None:
    big, small = visitor.edit("levels.sok", f"{BIG}\n; Small\n\n#######\n#@ $ .#\n#######\n")
    assert visitor.badges(small["key"])[0] == "3 moves"
    assert not [data for kind, data in visitor.events if kind == "level" and data["key"] == big["key"] and data["done"]]
    played = visitor.ask("play", path="levels.sok", text=BIG, level="1", moves=[], word="right")
    assert played["moves"] == ["r"]


def test_levels_like_one_are_told_as_they_are_found(visitor: Visitor, folder: Path) -> None:
    text = (folder / "storeroom.txt").read_text()
    visitor.edit("storeroom.txt", text)
    visitor.ask("like", path="storeroom.txt", text=text, level="1", cost=5, seed=1)
    made = visitor.await_event("like", lambda data: data["done"])
    assert "error" not in made
    assert made["levels"]
    assert all(3 < level["cost"] < 10 and level["picture"].startswith("<svg") for level in made["levels"])


def test_without_a_limit_as_many_levels_are_made_as_are_shown() -> None:
    made = like(
        {"path": "a.sok", "text": "#######\n#@ $ .#\n#  $ .#\n#     #\n#######\n", "level": "1"},
        lambda _: None,
    )
    assert (made["status"], len(made["levels"])) == ("complete", 6)


def test_a_new_file_may_begin_with_a_level_of_a_puzzle() -> None:
    assert {"title": "Level of boxup", "path": "boxup-level.txt", "beginning": "boxup"} in beginnings()


def test_all_positions_are_drawn(visitor: Visitor, folder: Path) -> None:
    text = (folder / "levels.sok").read_text()
    drawn = visitor.ask("graph", path="levels.sok", text=text, level="2")
    assert drawn["picture"].startswith("<svg")
    assert "positions" in drawn["words"]


@pytest.mark.parametrize(
    ("kind", "begins"),
    [(".html", b"<!"), (".svg", b"<svg"), (".png", b"\x89PNG"), (".gif", b"GIF8"), (".pdf", b"%PDF")],
)
def test_files_are_made_for_the_browser_to_keep(visitor: Visitor, folder: Path, kind: str, begins: bytes) -> None:
    if kind in (".png", ".gif", ".pdf"):
        for module in ("resvg_py", "PIL", "reportlab"):
            pytest.importorskip(module)
    text, before = (folder / "levels.sok").read_text(), sorted(folder.rglob("*"))
    data = {"window": "w1", "path": "levels.sok", "text": text, "level": "1", "kind": kind, "moves": ["R"]}
    answer = visitor.http.post("export", json=data)
    assert answer.content.lower()[: len(begins)] == begins.lower()
    assert answer.headers["x-name"] == ("levels" + kind if kind in (".html", ".pdf") else "levels-1" + kind)
    assert sorted(folder.rglob("*")) == before


def test_a_sheet_and_a_page_are_as_was_asked_for(visitor: Visitor, folder: Path) -> None:
    pytest.importorskip("reportlab")
    text = (folder / "levels.sok").read_text()
    data = {"window": "w1", "path": "levels.sok", "text": text, "level": "1", "kind": ".pdf"}
    sheets = [
        visitor.http.post("export", json={**data, **more}).content
        for more in ({}, {"solutions": False}, {"cover": True}, {"rules": "Push.", "title": "Mine", "author": "Me"})
    ]
    assert [len(re.findall(rb"/Type /Page\b", sheet)) for sheet in sheets] == [2, 1, 3, 3]
    assert b"Mine" in sheets[3]
    game = (folder / "storeroom.txt").read_text()
    asked = {**data, "path": "storeroom.txt", "text": game, "kind": ".html"}
    plain, debugged = [visitor.http.post("export", json={**asked, "debug": debug}).text for debug in (False, True)]
    assert "Make a move to see which rules fire" in debugged
    assert "Make a move to see which rules fire" not in plain


def test_random_edits_never_break_it(visitor: Visitor, folder: Path) -> None:
    from random import Random

    rng, kinds = Random(7), ("levels.sok", "storeroom.txt", "river/domain.pddl", "river/crossing.pddl", "boxup-1.txt")
    texts = {path: (folder / path).read_text() for path in kinds}
    for number in range(10_000 if THOROUGH else 150):
        path = rng.choice(kinds)
        text = texts[path]
        at, length = rng.randrange(len(text) + 1), rng.choice((0, 0, 1, 1, 5, 60))
        added = rng.choice(("", "#", "$", "\n", " ", "(", ")", "]", "é", "\x00", "message x\n", text[at : at + 30]))
        texts[path] = (text[:at] + added + text[at + length :])[:20_000] or "#\n"
        answer = visitor.ask("edit", path=path, text=texts[path], revision=number)
        assert answer["code"] == 200
        if number % 50 == 49:  # from time to time somebody waits
            visitor.await_event("look", lambda data, number=number: data["revision"] == number and data["done"])
            visitor.events.clear()
            texts = {path: (folder / path).read_text() for path in kinds}
    (level,) = visitor.edit("levels.sok", "#####\n#@$.#\n#####\n", revision=-1)
    assert visitor.badges(level["key"])[0] == "1 move"


def test_two_windows_have_answers_of_their_own(studio: Any, visitor: Visitor, folder: Path) -> None:
    other = Visitor(studio, "w2")
    (mine,) = visitor.edit("levels.sok", "#####\n#@$.#\n#####\n")
    (theirs,) = other.edit("levels.sok", "######\n#@$ .#\n######\n")
    assert visitor.badges(mine["key"])[0] == "1 move"
    assert other.badges(theirs["key"])[0] == "2 moves"
    other.close()
    wait_until(lambda: "w2" not in studio.windows._windows, "the closed window is forgotten")


def test_a_closed_window_keeps_nothing_at_work(folder: Path) -> None:
    with running(folder, seconds=10_000.0) as studio:
        visitor = Visitor(studio)
        (level,) = visitor.edit("levels.sok", BIG)
        wait_until(lambda: studio.windows._windows["w1"].judging, "it is being judged")
        visitor.close()
        wait_until(lambda: all(worker.job is None for worker in studio.pool._workers), "nobody works any more")
        assert level["key"]


@pytest.mark.parametrize(("seconds", "rounds"), [(FIRST_ROUND / 2, 1), (FIRST_ROUND, 1), (FIRST_ROUND * 2, 2)])
def test_a_level_has_a_second_round_where_that_may_last_longer(seconds: float, rounds: int) -> None:
    jobs = list[PoolJob]()
    pool = SimpleNamespace(submit=lambda job: jobs.append(job) or job)
    windows = Windows(cast("Pool", pool), lambda *_: None, seconds=seconds, memory=1)
    windows.edit("w", {"path": "a.sok", "text": ""})
    jobs[0].tell({"levels": [{"key": "k", "name": "1"}]}, True)
    jobs[1].tell({"decided": False}, True)
    assert [job.seconds for job in jobs[1:]] == [min(FIRST_ROUND, seconds), seconds][:rounds]


def test_of_many_changes_of_a_step_twelve_are_told() -> None:
    text = script("[ right Player | Crate ] -> [ right Player | right Crate ]", levels="p*.\n" * 7)
    request = {"path": "a.txt", "text": text, "level": "0", "word": "right", "rules": True}
    (turn,) = play(request, lambda *_: None)["rules"]["turns"]
    changes = max((step["changes"] for step in turn["steps"]), key=len)
    assert (len(changes), changes[-1]) == (13, "and 9 more")  # of three cells in seven rows


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ParseError("bad", file="a.sok", line=3, column=2), {"error": "bad", "line": 3, "verdict": "refused"}),
        (UsageError("not so"), {"error": "not so", "line": None, "verdict": "refused"}),
        (LimitReached("timeout", "enough"), {"error": "enough", "status": "timeout", "verdict": "undecided"}),
        (MemoryError(), {"error": "the memory limit was reached", "status": "memout", "verdict": "undecided"}),
        (ValueError("odd"), {"error": "ValueError: odd", "verdict": "broken"}),
    ],
)
def test_an_error_of_a_job_is_its_answer(error: Exception, told: dict[str, Any]) -> None:
    def work(*_: object) -> dict[str, Any]:
        raise error

    assert answered(work, {"path": "a.sok"}, lambda _: None, Limits()) == told


def test_what_a_puzzle_prints_goes_nowhere(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdout", sys.stdout)
    monkeypatch.setattr(sys, "stderr", sys.stderr)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr(pool_module, "receive_signals", lambda: None)
    monkeypatch.setattr(pool_module, "private_streams", lambda: (io.BytesIO(), io.BytesIO()))
    monkeypatch.setattr(pool_module, "_do_jobs", lambda *_: print("noise"))
    serve()
    assert capsys.readouterr().out == ""


@pytest.mark.filterwarnings("error")
def test_files_beside_a_text_that_do_not_count_are_left_out_without_a_word(tmp_path: Path) -> None:
    """Of a text that is typed, each letter would bring the warning again."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "gone.pddl").symlink_to(tmp_path / "nowhere.pddl")
    (tmp_path / "gone.pddl").symlink_to(tmp_path / "nowhere.pddl")
    (tmp_path / "a" / "d.pddl").write_text("(define (domain d))")
    assert [text.kind for text in pddl_beside(str(tmp_path / "a" / "p.pddl"), {})] == ["domain"]


def test_a_studio_is_ready_when_its_server_has_started() -> None:
    told: list[bool] = []

    async def serve() -> None:
        server = SimpleNamespace(started=False)
        telling = asyncio.create_task(
            Studio._tell_ready(cast("Any", SimpleNamespace(_server=server)), lambda: told.append(server.started))
        )
        await asyncio.sleep(0.03)
        server.started = True
        await telling

    asyncio.run(serve())
    assert told == [True]
