from unpuzzle.spaces.exploration import *
from unpuzzle.spaces.surveying import *
