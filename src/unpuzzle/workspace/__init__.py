"""Code that all interfaces of unpuzzle share: command line, editors, agents, watching, and the studio.

inputs.py           what a command is asked: a record with all files read, whose call gives the outcome
planning.py         solve and plan: the better and better plans, the answer, the reason why there is no plan
linting.py          lint: the faults of many files, and their corrections
kinds.py            the kind of a text (PDDL by `pddl.matching`), and the puzzle of its levels
documents.py        the open texts, the places in them, and the files around them
symbols.py          all names in a text of PDDL
asking.py           runs commands in separate processes, for interfaces other than the command line
"""
