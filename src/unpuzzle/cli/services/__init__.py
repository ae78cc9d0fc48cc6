"""Commands that run until they are stopped; each command is a module, as in `unpuzzle.cli.commands`."""
