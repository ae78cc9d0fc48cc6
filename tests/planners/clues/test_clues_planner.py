"""The planner from the file of a puzzle to its answers, with small sources of our own."""

from __future__ import annotations

import json

import pytest

from support.hiding import hide
from unpuzzle import solve, translators
from unpuzzle.base.errors import DependencyMissing, UsageError
from unpuzzle.base.run import Limits
from unpuzzle.cli import main
from unpuzzle.planners.clues.clue import read_clue
from unpuzzle.planners.clues.inference import CluedSlot
from unpuzzle.planners.clues.settings import settings_of
from unpuzzle.planners.clues.work import Library
from unpuzzle.planning import registry

CAT = {
    "grid": ["...", "...", "..."],
    "across": ["An animal that purrs", "A short poem that is sung", "Soaked with water"],
    "down": ["It gives milk", "A drink of fruit", "The new year of Vietnam"],
    "letters": "XXXXXXXXX",
}


@pytest.fixture
def run(tmp_path, capsys):
    def run(puzzle, *options, game="crossword-clues"):
        path = tmp_path / "puzzle.json"
        path.write_text(json.dumps(puzzle))
        code = main(["solve", game, str(path), *options])
        return code, capsys.readouterr()

    return run


@pytest.fixture
def solved(run, small_sources):
    def solved(puzzle, *options):
        code, shown = run(puzzle, *options, "--json")
        assert code == 3, shown
        return json.loads(shown.out)

    return solved


def test_a_crossword_is_solved_from_its_clues(solved):
    found = solved(CAT)
    assert found["solution"] == "CAT/ODE/WET"  # whatever `letters` says
    assert (found["status"], found["valid"], found["moves"], found["plan"]) == ("guessed", None, None, None)
    confidences = [value for row in found["letter_confidence"] for value in row]
    assert found["confidence"] == pytest.approx(sum(confidences) / 9, abs=1e-4)
    assert list(found["answers"]) == ["1A", "4A", "5A", "1D", "2D", "3D"]
    for answer in found["answers"].values():
        assert answer.keys() == {"answer", "confidence", "alternatives"}
        assert 0 <= answer["confidence"] <= 1
        assert answer["answer"] not in [other["answer"] for other in answer["alternatives"]]
    assert [len(row) for row in found["letter_confidence"]] == [3, 3, 3]
    assert (
        found["message"]
        == "wordnet is left out: WordNet is not installed; install it with: sudo apt-get install wordnet-base"
    )


def test_as_text(run, small_sources):
    code, shown = run(CAT)
    assert code == 3
    assert shown.out.startswith("CAT\nODE\nWET\n\n  1A CAT ")
    assert shown.out.splitlines()[-1].startswith("; guessed: confidence ")
    assert "wordnet is left out" in shown.err
    assert run(CAT, "--quiet")[1].out == "CAT/ODE/WET\n"


def test_the_filled_grid_is_drawn(run, small_sources, tmp_path):
    code, _ = run(CAT, "-o", str(tmp_path / "cat.svg"))
    assert code == 3
    picture = (tmp_path / "cat.svg").read_text()
    assert all(f">{letter}<" in picture for letter in "CATODEW")


def test_the_index_is_built_once(solved, cache, monkeypatch):
    solved(CAT)
    there = sorted(cache.iterdir())
    monkeypatch.setattr("unpuzzle.planners.clues.work.build", lambda documents: pytest.fail("built again"))
    assert solved(CAT)["solution"] == "CAT/ODE/WET"
    assert sorted(cache.iterdir()) == there
    assert [path.name.partition("-")[0] for path in there] == ["gcide", "words"]


def test_letters_that_are_given_and_blocks(solved):
    puzzle = {
        "grid": ["C.#", "...", "#.."],
        "across": ["x", "A short poem that is sung", "x"],
        "down": ["x", "A drink of fruit", "x"],
    }
    found = solved(puzzle)
    rows = found["solution"].split("/")
    assert rows[0][0] == "C"
    assert [row.find("#") for row in rows] == [2, -1, 0]
    assert found["letter_confidence"][0] == [1.0, pytest.approx(0.5, abs=0.5), None]  # what is given is certain


