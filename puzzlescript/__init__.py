"""PuzzleScript: a text is a game, compiled to plain data, and run by an engine.

From text to data, each file a pass, in the order in which they are made (`compiling` puts them together):

    reading     from bytes to a text
    text        comments and sections                    faults      what is wrong, and where
    prelude     options                                  objects     names, colours, pictures
    names       legend and layers: what a name is        rule_text   rules as written
    directions  one rule for each direction              choices     one for each thing that a word may be
    members     one for each member of a property        patterns    cells as sets of bits
    groups      groups, loops, rigid groups              rule_checks words that mean nothing where they stand
    winning     win conditions                           levels      boards
    palettes    what `red` is                            sprites     what objects look like
    sounds      looked at for faults alone               words       colours, and what other dialects know
    collecting  no garbage is collected meanwhile

From data to play:

    board       a board in play, as sets of cells        matching    where rows of patterns match
    applying    rules, groups, lists of groups           turning     one turn, with movement and rigid bodies
    playing     again, commands, undo, restart           draws       chance
    states      states and their text                    engine      the interface of engines; the one in Python
    game        what other parts of unpuzzle see         tracing     plays as text;  linting    all faults
    lasting     what no move changes                     picture     levels drawn
    glyphs      boards written as levels                 changing    levels changed;  making    what was asked for
    symmetry    reflections that a game does not notice  undoing     groups that go round without end

Seam A: the compiled game (`compiled.Compiled`)
    Tuples of whole numbers, flags and strings, nothing else: what an engine needs to know of a game. It pickles, and
    equal texts give equal games. Sets are numbers with bit `i` for member `i`: of objects (numbered layer by layer, in
    the order of COLLISIONLAYERS; a number whose object is also listed later stays unused, is in no layer and on no
    board) and of movements (bit `5 * layer + d`, `d` counting up, down, left, right, action). There may be more than 64
    of either. A cell with column x and row y has the index `x * height + y`. What a cell pattern and a replacement mean
    is told beside their fields; `moves_clear | moves_layers` is what is cleared; of `random_directions` bit `5 * layer`
    asks for a direction by chance. A rule's `rigid_group` is 0 or counts `rigid_groups` from 1. Rows of rules hold None
    for an ellipsis. Fields that no engine needs: `title`, `glyphs`, `background`, `line`, `text`, `levels`,
    `sprites`, `screen`.

Seam B: an engine (`engine.Engine`), made of a compiled game
    `successors(state, keys)`, `after`, `started` take and give `states.State`, plain tuples; `play(state)` gives a
    level in play, for traces: undo and restart are no part of a state. The Python engine is the judge: every other
    one gives equal states for equal states, draws the same numbers in the same order (`draws`), and keeps to the same
    bounds: 200 passes of a group (`applying.MOST_PASSES`), 200 jumps of a list, 50 trials of rigid bodies, 500 turns
    of `again` (after which there is no successor: None). `scripts/compare_puzzlescript.py --engine NAME` compares one
    with what the reference engine says.
"""
