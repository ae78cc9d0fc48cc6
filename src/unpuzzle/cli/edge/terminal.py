"""Texts for a terminal: control characters are made visible, but for the colours of our own pictures.

Titles, messages, names in errors and planners' logs come from files and from other programs. A terminal would obey the
control characters in them: move the cursor, set the window's title, show words in another order. So every text that
goes to stdout or stderr passes `visible`, once, where it is written; no other code needs to care.

Our own colours pass because they are marked: `painted` puts a random word after their escape character, which is new in
each run, so no file can know it.
"""

from __future__ import annotations

import os

CONTROLS = (
    *(code for code in range(0x20) if chr(code) not in "\t\n"),
    *range(0x7F, 0xA0),
    *(0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)),
)
"""The control characters C0 without tabs and ends of lines, C1, and those that turn text around or end lines."""
WRITTEN_OUT = {code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" for code in CONTROLS}
COLOURS = "\x1b\\[[0-9;]*m"
"""The pattern of the escape sequences that colour pictures."""
_MARK = f"\x1b{os.urandom(8).hex()}"


def visible(text: str) -> str:
    """Return a text with its control characters written out; marked colours stay colours."""
    parts = text.replace("\r\n", "\n").split(_MARK)
    return "\x1b".join([part.translate(WRITTEN_OUT) for part in parts])


def painted(picture: str) -> str:
    """Return a picture with its colours marked as ours, so that `visible` keeps them."""
    import re

    return re.sub(COLOURS, lambda match: _MARK + match[0][1:], picture)
