"""Pictures of games: `painter` describes levels by the sprites of their objects, `lasting` finds what never changes."""
