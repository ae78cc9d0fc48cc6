"""One line on stderr that tells how far long work is, if stderr is a terminal."""

from __future__ import annotations

import sys

from unpuzzle.cli.edge.delivery import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable


class ProgressLine:
    """Gives a function that shows figures in a sentence, such as `{:,} states explored`, or None where nobody looks.

    The line is gone afterwards.
    """

    def __init__(self, options: Namespace, sentence: str = "{}") -> None:
        self.visible: bool = sys.stderr.isatty() and not options.quiet and not options.json
        self.sentence = sentence

    def __enter__(self) -> Callable[..., None] | None:
        return self._show if self.visible else None

    def _show(self, *figures: object) -> None:
        # On one line, and only text: our own sequence stands outside of what is made visible.
        sentence = " ".join(self.sentence.format(*figures).split())
        sys.stderr.write("\r\x1b[K" + printable(sentence, sys.stderr.encoding))
        sys.stderr.flush()

    def __exit__(self, *raised: object) -> None:
        if self.visible:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
