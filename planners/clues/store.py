"""The store of indexes: each index is built once for a version of its input, in the user's cache folder.

`$UNPUZZLE_CACHE` names another folder. An index is a folder `NAME-KEY`, where the key is a hash of its input: path,
size and time of each file, and the version of this code. It is written to a temporary folder and renamed when complete,
so two programs may build at once: the later one discards its own copy.

Lost bytes on a disk cause wrong words without an error: so an index has a checksum of each of its files (CRC-32, as
fast as reading), and a damaged index is built again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, TypeVar
from zlib import crc32

from unpuzzle.base.availability import require
from unpuzzle.base.errors import PlannerFailed

if TYPE_CHECKING:
    from numpy.typing import NDArray


T = TypeVar("T")

FORMAT = 4
"""The version of the stored data; it must increase when their format changes."""
VARIABLE = "UNPUZZLE_CACHE"
CHECKSUMS = "checksums"
"""The file of an index with a line for each other file: checksum, size, name."""
END = "end\n"
AT_ONCE = 1 << 20
"""The number of bytes read from a file at a time."""


def cache_folder() -> str:
    """Return the cache folder of this program, at the usual place of the system; the folder need not exist.

    Raises DependencyMissing without platformdirs.
    """
    if os.environ.get(VARIABLE):
        return os.environ[VARIABLE]
    require("words", "an index of words needs", "platformdirs")
    from platformdirs import user_cache_dir

    return user_cache_dir("unpuzzle", appauthor=False, opinion=False)


def key_of(paths: Sequence[str], *versions: str) -> str:
    """Return the key of input files: a hash of their paths, sizes and times, and of `versions`."""
    files = [(os.path.abspath(path), os.stat(path)) for path in paths]
    lines = [f"{path} {status.st_size} {status.st_mtime_ns}" for path, status in files]
    return sha256("\n".join([str(FORMAT), *versions, *lines]).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def load_or_build(name: str, key: str, build: Callable[[str], None], load: Callable[[str], T]) -> T:
    """Return the object that `load` makes from a folder filled by `build`. Raises PlannerFailed if this fails."""
    folder = os.path.join(cache_folder(), f"{name}-{key}")
    if os.path.isdir(folder):
        try:
            require_whole(folder)
            return load(folder)
        except (OSError, ValueError, KeyError, EOFError):
            rmtree(folder, ignore_errors=True)  # damaged
    try:
        _build(folder, build)
        for other in os.listdir(os.path.dirname(folder)):  # remove indexes of older inputs
            stem, dash, old_key = other.rpartition("-")
            if dash and stem == name and old_key != key and len(old_key) == 16:
                rmtree(os.path.join(os.path.dirname(folder), other), ignore_errors=True)
        return load(folder)
    except OSError as error:
        message = f"the index of {name} cannot be kept in {os.path.dirname(folder)}: {error.strerror or error}"
        raise PlannerFailed(f"{message}; ${VARIABLE} may name another folder", planner="clues") from None


def _build(folder: str, build: Callable[[str], None]) -> None:
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    aside = mkdtemp(prefix=os.path.basename(folder) + ".", suffix=".part", dir=os.path.dirname(folder))
    try:
        build(aside)
        lines = [f"{_checksum(os.path.join(aside, name))} {name}\n" for name in sorted(os.listdir(aside))]
        with open(os.path.join(aside, CHECKSUMS), "w", encoding="utf-8") as file:
            file.writelines([*lines, END])
        os.rename(aside, folder)
    except OSError:
        rmtree(aside, ignore_errors=True)
        if not os.path.isdir(folder):
            raise
    except BaseException:
        rmtree(aside, ignore_errors=True)
        raise


def require_whole(folder: str) -> None:
    """Raise ValueError if a file of an index has changed, and OSError if a file is missing."""
    with open(os.path.join(folder, CHECKSUMS), encoding="utf-8") as file:
        *lines, end = file.readlines() or [""]
    for line in lines:
        checksum, _, name = line.rstrip("\n").rpartition(" ")
        if _checksum(os.path.join(folder, name)) != checksum:
            raise ValueError(f"{name} is damaged")
    if end != END:
        raise ValueError(f"{CHECKSUMS} is damaged")


def _checksum(path: str) -> str:
    total = 0
    with open(path, "rb") as file:
        while piece := file.read(AT_ONCE):
            total = crc32(piece, total)
        return f"{total:08x} {file.tell()}"


def save_arrays(folder: str, arrays: Mapping[str, NDArray[Any]]) -> None:
    import numpy as np

    for name, array in arrays.items():
        np.save(os.path.join(folder, f"{name}.npy"), array)


def load_arrays(folder: str) -> dict[str, NDArray[Any]]:
    """Return the arrays of a folder, mapped into memory. Raises OSError or ValueError if this fails."""
    import numpy as np

    names = [name.removesuffix(".npy") for name in sorted(os.listdir(folder)) if name.endswith(".npy")]
    loaded = {name: np.load(os.path.join(folder, f"{name}.npy"), mmap_mode="r") for name in names}
    return {name: array.view(np.ndarray) for name, array in loaded.items()}  # plain arrays, whose operations are faster
