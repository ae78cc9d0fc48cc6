"""Commands that serve until they are stopped, a module each, like the modules in `unpuzzle.cli.commands`."""
