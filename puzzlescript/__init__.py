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

levels/     listed by number and name, written in glyphs, painted, made by changes of others
forking/    levels as PDDL                               searching/  games in the core: its own planner
rules       all that follows from a text                 game        texts as games, states as positions
files       files read and linted                        games/      the bundled games

Seam A: the compiled game (`compiling.compiled.Compiled`)
    Tuples of whole numbers, flags and strings, nothing else: what an engine needs to know of a game. It pickles, and
    equal texts give equal games. Sets are numbers with bit `i` for member `i`: of objects (numbered layer by layer, in
    the order of COLLISIONLAYERS; a number whose object is also listed later stays unused, is in no layer and on no
    board) and of movements (bit `5 * layer + d`, `d` counting up, down, left, right, action). There may be more than 64
    of either. A cell with column x and row y has the index `x * height + y`. What a cell pattern and a replacement mean
    is told beside their fields; `moves_clear | moves_layers` is what is cleared; of `random_directions` bit `5 * layer`
    asks for a direction by chance. A rule's `rigid_group` is 0 or counts `rigid_groups` from 1. Rows of rules hold None
    for an ellipsis. Fields that no engine needs: `title`, `glyphs`, `background`, `line`, `text`, `levels`,
    `sprites`, `screen`.

Seam B: an engine (`playing.engine.Engine`), made of a compiled game
    `successors(state, keys)`, `after`, `started` take and give `states.State`, plain tuples; `play(state)` gives a
    level in play, for traces: undo and restart are no part of a state. The Python engine is the judge: every other
    one gives equal states for equal states, draws the same numbers in the same order (`draws`), and keeps to the same
    bounds: 200 passes of a group (`applying.MOST_PASSES`), 200 jumps of a list, 50 trials of rigid bodies, 500 turns
    of `again` (after which there is no successor: None). `scripts/compare_puzzlescript.py --engine NAME` compares one
    with what the reference engine says.
"""
