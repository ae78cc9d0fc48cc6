r"""The sources on this computer: two dictionaries and lists of words, as Debian installs them, and a file of clues.

GCIDE is Webster's dictionary of 1913 with later additions (`dict-gcide`); WordNet groups words by meaning
(`wordnet-base`). Lists of words (`wamerican-large`) get their frequencies from wordfreq. Your own clues and answers are
a CSV file, `answer,clue` or `clue,answer`, of any size: see `ClueFile`.

The indexes of all these are kept in the user's cache folder: see `load_or_build`.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import reduce
from hashlib import sha256
from itertools import chain
from math import log10
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import TypeVar
from zlib import crc32

import numpy as np

from unpuzzle.base.availability import is_installed, require
from unpuzzle.base.errors import ParseError, PlannerFailed
from unpuzzle.base.run import within_limits
from unpuzzle.planners.clues.clue import Array, Clue, Document, ScoredWords, WordSource, letters_of, raise_to, stems
from unpuzzle.planners.clues.dictionary import by_length

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
"""The digits in the file of headwords, whose numbers are in base 64."""
TAG = re.compile(
    r"\[[^\]\n]*(?:Webster|PJC|WordNet|Suppl|Century|GCIDE|RP|RDH|AS|MW\d*|Obs|R|Archaic|Colloq)[^\]\n]*\]"
)
PRONUNCIATION = re.compile(r"\\[^\\]*\\(?:\s*\([^()]*\))?,?")
SPEECH = re.compile(r"\b(n|v|a|adv|p|imp|pl|prep|interj|conj|pron)\.")
NUMBER = re.compile(r"^\s*(?:\d+\.|\([a-z]\))\s", re.MULTILINE)
QUOTATION = re.compile(r"\n {9,}.*(?:\n {9,}.*)*")
SYNONYMS = re.compile(r"\bSyns?:(.*?)(?=\n\s*\n|\Z)", re.DOTALL)
REFERENCE = re.compile(r"\{([^{}]*)\}")
PHRASE = re.compile(r"\n\s*\n\s+\{([^{}]+)\}")
NOTE = re.compile(r"\n\s*Note:.*?(?=\n\s*\n|\Z)", re.DOTALL)
FORMS = re.compile(r"\[(?:imp|p\. p|3d|[Cc]ompar|[Ss]uperl|pl)[^\]]*\]|\bpl\.[^;\[]*")
_KINDS = {"n": "n", "v": "v", "a": "a", "adv": "r", "p": "a", "imp": "v", "r": "r"}
"""By the name of a part of speech in one of the dictionaries, its name in `clue`."""
_MOST_RELATIVES = 30
MEASURES = ("listed", "frequent", "known")
"""The measures of a listed word: whether a list has it; its frequency, from 0 to 1; whether it has a frequency."""
_MOST_FREQUENT = 8.0
NEAREST = 60
"""The largest number of matching rows for a clue."""
ANSWER_NAMES, CLUE_NAMES = ("answer", "word", "solution"), ("clue", "question", "definition")
T = TypeVar("T")
FORMAT = 6
"""The version of the stored data; it must increase when their format changes."""
VARIABLE = "UNPUZZLE_CACHE"
CHECKSUMS = "checksums.json"
"""The file of an index with the checksum and the size of each other file."""
READ_AT_ONCE = 1 << 20
"""The number of bytes read from a file at a time."""


# GCIDE has senses by headword:
#
#     Lamp \Lamp\ (l[a^]mp), n. [F. lampe.]                  an article: headword, pronunciation, part of speech,
#        1. A vessel with a wick, for oil that burns; as, the  origin; then senses, which may be numbered
#           lamp of a miner.
#           [1913 Webster]                                     where it comes from
#                 The lamp of the sky.          --Anon.        a quotation, deeper indented
#        Syn: Lantern; light.                                  synonyms


def gcide_documents(paths: list[str]) -> Iterator[Document]:
    """Yield the documents of the dictionary GCIDE: its senses, each with the words that it defines."""
    content = gzip.decompress(Path(paths[0]).read_bytes())
    headwords: dict[tuple[int, int], list[str]] = {}  # by the place and the length of the article
    with open(paths[1], encoding="utf-8", errors="replace") as lines:
        for line in lines:
            parts = line.rstrip("\n").split("\t")
            if len(parts) >= 3 and not parts[0].startswith("00-"):
                headwords.setdefault((_number(parts[1]), _number(parts[2])), []).append(parts[0])
    for (start, size), names in headwords.items():
        yield from article(content[start : start + size].decode("utf-8", "replace"), names)


def _number(digits: str) -> int:
    return reduce(lambda value, digit: value * 64 + DIGITS.index(digit), digits, 0)


def article(text: str, names: list[str]) -> Iterator[Document]:
    """Yield the senses and the synonyms in an article of a dictionary, as documents."""
    words = tuple({letters_of(name) for name in names} - {""})
    if not words:
        return
    head, body = _head_and_body(text)
    speech = SPEECH.search(PRONUNCIATION.sub(" ", head))
    kind = _KINDS.get(speech[1], "") if speech else ""
    # Past tenses, participles, plurals and comparatives are in braces.
    braced = [letters_of(name) for stretch in FORMS.findall(head) for name in REFERENCE.findall(stretch)]
    forms = tuple(dict.fromkeys(filter(None, braced)))
    body = PHRASE.split(body)[0]
    synonyms = " ; ".join(SYNONYMS.findall(body))
    for sense in NUMBER.split(QUOTATION.sub("\n", TAG.sub(" ", NOTE.sub("\n", SYNONYMS.sub("\n", body))))):
        text = REFERENCE.sub(r"\1", sense if "\n\n" in sense.strip() else sense.split("--")[0]).strip()
        if text:
            yield Document(words, kind, text, forms=forms)
    for synonym in re.split(r"[;,.]", REFERENCE.sub(r"\1", TAG.sub(" ", synonyms))):
        if 0 < len(synonym.split()) <= 3:
            yield Document(words, kind, synonym, field="synonym", forms=forms)


def _head_and_body(text: str) -> tuple[str, str]:
    """Return an article's head, which ends where the first definition begins, and the rest of the article.

    The head ends where its brackets are closed and a line begins that is indented.
    """
    depth, in_article = 0, False
    for place, letter in enumerate(text):
        depth = max(depth + (letter in "[(") - (letter in "])"), 0)
        if in_article and depth == 0 and text[place : place + 2] == "\n ":
            return text[:place], text[place:]
        in_article = in_article or letter == "\\" or (letter in ".\n" and depth == 0)
    return "", text


# WordNet (G. Miller, 1995) has a line for each synset, a meaning with its words:
#
#     02121620 05 n 02 cat 0 true_cat 0 001 @ 02120997 n 0000 | feline mammal; "the cat purrs"
#
# That is its place in the file, two signs for its kind, its words after their number in base 16, pointers to other
# synsets after their number, such as `@` to more general ones, and the gloss. The gloss defines each of the words, each
# word is a synonym of the others, and more general or similar words are relatives.


Synset = tuple[list[str], str, list[tuple[str, str]]]
"""The words, the gloss, and pointers, pairs of a sign and another synset's key: its part of speech and its place."""


