"""Texts and sessions that must not change unnoticed, in files of `tests/golden/texts`; `scripts/golden` renews them.

A session is a file of command lines, each behind `$`, with all that is printed and the exit code. `cat > FILE` writes
the lines below it into a file, `copy FROM TO` copies a folder of the project, `show FILE` prints a file, of a PDF what
is written where, and where pictures begin. What depends on the machine, such as times, is written as `#`.
"""

import os
import re
import shlex
import sys
import zlib
from base64 import a85decode
from difflib import unified_diff
from pathlib import Path
from shutil import copytree

import pytest

from unpuzzle.cli import main
from unpuzzle.version import __version__

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "golden" / "texts"
MACHINE = re.compile(
    rf"""(?<="seconds":[ ])(?:{{[^}}]*}}|[\d.e-]+) | (?<=_mb":[ ])[\d.]+ | \d[\d.]*(?=[ ](?:ms|s|seconds|MiB)\b)
    | \b\d+\.\d{{3,6}}(?=,?$) | \b{re.escape(__version__)}""",
    re.MULTILINE | re.VERBOSE,
)
"""Times, memory and the version; in tables, times stand in the last column."""


LONGEST = 50_000
"""The longest part of a PDF that is shown: longer ones are fonts."""


def assert_golden(name: str, text: str) -> None:
    """Fail if a text is another than the one in its file."""
    file = FOLDER / f"{name}.txt"
    if os.environ.get("UNPUZZLE_RENEW_GOLDEN"):
        file.write_bytes(text.encode())
    before = file.read_bytes().decode()
    changed = "\n".join([*unified_diff(before.splitlines(), text.splitlines(), "before", "now", n=1, lineterm="")][:60])
    assert text == before, changed


def assert_session(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Fail if the command lines of a session, run in the current folder, print something else than before."""
    parts = list[str]()
    for part in re.split(r"^(?=\$ )", (FOLDER / f"{name}.txt").read_text(encoding="utf-8"), flags=re.MULTILINE):
        line, _, rest = part.partition("\n")
        if line.startswith("$ cat > "):
            file = Path(line[8:])
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(rest.rstrip("\n") + "\n", encoding="utf-8")
        elif line.startswith("$ "):
            words = shlex.split(line[2:])
            if words[0] == "copy":
                copytree(ROOT / words[1], words[2])
            elif words[0] == "show":
                sys.stdout.write(_shown(Path(words[1])))
            code, (out, err) = 0 if words[0] in ("copy", "show") else main(words), capsys.readouterr()
            printed = "".join([out, *[f"! {each}\n" for each in err.splitlines()]])
            part = f"{line}\n{MACHINE.sub('#', printed).rstrip()}\n= {code}\n\n"
        parts.append(part)
    assert_golden(name, "".join(parts))


def _shown(file: Path) -> str:
    data = file.read_bytes()
    if not data.startswith(b"%PDF"):
        return data.decode()
    streams = re.findall(rb"ASCII85Decode /FlateDecode.*?stream\s+(.*?)~>", data, re.DOTALL)
    drawn = b"".join([zlib.decompress(a85decode(each)) for each in streams if len(each) < LONGEST]).decode("latin-1")
    return "\n".join([line for line in drawn.splitlines() if re.search(r"Tj|(?<!^1 0 0 1 0 0) cm$", line)])
