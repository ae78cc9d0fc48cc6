from unpuzzle.levels.batches import *
from unpuzzle.levels.candidates import *
from unpuzzle.levels.collections import *
from unpuzzle.levels.generating import *
