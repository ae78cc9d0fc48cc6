from unpuzzle.exchange.forms import *
from unpuzzle.exchange.tarski_problems import *
from unpuzzle.exchange.up_problems import *
