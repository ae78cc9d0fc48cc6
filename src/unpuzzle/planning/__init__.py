"""Planning: the definition of planners, finding them by name, running them within limits, and judging their answers.

planner.py          Planner, the base class: its input and its properties
registry.py         planners by name
running.py          run and improving: the entry points
acceptance.py       the checks of an answer before it is returned
translating.py      a position's PDDL task, made within limits
configuration.py    the text after the colon in a planner's name
"""
