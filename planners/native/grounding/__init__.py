"""Grounding: a PDDL task in, a finite-domain task inside the core out. The work is done in C++ (`core/ground.hpp`).

flatten.py          a task as flat arrays              core_grounding.py  one task, for the planner
schemas.py          how its schemas are written there  common_ground.py   several starts and goals, for families
layers.py           the order of axioms                survey.py          what nothing reaches, for lint
fdr.py              the finite-domain task             unflatten.py       the same as Python objects
"""