def wordnet_documents(paths: list[str]) -> Iterator[Document]:
    """Yield the documents of WordNet: its senses and synonyms, each with the words that it explains."""
    forms: dict[str, list[str]] = {}  # irregular plurals, past tenses and so on, by word
    synsets: dict[str, Synset] = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            if path.endswith(".exc"):
                for form, *words in map(str.split, file):
                    for word in words:
                        forms.setdefault(letters_of(word), []).append(letters_of(form))
            elif os.path.basename(path).startswith("data."):
                synsets |= [_synset(line) for line in within_limits(file) if not line.startswith(" ")]
    for key in synsets:
        yield from _documents_of(key, synsets, forms)


def _synset(line: str) -> tuple[str, Synset]:
    """Return the key and the synset (set of synonyms) that a line in a data file of WordNet describes."""
    columns, _, gloss = line.partition("|")
    place, _, kind, size, *fields = columns.split()
    kind, end = kind.replace("s", "a"), 2 * int(size, 16)  # `s` is an adjective similar to another
    names = [re.sub(r"\(.*", "", name).replace("_", " ") for name in fields[:end:2]]
    groups = zip(*[iter(fields[end + 1 : end + 1 + 4 * int(fields[end])])] * 4, strict=True)
    pointers = [(sign, other + place) for sign, place, other, words in groups if words == "0000"]  # of whole synsets
    return kind + place, (names, gloss, pointers)


def _documents_of(key: str, synsets: Mapping[str, Synset], forms: dict[str, list[str]]) -> Iterator[Document]:
    """Yield the documents about one synset of WordNet; `forms` are the irregular forms of words."""
    kind, (names, gloss, pointers) = _KINDS[key[0]], synsets[key]
    words = tuple(dict.fromkeys(word for name in names if (word := letters_of(name))))
    if not words:
        return
    inflected = tuple(form for word in words for form in forms.get(word, ()))
    definition = re.sub('".*?"', "", gloss).strip().strip("; ")
    yield Document(words, kind, re.sub(r"^\(.*?\)\s*", "", definition), forms=inflected)
    for name in names:
        if synonyms := tuple(word for word in words if word != letters_of(name)):
            yield Document(synonyms, kind, name, field="synonym")
    for parts in [name.split() for name in names if " " in name]:
        for place, part in enumerate(parts):  # `ice ___` asks for the word after `ice`
            word = letters_of(part)
            if len(word) > 1:
                yield Document((word,), "", " ".join([*parts[:place], *parts[place + 1 :]]), field="phrase")
    for example in re.findall('"([^"]*)"', gloss):
        yield Document(words, kind, example, field="phrase")
    above = sorted({other for sign, other in pointers if sign in ("@", "@i", "&", "#p")})  # general, similar, wholes
    below = sorted({other for sign, other in pointers if sign in ("~", "~i")})[:_MOST_RELATIVES]  # special
    for others in [*([other] for other in above), *([below] if below else [])]:
        relatives = ", ".join(name for other in others for name in synsets[other][0])
        yield Document(words, kind, relatives, field="relative")


