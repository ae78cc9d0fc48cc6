"""From trees to tasks: `unpuzzle.pddl.syntax` makes forms, these modules make nodes, and `reader` calls both.

reader.py                  domains and problems, refused at the first fault
expressions.py             lists of names, conditions, effects, numbers
tolerant_definitions.py    domains and problems, with a note for each fault
tolerant.py                expressions, likewise          brackets.py    unmatched brackets repaired before
"""
