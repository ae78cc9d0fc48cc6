"""From trees to tasks: `unpuzzle.pddl.syntax` makes forms, these modules nodes of them, and `reader` joins it all."""
