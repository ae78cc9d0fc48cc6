"""Planning: base classes of planners, search for planners by name, runs within limits, checks of results.

planner.py          Planner, PlannerKind: the base classes, with what each planner declares
registry.py         planners by name
running.py          runs a planner within limits         acceptance.py   judges its answer before it is returned
translating.py      a position's PDDL task, made within limits
configuration.py    the text after the colon in a planner's name
"""
