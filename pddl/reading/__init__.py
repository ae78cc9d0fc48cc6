"""From trees to tasks: `unpuzzle.pddl.syntax` makes forms, these modules make nodes, and `reader` calls both."""
