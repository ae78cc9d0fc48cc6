"""Commands that serve until they are stopped, each in its own module, as in `unpuzzle.cli.commands`."""
