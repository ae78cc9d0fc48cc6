"""A former place: see `unpuzzle.translators.shared`."""
