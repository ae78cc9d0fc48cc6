"""What the methods of a position must not return: each wrong result is told in a sentence with its place."""

import pytest

from support.switches import Switch
from unpuzzle.drawing import Ground, Look
from unpuzzle.model.capabilities import Pictured, Symmetric
from unpuzzle.model.faults import broken_promise


class Shown(Switch, Pictured, Symmetric):
    """A switch with a picture, of which each method may be made wrong."""

    def ground(self):
        places = {(0, cell): (0, cell) for cell in range(4)}
        return Ground(1, 4, {"@": Look(text="@")}, text="....", places=places)

    def pieces(self):
        return [("@", 0, self.cell, "walker")]

    def symmetries(self):
        return [self]


@pytest.mark.parametrize(
    ("method", "value", "said"),
    [
        ("ground", 5, "ground() gave 5, which is not a Ground"),
        ("pieces", [("@", 0, 9, "walker")], "pieces() gave ('@', 0, 9, 'walker'), a place that is not on the ground"),
        ("pieces", [("@", 0, 1, [])], "pieces() gave ('@', 0, 1, []), which is not (look, row, column, kind)"),
        ("notes", [5], "notes() gave [5], which is not headings with lines"),
        ("keyboard", None, "keyboard() gave None, which is not a mapping"),
        ("seen", [], "seen() gave [], which is without a hash"),
        ("draw", None, "draw() gave None, which is not a string"),
        ("solved", 1, "solved() gave 1, which is neither True nor False"),
        ("impossible", "", "impossible() gave '', which is neither None nor a reason in words"),
        ("remarks", "no", "remarks() gave 'no', which is not a tuple of sentences"),
        ("walker_and_rest", (1, []), "walker_and_rest() gave (1, []), which is not a pair with a hash"),
        ("symmetries", (), "symmetries() gave (), which is no positions"),
        ("apply", Switch(1, 0), "apply('L') gave a position of a PuzzleType, which is another game"),
        ("__eq__", False, "__eq__(itself) gave False, which is not True"),
    ],
)
def test_a_wrong_result_is_told(method, value, said):
    methods = {"__module__": __name__, "__hash__": Switch.__hash__, method: lambda self, *arguments: value}
    fault = broken_promise(type("Wrong", (Shown,), methods)(1, 0))
    assert fault.message == said
    assert fault.file.endswith("test_promises.py")


def test_a_lawful_one_keeps_its_promises():
    assert broken_promise(Shown(1, 0)) is None
