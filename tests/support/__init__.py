"""What many tests need and no test owns. `pyproject.toml` puts `tests/` on the path: `from support.data import IPC`.

- `data`: where the test data is that is no part of the project, and the marks of tests that need it
- `clocks`: clocks that are wound by the tests, so that no limit depends on how fast a machine is
- `waiting`: waiting for what another process or thread does, with much more patience than it should take
- `counting`: how much work a call is, in steps of Python, which every machine counts alike
- `thorough`: how much is tried, by default and with UNPUZZLE_THOROUGH=1
- `asserted_times`: finds tests that ask a clock how long something took

Tasks and puzzles that several files of tests share:

- `pddl_texts`: tasks, actions and atoms as short texts
- `yard`: a small task as text, to be changed in one place, and what the reader says to that
- `lights`: a small task made in Python, any part of which can be replaced
- `misspelling`: tasks misspelt in one place
- `named_tasks`: random tasks for hypothesis in which names are taken from the keywords
- `boxup_faults`: faults to be planted into the Boxup domain
- `roads`, `up_problems`: tasks for engines of unified-planning, and problems of its own
- `searches`: the searches on the rules, and how tests run them
- `fdr_twin`, `random_fdr`, `small_fdr`: the slow twin of the search core, and random tasks for it
- `lost`: traps and their proofs, found once more by the rules alone
- `command_line`: the command line in one process
"""
