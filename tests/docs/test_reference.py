"""The reference has everything: public names, commands, options, codes, statuses; its examples run."""

import doctest
import inspect
import os
import re
from functools import cache
from pathlib import Path

import pytest

import reference_pages
import unpuzzle
from reference_pages import api, codes, commands, pddl_features, script_features
from reference_pages.capability_pages import capabilities, examples, games_with
from reference_pages.docstrings import first_line, markdown
from reference_pages.inventory import PAGES, Entry, entries, public_names
from support.modules import ROOT
from unpuzzle.base import outcomes as exits
from unpuzzle.base.outcomes import SOLVED, SOLVED_OPTIMALLY, STATUSES, UNSUPPORTED
from unpuzzle.cli import COMMANDS
from unpuzzle.cli.commands import ALWAYS, EXITS, exits_of
from unpuzzle.cli.parser import option_parser
from unpuzzle.pddl import Task
from unpuzzle.pddl.reading.reader import REQUIREMENTS
from unpuzzle.planning import registry
from unpuzzle.solving import solve
from unpuzzle.table import PARTS, offered_names

NO_VERBS = frozenset("a an the this that these those it its whether how what which see as if one only like".split())
"""Words with which no sentence begins that says what a function does."""


@cache
def made(module: object) -> str:
    return "\n".join(module.pages().values())  # type: ignore[attr-defined]


# ---- names


def test_every_public_name_has_a_page() -> None:
    listed = {entry.path for entry in entries()} | {entry.home for entry in entries()}
    parts = [part for page in PAGES for part in page.modules]
    packages = [module for module in (getattr(unpuzzle, name) for name in PARTS) if hasattr(module, "__all__")]
    assert {module.__name__ for module in packages} <= {f"unpuzzle.{part}" for part in parts}
    values = {id(entry.value) for entry in entries()}
    lacking = [name for name in offered_names("unpuzzle") if f"unpuzzle.{name}" not in listed]
    for part in parts:
        module, names = public_names(part)
        lacking += [f"{part}.{name}" for name in names if not _is_there(getattr(module, name), values)]
    assert not lacking


def _is_there(value: object, values: set[int]) -> bool:
    return inspect.ismodule(value) or id(inspect.unwrap(value) if callable(value) else value) in values


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.path)
def test_a_public_name_is_documented(entry: Entry) -> None:
    assert first_line(entry.doc), entry.home
    text = api.directive(entry)
    assert _words(first_line(entry.doc))[:60] in _words(text)
    if inspect.isfunction(entry.value):
        assert _says_what_it_does(entry.doc), entry.doc
    if inspect.isclass(entry.value):
        for name, member in vars(entry.value).items():
            function = member.__func__ if isinstance(member, classmethod | staticmethod) else member
            is_ours = getattr(function, "__module__", "").startswith("unpuzzle")
            if not name.startswith("_") and inspect.isfunction(function) and is_ours:
                assert _says_what_it_does(inspect.getdoc(getattr(entry.value, name)) or ""), name
                assert re.search(rf"py:method}} {name}\(", text)
            elif not name.startswith("_") and isinstance(member, property):
                assert inspect.getdoc(member), name


def _words(text: str) -> str:
    """A text without what makes it Markdown."""
    return re.sub(r"\{py:obj\}`([^ `]+) <[^>]+>`|[`\\]", r"\1", text)


def _says_what_it_does(doc: str) -> bool:
    """Whether a docstring begins with a verb: `Return`, not `Returns` nor `The answer`."""
    words = first_line(doc).split()
    first = words[0].removesuffix(",") if words else "."  # "Return, for each level, ..."
    is_third_person = first.endswith("s") and not first.endswith("ss")
    return first.isalpha() and first[0].isupper() and first.lower() not in NO_VERBS and not is_third_person


@pytest.mark.parametrize(
    "doc", ["", "The answer.", "Returns a task.", "As `parse`.", "`x` is read.", "whether it is so"]
)
def test_a_line_without_a_verb_is_seen(doc: str) -> None:
    assert not _says_what_it_does(doc)


def test_names_in_docstrings_are_linked() -> None:
    assert api.links("Limits") == "{py:obj}`Limits <unpuzzle.Limits>`"
    assert api.links("Result.replace") is None  # a member of its base class
    assert api.links("Exploration.way") == "{py:obj}`Exploration.way <unpuzzle.state_space.Exploration.way>`"
    assert api.links("nothing_of_ours") is None
    assert markdown("`And()` is true.", api.links) == "{py:obj}`And() <unpuzzle.pddl.And>` is true."
    text = markdown("Return it. Raises ParseError, and `nothing`.", api.links)
    assert text == "Return it. Raises {py:obj}`ParseError <unpuzzle.ParseError>`, and `nothing`."