DOCUMENTS = {"gcide": gcide_documents, "wordnet": wordnet_documents}
"""By dictionary, the function that yields its documents, given its files."""


class WordLists(WordSource):
    """A word source that lists all words of a length, with their frequencies in the language."""

    name: str = "words"
    measures: tuple[str, ...] = MEASURES

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        self.arrays = arrays

    def candidates(self, clue: Clue, length: int) -> ScoredWords:
        none = np.zeros((0, len(MEASURES)), np.float32)
        return ScoredWords(self.listing(length), self.arrays.get(f"measures{length}", none))


def word_arrays(paths: list[str]) -> dict[str, Array]:
    """Return, for each length, arrays of the words in some files and of their measures by wordfreq."""
    lines = chain.from_iterable(Path(path).read_text("utf-8", "replace").split("\n") for path in paths)
    in_lists = {letters_of(line.strip()) for line in lines if "'" not in line}
    often: dict[str, float] = {}
    if is_installed("wordfreq"):
        from wordfreq import get_frequency_dict

        for name, value in get_frequency_dict("en", "large").items():  # the Zipf frequency is at least 0
            raise_to(often, letters_of(name), log10(value) + 9)
    arrays: dict[str, Array] = {}
    for length, words in by_length(in_lists | often.keys()).items():
        arrays[f"words{length}"] = np.array([word.encode() for word in words])
        rows = [(word in in_lists, often.get(word, 0.0) / _MOST_FREQUENT, word in often) for word in words]
        arrays[f"measures{length}"] = np.array(rows, np.float32)
    return arrays


class ClueFile(WordSource):
    """A word source that searches a CSV file of clues and answers, indexed on disk; it ignores rows without an answer.

    The index is a table of SQLite's full-text search: it stays on disk, so that a million rows need little memory, and
    finds near matches, ranked by BM25 (S. Robertson, 1994).
    """

    name: str = "csv"
    measures: tuple[str, ...] = ("told",)

    def __init__(self, path: str) -> None:
        """Index a file of clues. Raises ParseError for a missing or empty file, PlannerFailed if saving fails."""
        self.path = path
        if not os.path.isfile(path):
            raise ParseError("this file of clues does not exist", file=path)
        self.database: sqlite3.Connection = load_or_build("csv", key_of([path]), self._build, _open)

    def _build(self, folder: str) -> None:
        """Write the index of the file into a folder, as an SQLite database."""
        with closing(sqlite3.connect(os.path.join(folder, "clues.sqlite"))) as database:
            database.execute("pragma cache_size = -20000")
            database.execute("create virtual table clues using fts5(stems, answer unindexed, length)")
            if database.executemany("insert into clues values (?, ?, ?)", _rows(self.path)).rowcount < 1:
                raise ParseError("no row of this file has an answer and a clue", file=self.path)
            database.execute("create table words as select distinct answer, length(answer) as length from clues")
            database.commit()

    def listing(self, length: int) -> Array:
        rows = self.database.execute("select answer from words where length = ? order by answer", (length,))
        return np.array([answer.encode() for (answer,) in rows], f"S{length}")

    def candidates(self, clue: Clue, length: int) -> ScoredWords:
        mine = set(clue.stems)
        scores: dict[str, float] = {}
        if mine:
            query = " OR ".join([f'"{stem}"' for stem in clue.stems])
            nearest = "select stems, answer from clues where clues match ? order by rank limit ?"
            for text, answer in self.database.execute(nearest, (f"stems : ({query}) AND length : n{length}", NEAREST)):
                theirs = set(text.split())
                like = 2 * len(mine & theirs) / (len(mine) + len(theirs))
                raise_to(scores, answer, like**2)
        return ScoredWords.of(scores, length)


def _open(folder: str) -> sqlite3.Connection:
    """Open the SQLite database that indexes a file of clues. Raises ValueError if it cannot be read."""
    path = os.path.join(folder, "clues.sqlite")
    try:
        database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        database.execute("select count(*) from clues limit 1")
    except sqlite3.Error as error:
        raise ValueError(str(error)) from None
    return database


