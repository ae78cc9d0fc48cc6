"""Levels of games: `listed` numbers and writes levels, `painter` draws them, `making` changes them to new levels."""
