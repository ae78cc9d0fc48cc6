"""Library: the sources that are here, opened; what they need is built when it is first asked for."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING

from unpuzzle.errors import DependencyMissing
from unpuzzle.limits import ticked
from unpuzzle.planners.clues import store
from unpuzzle.planners.clues.settings import INSTALL, SOURCES, Settings

if TYPE_CHECKING:
    from unpuzzle.planners.clues.index import Index
    from unpuzzle.planners.clues.sources.dictionary import Dictionary
    from unpuzzle.planners.clues.sources.source import Array, Source


def missing(name: str) -> str | None:
    """Return None if a source can be read here, else a sentence that says how to get it."""
    if find_spec("numpy") is None:
        return f"numpy is not installed; get it with: {INSTALL}"
    if name == "wordnet":
        from unpuzzle.planners.clues.sources import wordnet

        if find_spec("nltk") is None:
            return f"nltk, which reads WordNet, is not installed; get it with: {INSTALL}"
        return None if wordnet.files() else "WordNet is not here; get it with: sudo apt-get install wordnet-base"
    if name == "gcide":
        from unpuzzle.planners.clues.sources import gcide

        absent = "Webster's dictionary is not here; get it with: sudo apt-get install dict-gcide"
        return None if gcide.files() else absent
    from unpuzzle.planners.clues.sources import words

    if words.files() or find_spec("wordfreq") is not None:
        return None
    return f"there is no list of words; get one with: {INSTALL}"


class Library:
    """The sources that are asked for and here.

    Attributes:
        names: of those on this machine.
        absent: of those that are asked for and not here, why.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        tell: Callable[[str], None] = lambda _: None,
        watch: Callable[[], None] = lambda: None,
    ) -> None:
        """Raises DependencyMissing where none is here. `watch` is called often where much is read, and may raise."""
        self.settings: Settings = Settings() if settings is None else settings
        reasons = {name: missing(name) for name in self.settings.sources}
        self.names: list[str] = [name for name, reason in reasons.items() if reason is None]
        self.absent: dict[str, str] = {name: reason for name, reason in reasons.items() if reason is not None}
        if find_spec("numpy") is None or not (self.names or self.settings.file or self.settings.services):
            whys = dict.fromkeys(self.absent.values())
            raise DependencyMissing(f"no source of words is here: {'; '.join(whys)}", dependency="clues")
        self._tell = tell
        self._watch = watch
        self._vocabulary: dict[int, Array] = {}

    @cached_property
    def sources(self) -> list[Source]:
        """The sources, opened. Raises PlannerFailed where their indexes cannot be kept."""
        from unpuzzle.planners.clues.sources.forms import Forms
        from unpuzzle.planners.clues.sources.likeness import Likeness

        derived = [Forms(self.dictionaries, self.vocabulary), Likeness(self.vocabulary)]
        return [*self._listing, *derived, *self._services()]

    def _services(self) -> list[Source]:
        if not self.settings.services:
            return []
        from unpuzzle.planners.clues.sources.online.client import Client
        from unpuzzle.planners.clues.sources.online.services import Service

        client = Client(os.path.join(store.cache_folder(), "pages"))
        services = [Service(name, client, address) for name, address in self.settings.services.items()]
        self.absent.update({service.name: reason for service in services if (reason := service.missing()) is not None})
        return [service for service in services if service.name not in self.absent]

    @cached_property
    def dictionaries(self) -> list[Dictionary]:
        from unpuzzle.planners.clues.sources.dictionary import Dictionary

        return [Dictionary(name, self._index(name)) for name in ("gcide", "wordnet") if name in self.names]

    @cached_property
    def _listing(self) -> list[Source]:
        """The sources that can list their words without a clue."""
        sources: list[Source] = [*self.dictionaries, *([self._words()] if "words" in self.names else [])]
        if self.settings.file is not None:
            from unpuzzle.planners.clues.sources.csv_file import ClueFile

            self._tell(f"reading {self.settings.file}")
            sources.append(ClueFile(self.settings.file))
        return sources

    def vocabulary(self, length: int) -> Array:
        """Return all words of a length, as sorted bytes."""
        import numpy as np

        if length not in self._vocabulary:
            lists = [source.listing(length) for source in self._listing]
            self._vocabulary[length] = np.unique(np.concatenate([np.zeros(0, f"S{length}"), *lists]))
        return self._vocabulary[length]

    def _index(self, name: str) -> Index:
        from unpuzzle.planners.clues.index import Index, build
        from unpuzzle.planners.clues.sources import gcide, wordnet

        reader = {"gcide": gcide, "wordnet": wordnet}[name]
        paths = reader.files()

        def fill(folder: str) -> None:
            self._tell(f"reading {SOURCES[name]} (only this once)")
            store.save_arrays(folder, build(ticked(reader.documents(paths), self._watch)).arrays)

        return store.load_or_build(name, store.key_of(paths), fill, lambda folder: Index(store.load_arrays(folder)))

    def _words(self) -> Source:
        from unpuzzle.planners.clues.sources import words

        paths = words.files()

        def fill(folder: str) -> None:
            self._tell(f"reading {SOURCES['words']} (only this once)")
            store.save_arrays(folder, words.arrays(paths, words.frequencies()))

        key = store.key_of(paths, words.version())
        return store.load_or_build("words", key, fill, lambda folder: words.Words(store.load_arrays(folder)))
