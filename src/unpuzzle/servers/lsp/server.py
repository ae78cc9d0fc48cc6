r"""The language server, on pygls: a function for each request of the protocol; other modules compute the answers.

Texts are stored here, by the protocol's own rules: lines end at \n, \r\n and \r, columns are UTF-16. At each change
the faults of the text alone are sent. When the author pauses, the faults of the whole task follow, from a thread that
the next change cancels. Jobs run in separate processes (`jobs`), which end when the job is cancelled or the session is
over. Their results are documents in a folder that exists as long as the session.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import suppress
from itertools import islice
from threading import Event, Thread
from typing import Any, BinaryIO

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.io_ import StdoutWriter, run_async
from pygls.lsp.server import LanguageServer
from pygls.protocol.language_server import LanguageServerProtocol, lsp_method
from pygls.uris import from_fs_path, to_fs_path

from unpuzzle.base.errors import LimitReached, UnpuzzleError
from unpuzzle.base.run import Limits, Run
from unpuzzle.pddl.linting.fault import Fault
from unpuzzle.servers.lsp import jobs, language_features, messages
from unpuzzle.servers.lsp.jobs import LEVEL_SECONDS, MEMORY, SECONDS, SOLVE, Lengths, report, work
from unpuzzle.version import __version__
from unpuzzle.workspace.asking import Commands
from unpuzzle.workspace.documents import Document, Documents, Lines, difference, formatted_text
from unpuzzle.workspace.linting import lint_files, mended

PAUSE = 0.3
"""Seconds without a change after which the whole task is checked."""
SECONDS_IN_FULL, SECONDS_TO_GROUND = 20.0, 2.0
_MANY = 2_000
"""The most faults that are shown for one document."""
FIX_ALL = lsp.CodeActionKind.SourceFixAll
_MOST_SYMBOLS = 1_000
_SECONDS_TO_FORMAT = 10.0
CHUNK = 1 << 16
"""The most bytes that are read at once."""


class _Protocol(LanguageServerProtocol):
    """The protocol with columns in UTF-16 code units; `Server` stores the texts."""

    _server: Server

    @lsp_method(lsp.INITIALIZE)
    def lsp_initialize(self, params: lsp.InitializeParams) -> Generator[Any, Any, lsp.InitializeResult]:
        if params.capabilities.general is not None:
            params.capabilities.general.position_encodings = [lsp.PositionEncodingKind.Utf16]
        self._server.begin(params)
        return (yield from super().lsp_initialize(params))

    @lsp_method(lsp.SHUTDOWN)
    def lsp_shutdown(self, *_: object) -> None:  # type: ignore[override]  # nobody has to be asked
        self._server.end()
        own = self.msg_id
        for number, future in list(self._request_futures.items()):
            if number != own and not future.done():
                future.cancel()
        self._shutdown = True

    def _handle_cancel_notification(self, msg_id: str | int) -> None:
        self._server.cancel(msg_id)
        super()._handle_cancel_notification(msg_id)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        self._server.put(item.uri, item.text, item.version)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        self._server.change(params)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        self._server.close(params.text_document.uri)


class Server(LanguageServer):
    """The state of an editor session: documents, their faults, running jobs."""

    protocol: _Protocol

    def __init__(self) -> None:
        super().__init__("unpuzzle", __version__, protocol_cls=_Protocol)
        self.documents = Documents()
        self.uris: dict[str, str] = {}
        self.faults: dict[str, tuple[Document, list[Fault]]] = {}
        self.lengths = Lengths()
        self.grounds: dict[str, tuple[Document, language_features.Ground | None]] = {}
        self.seconds, self.level_seconds, self.memory = SECONDS, LEVEL_SECONDS, MEMORY
        self.commands = Commands()
        self._requests: dict[str | int | None, Limits] = {}
        self._pauses: dict[str, tuple[asyncio.Task[None], Limits]] = {}
        self._measuring: dict[str, tuple[asyncio.Task[None], Limits]] = {}
        self._folder: str | None = None
        for name, function, options in _FEATURES:
            self.feature(name, options)(function)
        for command in jobs.COMMANDS:
            self.command(f"unpuzzle.{command}")(_runner(self, command))

    # ---- texts

    def begin(self, params: lsp.InitializeParams) -> None:
        """Store the workspace folders and the settings that the editor sent."""
        folders = [folder.uri for folder in params.workspace_folders or []]
        folders = folders or ([params.root_uri] if params.root_uri else [])
        roots = [root for uri in folders if (root := to_fs_path(uri))]
        self.documents = Documents(tuple(roots or ([params.root_path] if params.root_path else [])))
        settings = params.initialization_options if isinstance(params.initialization_options, dict) else {}
        self.seconds = _positive(settings.get("seconds"), SECONDS)
        self.memory = int(_positive(settings.get("memory"), MEMORY))
        levels = settings.get("levelSeconds")
        self.level_seconds = 0.0 if levels == 0 else _positive(levels, LEVEL_SECONDS)

    def path(self, uri: str) -> str:
        """Return the path of a URI, or the URI itself if it is not the URI of a file."""
        path = to_fs_path(uri) or uri
        self.uris.setdefault(path, uri)
        return path

    def uri(self, path: str) -> str:
        """Return the URI of a path, spelled as the editor spelled it if the editor has used this path."""
        return self.uris.get(path) or from_fs_path(path) or path

    def document(self, uri: str) -> Document:
        """Return the document of a URI. Raises LookupError if there is no such document."""
        document = self.documents.get(self.path(uri))
        if document is None:
            raise LookupError(f"there is no document {uri}")
        return document

    def put(self, uri: str, text: str, version: int | None) -> None:
        """Store the text of an editor's buffer, and report the faults of the text."""
        path = self.path(uri)
        self.uris[path] = uri
        self.tell(self.documents.open(path, text, version))

    def change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """Apply changes to the text of an editor's buffer, and report the faults of the new text."""
        path = self.path(params.text_document.uri)
        old = self.documents.buffers.get(path)
        text = "" if old is None else old.text
        for each in params.content_changes:
            if isinstance(each, lsp.TextDocumentContentChangePartial):
                lines, places = Lines(text), (each.range.start, each.range.end)
                start, end = [lines.offset(place.line, place.character) for place in places]
                text = text[:start] + each.text + text[max(start, end) :]
            else:
                text = each.text
        self.put(params.text_document.uri, text, params.text_document.version)

    def close(self, uri: str) -> None:
        """Forget a closed buffer, and remove the buffer's fault marks from the editor."""
        path = self.path(uri)
        document = self.documents.buffers.get(path)
        self.documents.close(path)
        self.faults.pop(path, None)
        self.grounds.pop(path, None)
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))
        if document is not None:  # a domain whose problem was closed, or a problem whose domain is now a file
            self._stop(document)
            for other in language_features.family(self.documents, document):
                if other.name in self.documents.buffers:
                    self._pause(other)

    # ---- faults

    def tell(self, document: Document) -> None:
        """Report the faults of a text at once, and the faults of the whole task after a pause."""
        self._stop(document)
        with suppress(LimitReached):  # those after the pause have more time
            self.publish(document, language_features.faults_at_once(self.documents, document))
        self._pause(document)

    def publish(self, document: Document, faults: list[Fault]) -> None:
        """Send the faults of a document to the editor, unless the text has changed since."""
        if self.documents.buffers.get(document.name) is not document:
            return
        self.faults[document.name] = (document, faults)
        shown = [messages.diagnostic(document, fault) for fault in faults[:_MANY]]
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(self.uri(document.name), shown, version=document.version)
        )

    def _stop(self, document: Document) -> None:
        """Cancel the running check of a document's whole task, which would delay the check of the changed text."""
        for each in language_features.family(self.documents, document):
            if each.name in self._pauses:
                task, limits = self._pauses.pop(each.name)
                limits.cancel()
                task.cancel()

    def _pause(self, document: Document) -> None:
        """Schedule a check of the whole task for when the user stops typing; cancel the check scheduled before."""
        self._stop(document)
        limits = Limits(time=SECONDS_IN_FULL)
        self._pauses[document.name] = (asyncio.ensure_future(self._in_full(document, limits)), limits)

    async def _in_full(self, document: Document, limits: Limits) -> None:
        """Check a document's whole task after a pause, publish the faults, and count its ground actions."""
        await asyncio.sleep(PAUSE)
        snapshot = Documents(self.documents.roots)
        snapshot.buffers = dict(self.documents.buffers)
        try:
            with Run(limits):
                found = await asyncio.to_thread(language_features.faults_in_full, snapshot, document)
            for path, faults in found.items():
                self.publish(snapshot.buffers[path], faults)
            if document.kind == "problem" and not any(fault.severity == "error" for fault in found[document.name]):
                with Run(Limits(time=SECONDS_TO_GROUND, cancellation=limits.cancellation)):
                    ground = await asyncio.to_thread(language_features.ground_facts, snapshot, document)
                self.grounds[document.name] = (document, ground)
        except LimitReached:
            pass
        finally:
            limits.cancel()

    def ground_of(self, document: Document) -> language_features.Ground | None:
        """Return the counts of ground actions and atoms of a problem or, for a domain, of any open problem."""
        candidates = [document, *self.documents.problems_of(document)] if document.kind == "domain" else [document]
        known = (self.grounds.get(each.name) for each in candidates)
        return next((ground for of, ground in filter(None, known) if self.documents.buffers.get(of.name) is of), None)

    # ---- work

    async def run(self, command: str, uri: str, level: str = "") -> dict[str, Any]:
        """Run a job, show its progress with a button to cancel it, and show the answer as a document."""
        limits = Limits(time=self.seconds, memory=self.memory)
        task = work(self.documents, command, self.path(uri), level)
        number = self.protocol.msg_id
        self._requests[number] = limits
        token = await self._progress(task.title, limits)
        try:
            reply = await asyncio.to_thread(self.commands.ask, task.words, limits, task.files)
        finally:  # also where the request itself is cancelled
            limits.cancel()
            self._requests.pop(number, None)
            if token is not None:
                self.work_done_progress.end(token, lsp.WorkDoneProgressEnd())
        text, uri = report(task, reply), ""
        with suppress(OSError):  # a full disk: the answer is not lost
            uri = await self._show(task.title, text)
        return {"uri": uri, "text": text, "code": reply.code, "verdict": reply.verdict}

    async def _progress(self, title: str, limits: Limits) -> str | None:
        """Announce a job in the editor, with a button to cancel it, if the editor shows progress."""
        window = self.client_capabilities.window
        if window is None or not window.work_done_progress:
            return None
        token = os.urandom(8).hex()
        await self.work_done_progress.create_async(token)
        self.work_done_progress.begin(token, lsp.WorkDoneProgressBegin(f"unpuzzle: {title}", cancellable=True))
        self.work_done_progress.tokens[token].add_done_callback(lambda _: limits.cancel())
        return token

    async def _show(self, title: str, text: str) -> str:
        """Write a result into the session's folder, ask the editor to show the file, and return the file's URI."""
        if self._folder is None:
            self._folder = tempfile.mkdtemp(prefix="unpuzzle-results-")
        name = "".join([letter if letter.isalnum() or letter in " .-_" else "_" for letter in title])
        path = os.path.join(self._folder, f"{name}.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        uri = from_fs_path(path) or path
        window = self.client_capabilities.window
        if window is not None and window.show_document is not None and window.show_document.support:
            await self.window_show_document_async(lsp.ShowDocumentParams(uri, take_focus=False))
        else:
            self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Info, f"{title}: {path}"))
        return uri

    def cancel(self, number: str | int) -> None:
        """Cancel the job that a request started."""
        if number in self._requests:
            self._requests[number].cancel()

    def measure(self, document: Document) -> None:
        """Compute, one level after the other, the shortest solutions of levels that have no known answer."""
        if self.level_seconds and document.name not in self._measuring and self.lengths.unknown(document):
            limits = Limits(time=self.level_seconds, memory=self.memory)
            task = asyncio.ensure_future(self._measure(document.name, limits))
            self._measuring[document.name] = task, limits

    async def _measure(self, path: str, limits: Limits) -> None:
        """Solve the levels of a game that have no known answer, one after the other."""
        try:
            await asyncio.sleep(PAUSE)
            while document := self.documents.buffers.get(path):
                unknown = self.lengths.unknown(document)
                if not unknown:
                    return
                task = work(self.documents, SOLVE, path, unknown[0])
                words = (*task.words, "--quiet")
                reply = await asyncio.to_thread(self.commands.ask, words, limits, task.files)
                self.lengths.put(document, unknown[0], reply.fields)
                workspace = self.client_capabilities.workspace
                if workspace is not None and workspace.code_lens is not None and workspace.code_lens.refresh_support:
                    self.workspace_code_lens_refresh(None)
        except UnpuzzleError:
            pass
        finally:
            limits.cancel()
            del self._measuring[path]

    def end(self) -> None:
        """End all jobs, and remove the stored results."""
        for limits in self._requests.values():
            limits.cancel()
        self.commands.close()
        for task, limits in (*self._pauses.values(), *self._measuring.values()):
            limits.cancel()
            task.cancel()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None


