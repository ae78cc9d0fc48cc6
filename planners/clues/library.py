"""The sources on this machine, opened at their first use; missing indexes are built then."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from types import ModuleType
from typing import TypeVar

from unpuzzle.errors import DependencyMissing
from unpuzzle.extras import is_installed
from unpuzzle.extras import missing as missing_extra
from unpuzzle.limits import ticked
from unpuzzle.planners.clues import store
from unpuzzle.planners.clues.index import Index, build
from unpuzzle.planners.clues.settings import INSTALL, SOURCES, Settings, missing
from unpuzzle.planners.clues.sources import gcide, wordnet, words
from unpuzzle.planners.clues.sources.client import Client
from unpuzzle.planners.clues.sources.csv_file import ClueFile
from unpuzzle.planners.clues.sources.dictionary import Dictionary
from unpuzzle.planners.clues.sources.forms import Forms
from unpuzzle.planners.clues.sources.likeness import Likeness
from unpuzzle.planners.clues.sources.services import Service
from unpuzzle.planners.clues.sources.source import Array, WordSource

T = TypeVar("T")


class Library:
    """The wanted sources that are available; `absent` gives the reasons for the others.

    `vocabulary` returns all words of a length, as sorted bytes.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        tell: Callable[[str], None] = lambda _: None,
        watch: Callable[[], None] = lambda: None,
    ) -> None:
        """Raises DependencyMissing if no source is available. `watch` is called often in long work, and may raise."""
        self.settings: Settings = Settings() if settings is None else settings
        reasons = {name: missing(name) for name in self.settings.sources}
        self.names: list[str] = [name for name, reason in reasons.items() if reason is None]
        self.absent: dict[str, str] = {name: reason for name, reason in reasons.items() if reason is not None}
        if not is_installed("numpy") or not (self.names or self.settings.file or self.settings.services):
            whys = set(self.absent.values())
            why = f": {whys.pop()}" if len(whys) == 1 else f"; get them with: {INSTALL}"
            raise DependencyMissing(f"no source of words is here{why}", dependency="clues")
        self._tell = tell
        self._watch = watch
        self.vocabulary: Callable[[int], Array] = cache(self._all_words)

    @cached_property
    def sources(self) -> list[WordSource]:
        """The sources, opened. Raises PlannerFailed if their indexes cannot be stored."""
        sources = [*self._listing, Forms(self.dictionaries, self.vocabulary), Likeness(self.vocabulary)]
        if self.settings.services and (sentence := missing_extra("words", "asking pages needs", "httpx")):
            self.absent.update(dict.fromkeys(self.settings.services, sentence))
        elif self.settings.services:
            client = Client(os.path.join(store.cache_folder(), "pages"))
            sources += [Service(name, client, address) for name, address in self.settings.services.items()]
        return sources

    @cached_property
    def dictionaries(self) -> list[Dictionary]:
        def index_of(name: str, reader: ModuleType) -> Index:
            paths = reader.files()

            def arrays() -> Mapping[str, Array]:
                return build(ticked(reader.documents(paths), self._watch)).arrays

            return self._built(name, store.key_of(paths), arrays, Index)

        readers = {"gcide": gcide, "wordnet": wordnet}
        return [Dictionary(name, index_of(name, reader)) for name, reader in readers.items() if name in self.names]

    @cached_property
    def _listing(self) -> list[WordSource]:
        """The sources that can list their words without a clue."""
        sources: list[WordSource] = [*self.dictionaries]
        if "words" in self.names:
            paths = words.files()
            key = store.key_of(paths, words.version())
            sources.append(self._built("words", key, lambda: words.arrays(paths, words.frequencies()), words.WordLists))
        if self.settings.file is not None:
            self._tell(f"reading {self.settings.file}")
            sources.append(ClueFile(self.settings.file))
        return sources

    def _all_words(self, length: int) -> Array:
        import numpy as np

        return np.unique(np.concatenate([np.zeros(0, f"S{length}"), *[one.listing(length) for one in self._listing]]))

    def _built(self, name: str, key: str, arrays: Callable[[], Mapping[str, Array]], load: Callable[..., T]) -> T:
        """Return an object of a class made from arrays, which are stored under a key."""

        def fill(folder: str) -> None:
            self._tell(f"reading {SOURCES[name]} (only this once)")
            store.save_arrays(folder, arrays())

        return store.load_or_build(name, key, fill, lambda folder: load(store.load_arrays(folder)))
