"""Situations in which an author may be, and what every door to unpuzzle must say there.

The verdicts and the exit codes of the command line were written from their meaning, before anything was run:

    yes        it is so, and that was checked                   no        it is not so, and that is proved
    refused    the text or the question is at fault             undecided a limit, or somebody, ended the work
    broken     unpuzzle or a planner is at fault, or missing

A situation says how each door is asked. A door without an entry cannot be asked that.
"""

from typing import Any, NamedTuple

from support.modules import ROOT

YES, NO, REFUSED, UNDECIDED, BROKEN = "yes", "no", "refused", "undecided", "broken"
EXITS = {YES: 0, NO: 1, REFUSED: 2, UNDECIDED: 3, BROKEN: 4}


class Situation(NamedTuple):
    """Files in a folder, how each door is asked about them, and what it must say.

    Attributes:
        files: by name what is saved; bytes are no text in UTF-8.
        cli: the words of the command line.
        lsp: a command, the document, and perhaps a level; `lint` looks at the squiggles of the document.
        mcp: a tool and its arguments; `@name` is the text of a file, `/name` its path.
        watch: the words after `unpuzzle watch --once`.
        studio: a question (`solve`, `lint`, `graph`, `play`), a file, and perhaps a level, a puzzle and moves.
        exit: of the command line, where it is not the usual one of the verdict.
        typed: by name what is typed in the editor and the studio, and is not saved.
        says: a part of the sentence that all doors say.
        seconds, memory: the limits that all doors get.
        cancelled: whether somebody ends the work.
    """

    name: str
    verdict: str
    files: dict[str, str | bytes] = {}
    cli: tuple[str, ...] = ()
    lsp: tuple[str, ...] = ()
    mcp: tuple[str, dict[str, Any]] | None = None
    watch: tuple[str, ...] = ()
    studio: tuple[Any, ...] = ()
    exit: int | None = None
    typed: dict[str, str] = {}
    says: str = ""
    seconds: float | None = None
    memory: str = ""
    cancelled: bool = False

    @property
    def doors(self) -> list[str]:
        """The doors that can be asked."""
        return [door for door in DOORS if getattr(self, door)]

    @property
    def exit_code(self) -> int:
        """The exit code of the command line."""
        return EXITS[self.verdict] if self.exit is None else self.exit


DOORS = ("cli", "lsp", "mcp", "watch", "studio")

# ---- texts

