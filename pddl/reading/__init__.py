"""The parsers that convert syntax trees of `unpuzzle.pddl.syntax` to nodes: domains, problems and tasks.

reader.py                  domains and problems, refused at the first fault
expressions.py             lists of names, conditions, effects, numbers
tolerant_definitions.py    domains and problems, with a note for each fault
tolerant.py                expressions, likewise          brackets.py    unmatched brackets repaired before
"""
