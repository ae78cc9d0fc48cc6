"""The short sections of a game: the prelude, WINCONDITIONS, SOUNDS and LEVELS.

Levels are rows of characters, each for an object or an aggregate; messages may come between levels.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from unpuzzle.base.run import within_limits
from unpuzzle.puzzlescript.compiling.compiled import Level, Options, WinCondition
from unpuzzle.puzzlescript.compiling.names import ObjectNames
from unpuzzle.puzzlescript.compiling.objects import colour_of, is_palette, palette_of
from unpuzzle.puzzlescript.compiling.rule_text import PREFIXES
from unpuzzle.puzzlescript.compiling.text import SECTIONS, FaultCollector, SourceLine

_WITH_VALUE = frozenset(
    "title author homepage background_color text_color color_palette again_interval realtime_interval "
    "key_repeat_interval flickscreen zoomscreen youtube".split()
)
_ALONE = frozenset(
    "throttle_movement norepeat_action noaction noundo norestart require_player_movement run_rules_on_level_start "
    "scanline debug verbose_logging".split()
)
PLUS_LOOKS = frozenset(
    "smoothscreen smoothscreen_debug tween_length tween_easing tween_snap sprite_size custom_font font_size settings "
    "level_select level_select_lock level_select_unlocked_ahead level_select_unlocked_rollover skip_title_screen "
    "level_select_solve_symbol continue_is_level_select show_level_title_in_menu message_text_align text_controls "
    "text_message_continue title_color author_color keyhint_color sitelock_origin_whitelist allow_undo_level "
    "sitelock_hostname_whitelist runtime_metadata_twiddling runtime_metadata_twiddling_debug status_line".split()
)
"""Options of the dialect PuzzleScript Plus that change screens and menus, and no level."""
PLUS_PLAY = frozenset(
    "case_sensitive local_radius nokeyboard mouse_left mouse_drag mouse_up mouse_right mouse_rdrag mouse_rup "
    "mouse_clicks mouse_obstacle".split()
)
"""Options of the dialect that change names, rules or inputs: without them it would be another game."""
PLUS_LINES = ("section", "level", "goto")
"""The first words of its lines between levels, which name levels and link them."""
_NAME = re.compile(r"\w+")
KNOWN = _WITH_VALUE | _ALONE


def read_prelude(lines: Sequence[SourceLine], faults: FaultCollector) -> tuple[str, dict[str, str]]:
    """Read the prelude of a game; return its title, and the value of each option by name."""
    settings: dict[str, str] = {}
    for line in within_limits(lines):
        if line.stray:
            continue
        code = line.code.strip()
        name = (_NAME.match(code) or code.split())[0]
        if name in PLUS_LOOKS or (name in PLUS_PLAY and faults.foreign("script-option", line.number, name)):
            continue
        if name not in KNOWN:
            message = f"{name} is not an option of PuzzleScript{faults.unknown(name, KNOWN)}"
            faults.error("script-option", line.number, message, name)
            continue
        start = len(line.code) - len(line.code.lstrip()) + len(name)
        value = line.original[start:].partition("(")[0].strip()
        if name in _WITH_VALUE and not value:
            faults.error("script-option", line.number, f"{name} needs a value", name)
            continue
        if name in settings:
            faults.warning("script-option", line.number, f"{name} is set twice; this one counts", name)
        settings[name] = value
        _check_value(name, value, line, faults)
    return settings.get("title", ""), settings


def _check_value(name: str, value: str, line: SourceLine, faults: FaultCollector) -> None:
    """Report the value of an option if it has a wrong form."""
    what = ""
    if value.startswith(")"):
        faults.warning("script-comment", line.number, "this `)` closes no comment", ")")
    if name in _ALONE and value:
        what = "stands alone"
    elif name.endswith("_interval") and not re.fullmatch(r"\d*\.?\d+|\d+\.", value.split(maxsplit=1)[0]):
        what = "must be a number of seconds"
    elif name in ("flickscreen", "zoomscreen") and not re.fullmatch(r"0*[1-9]\d*x0*[1-9]\d*", value.lower()):
        what = "must be a width and a height such as 16x12"
    elif name in ("background_color", "text_color") and value.lower() != "transparent":
        what = "" if colour_of(value, palette_of("")) else "must be the name of a colour, or #rgb, or #rrggbb"
    elif name == "color_palette" and not is_palette(value):
        what = "must be the name of a palette, or its number"
    elif name == "youtube":
        what = "has no effect"
    if what:
        faults.warning("script-option", line.number, f"{name} {what}, not {value}", value)


def options_of(settings: dict[str, str]) -> Options:
    """Return those options of a game's prelude that influence play."""
    flags = {name: name in settings for name in Options._fields if name != "realtime"}
    seconds = re.match(r"(\d*\.?\d+|\d+\.)\s*(\(|$)", settings.get("realtime_interval", ""))
    return Options(**flags, realtime=float(seconds[1]) if seconds else 0.0)


_FORM = "a win condition must be `all X on Y`, `some X`, `no X`"
QUANTIFIERS = {"no": -1, "some": 0, "any": 0, "all": 1}


