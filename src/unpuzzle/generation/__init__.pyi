from unpuzzle.generation.candidates import *
from unpuzzle.generation.collections import *
from unpuzzle.generation.generating import *
from unpuzzle.generation.judging import *
