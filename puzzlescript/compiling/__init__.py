"""The compiler from the text of a game to the compiled game: `compiler` calls the passes in their order.

`unpuzzle.puzzlescript` lists the passes.
"""
