"""Information for editors about a game's text: explanations of places in the text (`telling`), and its names.

Both read as much as they need, and accept texts with any faults.
"""
