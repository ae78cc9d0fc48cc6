"""The page: one file without anything outside of it, and locked against all of that.

<meta Content-Security-Policy>    nothing is loaded, and no script and no style runs but those with these hashes
<style>, <script>                 player.css and the colours of the looks; player.js and what it plays by
<script type="text/plain">        a level each: deflated, in base64
"""

from __future__ import annotations

import os
from base64 import b64encode
from functools import cache
from hashlib import sha256
from json import dumps
from re import compile
from zlib import DEFLATED, compressobj, crc32

from unpuzzle.playing.page.levels import Level
from unpuzzle.playing.page.tables import write
from unpuzzle.rendering.svg import LINES, escaped, style
from unpuzzle.rendering.themes import AUTO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from re import Pattern
    from typing import Any

    from unpuzzle.puzzle.position import Game
    from unpuzzle.rendering.saving import Scene

FEW = 3_000
"""The most states of a page that is made while somebody waits for it."""
SCHEMES = {"light": "light", "print": "light", "dark": "dark"}
LEVEL = '<script type="text/plain" class="level">{}</script>'


def page(levels: Sequence[Level], theme: str = AUTO, *, hints: bool = True, count: bool = True) -> str:
    """Return the text of a page with some levels of one game.

    Args:
        levels: at least one.
        theme: `light`, `dark`, or `auto`: as players prefer.
        hints: whether it gives hints and plays solutions.
        count: whether it says how many moves are left at best, and when the goal is out of reach.
    """
    game = levels[0].position.game
    credits = _credits(game)
    title = game.title or game.name
    name, _, about = title.partition(": ")
    scheme = SCHEMES.get(theme, "light dark")
    css = _css(levels, theme).replace("light dark", scheme)
    script = '"use strict";\n' + "".join([_text(file) for file in _scripts(levels)])
    data = [_packed(*level.data) for level in levels]
    return _text("player.html").format(
        policy=_policy(script, css),
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


def rendered(scene: Scene) -> bytes:
    """The page of a scene: it begins at the start, and its solution is the moves, if there are any."""
    return page([Level(scene.positions[0], solution=scene.moves)], scene.theme).encode()


def film(scene: Scene) -> str:
    """A small page of a scene, made at once: of a small level one to play on, else one that shows the moves."""
    return page([Level(scene.positions[0], solution=scene.moves, max_states=FEW, free=False)], scene.theme)


def _scripts(levels: Sequence[Level]) -> list[str]:
    """What these levels need."""
    needed = {script for level in levels for script in level.scripts} | ({"set.js"} if len(levels) > 1 else set())
    return [script for script in _ORDER if script in needed]


_ORDER = ("operators.js", "table.js", "player.js", "names.js", "drag.js", "set.js")


def _credits(game: Game) -> str:
    """Who made the game, and where there is more of it; a link only where the address is one of a web page."""
    homepage = game.homepage
    address = homepage if homepage.lower().startswith(("http://", "https://")) else f"https://{homepage}"
    link = f'<a href="{escaped(address)}" target="_blank" rel="noopener noreferrer">{escaped(homepage)}</a>'
    shown = link if _ADDRESS.fullmatch(address) else escaped(homepage)
    return ", ".join(filter(None, [game.author and f"by {escaped(game.author)}", homepage and shown]))


_ADDRESS = compile(r"https?://[\w-]+(\.[\w-]+)+(:\d+)?(/[^\s\"'<>`\\]*)?")


def _css(levels: Sequence[Level], theme: str) -> str:
    return _text("player.css") + style("", {role for level in levels for role in level.roles}, theme)


def _policy(script: str, css: str) -> str:
    """What the browser is told to allow: what is in the page, and nothing else."""
    own = f"script-src '{_hash(script)}'; style-src '{_hash(css)}'"
    return f"default-src 'none'; {own}; base-uri 'none'; form-action 'none'"


def _hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


def _packed(head: dict[str, Any], table: bytes) -> str:
    """A level as the player reads it: the length of the JSON, the JSON, the rest."""
    text = dumps(head, separators=(",", ":"), ensure_ascii=False).encode()
    length = bytearray()
    write(length, len(text))
    deflate = compressobj(9, DEFLATED, -15)
    packed = deflate.compress(bytes(length) + text + table) + deflate.flush()
    return b64encode(packed).decode()


@cache
def _text(name: str) -> str:
    """A file beside this one, without indents and comments; of scripts and styles also without blanks at signs."""
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    kept = [line for line in lines if line and not line.startswith(("//", "/*"))]
    signs = _SIGNS.get(name.rpartition(".")[2])
    return "\n".join([_tight(line, signs) if signs else line for line in kept]) + "\n"


_SIGNS = {"js": compile(r" ?([{}()\[\]=<>+*?:;,&|!-]) ?"), "css": compile(r" ?([{};,]) ?|(?<=:) ")}
_QUOTED = compile("(\"[^\"]*\"|'[^']*'|`[^`]*`)")


def _tight(line: str, signs: Pattern[str]) -> str:
    parts = _QUOTED.split(line)  # every other one is a text in quotes, which stays as it is
    parts[::2] = [signs.sub(r"\1", part) for part in parts[::2]]
    return "".join(parts)
