"""Words that PuzzleScript knows, and those that other dialects of it have besides."""

from __future__ import annotations

from collections.abc import Iterable

from unpuzzle.words import suggestion

COLOURS = frozenset(
    "black white grey gray darkgrey darkgray lightgrey lightgray red darkred lightred brown darkbrown lightbrown "
    "orange yellow green darkgreen lightgreen blue lightblue darkblue purple pink transparent".split()
)

PLUS = "PuzzleScript Plus"
_OF_DIALECTS = {
    **dict.fromkeys(
        "nosave status_line smoothscreen tween_length tween_easing tween_snap case_sensitive level_select "
        "level_select_lock level_select_unlocked_ahead level_select_unlocked_rollover level_select_solve_symbol "
        "continue_is_level_select mouse_left mouse_drag mouse_right mouse_rdrag mouse_up mouse_rup mouse_clicks "
        "mouse_obstacle local_radius sprite_size font_size custom_font message_text_align text_controls "
        "text_message_continue skip_title_screen show_level_title_in_menu runtime_metadata_twiddling "
        "allow_undo_level keyhint_color author_color title_color sitelock_origin_whitelist "
        "sitelock_hostname_whitelist".split(),
        PLUS,
    ),
    **dict.fromkeys("nosave quit link goto status gosub level section subroutine log undo".split(), PLUS),
    **dict.fromkeys("tags mappings tag mapping".split(), "pattern:script and PuzzleScript Next"),
    **dict.fromkeys("globalrule localrule once global local flip copy translate canvas rot shift".split(), PLUS),
}


def foreign(word: str) -> str:
    """Return what to add to a message about an unknown word: the dialect that knows it; empty if none does."""
    dialect = _OF_DIALECTS.get(word)
    return f": it belongs to the dialect {dialect}" if dialect else ""


def unknown(word: str, known: Iterable[str]) -> str:
    """Return the same, or a suggestion for a near miss."""
    return foreign(word) or suggestion(word, known)
