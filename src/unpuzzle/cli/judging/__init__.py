"""Commands that judge other authors' code and PDDL, a module each, like the modules in `unpuzzle.cli.commands`."""
