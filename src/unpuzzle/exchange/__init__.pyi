from unpuzzle.exchange.tarski_problems import *
from unpuzzle.exchange.translation import normal_form as normal_form
from unpuzzle.exchange.up_problems import *
