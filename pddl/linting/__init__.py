"""The package that finds faults (errors and warnings) in domains, problems and plans.

linting.py         lint: all faults of a text               understanding.py   texts with faults, read tolerantly
checks.py          the checks of lint                       suspicions.py      probable mistakes in correct texts
names.py           names: declared once, of right types     plan_faults.py     faults of a plan's text
fault.py           a fault as data; codes and meanings      soundness.py       the quick check of a task made in Python
faults.py          errors in tasks made in Python, in full
"""
