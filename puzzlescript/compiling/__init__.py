"""From the text of a game to the compiled game: `compiler` names the passes in their order."""
