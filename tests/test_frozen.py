"""What docs/project/stability.md calls frozen is there, with its arguments; warnings of old names say what to do."""

import ast
import re
import tomllib
import warnings

import pytest
from jsonschema import Draft202012Validator as Validator

import unpuzzle
from reference_pages.schemas import schema
from support.frozen import FILE, frozen_before, frozen_now
from support.modules import ROOT, product
from unpuzzle.planning.result import Result

BEFORE = frozen_before()
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def takes_the_same(old: str, new: str) -> bool:
    """Whether what was called as `old` can be called as before: `f(a,b=,*,c=)`, and `f(a,b=,d=,*,c=,e=)` now."""
    (name, *before), (other, *after) = (re.findall(r"[^(),]+", text) for text in (old, new))
    in_order = [word.rstrip("=") for word in (before[: before.index("*")] if "*" in before else before)]
    known = {word.rstrip("=") for word in before}
    return (
        (name, "(" in old) == (other, "(" in old and "(" in new)
        and [word.rstrip("=") for word in after[: len(in_order)]] == in_order
        and all(word in after or f"{word}=" in after for word in before)
        and all(word.endswith("=") or word.startswith("*") for word in after if word.rstrip("=") not in known)
    )


@pytest.mark.parametrize("group", BEFORE)
def test_what_is_frozen_is_there(group: str) -> None:
    lost = [old for old in BEFORE[group] if not any(takes_the_same(old, new) for new in frozen_now().get(group, []))]
    assert not lost, f"frozen, see docs/project/stability.md and {FILE.name}: {group} lacks {lost}"


@pytest.mark.parametrize("new", ["f(a,b=,*,c=)", "f(a,b=,d=,*,c=)", "f(a=,b=,*,e=,c=)"])
def test_new_arguments_have_defaults(new: str) -> None:
    assert takes_the_same("f(a,b=,*,c=)", new)
    assert takes_the_same("f()", new.replace("a,", "a=,"))


@pytest.mark.parametrize("new", ["f", "g(a,b=,*,c=)", "f(b=,a,*,c=)", "f(a,b,*,c=)", "f(a,b=)", "f(a,b=,*,c=,d)"])
def test_a_call_that_no_longer_works_is_seen(new: str) -> None:
    assert not takes_the_same("f(a,b=,*,c=)", new)


def test_new_fields_and_words_are_valid_and_other_types_are_not() -> None:
    data = Result("unsolvable", "native").to_dict() | {"colour": "red", "status": "fine"}
    Validator(schema("result")).validate(data)
    for change in ({"status": 7}, {"moves": "ULD"}, {"schema": "unpuzzle/result/2"}):
        assert not Validator(schema("result")).is_valid(data | change)


def test_every_command_prints_json() -> None:
    assert all("--json" in frozen_now()[command] for command in unpuzzle.cli.COMMANDS)


def test_what_is_frozen_changes_with_the_first_number_of_the_version() -> None:
    """All schemas have one number, which rises with it."""
    assert {name.rpartition("/")[2] for name in [*BEFORE, *frozen_now()] if "/" in name} == {"1"}
    assert re.fullmatch(r"1\.\d+\.\d+(rc\d+)?", unpuzzle.__version__)


def test_versions_of_python_are_dropped_with_the_second_number() -> None:
    assert (unpuzzle.__version__[:4], PROJECT["requires-python"]) == ("1.0.", ">=3.11")


def test_every_dependency_names_its_oldest_version() -> None:
    lists = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    assert not [word for words in lists for word in words if ">=" not in word and not word.startswith("unpuzzle[")]


def untold(text: str, changelog: str) -> list[str]:
    """Return the warnings of old names that lack what to write instead, the version, or a line in the changelog."""
    if "DeprecationWarning" not in text:
        return []
    calls = [ast.unparse(node) for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    told = [call for call in calls if "DeprecationWarning" in call]
    return [call for call in told if not ("### Deprecated" in changelog and re.search(r"instead.* in \d+\.\d", call))]


def test_a_warning_of_an_old_name_says_what_to_write_instead_and_until_when() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text()
    assert not {name: calls for name, path in product().items() if (calls := untold(path.read_text(), changelog))}
    good = 'warn("write `solve` instead of `sovle`, which goes in 2.0", DeprecationWarning)'
    assert not untold(good, "### Deprecated")
    assert untold(good, "### Changed")
    assert untold('warn("write `solve` instead", DeprecationWarning)', "### Deprecated")


def test_warnings_of_old_names_can_be_made_errors() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        boxup = unpuzzle.find("boxup")
        assert unpuzzle.solve(boxup.parse(boxup.levels["1"])).cost == 5
