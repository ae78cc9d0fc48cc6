"""What every door to unpuzzle uses: the command line, editors, agents, watching, and the studio.

kinds.py            what a text is, and which puzzle its levels are of
documents.py        the texts that are open, and the files around them
places.py           offsets in a text, as lines and columns in UTF-16
symbols.py          every name in a text of PDDL
linting.py          the faults of many texts                    fault_formats.py    faults for code hosts
asking.py           asks commands, each in a process of its own, for doors that are no command line
commands/           what commands are asked, as values, and how they answer
"""
