"""x"""

from collections.abc import Callable
from typing import Any

SUSPICIONS: tuple[Callable[[Any], None], ...] = ()
