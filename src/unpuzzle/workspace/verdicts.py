"""Words and colours for verdicts, the same for people at every door."""

from __future__ import annotations

MEANINGS = {
    "yes": "yes",
    "no": "no",
    "refused": "this input is refused",
    "undecided": "no answer within the limits",
    "broken": "it broke",
}
"""By verdict a few words."""
