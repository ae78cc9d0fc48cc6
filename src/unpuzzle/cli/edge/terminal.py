"""What a terminal may be sent: texts with their control characters made visible, and the colours of our own pictures.

Titles, messages, names in errors and planners' logs come from files and children. A terminal would obey what is in
them: move the cursor, set the window's title, show words in another order than they stand. So every text that goes to
stdout or stderr passes `visible`, once, where it is written; nobody else need think of it.

Our own colours pass since they are marked: in `painted` pictures their escape character is followed by a word that
is drawn anew in each run, so no file can know it.
"""

from __future__ import annotations

import os

CONTROLS = (
    *(code for code in range(0x20) if chr(code) not in "\t\n"),
    *range(0x7F, 0xA0),
    *(0x061C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)),
)
"""Codes of C0 but for tabs and ends of lines, of C1, and of what turns the direction of texts or ends their lines."""
WRITTEN_OUT = {code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" for code in CONTROLS}
COLOURS = "\x1b\\[[0-9;]*m"
"""What colours the pictures in a terminal: a pattern."""
_MARK = f"\x1b{os.urandom(8).hex()}"


def visible(text: str) -> str:
    """Return a text with its control characters written out, and its marked colours as colours."""
    parts = text.replace("\r\n", "\n").split(_MARK)
    return "\x1b".join([part.translate(WRITTEN_OUT) for part in parts])


def painted(picture: str) -> str:
    """Return a picture with its colours marked as ours, to be written by way of `visible`."""
    import re

    return re.sub(COLOURS, lambda match: _MARK + match[0][1:], picture)
