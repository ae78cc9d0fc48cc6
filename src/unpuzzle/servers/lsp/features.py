"""The answers of the server: a function for each request of the protocol."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from threading import Event, Thread
from typing import Any, BinaryIO

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.io_ import StdoutWriter, run_async

from unpuzzle.base.errors import UnpuzzleError
from unpuzzle.base.run import Limits, Run
from unpuzzle.pddl.judging.fault import Fault
from unpuzzle.servers.lsp import jobs, messages, navigation, outlining
from unpuzzle.servers.lsp.completing import completions
from unpuzzle.servers.lsp.diagnosing import faults_at_once
from unpuzzle.servers.lsp.server import Server
from unpuzzle.workspace.documents import Document, formatted_text
from unpuzzle.workspace.linting import lint_files, mended
from unpuzzle.workspace.places import difference

FIX_ALL = lsp.CodeActionKind.SourceFixAll
_MOST_SYMBOLS = 1_000
_SECONDS_TO_FORMAT = 10.0
CHUNK = 1 << 16
"""The most bytes that are read at once."""


def with_features(server: Server) -> Server:
    """Return the server with a handler added for each request."""
    for name, function, options in _FEATURES:
        server.feature(name, options)(function)
    for command in jobs.COMMANDS:
        server.command(f"unpuzzle.{command}")(_runner(server, command))
    return server


def _runner(server: Server, command: str) -> Any:
    """Return the function that runs a command; the protocol library reads the parameters of that function."""

    async def run(*arguments: Any) -> dict[str, Any]:
        if not arguments or not all(isinstance(each, str) for each in arguments) or len(arguments) > 2:
            raise JsonRpcInvalidParams(f"unpuzzle.{command} takes a URI and, of a game, the name of a level")
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
    if document.game_format is not None:
        line = params.position.line
        column = offset - document.lines.starts[min(line, len(document.lines.starts) - 1)] + 1
        told = document.game_format.told(document.text, line + 1, column)
        if told is None:
            return None
        first = document.lines.of_fault(told.line, told.column)
        found = navigation.Hover(told.text, first, document.lines.of_fault(told.line, told.end_column))
    else:
        answer = navigation.hover(server.documents, document, offset, server.ground_of(document))
        if answer is None:
            return None
        found = answer
    contents = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.text)
    return lsp.Hover(contents, messages.range_between(document, found.start, found.end))


def _completion(server: Server, params: lsp.CompletionParams) -> lsp.CompletionList | None:
    document, offset = _place(server, params)
    if document.game_format is not None:
        return None
    return messages.completion_list(document, completions(server.documents, document, offset), offset)


def _definition(server: Server, params: lsp.DefinitionParams) -> list[lsp.Location]:
    return _locations(server, navigation.definition(server.documents, *_place(server, params)))


def _references(server: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
    declared = params.context.include_declaration
    return _locations(server, navigation.references(server.documents, *_place(server, params), declared=declared))


def _locations(server: Server, places: list[navigation.Location]) -> list[lsp.Location]:
    return [messages.location(place, server.uri(place.document.path)) for place in places]


def _highlight(server: Server, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
    places = navigation.highlights(*_place(server, params))
    return [lsp.DocumentHighlight(messages.range_between(*place)) for place in places]


def _prepare_rename(server: Server, params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder | None:
    document, offset = _place(server, params)
    if (name := navigation.renamable(document, offset)) is None:
        return None
    where = messages.range_between(document, name.start, name.end)
    return lsp.PrepareRenamePlaceholder(where, document.text[name.start : name.end])


def _rename(server: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
    try:
        changes = navigation.renamed(server.documents, *_place(server, params), params.new_name)
    except UnpuzzleError as error:
        raise JsonRpcInvalidParams(str(error)) from None
    edits = {}
    for path, each in changes.items():
        document = server.documents.get(path)
        if document is not None:
            edits[server.uri(path)] = [messages.edit(document, change) for change in each]
    return lsp.WorkspaceEdit(changes=edits)


def _symbols(server: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    document = server.document(params.text_document.uri)
    if document.game_format is not None:
        return [messages.part_symbol(document, part) for part in document.game_format.outline(document.text)]
    return [messages.symbol(document, entry) for entry in outlining.outline(document)]


def _workspace_symbols(server: Server, params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
    found: list[lsp.WorkspaceSymbol] = []
    for document in server.documents.all():
        found += messages.workspace_symbols(document, server.uri(document.path), params.query.lower())
        if len(found) > _MOST_SYMBOLS:
            break
    return found[:_MOST_SYMBOLS]


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
    if document.game_format is not None:
        server.measure(document)
    return [messages.code_lens(document, uri, lens) for lens in jobs.lenses(server.documents, document, server.lengths)]


def _actions(server: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    uri = params.text_document.uri
    document = server.document(uri)
    known, faults = server.faults.get(document.path, (None, []))
    if known is not document:
        faults = faults_at_once(server.documents, document)
    first, last = params.range.start, params.range.end
    actions = []
    for fault in faults:
        where = messages.diagnostic(document, fault).range
        beside = (where.end.line, where.end.character) < (first.line, first.character)
        if not beside and (where.start.line, where.start.character) <= (last.line, last.character):
            actions.append(messages.quick_fix(document, uri, fault))
    if any(fault.fix for fault in faults) and FIX_ALL in (params.context.only or []):
        actions.append(_fix_all(document, uri))
    return [action for action in actions if action is not None and _is_wanted(action, params.context.only)]


def _is_wanted(action: lsp.CodeAction, only: Any) -> bool:
    return not only or any(str(_plain(action.kind)).startswith(str(_plain(kind))) for kind in only)


def _plain(kind: Any) -> Any:
    return getattr(kind, "value", kind)


def _fix_all(document: Document, uri: str) -> lsp.CodeAction | None:
    """Return the editor action that applies all corrections that cause no new errors; None without corrections."""

    def find(files: Any) -> list[Fault]:
        language = document.game_format
        return language.lint_text(files[0].text, document.path)[0] if language else lint_files(files, texts_only=True)

    [after], _ = mended([document.listed], find)
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
    server = with_features(Server())
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
