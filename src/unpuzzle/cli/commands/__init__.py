"""The commands, a module each: see `unpuzzle.cli`."""
