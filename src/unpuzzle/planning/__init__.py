"""Base classes of planners, the registry of planners by name, planner runs within limits, and plan validation.

planner.py          Planner, PlannerKind: the base classes, with what each planner declares
registry.py         planners by name, and the text after the colon in a name
running.py          runs a planner within limits, and judges its answer before it is returned
result.py           Result: the status, the plan and the counts of one run
walking.py          what counts as a walk and what as a push: the object that walks, the steps that are no walks
"""