DOMAIN = """(define (domain walk)
  (:requirements :strips :typing)
  (:types place)
  (:predicates (at ?p - place) (road ?a ?b - place))
  (:action go
    :parameters (?a ?b - place)
    :precondition (and (at ?a) (road ?a ?b))
    :effect (and (not (at ?a)) (at ?b))))
"""
PROBLEM = """(define (problem p)
  (:domain walk)
  (:objects home shop school - place)
  (:init (at home) (road home shop) (road shop school))
  (:goal (at school)))
"""
NO_WAY = PROBLEM.replace(" (road shop school)", " (road school shop)")
BITS = [f"b{number}" for number in range(40)]
COUNTER = "\n".join(
    [
        "(define (domain counter)",
        "  (:requirements :strips :negative-preconditions)",
        f"  (:predicates {' '.join(f'({bit})' for bit in BITS)})",
        *(
            f"  (:action set-{bit} :parameters ()\n    :precondition (and (not ({bit}))"
            f" {' '.join(f'({lower})' for lower in BITS[:at])})\n"
            f"    :effect (and ({bit}) {' '.join(f'(not ({lower}))' for lower in BITS[:at])}))"
            for at, bit in enumerate(BITS)
        ),
        ")\n",
    ]
)
"""A binary counter: its shortest plans are far too long for any planner."""
COUNTED = f"(define (problem far) (:domain counter) (:init) (:goal (and {' '.join(f'({bit})' for bit in BITS)})))\n"
DISCS = [f"d{number:02}" for number in range(1, 25)]
PEGS = ["p1", "p2", "p3"]
TOWERS = """(define (domain towers)
  (:requirements :strips :typing)
  (:types disc peg - thing)
  (:predicates (on ?d - disc ?t - thing) (clear ?t - thing) (larger ?t - thing ?d - disc))
  (:action move
    :parameters (?d - disc ?from ?to - thing)
    :precondition (and (on ?d ?from) (clear ?d) (clear ?to) (larger ?to ?d))
    :effect (and (not (on ?d ?from)) (on ?d ?to) (clear ?from) (not (clear ?to)))))
"""
_LARGER = [f"(larger {peg} {disc})" for peg in PEGS for disc in DISCS]
_LARGER += [f"(larger {large} {small})" for at, small in enumerate(DISCS) for large in DISCS[at + 1 :]]
_STACK = [f"(on {small} {large})" for small, large in zip(DISCS, [*DISCS[1:], "{peg}"], strict=True)]
TOWER = f"""(define (problem tower)
  (:domain towers)
  (:objects {" ".join(DISCS)} - disc {" ".join(PEGS)} - peg)
  (:init {" ".join(_STACK).format(peg="p1")} (clear d01) (clear p2) (clear p3) {" ".join(_LARGER)})
  (:goal (and {" ".join(_STACK).format(peg="p3")})))
"""
"""Three to the power of 24 states, of which all memory is soon full."""
COSTS = (
    DOMAIN.replace(":typing)", ":typing :action-costs)")
    .replace("(:action", "(:functions (total-cost) - number (length ?a ?b - place) - number)\n  (:action")
    .replace("(at ?b))))", "(at ?b) (increase (total-cost) (length ?a ?b)))))")
)
COSTLY = PROBLEM.replace(
    "(at home)", "(at home) (= (total-cost) 0) (= (length home shop) 3) (= (length shop school) 4)"
)
COSTLY = COSTLY.replace("(:goal (at school))", "(:goal (at school)) (:metric minimize (total-cost))")
DURATIVE = """(define (domain slow)
  (:requirements :strips :durative-actions)
  (:predicates (raw) (done))
  (:durative-action bake
    :parameters ()
    :duration (= ?duration 3)
    :condition (at start (raw))
    :effect (at end (done))))
"""
BREAD = "(define (problem bread) (:domain slow) (:init (raw)) (:goal (done)))\n"
AXIOMS = """(define (domain lit)
  (:requirements :strips :derived-predicates :conditional-effects)
  (:predicates (on) (warm) (bright))
  (:derived (bright) (on))
  (:action switch :parameters () :effect (and (on) (when (bright) (warm)))))
"""
LIT = "(define (problem lamp) (:domain lit) (:init) (:goal (and (bright) (warm))))\n"
CONDITIONAL = """(define (domain toggles)
  (:requirements :strips :conditional-effects :negative-preconditions)
  (:predicates (first) (second))
  (:action press :parameters () :effect (and (first) (when (first) (second)))))
"""
TOGGLED = "(define (problem both) (:domain toggles) (:init) (:goal (and (first) (second))))\n"
PLAN = "(go home shop)\n(go shop school)\n"

GAME = """title Push

========
OBJECTS
========

Background
black

Player
blue

Wall
brown

Crate
orange

Target
yellow

=======
LEGEND
=======

. = Background
P = Player
# = Wall
* = Crate
O = Target

=======
SOUNDS
=======

================
COLLISIONLAYERS
================

Background
Target
Player, Wall, Crate

======
RULES
======

[ > Player | Crate ] -> [ > Player | > Crate ]

==============
WINCONDITIONS
==============

All Target on Crate

=======
LEVELS
=======

#####
#p*o#
#####
"""
PUSH = "[ > Player | Crate ] -> [ > Player | > Crate ]"
MISSPELT_RULE = "[ > Player | Crat ] -> [ > Player | ]"
STUCK_GAME = GAME.replace("#p*o#", "#*po#")
LEVELS = "#####\n#@$.#\n#####\n"
STUCK_LEVELS = "######\n#$@ .#\n######\n"