def _positive(value: object, default: float) -> float:
    """Return a setting if the setting is a positive number, else the default."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and value > 0 else default


def _runner(server: Server, command: str) -> Any:
    """Return a function of the server that runs a command; its signature is read by the protocol library."""

    async def run(*arguments: Any) -> dict[str, Any]:
        if not arguments or not all(isinstance(each, str) for each in arguments) or len(arguments) > 2:
            raise JsonRpcInvalidParams(
                f"unpuzzle.{command} takes the URI of a document and, if it is a game, the name of a level"
            )
        try:
            return await server.run(command, *arguments)
        except UnpuzzleError as error:
            raise JsonRpcInvalidParams(str(error)) from None

    return run


def _place(server: Server, params: Any) -> tuple[Document, int]:
    """Return the document of a request, and the offset in the document's text."""
    document = server.document(params.text_document.uri)
    return document, document.lines.offset(params.position.line, params.position.character)


def _hover(server: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    document, offset = _place(server, params)
    found = language_features.hover(server.documents, document, offset, server.ground_of(document))
    if found is None:
        return None
    contents = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.text)
    return lsp.Hover(contents, messages.range_between(document, found.start, found.end))


def _completion(server: Server, params: lsp.CompletionParams) -> lsp.CompletionList | None:
    document, offset = _place(server, params)
    if document.game_format is not None:
        return None
    return messages.completion_list(document, language_features.completions(server.documents, document, offset), offset)


