"""Texts of every format that is read, damaged at random: reading one raises nothing but our own errors."""

import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random

from support.registry import WITH_MOVES
from unpuzzle import puzzlescript, translators
from unpuzzle.base.errors import UnpuzzleError
from unpuzzle.model import Game
from unpuzzle.model.replaying import replay, split_moves
from unpuzzle.pddl import lint, parse_domain, parse_plan, parse_problem, validate
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.syntax import decoded
from unpuzzle.planners.clues.local_sources import _rows

HERE = Path(__file__).parents[1]
DOMAIN = (HERE / "pddl" / "golden" / "domain.in.pddl").read_bytes()
PROBLEM = (HERE / "pddl" / "golden" / "problem.in.pddl").read_bytes()
PLAN = b"(move a b)\n; comment\n(load c d)\n3: (noop)\n3.002: (x y) [1.5]\n; cost = 3 (unit cost)\n"
CSV = b'answer,clue\nCAT,"It says, ""meow"""\nDOG,Man\'s best friend\nOWL,wise bird\n'
WORDS = [
    *"( ) [ ] { } ; : , . - + = * / \\ | < > # @ $ % ! ? ~ ^ & ' \" 0 1 -1 2.5 1e999 nan".split(),
    *"² ٣ ſ ß İ é 中 \u202e \u200b \ufeff \x1b[31m \x00 \t \n \r \u2028".split(" "),
    *(
        "9" * 5000,
        "0" * 5000 + "1",
        "+-5",
        "a" * 3000,
        "(" * 300,
        "[" * 3000,
        "?x",
        "not",
        "null",
        "true",
        "{}",
        "[]",
        "forall",
        "levels",
        "goal",
    ),
]
Read = Callable[[bytes], object]


def mutated(rng: Random, data: bytes, others: list[bytes]) -> bytes:
    """One to four changes of bytes, words or lines."""
    for _ in range(rng.randint(1, 4)):
        data = rng.choice((_bytes, _bytes, _words, _words, _lines, _ends))(rng, data, rng.choice(others))
    return data


def _bytes(rng: Random, data: bytes, other: bytes) -> bytes:
    start = rng.randint(0, len(data))
    stop = min(len(data), start + rng.choice((0, 1, 1, 2, 9)))
    new = rng.choice((b"", bytes([rng.randrange(256)]), data[start:stop] * 2, bytes([rng.randrange(32, 127)])))
    return data[:start] + new + data[stop:]


def _words(rng: Random, data: bytes, other: bytes) -> bytes:
    words = data.split(b" ")
    place = rng.randrange(len(words))
    words[place] = rng.choice(
        (rng.choice(WORDS).encode(), rng.choice(words), words[place] * 2, rng.choice(other.split(b" ")), b"")
    )
    return b" ".join(words)


def _lines(rng: Random, data: bytes, other: bytes) -> bytes:
    lines = data.split(b"\n")
    place, second = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(4)
    if kind == 0:
        del lines[place]
    elif kind == 1:
        lines.insert(place, lines[second])
    elif kind == 2:
        lines[place], lines[second] = lines[second], lines[place]
    else:
        lines.insert(place, rng.choice(other.split(b"\n")))
    return b"\n".join(lines)


def _ends(rng: Random, data: bytes, other: bytes) -> bytes:
    return rng.choice((data[: rng.randint(0, len(data))], data[rng.randint(0, len(data)) :], data + other, other))


@cache
def kinds() -> dict[str, tuple[list[bytes], Read]]:
    """Return by format some right texts, and the function that reads them."""
    found: dict[str, tuple[list[bytes], Read]] = {
        "PDDL domain": ([DOMAIN], _read_domain),
        "PDDL problem": ([PROBLEM], _read_problem),
        "PDDL plan": ([PLAN], _read_plan),
        "clues CSV": ([CSV], _read_csv),
    }
    for name in translators.names():
        game = translators.find(name)
        levels = [text.encode() for text in list(game.levels.values())[:20] if len(text) < 5000]
        found[f"level of {name}"] = levels, _level_reader(game)
        if name in WITH_MOVES:
            found[f"moves of {name}"] = [b"u l d r x", b"U L D R", b"r1c2 8/3 AC pick-up:a"], _moves_reader(game)
        for ending, reader in _formats(game).items():
            found[f"{name} {ending}"] = [_exported(ending)], _format_reader(reader, game)
    scripts = [path.read_bytes() for path in sorted((Path(puzzlescript.__file__).parent / "games").glob("*.txt"))]
    found["PuzzleScript game"] = scripts, _read_script
    return found


def _formats(game: Game) -> dict[str, Callable[[bytes, str], str]]:
    return dict(game.formats)


def _exported(ending: str) -> bytes:
    from support.crossword_files import sheet
    from unpuzzle.translators.crossword.files import write_file

    clues = {"1A": "pet", "3A": "digit", "1D": "pet", "2D": "foot part"}
    return write_file(ending, *sheet(("CAT", "A#O", "TOE"), clues))


def _read_domain(data: bytes) -> None:
    text = decoded(data, "d.pddl")
    lint(text)
    parse_domain(text)


@cache
def _domain():
    return parse_domain(DOMAIN.decode())


def _read_problem(data: bytes) -> None:
    text = decoded(data, "p.pddl")
    lint(DOMAIN.decode(), text)
    parse_problem(text, None)
    Task(_domain(), parse_problem(text, _domain()))


def _read_plan(data: bytes) -> None:
    plan = parse_plan(decoded(data, "plan"))
    validate(Task(_domain(), parse_problem(PROBLEM.decode(), _domain())), plan)


def _read_csv(data: bytes) -> None:
    with tempfile.NamedTemporaryFile(suffix=".csv") as file:
        file.write(data)
        file.flush()
        list(_rows(file.name))


def _level_reader(game: Game) -> Read:
    def read(data: bytes) -> None:
        position = game.parse(decoded(data, "level"), "level")
        assert game.parse(str(position), "again") == position
        position.solved()

    return read


def _moves_reader(game: Game) -> Read:
    start = game.parse(next(iter(game.levels.values())), "level")

    def read(data: bytes) -> None:
        replay(start, split_moves(game, decoded(data, "moves"))[:50])

    return read


def _format_reader(reader: Callable[[bytes, str], str], game: Game) -> Read:
    def read(data: bytes) -> None:
        text = reader(data, "file")
        translators.reader_of(game, text).parse(text, "file")

    return read


def _read_script(data: bytes) -> None:
    from unpuzzle.puzzlescript.files import faults_of
    from unpuzzle.puzzlescript.game import game_of

    text = decoded(data, "game.txt")
    faults_of(text, "game.txt")
    game = game_of(text, "game")
    for name in list(game.levels)[:2]:
        str(game.parse(game.levels[name], name))


def escapes(seed: int) -> Iterator[tuple[str, bytes, BaseException]]:
    """What is raised for one damaged text of each format and is no error of ours: format, text, error."""
    rng = Random(seed)
    for kind, (texts, read) in kinds().items():
        if not texts:
            continue
        data = mutated(rng, rng.choice(texts), texts)
        try:
            read(data)
        except UnpuzzleError:
            pass
        except Exception as error:
            yield kind, data, error
