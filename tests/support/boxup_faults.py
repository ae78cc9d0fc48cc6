"""Faults to be planted into the Boxup domain, as changes of its text, and levels that show them."""

import re

from unpuzzle.pddl.reading.reader import parse_domain
from unpuzzle.translators.boxup import Boxup

DOMAIN = Boxup.domain().span.source.text

LEVELS = [
    Boxup.levels["1"],
    Boxup.levels["2"],
    "s!@ W!w .\n",
    "N!s! . e\n@    . .\n",
    "n! E! .\n@  .  W\n",
    "n @ W!s!\n",
    "s!@ w W!\n",
    "N!s!@ W .\n",
]


def sides(atom):
    """A regular expression for an atom in a precondition, whatever its side."""
    return re.escape(f"({atom} ") + r"\?(d|back|left|right)\) ?"


# What is done to the text of one action, or of all (None): pattern and replacement.
FAULTS = {
    # told of the lab report's own PDDL
    "a step from box to box is reversed": ("walk", [(r"\?to \?d\)", "?to ?back)"), (r"\?from \?back\)", "?from ?d)")]),
    "a large box is carried without its small one": ("carry-large", [(sides("no-small ?from"), "")]),
    "a small box is carried out of a shut large one": ("carry-small", [(sides("no-large ?from"), "")]),
    "entering looks at the small box only": ("walk", [(sides("no-large ?to"), "")]),
    "entering looks at the large box only": ("walk", [(sides("no-small ?to"), "")]),
    "leaving looks at the small box only": ("walk", [(sides("no-large ?from"), "")]),
    "leaving looks at the large box only": ("walk", [(sides("no-small ?from"), "")]),
    "a second small box enters a large one": ("pair-up", [(sides("no-small ?to"), "")]),
    "a second small box enters a cell": ("carry-small", [(sides("no-small ?to"), "")]),
    "a cell is empty when its small box left": (
        "carry-small",
        [(r"\(no-small \?from \?s\)", "(no-small ?from ?s) (no-large ?from ?d)")],
    ),
    "a superfluous parameter": ("walk", [(r":parameters \(", ":parameters (?x - cell ")]),
    "a superfluous parameter, last": ("walk", [(r"right - side\)", "right - side ?x - cell)")]),
    # others
    "a large box goes into an occupied cell": ("carry-large", [(sides("no-small ?to"), "")]),
    "a large box goes into another": ("carry-both", [(sides("no-large ?to"), "")]),
    "an empty large box is never carried": (
        "carry-large",
        [(r":precondition \(and", ":precondition (and (without ?from ?l)")],
    ),
    "the mover is in two places": ("walk", [(r"\(not \(at \?from\)\)", "")]),
    "the small box stays behind": ("carry-both", [(r"\(not \(small-at \?b \?from\)\)", "")]),
    "the cell left stays full": ("carry-small", [(r"\(no-small \?from \?s\)", "")]),
    "the cell entered stays empty": ("carry-large", [(r"\(not \(no-large \?to \?ls\)\)", "")]),
    "the pair is not noticed": ("pair-up", [(r"\(paired \?b\)\)\)", "))")]),
    "the pair is noticed too early": ("carry-small", [(r"\(not \(paired \?b\)\)", "(paired ?b)")]),
    "the pair is never parted": ("carry-small", [(r"\(not \(paired \?b\)\)", "")]),
    "the blue box is forgotten": ("carry-both", [(r"\(not \(without \?to \?l\)\)", "")]),
    "no effect tells of pairs": (None, [(r"\(not \(paired \?b\)\)", ""), (r"\(paired \?b\)\)\)", "))")]),
    "left is right for carrying": ("carry-small", [(r"\(shut \?b \?d\)", "(shut ?b ?back)")]),
    "boxes are pulled": ("carry-large", [(r"\(large-at \?l \?from\)", "(large-at ?l ?to)")]),
    "an action too many": (None, [(r"\(:action walk", "(:action wait :parameters () :effect (and))\n  (:action walk")]),
}


def plant(action, changes):
    """The domain with a fault."""
    parts = re.split(r"(?=\(:action )", DOMAIN)
    changed = []
    for part in parts:
        text = part
        if action is None or part.startswith(f"(:action {action}\n"):
            for pattern, replacement in changes:
                text = re.sub(pattern, replacement, text)
        changed.append(text)
    assert changed != parts, "the fault is not in the domain"
    return parse_domain("".join(changed))