def read_wins(lines: Sequence[SourceLine], names: ObjectNames, faults: FaultCollector) -> tuple[WinCondition, ...]:
    """Return the win conditions in the section WINCONDITIONS."""
    conditions = []
    for line in within_limits(lines):
        if line.stray:  # the `)` is read as its first word, which leaves no condition
            _words(line, names, faults, [")"])
        else:
            conditions.append(_condition(line, names, faults))
    return tuple([condition for condition in conditions if condition is not None])


def _condition(line: SourceLine, names: ObjectNames, faults: FaultCollector) -> WinCondition | None:
    """Parse a win condition; return None if the line has too few words.

    A condition of another form is an error, but its readable part counts; an unknown quantifier means `some`.
    """
    noted = faults.count["error"]
    words, parts = _words(line, names, faults, []), line.read.split()
    is_right = faults.count["error"] == noted
    if len(parts) < 2:
        faults.error("script-win", line.number, f"`{line.read.strip()}` is left out: {_FORM}")
        return None
    first, second = parts[1], parts[3] if len(parts) == 4 else None
    unknown = [word for word in dict.fromkeys((first, second)) if word is not None and word not in names.masks]
    for word in unknown:
        if is_right:
            faults.error("script-unknown-name", line.number, _undefined(word, names, faults), word)
        else:
            faults.counted(line.number, word)
    if unknown:
        return None
    if is_right and (len(words) == 3 or parts != words):
        faults.warning("script-win", line.number, f"this is read as `{parts[0]} {first}`: {_FORM}")
    return WinCondition(
        quantifier=QUANTIFIERS.get(parts[0], 0),
        first_is_aggregate=names.is_aggregate(first),
        second_is_aggregate=second is not None and names.is_aggregate(second),
        first=names.masks[first],
        anything=second is None,
        second=0 if second is None else names.masks[second],
    )


def _words(line: SourceLine, names: ObjectNames, faults: FaultCollector, words: list[str]) -> list[str]:
    """Return the words of a win condition before its first wrong word, and report misplaced words.

    Words behind a comment, which do not count, have their places, too.
    """
    text = line.original.lower()[len(line.code) - len(line.code.lstrip()) :]
    while "(" in text:
        text = re.sub(r"\([^()]*(\)|$)", " ", text)
    for word in re.findall(r"\w+|[^\w\s)]", text):
        if word in SECTIONS:
            continue
        words.append(word)
        if not _NAME.fullmatch(word):
            faults.error("script-win", line.number, _FORM)
            break
        if len(words) == 1 and word not in QUANTIFIERS:
            hint = faults.unknown(word, QUANTIFIERS)
            message = f"a win condition must begin with all, some, any or no, not with {word}{hint}"
            faults.error("script-win", line.number, message, word)
        elif len(words) in (2, 4) and not names.defines(word):
            faults.error("script-unknown-name", line.number, _undefined(word, names, faults), word)
        elif len(words) > 4 or (len(words) == 3 and word != "on"):
            faults.error("script-win", line.number, f"{_FORM}, where {word} is not allowed", word)
    return words


def _undefined(word: str, names: ObjectNames, faults: FaultCollector) -> str:
    return f"{word} is not defined{faults.unknown(word, *names.kinds())}"


EVENTS = frozenset(
    "titlescreen startgame cancel endgame startlevel undo restart endlevel showmessage closemessage".split()
    + [f"sfx{number}" for number in range(11)]
)
HAPPENINGS = frozenset("move action create destroy cantmove".split())


def check_sounds(lines: Sequence[SourceLine], names: ObjectNames, faults: FaultCollector) -> set[str]:
    """Report faults in SOUNDS as warnings, as sounds do not influence play; return the events that have a sound."""
    events: set[str] = set()
    for line in within_limits(lines):
        words = line.code.replace(")", " ").split()  # a stray `)` only separates words
        is_event = words[0] in EVENTS
        if not is_event and not (_NAME.match(words[0]) and names.defines(words[0])):
            hint = faults.unknown(words[0], EVENTS)
            message = f"{words[0]} is neither an event nor an object with a sound{hint}"
            faults.warning("script-sound", line.number, message, words[0])
            faults.counted(line.number, "a sound", bool(_NAME.match(words[0])))
            continue
        if not is_event and words[0] in names.aggregates:
            message = f"{words[0]} is an aggregate (and), which has no sound"
            faults.warning("script-sound", line.number, message, words[0])
        if words[0] in events:
            faults.warning("script-sound", line.number, f"{words[0]} has a sound already", words[0])
        events |= {words[0]} & EVENTS
        verb = words[1:2] if not is_event else []
        if not is_event and not HAPPENINGS.intersection(verb):
            hint = faults.unknown(*verb, HAPPENINGS) if verb else ""
            message = f"after an object there must be move, action, create, destroy or cantmove{hint}"
            faults.warning("script-sound", line.number, message, words[-1])
            faults.counted(line.number, "a sound", len(words) > 1)
            continue
        rest = words[1 + len(verb) :]
        while rest and rest[0] in PREFIXES and verb in (["move"], ["cantmove"]):
            rest = rest[1:]
        if len(rest) != 1 or not rest[0].isdigit():
            message = "a sound must end with one number, from which it is made"
            faults.warning("script-sound", line.number, message, (rest or words)[-1])
            faults.counted(line.number, "a sound", len(words) > 1)
        elif words[0] in names.aggregates:
            faults.counted(line.number, "a sound")
    return events


