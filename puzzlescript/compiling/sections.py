"""The three short sections: the prelude, WINCONDITIONS, and SOUNDS, of which only faults matter."""

from __future__ import annotations

import re
from collections.abc import Sequence

from unpuzzle.puzzlescript.compiling.compiled import Options, WinCondition
from unpuzzle.puzzlescript.compiling.faults import Faults
from unpuzzle.puzzlescript.compiling.names import Names
from unpuzzle.puzzlescript.compiling.rule_text import PREFIXES
from unpuzzle.puzzlescript.compiling.text import SECTIONS, Line

_WITH_VALUE = frozenset(
    "title author homepage background_color text_color color_palette again_interval realtime_interval "
    "key_repeat_interval flickscreen zoomscreen youtube".split()
)
_ALONE = frozenset(
    "throttle_movement norepeat_action noaction noundo norestart require_player_movement run_rules_on_level_start "
    "scanline debug verbose_logging".split()
)
_NAME = re.compile(r"\w+")
KNOWN = _WITH_VALUE | _ALONE


def read_prelude(lines: Sequence[Line], faults: Faults) -> tuple[str, dict[str, str]]:
    """Return the title, and the values of all options by name."""
    settings: dict[str, str] = {}
    for line in faults.each(lines):
        if line.stray:
            continue
        code = line.code.strip()
        word = _NAME.match(code)
        name = word[0] if word else code.split()[0]
        if name not in KNOWN:
            faults.error(line.number, f"{name} is not an option of PuzzleScript{faults.unknown(name, KNOWN)}", name)
            continue
        if name in _WITH_VALUE and name == code:
            faults.error(line.number, f"{name} needs a value", name)
            continue
        settings[name] = line.written.strip()[len(name) :].strip()
        _check_value(name, settings[name], line, faults)
    return settings.get("title", ""), settings


def _check_value(name: str, value: str, line: Line, faults: Faults) -> None:
    if name.endswith("_interval") and not re.fullmatch(r"\d*\.?\d+|\d+\.", value.split(maxsplit=1)[0]):
        faults.warning(line.number, f"{name} is a number of seconds, not {value}", value)
    if name in ("flickscreen", "zoomscreen") and not re.match(r"\d+x\d+", value.lower()):
        faults.warning(line.number, f"{name} is a width and a height such as 16x12, not {value}", value)


def options_of(settings: dict[str, str]) -> Options:
    """Return the options that matter to play."""
    flags = {name: name in settings for name in Options._fields}
    return Options(**{**flags, "realtime": "realtime_interval" in settings})


_QUANTIFIERS = {"no": -1, "some": 0, "any": 0, "all": 1}


def read_wins(lines: Sequence[Line], names: Names, faults: Faults) -> tuple[WinCondition, ...]:
    """Return the conditions that must all hold."""
    conditions = [_condition(line, line.code.split(), names, faults) for line in faults.each(lines) if not line.stray]
    return tuple([condition for condition in conditions if condition is not None])


def _condition(line: Line, parts: list[str], names: Names, faults: Faults) -> WinCondition | None:
    """Read a condition; `on Y` counts only where nothing else stands, even if that would mean nothing anywhere.

    One of another form is an error, and holds nevertheless as far as it goes; an unknown quantifier means some.
    """
    words = [part for part in parts if part.strip(")") and part not in SECTIONS]
    is_right = _check_form(line, words or parts, faults)
    if len(parts) < 2:
        return None
    first, second = parts[1], parts[3] if len(parts) == 4 else None
    used = dict.fromkeys([first, *([] if second is None else [second]), *(words[1::2] if is_right else [])])
    unknown = [word for word in used if not names.known(word)]
    if is_right:
        for word in unknown:
            faults.error(line.number, f"{word} is not defined{faults.unknown(word, *names.kinds())}", word)
    if unknown:
        return None
    if is_right and (len(words) == 3 or len(parts) != len(words)):
        message = f"this is read as `{words[0]} {first}`: a win condition is `all X on Y`, `some X`, `no X`"
        faults.warning(line.number, message)
    return WinCondition(
        quantifier=_QUANTIFIERS.get(parts[0], 0),
        first_is_aggregate=first in names.aggregates,
        second_is_aggregate=second in names.aggregates,
        first=names.masks[first],
        anything=second is None,
        second=0 if second is None else names.masks[second],
    )


def _check_form(line: Line, words: list[str], faults: Faults) -> bool:
    """Return whether a condition has the right form; note where it has not."""
    if words[0] not in _QUANTIFIERS:
        message = f"a win condition begins with all, some, any or no, not with {words[0]}"
        faults.error(line.number, message, words[0])
        return False
    if len(words) not in (2, 3, 4) or words[2:3] not in ([], ["on"]):
        faults.error(line.number, "a win condition is `all X on Y`, `some X`, `no X`")
        return False
    return True


_EVENTS = frozenset(
    "titlescreen startgame cancel endgame startlevel undo restart endlevel showmessage closemessage".split()
    + [f"sfx{number}" for number in range(11)]
)
_HAPPENINGS = frozenset("move action create destroy cantmove".split())


def check_sounds(lines: Sequence[Line], names: Names, faults: Faults) -> None:
    """Note what is wrong with the sounds: as warnings, since play goes on without them."""
    for line in faults.each(lines):
        words = line.code.replace(")", " ").split()
        for word in words:
            if not (word.isdigit() or word in _EVENTS or word in _HAPPENINGS or word in PREFIXES or names.known(word)):
                hint = faults.unknown(word, _EVENTS, _HAPPENINGS)
                faults.warning(line.number, f"{word} is neither an event nor an object with a sound{hint}", word)
        if not any(word.isdigit() for word in words):
            faults.warning(line.number, "a sound needs a number, from which it is made", words[0])
