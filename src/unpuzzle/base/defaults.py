"""Default values of function arguments, which the help texts of the commands show.

They are separate from these functions, whose modules take long to load: a shell asks for the options of a command at
every TAB.
"""

COMPARED_STATES = 100_000
"""The largest number of states of a level, or of a task, that are compared."""
COMPARED_STATES_OF_EACH = 10_000
"""The most states to compare of each level or domain, if there are many."""
TABLE_STATES = 20_000
"""The largest number of states of a level that a page has as a table: about 100 KB."""
SAMPLES = 20
"""The number of random levels on which a domain is compared with a game."""
ROUNDS, ANSWER_SECONDS = 5, 120.0
"""The number of questions to a language model, and the seconds for an answer."""
SEEDS = 10
"""The number of runs of each random algorithm in a comparison."""
LEVELS = 10
"""The number of levels that are made."""
RUNS_FILE, ORDERS = "runs.jsonl", ("given", "random")
"""The file of an experiment's runs, and the orders in which they are made."""
STUDIO_SECONDS = 10.0
"""The seconds for each level in the studio."""