def _rows(path: str) -> Iterator[tuple[str, str, str]]:
    """Yield the clue's stems, the answer, and a token for its length, for each row with an answer and a clue."""
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
    """Yield the records of a CSV file. Raises ParseError, with its first line, for a record that is too long."""
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
    """Return the indices of the columns of answers and clues, and whether the row `first` is a header."""
    names = [name.strip().lower() for name in first]
    answers = [place for place, name in enumerate(names) if name in ANSWER_NAMES]
    clues = [place for place, name in enumerate(names) if name in CLUE_NAMES]
    if answers and clues:
        return answers[0], clues[0], True
    is_clue_first = len(first) > 1 and len(first[0].split()) > len(first[1].split())
    return (1, 0, False) if is_clue_first else (0, 1, False)


# The store of indexes: each index is built once for a version of its input, in the user's cache folder.
#
# `$UNPUZZLE_CACHE` names another folder. An index is a folder `NAME-KEY`, where the key is a hash of its input: path,
# size and time of each file, and the version of this code. It is written to a temporary folder and renamed when
# complete, so two programs may build at once: the later one discards its own copy.
#
# Lost bytes on a disk cause wrong words without an error: so an index has a checksum of each of its files (CRC-32, as
# fast as reading), and a damaged index is built again.


def cache_folder() -> str:
    """Return unpuzzle's cache folder, which may not exist yet. Raises DependencyMissing without platformdirs."""
    if os.environ.get(VARIABLE):
        return os.environ[VARIABLE]
    require("words", "an index of words needs", "platformdirs")
    from platformdirs import user_cache_dir

    return user_cache_dir("unpuzzle", appauthor=False, opinion=False)


def key_of(paths: Sequence[str], *versions: str) -> str:
    """Return the key of input files: a hash of their paths, sizes and times, and of the texts `versions`."""
    files = [(os.path.abspath(path), os.stat(path)) for path in paths]
    lines = [f"{path} {status.st_size} {status.st_mtime_ns}" for path, status in files]
    return sha256("\n".join([str(FORMAT), *versions, *lines]).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def load_or_build(name: str, key: str, build: Callable[[str], None], load: Callable[[str], T]) -> T:
    """Return what `load` makes from a folder, after `build` has filled the folder if needed. Raises PlannerFailed."""
    cache = cache_folder()
    folder = os.path.join(cache, f"{name}-{key}")
    if os.path.isdir(folder):
        try:
            for file, checksum in json.loads(Path(folder, CHECKSUMS).read_text()).items():
                if _checksum(os.path.join(folder, file)) != checksum:
                    raise ValueError(f"{file} is damaged")
            return load(folder)
        except (OSError, ValueError, KeyError, EOFError):
            rmtree(folder, ignore_errors=True)  # damaged
    try:
        _build(folder, build)
        for other in Path(cache).glob(f"{name}-{'?' * len(key)}"):  # remove indexes of older inputs
            if other.name != os.path.basename(folder):
                rmtree(other, ignore_errors=True)
        return load(folder)
    except OSError as error:
        message = f"the index of {name} cannot be kept in {cache}: {error.strerror or error}"
        raise PlannerFailed(f"{message}; ${VARIABLE} may name another folder", planner="clues") from None


def _build(folder: str, build: Callable[[str], None]) -> None:
    """Let the function `build` fill a temporary folder, and rename this to `folder` when it is complete."""
    cache, name = os.path.split(folder)
    os.makedirs(cache, exist_ok=True)
    try:
        with TemporaryDirectory(prefix=f"{name}.", suffix=".part", dir=cache, ignore_cleanup_errors=True) as aside:
            build(aside)
            checksums = {name: _checksum(os.path.join(aside, name)) for name in sorted(os.listdir(aside))}
            Path(aside, CHECKSUMS).write_text(json.dumps(checksums))
            os.rename(aside, folder)
    except OSError:
        if not os.path.isdir(folder):  # else another program was sooner
            raise


def _checksum(path: str) -> list[int]:
    total = 0
    with open(path, "rb") as file:
        while piece := file.read(READ_AT_ONCE):
            total = crc32(piece, total)
        return [total, file.tell()]


def save_arrays(folder: str, arrays: Mapping[str, Array]) -> None:
    for name, array in arrays.items():
        np.save(os.path.join(folder, f"{name}.npy"), array)


def load_arrays(folder: str) -> dict[str, Array]:
    """Return the arrays in the files of a folder, mapped into memory. Raises OSError or ValueError if this fails."""
    loaded = {path.stem: np.load(path, mmap_mode="r") for path in sorted(Path(folder).glob("*.npy"))}
    return {name: array.view(np.ndarray) for name, array in loaded.items()}  # plain arrays, whose operations are faster
