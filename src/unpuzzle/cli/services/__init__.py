"""Commands that serve until they are stopped, a module each, as those in `unpuzzle.cli.commands` are."""