def test_letters_beyond_a_to_z_say_nothing_to_guessing(solved):
    """They stay in the grid, and a remark names them; a rebus and a digit are such letters, too."""
    found = solved(CAT | {"grid": ["Ñ..", ".1.", "..2"], "rebus": {"2": "HEART"}, "letters": "ÑXXX1XXX2"})
    assert found["message"].startswith("guessing uses A to Z only: 1, 2, Ñ in the grid is ignored; ")
    assert [found["solution"][place] for place in (0, 5, 10)] == ["Ñ", "1", "2"]
    assert "guessing uses" not in solved(CAT)["message"]


def test_a_clue_that_is_missing_leaves_its_word_to_the_crossings(solved):
    found = solved(CAT | {"across": [CAT["across"][0], None, ""]})
    assert found["solution"] == "CAT/ODE/WET"
    assert found["message"].startswith("there is no clue for 4A, 5A: only crossings help there; ")


def test_one_source_is_enough(solved):
    assert solved(CAT, "--planner", "clues:gcide")["solution"] == "CAT/ODE/WET"
    assert solved(CAT, "--planner", "clues:gcide")["sources"] == ["gcide", "forms", "likeness"]
    assert solved(CAT, "--planner", "clues:words")["status"] == "guessed"


def test_a_file_of_ones_own_is_enough(run, tmp_path):
    path = tmp_path / "my.csv"
    rows = zip(["CAT", "ODE", "WET", "COW", "ADE", "TET"], [*CAT["across"], *CAT["down"]], strict=True)
    path.write_text("answer,clue\n" + "".join(f'{word},"{clue}"\n' for word, clue in rows))
    code, shown = run(CAT, "--planner", f"clues:csv={path}", "--quiet")
    assert (code, shown.out) == (3, "CAT/ODE/WET\n")


def test_without_any_source_the_command_is_told(run):
    code, shown = run(CAT)
    assert code == 4
    assert "no source of words is installed" in shown.err
    assert "sudo apt-get install wordnet-base dict-gcide wamerican-large" in registry.missing("clues")
    with pytest.raises(DependencyMissing, match="dict-gcide"):
        Library()


def test_a_source_that_fails_is_told_and_the_rest_is_kept(solved, monkeypatch):
    from unpuzzle.planners.clues import network_sources
    from unpuzzle.planners.clues.clue import SourceFailed

    asked = []

    def fails(self, address, query, absent=None):
        asked.append(address)
        raise SourceFailed("the server did not answer in time")

    monkeypatch.setattr(network_sources.Client, "get", fails)
    found = solved(CAT, "--planner", "clues:thesaurus=http://127.0.0.1:9")
    assert found["solution"] == "CAT/ODE/WET"
    assert "thesaurus was skipped: the server did not answer in time" in found["message"]
    assert len(asked) == 2  # and is then left alone
    assert "thesaurus" not in found["sources"]
    asked.clear()
    solved(CAT)
    assert asked == []  # unless it was asked for


def test_a_source_on_the_network_without_its_library_is_told(solved, monkeypatch):
    hide(monkeypatch, "httpx")
    asked = ("--planner", "clues:gcide,thesaurus")
    assert "thesaurus is left out: asking pages needs httpx: pip install" in solved(CAT, *asked)["message"]


def test_a_source_on_the_network_alone_needs_its_library(run, monkeypatch):
    hide(monkeypatch, "httpx")
    code, shown = run(CAT, "--planner", "clues:thesaurus")
    assert code == 4
    assert "no source of words is installed" in shown.err


def test_entries_that_point_to_each_other(solved):
    puzzle = {
        "grid": ["...##", "#####", "....."],
        "across": ["With 2-Across, a frozen treat", "See 1-Across"],
        "down": [],
    }
    found = solved(puzzle)
    assert found["links"] == {"1A": ["2A"], "2A": ["1A"]}
    assert (found["answers"]["1A"]["answer"], found["answers"]["2A"]["answer"]) == ("ICE", "CREAM")


