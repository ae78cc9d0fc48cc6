"""The command `unpuzzle studio [FILE or FOLDER]`: open a web page for writing puzzles."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from unpuzzle.base.defaults import STUDIO_SECONDS
from unpuzzle.base.outcomes import YES
from unpuzzle.base.run import Limits
from unpuzzle.cli.answer import Answer, View
from unpuzzle.cli.parser import flag, option, seconds, size, whole
from unpuzzle.servers.studio.server import Studio
from unpuzzle.workspace.inputs import Input, Show

EXAMPLE = """unpuzzle studio                       the folder you are in, in your browser
  unpuzzle studio rooms.txt             one game, with its folder
  unpuzzle studio levels/ --no-browser  print the address, and open nothing"""


def arguments(parser: ArgumentParser) -> None:
    about = "a game, levels, a PDDL domain or problem, the code of a puzzle; or a folder of them; default: this folder"
    parser.add_argument("place", metavar="FILE", nargs="?", default=".", help=about)
    flag(parser, "--no-browser", "print the address of the page, and open no browser")
    option(parser, "--port N", "where to listen on this machine; default: any port that is free", whole(0), default=0)
    option(
        parser,
        "--time-limit SECONDS",
        f"for each level; default: {STUDIO_SECONDS:.0f}",
        seconds,
        default=STUDIO_SECONDS,
    )
    option(
        parser, "--memory-limit SIZE", "of each process, such as 500M or 4G; default: a share of the machine's", size
    )


class StudioRequest(Input):
    """A request to serve the web page; with `json`, the address of the page is written to stderr."""

    studio: Studio
    no_browser: bool = False
    json: bool = False

    limits_of_each = True

    def call(self, show: Show = None) -> Studio:
        """Serve the page until it is stopped; the first line of the output is the address of the page."""
        self.studio.run(self._report)
        return self.studio

    def _report(self) -> None:
        stream = sys.stderr if self.json else sys.stdout
        stream.write(f"{self.studio.address}\n")
        stream.flush()
        if not self.no_browser:
            _open(self.studio.address)


def read(options: Namespace) -> StudioRequest:
    """Find the files of the web page, and prepare the page."""
    limits = Limits(options.time_limit, options.memory_limit)
    return StudioRequest.of(options, studio=Studio(options.place, port=options.port, limits=limits))


def present(request: StudioRequest, outcome: Studio, view: View) -> Answer:
    return Answer(YES, {"status": "stopped", "folder": outcome.folder.root, "file": outcome.first or None}, "")


def _open(address: str) -> None:
    """Open the page in the user's browser, if there is a browser; otherwise do nothing."""
    import webbrowser

    try:
        webbrowser.open(address)
    except webbrowser.Error:
        pass
