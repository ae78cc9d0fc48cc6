"""WordNet (G. Miller, 1995), in the form of Debian's `wordnet-base`, read with nltk.

A synset is a meaning with its words. Its gloss defines each of these words, each of them is a synonym of the others,
and more general or similar words are relatives.

nltk wants a file `lexnames`, the numbers of the files that lexicographers wrote, which Debian leaves out. So it gets a
folder with `lexnames` and copies of Debian's files (copies, since nltk follows no links out of a folder).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any
from warnings import catch_warnings, simplefilter

from unpuzzle.planners.clues.signals import Document, letters_of

FOLDERS = ("/usr/share/wordnet", "/usr/local/share/wordnet", "/opt/homebrew/opt/wordnet/dict")
PARTS = ("noun", "verb", "adj", "adv")
LEXNAMES = os.path.join(os.path.dirname(__file__), "lexnames.txt")
"""The file that is missing in Debian."""
_KINDS = {"n": "n", "v": "v", "a": "a", "s": "a", "r": "r"}
_MOST_RELATIVES = 30


def files() -> list[str]:
    """Return WordNet's files; none if it is not installed."""
    for folder in FOLDERS:
        names = [f"{kind}.{part}" for part in PARTS for kind in ("data", "index")]
        paths = [os.path.join(folder, name) for name in (*names, *(f"{part}.exc" for part in PARTS))]
        if all(os.path.exists(path) for path in paths[: len(names)]):
            return [path for path in paths if os.path.exists(path)]
    return []


def documents(paths: list[str]) -> Iterator[Document]:
    """Yield the documents about WordNet's words."""
    forms: dict[str, list[str]] = {}  # irregular plurals, past tenses and so on, by word
    for path in paths:
        if path.endswith(".exc"):
            with open(path, encoding="utf-8") as file:
                for form, *words in map(str.split, file):
                    for word in words:
                        forms.setdefault(letters_of(word), []).append(letters_of(form))
    with _reader(paths) as reader:
        for part in "nvar":
            for synset in reader.all_synsets(part):
                yield from _documents_of(synset, forms)


@contextmanager
def _reader(paths: list[str]) -> Iterator[Any]:
    """Open nltk's reader on a folder with WordNet's files and the missing one."""
    from nltk import data
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    with TemporaryDirectory(prefix="unpuzzle-wordnet-") as folder, catch_warnings():
        simplefilter("ignore")  # the warning about missing languages
        for path in paths:
            copyfile(path, os.path.join(folder, os.path.basename(path)))
        copyfile(LEXNAMES, os.path.join(folder, "lexnames"))
        data.path.append(folder)  # nltk reads only inside its data folders
        # `map_wn` relates versions of WordNet for other languages, and needs nltk's own copy.
        try:
            yield type("Reader", (WordNetCorpusReader,), {"map_wn": lambda *_: None})(folder, None)
        finally:
            data.path.remove(folder)


def _documents_of(synset: Any, forms: dict[str, list[str]]) -> Iterator[Document]:
    kind = _KINDS[synset.pos()]
    names = [name.replace("_", " ") for name in synset.lemma_names()]
    words = tuple(dict.fromkeys(word for name in names if (word := letters_of(name))))
    if not words:
        return
    inflected = tuple(form for word in words for form in forms.get(word, ()))
    yield Document(words, kind, re.sub(r"^\(.*?\)\s*", "", synset.definition()), forms=inflected)
    for name in names:
        others = tuple(word for word in words if word != letters_of(name))
        if others:
            yield Document(others, kind, name, field="synonym")
    for parts in [name.split() for name in names if " " in name]:
        for place, part in enumerate(parts):  # `ice ___` asks for the word after `ice`
            word = letters_of(part)
            if len(word) > 1:
                yield Document((word,), "", " ".join([*parts[:place], *parts[place + 1 :]]), field="phrase")
    for example in synset.examples():
        yield Document(words, kind, example, field="phrase")
    for above in (*synset.hypernyms(), *synset.instance_hypernyms(), *synset.similar_tos(), *synset.part_holonyms()):
        yield Document(words, kind, ", ".join(above.lemma_names()).replace("_", " "), field="relative")
    below = (*synset.hyponyms(), *synset.instance_hyponyms())[:_MOST_RELATIVES]
    if below:
        text = ", ".join(name for one in below for name in one.lemma_names())
        yield Document(words, kind, text.replace("_", " "), field="relative")
