"""Commands that check other people's code and PDDL; each command is a module, as in `unpuzzle.cli.commands`."""
