"""What docstrings, comments, docs and scripts name is there: modules, files, folders and what is in them."""

import pytest

from support.modules import ROOT, product
from support.our_names import DOCS, SCRIPTS, prose_of, stale_names


def test_every_name_of_ours_in_prose_is_there() -> None:
    pages = (*product().values(), *DOCS, *SCRIPTS)
    stale = {path.relative_to(ROOT).as_posix(): stale_names(prose_of(path)) for path in pages}
    assert not {path: names for path, names in stale.items() if names}


@pytest.mark.parametrize(
    "text",
    [
        "see `unpuzzle.pddl.nodez`",
        "`unpuzzle.pddl.nodes.Tusk` is a node",
        "as `nodes.Tusk` says",
        "The arrays of `planners/space.py`.",
        "lists.py   a column of files",
        "made by translators/_puzzlescript/",
        "of `nodez.py`",
    ],
)
def test_a_stale_name_is_seen(text: str) -> None:
    assert stale_names(text)


@pytest.mark.parametrize(
    "text",
    [
        "see `unpuzzle.pddl.nodes`, `unpuzzle.pddl.nodes.Task` and `unpuzzle.pddl.read`",
        "`nodes.Task`, `position.apply`, `run.Run.look` and `somebody.else`",
        "pddl/nodes.py, `nodes.py`, `reading/`, and/or 3/4",
        "https://example.org/pddl/nothing.py, problem.pddl, FILE.py, translators/NAME/",
    ],
)
def test_what_is_there_is_not_stale(text: str) -> None:
    assert not stale_names(text)
