"""Search components that somebody else wrote for a game, compared with the game.

    findings     what was found wrong, for people, programs and language models

Nothing of what was written by others runs in this process.
"""

from __future__ import annotations
