"""Information for editors about a game's text: `outlines`, its parts; `telling`, explanations of places in it.

Both read as much as they need, and accept texts with any faults.
"""
