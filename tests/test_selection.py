"""Which tests `scripts/test` runs: the list of slow ones is true, promises are kept, a change finds its tests."""

from types import SimpleNamespace

import pytest

from support.modules import ROOT
from support.promises import promised_tests
from support.selection import concerned_by, is_slow, left_out, slow_tests

TESTS = frozenset((ROOT / "tests").rglob("test_*.py"))


def test_what_is_listed_as_slow_is_there() -> None:
    listed = {tuple(node.partition("[")[0].split("::")) for node in slow_tests()}
    texts = {file: (ROOT / file).read_text() if (ROOT / file).exists() else "" for file, _ in listed}
    gone = [(file, name) for file, name in listed if name not in texts[file] and "_laws_of_" not in name]
    assert not gone, "scripts/make/slow_tests.py writes the list anew"
    assert listed


def test_no_promised_test_is_listed_as_slow() -> None:
    assert not promised_tests() & {node.partition("[")[0] for node in slow_tests()}


def test_a_function_is_slow_with_all_parameters() -> None:
    slow = frozenset({"tests/a.py::test_all", "tests/a.py::test_some[1]"})
    assert is_slow("tests/a.py::test_all[1]", slow)
    assert is_slow("tests/a.py::test_some[1]", slow)
    assert not is_slow("tests/a.py::test_some[2]", slow)


def test_a_parameter_that_is_called_as_a_fixture_of_data_is_none() -> None:
    """Tests with a parameter `data` were left out of the default."""
    needy = SimpleNamespace(nodeid="a", fixturenames=["data"], iter_markers=lambda name: ())
    plain = SimpleNamespace(**vars(needy), callspec=SimpleNamespace(params={"data": 1}))
    assert [*left_out([needy, plain])] == [needy]  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("changed", "found"),
    [
        ("src/unpuzzle/servers/studio/folder.py", "tests/servers/studio/test_server.py"),
        ("tests/test_words.py", "tests/test_words.py"),
        ("tests/support/asserted_times.py", "tests/test_tests.py"),
        ("docs/index.md", "tests/docs/test_examples.py"),
    ],
)
def test_a_change_finds_its_tests(changed: str, found: str) -> None:
    tests = concerned_by([ROOT / changed], TESTS)
    assert tests is not None
    assert ROOT / found in tests


@pytest.mark.parametrize("changed", ["src/unpuzzle/base/run.py", "pyproject.toml", "planners/native/core/api.hpp"])
def test_what_everything_rests_on_is_tested_by_the_default(changed: str) -> None:
    assert concerned_by([ROOT / changed], TESTS) is None
