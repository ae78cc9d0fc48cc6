"""Laws that every puzzle obeys; a new file in translators/ comes under them at once."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unpuzzle import planners, reachable, solve, translators
from unpuzzle.checking.side_by_side import check
from unpuzzle.errors import IllegalMove, ParseError, UnpuzzleError
from unpuzzle.pddl.nodes import GroundAction
from unpuzzle.pddl.reader import parse_domain, parse_problem
from unpuzzle.pddl.semantics import Semantics
from unpuzzle.pddl.writer import write
from unpuzzle.puzzle import capabilities
from unpuzzle.puzzle.capabilities import Reversible, compass_of, offered, subgoals_of
from unpuzzle.puzzle.options import completed

every_puzzle = pytest.mark.parametrize("puzzle", [translators.find(name) for name in translators.names()])
every_level = pytest.mark.parametrize(
    ("puzzle", "level"),
    [(translators.find(name), level) for name in translators.names() for level in translators.find(name).levels],
)
seeds = st.integers(0, 10**6).map(Random)
some = settings(max_examples=40, derandomize=True, deadline=None)


def goal_position(position):
    return position.goal_position() if offered(position, Reversible) else None


def predecessors(position):
    return position.predecessors() if offered(position, Reversible) else None


def wander(position, rng, steps=25):
    """Positions on a random walk."""
    for _ in range(steps):
        yield position
        if not (moves := position.moves()):
            break
        position = position.apply(rng.choice(moves))


def output_of(code, hash_seed):
    """What a program prints in a process with that seed of hashes."""
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return run.stdout


def optimal_length(position, limit=50_000):
    """The length of a shortest solution; None if everything was searched in vain."""
    seen, layer, length = {position}, [position], 0
    while layer:
        if any(p.solved() for p in layer):
            return length
        layer = list({q: None for p in layer for q in map(p.apply, p.moves()) if q not in seen})
        seen.update(layer)
        length += 1
        assert len(seen) < limit, "a sample has too many states"
    return None


# ---- the registry


def test_the_registry_is_the_list_of_files():
    assert {"boxup", "pacman", "sliding-tiles"} <= set(translators.names())
    for name in translators.names():
        module = f"unpuzzle.translators.{name.replace('-', '_')}"
        assert translators.find(name).__module__ in (module, f"{module}.rules")


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("boxap", "did you mean 'boxup'?"),
        ("sliding_tiles", "did you mean 'sliding-tiles'?"),
        ("qqq", "there are: boxup"),
    ],
)
def test_an_unknown_name_is_refused_with_a_hint(name, hint):
    with pytest.raises(ParseError, match="unknown puzzle") as caught:
        translators.find(name)
    assert hint in str(caught.value)


@pytest.mark.parametrize("name", ["", "../boxup", "boxup.py", "_text", "-text", "--init--", "BOXUP", "x" * 10_000])
def test_what_is_no_puzzle_is_not_found(name):
    with pytest.raises(ParseError) as caught:
        translators.find(name)
    assert len(str(caught.value)) < 200


def test_finding_a_puzzle_imports_no_other():
    code = (
        "import sys, unpuzzle.translators as t; t.find('pacman'); print(*[m for m in sys.modules if 'unpuzzle' in m])"
    )
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "unpuzzle.translators.pacman" in modules
    assert not {"unpuzzle.translators.boxup", "unpuzzle.translators.sliding_tiles"} & set(modules)


def test_a_file_that_is_dropped_in_is_a_puzzle(tmp_path, monkeypatch):
    monkeypatch.setattr(translators, "__path__", [*translators.__path__, str(tmp_path)])
    text = "from unpuzzle.translators.pacman import Pacman\nclass Ghost(Pacman):\n    name = 'my-ghost'\n"
    (tmp_path / "my_ghost.py").write_text(text)
    (tmp_path / "nothing.py").write_text("from unpuzzle.translators.pacman import Pacman\n")
    (tmp_path / "wrong_name.py").write_text(text)
    assert {"my-ghost", "nothing", "wrong-name", "boxup"} <= set(translators.names())
    assert translators.find("my-ghost").parse("P.").moves() == ("E",)
    with pytest.raises(UnpuzzleError, match="one subclass of Puzzle, with name = 'nothing'; found: none"):
        translators.find("nothing")
    with pytest.raises(UnpuzzleError, match="with name = 'wrong-name'; found: Ghost \\(name = 'my-ghost'\\)"):
        translators.find("wrong-name")


# ---- levels and text


@every_puzzle
def test_a_puzzle_says_what_it_is(puzzle):
    assert len(puzzle.title) > 10
    assert len(puzzle.levels) >= 4
    assert not any(set(name) & set("/. \t") for name in puzzle.levels)


@every_level
def test_the_text_of_a_bundled_level_comes_back(puzzle, level):
    position = puzzle.parse(puzzle.levels[level])
    assert str(position).endswith("\n")
    for reached in wander(position, Random(1), 60):
        assert puzzle.parse(str(reached)) == reached
        assert str(puzzle.parse(str(reached))) == str(reached)


@every_puzzle
@given(rng=seeds)
@some
def test_the_text_of_a_sample_comes_back(puzzle, rng):
    for position in wander(puzzle.sample(rng), rng):
        again = puzzle.parse(str(position))
        assert again == position
        assert hash(again) == hash(position)
        assert eval(repr(position), {puzzle.__name__: puzzle}) == position


@every_puzzle
@given(rng=seeds)
@some
def test_line_ends_and_byte_order_mark_mean_nothing(puzzle, rng):
    position = puzzle.sample(rng)
    text = str(position)
    for variant in (text.replace("\n", "\r\n"), text.replace("\n", "\r"), text[:-1], "\ufeff" + text, text + "\n\n"):
        assert puzzle.parse(variant) == position


@every_puzzle
def test_samples_vary(puzzle):
    samples = [puzzle.sample(Random(seed)) for seed in range(60)]
    assert len(set(samples)) > 50
    assert any(len(set(map(len, str(p).splitlines()))) == 1 for p in samples)
    assert sum(optimal_length(p) is not None for p in samples) > 10
    assert any(p.impossible() or not p.moves() or optimal_length(p) is None for p in samples)


BAD = [
    "",
    "\n\n",
    " \n",
    "\0",
    "%PDF-1.4\n\x93\x8c\x8b\x9e\x00\x01",
    "P.\0",
    "\x7fELF\x02\x01",
    "\udc80",
    "((((",
    "\ufeff",
]


@every_puzzle
@pytest.mark.parametrize("text", BAD)
def test_what_is_no_level_is_refused_with_its_place(puzzle, text):
    with pytest.raises(ParseError) as caught:
        puzzle.parse(text, "my.level")
    error = caught.value
    assert error.file == "my.level"
    assert error.line is not None
    assert error.column is not None
    assert str(error).startswith(f"my.level:{error.line}:{error.column}: ")
    assert len(str(error)) < 400


@every_puzzle
def test_ten_megabytes_of_brackets_are_refused(puzzle):
    for text in ("(" * 10**7, "( " * 10**5, "(\n" * 10**5):
        with pytest.raises(ParseError) as caught:
            puzzle.parse(text)
        assert len(str(caught.value)) < 400


@every_puzzle
@given(rng=seeds, data=st.data())
@settings(max_examples=150, derandomize=True, deadline=None)
def test_what_is_accepted_never_crashes_later(puzzle, rng, data):
    text = list(str(puzzle.sample(rng)))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text)))
        text[place : place + data.draw(st.integers(0, 2))] = data.draw(
            st.sampled_from([*"N!eW@#%.P *012\n\t;", "goal\n"])
        )
    level = "".join(text)
    try:
        position = puzzle.parse(level)
    except ParseError as refused:
        error = refused
    else:
        assert puzzle.parse(str(position)) == position
        assert position.draw()
        assert position.atoms() <= set(position.task().problem.init)
        position.impossible()
        return
    assert error.text == level.split("\n")[error.line - 1]
    assert 1 <= error.column <= len(error.text) + 1


# ---- rules


@every_puzzle
@given(rng=seeds)
@some
def test_moves_make_new_positions_and_nothing_else_is_a_move(puzzle, rng):
    for position in wander(puzzle.sample(rng), rng):
        before, moves = str(position), position.moves()
        assert len(set(moves)) == len(moves)
        for move in moves:
            assert move.isprintable()
            assert not set(move) & set(" \t")
            assert position.cost(move) >= 0
            assert position.apply(move) != position
        for move in {*"UDLRNSEWudlrx", "", "UU", "North"} - set(moves):
            with pytest.raises(IllegalMove) as caught:
                position.apply(move)
            assert caught.value.move == move
            assert str(caught.value)
        assert str(position) == before


@every_puzzle
def test_an_unknown_move_is_told_the_letters(puzzle):
    position = next(p for p in (puzzle.sample(Random(seed)) for seed in range(99)) if p.moves())
    for move in ("x", "", "up" * 1000):
        with pytest.raises(IllegalMove, match=r"is not a move: the moves are .(, .)* and .$") as caught:
            position.apply(move)
        assert len(str(caught.value)) < 100


@every_puzzle
@given(rng=seeds)
@some
def test_a_reason_for_impossible_is_right(puzzle, rng):
    position = puzzle.sample(rng)
    reason = position.impossible()
    assert reason is None or (isinstance(reason, str) and reason)
    if reason:
        assert optimal_length(position) is None


@every_puzzle
@given(rng=seeds)
@some
def test_pictures_tell_positions_apart(puzzle, rng):
    position = puzzle.sample(rng)
    picture = position.draw()
    assert not picture.endswith("\n")
    assert all(line.isprintable() for line in picture.split("\n"))
    for move in position.moves():
        assert position.apply(move).draw() != picture


# ---- what a puzzle may say of itself


@every_puzzle
@given(rng=seeds)
@some
def test_predecessors_lead_here(puzzle, rng):
    for position in wander(puzzle.sample(rng), rng):
        steps = list(predecessors(position) or ())
        assert len(set(steps)) == len(steps)
        for move, previous in steps:
            assert move in previous.moves()
            assert previous.apply(move) == position


@every_puzzle
@given(rng=seeds)
@some
def test_where_the_goal_position_is_known_no_predecessor_is_missing(puzzle, rng):
    """Of the positions that can be reached and are not solved: a shortest solution does not go on from a solved one."""
    level = puzzle.sample(rng)
    if goal_position(level) is None:
        return
    for position in wander(level, rng, 200):
        assert position.predecessors() is not None
        if not position.solved():
            for move in position.moves():
                assert (move, position) in position.apply(move).predecessors()


@every_puzzle
@given(rng=seeds)
@settings(max_examples=80, derandomize=True, deadline=None)
def test_the_shortest_solutions_end_in_the_goal_position(puzzle, rng):
    level = puzzle.sample(rng)
    goal = goal_position(level)
    if goal is None:
        return
    assert goal.solved()
    assert goal.goal_position() == goal
    if level.solved():
        assert goal == level
    layer, seen = [level], {level}
    while layer and not any(position.solved() for position in layer):
        layer = [q for p in layer for q in map(p.apply, p.moves()) if q not in seen and not seen.add(q)]
    assert {position for position in layer if position.solved()} in (set(), {goal})


def test_some_puzzles_know_their_goal_position():
    samples = {
        name: [translators.find(name).sample(Random(seed)) for seed in range(40)] for name in translators.names()
    }
    known = {name: sum(goal_position(level) is not None for level in levels) for name, levels in samples.items()}
    assert known["boxup"] == 0
    assert 5 < known["pacman"] < 35
    assert 5 < known["sliding-tiles"] < 35


@every_puzzle
@given(rng=seeds)
@some
def test_headings_are_moves_and_the_opposite_one_leads_back(puzzle, rng):
    compass = compass_of(puzzle)
    assert len(set(compass)) == len(compass)
    assert len(compass) % 2 == 0
    for position in wander(puzzle.sample(rng), rng) if compass else ():
        assert set(position.moves()) <= set(compass)
        for move in position.moves():
            assert compass[compass.index(move) - len(compass) // 2] in position.apply(move).moves()


# ---- symmetries

NATIVE = planners.missing("native")


def measures(position):
    """What no symmetry changes: the least cost, the states and transitions, how many states are how deep."""
    space = reachable(position)
    return space.goal_distance[0], space.states, space.transitions, space.depths(), len(space.dead_ends)


@every_puzzle
@given(rng=seeds)
@some
def test_symmetries_are_a_closed_set_of_positions(puzzle, rng):
    for position in wander(puzzle.sample(rng), rng, 3):
        same = list(position.symmetries())
        assert position in same
        assert len(set(same)) == len(same)
        for other in same:
            assert puzzle.parse(str(other)) == other
            assert set(other.symmetries()) == set(same)
            assert other.canonical() == position.canonical()
        assert position.canonical().canonical() == position.canonical()


@every_puzzle
@given(rng=seeds)
@settings(max_examples=10, derandomize=True, deadline=None)
@pytest.mark.skipif(NATIVE is not None, reason=str(NATIVE))
def test_symmetries_are_equally_hard(puzzle, rng):
    position = puzzle.sample(rng)
    expected = measures(position)
    for other in {*position.symmetries(), position.canonical()}:
        assert measures(other) == expected


@every_puzzle
@given(rng=seeds)
@some
def test_every_move_can_be_made_in_every_symmetry(puzzle, rng):
    position = puzzle.sample(rng)
    following = {position.apply(move).canonical() for move in position.moves()}
    for other in position.symmetries():
        assert {other.apply(move).canonical() for move in other.moves()} == following


# ---- subgoals


@every_puzzle
@given(rng=seeds)
@some
def test_stages_see_the_moves_of_the_game(puzzle, rng):
    start = puzzle.sample(rng)
    for subgoal in subgoals_of(start) or ():
        for position in wander(start, rng, 8):
            view = subgoal.view(position)
            moves = {(move, subgoal.view(position.apply(move)), position.cost(move)) for move in position.moves()}
            assert set(subgoal.successors(view)) == moves
            assert (subgoal.estimate(view) == 0) >= subgoal.achieved(view)
            if subgoal.admissible:
                for _, following, cost in moves:
                    assert subgoal.estimate(view) <= cost + subgoal.estimate(following)


@every_puzzle
@given(rng=seeds)
@some
def test_when_all_subgoals_are_achieved_the_position_is_solved(puzzle, rng):
    start = puzzle.sample(rng)
    if subgoals_of(start) is None:
        assert puzzle.name == "boxup"
        return
    result = solve(start, "subgoals")
    assert result.valid or result.status == "unsolvable"
    assert (result.status == "unsolvable") == (optimal_length(start) is None)
    if result.status == "solved_optimally":
        assert result.cost == optimal_length(start)


# ---- PDDL


@every_level
def test_a_task_is_written_and_read_again(puzzle, level):
    task = puzzle.parse(puzzle.levels[level]).task()
    domain = parse_domain(write(task.domain))
    assert domain == task.domain
    assert parse_problem(write(task.problem), domain) == task.problem
    assert task.domain.name == task.problem.domain_name == puzzle.name


@every_puzzle
def test_the_language_is_small(puzzle):
    domain = next(iter(puzzle.levels.values()))
    text = write(puzzle.parse(domain).task().domain)
    assert not any(f"({word} " in text for word in ("forall", "exists", "when", "or", "imply", "=", ":derived"))


@every_puzzle
@given(rng=seeds)
@some
def test_atoms_are_the_fluents_of_the_task(puzzle, rng):
    for position in wander(puzzle.sample(rng), rng, 6):
        semantics = Semantics(position.task())
        assert semantics.fluents(semantics.initial) == position.atoms()
        assert len(position.task().problem.init) == len(set(position.task().problem.init))


@every_puzzle
@given(rng=seeds)
@settings(max_examples=70, derandomize=True, deadline=None)
def test_the_pddl_of_a_sample_is_the_game(puzzle, rng):
    result = check(puzzle.sample(rng))
    assert result.same, str(result)
    assert result.exhaustive


@every_level
def test_the_pddl_of_a_bundled_level_is_the_game(puzzle, level):
    result = check(puzzle.parse(puzzle.levels[level]), max_states=400, walks=5)
    assert result.same, str(result)
    assert result.states >= 5


@every_puzzle
@pytest.mark.parametrize(
    "action",
    [
        ("",),
        ("teleport", "r1c1"),
        ("walk",),
        ("walk", "r1c1", "up", "r1c2", "down"),
        ("walk", "r1c1", "north"),
        ("move", "r1c1", "r3c1"),
        ("move", "r1c1", "home"),
        ("move", "r1c1", "rXc1"),
        ("move", "r1c1", "r1c2", "r1c3"),
        ("slide", "t1", "r1c1", "r1c1"),
        ("slide", "t1", "c", "r"),
        ("slide", "t1", "r²c1", "r1c1"),
    ],
)
def test_a_foreign_action_is_refused(puzzle, action):
    with pytest.raises(ParseError, match="is not a move of this puzzle"):
        puzzle.sample(Random(0)).decode(GroundAction(action[0], action[1:]))


def test_domains_are_read_wherever_one_works(tmp_path):
    code = (
        "from random import Random; from unpuzzle import translators as t; "
        "print(*[t.find(name).sample(Random(1)).task().domain.name for name in t.names()])"
    )
    environment = {**os.environ, "LC_ALL": "C"}
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == list(translators.names())


@every_puzzle
def test_equal_seeds_give_equal_samples_in_every_process(puzzle):
    code = (
        "from random import Random; from unpuzzle import translators; "
        f"print(*[translators.find({puzzle.name!r}).sample(Random(seed)) for seed in range(25)])"
    )
    assert len({output_of(code, hash_seed) for hash_seed in "123"}) == 1


# ---- levels that are asked for


@every_puzzle
def test_options_have_defaults_of_their_own(puzzle):
    for name, option in puzzle.options.items():
        assert option.name == name
        assert name.isidentifier()
        assert name.islower()
        assert option.about
        assert option.wanted
        assert option.value(option.show(option.default)) == option.value(option.default) == option.default


@every_puzzle
@given(rng=seeds)
@some
def test_the_text_of_a_generated_level_comes_back(puzzle, rng):
    level = puzzle.generate(rng, completed(puzzle, {}))
    assert puzzle.parse(str(level)) == level
    assert type(level) is puzzle


@every_puzzle
def test_generated_levels_vary_and_some_can_be_solved(puzzle):
    options = completed(puzzle, {})
    levels = [puzzle.generate(Random(seed), options) for seed in range(60)]
    assert len(set(levels)) > 50
    assert any(level.impossible() is None and not level.solved() for level in levels)


@every_puzzle
def test_every_level_of_a_shape_comes_in_a_fixed_order(puzzle):
    lists = [capabilities.every_level(puzzle, completed(puzzle, {})) for _ in range(2)]
    if lists[0] is None:
        pytest.skip(f"{puzzle.name} makes random levels only")
    first, again = (list(islice(levels, 200)) for levels in lists)
    assert first == again
    assert len(set(first)) == len(first) > 1


@every_puzzle
def test_equal_seeds_give_equal_levels_in_every_process(puzzle):
    code = (
        "from random import Random; from unpuzzle import translators; from unpuzzle.puzzle.options import completed; "
        f"puzzle = translators.find({puzzle.name!r}); options = completed(puzzle, {{}}); "
        "print(*[puzzle.generate(Random(seed), options) for seed in range(25)])"
    )
    assert len({output_of(code, hash_seed) for hash_seed in "123"}) == 1
