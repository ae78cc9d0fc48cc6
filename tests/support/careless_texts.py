"""Small games in PuzzleScript, written carelessly: random changes of texts that are right, a kind of slip each.

Comments, case, glyphs, blanks, headings, names that mean something else, duplicates, and marks in wrong places. What a
changed text means, the reference engine alone says; `scripts/compare/fuzz_puzzlescript.py` asks it.
"""

import re
from collections.abc import Callable, Sequence
from random import Random

from support.script_texts import GOAL, PUSH, script

Slip = Callable[[Random, list[str]], list[str]]

SECTIONS = ("OBJECTS", "LEGEND", "SOUNDS", "COLLISIONLAYERS", "RULES", "WINCONDITIONS", "LEVELS")
COMMENTS = (
    "(x)", "(x) (y)", "(x)(y)", "(a (b) c)", "( x [ Wall ] )", "((x))", "( -> )", "(all Crate on Target)", "(x", ")",
    "()",
    "(message hi)", "(x))", "(x) )", "( = )", "(p)", "(x)\n", "(x\ny)", "(\n)", "(x\n(y)\n) ",
)  # fmt: skip
WORDS = (
    "late", "message", "move", "some", "sfx3", "win", "v", "any", "up", "action", "no", "all", "on", "and", "or",
    "again", "cancel", "restart", "checkpoint", "rigid", "random", "randomdir", "moving", "stationary", "parallel",
    "horizontal", "orthogonal", "create", "destroy", "cantmove", "undo", "titlescreen", "startloop", "endloop",
    "objects", "legend", "sounds", "rules", "levels", "winconditions", "title", "noaction", "background", "player",
    "red", "transparent", "wall", "crate", "message1", "sfx11", "...", "->", "x", "p", "o", "1", "_",
    "lateral", "upper", "nowall", "winner", "messages", "rule", "e\u0301", "\u00e9t\u00e9", "\u03bb", "big_crate",
)  # fmt: skip
"""Words that mean something to PuzzleScript, or nearly, or nothing; but `constructor`, which JavaScript finds."""
GLYPHS = "=()[]|+-<>^v!?@&%$,;:'\"/\\_~0123456789abcxyz\u00e9\u2605\u00df\u0130\u00a0"
BLANKS = (" ", "  ", "\t", "\u00a0", "\u3000", "\u2009", "\f", "\v", "\ufeff", "")
MARKS = (
    "+", "+ +", "++", "+ random", "late", "late late", "random", "rigid", "again", "cancel", "win", "message hi",
    "sfx0",
    "[", "]", "|", "->", "...", ">", "no", "up", "=", "==", ",", ".", "-", "?", "[ ]", "[ Wall ]", "-> [ Wall ]", "and",
    "or", "on", "on on", "(", ")", "1", "0", "/", "#", "red", "#f00", "Wall", "Crate", "Player", "stationary Crate",
)  # fmt: skip
FORMS = (
    "{}:", "{}.", "{};", "== {} ==", "={}=", "{} =====", "[{}]", "({})", "- {} -", "{} (x)", "(x) {}", "{}, more",
    "{}!",
    "*{}*", "{} - part", "\t{}\t", "{}_", "{}2", "{} x", "{}-", "#{}", "{}s", "the {}", "{0} {0}", "{0}\n{0}", "{}=",
    ") {}",
    "\u00a0{}", "{}\u00a0", "\ufeff{}", "{}\u00b2", "{})", "\"{}\"",
)  # fmt: skip

