"""The settings of the planner `clues`, which follow `clues:` in its name and are separated by commas.

wordnet, gcide, words                   only these of the sources on this machine
csv=FILE                                a file of clues and answers, too
online                                  all sources on the network, too
thesaurus, dictionary, encyclopedia     only these of them; `thesaurus=http://...` is another address
belief, cp-sat                          the method of filling; `belief` is the default
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from unpuzzle.base.availability import EXTRAS, is_installed
from unpuzzle.base.availability import missing as missing_extra
from unpuzzle.base.errors import UsageError
from unpuzzle.base.text import suggestion
from unpuzzle.base.values import Record, field

INSTALL = f"{EXTRAS['words'].command()} && sudo apt-get install wordnet-base dict-gcide wamerican-large"
"""The command that installs all sources."""
METHODS = ("belief", "cp-sat")
SOURCES = {
    "gcide": "Webster's dictionary of 1913",
    "wordnet": "WordNet: glosses, synonyms, relatives",
    "words": "lists of words and their frequencies",
}
"""The sources on this machine, with their descriptions."""
ABSENT = {
    "gcide": "Webster's dictionary is not installed; install it with: sudo apt-get install dict-gcide",
    "wordnet": "WordNet is not installed; install it with: sudo apt-get install wordnet-base",
    "words": f"no list of words is installed; install one with: {INSTALL}",
}
"""By source, the message if its files are missing."""
FOLDERS: dict[str, Sequence[str]] = {
    "gcide": ("/usr/share/dictd", "/usr/local/share/dictd", "/opt/homebrew/share/dictd"),
    "wordnet": ("/usr/share/wordnet", "/usr/local/share/wordnet", "/opt/homebrew/opt/wordnet/dict"),
    "words": ("/usr/share/dict",),
}
"""By source, the folders where it may be."""
_LISTS = ("american-english-large", "american-english-huge", "american-english-insane", "american-english", "words")
FILES: Mapping[str, Sequence[Sequence[str]]] = {
    "gcide": [["gcide.dict.dz", "gcide.index"]],
    "wordnet": [[name % part for part in ("noun", "verb", "adj", "adv") for name in ("data.%s", "index.%s", "%s.exc")]],
    "words": [[name] for name in _LISTS],
}
"""By source, its files in such a folder; the first of several sets of files that is there is read."""
SERVICES = ("thesaurus", "dictionary", "encyclopedia")
ONLINE, CSV = "online", "csv"
KNOWN = (*SOURCES, CSV, ONLINE, *SERVICES, *METHODS)
USAGE = "[:wordnet,gcide,words,csv=FILE,online,cp-sat]"


class Settings(Record):
    """The settings of a run: sources on this computer, a file of clues, sources on the network, method of filling.

    `services` maps sources on the network to their addresses (None for the usual one); `method` is one of `METHODS`.
    """

    sources: tuple[str, ...] = tuple(SOURCES)
    file: str | None = None
    services: Mapping[str, str | None] = field(default_factory=dict)
    method: str = METHODS[0]


def settings_of(config: str | None) -> Settings:
    """Parse `config`, the part of the planner's name after `clues:`. Raises UsageError for a wrong setting."""
    sources, services, file, method = list[str](), dict[str, str | None](), None, METHODS[0]
    for item in () if config is None else config.split(","):
        name, equals, value = item.strip().partition("=")
        _require(name, value if equals else None)
        if name in SOURCES:
            sources.append(name)
        elif name == CSV:
            file = value
        elif name == ONLINE:
            services = {**dict.fromkeys(SERVICES), **services}
        elif name in SERVICES:
            services[name] = value or None
        else:
            method = name
    return Settings(tuple(sources or SOURCES), file, services, method)


def _require(name: str, value: str | None) -> None:
    """Raise UsageError for an unknown setting, and for a missing, superfluous or wrong value of a setting."""
    if name not in KNOWN:
        hint = suggestion(name, KNOWN) or f"; it must be one of {', '.join(KNOWN)}"
        raise UsageError(f"the planner clues has no source or method '{name}'{hint}")
    if name == CSV and not value:
        raise UsageError("clues:csv needs a file: clues:csv=FILE")
    if value is not None and name not in (CSV, *SERVICES):
        raise UsageError(f"'{name}' of clues takes no value: '{name}={value}'")
    if name in SERVICES and value is not None and not value.startswith(("http://", "https://")):
        raise UsageError(f"the address of {name} should begin with http:// or https://, not '{value}'")


def missing(name: str) -> str | None:
    """Return None if a source is installed, otherwise a sentence that says how to install it."""
    if sentence := missing_extra("words", f"reading {SOURCES[name].partition(':')[0]} needs", "numpy"):
        return sentence
    return None if files(name) or (name == "words" and is_installed("wordfreq")) else ABSENT[name]


def files(name: str) -> list[str]:
    """Return the paths of a source's files; an empty list if the source is not installed."""
    places = ([os.path.join(folder, file) for file in files] for files in FILES[name] for folder in FOLDERS[name])
    return next((paths for paths in places if all(map(os.path.exists, paths))), [])