OWN = '''"""Counting down."""

from unpuzzle import UnsupportedFeature
from unpuzzle.model import Puzzle


class Down(Puzzle):
    """A number, from which one is taken."""

    name = "down"
    title = "Down: reach zero"
    levels = {"1": "3\\n"}

    def __init__(self, left):
        self.left = left

    @classmethod
    def parse(cls, text, source=None):
        return cls(int(text))

    def __str__(self):
        return f"{self.left}\\n"

    def moves(self):
        return ("a",) if self.left > 0 else ()

    def apply(self, move):
        return Down(self.left - 1)

    def solved(self):
        return self.left == 0

    def task(self):
        raise UnsupportedFeature("there is no PDDL of it", feature="PDDL")

    def draw(self):
        return str(self.left)
'''
STUCK_OWN = OWN.replace("self.left == 0", "self.left < 0")
RAISING = OWN.replace('return ("a",) if self.left > 0 else ()', 'raise ValueError("no moves today")')
ENDLESS = OWN.replace('return ("a",) if self.left > 0 else ()', "while True:\n            pass")
UNREADABLE_OWN = OWN.replace('"""Counting down."""', 'raise RuntimeError("not today")')

WALKER = '''"""A corridor: walk to its right end."""

from unpuzzle.model import Puzzle

STEPS = {"L": -1, "R": 1}


class Walker(Puzzle):
    """A place in a corridor of some length."""

    name = "walker"
    title = "Walker: walk to the right end"
    levels = {"1": "@...\\n"}
    actions = {"left": "L", "right": "R"}

    def __init__(self, place, length):
        self.place = place
        self.length = length

    @classmethod
    def parse(cls, text, source=None):
        line = text.strip()
        return cls(line.index("@"), len(line))

    def __str__(self):
        return "." * self.place + "@" + "." * (self.length - self.place - 1) + "\\n"

    def moves(self):
        return tuple(move for move, step in STEPS.items() if 0 <= self.place + step < self.length)

    def apply(self, move):
        return Walker(self.place + STEPS[move], self.length)

    def solved(self):
        return self.place == self.length - 1

    def objects(self):
        return {"cell": [f"c{cell}" for cell in range(self.length)]}

    def statics(self):
        return [("next", f"c{cell}", f"c{cell + 1}") for cell in range(self.length - 1)]

    def facts(self):
        return [("at", f"c{self.place}")]

    def goal_condition(self):
        return [("at", f"c{self.length - 1}")]

    def draw(self):
        return str(self)
'''
WALKER_PDDL = """(define (domain walker)
  (:requirements :strips :typing)
  (:types cell)
  (:predicates (at ?c - cell) (next ?a ?b - cell))
  (:action right
    :parameters (?a ?b - cell)
    :precondition (and (at ?a) (next ?a ?b))
    :effect (and (not (at ?a)) (at ?b)))
  (:action left
    :parameters (?b ?a - cell)
    :precondition (and (at ?b) (next ?a ?b))
    :effect (and (not (at ?b)) (at ?a))))
"""
_MOVES = "return tuple(move for move, step in STEPS.items() if 0 <= self.place + step < self.length)"
RAISING_WALKER = WALKER.replace(_MOVES, 'raise ValueError("no moves today")')
IDLE_WALKER = WALKER.replace(_MOVES, "return ()")
ENDLESS_WALKER = WALKER.replace(_MOVES, "while True:\n            pass")
WRONG_WALKER_PDDL = WALKER_PDDL.replace("(not (at ?b)) (at ?a)", "(at ?a)")


# ---- situations of a kind


