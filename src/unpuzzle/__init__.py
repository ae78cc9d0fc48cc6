"""unpuzzle: automated planning for puzzles."""

__version__ = "0.1.0"
