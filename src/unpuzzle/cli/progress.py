"""One line on stderr that tells how far long work is, if stderr is a terminal."""

from __future__ import annotations

import sys

from unpuzzle.cli.edge.delivery import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable


def counting(show: Callable[[str], None] | None, sentence: str) -> Callable[..., None] | None:
    """Return a function that shows a sentence with figures filled in, such as `{:,} states explored`; None for None."""
    return None if show is None else lambda *figures: show(sentence.format(*figures))


class ProgressLine:
    """Gives a function that shows a sentence, or None where nobody looks; the line is gone afterwards."""

    def __init__(self, options: Namespace) -> None:
        self.visible: bool = sys.stderr.isatty() and not options.quiet and not options.json
        self.shown: bool = False

    def __enter__(self) -> Callable[[str], None] | None:
        return self._show if self.visible else None

    def _show(self, sentence: str) -> None:
        self.shown = True
        # On one line, and only text: our own sequence stands outside of what is made visible.
        sys.stderr.write("\r\x1b[K" + printable(" ".join(sentence.split()), sys.stderr.encoding))
        sys.stderr.flush()

    def __exit__(self, *raised: object) -> None:
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
