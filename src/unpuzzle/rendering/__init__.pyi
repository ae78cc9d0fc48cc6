from unpuzzle.rendering.saving import *
from unpuzzle.rendering.scenes import *
from unpuzzle.rendering.svg import *
