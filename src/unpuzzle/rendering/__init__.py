"""Output of the pictures of `unpuzzle.drawing` in every form except for the terminal.

scenes.py        the picture, text and name of a position or a task; scenes of several, for files; PDDL states
svg.py           a picture as SVG: one text, sharp at every size, light and dark
animation.py     a solution as a film, and as one SVG that moves
paper.py         PDF; booklet.py makes one of many levels
saving.py        a picture or a solution in a file of any kind, by the ending of its name; pixels, with the bundled font
state_graph.py   state spaces in layers
report/          the report of an experiment, as a page and as files
themes.py        the colours of roles
"""

from unpuzzle.base.type_hints import Any
from unpuzzle.table import attribute, offered_names

__all__ = [*offered_names(__name__)]  # noqa: PLE0604 - names that load when they are used


def __getattr__(name: str) -> Any:
    return attribute(__name__, name)
