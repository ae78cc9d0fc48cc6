"""The use of unpuzzle as an engine of unified-planning: `engine.py`; its problems become tasks in `exchange`."""
