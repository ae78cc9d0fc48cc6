"""Collections of Sokoban as XML: the `.slc` files of SokobanP and its relatives; rows of XSB in elements `L`.

<SokobanLevels> <Title>..</Title> <Description>..</Description>
  <LevelCollection Copyright="author"> <Level Id="title" Width="5" Height="3"> <L>#####</L> ...
"""

from __future__ import annotations

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from unpuzzle.errors import ParseError
from unpuzzle.puzzle.collection import CollectedLevel, Collection


def read_xml(text: str) -> Collection:
    """Return the levels. Raises ParseError for text that is not XML, or XML of another kind."""
    if "<!ENTITY" in text:
        raise ParseError("this XML declares entities, which are not read")
    try:
        root = ElementTree.fromstring(text.strip())  # noqa: S314  entities are refused
    except ElementTree.ParseError as error:
        line, column = error.position
        raise ParseError(f"this is not XML: {error}", line=line, column=column + 1) from None
    if root.tag != "SokobanLevels":
        raise ParseError(f"this XML is <{root.tag}>, not <SokobanLevels>: its levels are not read")
    levels = [_level(level, of) for of in root.iter() for level in of.findall("Level")]
    if not levels:
        raise ParseError("this XML has no <Level>")
    comments = [line.strip() for line in _text(root, "Description").splitlines()]
    named = [(name, _text(root, name)) for name in ("Email", "Url")]
    return Collection(
        title=_text(root, "Title"),
        comments=tuple(filter(None, comments)),
        levels=tuple(levels),
        properties=tuple([pair for pair in named if pair[1]]),
    )


def _text(element: Element, name: str) -> str:
    return (element.findtext(name) or "").strip()


def _level(level: Element, of: Element) -> CollectedLevel:
    rows = [(row.text or "").rstrip() for row in level.iter("L")]
    author = level.get("Copyright") or of.get("Copyright") or ""
    return CollectedLevel(
        title=level.get("Id", "").strip(), author=author, board="".join(f"{row or '-'}\n" for row in rows)
    )
