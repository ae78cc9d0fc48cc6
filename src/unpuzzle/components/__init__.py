"""Search components that somebody else wrote for a game, compared with the game.

    trying.py        check_components(): the tests, one after the other
    instances.py     levels, and positions of them to try components on
    places.py        such positions as plain data, with what the game says of them
    judging.py       what a call should have answered, and the finding where it did not
    signatures.py    the functions that a file must have
    sandbox.py       calls functions in processes that may end in any way; `child.py` runs there
    walls.py         what such a process may not do     system_calls.py   the calls to the system that are left to it
    namespaces.py    a process apart from all others    answers.py        what can be an answer of such a process
    asking.py        prompts for language models, and the code in their answers
    endpoint.py      a language model behind an address
    repairing.py     repair(): ask, test, tell, until it is right

Nothing of what others wrote runs in this process.
"""

from __future__ import annotations