def task(
    name: str, verdict: str, domain: str | bytes = DOMAIN, problem: str | bytes = PROBLEM, **how: Any
) -> Situation:
    """Return the situation that a problem, with its domain beside it, is to be solved."""
    asked = {
        "files": {"domain.pddl": domain, "problem.pddl": problem},
        "cli": ("plan", "domain.pddl", "problem.pddl"),
        "lsp": ("solve", "problem.pddl"),
        "mcp": ("plan", {"domain": "@domain.pddl", "problem": "@problem.pddl"}),
        "watch": ("problem.pddl",),
        "studio": ("solve", "problem.pddl", "problem"),
    }
    return Situation(name, verdict, **{**asked, **how})


def linted(
    name: str, verdict: str, domain: str | bytes = DOMAIN, problem: str | bytes = PROBLEM, **how: Any
) -> Situation:
    """Return the situation that the faults of a problem and its domain are wanted."""
    asked = {
        "cli": ("lint", "domain.pddl", "problem.pddl"),
        "lsp": ("lint", "problem.pddl", "domain.pddl"),
        "mcp": ("lint", {"domain": "@domain.pddl", "problem": "@problem.pddl"}),
        "studio": ("lint", "problem.pddl", "domain.pddl"),
    }
    return task(name, verdict, domain, problem, **{**asked, **how})


def game(name: str, verdict: str, text: str = GAME, level: str = "0", **how: Any) -> Situation:
    """Return the situation that a level of a game in PuzzleScript is to be solved."""
    asked = {
        "files": {"game.txt": text},
        "cli": ("solve", "game.txt", level),
        "lsp": ("solve", "game.txt", level),
        "mcp": ("plan", {"domain": "@game.txt", "problem": level}),
        "watch": ("game.txt",),
        "studio": ("solve", "game.txt", level),
    }
    return Situation(name, verdict, **{**asked, **how})


def levels(name: str, verdict: str, text: str = LEVELS, **how: Any) -> Situation:
    """Return the situation that a level of a bundled puzzle, in a file, is to be solved."""
    asked = {
        "files": {"levels.sok": text},
        "cli": ("solve", "sokoban", "levels.sok"),
        "mcp": ("plan", {"domain": "sokoban", "problem": "@levels.sok"}),
        "watch": ("--puzzle", "sokoban", "levels.sok"),
        "studio": ("solve", "levels.sok", "1"),
    }
    return Situation(name, verdict, **{**asked, **how})


def own(name: str, verdict: str, text: str = OWN, **how: Any) -> Situation:
    """Return the situation that a level of somebody's own puzzle in Python is to be solved."""
    asked = {
        "files": {"down.py": text},
        "cli": ("survey", "./down.py", "1"),
        "watch": ("down.py",),
        "studio": ("solve", "down.py", "1"),
    }
    return Situation(name, verdict, **{**asked, **how})


NOBODY: dict[str, Any] = {"watch": (), "studio": ()}


def walker(text: str, command: str = "solve") -> dict[str, Any]:
    """Return how to ask about a puzzle that has PDDL."""
    words = (command, "./walker.py", "1")
    others = {"watch": ("walker.py",), "studio": ("solve", "walker.py", "1")} if command == "solve" else NOBODY
    return {"files": {"walker.py": text, "walker.pddl": WALKER_PDDL}, "cli": words, **others}


def validated(name: str, verdict: str, plan: str = PLAN, **how: Any) -> Situation:
    """Return the situation that a plan is to be validated."""
    asked = {
        "files": {"domain.pddl": DOMAIN, "problem.pddl": PROBLEM, "problem.plan": plan},
        "cli": ("validate", "domain.pddl", "problem.pddl", "problem.plan"),
        "lsp": ("validate", "problem.plan"),
        "mcp": ("validate", {"domain": "@domain.pddl", "problem": "@problem.pddl", "plan": "@problem.plan"}),
    }
    return Situation(name, verdict, **{**asked, **how})


def about(question: str, name: str, verdict: str, problem: str = PROBLEM, **how: Any) -> Situation:
    """Return the situation that a task is to be explained or explored."""
    asked = {
        "cli": (question, "domain.pddl", "problem.pddl"),
        "lsp": (question, "problem.pddl"),
        "mcp": (question, {"game": "@domain.pddl", "level": "@problem.pddl"}),
        "watch": (),
        "studio": (),
    }
    return task(name, verdict, DOMAIN, problem, **{**asked, **how})


