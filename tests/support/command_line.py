"""The command line in one process: what it prints and the exit code; and a tiny task to give it."""

import io
import json
from typing import Any

import pytest

from unpuzzle.cli import main

TINY_DOMAIN = """(define (domain tiny) (:requirements :strips)
  (:predicates (here) (there) (nowhere))
  (:action go :parameters () :precondition (here) :effect (and (not (here)) (there))))"""
TINY_PROBLEM = "(define (problem p) (:domain tiny) (:init (here)) (:goal (there)))"


class Terminal(io.StringIO):
    """An output that shows colours."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(words)
    out, err = capsys.readouterr()
    return code, out, err


def run_json(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    code, out, err = run(capsys, *words, "--json")
    assert err == "", "with --json everything is in the object"
    return code, json.loads(out)
