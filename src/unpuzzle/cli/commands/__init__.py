"""The commands, a module each, and a line about each for the help: see `unpuzzle.cli`."""

COMMANDS = {
    "list": "the puzzles, their bundled levels, and the planners",
    "solve": "solve a level of a puzzle and show the moves",
    "plan": "solve a PDDL task",
    "pddl": "write a level as PDDL files",
    "validate": "run a plan step by step and say where it fails",
    "replay": "play moves on the game's rules",
    "compare-moves": "what do two ways to solve a level cost, and where do they part?",
    "draw": "a picture of a level, or of moves: in the terminal or a file",
    "play": "play a level here, or make a page to play it on",
    "check": "is the PDDL the game? explore both side by side",
    "compare": "many ways to solve a level, in one table",
    "experiment": "many planners on many tasks, each run within its own limits, in a file that can be gone on with",
    "report": "runs of an experiment as a page: scores, plots, what is wrong, what changed",
    "explore": "all that can happen in a level: positions, dead ends, the one farthest from a goal",
    "survey": "every level of a game in one table: solvable, least moves, states, dead ends, optimal ways",
    "explain": "why there is no plan, what a person would do next, or what each part of a level is for",
    "generate": "make levels of known difficulty",
    "lint": "find all faults of PDDL files, plans and games in PuzzleScript; explain them, mend them",
    "format": "lay out PDDL files and games in PuzzleScript anew; comments stay",
    "lsp": "serve editors: squiggles, completion, definitions, names changed everywhere, solving (needs an extra)",
    "test-components": "are successors and goal test that somebody wrote those of a game?",
    "repair": "let a language model write search components, test them, and tell it what is wrong",
    "same": "are two PDDL tasks the same game up to names?",
    "test-domain": "is a PDDL domain that somebody wrote the game, up to names?",
    "grade": "compare a class of PDDL domains with a reference, in one table",
    "trace": "play a plan on a PDDL problem, or inputs on a game in PuzzleScript, and show what each step changes",
    "new": "write a first puzzle of your own: rules, PDDL domain and test",
    "mcp": "tools for agents, over the Model Context Protocol",
    "watch": "look at files at every save: faults, solution, what is new",
    "studio": "a page to write puzzles on: text, board and answers side by side",
    "doctor": "what is installed, what is missing, the command that gets it, and whether it works",
}

FOLDERS = {
    "judging": ("grade", "repair", "same", "test-components", "test-domain"),
    "services": ("lsp", "mcp", "studio", "watch"),
}
"""The commands in other folders of `unpuzzle.cli`, by folder; the modules of all others are in this one."""

TO_TRY = {
    "solve boxup 1 --draw": "solve a level and show every position",
    "play sokoban 1 -o sokoban.html": "make a page to play it on, with hints",
    "check sliding-tiles 2x3": "prove that a puzzle's PDDL is the game",
    "compare pacman loops": "search algorithms and planners in one table",
    "new my-puzzle": "write a puzzle of your own, to solve, to draw, to change",
}
"""Commands for new users: each works at once, in an empty folder, without extras."""
