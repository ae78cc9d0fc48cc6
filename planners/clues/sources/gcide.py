r"""Webster's dictionary of 1913 with later additions (GCIDE), in the form of Debian's `dict-gcide`: senses by headword.

Lamp \Lamp\ (l[a^]mp), n. [F. lampe.]                  an article: headword, pronunciation, part of speech,
   1. A vessel with a wick, for oil that burns; as, the  origin; then senses, which may be numbered
      lamp of a miner.
      [1913 Webster]                                     where it comes from
            The lamp of the sky.          --Anon.        a quotation, deeper indented
   Syn: Lantern; light.                                  synonyms
"""

from __future__ import annotations

import gzip
import os
import re
from collections.abc import Iterator
from functools import reduce

from unpuzzle.planners.clues.signals import Document, letters_of

FOLDERS = ("/usr/share/dictd", "/usr/local/share/dictd", "/opt/homebrew/share/dictd")
FILES = ("gcide.dict.dz", "gcide.index")
DIGITS = {digit: n for n, digit in enumerate("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")}
"""The values of the digits in the file of headwords, whose numbers are in base 64."""

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
_KINDS = {"n": "n", "v": "v", "a": "a", "adv": "r", "p": "a", "imp": "v"}


def files() -> list[str]:
    """Return the two files of the dictionary; none if it is not installed."""
    for folder in FOLDERS:
        paths = [os.path.join(folder, name) for name in FILES]
        if all(map(os.path.exists, paths)):
            return paths
    return []


def documents(paths: list[str]) -> Iterator[Document]:
    """Yield the documents about the headwords of the dictionary."""
    with gzip.open(paths[0], "rb") as file:
        content = file.read()
    headwords: dict[tuple[int, int], list[str]] = {}  # by the place and the length of the article
    with open(paths[1], encoding="utf-8", errors="replace") as lines:
        for line in lines:
            parts = line.rstrip("\n").split("\t")
            if len(parts) >= 3 and not parts[0].startswith("00-"):
                headwords.setdefault((_number(parts[1]), _number(parts[2])), []).append(parts[0])
    for (start, size), names in headwords.items():
        yield from article(content[start : start + size].decode("utf-8", "replace"), names)


def _number(digits: str) -> int:
    return reduce(lambda value, digit: value * 64 + DIGITS[digit], digits, 0)


def article(text: str, names: list[str]) -> Iterator[Document]:
    """Yield the senses and the synonyms of one article."""
    words = tuple({letters_of(name) for name in names} - {""})
    if not words:
        return
    head, body = _head_and_body(text)
    speech = SPEECH.search(PRONUNCIATION.sub(" ", head))
    kind = _KINDS.get(speech.group(1), "") if speech else ""
    # Past tenses, participles, plurals and comparatives are in braces.
    braced = [letters_of(name) for stretch in FORMS.findall(head) for name in REFERENCE.findall(stretch)]
    forms = tuple(dict.fromkeys(filter(None, braced)))
    body = PHRASE.split(body)[0]
    synonyms = " ; ".join(SYNONYMS.findall(body))
    body = NOTE.sub("\n", SYNONYMS.sub("\n", body))
    body = QUOTATION.sub("\n", TAG.sub(" ", body))
    for sense in NUMBER.split(body):
        text_of_sense = sense.split("--")[0] if "\n\n" not in sense.strip() else sense
        text_of_sense = REFERENCE.sub(r"\1", text_of_sense).strip()
        if text_of_sense:
            yield Document(words, kind, text_of_sense, forms=forms)
    for synonym in re.split(r"[;,.]", REFERENCE.sub(r"\1", TAG.sub(" ", synonyms))):
        if 0 < len(synonym.split()) <= 3:
            yield Document(words, kind, synonym, field="synonym", forms=forms)


def _head_and_body(text: str) -> tuple[str, str]:
    """Return the article up to its first definition, and the rest.

    The head ends where its brackets are closed and a line begins that is indented.
    """
    depth, in_article = 0, False
    for place, letter in enumerate(text):
        if letter in "[(":
            depth += 1
        elif letter in "])":
            depth = max(depth - 1, 0)
        elif letter == "\n" and text[place + 1 : place + 2] == " " and depth == 0 and in_article:
            return text[:place], text[place:]
        elif letter == "\n" and depth == 0:
            in_article = True
        in_article = in_article or (letter == "." and depth == 0) or letter == "\\"
    return text[:0], text