def checked(name: str, verdict: str, domain: str, **how: Any) -> Situation:
    """Return the situation that a domain is to be checked against the rules of a bundled puzzle."""
    asked = {
        "files": {"hanoi.pddl": domain},
        "cli": ("check", "hanoi", "3", "--domain", "./hanoi.pddl"),
        "mcp": ("check", {"game": "hanoi", "level": "3", "domain": "@hanoi.pddl"}),
    }
    return Situation(name, verdict, **{**asked, **how})


def compared(name: str, verdict: str, problem: str = PROBLEM, domain: str = DOMAIN, **how: Any) -> Situation:
    """Return the situation that two tasks are to be compared."""
    files = {"domain.pddl": DOMAIN, "problem.pddl": PROBLEM, "other-domain.pddl": domain, "other.pddl": problem}
    texts = dict(zip(("domain1", "problem1", "domain2", "problem2"), (f"@{file}" for file in files), strict=True))
    return Situation(name, verdict, files, **{"cli": ("diff", *files), "mcp": ("same", texts), **how})


def drawn(name: str, verdict: str, move: str, **how: Any) -> Situation:
    """Return the situation that a level is to be drawn after a move."""
    files: dict[str, str | bytes] = {"levels.sok": LEVELS, "moves.txt": f"{move}\n"}
    asked = {
        "cli": ("draw", "sokoban", "levels.sok", "moves.txt"),
        "mcp": ("draw", {"game": "sokoban", "level": "@levels.sok", "moves": move}),
    }
    return Situation(name, verdict, files, **{**asked, **how})


# ---- the situations

BESIDE = ("plan", "problem.pddl")
"""The words with which the command line looks for the domain itself."""
TWO = {"one.pddl": DOMAIN, "two.pddl": DOMAIN, "problem.pddl": PROBLEM}
THREE = {"domain.pddl": DOMAIN, **TWO}
NOWHERE = PROBLEM.replace("(:domain walk)", "(:domain lost)")
UNKNOWN_PREDICATE = DOMAIN.replace("(road ?a ?b))\n", "(raod ?a ?b))\n")
UNCLOSED = DOMAIN.rstrip()[:-1]
TWICE = DOMAIN.rstrip()[:-1] + "  (:action go :parameters (?a - place) :effect (at ?a)))\n"
SECRET = "; caf\xe9\n"
BINARY = bytes(range(256)) * 4
ABOVE = {"domain.pddl": DOMAIN, "tasks/problem.pddl": PROBLEM}
HANOI = (ROOT / "translators/hanoi.pddl").read_text()
WRONG_HANOI = HANOI.replace("(not (on ?d ?from))", "")
FAR = {"domain.pddl": COUNTER, "problem.pddl": COUNTED}

