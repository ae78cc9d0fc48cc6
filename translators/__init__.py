"""unpuzzle.translators: one file per puzzle."""
