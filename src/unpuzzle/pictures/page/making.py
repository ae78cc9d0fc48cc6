"""The page: one file without anything outside of it, and locked against all of that.

<meta Content-Security-Policy>    nothing is loaded, and no script and no style runs but those with these hashes
<style>, <script>                 player.css and the colours of the looks; player.js
<script type="text/plain">        a level each: deflated, in base64
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from hashlib import sha256
from json import dumps
from pathlib import Path
from zlib import DEFLATED, compressobj, crc32

from unpuzzle.pictures.page.tables import write
from unpuzzle.pictures.svg import LINES, escaped, style
from unpuzzle.pictures.themes import AUTO

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from unpuzzle.pictures.page.levels import Level


def page(levels: Sequence[Level], theme: str = AUTO) -> str:
    """The text of a page with some levels of one game."""
    game = levels[0].position.game
    title = game.title or game.name
    name, _, about = title.partition(": ")
    rules = style("", {role for level in levels for role in level.roles}, theme)
    css, script = _text("player.css") + rules, _text("player.js")
    data = [_packed(*level.data) for level in levels]
    key = f"{game.name}-{crc32(''.join(data).encode()):08x}"
    hashes = f"script-src '{_hash(script)}'; style-src '{_hash(css)}'"
    policy = f"default-src 'none'; {hashes}; base-uri 'none'; form-action 'none'"
    return _text("player.html").format(
        policy=policy,
        scheme={"light": "light", "dark": "dark"}.get(theme, "light dark"),
        title=escaped(title),
        name=escaped(name),
        about=escaped(about[:1].upper() + about[1:]),
        lines=LINES,
        css=css,
        script=script,
        key=escaped(key),
        levels="\n".join([f'<script type="text/plain" class="level">{text}</script>' for text in data]),
    )


def _packed(head: dict[str, Any], table: bytes) -> str:
    text = dumps(head, separators=(",", ":"), ensure_ascii=False).encode()
    out = bytearray()
    write(out, len(text))
    deflate = compressobj(9, DEFLATED, -15)
    packed = deflate.compress(bytes(out) + text + table) + deflate.flush()
    return b64encode(packed).decode()


def _hash(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


@cache
def _text(name: str) -> str:
    """A file beside this one, without the comments that have lines of their own, and without indents."""
    text = (Path(__file__).parent / name).read_text("utf-8")
    lines = [line.strip() for line in text.split("\n")]
    kept = [
        line for line in lines if line and not line.startswith("//") and not (line[:2] == "/*" and line[-2:] == "*/")
    ]
    return "\n".join(kept)
