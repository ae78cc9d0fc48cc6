"""PuzzleScript: a text is a game, compiled to plain data, and run by an engine. All of the language is in this folder.

compiling/  from text to data, each file a pass, in the order in which `compiler` puts them together:

    text        bytes, comments and sections             faults      what is wrong, and where; other dialects
    sections    options, win conditions, sounds, levels  objects     names, colours, pictures, palettes
    names       legend and layers: what a name is        rule_text   rules as written
    choices     a rule for each choice of its words      groups      rules as sets of bits; groups, loops
    compiled    the data

playing/    from data to play:

    sets        sets as whole numbers                    board       a board, and where rows of patterns match
    applying    rules, groups, lists of groups           turning     one turn, with movement and rigid bodies
    engine      engines; again, commands, undo, restart  draws       chance
    states      states and their text                    tracing     plays as text
    listening   what happens in a turn, as it happens
    aims        win conditions one by one

debugging/  which rules fire in a turn, and in levels
levels/     listed by number and name, written in glyphs, painted, made by changes of others
forking/    levels as PDDL                               searching/  games in the core: its own planner
rules       all that follows from a text                 game        texts as games, states as positions
files       files read and linted                        games/      the bundled games

Two seams: `compiling.compiled.Compiled` is all that an engine needs to know of a game: plain data that pickles; equal
texts give equal games. `playing.engine.Engine` is what an engine does, with `playing.states.State`, plain tuples, too.
The Python engine is the judge: every other one gives equal states for equal states, draws the same numbers in the same
order (`playing.draws`), and keeps to the same bounds: 200 passes of a group (`playing.applying.MOST_PASSES`), 200 jumps
of a list, 50 trials of rigid bodies, 500 turns of `again` (after which there is no successor: None).
`scripts/compare_puzzlescript.py --engine NAME` compares one with what the reference engine says.
"""
