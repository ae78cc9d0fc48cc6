"""What every door to unpuzzle uses: the command line, editors, agents, watching, and the studio.

asking.py     asks commands, each in a process of its own, for doors that are no command line
matching.py   what a text is, and which domain belongs to which problem
linting.py    the faults of many texts
commands/     what commands are asked, as values, and how they answer
"""
