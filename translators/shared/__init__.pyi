from unpuzzle.translators.shared.cells import *
from unpuzzle.translators.shared.grid import *
from unpuzzle.translators.shared.text import *