RULES = (
    PUSH, "late [ Player | Crate ] -> [ Player | ]", "[ > Player | Crate ] -> cancel", "[ > Player | Wall ] -> again",
    "[ > Player | Crate | No Crate ] -> [ > Player | > Crate | ]",
    "right [ > Player | Block ] -> [ > Player | > Block ]",
    "horizontal [ < Player | Crate ] -> [ < Player | < Crate ]", "+ [ < Player | Crate ] -> [ < Player | < Crate ]",
    "[ > Player | ... | Crate ] -> [ > Player | ... | > Crate ] sfx0", "[ action Player ] -> [ action Player Target ]",
    "rigid [ moving Player | Crate ] -> [ moving Player | moving Crate ]", "random [ Target | ] -> [ | Target ]",
    "[ Crate Target ] [ > Player ] -> [ Crate Target ] [ > Player ] message hello there", "late [ Both ] -> win",
    "startloop\n[ > Crate | Target ] -> [ | > Crate Target ]\nendloop", "[ > Player ] -> [ Player ] checkpoint",
    "[ > Player | Thing ] -> [ > Player | > Thing ]", "late [ Player Thing ] -> restart",
    "[ Player no Thing ] -> [ Player ]",
    "[ stationary Player ] -> [ randomdir Player ]", "[ > Crate | ] -> [ > Crate | random Thing ]",
)  # fmt: skip
WINS = (
    GOAL,
    "some Player on Target",
    "no Crate",
    "any Both",
    "no Thing on Wall",
    "all Target on Block",
    "no Crate on Target",
)
LEGENDS = ("Block = Wall or Crate", "Both = Crate and Target", "Thing = Crate or Target")
MORE_LEGENDS = ("", "@ = Crate and Target", "+ = Player and Target", "Box = Crate\nB = Box", "Many = Block or Player")
SOUNDS = ("sfx0 12345", "Player move 123", "Crate create 42", "endlevel 7", "Crate move up down 9", "Block cantmove 11")
PRELUDES = (
    "author Nobody", "homepage example.org", "noaction", "run_rules_on_level_start", "background_color blue",
    "text_color #fff",
    "require_player_movement", "again_interval 0.1", "flickscreen 4x3", "color_palette 3", "noundo", "norepeat_action",
)  # fmt: skip
BOARDS = (
    "p*o", "######\n#p*.o#\n#..*.#\n######", "p.*o\n.*.o", "o*p\n...\n#.o",
    "message hello\n\np*.o\n....\n\nmessage end",
    "#####\n#p..#\n#.*o#\n#o*.#\n#####", ".*.\n*p*\n.o.\no.o",
)  # fmt: skip


def _some(rng: Random, choices: Sequence[str], most: int) -> str:
    return "\n".join(rng.sample(choices, rng.randint(0, most)))


def right_text(rng: Random) -> str:
    """A small game without a slip."""
    rules = rng.sample(RULES, rng.randint(1, 3))
    rules.sort(key=lambda rule: rule.startswith("+"))
    text = script(
        rules="\n".join(rules if not rules[0].startswith("+") else [PUSH, *rules]),
        levels=rng.choice(BOARDS),
        wins="\n".join(rng.sample(WINS, rng.choice((1, 1, 2)))),
        legend="\n".join([*LEGENDS, rng.choice(MORE_LEGENDS)]),
        prelude=_some(rng, PRELUDES, 2),
    )
    text = text.replace("SOUNDS\n", "SOUNDS\n\nsfx0 999\n" + _some(rng, SOUNDS[1:], 2), 1)
    return _pictured(rng, text)


def _pictured(rng: Random, text: str) -> str:
    if rng.random() < 0.7:
        return text
    picture = "\n".join(rng.choice(("00000", ".000.", "0...0", ".....")) for _ in range(5))
    return text.replace("Crate\norange\n", f"Crate\norange\n{picture}\n", 1)


def _line_of(rng: Random, lines: list[str]) -> int:
    """A line that is not blank, of each section as often."""
    heads = [n for n, line in enumerate(lines) if line.strip().upper() in SECTIONS]
    bounds = [0, *heads, len(lines)]
    filled = [
        [n for n in range(first, last) if lines[n].strip()] for first, last in zip(bounds, bounds[1:], strict=False)
    ]
    return rng.choice(rng.choice([part for part in filled if part] or [[0]]))


