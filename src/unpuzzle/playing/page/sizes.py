"""The size of pages, apart from the code that makes them: help and completion ask for nothing else."""

MAX_STATES = 20_000
"""The default limit for the states of a table: about 100 KB."""
