"""Levels of games: `listed` by number and name, written in `glyphs`; `changing` others, `making` what was asked for."""
