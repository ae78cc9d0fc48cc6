"""The shapes of all JSON objects that commands print: their fields, and the classes from which they are made.

A shape lists the names of an object's fields, `*` for all fields of its class. The type of a field is that of the
field or property of the class, `name=type` says another one; `?` after a name: it is not always there. `schemas` makes
JSON Schema of it. The tests compare the shapes with what the commands print, and hold that each class with a schema
has one. Classes that only a type names, such as `Fault`, are imported here, where `schemas` looks for them.

    "compare": (Shape(("compare",), "One way to solve the level.", "*", ComparisonRow, rows=True),)
"""

from __future__ import annotations

from reference_pages.shapes.checks import CHECKS
from reference_pages.shapes.plans import PLANS
from reference_pages.shapes.shape import Shape as Shape
from reference_pages.shapes.studies import STUDIES
from reference_pages.shapes.tools import TOOLS
from unpuzzle.experiments.runs import ExperimentRun as ExperimentRun
from unpuzzle.pddl.linting.fault import Code as Code
from unpuzzle.pddl.linting.fault import Fault as Fault
from unpuzzle.play.web_page import LevelReport as LevelReport
from unpuzzle.solving import Mending as Mending

SHAPES: dict[str, tuple[Shape, ...]] = {**PLANS, **STUDIES, **CHECKS, **TOOLS}
"""By the name of the schema what it may look like."""
