"""Small games written carelessly, a slip each: what PuzzleScript makes of them is recorded in tests/golden.

Each table is about one section; its lines take the place of, or join, the right ones.
"""

from collections.abc import Iterator

from support.script_texts import PUSH, script

LEVEL = "p.*o.#\n..*..o\n.#...."
ROWS = "00000\n" * 4
"""All but the last row of a picture."""
END = f"\n{PUSH}\nendloop"

OBJECTS = (
    f"Crate\norange\n{ROWS}00000", f"Crate\norange\n{ROWS}00000\n.....", f"Crate\norange\n{ROWS}00000\n00000",
    f"Crate\norange\n{ROWS}00000\n0.000", f"Crate\norange\n000000\n{ROWS}", f"Crate\norange\n{ROWS}000000",
    f"Crate\norange\n{ROWS}00000...", "Crate\norange\n0 0 0 0 0\n. . . . .\n0 0 0 0 0\n0 0 0 0 0\n0 0 0 0 0",
    "Crate\norange\n000\n000\n000", "Crate\norange\n00000\n\n.....\n.....",
    "Crate\norange\n\n.0000\n.0000\n.0000\n.0000\n.0000", "Crate\norangeblue#abc#aabbcc", "Crate, Box\norange",
    "Crate,c\norange", f"Crate )\norange ) red\n0000)0\n{ROWS}", ") Crate\norange", "Crate\n) x\norange",
    f"Crate (a)(b)\n(c)\norange (d)\n(e)\n00000(f)\n(g){ROWS}", "Crate\n(c) \norange",
    "Crate\norange\n.0000\n(c) \n.0000\n.0000\n.0000", "Crate\n(c\n\nfoo) \norange", "(c\n\nfoo) Crate\norange",
    "Crate 2\norange", "=====\nCrate\n======\norange", "Crate\ngray grey darkgray lightgrey", "Crate\n#ff00",
    "Crate\n#ff00ff0", "Crate\norange,", f"\tCrate\t\n\torange\t\n\t{ROWS}\t00000",
    "\u00a0Crate\u00a0\n\u00a0orange\u00a0", "Crate rules\norange", "Crate again\norange", "#!foo\nCrate\norange",
    "-----\nCrate\norange", "**** CRATES ****\nCrate\norange",
)  # fmt: skip
LEGENDS = (
    "Ca)r = Crate", "Car) = Crate", "Car )= Crate", "Car = Wal)l", "Car RULES = Crate", "X=Crate", "X =Crate",
    "X= Crate or Wall", "X = Crate or Crate", "X = Crate and Target and Target", "X = Crate rules", "X = Crate )",
    "X = Crate ) ", "X = Crate ) or Wall", "x = crate (c) or wall", "(c) x = crate", "X = Y\nY = Crate",
    "X = Crate or Wall\nY = X or Target\nZ = Y or X", "X = Crate and Target\nY = X", "= = Crate", ") = Crate",
    ") x = Crate", "x = crate,wall", "X = Crate or Wall and Target", "up = Crate", "v = Crate", "\u00e9 = Crate",
    "\u26a0 = Crate", "x = x", "x = Crate\nx = Crate", "x = Crate or", "x = Crate or Wall or Crate", "x\t=\tCrate",
    "x = CRATE OR WALL", "x = crate and target\ny = x and background",
)  # fmt: skip
PUSHES = (
    "{} (comment)", "{}(comment)", "(comment) {}", "{} again again cancel", "up up {}", "up down up {}",
    "orthogonal {}", "+ {}", "[ Player ] -> [ Player ]\n+{}", "{} message[ hi ]", "{} Crate", "{} [ Crate ]", "{} ]",
    "{} foo", "foo {}", "{} sfx11", "{} -> [ ]", "rigid {}", "{} restart checkpoint win", "\ufeff{}", "moving {}",
    "v {}", "startloop\n{}\nendloop", "startloop\n{}", "startloop foo\n{}\nendloop", "  startloop  \n{}\n endloop (c)",
    "STARTLOOP\n{}\nENDLOOP", "==\n{}\n== ==", ")\n{}", ") {}", "{} )", "(\n)\n{}", "(x\n) {}",
    "startloop\nendloop\n{}", "endloop\n{}", "{}\nstartloop\n+ {}\nendloop",
)  # fmt: skip
RULES = (
    *[form.replace("{}", PUSH) for form in PUSHES], "[>Player|Crate]->[>Player|>Crate]",
    "[ > Player | Crate ]->[ > Player | > Crate ]again", "up down up [ Player | Crate ] -> [ Crate | Player ]",
    "left up left [ Player ] -> [ > Player ]", "horizontal left [ Player | ] -> [ | Player ]",
    "[ Player ] -> [ Player ]\n + late [ Player | Crate ] -> [ Player | ]",
    "late [ Player | Crate ] -> [ Player | ] message hi (there", "[ > Player | Crate ] -> message",
    "[ > Player | Crate ] -> [ > Player | > Crate message hi ]", "[ > Player | Crate ] -> [ > Player | > Crate sfx0 ]",
    "[ > Player | Crate again ] -> [ > Player | > Crate ]", "[ > Player | Crate ] again -> [ > Player | > Crate ]",
    "[ > Player | Crate ] -> again [ > Player | > Crate ]", "[ > Player | Crate ] -> right [ > Player | > Crate ]",
    "[ > Player | Crate ] -> random [ > Player | > Crate ]", "[ > Player | Crate ] -> late [ > Player | > Crate ]",
    "[ > Player ] [ Crate ] -> [ > Player ]", "[ > Player | Crate ] -> [ > Player | > Crate",
    "[ > Player | Crate ] -> > Player | > Crate ]", "> Player | Crate ] -> [ > Player | > Crate ]",
    "[ > Player | Crate -> [ > Player | > Crate ]", "[ > Player | -> [ > Player | > Crate ]",
    "[ > Player | Crate ] [ > Player | > Crate ]", "[ > Player | Crate ] - > [ > Player | > Crate ]",
    "[ [ > Player | Crate ] -> [ > Player | > Crate ]", "[ [ > Player | Crate ] ] -> [ [ > Player | > Crate ] ]",
    "[ > Player || Crate ] -> [ > Player || > Crate ]", "[ > Player | ... | Crate ] -> [ > Player | ... | > Crate ]",
    "[ > Player | ... Crate ] -> [ > Player | ... > Crate ]", "[ ... | Crate ] -> [ ... | > Crate ]",
    "[ > Player | ... | Crate | ... | Wall ] -> [ > Player | ... | > Crate | ... | Wall ]",
    "[ > Player | ... | ... | ... | Crate ] -> win", "[ no Crate no Crate Player ] -> [ Player ]",
    "[ Player Player ] -> [ Player ]", "[ Crate no Crate ] -> win", "[ Player Crate ] -> win",
    "[ > Player | Crate ] -> [ > Player | > Crate no Target ]",
    "[ > Player | Crate no Target ] -> [ > Player | > Crate no Target ]",
    "[ > Player | Crate no Player ] -> [ > Player | > Crate no Player no Target ]", "[ Player ] -> [ random Crate ]",
    "[ Player | ] -> [ Player | random Target ]", "[ > Player ] -> [ randomdir Player ]",
    "late [ Player ] -> [ stationary Player ]", "late [ > Player ] -> [ Player ]", "rigid late [ Player ] -> [ ]",
    "random [ Player | ] -> [ Player | Target ]", "[ Player ] -> [ Player ]\n+ random [ Player ] -> [ ]", "[ ] -> [ ]",
    "[ ] -> win", "[] -> [ Target ]", "[ | ] -> [ | ]", "[] [] -> [] []",
    "[ horizontal Player | Crate ] -> [ horizontal Player | horizontal Crate ]",
    "[ perpendicular Player | Crate ] -> [ Player | perpendicular Crate ]",
    "[ parallel Player | Crate ] -> [ | parallel Crate ]", "[ moving Player | moving Crate ] -> [ moving Player | ]",
    "[ moving Player ] [ moving Crate ] -> [ moving Crate ] [ moving Player ]",
    "[ moving Crate no Target ] [ moving Crate Target ] -> [ moving Crate no Target ] [ stationary Crate Target ]",
    "[ moving Player moving Target ] -> [ moving Player moving Target ]", "[ > Player | Foo ] -> [ > Player | > Foo ]",
    "[ > no Player ] -> [ ]", "[ no > Player ] -> [ ]", "[ Player no ] -> [ ]",
    "[ stationary Player | ] -> [ > Player | ]", "[ action Player | ] -> [ Player | Crate ]",
    "[ v Player | Crate ] -> [ v Player | v Crate ]", "[\u00a0> Player\u00a0| Crate ] -> [ > Player | >\u3000Crate ]",
)  # fmt: skip
WINS = (
    "all Crate on )", "all Crate ) on", "all Crate on Target rules", "all rules Crate", "all Crate rules", ")", "rules",
    "all Crate on", "all Crate", "some Crate on Target", "any Crate on Target", "no Crate", "all", "Crate",
    "all Crate Target", "all Crate on Target on", "all Crate on Target )", ") all Crate on Target",
    "all ) Crate on Target", "all Crate on Target (c)", "all Crate (c) on Target", "(c) all Crate on Target",
    "ALL CRATE ON TARGET", "all Crate, Target", "every Crate", "all Crate on Target and Wall", "no * on o", "some p",
    "all *", "\tno Player\t", "all Crate on Target\n)\n(\n)\nno Player",
)  # fmt: skip
LEVELS = (
    f"{LEVEL}\n\nmessagehello\n{LEVEL}", f"{LEVEL}\nMESSAGE (hi\n{LEVEL}", f"{LEVEL}\n)", f"{LEVEL}\n\n)\n\n{LEVEL}",
    f"{LEVEL}\nmessage hi", f"{LEVEL}\n=====", f"{LEVEL}\n(c)\n....p.", f"{LEVEL}\n(c) \n....p.", f"(c){LEVEL}",
    LEVEL.replace("\n", "(c)\n"), f"(c) {LEVEL}", f"{LEVEL}(c", "p.*o.#\n..*\n.#...........", "  p.*o.#\n\t..*..o  ",
    "p. *o", "p.*o )\n..)", "p.)o", f"\n\n\n{LEVEL}\n\n\n\n", "....", "= ", "p=o", "p*o\n==\np*o", "", "p*q",
    "p\U0001f600o", f"{LEVEL}\nmessage )foo", f")p..\n{LEVEL}", f") message foo\n{LEVEL}", "P.*O.#",
)  # fmt: skip
PRELUDES = (
    "again_interval fast", "again_interval", "flickscreen 5", "flickscreen 5x", "zoomscreen axb", "noaction yes",
    "norepeat_action (c)", "title:foo", "author", "homepage (x)", "homepage http://a.b/(c)",
    "background_color blue (c)", "text_color #12", "color_palette 3", "youtube abc", "debug", "verbose_logging",
    "noaction\nnoaction", ")", ") foo", "(c) noaction", "noactionfoo", "key_repeat_interval=0.1",
    "realtime_interval .5", "====", "foo bar", "noaction)", "author me :)", "Author ()", "mouse_left foo",
)  # fmt: skip
SOUNDS = (
    "SFX0 1234", "sfx0", "crate move 123", "crate move up down 123", "crate fly 123", "foo", "endlevel 12 34", ")",
    "titlescreen", "crate create 3 (c)", "sfx11 12", "crate 123", "123", "crate move", "player move 3 4",
)  # fmt: skip
LAYERS = (
    "Target\n\nCrate", "Target,", "Target, Background", ",\nTarget", "Target Target", "Target\nTarget", ") Target",
    "Target )", "Target;", "Foo", "Target\n)", "Target (c)", "(c) Target", "Target rules", "Target, , ,", "o",
    "\tTarget\t,\t",
)  # fmt: skip
SECTIONS = (
    ("SOUNDS\n", ""), ("LEGEND\n", "LEGEND foo\n"), ("LEGEND\n", "==\nLEGEND\n=="), ("LEGEND\n", "  legend  \n"),
    ("RULES\n", "rules:\n"), ("RULES\n", "RULES (c)\n"), ("RULES\n", "(c) RULES\n"), ("RULES\n", ") RULES\n"),
    ("RULES\n", "RULES)\n"), ("WINCONDITIONS\n", "WIN CONDITIONS\n"), ("LEVELS\n", "LEVELS\nLEVELS\n"),
    ("OBJECTS\n", "OBJECTS\nOBJECTS\n"), ("SOUNDS", "SOUND\u017f"), ("COLLISIONLAYERS\n", "COLLISIONLAYERS ======\n"),
    ("LEVELS\n", "LEVEL\n"), ("OBJECTS\n", "object\u017f\n"), ("LEVELS\n", "LEVEL\u017f\n"),
    ("\nRULES\n", "\nRULES\n[ Player ]"),
)  # fmt: skip


def slips() -> Iterator[tuple[str, str]]:
    """The name and the text of each game."""
    right = script(levels=LEVEL)
    for new in OBJECTS:
        yield f"objects {new!r}", right.replace("Crate\norange\n", f"{new}\n", 1)
    for new in LEGENDS:
        yield f"legend {new!r}", script(levels=LEVEL, legend=new)
    for new in RULES:
        yield f"rules {new!r}", script(levels=LEVEL, rules=new)
    for new in WINS:
        yield f"wins {new!r}", script(levels=LEVEL, wins=new)
    for new in LEVELS:
        yield f"levels {new!r}", script(levels=new)
    for new in PRELUDES:
        yield f"prelude {new!r}", script(levels=LEVEL, prelude=new)
    for new in SOUNDS:
        yield f"sounds {new!r}", right.replace("SOUNDS\n", f"SOUNDS\n{new}\n", 1)
    for new in LAYERS:
        yield f"layers {new!r}", right.replace("Background\nTarget\n", f"Background\n{new}\n", 1)
    for old, new in SECTIONS:
        yield f"sections {old!r} {new!r}", right.replace(old, new, 1)
