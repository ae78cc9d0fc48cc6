"""What editors ask of a game's text: `outlines`, what it is made of; `telling`, what is told of a place in it.

Both read as much as they need, of texts with whatever faults.
"""
