"""From the text of a game to the compiled game: the passes one after the other."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import TypeVar

from unpuzzle.errors import ParseError
from unpuzzle.puzzlescript.compiling.compiled import Compiled
from unpuzzle.puzzlescript.compiling.faults import Faults, GivenUpError
from unpuzzle.puzzlescript.compiling.groups import group_rules
from unpuzzle.puzzlescript.compiling.names import read_names
from unpuzzle.puzzlescript.compiling.objects import read_objects, screen_of, sprites_of
from unpuzzle.puzzlescript.compiling.rule_text import check_rules, read_rules
from unpuzzle.puzzlescript.compiling.sections import check_sounds, options_of, read_levels, read_prelude, read_wins
from unpuzzle.puzzlescript.compiling.text import sections_of
from unpuzzle.puzzlescript.playing.applying import Tick, no_limit

T = TypeVar("T")

MOST_TEXT = 4_000_000
"""Characters; the largest game that is known has some hundred thousand."""


def compile_game(text: str, file: str | None = None, tick: Tick = no_limit) -> Compiled:
    """Compile the text of a game. Raises ParseError if it is not a game, or has too many faults to be played.

    `tick` is called often, and may raise to end the work. Faults of a file that is played in spite of them are warnings
    (`FaultyGame`).
    """
    check_size(text, file)
    faults = Faults(text, file, tick)
    game = compile_text(text, faults)
    faults.refuse()
    assert game is not None
    if file is not None:
        faults.warn()
    errors = faults.errors()
    return game._replace(faulty=errors[0].line) if errors else game


def check_size(text: str, file: str | None = None) -> None:
    if len(text) > MOST_TEXT:
        raise ParseError(f"a game of {len(text):,} characters: at most {MOST_TEXT:,} are read", file=file)


def compile_text(text: str, faults: Faults) -> Compiled | None:
    """Compile a text as far as it can be understood, or return None. Faults are added to `faults`."""
    try:
        return without_collecting(lambda: _compiled(text, faults))
    except GivenUpError:
        return None


def _compiled(text: str, faults: Faults) -> Compiled:
    sections = sections_of(text, faults)
    title, settings = read_prelude(sections["prelude"], faults)
    things, synonyms = read_objects(sections["objects"], faults)
    names = read_names(things, synonyms, sections["legend"], sections["collisionlayers"], faults)
    if not names.objects:
        faults.fatal(
            "script-layers",
            faults.last_line,
            "no object lies in a collision layer: COLLISIONLAYERS names those of each layer",
        )
    for name, tell in (("background", faults.fatal), ("player", faults.error)):
        if not names.defines(name):
            tell("script-no-object", 1, f"there is no {name}: an object, a synonym or a property must bear this name")
            faults.counted(1, name)
    if "background" in names.aggregates:
        faults.error(
            "script-aggregate",
            1,
            "background is an aggregate (and): it must be an object, a synonym or a property (or)",
            1,
        )
    sounds = check_sounds(sections["sounds"], names, faults)
    rules, loops = read_rules(sections["rules"], names, faults)
    check_rules(rules, sounds, faults)
    layer, background = names.background()
    groups = group_rules(rules, loops, names, faults)
    return Compiled(
        title=title,
        objects=tuple(names.objects),
        layers=tuple(names.layers),
        player=names.player(),
        player_is_aggregate="player" in names.aggregates,
        options=options_of(settings),
        wins=read_wins(sections["winconditions"], names, faults),
        rules=groups.rules,
        late=groups.late,
        rigid_groups=groups.rigid,
        levels=read_levels(sections["levels"], names, (layer, background), faults),
        glyphs=tuple(names.glyphs.items()),
        background_layer=layer,
        background=background,
        sprites=sprites_of([things[name] for name in names.objects], settings),
        screen=screen_of(settings),
        author=settings.get("author", ""),
        homepage=settings.get("homepage", ""),
    )


def without_collecting(work: Callable[[], T]) -> T:
    """Do some work during which Python collects no garbage."""
    if not gc.isenabled():
        return work()
    try:
        gc.disable()
        return work()
    finally:
        gc.enable()
