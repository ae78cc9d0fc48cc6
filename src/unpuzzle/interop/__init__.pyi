from unpuzzle.interop.tarski_problems import *
from unpuzzle.interop.up_problems import *
