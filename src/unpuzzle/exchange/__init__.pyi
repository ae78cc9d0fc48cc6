from unpuzzle.exchange.forms import *
from unpuzzle.exchange.plans import *
from unpuzzle.exchange.tarski_from_task import *
from unpuzzle.exchange.task_from_tarski import from_tarski as from_tarski
from unpuzzle.exchange.task_from_up import *
from unpuzzle.exchange.up_from_task import *
