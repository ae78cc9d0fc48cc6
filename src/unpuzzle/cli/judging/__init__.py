"""Commands that judge code and PDDL that somebody wrote, a module each, as those in `unpuzzle.cli.commands` are."""