def test_an_argument_is_no_name_of_ours() -> None:
    text = api.directive(next(entry for entry in entries() if entry.path == "unpuzzle.Family"))
    assert "`limits` are for each grounding" in text


@pytest.mark.parametrize(
    ("doc", "expected"),
    [
        ("Search by A*.\n\nIt is <quick>, 1 | 2.", "Search by A\\*.\n\nIt is \\<quick\\>, 1 \\| 2."),
        ("Do it.\n\n    a    one\n    b    two\n\nDone.", "Do it.\n\n```text\na    one\nb    two\n```\n\nDone."),
        ("Do it:\n    x = 1\n", "Do it:\n\n```text\nx = 1\n```"),
        ("Map.\n\nfile.py   one\n\n    a.py   two", "Map.\n\nfile.py one"),
        (
            "Do.\n\nArgs:\n    a, b: two of\n        them.\n    c: one.\n\nRaises ParseError.",
            "Do.\n\n**Args**\n\n- `a`, `b`: two of them.\n- `c`: one.\n\nRaises ParseError.",
        ),
        ("Do.\n\nReturns:\n    a text.", "Do.\n\n**Returns**\n\n- a text."),
        ("1. is a number", "\\1. is a number"),
    ],
)
def test_a_docstring_becomes_markdown(doc: str, expected: str) -> None:
    assert markdown(doc) == expected


# ---- commands


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command_is_there(name: str) -> None:
    text = commands.pages()[f"commands/{name}.md"]
    module, parser = option_parser(name, [])
    for action in parser._actions:
        for option in action.option_strings:
            assert option in ("-h", "--help") or re.search(rf"{{option}} .*{option}\b", text), option
        if not action.option_strings:
            assert str(action.metavar) in text
    assert all(line.strip() in text for line in module.EXAMPLE.split("\n"))
    assert all(f"| {code} |" in text for code in exits_of(name))
    assert f"[`unpuzzle {name}`]({name}.md)" in commands.pages()["commands/index.md"]


def test_defaults_are_told_once() -> None:
    _, parser = option_parser("generate", [])
    defaults = {action.dest: commands.default_of(action) for action in parser._actions}
    assert defaults["seed"] is None  # its help says so
    assert defaults["count"] is None
    _, parser = option_parser("check", [])
    assert next(commands.default_of(action) for action in parser._actions if action.dest == "seed") == "0"


def test_own_options_of_games_are_there() -> None:
    text = commands.pages()["commands/generate.md"]
    assert "### boxup" in text
    assert "| `--walls` |" in text


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_its_exit_codes_mean(name: str) -> None:
    assert exits.YES in EXITS[name]
    assert set(EXITS[name]) <= {exits.YES, exits.NO, exits.BAD_INPUT, exits.NO_ANSWER}
    help_text = option_parser(name, [])[1]
    with pytest.raises(Exception, match="exit codes:\n  0  ") as asked:
        help_text.print_help()
    assert all(f"  {code}  {meaning}" in str(asked.value) for code, meaning in EXITS[name].items())
    assert ALWAYS[exits.BROKEN] in str(asked.value)


# ---- codes


def test_every_fault_code_is_there() -> None:
    for language, table in codes.tables().items():
        page = codes.pages()[f"faults-{language.lower()}.md"]
        assert len(table) > 10
        for code in table.values():
            assert f"(fault-{code.code})=" in page
            assert f"### {code.code}\n" in page
            assert code.wrong in page


def test_every_status_and_exit_code_is_there() -> None:
    assert list(codes.status_words()) != []
    assert set(codes.status_words()) == set(STATUSES)
    text = made(codes)
    assert all(f"| `{name}` |" in text for name in STATUSES)
    assert all(f"| `{status}` |" in text for _, status in exits.OF_ERROR.values())
    numbers = {int(number) for key in codes.exit_codes() for number in key.split(", ")}
    assert numbers == {*exits.OF_STATUS.values(), *(code for code, _ in exits.OF_ERROR.values())}


def test_every_planner_and_its_configurations_are_there() -> None:
    text = (ROOT / "docs" / "reference" / "planners.md").read_text()
    for kind in registry.KINDS:
        [row] = re.findall(rf"^\| `{kind}(?::[A-Z]+)?` \|.*$", text, re.MULTILINE)[-1:]
        configurations = re.findall(r"(?<=[:|,])[a-z][\w-]*", registry.usage(kind))
        assert not [name for name in configurations if not re.search(rf"(?<![\w-]){name}(?![\w-])", row)], kind


# ---- capabilities


def test_every_capability_has_an_example() -> None:
    names = {each.__name__ for each in capabilities()}
    assert names == set(examples()) - {"Stairs"}
    assert names <= {entry.path.rpartition(".")[2] for entry in entries() if entry.page == "capabilities"}


