"""The web page with the levels: one self-contained file, with a security policy that blocks all outside access.

<meta Content-Security-Policy>    nothing is loaded, and only the script and the style with these hashes are used
<style>, <script>                 player.css, facts.css and the colours of the looks; player.js and its helpers
<script type="text/plain">        a level each: deflated, in base64

Scripts and style come from `shrunk/`, with smaller forms of the readable files by `scripts/shrink_page_scripts.py`.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Sequence
from functools import cache
from itertools import chain
from json import dumps
from re import compile
from typing import Any
from zlib import DEFLATED, compressobj, crc32

from unpuzzle.base.defaults import TABLE_STATES as MAX_STATES
from unpuzzle.base.errors import UsageError
from unpuzzle.playing.page.facts import write
from unpuzzle.playing.page.levels import PlayableLevel
from unpuzzle.puzzle.position import Game, Position
from unpuzzle.rendering.scenes import Scene
from unpuzzle.rendering.svg import LINES, escaped, policy_hash, roles, style
from unpuzzle.rendering.themes import AUTO

FEW = 3_000
"""The most states of a page that is made while a user waits."""
SCHEMES = {"light": "light", "print": "light", "dark": "dark"}
LEVEL = '<script type="text/plain" class="level">{}</script>'
SCRIPTS = (
    "operators.js",
    "table.js",
    "player.js",
    "names.js",
    "groups.js",
    "facts.js",
    "keyed.js",
    "drag.js",
    "debug.js",
    "set.js",
)
"""The scripts in the order in which a page has them."""
ADDRESS = compile(r"https?://[\w-]+(\.[\w-]+)+(:\d+)?(/[^\s\"'<>`\\]*)?")


def page(levels: Sequence[PlayableLevel], *, theme: str = AUTO, hints: bool = True, count: bool = True) -> str:
    """Return the text of a web page with one or more levels of one game.

    The theme is `light`, `dark`, or `auto`: as players prefer. With `hints` the page gives hints and plays solutions;
    with `count` it shows how many moves are left at best, and when the goal is out of reach.
    """
    game = levels[0].position.game
    credits = _credits(game)
    title = game.title or game.name
    name, _, about = title.partition(": ")
    scheme = SCHEMES.get(theme, "light dark")
    shapes = [level.ground.shapes for level in levels]
    shapes += [look.shapes for level in levels for look in level.ground.looks.values()]
    colours = style("", roles(chain.from_iterable(shapes)), theme)
    needed = {script for level in levels for script in level.scripts} | ({"set.js"} if len(levels) > 1 else set())
    more = _text("shrunk/facts.css") if needed & {"facts.js", "groups.js"} else ""
    more += _text("shrunk/debug.css") if "debug.js" in needed else ""
    css = (_text("shrunk/player.css") + more + colours).replace("light dark", scheme)
    scripts = [_text(f"shrunk/{file}") for file in SCRIPTS if file in needed]
    script = '"use strict";\n' + "".join(scripts)
    data = [_packed(level.head, level.data) for level in levels]
    # This script, this style and nothing else.
    allowed = f"script-src '{policy_hash(script)}'; style-src '{policy_hash(css)}'"
    return _text("player.html").format(
        policy=f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'",
        scheme=scheme,
        title=escaped(title),
        name=escaped(name),
        about=escaped(about[:1].upper() + about[1:]),
        css=css,
        script=script,
        lines=LINES,
        key=escaped(f"{game.name} {crc32(''.join(data).encode()):08x}"),
        names=escaped(dumps([level.title for level in levels], ensure_ascii=False)),
        without=" ".join([what for what, there in (("hints", hints), ("count", count)) if not there]),
        credits=credits,
        uncredited="" if credits else "hidden",
        levels="\n".join([LEVEL.format(text) for text in data]),
    )


def page_of_scene(scene: Scene, *, small: bool = False) -> str:
    """Return the web page of a scene: the scene's start is the level, and its moves, if any, are the solution.

    A small page is made quickly: it plays a small level, or shows the moves of a larger one.
    """
    if not isinstance(scene.start, Position):
        raise UsageError("a page to play on needs a position of a game, not a PDDL task")
    most = FEW if small else MAX_STATES
    level = PlayableLevel.of(scene.start, solution=scene.moves, max_states=most, free=not small)
    return page([level], theme=scene.theme)


def _credits(game: Game) -> str:
    """Return the author and the homepage of a game; the homepage becomes a link if it is a valid web address."""
    homepage = game.homepage
    address = homepage if homepage.lower().startswith(("http://", "https://")) else f"https://{homepage}"
    link = f'<a href="{escaped(address)}" target="_blank" rel="noopener noreferrer">{escaped(homepage)}</a>'
    place = link if ADDRESS.fullmatch(address) else escaped(homepage)
    return ", ".join(filter(None, [game.author and f"by {escaped(game.author)}", homepage and place]))


def _packed(head: dict[str, Any], data: bytes) -> str:
    """Return a level in the format of the page's script: the length of the JSON, the JSON, the other data."""
    text = dumps(head, separators=(",", ":"), ensure_ascii=False).encode()
    length = bytearray()
    write(length, len(text))
    deflate = compressobj(9, DEFLATED, -15)
    packed = deflate.compress(bytes(length) + text + data) + deflate.flush()
    return b64encode(packed).decode()


@cache
def _text(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()
