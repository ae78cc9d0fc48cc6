"""unpuzzle as an engine of unified-planning (`engine.py`); `exchange` turns its problems into tasks."""
