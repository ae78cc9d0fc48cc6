"""What is data for SECURITY.md runs nothing and opens nothing, whatever it says; nor does it reach the network."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import pytest

from support.command_line import TINY_DOMAIN, TINY_PROBLEM
from support.modules import ROOT
from support.mutated_texts import escapes, kinds, mutated
from support.script_texts import script
from support.thorough import at_most
from unpuzzle import find, pddl, solve, translators
from unpuzzle.base.errors import UnsupportedFeature
from unpuzzle.puzzlescript.game import game_of

ACTS = ("open", "exec", "compile", "import", "os.", "subprocess.", "socket.", "pickle.", "ctypes.", "urllib.")
_HEARD: list[str] = []
_LISTENING: list[bool] = []


def _hear(event: str, arguments: tuple[object, ...]) -> None:
    meter = event == "open" and str(arguments[0]).startswith("/proc/self/")  # our own memory is measured
    if _LISTENING and event.startswith(ACTS) and not meter:
        _HEARD.append(f"{event} {arguments}")


@cache
def _listen() -> None:
    sys.addaudithook(_hear)  # for good: Python cannot take it back


@contextmanager
def heard() -> Iterator[list[str]]:
    """Give what Python is asked for meanwhile, as its audit events tell."""
    _listen()
    _HEARD.clear()
    _LISTENING.append(True)
    try:
        yield _HEARD
    finally:
        _LISTENING.clear()


def assert_nothing_is_done(work: Callable[[], object]) -> None:
    work()  # what it needs of ours is loaded
    with heard() as acts:
        work()
    assert acts == []


EVIL = "; (load 'x.lisp') #.(run-shell-command 'id') -*- eval: (shell 'id') -*- %n {0.__class__} file:///etc/passwd\n"


def test_pddl_and_plans_run_and_open_nothing() -> None:
    domain = EVIL + TINY_DOMAIN.replace("tiny", "__import__").replace("nowhere", "eval").replace("go", "os.system")
    problem = EVIL + TINY_PROBLEM.replace("tiny", "__import__").replace("problem p", "problem https---example-org")

    def work() -> None:
        assert not [fault for fault in pddl.lint(domain, problem) if fault.severity == "error"]
        task = pddl.parse_task(domain, problem, domain_name="/etc/passwd", problem_name="http://example.org")
        for planner in ("native", "reference"):
            assert solve(task, planner).cost == 1
        assert pddl.validate(task, pddl.parse_plan(EVIL + "(os.system)\n", "/etc/shadow")).valid

    assert_nothing_is_done(work)


@pytest.mark.parametrize("name", translators.names())
def test_levels_run_and_open_nothing(name: str) -> None:
    game = find(name)
    text = next(iter(game.levels.values()))

    def work() -> None:
        position = game.parse(text, "/etc/passwd")
        position.draw()
        with suppress(UnsupportedFeature):  # a crossword of clues alone has no moves
            for move in [*position.moves()][:2]:
                position.apply(move).solved()

    assert_nothing_is_done(work)


def test_a_game_in_puzzlescript_runs_and_opens_nothing() -> None:
    prelude = "homepage http://example.org/x.js\nauthor __import__('os').system('id')"
    text = script(prelude=prelude, title="/etc/passwd $(id)")

    def work() -> None:
        game = game_of(text, "__import__", "/etc/passwd")
        assert solve(game.parse(next(iter(game.levels.values())))).cost == 1

    assert_nothing_is_done(work)


def test_files_of_crosswords_and_clues_run_and_open_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("puz", "numpy"):
        pytest.importorskip(name, reason="the extra `words` is not installed")
    from support.crossword_files import ipuz_text, puz_bytes, sheet
    from unpuzzle.planners.clues.local_sources import ClueFile
    from unpuzzle.translators.crossword import files

    words = {"1A": "=cmd|'/C calc'!A0", "1D": "http://example.org/x.js", "3A": EVIL, "2D": "__import__('os')"}
    made = sheet(("..", ".."), words, ("AB", "CD"), title="/etc/passwd", author="$(id)")
    packed, text = puz_bytes(made), ipuz_text(made)
    assert_nothing_is_done(lambda: (files.puz_level(packed, "/etc/passwd"), files.as_level(text, "http://example.org")))
    monkeypatch.setenv("UNPUZZLE_CACHE", str(tmp_path / "cache"))
    clues = tmp_path / "clues.csv"
    clues.write_text("answer,clue\n" + "".join(f'ABBA,"{clue.strip()}"\n' for clue in words.values()))
    ClueFile(str(clues))
    with heard() as acts:
        ClueFile(str(clues))
    own = (f"open ('{clues}'", f"open ('{tmp_path / 'cache'}")  # the file that was named, and the index of it
    assert [act for act in acts if not act.startswith(own)] == []


def test_every_page_has_a_policy_that_forbids_what_is_not_its_own() -> None:
    """Their policies: of a template what fills its head, of the studio what goes with each answer."""
    makers = {"report.html": "rendering/reports.py", "player.html": "play/web_page.py"}
    makers["studio.html"] = "servers/studio/server.py"
    pages = sorted((ROOT / "src/unpuzzle").rglob("*.html"))
    assert {page.name for page in pages} == set(makers)
    for page in pages:
        maker = (ROOT / "src/unpuzzle" / makers[page.name]).read_text()
        assert "\"default-src 'none'; " in maker
        assert "unsafe-" not in maker
        named = 'http-equiv="Content-Security-Policy" content="{policy}"' in page.read_text()
        assert named or '"content-security-policy": POLICY' in maker


def test_what_would_be_done_is_heard(tmp_path: Path) -> None:
    with heard() as acts:
        (tmp_path / "file").write_text("")
        exec("1")
    assert [act.split()[0] for act in acts if act.startswith(("open", "exec"))] == ["open", "exec"]


# ---- Damaged texts of every format are read, or refused with an error of ours: never anything else


@pytest.mark.parametrize("shard", range(4))
def test_no_damaged_text_breaks_a_reader(shard: int) -> None:
    """All together some thousands; `scripts/compare/mutate_texts.py` tries as many as one likes."""
    broken = [
        f"{kind}, seed {seed}: {error!r} for {data[:2000]!r}"
        for seed in range(shard, at_most(40), 4)
        for kind, data, error in escapes(seed)
    ]
    assert not broken


def test_every_text_that_is_right_is_read() -> None:
    for kind, (texts, read) in kinds().items():
        assert texts or kind.startswith("level of"), kind
        for text in texts:
            read(text)


def test_texts_are_damaged() -> None:
    from random import Random

    texts = kinds()["PDDL domain"][0]
    damaged = [mutated(Random(seed), texts[0], texts) for seed in range(50)]
    assert len(set(damaged)) > 40
