"""Search components that somebody else wrote for a game, compared with the game.

    findings     what was found wrong, for people, programs and language models

    bisimulation.py      same(): are two tasks the same up to names?  sameness.py   what it found
    spaces.py            the state spaces that it compares    partition.py  states that are the same, in blocks
    domains.py           try_domain(): a PDDL domain against a game         domain_findings.py

Nothing of what was written by others runs in this process.
"""

from __future__ import annotations
