"""Information for editors about a game's text: `telling`, explanations of places in it, and its names.

Both read as much as they need, and accept texts with any faults.
"""