def _definition(server: Server, params: lsp.DefinitionParams) -> list[lsp.Location]:
    return _locations(server, language_features.definition(server.documents, *_place(server, params)))


def _references(server: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
    place, declared = _place(server, params), params.context.include_declaration
    return _locations(server, language_features.references(server.documents, *place, declared=declared))


def _locations(server: Server, places: list[language_features.Location]) -> list[lsp.Location]:
    return [lsp.Location(server.uri(place.document.name), messages.range_between(*place)) for place in places]


def _highlight(server: Server, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
    places = language_features.highlights(*_place(server, params))
    return [lsp.DocumentHighlight(messages.range_between(*place)) for place in places]


def _prepare_rename(server: Server, params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder | None:
    document, offset = _place(server, params)
    if (name := language_features.renamable(document, offset)) is None:
        return None
    where = messages.range_between(document, name.start, name.end)
    return lsp.PrepareRenamePlaceholder(where, document.text[name.start : name.end])


def _rename(server: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
    try:
        changes = language_features.renamed(server.documents, *_place(server, params), params.new_name)
    except UnpuzzleError as error:
        raise JsonRpcInvalidParams(str(error)) from None
    found = [(server.uri(path), server.documents.get(path), each) for path, each in changes.items()]
    edits = {uri: [messages.edit(document, each) for each in own] for uri, document, own in found if document}
    return lsp.WorkspaceEdit(changes=edits)


def _symbols(server: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    document = server.document(params.text_document.uri)
    return [messages.symbol(document, entry) for entry in language_features.outline(document)]


def _workspace_symbols(server: Server, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
    wanted = params.query.lower()
    found = (
        messages.workspace_symbol(document, server.uri(document.name), declared)
        for document in server.documents.all()
        if document.game_format is None
        for declared in document.symbols.declarations.values()
        if wanted in declared.name
    )
    return list(islice(found, _MOST_SYMBOLS))


def _tokens(server: Server, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
    document = server.document(params.text_document.uri)
    return lsp.SemanticTokens([]) if document.game_format is not None else messages.semantic_tokens(document)


def _folds(server: Server, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
    return messages.folding_ranges(server.document(params.text_document.uri))


def _format(server: Server, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
    document = server.document(params.text_document.uri)
    try:
        with Run(Limits(time=_SECONDS_TO_FORMAT), "formatting"):
            after = formatted_text(document)
    except UnpuzzleError as error:
        server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Warning, f"not formatted: {error}"))
        return None
    change = difference(document.text, after)
    return [] if change is None else [messages.edit(document, change)]


def _lenses(server: Server, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    uri = params.text_document.uri
    document = server.document(uri)
    server.measure(document)
    return [messages.code_lens(document, uri, lens) for lens in jobs.lenses(server.documents, document, server.lengths)]


def _actions(server: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    """Return the editor actions that correct the faults in a range of a document."""
    uri = params.text_document.uri
    document = server.document(uri)
    known, faults = server.faults.get(document.name, (None, []))
    if known is not document:
        faults = language_features.faults_at_once(server.documents, document)
    first, last = params.range.start, params.range.end
    actions = []
    for fault in faults:
        where = messages.diagnostic(document, fault).range
        if where.end >= first and where.start <= last:
            actions.append(messages.quick_fix(document, uri, fault))
    only = params.context.only or []
    if FIX_ALL in only and any(fault.fix for fault in faults):
        actions.append(_fix_all(document, uri))
    wanted = tuple(only) or ("",)
    return [action for action in actions if action is not None and str.startswith(action.kind or "", wanted)]


def _fix_all(document: Document, uri: str) -> lsp.CodeAction | None:
    """Return the editor action that applies all corrections that cause no new errors; None without corrections."""

    def find(files: Any) -> list[Fault]:
        language = document.game_format
        return language.lint_text(files[0].text, document.name)[0] if language else lint_files(files, texts_only=True)

    [after], _ = mended([document], find)
    change = difference(document.text, after.text)
    if change is None:
        return None
    edit = lsp.WorkspaceEdit(changes={uri: [messages.edit(document, change)]})
    return lsp.CodeAction("apply all corrections", kind=FIX_ALL, edit=edit)


def _watched(server: Server, _: lsp.DidChangeWatchedFilesParams) -> None:
    """Check all open documents again, because a file that they depend on may have changed."""
    for document in list(server.documents.buffers.values()):
        server.tell(document)


_FEATURES: list[tuple[str, Any, Any]] = [
    (lsp.TEXT_DOCUMENT_HOVER, _hover, None),
    (lsp.TEXT_DOCUMENT_COMPLETION, _completion, lsp.CompletionOptions(trigger_characters=["(", ":", "?", "-"])),
    (lsp.TEXT_DOCUMENT_DEFINITION, _definition, None),
    (lsp.TEXT_DOCUMENT_REFERENCES, _references, None),
    (lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, _highlight, None),
    (lsp.TEXT_DOCUMENT_PREPARE_RENAME, _prepare_rename, None),
    (lsp.TEXT_DOCUMENT_RENAME, _rename, lsp.RenameOptions(prepare_provider=True)),
    (lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, _symbols, None),
    (lsp.WORKSPACE_SYMBOL, _workspace_symbols, None),
    (lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, _tokens, messages.TOKENS),
    (lsp.TEXT_DOCUMENT_FOLDING_RANGE, _folds, None),
    (lsp.TEXT_DOCUMENT_FORMATTING, _format, None),
    (lsp.TEXT_DOCUMENT_CODE_LENS, _lenses, lsp.CodeLensOptions(resolve_provider=False)),
    (
        lsp.TEXT_DOCUMENT_CODE_ACTION,
        _actions,
        lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix, FIX_ALL]),
    ),
    (lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, _watched, None),
]


def serve(reader: BinaryIO, writer: BinaryIO) -> None:
    """Serve one editor until the editor ends the session, then close `writer`."""
    server = Server()
    server.protocol.set_writer(StdoutWriter(writer))
    try:
        asyncio.run(_serve(server, reader))
    except (BrokenPipeError, SystemExit):  # the editor is gone, or has ended the session
        pass
    finally:
        server.shutdown()  # type: ignore[no-untyped-call]  # of pygls
        server.end()


async def _serve(server: Server, reader: BinaryIO) -> None:
    """Answer the requests in the input until the input ends."""
    messages, loop = asyncio.StreamReader(), asyncio.get_running_loop()

    def feed() -> None:
        with suppress(OSError, RuntimeError):  # RuntimeError: the loop has ended
            while data := os.read(reader.fileno(), CHUNK):
                loop.call_soon_threadsafe(messages.feed_data, data)
            loop.call_soon_threadsafe(messages.feed_eof)

    Thread(target=feed, daemon=True).start()  # the server does not wait for it, so a signal can end the server
    await run_async(Event(), messages, server.protocol, error_handler=server.report_server_error)
