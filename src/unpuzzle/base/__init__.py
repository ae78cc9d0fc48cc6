"""Errors, resource limits, immutable values and file access. This package does not depend on puzzles, PDDL or planners.

errors.py          exceptions, one class a meaning          outcomes.py       statuses, exit codes, verdicts
run.py             the current work, and its limits          values.py         Record, the base of all values
files.py           finding, reading and saving files         text.py           words and sentences for people
availability.py    optional libraries, system features       platform_facts.py memory, processors, processes
distances.py       distances in a graph                      defaults.py       default limits and planners
type_hints.py      names for types, quick to load           tables.py         tables as text and as CSV
"""
