"""Textbook searches on a puzzle's own rules: short, to be read, and counted with care."""
