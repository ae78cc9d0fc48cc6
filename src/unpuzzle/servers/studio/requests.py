"""The page's requests and their answers; everything except pages and files is JSON sent by POST.

files open save new      of the folder          edit          a text has changed; answers come as events
play step graph plan     of a level             like stop     levels like one; the end of the studio
export                   of a text or a level
"""

from __future__ import annotations

import asyncio
import json
import os
from base64 import b64decode
from collections.abc import Awaitable, Callable, Mapping
from importlib.metadata import distribution
from importlib.util import find_spec
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from unpuzzle.base.errors import UsageError
from unpuzzle.pddl.writer import write
from unpuzzle.processes.pool import SLOW
from unpuzzle.servers.studio.folder import ConflictError, Folder, TextFile
from unpuzzle.servers.studio.windows import JUDGING, MAKING, Streams, Windows
from unpuzzle.translators import bundled_files, find, names
from unpuzzle.workspace.kinds import PYTHON, puzzle_named_by

Data = dict[str, Any]
PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "page")
FILES = {"": "studio.html", **{name: name for name in sorted(os.listdir(PAGE)) if name.endswith((".js", ".css"))}}
ASKED = {
    "play": (JUDGING, "play", {}),
    "step": (JUDGING, "step", {}),
    "graph": (MAKING, "graph", {"lane": SLOW, "urgency": 1}),
    "plan": (MAKING, "plan", {"lane": SLOW, "urgency": 1}),
    "export": (MAKING, "export", {"lane": SLOW, "urgency": 1, "seconds": 60.0}),
}
"""By request, the module and function of its job, and its settings."""
TYPES: Mapping[str, tuple[Any, str]] = {
    **dict.fromkeys(("path", "text", "window", "puzzle", "level", "chosen", "beginning", "base"), (str, "a text")),
    **dict.fromkeys(("kind", "word", "key", "title", "author"), (str, "a text")),
    **dict.fromkeys(("cost", "seed", "revision", "turn", "step"), (int, "a whole number up to 2^53")),
    **dict.fromkeys(("debug", "cover", "solutions"), (bool, "true or false")),
    "rules": (bool | str, "true, false or a text"),
    "moves": (list, "a list of texts"),
    "unsaved": (dict, "an object of texts, by path"),
}
"""By field of a request its type, and the words for it."""
LARGEST_NUMBER = 1 << 53
"""The largest number that the page can count to."""


class Application:
    """The studio as an ASGI application, to be used behind a `Guard`."""

    def __init__(
        self, folder: Folder, windows: Windows, streams: Streams, stop: Callable[[], None], first: str
    ) -> None:
        self.folder, self.windows, self.streams, self.stop, self.first = folder, windows, streams, stop, first
        posts = dict.fromkeys(ASKED, self._level_request)
        posts |= {"files": self._files, "open": self._open, "save": self._save, "new": self._new}
        posts |= {"edit": self._edit, "like": self._like, "stop": self._stop}
        routes = [Route(f"/{name}", _answering(act), methods=["POST"]) for name, act in posts.items()]
        routes += [Route("/events", self._events), Route("/ace/{path:path}", _editor), Route("/{path:path}", _page)]
        self.app: Starlette = Starlette(routes=routes)

    # ---- files

    async def _files(self, name: str, data: Data) -> Data:
        return {
            "folder": os.path.basename(self.folder.root) or self.folder.root,
            "files": await asyncio.to_thread(self.folder.files),
            "first": self.first,
            "puzzles": list(names()),
            "beginnings": beginnings(),
        }

    async def _open(self, name: str, data: Data) -> Data:
        return _shown(await asyncio.to_thread(self.folder.read, _text(data, "path")))

    async def _save(self, name: str, data: Data) -> Data:
        base = data.get("base")
        file = await asyncio.to_thread(self.folder.write, _text(data, "path"), _text(data, "text"), base)
        return {"version": file.version}

    async def _new(self, name: str, data: Data) -> Data:
        text = data.get("text") or first_text(_text(data, "beginning"))
        file = await asyncio.to_thread(self.folder.write, _text(data, "path"), text, None)
        return _shown(file)

    # ---- texts and levels

    def _request(self, data: Data) -> Data:
        """Return the request for a job, with full paths for the text and for a puzzle in the folder."""
        path = self.folder.path(_text(data, "path"))
        puzzle = data.get("puzzle") or ""
        if puzzle.endswith(PYTHON):
            puzzle = self.folder.path(puzzle)
        elif puzzle and puzzle not in names():
            raise UsageError(f"there is no puzzle {puzzle}")
        kept = {name: value for name, value in data.items() if name not in ("path", "puzzle", "unsaved")}
        others = {self.folder.path(other): text for other, text in data.get("unsaved", {}).items()}
        return {**kept, "path": path, "text": _text(data, "text"), "puzzle": puzzle, "unsaved": others}

    async def _edit(self, name: str, data: Data) -> Data:
        request = self._request(data)
        await asyncio.to_thread(self.windows.edit, _text(data, "window"), request)
        puzzle = request["puzzle"] or puzzle_named_by(request["path"])
        return {"puzzle": self.folder.name(puzzle) if puzzle.endswith(PYTHON) else puzzle}

    async def _like(self, name: str, data: Data) -> Data:
        _text(data, "level")
        await asyncio.to_thread(self.windows.like, _text(data, "window"), self._request(data))
        return {}

    async def _level_request(self, name: str, data: Data) -> Data:
        """Answer a request about a level by a job of the pool; cancel the job if nobody waits for it."""
        module, function, settings = ASKED[name]
        _text(data, "level")
        job, answer = self.windows.ask(module, function, self._request(data), **settings)
        try:
            return await asyncio.wrap_future(answer)
        except asyncio.CancelledError:  # nobody waits for it any more
            self.windows.pool.cancel(job)
            raise

    async def _stop(self, name: str, data: Data) -> Data:
        self.stop()
        return {}

    async def _events(self, request: Request) -> Response:
        window = request.query_params.get("window", "")[:40]
        stream = self.streams.listen(window, lambda: self.windows.close(window))
        return StreamingResponse(stream, media_type="text/event-stream")


