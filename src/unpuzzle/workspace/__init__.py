"""Code that all interfaces of unpuzzle share: command line, editors, agents, watching, and the studio.

kinds.py            the kind of a text, and the puzzle of its levels
documents.py        the open texts, and the files around them
places.py           offsets in a text, as lines and columns in UTF-16
symbols.py          all names in a text of PDDL
linting.py          the faults of many texts                    fault_formats.py    faults for code hosts
asking.py           runs commands in separate processes, for interfaces other than the command line
commands/           the inputs of commands, as records, and their outcomes
"""
