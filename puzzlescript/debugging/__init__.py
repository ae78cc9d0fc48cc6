"""Tools for authors of PuzzleScript games: recorded turns, and rules that never fire.

    recording  plays as data: the board after each input, or turns with their steps, which a listener notes
    showing    turns in lines for people, as data for JSON, for a page, beside the board, and as a picture
    covering   rules that fire in a game, or never do, and in solutions of its levels

Steps come from a listener to the engine in Python (`engine.turns.TurnListener`); other engines are as fast as before.
"""
