from unpuzzle.pddl.linting.fault import *
from unpuzzle.pddl.linting.linting import *
from unpuzzle.pddl.nodes import *
from unpuzzle.pddl.plans import *
from unpuzzle.pddl.reading.reader import *
from unpuzzle.pddl.semantics import *
from unpuzzle.pddl.validation import *
from unpuzzle.pddl.writer import *
