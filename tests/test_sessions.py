"""Command lines with all that they print: each sentence, each figure and each exit code, of a little of every room."""

from pathlib import Path

import pytest

from support.golden import FOLDER, assert_session
from unpuzzle.planning import registry

pytestmark = pytest.mark.skipif(registry.missing("native") is not None, reason="sessions need the compiled core")


@pytest.mark.parametrize("name", sorted(file.stem for file in FOLDER.glob("session-*.txt")))
def test_sessions(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if name == "session-booklets":
        pytest.importorskip("reportlab")
    monkeypatch.chdir(tmp_path)
    assert_session(name, capsys)
