"""The compiler, which converts the text of a PuzzleScript game to a `Compiled` game.

`unpuzzle.puzzlescript` lists the passes.
"""