MOST_CELLS = 1_000_000
"""The largest number of cells of a board; the largest known board has 51,150."""


def read_levels(
    lines: Sequence[SourceLine], names: ObjectNames, ground: tuple[int, int], faults: FaultCollector
) -> tuple[Level, ...]:
    """Read the levels and messages; `ground` are the objects of the background layer and the object `background`."""
    levels: list[Level] = []
    rows: list[SourceLine] = []
    for line in within_limits(lines):
        if line.stray:
            continue
        code = line.code.strip()
        message = code.startswith("message")
        if message and (code[7:8].isalnum() or code[7:8] == "_"):
            blank = "this is read as a message: a blank belongs after the word `message`"
            faults.warning("script-message", line.number, blank)
        title = not rows and is_title(code, names)
        if rows and (message or not code):
            levels.append(_level(rows, names, ground, faults))
            rows = []
        if message:
            levels.append(Level(0, 0, (), line.original.strip()[7:].strip(), line.number))
        elif code and not title:
            rows.append(line)
    if rows:
        levels.append(_level(rows, names, ground, faults))
    faults.counted(faults.last_line, "no levels", not levels)
    return tuple(levels)


def is_title(code: str, names: ObjectNames) -> bool:
    """Return whether a line is a title of levels (allowed in PuzzleScript Plus), not a row of a level."""
    word, _, rest = code.partition(" ")
    return word in PLUS_LINES and bool(rest) and not all(char in names.glyphs for char in code)


def _level(rows: Sequence[SourceLine], names: ObjectNames, ground: tuple[int, int], faults: FaultCollector) -> Level:
    """Convert the rows of a level to a level, and report unknown characters and rows of another width."""
    texts = [row.code.strip() for row in rows]
    width = len(texts[0])
    for row, text in zip(rows, texts, strict=True):
        if len(text) != width:
            faults.warning("script-level", row.number, f"this row is {len(text)} wide, but the first row is {width}")
    if len(texts) * width > MOST_CELLS:
        size = f"{len(texts):,} x {width:,} cells"
        faults.fatal("script-too-many", rows[0].number, f"a level of {size}: at most {MOST_CELLS:,} are allowed")
        return Level(0, 0, (), "", rows[0].number)

    strange: list[tuple[int, int]] = []
    lines: list[int] = []  # with an error
    noted = faults.count["error"]

    def error(row: SourceLine, char: str, reason: str = "is not in the legend") -> None:
        faults.error("script-level", row.number, f"the character {char} {reason}", char)
        lines.append(row.number)

    def unknown(char: str, row: int, column: int) -> None:
        if not strange or not (char in names.signs or char.isspace()):
            reasons = ["means any of several objects (or)"] if char in names.properties else []
            error(rows[row], char, *reasons)
        strange.append((column, row))

    cells = cells_of(texts, names.glyphs, unknown)
    others = [{char for char in text if char not in names.signs and char not in ") \t"} for text in texts]
    for row, text, wrong in zip(rows, texts, others, strict=True):
        for char in sorted(wrong.intersection(text[width:])):
            error(row, char)
    number = sum(map(len, others)) + bool(strange)
    faults.counted(rows[0].number, "a level", max(0, number - (faults.count["error"] - noted)))
    if strange:  # PuzzleScript reads no further, and puts no background there
        place = strange[0][0] * len(texts) + strange[0][1]
        board = (*cells[:place], *[0] * (len(cells) - place))
    else:
        board = with_background(cells, *ground)
    return Level(width, len(texts), board, "\n".join(texts), rows[0].number, min(lines, default=0))


def cells_of(rows: Sequence[str], glyphs: Mapping[str, int], unknown: Callable[[str, int, int], None]) -> list[int]:
    """Convert the rows of a level to the set of objects in each cell, column by column.

    The first row gives the width; the last glyph of a short row is repeated. `unknown` is called with each unknown
    character, its row and its column.
    """
    try:
        return [glyphs[char] for column in zip(*rows, strict=True) for char in column]
    except (KeyError, ValueError):  # not all are glyphs, or rows are of different lengths
        return list(_cells(rows, glyphs, unknown))


def _cells(rows: Sequence[str], glyphs: Mapping[str, int], unknown: Callable[[str, int, int], None]) -> Iterator[int]:
    for column in range(len(rows[0])):
        for number, row in enumerate(rows):
            char = row[column] if column < len(row) else row[-1]
            if char not in glyphs:
                unknown(char, number, column)
            yield glyphs.get(char, 0)


def with_background(cells: Sequence[int], layer: int, background: int) -> tuple[int, ...]:
    """Add a background to each cell that has none: the level's first background object, or else `background`."""
    filler = next((cell & layer for cell in cells if cell & layer), background)
    return tuple([cell if cell & layer else cell | filler for cell in cells])
