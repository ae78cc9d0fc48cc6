"""Pages: from the text of an answer to words with scores from 0 to 1. Plain functions, without any network.

    thesaurus      [{"word": "horse", "score": 1200, "tags": ["syn", "n"]}, ...]           as Datamuse answers
    dictionary     [{"word": ..., "meanings": [{"definitions": [{"definition": ...}], "synonyms": [...]}]}]
    encyclopedia   {"query": {"search": [{"title": ..., "snippet": "... <b>found</b> ..."}]}}     as MediaWiki answers

What has another shape is garbage: ValueError, with what was expected.
"""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

from unpuzzle.planners.clues.text import letters_of, words_of

Scores = dict[str, float]

SYNONYM, DEFINING, TITLE, SNIPPET = 1.0, 0.4, 0.8, 0.3
"""What a word is worth, by where it stands."""
HALF_AFTER = 15
"""The score of a list's entry falls to a half after so many others."""


def thesaurus(text: str) -> Scores:
    """Return words of like meaning, best first."""
    scores: Scores = {}
    for rank, entry in enumerate(_list(_json(text), "a list of words")):
        word = _object(entry, "a word with its score").get("word")
        if not isinstance(word, str):
            raise ValueError("an entry has no word")
        _raise(scores, word, SYNONYM * _by_rank(rank))
    return scores


def dictionary(text: str) -> Scores:
    """Return the synonyms that an entry lists, and the words that it is defined by."""
    scores: Scores = {}
    for entry in _list(_json(text), "a list of entries"):
        for meaning in _list(_object(entry, "an entry").get("meanings", []), "a list of meanings"):
            _of_meaning(_object(meaning, "a meaning"), scores)
    return scores


def _of_meaning(meaning: dict[str, Any], scores: Scores) -> None:
    entries = _list(meaning.get("definitions", []), "a list of definitions")
    definitions = [_object(entry, "a definition") for entry in entries]
    for holder in (meaning, *definitions):
        for word in _list(holder.get("synonyms", []), "a list of synonyms"):
            _raise(scores, str(word), SYNONYM)
    for definition in definitions:
        words = words_of(str(definition.get("definition", "")))
        for word in words:
            _raise(scores, word, DEFINING / max(1.0, len(words) / 4))


def encyclopedia(text: str) -> Scores:
    """Return the titles of the pages, the words of the titles, and the words around what was looked for."""
    query = _object(_object(_json(text), "an object").get("query", {}), "a query")
    scores: Scores = {}
    for rank, entry in enumerate(_list(query.get("search", []), "a list of pages")):
        page = _object(entry, "a page that was found")
        title = re.sub(r"\s*\(.*?\)\s*$", "", str(page.get("title", "")))
        snippet = unescape(re.sub(r"<[^>]*>", "", str(page.get("snippet", ""))))
        _raise(scores, title, TITLE * _by_rank(rank))
        for word in words_of(title):
            _raise(scores, word, TITLE * 0.7 * _by_rank(rank))
        for word in words_of(snippet):
            _raise(scores, word, SNIPPET * _by_rank(rank))
    return scores


def _by_rank(rank: int) -> float:
    return 1.0 / (1 + rank / HALF_AFTER)


def _raise(scores: Scores, text: str, score: float) -> None:
    word = letters_of(text)
    if len(word) > 1:
        scores[word] = max(scores.get(word, 0.0), score)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("its answer is not JSON") from None


def _list(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError(f"its answer should have {what}")
    return value


def _object(value: Any, what: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"its answer should have {what}")
    return value