def _places(line: str) -> list[int]:
    """Where something may be put into a line: its ends, and around its words."""
    return sorted({0, len(line), *(place for match in re.finditer(r"\S+", line) for place in match.span())})


def _comment(rng: Random, lines: list[str]) -> list[str]:
    number = _line_of(rng, lines)
    line, comment = lines[number], rng.choice(COMMENTS)
    place = rng.choice((0, 0, len(line), rng.choice(_places(line)), rng.randint(0, len(line))))
    comment = rng.choice((comment, f"{comment} ", f" {comment}", f" {comment} "))
    return [*lines[:number], line[:place] + comment + line[place:], *lines[number + 1 :]]


def _own_comment(rng: Random, lines: list[str]) -> list[str]:
    number = rng.randint(0, len(lines))
    return [*lines[:number], rng.choice(COMMENTS), *lines[number:]]


def _case(rng: Random, lines: list[str]) -> list[str]:
    number = _line_of(rng, lines)
    change = rng.choice((str.upper, str.lower, str.swapcase, str.title))
    return [*lines[:number], change(lines[number]), *lines[number + 1 :]]


def _glyph(rng: Random, lines: list[str]) -> list[str]:
    """Another character for an object, in the legend and in the levels, or in one of them."""
    new, old = rng.choice(GLYPHS), rng.choice(".p#*o@+b")
    found = [n for n, line in enumerate(lines) if line.lower().startswith(f"{old} =")]
    heads = [n for n, line in enumerate(lines) if line.strip().upper() == "LEVELS"] or [len(lines)]
    where = rng.random()
    changed = list(lines)
    for n in found if where < 0.8 else []:
        line = f"{new} {lines[n][2:]}"
        changed[n] = line if rng.random() < 0.7 else f"{lines[n]}\n{line}"
    if where > 0.2:
        changed[heads[0] + 1 :] = [
            line if line.startswith("message") else line.replace(old, new) for line in lines[heads[0] + 1 :]
        ]
    return changed


def _blank(rng: Random, lines: list[str]) -> list[str]:
    number = _line_of(rng, lines)
    line, blank = lines[number], rng.choice(BLANKS)
    kind = rng.randrange(4)
    if kind == 0:
        line = rng.choice((f"{blank}{line}", f"{line}{blank}"))
    elif kind == 1:
        line = line.replace(" ", blank, rng.choice((1, -1)))
    elif kind == 2:
        place = rng.choice(_places(line))
        line = line[:place] + blank + line[place:]
    else:
        line = rng.choice((f"{blank}\n{line}", f"{line}\n{blank}", f"{line}\r"))
    return [*lines[:number], line, *lines[number + 1 :]]


def _heading(rng: Random, lines: list[str]) -> list[str]:
    heads = [n for n, line in enumerate(lines) if line.strip().upper() in SECTIONS]
    if not heads:
        return lines
    number = rng.choice(heads)
    return [*lines[:number], rng.choice(FORMS).format(lines[number]), *lines[number + 1 :]]


def _bare_heading(rng: Random, lines: list[str]) -> list[str]:
    """The name of a section where none begins."""
    number, name = _line_of(rng, lines), rng.choice(SECTIONS)
    line = lines[number]
    place = rng.choice(_places(line))
    new = rng.choice((f"{name}\n{line}", f"{line}\n{name}", f"{line[:place]} {name} {line[place:]}"))
    return [*lines[:number], new, *lines[number + 1 :]]


def _rename(rng: Random, lines: list[str]) -> list[str]:
    """Another name for an object, at all places or at one."""
    old, new = rng.choice(("Crate", "Wall", "Target", "Block", "Both", "Thing", "Box")), rng.choice(WORDS)
    pattern = re.compile(rf"\b{old}\b")
    places = [n for n, line in enumerate(lines) if pattern.search(line)]
    if not places:
        return lines
    chosen = places if rng.random() < 0.8 else [rng.choice(places)]
    return [pattern.sub(lambda _: new, line) if n in chosen else line for n, line in enumerate(lines)]