@pytest.mark.parametrize("name", examples())
def test_an_example_of_a_capability_runs(name: str) -> None:
    text = examples()[name] if name == "Stairs" else f"{examples()['Stairs']}\n\n{examples()[name]}"
    test = doctest.DocTestParser().get_doctest(f"{text}\n", {"__name__": "example"}, name, None, 0)
    assert len(test.examples) > 2
    assert doctest.DocTestRunner().run(test).failed == 0


def test_games_are_named_with_their_capabilities() -> None:
    from unpuzzle.model.capabilities import Explaining, HasHeuristics

    assert games_with(Explaining) == ("gogen", "sudoku")
    assert "sokoban" in games_with(HasHeuristics)


# ---- PDDL


def test_every_requirement_has_a_task() -> None:
    named = {feature.name for feature in pddl_features.features()}
    joined = {":fluents", ":quantified-preconditions", ":negation"}  # of other names or of several others
    assert REQUIREMENTS - joined <= named


@pytest.mark.parametrize("feature", pddl_features.features(), ids=lambda feature: feature.name)
@pytest.mark.parametrize("planner", ["native", "reference"])
def test_a_feature_that_is_read_is_planned(feature: pddl_features.Feature, planner: str) -> None:
    task = pddl_features.read(feature)
    if not isinstance(task, Task):
        assert getattr(task, "message", "")
        assert pddl_features._row(feature, ["native"])
        return
    assert solve(task, planner).status == SOLVED_OPTIMALLY
    assert f"`{feature.name}`" in "".join(pddl_features._row(feature, [])) or not feature.name.startswith(":")


def test_who_refuses_a_feature_is_told() -> None:
    by_name = {feature.name: feature for feature in pddl_features.features()}
    assert "native:pdb" in pddl_features.refusing(by_name[":derived-predicates"])
    assert not pddl_features.refusing(by_name[":strips"])
    assert {name.partition(":")[0] for name in pddl_features.configurations()} == {"native"}
    result = solve(pddl_features.read(by_name[":derived-predicates"]), "native:pdb")
    assert (result.status, pddl_features._cell(result)) == (UNSUPPORTED, "no")
    assert result.status != SOLVED


def test_what_is_refused_is_named() -> None:
    refusals = pddl_features.refusals()
    assert "(:durative-action …)" in refusals[":durative-actions"][0]
    assert ":open-world" in refusals
    assert len(refusals) > 10
    assert all(sentence for _, sentence in refusals.values())


def test_the_planners_of_the_table_are_known() -> None:
    assert set(pddl_features.PLANNERS) <= set(registry.KINDS)


# ---- PuzzleScript


def test_facts_of_puzzlescript_are_tried() -> None:
    titles = {game.title: game for game in script_features.facts()}
    assert len(titles) > 50
    assert script_features.in_pddl(titles["The command win wins"]) == "yes"
    assert "is random" in script_features.in_pddl(titles["randomdir is a direction that is drawn"])
    assert "`[ > Player" in script_features._rules(titles["A rigid body that is stopped in one cell moves in none"])
    assert script_features.recorded_plays() > 100


def test_words_of_puzzlescript_come_from_the_compiler() -> None:
    words = script_features.vocabulary()
    assert {"require_player_movement", "realtime_interval"} <= set(words["options that matter to play"])
    assert "checkpoint" in words["commands"]
    assert any("PuzzleScript Plus" in line for line in script_features.differences())


# ---- the pages as files


def test_pages_are_written_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "docs" / "reference"
    folder.mkdir(parents=True)
    calls: list[int] = []

    def some_pages() -> dict[str, str]:
        calls.append(1)
        return {"api/one.md": f"# {len(calls)}"}

    monkeypatch.setattr(reference_pages, "pages", some_pages)
    (folder / "index.md").write_text("by people")
    (folder / "old.md").write_text("made before")
    for code in ("1", "1", "2"):
        monkeypatch.setattr(reference_pages, "fingerprint", lambda root, code=code: code)
        reference_pages.write(folder)
    assert (folder / "api" / "one.md").read_text() == "# 2"
    assert sorted(path.name for path in folder.rglob("*.*")) == [".stamp", "index.md", "one.md"]


def test_the_fingerprint_sees_a_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ext = Path(reference_pages.__file__).parent.relative_to(ROOT)
    code = tmp_path / ext / "one.py"
    code.parent.mkdir(parents=True)
    code.write_text("1")
    monkeypatch.setattr(reference_pages, "__file__", str(code.with_name("__init__.py")))
    before = reference_pages.fingerprint(tmp_path)
    assert reference_pages.fingerprint(tmp_path) == before
    os.utime(code, (1, 1))
    assert reference_pages.fingerprint(tmp_path) != before