SITUATIONS = [
    # ---- a task is to be solved
    task("a task with a plan", YES),
    task("a task without a plan", NO, problem=NO_WAY),
    task("the goal holds at the start", YES, problem=PROBLEM.replace("(:goal (at school))", "(:goal (at home))")),
    task("no action adds the goal", NO, problem=PROBLEM.replace("(:goal (at school))", "(:goal (road school home))")),
    task("a bracket is missing", REFUSED, UNCLOSED),
    task("an unknown predicate", REFUSED, UNKNOWN_PREDICATE),
    task("an object of an unknown type", REFUSED, problem=PROBLEM.replace("- place", "- plaice")),
    task(
        "an object of a wrong type",
        REFUSED,
        DOMAIN.replace("(:types place)", "(:types place thing)"),
        PROBLEM.replace("- place)", "- place ball - thing)").replace("(:goal (at school))", "(:goal (at ball))"),
    ),
    task("an action defined twice", REFUSED, TWICE),
    task(
        "a binary file instead of the problem",
        REFUSED,
        problem=BINARY,
        lsp=(),
        studio=(),
        mcp=("plan", {"domain": "@domain.pddl", "problem": "/problem.pddl"}),
    ),
    task(
        "a binary file instead of the domain",
        REFUSED,
        BINARY,
        mcp=("plan", {"domain": "/domain.pddl", "problem": "@problem.pddl"}),
    ),
    task("an empty problem", REFUSED, problem=""),
    task("an empty domain", REFUSED, ""),
    task("only a comment instead of the problem", REFUSED, problem="; to be written\n"),
    task("a requirement is missing", YES, DOMAIN.replace(" :typing", "")),
    task("actions with costs", YES, COSTS, COSTLY),
    task("conditional effects", YES, CONDITIONAL, TOGGLED),
    task("axioms", YES, AXIOMS, LIT),
    task("durative actions, which no planner here reads", REFUSED, DURATIVE, BREAD, exit=4),
    task(
        "a comment in another encoding",
        YES,
        (SECRET + DOMAIN).encode("latin-1"),
        mcp=("plan", {"domain": "/domain.pddl", "problem": "@problem.pddl"}),
    ),
    task(
        "line ends of Windows and a byte order mark",
        YES,
        b"\xef\xbb\xbf" + DOMAIN.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + PROBLEM.replace("\n", "\r\n").encode(),
    ),
    task("a line of 100,000 letters", YES, f"; {'x' * 100_000}\n{DOMAIN}", " ".join(PROBLEM.split())),
    task("brackets 150 deep", YES, problem=PROBLEM.replace("(at school)", "(and " * 150 + "(at school)" + ")" * 150)),
    task(
        "brackets 50,000 deep",
        REFUSED,
        problem=PROBLEM.replace("(at school)", "(and " * 50_000 + "(at school)" + ")" * 50_000),
    ),
    task("a limit of time", UNDECIDED, COUNTER, COUNTED, seconds=1.0),
    task("a limit of memory", UNDECIDED, TOWERS, TOWER, seconds=3.0, memory="16M"),
    task(
        "a cost that no planner here can add",
        REFUSED,
        COSTS,
        COSTLY.replace("shop) 3)", "shop) 3000000000)"),
        exit=4,
        studio=(),  # it explores by the rules, which can add such costs
    ),
    # ---- which domain is meant
    task(
        "two domains of the same name",
        REFUSED,
        files=TWO,
        cli=BESIDE,
        mcp=None,
        says="several files define the domain 'walk': one.pddl, two.pddl; name one of these files",
    ),
    task("domain.pddl among domains of the same name", YES, files=THREE, cli=BESIDE),
    task(
        "the domain lies one folder above",
        YES,
        files=ABOVE,
        cli=("plan", "tasks/problem.pddl"),
        lsp=("solve", "tasks/problem.pddl"),
        mcp=("plan", {"domain": "@domain.pddl", "problem": "@tasks/problem.pddl"}),
        watch=("tasks/problem.pddl",),
        studio=("solve", "tasks/problem.pddl", "problem"),
    ),
    task(
        "no domain",
        REFUSED,
        problem=NOWHERE,
        cli=BESIDE,
        mcp=None,
        says="no file in the folder of the problem, or in the folder above, defines the domain 'lost'",
    ),
    task("the problem names no domain", REFUSED, problem=PROBLEM.replace("(:domain walk)", ""), cli=BESIDE),
    # ---- what is typed, and not saved
    task("a problem is typed that has a plan", YES, problem=NO_WAY, typed={"problem.pddl": PROBLEM}, cli=(), watch=()),
    task("a problem is typed that has none", NO, typed={"problem.pddl": NO_WAY}, cli=(), watch=()),
    task(
        "a domain is typed with an unknown predicate",
        REFUSED,
        typed={"domain.pddl": UNKNOWN_PREDICATE},
        cli=(),
        watch=(),
    ),
    # ---- planners
    task(
        "an unknown planner",
        REFUSED,
        cli=("plan", "domain.pddl", "problem.pddl", "--planner", "natve"),
        lsp=(),
        watch=(),
        studio=(),
        mcp=("plan", {"domain": "@domain.pddl", "problem": "@problem.pddl", "planner": "natve"}),
    ),
    task(
        "a planner that is not installed",
        BROKEN,
        cli=("plan", "domain.pddl", "problem.pddl", "--planner", "command:no-such-program {domain} {problem}"),
        lsp=(),
        mcp=None,
        watch=(),
        studio=(),
    ),
    task(
        "a planner that agents may not name",
        REFUSED,
        cli=(),
        lsp=(),
        watch=(),
        studio=(),
        mcp=("plan", {"domain": "@domain.pddl", "problem": "@problem.pddl", "planner": "command:ls"}),
    ),
    task(
        "a planner for puzzles, asked about a task",
        REFUSED,
        cli=("plan", "domain.pddl", "problem.pddl", "--planner", "cp-sat"),
        lsp=(),
        watch=(),
        studio=(),
        mcp=("plan", {"domain": "@domain.pddl", "problem": "@problem.pddl", "planner": "cp-sat"}),
    ),
    task(
        "a configuration that cannot read axioms",
        REFUSED,
        AXIOMS,
        LIT,
        cli=("plan", "domain.pddl", "problem.pddl", "--planner", "native:pdb"),
        exit=4,
        lsp=(),
        watch=(),
        studio=(),
        mcp=("plan", {"domain": "@domain.pddl", "problem": "@problem.pddl", "planner": "native:pdb"}),
    ),
    # ---- games in PuzzleScript
    game("a game with a solution", YES),
    game("a game without a solution", NO, STUCK_GAME),
    game(
        "a rule with an unknown object, without which there is a solution",
        YES,
        GAME.replace(PUSH, f"{PUSH}\n{MISSPELT_RULE}"),
        watch=(),
    ),
    game(
        "a rule with an unknown object, without which there is none",
        UNDECIDED,
        STUCK_GAME.replace(PUSH, f"{PUSH}\n{MISSPELT_RULE}"),
        watch=(),
    ),
    game("a level without a player, which is a legal game", NO, GAME.replace("#p*o#", "#.*o#")),
    game("a level that does not exist", REFUSED, level="7", watch=()),
    game("a game without levels", REFUSED, GAME.partition("#####\n#p")[0]),
    # ---- levels of a bundled puzzle
    levels("a level with a solution", YES),
    levels("a level without a solution", NO, STUCK_LEVELS),
    levels("a level with an unknown letter", REFUSED, LEVELS.replace(".", "?")),
    # ---- puzzles of one's own
    own("an own puzzle without PDDL", YES),
    own("an own puzzle without a solution", NO, STUCK_OWN),
    own("an own puzzle that raises in its moves", REFUSED, RAISING),
    own("an own puzzle that loops forever", UNDECIDED, ENDLESS, seconds=1.0, studio=()),
    own("an own puzzle with PDDL", YES, **walker(WALKER)),
    own("an own puzzle that raises in its moves, though its PDDL has a plan", REFUSED, **walker(RAISING_WALKER)),
    own(
        "an own puzzle that loops forever, though its PDDL has a plan", UNDECIDED, **walker(ENDLESS_WALKER), seconds=1.0
    ),
    own(
        "an own puzzle that raises in its moves, surveyed",
        REFUSED,
        **(walker(RAISING_WALKER, "survey") | {"studio": ()}),
    ),
    own("an own puzzle that offers no move, though its PDDL has a plan", BROKEN, **walker(IDLE_WALKER)),
    own(
        "an own puzzle that offers no move, surveyed",
        BROKEN,
        **(walker(IDLE_WALKER, "survey") | {"watch": (), "studio": ()}),
    ),
    own("an own puzzle that cannot be loaded", REFUSED, UNREADABLE_OWN),
    own(
        "an own puzzle named by an agent",
        REFUSED,
        cli=(),
        watch=(),
        studio=(),
        mcp=("plan", {"domain": "/down.py", "problem": "1"}),
    ),
    Situation(
        "an own puzzle that is its PDDL",
        YES,
        {"walker.py": WALKER, "walker.pddl": WALKER_PDDL},
        ("check", "./walker.py", "1"),
        ("check", "walker.pddl"),
        watch=("walker.py",),
    ),
    Situation(
        "an own puzzle that is not its PDDL",
        NO,
        {"walker.py": WALKER, "walker.pddl": WRONG_WALKER_PDDL},
        ("check", "./walker.py", "1"),
        ("check", "walker.pddl"),
        watch=("walker.py",),
    ),
    # ---- plans
    validated("a valid plan", YES),
    validated("a plan whose second step is not applicable", NO, "(go home shop)\n(go shop home)\n"),
    validated("a plan that ends before the goal", NO, "(go home shop)\n"),
    validated("a plan with an unknown action", NO, "(fly home school)\n"),
    validated("a plan for another problem", NO, "(go home market)\n(go market school)\n"),
    validated(
        "a plan without its problem",
        REFUSED,
        files={"domain.pddl": DOMAIN, "problem.plan": PLAN},
        mcp=("validate", {"domain": "@domain.pddl", "problem": "", "plan": "@problem.plan"}),
    ),
    # ---- explanations
    about("explain", "why there is no plan", YES, NO_WAY),
    about("explain", "what the next step is", YES),
    about("explain", "a limit of time while explaining", UNDECIDED, files=FAR, seconds=1.0),
    # ---- the state space
    about("explore", "all states of a small task", YES, studio=("graph", "problem.pddl", "problem")),
    about("explore", "all states of a task without a plan", YES, NO_WAY, studio=("graph", "problem.pddl", "problem")),
    about(
        "explore",
        "a task with too many states",
        UNDECIDED,
        files=FAR,
        seconds=1.0,
        studio=("graph", "problem.pddl", "problem"),
    ),
    # ---- two descriptions
    checked("a right domain", YES, HANOI),
    checked("a wrong domain", NO, WRONG_HANOI),
    checked("a domain with an unclosed bracket", REFUSED, HANOI.rstrip()[:-1]),
    compared("the same task twice", YES),
    compared("tasks that differ in a fact", NO, NO_WAY),
    compared("the same task with other names", YES, PROBLEM.replace("road", "path"), DOMAIN.replace("road", "path")),
    compared("a task and one with a missing bracket", REFUSED, domain=UNCLOSED),
    # ---- pictures
    drawn("a legal move", YES, "R", studio=("play", "levels.sok", "1", "sokoban", "R")),
    drawn("an illegal move", NO, "U", studio=("play", "levels.sok", "1", "sokoban", "U")),
    # ---- faults
    linted("no faults", YES),
    linted("a warning only", YES, DOMAIN.replace("(road ?a ?b - place))", "(road ?a ?b - place) (unused))")),
    linted("a predicate that is not declared", NO, UNKNOWN_PREDICATE),
    linted("a text that stops too early", REFUSED, UNCLOSED),
    linted("a fault in a domain that is being typed", NO, typed={"domain.pddl": UNKNOWN_PREDICATE}, cli=(), watch=()),
    game(
        "a rule with a misspelt object, linted",
        NO,
        GAME.replace(PUSH, f"{PUSH}\n{MISSPELT_RULE}"),
        cli=("lint", "game.txt"),
        lsp=("lint", "game.txt"),
        mcp=("lint", {"game": "@game.txt"}),
        studio=("lint", "game.txt"),
    ),
    # ---- somebody ends the work
    task("somebody ends the work", UNDECIDED, COUNTER, COUNTED, studio=(), cancelled=True, exit=130),
    about(
        "explore",
        "somebody ends an exploration with the button",
        UNDECIDED,
        files=FAR,
        cancelled=True,
        cli=(),
        mcp=None,
    ),
]
