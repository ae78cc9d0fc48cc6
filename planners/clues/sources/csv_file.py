"""Your own clues and answers: a CSV file, `answer,clue` or `clue,answer`, of any size, indexed on disk.

The index is a table of SQLite's full-text search: it stays on disk, so that a million rows need little memory, and
finds near matches, ranked by BM25 (S. Robertson, 1994). Rows without an answer are left out.
"""

from __future__ import annotations

import csv
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import chain

import numpy as np

from unpuzzle.base.errors import ParseError
from unpuzzle.planners.clues import store
from unpuzzle.planners.clues.signals import Clue, letters_of, raise_to, stems
from unpuzzle.planners.clues.sources.source import Array, ScoredWords, WordSource

NEAREST = 60
"""The largest number of matching rows for a clue."""
AT_ONCE = 10_000
"""The number of rows written at a time."""
ANSWER_NAMES, CLUE_NAMES = ("answer", "word", "solution"), ("clue", "question", "definition")


class ClueFile(WordSource):
    """A word source that reads a CSV file of clues and answers."""

    name: str = "csv"
    measures: tuple[str, ...] = ("told",)

    def __init__(self, path: str) -> None:
        """Index the file. Raises ParseError if it is missing or has no clues, PlannerFailed if there is no cache."""
        self.path = path
        if not os.path.isfile(path):
            raise ParseError("there is no such file of clues", file=path)
        self.database: sqlite3.Connection = store.load_or_build("csv", store.key_of([path]), self._build, _open)

    def _build(self, folder: str) -> None:
        with closing(sqlite3.connect(os.path.join(folder, "clues.sqlite"))) as database:
            database.execute("create virtual table clues using fts5(stems, answer unindexed, length)")
            columns = "length integer, answer text, primary key (length, answer)"
            database.execute(f"create table words ({columns}) without rowid")
            database.execute("pragma cache_size = -20000")
            rows = _rows(self.path)
            number = 0
            while piece := [row for row, _ in zip(rows, range(AT_ONCE), strict=False)]:
                database.executemany("insert into clues values (?, ?, ?)", piece)
                words = [(len(answer), answer) for _, answer, _ in piece]
                database.executemany("insert or ignore into words values (?, ?)", words)
                number += len(piece)
            if not number:
                raise ParseError("no row of this file has an answer and a clue", file=self.path)
            database.commit()

    def listing(self, length: int) -> Array:
        rows = self.database.execute("select answer from words where length = ? order by answer", (length,))
        return np.array([answer.encode() for (answer,) in rows], f"S{length}")

    def candidates(self, clue: Clue, length: int) -> ScoredWords:
        stems_of_clue = set(clue.stems)
        scores: dict[str, float] = {}
        for text, answer in self._nearest(clue, length) if stems_of_clue else ():
            other_stems = set(text.split())
            like = 2 * len(stems_of_clue & other_stems) / (len(stems_of_clue) + len(other_stems))
            raise_to(scores, answer, like**2)
        return ScoredWords.of(scores, length)

    def _nearest(self, clue: Clue, length: int) -> list[tuple[str, str]]:
        query = " OR ".join(f'"{stem}"' for stem in clue.stems)
        nearest: list[tuple[str, str]] = self.database.execute(
            "select stems, answer from clues where clues match ? order by rank limit ?",
            (f"stems : ({query}) AND length : n{length}", NEAREST),
        ).fetchall()
        return nearest


def _open(folder: str) -> sqlite3.Connection:
    path = os.path.join(folder, "clues.sqlite")
    try:
        database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        database.execute("select count(*) from clues limit 1")
    except sqlite3.Error as error:
        raise ValueError(str(error)) from None
    return database


def _rows(path: str) -> Iterator[tuple[str, str, str]]:
    """Yield, for each row with an answer and a clue, the clue's stems, the answer, and a token for its length."""
    with open(path, encoding="utf-8-sig", errors="replace", newline="") as file:
        reader = _records(path, file)
        first = next(reader, [])
        answer, clue, is_head = _columns(first)
        for row in reader if is_head else chain([first], reader):
            if len(row) > max(answer, clue):
                word, stems_of_clue = letters_of(row[answer]), stems(row[clue])
                if len(word) > 1 and stems_of_clue:
                    yield " ".join(dict.fromkeys(stems_of_clue)), word, f"n{len(word)}"


def _records(path: str, lines: Iterator[str]) -> Iterator[list[str]]:
    """Yield the records of a CSV file. Raises ParseError, at the first line of a record, if the record is too long."""
    reader, start = csv.reader(line.replace("\0", "") for line in lines), 1
    try:
        for record in reader:
            yield record
            start = reader.line_num + 1
    except csv.Error as error:
        longest = csv.field_size_limit()
        sentence = f"this field has more than {longest:,} characters: is a quotation mark never closed?"
        message = sentence if "field limit" in str(error) else f"this is not CSV: {error}"
        raise ParseError(message, file=path, line=start) from None


def _columns(first: list[str]) -> tuple[int, int, bool]:
    """Return the columns of answer and clue, and whether `first` is a header; if not, the field that is one word is the
    answer.
    """
    names = [name.strip().lower() for name in first]
    answers = [place for place, name in enumerate(names) if name in ANSWER_NAMES]
    clues = [place for place, name in enumerate(names) if name in CLUE_NAMES]
    if answers and clues:
        return answers[0], clues[0], True
    if len(first) > 1 and len(first[0].split()) > len(first[1].split()):
        return 1, 0, False
    return 0, 1, False