def test_words_made_of_others_and_old_spellings(small_sources):
    sources = {source.name: source for source in Library().sources}
    made = sources["forms"].candidates(read_clue("To boil again"), 6)
    assert made.words[made.measures[:, 2].argmax()] == b"REBOIL"
    assert hash(read_clue("To boil again")) == hash(read_clue("To boil again"))
    made = sources["forms"].candidates(read_clue("One who dreams while awake"), 5)
    assert made.words[made.measures[:, 0].argmax()] == b"DOZER"
    like = sources["likeness"].candidates(read_clue("A theatre"), 7)
    theater = like.measures[like.measures[:, 3].argmax()]
    assert like.words[like.measures[:, 3].argmax()] == b"THEATER"
    assert theater[0] == pytest.approx(2 * 5 / 16)  # 5 of the 8 pairs, with those at the edges, are in both


def test_a_large_grid(solved):
    row, other = "..." * 7, "#.." * 7
    grid = [row if number % 2 else other for number in range(21)]
    across = sum(len(part) > 1 for line in grid for part in line.split("#"))
    columns = ["".join(line[column] for line in grid) for column in range(21)]
    down = sum(len(part) > 1 for line in columns for part in line.split("#"))
    found = solved({"grid": grid, "across": ["A beast"] * across, "down": ["A drink"] * down})
    assert [len(line) for line in found["solution"].split("/")] == [21] * 21


def test_the_time_limit_is_kept(small_sources, seconds_per_look, monkeypatch):
    position = translators.find("crossword-clues").parse(json.dumps(CAT))
    result = solve(position, limits=Limits(time=3))
    assert (result.status, result.message) == ("timeout", "the time limit was reached while looking for answers")
    monkeypatch.undo()


def test_where_time_is_short_the_last_clues_are_not_looked_up(small_sources, monkeypatch):
    monkeypatch.setattr("unpuzzle.planners.clues.work.FOR_CLUES", 0.0)
    position = translators.find("crossword-clues").parse(json.dumps(CAT))
    result = solve(position, limits=Limits(time=1000))
    assert result.status == "guessed"
    assert "the time limit was reached before the clues from 1A on were looked up" in result.message


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("wordent", "clues has no source or method 'wordent', did you mean 'wordnet'"),
        ("", "clues has no source or method ''"),
        ("csv", "clues:csv needs a file"),
        ("gcide=3", "'gcide' of clues takes no value"),
        ("thesaurus=ftp://x", "the address of thesaurus should begin with http:// or https://, not 'ftp://x'"),
    ],
)
def test_wrong_names_are_refused(config, message):
    with pytest.raises(UsageError, match=message.replace("?", r"\?")):
        registry.find(f"clues:{config}")


def test_settings():
    settings = settings_of("gcide,online,thesaurus=http://x,csv=a.csv,cp-sat")
    assert settings.sources == ("gcide",)
    assert settings.services == {"thesaurus": "http://x", "dictionary": None, "encyclopedia": None}
    assert (settings.file, settings.method) == ("a.csv", "cp-sat")
    assert settings_of(None).services == {}


def test_only_crosswords_with_clues_are_taken():
    hanoi = translators.find("hanoi")
    with pytest.raises(UsageError, match="planner 'clues' solves games made for clues, not hanoi"):
        solve(hanoi.parse(hanoi.levels["3"]), "clues")
    assert CluedSlot("1A", (0, 1), "x").cells == (0, 1)


def test_the_other_game_of_crosswords_reads_the_same_file(run, small_sources):
    ours, others = run(CAT, "--quiet"), run(CAT, "--quiet", game="crossword")
    assert ours == others == (3, ("CAT/ODE/WET\n", ours[1].err))


def test_a_guess_is_a_result_with_the_position_that_it_describes(small_sources):
    position = translators.find("crossword-clues").parse(json.dumps(CAT))
    result = solve(position)
    assert (result.status, result.solved, result.solution, result.start) == ("guessed", False, "CAT/ODE/WET", position)
    assert result.end.rows() == ["CAT", "ODE", "WET"]
    assert 0 < result.confidence <= 1
    assert result.moves is result.plan is result.valid is None


def test_where_no_source_is_missing_there_is_no_complaint(run, small_sources):
    code, shown = run(CAT, "--planner", "clues:gcide")
    assert (code, shown.err) == (3, "")


def test_what_is_proved_is_no_guess(tmp_path, capsys):
    assert main(["solve", "sudoku", "4x4", "--json"]) == 0
    assert "confidence" not in json.loads(capsys.readouterr().out)
    assert main(["solve", "sudoku", "4x4"]) == 0
    assert "guess" not in capsys.readouterr().out
