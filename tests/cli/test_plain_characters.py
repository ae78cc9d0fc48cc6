"""An output that lacks the characters of a picture gets plain ones, which stay apart, and a note that says so."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from support.command_line import run
from unpuzzle.cli.edge.delivery import LINES, OTHERS, THINGS, note, plain, printable


@pytest.mark.parametrize("quiet", [False, True])
def test_lit_and_unlit_stay_apart(quiet):
    """As in a pipe of Windows."""
    words = [sys.executable, "-m", "unpuzzle", "draw", "lights-out", "3x3", *["--quiet"] * quiet]
    ran = subprocess.run(words, capture_output=True, env=os.environ | {"PYTHONIOENCODING": "cp1252"}, check=True)
    assert ran.stdout.decode("cp1252").split() == list("OoOoOoOoO")
    said = b"the output, in cp1252, lacks characters: black circle is O and white circle is o"
    assert (said in ran.stderr) is not quiet


def test_where_all_characters_are_there_nothing_is_said(capsys):
    code, out, err = run(capsys, "draw", "lights-out", "3x3")
    assert (code, "●" in out, err) == (0, True, "")


@pytest.mark.parametrize("text", ["★☆", "★☆ O o % &", "○●·. $#", "äa", "☀☾♞♘▲△", "é\u0301"])
@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
def test_what_is_different_stays_different(text, encoding):
    told = plain(text, encoding, {})
    assert told.encode(encoding).decode(encoding) == told
    assert len(set(told)) == len(set(text))


def test_forms_are_kept_from_picture_to_picture():
    forms = {}
    first = printable("★ ☆", "ascii", forms)
    assert printable("☆", "ascii", forms) == first[2]
    assert note(forms, "ascii").isascii()
    assert "7 others" not in note(forms, "ascii")


def test_the_table_is_plain():
    assert all(form.isascii() for form in (*LINES.values(), *THINGS.values(), OTHERS))
    assert not LINES.keys() & THINGS.keys()
    assert note({chr(0x2654 + number): "x" for number in range(9)}, "ascii").endswith("and 3 others")