def _synonym(rng: Random, lines: list[str]) -> list[str]:
    """One more name for an object, in the legend or beside its own name."""
    word = rng.choice((*WORDS, *GLYPHS))
    of = rng.choice(
        ("Crate", "Wall", "Player", "Block", "Both", "Background", word, "Crate and Target", "Wall or Crate")
    )
    if rng.random() < 0.3:
        places = [n for n, line in enumerate(lines) if line in ("Crate", "Wall", "Target")]
        chosen = rng.choice(places) if places else -1
        return [f"{line} {word}" if n == chosen else line for n, line in enumerate(lines)]
    heads = [n for n, line in enumerate(lines) if line.startswith("SOUNDS")]
    return [*lines[: heads[0]], f"{word} = {of}", *lines[heads[0] :]] if heads else lines


def _double(rng: Random, lines: list[str]) -> list[str]:
    """A line or a word that stands twice, at once or elsewhere."""
    number = _line_of(rng, lines)
    line = lines[number]
    if rng.random() < 0.4:
        other = _line_of(rng, lines) if rng.random() < 0.3 else number
        return [*lines[:other], line, *lines[other:]]
    words = line.split(" ")
    place = rng.randrange(len(words))
    words[place : place + 1] = [words[place], rng.choice(("", " ")).join(["", words[place]])]
    return [*lines[:number], " ".join(words), *lines[number + 1 :]]


def _mark(rng: Random, lines: list[str]) -> list[str]:
    number, mark = _line_of(rng, lines), rng.choice(MARKS)
    line = lines[number]
    place = rng.choice((0, len(line), rng.choice(_places(line))))
    return [*lines[:number], f"{line[:place]} {mark} {line[place:]}".strip(), *lines[number + 1 :]]


def _plus(rng: Random, lines: list[str]) -> list[str]:
    """A rule with one `+` or two, or with a `+` after other words."""
    rules = [n for n, line in enumerate(lines) if "->" in line]
    if not rules:
        return lines
    number = rng.choice(rules)
    before = rng.choice(
        ("+ ", "+", "+ + ", "++", "late + ", "+ late ", "+ random ", "random + ", "up + ", "+ up + ", "+ rigid ")
    )
    return [*lines[:number], before + lines[number], *lines[number + 1 :]]


def _lose(rng: Random, lines: list[str]) -> list[str]:
    """A line, a word or a character that is missing."""
    number = _line_of(rng, lines)
    line = lines[number]
    kind = rng.randrange(3)
    if kind == 0:
        return [*lines[:number], *lines[number + 1 :]]
    if kind == 1:
        words = line.split(" ")
        del words[rng.randrange(len(words))]
        return [*lines[:number], " ".join(words), *lines[number + 1 :]]
    place = rng.randrange(len(line))
    return [*lines[:number], line[:place] + line[place + 1 :], *lines[number + 1 :]]


SLIPS: dict[str, Slip] = {
    "comment": _comment, "line of comment": _own_comment, "case": _case, "glyph": _glyph, "blank": _blank,
    "heading": _heading, "bare heading": _bare_heading, "name": _rename, "synonym": _synonym, "duplicate": _double,
    "mark": _mark, "plus": _plus, "loss": _lose,
}  # fmt: skip
OFTEN = ("comment", "comment", "name", "heading", *SLIPS)


def careless_text(rng: Random) -> tuple[str, list[str]]:
    """A small game with one slip to three, and their kinds."""
    return slipped(rng, right_text(rng))


def slipped(rng: Random, text: str) -> tuple[str, list[str]]:
    """A text with one slip to three, and their kinds."""
    lines = text.split("\n")
    kinds = [rng.choice(OFTEN) for _ in range(rng.choice((1, 1, 1, 2, 2, 3)))]
    for kind in kinds:
        lines = "\n".join(SLIPS[kind](rng, lines)).split("\n")
    return "\n".join(lines), kinds
