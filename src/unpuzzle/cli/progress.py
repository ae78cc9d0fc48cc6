"""One line on stderr with the progress of long work, if stderr is a terminal."""

from __future__ import annotations

import sys

from unpuzzle.cli.edge.delivery import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable


class ProgressLine:
    """A progress line: entering gives a function that shows figures in a sentence, such as `{:,} states explored`.

    Entering gives None if stderr is no terminal. The line is removed afterwards.
    """

    def __init__(self, options: Namespace, sentence: str = "{}") -> None:
        self.visible: bool = sys.stderr.isatty() and not options.quiet and not options.json
        self.sentence = sentence

    def __enter__(self) -> Callable[..., None] | None:
        return self._show if self.visible else None

    def _show(self, *figures: object) -> None:
        # One line of plain text: our own escape sequence is added after control characters are written out.
        sentence = " ".join(self.sentence.format(*figures).split())
        sys.stderr.write("\r\x1b[K" + printable(sentence, sys.stderr.encoding))
        sys.stderr.flush()

    def __exit__(self, *raised: object) -> None:
        if self.visible:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
