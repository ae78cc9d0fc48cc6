"""Crosswords as text for people: `.xd`, and the text from which Across Lite makes its `.puz` files.

    Title: Small                   <ACROSS PUZZLE V2>
                                   <TITLE>
                                       Small
    CAT#                           <GRID>
    OPEN                               CAT.
    #ETC                               ...
                                   <ACROSS>
    A1. It purrs ~ CAT                 It purrs

An `.xd` file has parts, after blank lines or after `## NAME`, and its clues have numbers and answers. Small letters are
cells with a circle (`Special: circle`), bars stand in a part `## Design`. In the other text a block is a point.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from unpuzzle.errors import ParseError, UnsupportedFeature
from unpuzzle.translators.crossword.sheet import PrintedCrossword, bars_of, by_number, sheet_of
from unpuzzle.translators.crossword.slots import BAR_ABOVE, BAR_LEFT, BLOCK, EMPTY, by_direction, rows_of, slots_of
from unpuzzle.translators.shared.text import Page
from unpuzzle.words import count, shorten

Numbered = list[tuple[int, str]]
"""Lines with their numbers, without blanks around them; no blank lines."""
PARTS = ("metadata", "grid", "clues", "notes", "design")
HEADING = re.compile(r"##\s*(\w+)")
FIELD = re.compile(r"([A-Za-z][\w -]*):\s*(.*)")
CLUE = re.compile(r"([A-Z]?)(\d+)\.\s*(.*)")
ABOUT_CLUE = re.compile(r"[A-Z]?\d+ \^")
MARKUP = re.compile(r"\{([/*_-])(.*?)\1\}")
COMMENT = re.compile(r"^<!--.*?-->", re.MULTILINE | re.DOTALL)
STYLE = re.compile(r"([^\s{}]+(?:\s*,\s*[^\s{}]+)*)\s*\{([^}]*)\}")
TAG = re.compile(r"<([A-Z][A-Z ]*?)(?: V\d+)?>", re.IGNORECASE)


def read_xd(text: str, source: str | None = None) -> PrintedCrossword:
    """Return the crossword of an `.xd` file. Raises ParseError with its line, UnsupportedFeature for other clues."""
    text = COMMENT.sub(lambda comment: "\n" * comment[0].count("\n"), text.replace("\r\n", "\n").replace("\r", "\n"))
    page = Page(text, source)
    parts = _parts(page)
    fields = {match[1].lower(): match[2].strip() for _, line in parts["metadata"] if (match := FIELD.match(line))}
    rebus = dict(reversed([pair.strip(",").split("=", 1) for pair in re.findall(r"\S+=\S+", fields.get("rebus", ""))]))
    width = _width(page, parts["grid"])
    cells = [cell for _, row in parts["grid"] for cell in row]
    circles = "".join(["o" if "special" in fields and cell.islower() else EMPTY for cell in cells])
    texts = [BLOCK if cell in "#_" else rebus.get(cell, cell) for cell in cells]
    bars, drawn = _design(page, parts["design"], len(cells), width)
    grid = "".join([BLOCK if text == BLOCK else EMPTY for text in texts])
    whole = EMPTY not in texts
    return sheet_of(
        width,
        [*grid] if whole else texts,
        texts if whole else None,
        _clues(page, parts["clues"], {slot.name for slot in slots_of(grid, width, bars)}),
        source,
        bars=bars,
        circles=drawn or circles,
        notes="\n".join([line for _, line in parts["notes"]]),
        **{name: fields.get(name, "") for name in ("title", "author", "copyright")},
    )


def _parts(page: Page) -> dict[str, Numbered]:
    """Return the lines of each part. Without headings, a part ends where no line can be one of it."""
    parts: dict[str, Numbered] = {name: [] for name in PARTS}
    part, is_named, blanks = "metadata", False, 0
    for number, line in enumerate(page.lines, 1):
        page.require_printable(line.replace("\xa0", " ").replace("\xad", ""), number)
        text = line.strip()
        if match := HEADING.match(text):
            part, is_named = match[1].lower(), True
        elif text:
            if not is_named:
                part = _next_part(part, text, blanks if parts[part] else 0)
            parts.setdefault(part, []).append((number, text))
        blanks = 0 if text else blanks + 1
    return parts


def _next_part(part: str, line: str, blanks: int) -> str:
    """Return the part of a line that stands after blank lines, from the part of the line before."""
    is_clue = CLUE.match(line) or ABOUT_CLUE.match(line)
    if part == "metadata" and not FIELD.match(line):
        return "grid"
    if part == "grid" and (blanks or is_clue):
        return "clues"
    return "notes" if part == "clues" and blanks and not is_clue else part


def _width(page: Page, rows: Numbered) -> int:
    """Return the number of columns. Refuses no rows, and rows of different lengths."""
    if not rows:
        raise page.error("there is no grid")
    width = len(rows[0][1])
    for place, (number, row) in enumerate(rows, 1):
        if len(row) != width:
            raise page.error(f"row {place} of the grid has {count(len(row), 'cell')}, row 1 has {width}", number)
    return width


def _clues(page: Page, lines: Numbered, names: set[str]) -> dict[str, str]:
    clues: dict[str, str] = {}
    for number, line in lines:
        if ABOUT_CLUE.match(line):
            continue
        match = CLUE.match(line)
        if match is None or match[1] not in ("A", "D"):
            what = (
                "this is no clue"
                if match is None
                else f"clues of the group {match[1] or 'without a letter'} are not read"
            )
            raise page.error(f"{what}: one is such as `A1. It purrs ~ CAT`", number)
        name = f"{int(match[2][:9])}{match[1]}"
        if name not in names or name in clues:
            why = "a second clue" if name in clues else "a clue, and no word,"
            raise page.error(f"there is {why} of {match[1]}{match[2]}", number)
        clues[name] = MARKUP.sub(r"\2", re.split(r" ~(?: |$)", match[3])[0]).strip()
    return clues


def _design(page: Page, lines: Numbered, size: int, width: int) -> tuple[str, str]:
    """Return the signs of bars and of circles; empty without such a part."""
    styles: dict[str, str] = {}
    for names, style in STYLE.findall("\n".join([line for _, line in lines])):
        for name in re.split(r"[\s,]+", names):
            styles[name] = styles.get(name, "") + re.sub(r"\s", "", style.lower()) + ";"
    rows = [(number, line) for number, line in lines if not re.search(r"[\s{}<>:;]", line)]
    cells = "".join([line for _, line in rows])
    if rows and (len(cells) != size or any(len(line) != width for _, line in rows)):
        raise page.error("the design does not have the shape of the grid", rows[0][0])
    kinds = [styles.get(cell, "") for cell in cells]
    bars = bars_of(["bar-left:true" in kind for kind in kinds], ["bar-top:true" in kind for kind in kinds])
    return bars, "".join(["o" if re.search("background:(circle|shaded)", kind) else EMPTY for kind in kinds])


def write_xd(sheet: PrintedCrossword) -> str:
    """Return the text of an `.xd` file."""
    fields = {name: getattr(sheet, name) for name in ("title", "author", "copyright")}
    fields["rebus"] = " ".join([f"{sign}={text}" for sign, text in sheet.rebus.items()])
    lines = ["## Metadata", "", *[f"{name.capitalize()}: {text}" for name, text in fields.items() if text]]
    lines += ["", "## Grid", "", *(sheet.solution or sheet.rows), "", "## Clues", ""]
    for slots in by_direction(sheet.slots) if sheet.clues else ():
        for slot in slots:
            answer = f" ~ {sheet.answer(slot)}" if sheet.solution else ""
            lines.append(f"{slot.name[-1]}{slot.number}. {sheet.clues[slot.name]}{answer}")
        lines.append("")
    if sheet.bars or sheet.circles:
        lines += ["## Design", "", *_styles(sheet), ""]
    return "\n".join([*lines, *(["## Notes", "", sheet.notes, ""] if sheet.notes else [])])


def _styles(sheet: PrintedCrossword) -> Iterator[str]:
    """Yield the lines of the design: a letter for each kind of cell, with its style."""
    size = len(sheet.rows) * sheet.width
    pairs = list(zip(sheet.bars or EMPTY * size, sheet.circles or EMPTY * size, strict=True))
    kinds = [kind for kind in dict.fromkeys(pairs) if kind != (EMPTY, EMPTY)]
    letters = dict(zip(kinds, "ABCDEFG", strict=False))
    for (bar, circle), letter in letters.items():
        style = ["bar-left: true"] * (bar in BAR_LEFT) + ["bar-top: true"] * (bar in BAR_ABOVE)
        yield f"{letter} {{ {'; '.join(style + ['background: circle'] * (circle != EMPTY))} }}"
    yield ""
    yield from rows_of("".join([letters.get(pair, EMPTY) for pair in pairs]), sheet.width)


def read_across_lite(text: str, source: str | None = None) -> PrintedCrossword:
    """Return the crossword of a text for Across Lite. Raises ParseError with its line."""
    page = Page(text, source)
    parts: dict[str, Numbered] = {}
    lines: Numbered = []
    for number, line in enumerate(page.lines, 1):
        page.require_printable(line, number)
        if match := TAG.fullmatch(line.strip()):
            lines = parts.setdefault(match[1].upper(), [])
        elif line.strip():
            lines.append((number, line.strip()))
    rows = parts.get("GRID", [])
    width = _width(page, rows)
    _require_size(page, parts.get("SIZE", []), f"{width}x{len(rows)}")
    statements = [part.strip() for _, line in parts.get("REBUS", []) for part in line.split(";")]
    rebus = {part[0]: part.split(":")[1] for part in statements if part[1:2] == ":"}
    cells = [cell for _, row in rows for cell in row]
    solution = [BLOCK if cell in ".:" else rebus.get(cell, cell) for cell in cells]
    grid = [BLOCK if cell == BLOCK else EMPTY for cell in solution]
    clues: dict[str, str] = {}
    for key, slots in zip(("ACROSS", "DOWN"), by_direction(slots_of("".join(grid), width)), strict=True):
        given = parts.get(key, [])
        if len(given) != len(slots) and any(map(parts.get, ("ACROSS", "DOWN"))):
            message = f"there are {count(len(given), 'clue')} for {count(len(slots), 'word')} {key.lower()}"
            raise page.error(message, given[min(len(slots), len(given) - 1)][0] if given else 1)
        clues |= {slot.name: clue for slot, (_, clue) in zip(slots, given, strict=False)}
    is_marked = any(part.upper() == "MARK" for part in statements)
    return sheet_of(
        width,
        grid,
        solution,
        clues,
        source,
        circles="".join(["o" if is_marked and cell.islower() else EMPTY for cell in cells]),
        **{name: "\n".join([line for _, line in parts.get(tag, [])]) for name, tag in ABOUT_TAGS.items()},
    )


ABOUT_TAGS = {"title": "TITLE", "author": "AUTHOR", "copyright": "COPYRIGHT", "notes": "NOTEPAD"}


def _require_size(page: Page, lines: Numbered, right: str) -> None:
    for number, line in lines[:1]:
        if re.sub(r"\s", "", line.lower()) != right:
            raise page.error(f"the size is {right}, by the grid, and not {shorten(line)}", number)


def write_across_lite(sheet: PrintedCrossword) -> str:
    """Return a text for Across Lite. Raises UnsupportedFeature for what it cannot have: bars, or no solution."""
    if sheet.bars or sheet.solution is None:
        feature = "bars" if sheet.bars else "puzzles without a solution"
        raise UnsupportedFeature(f"a text for Across Lite has no {feature}; an .ipuz file has", feature=feature)
    rows = [row.replace(BLOCK, EMPTY) for row in sheet.solution]
    if sheet.circles:
        marks = zip("".join(rows), sheet.circles, strict=True)
        rows = rows_of("".join([cell if mark == EMPTY else cell.lower() for cell, mark in marks]), sheet.width)
    rebus = [f"{sign}:{text}:{text[0]}" for sign, text in sheet.rebus.items()]
    parts: dict[str, Sequence[str]] = {
        "ACROSS PUZZLE V2" if rebus or sheet.circles else "ACROSS PUZZLE": (),
        "TITLE": [sheet.title], "AUTHOR": [sheet.author], "COPYRIGHT": [sheet.copyright],
        "SIZE": [f"{sheet.width}x{len(rows)}"], "GRID": rows,
    }  # fmt: skip
    if len(parts) and (rebus or sheet.circles):
        parts["REBUS"] = [*(["MARK;"] if sheet.circles else []), *rebus]
    ways = zip(("ACROSS", "DOWN"), by_direction(sheet.slots), strict=True)
    parts |= {key: [sheet.clues.get(slot.name, "") for slot in slots] for key, slots in ways}
    parts |= {"NOTEPAD": sheet.notes.split("\n")} if sheet.notes else {}
    return "".join([f"<{tag}>\n" + "".join([f"\t{line}\n" for line in lines]) for tag, lines in parts.items()])
