"""Record the command lines of docs and tests, and the answer of each: `tests/golden/command_lines.jsonl`.

python scripts/make/record_command_lines.py

When commands are renamed later, the recorded list shows that the old lines still run. So it is made before names
change, and not renewed.
"""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2] / "tests"))

from support.modules import ROOT
from support.recorded_lines import FILE, as_json, outcome, prepare
from unpuzzle.cli.commands import COMMANDS

SERVERS = {"lsp", "mcp", "studio", "watch"}
SECONDS = 20
LINE = re.compile(r"(?:^|`|\$ |\| |&& )unpuzzle ([^`\n|>&]+)", re.MULTILINE)


def lines() -> list[list[str]]:
    """Return the words of all command lines, each once."""
    every = [*_of_pages(), *_of_tests()]
    return [list(words) for words in dict.fromkeys(map(tuple, every)) if words and words[0] in COMMANDS]


def _of_pages() -> Iterator[list[str]]:
    paths = [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "editors").rglob("*.md"))]
    for path in paths:
        text = path.read_text(encoding="utf-8").replace("\\\n", " ")
        for match in LINE.finditer(text):
            yield from _split(match[1])


def _split(text: str) -> Iterator[list[str]]:
    try:
        yield shlex.split(text, comments=True)
    except ValueError:
        return


def _of_tests() -> Iterator[list[str]]:
    for path in sorted((ROOT / "tests").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call | ast.List | ast.Tuple):
                yield from _in_row(node.args if isinstance(node, ast.Call) else node.elts)
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                text = node.value
                if text.startswith("unpuzzle ") and "\n" not in text:
                    yield from _split(text.removeprefix("unpuzzle "))
            if isinstance(node, ast.Call) and ast.unparse(node).endswith(".split()"):
                value = node.func.value if isinstance(node.func, ast.Attribute) else None
                if isinstance(value, ast.Constant | ast.JoinedStr):
                    yield _word(value).split()


def _in_row(nodes: list[ast.expr]) -> Iterator[list[str]]:
    """Yield the command line in a row of words, if they begin with the name of a command."""
    for start, node in enumerate(nodes):
        if isinstance(node, ast.Constant) and node.value in COMMANDS and start < len(nodes) - 1:
            yield [_word(each) for each in nodes[start:]]
            return


def _word(node: ast.expr) -> str:
    """Return a word unchanged, or with names in place of values: `f"{tmp_path}/d.pddl"` is `./d.pddl`."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else "." for part in node.values]
        return "".join(map(str, parts))
    return re.sub(r"\W+", "-", ast.unparse(node)).strip("-")[:30] or "value"


def answer(words: list[str]) -> dict[str, Any]:
    """Return the record of a command line's answer."""
    first, second = (_run(words) for _ in range(2))
    if first is None or second is None:
        return {"words": words}
    if first.get("sum") != second.get("sum"):
        first.pop("sum", None)
    return {"words": words, **first}


def _run(words: list[str]) -> dict[str, Any] | None:
    if words[0] in SERVERS or (words[0] == "play" and not {"-o", "--output"} & {*words}):
        return None
    # what such a limit leaves differs from run to run
    if re.search(r"--((time|cpu)-limit[ =]0\.|memory-limit[ =]1M\b)", " ".join(words)):
        return None
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        command = [sys.executable, "-m", "unpuzzle", *as_json(words)]
        try:
            done = subprocess.run(
                command, cwd=folder, input="", capture_output=True, text=True, timeout=SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            return None
    return outcome(done.returncode, done.stdout)


def main() -> None:
    with ThreadPoolExecutor(3) as pool:
        rows = [*pool.map(answer, lines())]
    FILE.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    print(f"{len(rows)} lines, {sum('exit' in row for row in rows)} with an answer")


if __name__ == "__main__":
    main()
