"""Pictures written as files: SVG, bitmaps, animations, PDF, and figures and pages of reports.

scenes.py        the picture, text and name of a position or a task; scenes of several, for files; PDDL states
svg.py           a picture as SVG: one text, sharp at every size, light and dark; a solution as one SVG that moves
paper.py         PDF, and booklets of many levels
saving.py        a picture or a solution in a file of any kind, by the ending of its name; pixels
analysis.py      state spaces in layers; compared moves, traps and nearest misses side by side
reports.py       the report of an experiment, as a page and as files; its report_tables.py and report_figures.py
themes.py        the colours of roles, and the font
"""

from unpuzzle.base.type_hints import Any
from unpuzzle.table import attribute, offered_names

__all__ = [*offered_names(__name__)]  # noqa: PLE0604 - names that load when they are used


def __getattr__(name: str) -> Any:
    return attribute(__name__, name)
