"""PuzzleScript: a compiler from the text of a game to data, engines that play it, and planners for its levels.

compiling/  from text to data, each file a pass, in the order in which `compiler` puts them together:

    text        bytes, comments and sections; faults with their places; other dialects
    sections    options, win conditions, sounds, levels  objects     names, colours, pictures, palettes
    names       legend and layers: kinds of names        rule_text   rules as written
    choices     a rule for each choice of its words      compiler    rules as sets of bits; groups, loops
    compiled    the data, with its sets as whole numbers

engine/     from data to play:

    board       a board, matches of rows of patterns, and win conditions one by one
    turns       rules, groups, lists of groups; one turn, with movement and rigid bodies; its events as they happen
    engine      engines; again, commands, undo, restart
    states      states, levels by number and name, and both as text; chance

debugging/  plays recorded; which rules fire in a turn, and in levels
pddl_encoding/  levels as PDDL                           searching/      games in the core: its own planner
rules       everything computed from a text              game            texts as games, states as positions, new levels
painter     levels painted
files       files linted, formatted                      explaining      places in a text explained, names changed
games/      the bundled games

There are two interfaces: `compiling.compiled.Compiled` has all that an engine needs of a game: plain data that pickles;
equal texts give equal games. `engine.engine.Engine` is the interface of engines, with `engine.states.State`, which is
also plain tuples. The Python engine is the judge: every other one gives equal states for equal states, draws the same
numbers in the same order (`engine.states.Draws`), and keeps to the same bounds: 200 passes of a group
(`engine.turns.MOST_PASSES`), 200 jumps of a list, 50 trials of rigid bodies, 500 turns of `again` (after which there
is no successor: None). `scripts/compare/compare_puzzlescript.py --engine NAME` compares an engine with the
reference engine.
"""
