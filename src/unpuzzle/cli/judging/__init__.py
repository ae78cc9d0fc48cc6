"""Commands that judge other authors' code and PDDL, each in its own module, as in `unpuzzle.cli.commands`."""
