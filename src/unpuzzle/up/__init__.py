"""unpuzzle as an engine of unified-planning (`engine.py`); `exchange` converts problems of unified-planning."""
