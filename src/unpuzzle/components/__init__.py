"""Search components that somebody else wrote for a game, compared with the game.

    trying.py        check_components(): the tests, one after the other
    instances.py     levels and positions of them to try components on, as plain data with the right answers
    judging.py       compares outcomes of calls with these, and makes findings
    signatures.py    the functions that a file must have
    sandbox.py       calls functions in processes that may end in any way; `child.py` runs there
    walls.py         what such a process may not do     system_calls.py   the calls to the system that are left to it
    answers.py       what can be an answer of such a process
    repairing.py     repair(): prompts a language model, tests the code in its answer, tells it what is wrong
    domain_repairing.py   repair_domain(): the same for a PDDL domain
    endpoint.py      a language model behind an address

Nothing of what others wrote runs in this process.
"""

from __future__ import annotations
