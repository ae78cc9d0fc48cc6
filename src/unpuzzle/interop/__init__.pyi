from unpuzzle.interop.tarski_problems import *
from unpuzzle.interop.translation import normal_form as normal_form
from unpuzzle.interop.up_problems import *
