from unpuzzle.state_space.exploration import *
from unpuzzle.state_space.surveying import *
