"""Small sources of our own in place of the installed ones, and a cache that is not the user's."""

from __future__ import annotations

import gzip

import pytest

from support.hiding import hide

pytest.importorskip("numpy", reason="the extra `words` is not installed")

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
ARTICLES = {
    "Cat": "Cat \\Cat\\ (k[a^]t), n. [AS. cat.]\n   1. An animal that purrs and catches mice.\n      [1913 Webster]\n\n"
    "            A cat may look at a king.      --Heywood.\n\n   2. A whip with nine lashes; a scourge.\n\n"
    "   Syn: Puss; grimalkin.\n",
    "Ode": "Ode \\Ode\\, n.\n   A short poem that is sung; a lyric.\n   [1913 Webster]\n",
    "Wet": "Wet \\Wet\\, a. [Compar. {Wetter}; superl. {Wettest}.]\n   Not dry; soaked with water.\n",
    "Cow": "Cow \\Cow\\, n.; pl. {Cows} (kouz).\n   A beast that gives milk and says moo.\n",
    "Ade": "Ade \\Ade\\, n.\n   A drink of fruit; a sweet thing.\n",
    "Tet": "Tet \\Tet\\, n.\n   The new year of Vietnam.\n",
    "Doze": "Doze \\Doze\\, v. i. [imp. & p. p. {Dozed}.]\n   To sleep lightly; to dream while awake.\n",
    "Boil": "Boil \\Boil\\, v. t. [imp. & p. p. {Boiled}.]\n   To heat water until it bubbles.\n",
    "Jail": "Jail \\Jail\\, n.\n   A place where thieves are confined; a prison.\n",
    "Gaol": "Gaol \\Gaol\\, n.\n   See {Jail}.\n   [1913 Webster]\n",
    "Ice cream": "Ice cream \\Ice cream\\, n.\n   A frozen treat of summer, sweet and cold.\n",
}
WORDS = "cat ode wet cow ade tet doze dozer boil reboil dog cats ice cream theatre theater it at to do we te".split()


def number(value):
    digits = ""
    while value or not digits:
        digits, value = DIGITS[value % 64] + digits, value // 64
    return digits


def write_gcide(folder, articles):
    """A dictionary in the format of dictd."""
    content, lines = b"", []
    for name, text in sorted(articles.items()):
        data = text.encode()
        lines.append(f"{name.lower()}\t{number(len(content))}\t{number(len(data))}\n")
        content += data
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "gcide.dict.dz").write_bytes(gzip.compress(content))
    (folder / "gcide.index").write_text("".join(lines))


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """A cache of each test's own."""
    folder = tmp_path / "cache"
    monkeypatch.setenv("UNPUZZLE_CACHE", str(folder))
    return folder


@pytest.fixture(autouse=True)
def no_sources(monkeypatch):
    """Nothing that is installed is used."""
    from unpuzzle.planners.clues import settings

    monkeypatch.setattr(settings, "FOLDERS", {"gcide": (), "wordnet": (), "words": ()})
    hide(monkeypatch, "wordfreq")


@pytest.fixture
def small_sources(tmp_path, monkeypatch, no_sources):
    """A dictionary of a dozen words and a list of two dozen."""
    from unpuzzle.planners.clues import settings

    write_gcide(tmp_path / "dictd", ARTICLES)
    (tmp_path / "dict").mkdir()
    (tmp_path / "dict" / "american-english-large").write_text("\n".join([*WORDS, "o'clock", "1st"]) + "\n")
    monkeypatch.setitem(settings.FOLDERS, "gcide", (str(tmp_path / "dictd"),))
    monkeypatch.setitem(settings.FOLDERS, "words", (str(tmp_path / "dict"),))
    return tmp_path
