"""Tests of search components by other authors: they run in a sandbox, and are compared with the game.

    trying.py        check_components(): the functions that a file must have; tests, and findings from their outcomes
    instances.py     levels and positions for trying components, as plain data with the right answers
    sandbox.py       calls functions in processes that may end in any way; `child.py` runs there
    repairing.py     repair(): prompts a language model, tests the code in its answer, reports the faults to it;
                     repair_domain(): the same for a PDDL domain; the model behind an address

No code of other authors runs in this process.
"""

from __future__ import annotations
