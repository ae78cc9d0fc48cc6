"""The ends of the names of files that the studio shows."""

from unpuzzle.translators import FILES

PYTHON, PDDL = ".py", ".pddl"
COLLECTIONS = (".xsb", ".sok", ".slc")
PLANS = (".plan", ".soln")
NOTES = (".md", ".json", ".rst", ".csv")
"""Texts that are not levels, whatever their names."""
ENDINGS = (*FILES, PYTHON, *COLLECTIONS, *PLANS, *NOTES)
