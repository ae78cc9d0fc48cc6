"""Levels of games: `listed` by number and written in glyphs, pictures by `painter`, `making` others by changes."""