def _answering(act: Callable[[str, Data], Awaitable[Data]]) -> Callable[[Request], Awaitable[Response]]:
    """Return an endpoint that answers a request with the result of a function, or with an error message."""

    async def answer(request: Request) -> Response:
        try:
            data = read_request(await request.body())
            result = await act(request.url.path.rpartition("/")[2], data)
        except ConflictError as conflict:
            shown = None if conflict.file is None else _shown(conflict.file)
            return JSONResponse({"error": str(conflict), "file": shown}, status_code=409)
        except (UsageError, ValueError) as error:
            return JSONResponse({"error": str(error)}, status_code=400)
        except OSError as error:
            return JSONResponse({"error": error.strerror or str(error)}, status_code=404)
        if "data" in result and "name" in result:
            name = result["name"].encode("ascii", "replace").decode()
            headers = {"content-disposition": "attachment", "x-name": name}
            return Response(b64decode(result["data"]), media_type="application/octet-stream", headers=headers)
        return JSONResponse(result)

    return answer


def read_request(body: bytes) -> Data:
    """Return the known fields of a request, with checked types. Raises UsageError, or ValueError for invalid JSON."""
    try:
        data = json.loads(body)
    except RecursionError:
        raise UsageError("the request is nested too deeply") from None
    if not isinstance(data, dict):
        raise UsageError("a request must be a JSON object")
    fields = {name: data[name] for name in TYPES if data.get(name) is not None}
    for name, value in fields.items():
        kind, words = TYPES[name]
        inner = value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
        fits = isinstance(value, kind) and all(isinstance(each, str) for each in inner)
        if kind is int:
            fits = fits and not isinstance(value, bool) and abs(value) <= LARGEST_NUMBER
        if not fits:
            raise UsageError(f"{name} must be {words}")
    try:
        json.dumps(fields, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise UsageError("the request has half of a surrogate pair, which is no character") from None
    return fields


def _text(data: Data, name: str) -> str:
    value = data.get(name)
    if not isinstance(value, str):
        raise UsageError(f"the request has no {name}")
    return value


def _shown(file: TextFile) -> Data:
    return {"path": file.name, "text": file.text, "version": file.version, "locked": file.locked}


async def _page(request: Request) -> Response:
    name = FILES.get(request.path_params["path"])
    return Response(status_code=404) if name is None else FileResponse(os.path.join(PAGE, name))


async def _editor(request: Request) -> Response:
    """Send a file of the text editor component from the installed package, or the licence of that package."""
    name = request.path_params["path"]
    if name == "LICENCE":
        paths = [file for file in distribution("django-ace").files or () if file.name.upper().startswith("LICEN")]
        return Response(paths[0].read_text(), media_type="text/plain") if paths else Response(status_code=404)
    path = os.path.realpath(os.path.join(editor_folder(), name))
    inside = path.startswith(editor_folder() + os.sep) and path.endswith((".js", ".css", ".png", ".svg"))
    return FileResponse(path) if inside and os.path.isfile(path) else Response(status_code=404)


def editor_folder() -> str:
    """Return the folder of the text editor's files in an installed package; the package is not imported."""
    spec = find_spec("django_ace")
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    return os.path.realpath(os.path.join(places[0], "static", "django_ace", "ace"))


PDDL_GAME = "hanoi"
COLLECTED = "sokoban"


def beginnings() -> list[dict[str, str]]:
    """Return the templates for a new file: a title, a file name, and the argument for `first_text`."""
    rows = [("Sokoban levels", "levels.sok", COLLECTED)]
    rows += [(f"PDDL {kind}", f"{kind}.pddl", kind) for kind in ("domain", "problem")]
    rows += [(f"Game like {name}", f"{name}.txt", name) for name in bundled_files()]
    others = [name for name in names() if name not in bundled_files() and name != COLLECTED]
    rows += [(f"Level of {name}", f"{name}-level.txt", name) for name in others]
    return [{"title": title, "path": path, "beginning": beginning} for title, path, beginning in rows]


def first_text(beginning: str) -> str:
    """Return the text of a template for a new file. Raises UsageError for an unknown template."""
    if beginning in ("domain", "problem"):
        game = find(PDDL_GAME)
        task = game.parse(next(iter(game.levels.values()))).task()
        assert task is not None
        return str(write(task.domain if beginning == "domain" else task.problem))
    if beginning in bundled_files():
        with open(bundled_files()[beginning], encoding="utf-8") as file:
            return file.read()
    if beginning not in names():
        raise UsageError(f"there is no example {beginning!r}")
    text = str(next(iter(find(beginning).levels.values())))
    return text if beginning != COLLECTED else f"; My first level\n\n{text}"
