"""Text of PDDL laid out anew: blanks and ends of lines change, words, brackets and comments never do.

    formatted(text) -> text      the same tokens in the same order, so the same task

`layout` cuts a text into forms with their comments, and writes them.
"""

from unpuzzle.pddl.formatting.layout import formatted as formatted
