"""The prelude: title and options, before the first section."""

from __future__ import annotations

import re

from unpuzzle.puzzlescript.compiling.compiled import Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from unpuzzle.puzzlescript.compiling.faults import Faults
    from unpuzzle.puzzlescript.compiling.text import Line

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
    """The title, and what is set, by name."""
    found: dict[str, str] = {}
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
        found[name] = line.written.strip()[len(name) :].strip()
        _check_value(name, found[name], line, faults)
    return found.get("title", ""), found


def _check_value(name: str, value: str, line: Line, faults: Faults) -> None:
    if name.endswith("_interval") and not re.fullmatch(r"\d*\.?\d+|\d+\.", value.split(maxsplit=1)[0]):
        faults.warning(line.number, f"{name} is a number of seconds, not {value}", value)
    if name in ("flickscreen", "zoomscreen") and not re.match(r"\d+x\d+", value.lower()):
        faults.warning(line.number, f"{name} is a width and a height such as 16x12, not {value}", value)


def options_of(found: dict[str, str]) -> Options:
    """The options that matter to play."""
    return Options(
        require_player_movement="require_player_movement" in found,
        run_rules_on_level_start="run_rules_on_level_start" in found,
        noaction="noaction" in found,
        realtime="realtime_interval" in found,
        noundo="noundo" in found,
        norestart="norestart" in found,
    )
