"""A puzzle whose levels are never read: its `parse` does not end."""

STUCK = """
from unpuzzle import Puzzle

class Stuck(Puzzle):
    name = "stuck"
    title = "Stuck"
    levels = {"1": "x\\n"}

    def __init__(self): pass
    @classmethod
    def parse(cls, text, source=None):
        while True:
            pass
    def __str__(self): return "x\\n"
    def moves(self): return ()
    def apply(self, move): return self
    def solved(self): return False
"""
