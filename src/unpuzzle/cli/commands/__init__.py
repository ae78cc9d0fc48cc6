"""The commands: one module for each command, and one line about each command for the help."""

GROUPS = {
    "solve": {
        "solve": "solve a level of a puzzle, or a PDDL problem, and show the moves",
        "plan": "solve a PDDL task and show the plan",
        "replay": "play moves on the game's rules: do they solve the level? or compare them with others",
        "validate": "run a plan step by step and say where it fails",
        "trace": "show what each step of a plan on PDDL, or of inputs to a game in PuzzleScript, changes",
        "explain": "say why there is no plan, what a person would do next, or what each part of a level is for",
        "play": "play a level here, or make a page to play it on",
    },
    "understand": {
        "check": "check whether the PDDL is the game; with --game, a domain or code that somebody wrote for a game",
        "diff": "compare two PDDL tasks: identical, the same up to names, or where do they differ?",
        "explore": "explore all that can happen in a level: positions, dead ends, the position farthest from a goal",
        "survey": "list every level of a game in one table: solvable, least moves, states, dead ends, optimal ways",
        "grade": "compare a class of PDDL domains with a reference, in one table",
    },
    "make": {
        "new": "write a first puzzle of your own: rules, PDDL domain and test",
        "generate": "make levels of known difficulty",
        "draw": "draw a level, or moves: in the terminal or into a file",
        "booklet": "make a booklet of levels to print, with solutions at the back",
        "pddl": "write a level as PDDL files",
    },
    "text": {
        "lint": "find all faults of PDDL files, plans and games in PuzzleScript; explain and mend them",
        "format": "format PDDL files and games in PuzzleScript; comments stay",
    },
    "measure": {
        "compare": "solve a level in many ways, and show them in one table",
        "experiment": "run many planners on many tasks, each run within its limits; go on after an interruption",
        "report": "make a page of an experiment's runs: scores, plots, what is wrong, what has changed",
    },
    "more": {
        "list": "list the puzzles, their bundled levels, and the planners",
        "doctor": "show what is installed, what is missing, the command that gets it, and whether it works",
        "help": "show the help of a command, or what can be done with a file or a puzzle",
        "version": "show the version",
        "lsp": "serve editors: faults, completion, definitions, renaming, solving (needs an extra)",
        "mcp": "offer tools to agents, over the Model Context Protocol",
        "watch": "check files at every save: faults, solution, what is new",
        "studio": "open a page to write puzzles on: text, board and answers side by side",
        "repair": "let a language model write search components, test them, and tell it what is wrong",
    },
}
"""The groups of the help: the commands of each, with a line about each command."""
COMMANDS = {command: about for group in GROUPS.values() for command, about in group.items()}

FOLDERS = {
    "judging": ("diff", "grade", "repair"),
    "services": ("lsp", "mcp", "studio", "watch"),
}
"""The commands in other folders of `unpuzzle.cli`, by folder; the modules of all others are in this one."""

TO_TRY = {
    "solve boxup 1 --draw": "solve a level and show every position",
    "play sokoban 1 -o sokoban.html": "make a page to play it on, with hints",
    "check sliding-tiles 2x3": "prove that a puzzle's PDDL is the game",
    "compare pacman loops": "search algorithms on one level, in a table; --planners adds planners",
    "new my-puzzle": "write a puzzle of your own, to solve, to draw, to change",
}
"""Commands for new users: each works at once, in an empty folder, without extras."""
