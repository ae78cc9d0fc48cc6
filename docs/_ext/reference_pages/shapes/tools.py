"""The JSON objects of commands that write files, list things or serve programs, and the JSON of errors."""

from __future__ import annotations

from reference_pages.shapes.shape import MESSAGE, REMARKS, Shape
from unpuzzle.base.outcomes import FAULT, LIMITS, OF_ERROR
from unpuzzle.installation import Installation
from unpuzzle.servers.watch import News

ERROR_STATUSES = tuple(dict.fromkeys([*(status for _, status in OF_ERROR.values()), FAULT, *LIMITS]))
"""The values of `status` of an error."""

TOOLS: dict[str, tuple[Shape, ...]] = {
    "format": (
        Shape(
            ("format",), "The files that were formatted.", "files=list[str] changed=list[str] text?=str",
            notes={
                "files": "all that were read", "changed": "those that changed, or would",
                "text": "the formatted text of standard input",
            },
        ),
    ),
    "lsp": (
        Shape(
            ("lsp",), "The settings of an editor.", "editor=str settings=str",
            notes={"editor": "its name", "settings": "the lines for the editor's settings file"},
        ),
    ),
    "list": (
        Shape(
            ("list",), "The puzzles, their levels, and the planners.",
            "puzzles=dict[str,str] planners=dict[str,dict[str,bool|str]] levels=dict[str,list[str]] "
            "broken?=dict[str,str] hidden?=dict[str,str]",
            notes={
                "puzzles": "by name the title", "planners": "by kind `available`, and a `message` if it is not",
                "levels": "by puzzle the names of its levels", "broken": "games that cannot be loaded, and why",
                "hidden": "puzzles of installed distributions that are not used, and why",
            },
        ),
    ),
    "pddl": (
        Shape(
            ("pddl",), "A level as PDDL.", "status=str domain=str|None problem=str|None message?=str",
            notes={"status": "`written`, or the limit that was reached", "domain": "its text, or its file",
                   "problem": "its text, or its file", **MESSAGE},
        ),
    ),
    "draw": (
        Shape(
            ("draw",), "A picture.", "picture=str legal=bool step=int|None reason=str file=str|None "
            "remarks?=list[str]",
            notes={"picture": "the position as text", "legal": "whether all moves are",
                   "step": "the number of the first illegal move", "reason": "why it is illegal",
                   "file": "the file that was written", **REMARKS},
        ),
        Shape(
            ("booklet",), "Levels in a booklet.", "levels=list[dict[str,object]] file=str|None message?=str",
            notes={
                "levels": "`name`, `number`, `status` (of its solution; null with `--no-solutions`) and `message` (why "
                          "there is none) of each; a level that cannot be read is `bad_input` and has no number",
                "file": "the booklet that was written, or null", **MESSAGE,
            },
        ),
        Shape(
            ("draw",), "Drawings of all levels of a file.", "levels=list[dict[str,object]] file=str|None",
            notes={"levels": "`name`, `number` and `picture` of each", "file": "the sheet that was written, or null"},
        ),
    ),
    "play": (
        Shape(
            ("play",), "A page to play on.", "file=str levels=list[LevelReport] seconds=dict[str,float]",
            notes={"file": "the page", "levels": "a report on each level", "seconds": "wall seconds by phase"},
        ),
        Shape(
            ("play",), "The moves that were played in the terminal.", "moves=list[str] solved=bool cost=int",
            notes={"moves": "in their order", "solved": "whether they solve the level", "cost": "of the moves"},
        ),
    ),
    "new": (
        Shape(("new",), "The files of a new puzzle.", "status=str files=list[str]",
              notes={"status": "`written`", "files": "their paths"}),
    ),
    "mcp": (
        Shape(
            ("mcp",), "With `--tools`: the tools as agents see them.", "tools=list[dict[str,object]]",
            notes={"tools": "each with `name`, `description`, and the schemas of its `arguments` and its `answer`"},
        ),
    ),
    "watch": (
        Shape(("watch",), "Changes since the last check: a line for each save, or for `--once`.", "*", News),
    ),
    "studio": (
        Shape(("studio",), "The studio's folder and file, when it ends.", "status=str folder=str file=str|None",
              notes={"status": "`stopped`", "file": "the file in the folder that it was started for, or null"}),
    ),
    "doctor": (Shape(("doctor",), "What is installed, and whether it works.", "*", Installation),),
    "error": (
        Shape(
            (), "An error, printed by any command instead of its own object.",
            "status=str message=str file=str|None line=int|None column=int|None report?=str|None",
            notes={"status": "see the table of statuses", "message": "a sentence", "file": "the file it is about",
                   "line": "from 1", "column": "from 1", "report": "the file with the traceback of a bug in unpuzzle"},
            words={"status": ERROR_STATUSES},
        ),
    ),
    "help": (
        Shape(("help",), "The help of a command.", "help=str", notes={"help": "its text"}),
        Shape(("help",), "The list of commands.",
              "commands=dict[str,str] groups?=dict[str,list[str]] to_try?=dict[str,str]",
              notes={"commands": "purposes by command name", "groups": "the names of each group of the help",
                     "to_try": "without a command: five commands to begin with"}),
        Shape(("help",), "What can be done with a file, a folder or a puzzle.",
              "subject=str kind=str to_try=dict[str,str]",
              notes={"subject": "as it was named", "kind": "such as `a PDDL problem`",
                     "to_try": "the purpose of each command line"}),
    ),
    "version": (Shape(("version",), "The version.", "version=str", notes={"version": "of unpuzzle"}),),
}  # fmt: skip
