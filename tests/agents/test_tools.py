"""What the tools of `unpuzzle mcp` answer, with their commands in this process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.command_line import TINY_DOMAIN, TINY_PROBLEM, run
from unpuzzle.agents import calls
from unpuzzle.agents.bounds import Bounds
from unpuzzle.agents.commands import VERDICTS, Outcome
from unpuzzle.agents.tools import Tools

DEAD = TINY_PROBLEM.replace("(:goal (there))", "(:goal (nowhere))")


@pytest.fixture
def ask(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Callable[..., dict[str, Any]]:
    async def here(answer: Callable[..., Outcome], *args: Any, **options: Any) -> Outcome:
        return answer(*args, **options)

    def answer_of(words: list[str], _: object, files: dict[str, str], *, made: str, most: int) -> Outcome:
        for name, text in files.items():
            (tmp_path / name).write_text(text)
        code, out, _err = run(capsys, words[0], "--json", *words[1:])
        fields = json.loads(out)
        written = {made: (tmp_path / made).read_text()} if made else {}
        return Outcome(VERDICTS[code], fields if isinstance(fields, dict) else {"rows": fields}, written)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(calls, "answer_of", answer_of)
    monkeypatch.setattr(asyncio, "to_thread", here)
    tools = Tools(Bounds())
    return lambda tool, *args, **options: asyncio.run(getattr(tools, tool)(*args, **options)).model_dump()


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
    tool: str, arguments: tuple[str, ...], told: dict[str, Any], ask: Callable[..., dict[str, Any]]
) -> None:
    answer = ask(tool, *arguments)
    assert answer | told == answer
    if tool == "draw":
        assert "there" in answer["picture"]
