"""unpuzzle.pddl as a package: lazy, complete, and not to be taken for other people's `pddl`."""

import subprocess
import sys
from pathlib import Path

import pytest

import unpuzzle.pddl


def test_every_exported_name_is_there():
    for name in unpuzzle.pddl.__all__:
        assert getattr(unpuzzle.pddl, name) is not None
    assert set(unpuzzle.pddl.__all__) <= set(dir(unpuzzle.pddl))


def test_the_functions_win_over_modules():
    program = (
        "import unpuzzle.pddl.judging.linting, unpuzzle.pddl.writer\nfrom unpuzzle.pddl import lint, write, read\n"
    )
    subprocess.run([sys.executable, "-c", program + "assert all(map(callable, (lint, write, read)))"], check=True)


def test_other_names_are_not():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = unpuzzle.pddl.nothing


def test_importing_it_loads_nothing():
    program = "import sys, unpuzzle.pddl; print(*[name for name in sys.modules if name.startswith('unpuzzle.pddl.')])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_bare_name_is_refused():
    folder = Path(unpuzzle.pddl.__file__).parent.parent
    program = f"import sys; sys.path.insert(0, {str(folder)!r}); import pddl"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "use `import unpuzzle.pddl`" in done.stderr
