"""The extension for Visual Studio Code, as its files tell: the manifest names what is there, grammars are sound."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from support.modules import ROOT
from unpuzzle.version import __version__

FOLDER = ROOT / "editors" / "vscode"
MANIFEST = json.loads((FOLDER / "package.json").read_text())
GRAMMARS = {each["language"]: each for each in MANIFEST["contributes"]["grammars"]}
SCRIPT = (FOLDER / "src" / "extension.js").read_text()
INLINE_FLAG = re.compile(r"\(\?[a-z]+\)")


def rules(grammar: Any) -> Iterator[dict[str, Any]]:
    """Yield all rules of a grammar, those within others too."""
    if isinstance(grammar, dict):
        if {"match", "begin", "include"} & grammar.keys():
            yield grammar
        for value in grammar.values():
            yield from rules(value)
    elif isinstance(grammar, list):
        for value in grammar:
            yield from rules(value)


def test_the_manifest_names_files_that_are_there() -> None:
    contributed = MANIFEST["contributes"]
    named = [MANIFEST["main"], *[each["configuration"] for each in contributed["languages"]]]
    named += [each["path"] for each in contributed["grammars"]]
    assert [name for name in named if not (FOLDER / name).is_file()] == []
    assert (FOLDER / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    assert MANIFEST["version"] == __version__.partition("rc")[0]


def test_languages_have_their_grammar_and_start_the_server() -> None:
    languages = {each["id"] for each in MANIFEST["contributes"]["languages"]}
    assert languages == set(GRAMMARS) == set(re.findall(r'language: "(\w+)"', SCRIPT))
    assert set(MANIFEST["activationEvents"]) == {f"onLanguage:{each}" for each in languages}


def test_first_lines_are_patterns_that_the_editor_reads() -> None:
    """The editor's scripts know no `(?i)`: they refuse such a pattern, and the language is not told."""
    patterns = [each["firstLine"] for each in MANIFEST["contributes"]["languages"] if "firstLine" in each]
    assert patterns
    assert not [pattern for pattern in patterns if INLINE_FLAG.search(pattern)]
    assert all(re.match(pattern, "title Boxes") and re.match(pattern, "TITLE Boxes") for pattern in patterns)


def test_settings_are_those_that_the_script_reads_and_the_server_knows() -> None:
    declared = {name.removeprefix("unpuzzle.") for name in MANIFEST["contributes"]["configuration"]["properties"]}
    assert declared == set(re.findall(r'settings\.get\("(\w+)"\)', SCRIPT))
    server = "".join(path.read_text() for path in (ROOT / "src/unpuzzle/servers/lsp").glob("*.py"))
    assert [name for name in declared - {"command"} if f'"{name}"' not in server] == []


@pytest.mark.parametrize("language", GRAMMARS)
def test_a_grammar_is_sound(language: str) -> None:
    declared = GRAMMARS[language]
    grammar = json.loads((FOLDER / declared["path"]).read_text())
    assert grammar["scopeName"] == declared["scopeName"]
    names = []
    for rule in rules(grammar):
        for key in ("match", "begin", "end"):
            if key in rule:
                re.compile(rule[key].removeprefix("(?i)"))
        assert ("begin" in rule) == ("end" in rule), rule
        if "include" in rule:
            assert rule["include"] == "$self" or rule["include"].removeprefix("#") in grammar["repository"], rule
        scopes = [rule, *rule.get("captures", {}).values(), *rule.get("beginCaptures", {}).values()]
        names += [each["name"] for each in scopes if "name" in each]
    assert names
    assert [name for name in names if not all(part.endswith(f".{language}") for part in name.split())] == []


@pytest.mark.parametrize("name", ["pddl", "puzzlescript"])
def test_brackets_and_comments_are_those_of_the_language(name: str) -> None:
    comments = json.loads((FOLDER / f"{name}.json").read_text())["comments"]
    assert comments == ({"lineComment": ";"} if name == "pddl" else {"blockComment": ["(", ")"]})
