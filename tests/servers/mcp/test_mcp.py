"""`unpuzzle mcp`, asked by a real client over its standard input and output."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from pathlib import Path
from typing import Any

import psutil
import pytest

from support.command_line import TINY_DOMAIN, TINY_PROBLEM, run
from support.mcp_client import Agent, agent
from support.modules import ROOT
from support.waiting import PATIENCE, is_gone, wait_until
from unpuzzle import find, solve
from unpuzzle.base.outcomes import verdict_of
from unpuzzle.pddl.linting.fault import Edit, edited
from unpuzzle.servers.mcp.inputs import Bounds
from unpuzzle.servers.mcp.server import Tools
from unpuzzle.workspace.asking import Commands, Reply

DOMAIN = (ROOT / "docs/files/river/domain.pddl").read_text()
PROBLEM = (ROOT / "docs/files/river/p1.pddl").read_text()
TOOLS = ["puzzles", "lint", "plan", "validate", "explain", "check", "same", "explore", "draw"]
WRONG_DOMAIN = """(define (domain delivery)
  (:requirements :strips)
  (:types place parcel)
  (:predicates (van-at ?p - place) (at ?x - parcel ?p - place) (in ?x - parcel) (road ?a ?b - place))
  (:action drive
    :parameters (?a ?b - plase)
    :precondition (and (van-at ?a) (roads ?a ?b))
    :effect (and (not (van-at ?a)) (van-at ?b)))
  (:action load
    :parameters (?x - parcel ?p - place)
    :precondition (and (van-at ?p) (at ?x ?p))
    :effect (and (not (at ?x ?p)) (in ?x)))
  (:action unload
    :parameters (?x - parcel ?p - place)
    :precondition (and (van-at ?p) (in ?x))
    :effect (and (not (in ?x)) (at ?x ?pp)))
"""
"""A misspelt type, predicate and variable, a requirement and a bracket too few."""
WRONG_PROBLEM = """(define (problem one) (:domain delivery)
  (:objects depot home - place box - parcel)
  (:init (van-at depot) (at box depot))
  (:goal (at box home)))
"""
"""Without the road, there is no plan."""


@pytest.fixture(scope="module")
def ask() -> Iterator[Agent]:
    """A client of a server that these tests share."""
    with agent() as started:
        yield started


def test_an_agent_that_only_reads_answers_comes_from_a_wrong_domain_to_a_valid_plan(ask: Agent) -> None:
    said: list[tuple[str, str]] = []

    def call(tool: str, **arguments: str) -> dict[str, Any]:
        answer = ask(tool, **arguments)
        said.append((tool, answer["verdict"]))
        return answer

    texts = {"domain": WRONG_DOMAIN, "problem": WRONG_PROBLEM}
    call("puzzles")
    answer = call("plan", **texts)
    while answer["verdict"] != "yes":
        assert len(said) < 8, said
        if answer["verdict"] == "refused":
            assert all(fault["line"] and fault["column"] and fault["code"] for fault in answer["faults"])
            answer = call("lint", **texts)
            for name, text in answer["corrected"].items():
                texts[name.removesuffix(".pddl")] = text
            faults = ask("lint", **texts)["faults"]
            for name, text in texts.items():  # this agent finds all suggestions good
                own = [fault["suggestion"] for fault in faults if fault["file"] == f"{name}.pddl"]
                texts[name] = edited(text, [Edit(**change) for change in own if change])
        elif answer["verdict"] == "no":
            answer = call("explain", game=texts["domain"], level=texts["problem"])
            facts = " ".join(answer["excuses"][0]["add"])
            assert answer["next_step"] == f"if the task is wrong, this would make a plan possible: add {facts}"
            texts["problem"] = texts["problem"].replace("(:init", f"(:init {facts}", 1)
        answer = call("plan", **texts)
    judged = call("validate", **texts, plan="\n".join(answer["plan"]))
    level = {"game": texts["domain"], "level": texts["problem"]}
    call("explore", **level)
    call("draw", **level)
    same = {f"{name}{number}": text for name, text in texts.items() for number in (1, 2)}
    call("same", **same)
    assert judged["verdict"] == "yes"
    assert judged["cost"] == 3
    assert len(said) == 10, said
    assert [tool for tool, _ in said][1:7] == ["plan", "lint", "plan", "explain", "plan", "validate"]


def test_each_tool_says_what_it_takes_and_what_it_returns(ask: Agent) -> None:
    tools = {tool.name: tool for tool in ask.portal.call(ask.client.list_tools).tools}
    assert list(tools) == TOOLS
    for tool in tools.values():
        assert tool.description
        assert {"verdict", "status", "message", "faults", "next_step"} <= set(tool.output_schema["properties"])
        assert all(argument.get("description") for argument in tool.input_schema["properties"].values()), tool.name


def test_every_tool_answers(ask: Agent) -> None:
    hanoi = find("hanoi")
    task = hanoi.parse(hanoi.levels["3"]).task()
    assert task is not None

    river = {"domain": DOMAIN, "problem": PROBLEM}
    said = {
        "puzzles": ask("puzzles"),
        "lint": ask("lint", **river),
        "plan": ask("plan", **river, planner="reference"),
        "solve": ask("plan", domain="boxup", problem="1"),
        "text": ask("plan", domain="boxup", problem=find("boxup").levels["1"]),
        "script": ask("plan", domain=SCRIPT, problem="1"),
        "validate": ask("validate", **river, plan="(row left right goat)\n(row left right goat)\n"),
        "explain": ask("explain", game="lights-out", level="unsolvable"),
        "sudoku": ask("explain", game="sudoku", level="4x4"),
        "check": ask("check", game="boxup", level="1"),
        "wrong": ask("check", game="hanoi", level="3", domain=HANOI.replace("(not (on ?d ?from))", "")),
        "same": ask("same", domain1=DOMAIN, problem1=PROBLEM, domain2=DOMAIN, problem2=PROBLEM),
        "explore": ask("explore", game="boxup", level="1"),
        "some": ask("explore", game="boxup", level="1", max_states=3),
        "draw": ask("draw", game="boxup", level="1", moves="UL", svg=True),
        "illegal": ask("draw", game="boxup", level="1", moves="UU"),
    }
    assert "hanoi" in [puzzle["name"] for puzzle in said["puzzles"]["puzzles"]]
    assert said["lint"]["verdict"] == "yes"
    assert (said["plan"]["cost"], said["plan"]["optimal"], len(said["plan"]["plan"])) == (7, True, 7)
    assert said["solve"]["moves"] == said["text"]["moves"] == ["U", "L", "D", "R", "R"]
    storeroom = find("storeroom")
    assert said["script"]["cost"] == solve(storeroom.parse(storeroom.levels["1"])).cost
    assert (said["validate"]["verdict"], said["validate"]["step"]) == ("no", 2)
    assert said["validate"]["mending"]
    assert (said["explain"]["solvable"], len(said["explain"]["excuses"])) == (False, 1)
    assert said["sudoku"]["game"]["technique"]
    assert (said["check"]["verdict"], said["check"]["states"]) == ("yes", 140)
    assert said["wrong"]["verdict"] == "no"
    assert said["wrong"]["difference"]["second"]
    assert said["same"]["exhaustive"]
    assert (said["explore"]["solvable"], said["explore"]["cost"]) == (True, 5)
    assert (said["some"]["verdict"], said["some"]["status"]) == ("undecided", "gave_up")
    assert said["draw"]["svg"].startswith("<svg")
    assert (said["illegal"]["verdict"], said["illegal"]["step"]) == ("no", 2)


HANOI = (ROOT / "translators/hanoi.pddl").read_text()
SCRIPT = (ROOT / "puzzlescript/games/storeroom.txt").read_text()


def test_no_file_is_read_without_a_root(ask: Agent, tmp_path: Path) -> None:
    secret = tmp_path / "secret.pddl"
    secret.write_text(DOMAIN)

    answers = [
        ask("plan", domain=str(secret), problem=PROBLEM),
        ask("plan", domain="boxup", problem=str(secret)),
        ask("lint", game=str(secret)),
        ask("explore", game=str(secret), level=PROBLEM),
        ask("plan", domain=DOMAIN, problem=PROBLEM, planner=f"command:cat {secret}"),
        ask("plan", domain=DOMAIN, problem=PROBLEM, planner=f"clues:{secret}"),
    ]
    assert [answer["verdict"] for answer in answers] == ["refused"] * len(answers)
    assert all("--root" in answer["message"] for answer in answers[:4])


def test_moves_and_plans_are_never_names_of_files(ask: Agent, tmp_path: Path) -> None:
    (tmp_path / "moves").write_text("UL")
    (tmp_path / "plan").write_text("(row left right goat)")

    answers = [
        ask("draw", game="boxup", level="1", moves=str(tmp_path / "moves")),
        ask("validate", domain=DOMAIN, problem=PROBLEM, plan=str(tmp_path / "plan")),
    ]
    assert [answer["verdict"] for answer in answers] == ["refused", "refused"]


def test_files_below_the_root_are_read_and_no_others(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside.pddl"
    (root / "tasks").mkdir(parents=True)
    outside.write_text(DOMAIN)
    (root / "tasks/domain.pddl").write_text(DOMAIN)
    (root / "tasks/p1.pddl").write_text(PROBLEM.replace("goat", "gaot", 1))
    (root / "link.pddl").symlink_to(outside)
    (root / "game.py").write_text("open('ran', 'w')\n")
    with agent("--root", str(root)) as ask:
        plan, lint, *others = [
            ask("plan", domain="tasks/domain.pddl", problem=PROBLEM),
            ask("lint", domain="tasks/domain.pddl", problem="tasks/p1.pddl"),
            ask("plan", domain="../outside.pddl", problem=PROBLEM),
            ask("plan", domain=str(outside), problem=PROBLEM),
            ask("plan", domain="link.pddl", problem=PROBLEM),
            ask("plan", domain="tasks/missing.pddl", problem=PROBLEM),
            ask("explore", game="game.py", level="1"),
        ]
    assert plan["cost"] == 7
    assert {fault["file"] for fault in lint["faults"]} == {"tasks/p1.pddl"}
    assert [other["verdict"] for other in others] == ["refused"] * 5
    assert not list(tmp_path.rglob("ran"))


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("plan", {"domain": "boxup", "problem": "17"}, "unknown level '17'"),
        ("plan", {"domain": "boxxup", "problem": "1"}, "did you mean 'boxup'"),
        ("plan", {"domain": "boxup", "problem": "1", "planner": "natve"}, "did you mean 'native'"),
        ("plan", {"domain": DOMAIN, "problem": PROBLEM, "planner": "fast-downward"}, "unknown kind of planner"),
        ("plan", {"domain": DOMAIN, "problem": PROBLEM, "planner": "up:pyperplan"}, "unknown kind of planner"),
        ("plan", {"domain": "boxup\0", "problem": "1"}, "the argument 'domain' has a NUL character"),
        ("draw", {"game": "boxup", "level": "1", "moves": "U\0"}, "the argument 'moves' has a NUL character"),
        ("lint", {}, "give at least one text"),
        ("check", {"game": DOMAIN, "level": PROBLEM}, "call `same`"),
        ("plan", {"domain": "x\n" * (3 << 20), "problem": PROBLEM}, "4 MB"),
        ("explain", {"game": DOMAIN, "level": PROBLEM, "action": "--help"}, "--help"),
        ("plan", {"domain": "boxup", "problem": "1", "secnds": 1}, "no argument 'secnds', did you mean 'seconds'?"),
        ("puzzles", {"size": 3}, "no argument 'size'; it takes none"),
        ("plan", {"domain": "boxup"}, "plan: the argument 'problem' is missing"),
        ("plan", {"domain": 5, "problem": "1"}, "the argument 'domain' must be a string, not 5"),
        ("plan", {"domain": "boxup", "problem": "1", "seconds": "x"}, "'seconds' must be a number, not 'x'"),
        ("same", {"domain1": ""}, "'problem1' is missing; the argument 'domain2' is missing"),
        ("explore", {"game": "boxup", "level": "1", "max_states": 0}, "'max_states' must be greater than 0, not 0"),
        ("draw", {"game": "boxup", "level": "1", "svg": "x"}, "'svg' must be a boolean, not 'x'"),
    ],
)
def test_wrong_arguments_are_answered(ask: Agent, tool: str, arguments: dict[str, Any], words: str) -> None:
    answer = ask(tool, **arguments)
    assert answer["verdict"] == "refused"
    assert words in answer["message"]


def test_a_domain_may_be_called_a_game_and_a_problem_a_level(ask: Agent) -> None:
    answers = [ask("plan", game="boxup", level="1"), ask("plan", domain="boxup", problem="1")]
    assert [(answer["verdict"], answer["cost"]) for answer in answers] == [("yes", 5)] * 2
    for tool in ("explain", "explore", "draw"):
        assert ask(tool, domain=DOMAIN, problem=PROBLEM)["verdict"] == "yes"
        answer = ask(tool, domain=DOMAIN, game=DOMAIN, problem=PROBLEM)
        assert (answer["verdict"], "there is no argument 'domain'" in answer["message"]) == ("refused", True)
    assert "call `same`" in ask("check", game=DOMAIN, level=PROBLEM, domain=DOMAIN)["message"]  # it has both names


def test_it_opens_no_port(ask: Agent) -> None:
    assert ask("lint", domain=DOMAIN)["verdict"] == "yes"
    (server,) = _alone("mcp")[:1]
    assert not [each for process in (server, *server.children(recursive=True)) for each in process.net_connections()]


HARD = {"domain": "sliding-tiles", "problem": "15-hard", "planner": "native:blind"}


def test_limits_hold_whatever_a_call_asks_for() -> None:
    with agent("--call-time", "1") as ask:
        answer = ask("plan", **HARD, seconds=9999)
    assert (answer["verdict"], answer["status"], answer["plan"]) == ("undecided", "timeout", None)


def test_a_limit_of_memory_holds() -> None:
    with agent("--call-memory", "64M") as ask:
        answer = ask("plan", **HARD)
    assert (answer["verdict"], answer["status"]) == ("undecided", "memout")


def _alone(*words: str) -> list[psutil.Process]:
    """Return our descendants whose command line has these words."""
    found = []
    for process in psutil.Process().children(recursive=True):
        try:
            if {*words} <= {*process.cmdline()}:
                found.append(process)
        except psutil.Error:
            continue
    return found


def _searching() -> list[psutil.Process]:
    """Return the processes of a search: one that has worked for a second, and the one that it is a copy of."""
    for process in psutil.Process().children(recursive=True):
        try:
            parent = process.parent()
            copied = parent is not None and parent.cmdline() == process.cmdline()
            if copied and parent is not None and sum(process.cpu_times()[:2]) > 1:
                return [process, parent]
        except psutil.Error:
            continue
    return []


@pytest.mark.parametrize("end", ["kill", "cancel"])
def test_nothing_is_left_of_a_call_whose_server_or_client_is_gone(end: str) -> None:
    searches: list[psutil.Process] = []

    def call_and_end() -> None:
        with agent("--call-time", "3600") as ask:
            call = ask.begin("plan", **HARD, seconds=3600)
            wait_until(lambda: searches.extend(_searching()) or searches, "the search has begun")
            if end == "cancel":
                call.cancel()
                with pytest.raises(CancelledError):
                    call.result()
                wait_until(lambda: all(map(is_gone, searches)), "the search has ended")
                assert ask("lint", domain=DOMAIN)["verdict"] == "yes"
            else:
                for server in _alone("mcp", "3600"):
                    os.kill(server.pid, 9)
                call.result()

    if end == "cancel":
        call_and_end()
    else:
        with pytest.raises(BaseException):  # noqa: B017, PT011 - whatever the client makes of it
            call_and_end()
    assert searches
    wait_until(lambda: all(map(is_gone, searches)), "the search has ended")


@pytest.mark.parametrize("around", ["```pddl\n{}\n```\n", "Sure! Here is the domain:\n\n{}\n"])
@pytest.mark.parametrize("tool", ["plan", "explain"])
def test_words_around_pddl_are_no_game_in_puzzlescript(tool: str, around: str, ask: Agent) -> None:
    names = ("game", "level") if tool == "explain" else ("domain", "problem")
    answer = ask(tool, **dict(zip(names, (around.format(DOMAIN), PROBLEM), strict=True)))
    assert answer["verdict"] == "refused"
    assert "PuzzleScript" not in json.dumps(answer)
    assert answer["faults"][0]["file"] == "domain.pddl"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_server_whose_client_waits(number: int) -> None:
    command = [sys.executable, "-m", "unpuzzle", "mcp"]
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    call = {"name": "lint", "arguments": {"domain": DOMAIN}}
    messages: list[dict[str, Any]] = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write("".join(f"{json.dumps(message)}\n" for message in messages))
        server.stdin.flush()
        assert [json.loads(server.stdout.readline())["id"] for _ in range(2)] == [1, 2]
        server.send_signal(number)
        assert server.wait(PATIENCE) == 128 + number


def test_a_client_that_goes_away_is_no_fault(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "unpuzzle", "mcp"]
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdout.close()
        server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}) + "\n")
        server.stdin.close()
        _, told = "", server.stderr.read() if server.stderr else ""
    assert "fault" not in told
    assert not list(tmp_path.glob("unpuzzle-fault-*"))


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (r'{"x": "\ud800"}', r'{"x": "\ufffd"}'),
        (r'{"x": "\ud83d\ude00 \uDC00\ud83d"}', r'{"x": "\ud83d\ude00 \ufffd\ufffd"}'),
        (r'{"x": "\\ud800 \\\ud800"}', r'{"x": "\\ud800 \\\ufffd"}'),
    ],
)
def test_half_of_a_surrogate_pair_becomes_a_character(line: str, wanted: str) -> None:
    from unpuzzle.servers.mcp.server import _without_halves

    assert _without_halves(line) == wanted


def test_every_line_is_answered() -> None:
    """JSON with half of a surrogate pair, or none at all, was passed over: whoever asked waited for ever."""
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    asked = {"name": "lint", "arguments": {"domain": "HERE"}}
    call = json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": asked})
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        "no message",
        call.replace("HERE", r"(define\ud800"),
    ]
    command = [sys.executable, "-m", "unpuzzle", "mcp"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write("\n".join([*lines, ""]))
        server.stdin.flush()
        answers = {answer["id"]: answer for answer in (json.loads(server.stdout.readline()) for _ in range(3))}
        server.stdin.close()
    assert answers[None]["error"]["code"] == -32700
    assert answers[2]["result"]["structuredContent"]["verdict"] == "refused"


# ---- What the tools of `unpuzzle mcp` answer, with their commands in this process


DEAD = TINY_PROBLEM.replace("(:goal (there))", "(:goal (nowhere))")


@pytest.fixture
def tools(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Callable[..., dict[str, Any]]:
    async def here(answer: Callable[..., Reply], *args: Any, **options: Any) -> Reply:
        return answer(*args, **options)

    def ask(_: object, words: list[str], limits: object, files: dict[str, str], *, made: str, **options: Any) -> Reply:
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        code, out, _err = run(capsys, words[0], "--json", *words[1:])
        fields = json.loads(out)
        written = {made: (tmp_path / made).read_text()} if made else {}
        fields = fields if isinstance(fields, dict) else {"rows": fields}
        return Reply(verdict_of(code), fields, code, files=written)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Commands, "ask", ask)
    monkeypatch.setattr(asyncio, "to_thread", here)
    answers = Tools(Bounds())
    return lambda tool, *args, **options: asyncio.run(getattr(answers, tool)(*args, **options)).model_dump()


@pytest.mark.parametrize(
    ("tool", "arguments", "told"),
    [
        ("plan", (TINY_DOMAIN, TINY_PROBLEM), {"verdict": "yes", "plan": ["(go)"], "cost": 1, "optimal": True}),
        ("plan", (TINY_DOMAIN, DEAD), {"verdict": "no", "plan": None, "cost": None}),
        ("validate", (TINY_DOMAIN, TINY_PROBLEM, "(go)"), {"verdict": "yes", "cost": 1, "reason": "", "message": ""}),
        ("validate", (TINY_DOMAIN, TINY_PROBLEM, "(go)\n(go)"), {"verdict": "no", "step": 2}),
        ("explain", (TINY_DOMAIN, DEAD), {"verdict": "yes", "solvable": False, "step": None}),
        (
            "explore",
            (TINY_DOMAIN, TINY_PROBLEM),
            {"solvable": True, "states": 2, "goals": 1, "states_by_depth": [1, 1]},
        ),
        ("explore", (TINY_DOMAIN, DEAD), {"verdict": "yes", "solvable": False, "cost": None}),
        ("same", (TINY_DOMAIN, TINY_PROBLEM) * 2, {"verdict": "yes", "relation": "identical", "exhaustive": True}),
        ("same", (TINY_DOMAIN, TINY_PROBLEM, TINY_DOMAIN, DEAD), {"verdict": "no"}),
        ("draw", (TINY_DOMAIN, TINY_PROBLEM, "(go)"), {"verdict": "yes", "step": None, "svg": ""}),
        ("draw", (TINY_DOMAIN, TINY_PROBLEM, "(go)\n(go)"), {"verdict": "no", "step": 2}),
    ],
)
def test_answers(
    tool: str, arguments: tuple[str, ...], told: dict[str, Any], tools: Callable[..., dict[str, Any]]
) -> None:
    answer = tools(tool, *arguments)
    assert answer | told == answer
    if tool == "explain":
        assert answer["message"].startswith("there is no plan: ")
    if tool == "draw":
        assert "there" in answer["picture"]
