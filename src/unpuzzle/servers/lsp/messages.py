"""Values of the language server protocol, made from values of other modules: ranges, diagnostics, symbols."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from lsprotocol import types as lsp

from unpuzzle.pddl.linting.fault import Fault
from unpuzzle.servers.lsp import language_features
from unpuzzle.servers.lsp.diagnosing import SOURCE, change_of, range_of
from unpuzzle.servers.lsp.jobs import Lens
from unpuzzle.servers.lsp.language_features import Completions, Entry, Location
from unpuzzle.workspace import symbols as names
from unpuzzle.workspace.documents import Change, Document

_Kind, _Item = lsp.SymbolKind, lsp.CompletionItemKind
_KINDS: Mapping[str, tuple[lsp.SymbolKind, lsp.CompletionItemKind, str]] = {
    names.ACTION: (_Kind.Method, _Item.Method, "method"),
    names.CONSTANT: (_Kind.Constant, _Item.Constant, "enumMember"),
    names.DOMAIN: (_Kind.Module, _Item.Module, "namespace"),
    names.FUNCTION: (_Kind.Function, _Item.Function, "function"),
    names.PREDICATE: (_Kind.Property, _Item.Property, "property"),
    names.PROBLEM: (_Kind.Module, _Item.Module, "namespace"),
    names.TYPE: (_Kind.Class, _Item.Class, "type"),
    names.VARIABLE: (_Kind.Variable, _Item.Variable, "parameter"),
    names.KEYWORD: (_Kind.Namespace, _Item.Keyword, "keyword"),
    names.NUMBER: (_Kind.Number, _Item.Value, "number"),
    language_features.COMMENT: (_Kind.String, _Item.Text, "comment"),
    "section": (_Kind.Namespace, _Item.Module, "namespace"),
    "object": (_Kind.Class, _Item.Class, "type"),
    "rule": (_Kind.Event, _Item.Event, "method"),
    "level": (_Kind.Array, _Item.Value, "string"),
    "message": (_Kind.String, _Item.Text, "string"),
}
"""The kinds of the protocol by ours: for symbols, for completions, for tokens."""
TOKENS = lsp.SemanticTokensLegend(
    token_types=list(dict.fromkeys(_KINDS[kind][2] for kind in language_features.KINDS)),
    token_modifiers=["declaration"],
)
_SEVERITIES = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}


def range_between(document: Document, start: int, end: int) -> lsp.Range:
    """Return the protocol's range between two offsets."""
    first, last = document.lines.range(start, end)
    return lsp.Range(lsp.Position(*first), lsp.Position(*last))


def line_range(document: Document, first: int, last: int) -> lsp.Range:
    """Return the range of the lines from `first` to `last`, counted from 1."""
    last = min(last, len(document.lines.starts))
    return range_between(document, document.lines.starts[first - 1], document.lines.whole(last - 1)[1])


def location(place: Location, uri: str) -> lsp.Location:
    return lsp.Location(uri, range_between(*place))


def edit(document: Document, change: Change) -> lsp.TextEdit:
    return lsp.TextEdit(range_between(document, change.start, change.end), change.text)


def diagnostic(document: Document, fault: Fault) -> lsp.Diagnostic:
    return lsp.Diagnostic(
        range=range_between(document, *range_of(document, fault)),
        message=fault.message,
        severity=_SEVERITIES[fault.severity],
        code=fault.code or None,
        source=SOURCE,
    )


def quick_fix(document: Document, uri: str, fault: Fault) -> lsp.CodeAction | None:
    """Return the editor action that applies a fault's correction or suggestion; None if the fault has neither."""
    correction = fault.fix or fault.suggestion
    if correction is None:
        return None
    change = change_of(document, correction)
    shown = change.text.strip()
    first = shown.split("\n")[0][:60]
    title = f"write {first}" if shown else "remove this"
    if fault.fix is None:
        title += ": a guess, which may change the meaning"
    return lsp.CodeAction(
        title=title,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[diagnostic(document, fault)],
        is_preferred=fault.fix is not None,
        edit=lsp.WorkspaceEdit(changes={uri: [edit(document, change)]}),
    )


def completion_list(document: Document, found: Completions, offset: int) -> lsp.CompletionList:
    """Return the completions as a list for the editor; a completion replaces the part of the word before an offset."""
    where = range_between(document, found.start, offset)
    items = [
        lsp.CompletionItem(
            label=item.label,
            kind=_KINDS[item.kind][1],
            detail=item.detail or None,
            documentation=item.comment or None,
            text_edit=lsp.TextEdit(where, item.label),
            filter_text=item.label,
            sort_text=f"{number:05}",
        )
        for number, item in enumerate(found.items)
    ]
    return lsp.CompletionList(is_incomplete=False, items=items)


def symbol(document: Document, entry: Entry) -> lsp.DocumentSymbol:
    """Return an outline entry as a symbol of the protocol."""
    start, end = entry.place
    return lsp.DocumentSymbol(
        name=document.text[start:end] if entry.place != (entry.start, entry.start + 1) else entry.name,
        kind=_KINDS[entry.kind][0],
        range=range_between(document, min(entry.start, start), max(entry.end, end)),
        selection_range=range_between(document, start, end),
        detail=entry.detail or None,
        children=[symbol(document, each) for each in entry.inside] or None,
    )


def part_symbol(document: Document, part: object) -> lsp.DocumentSymbol:
    """Return a part of a game's outline as a symbol of the protocol."""
    line, end = part.line, part.end_line  # type: ignore[attr-defined]
    return lsp.DocumentSymbol(
        name=part.name[:120] or "?",  # type: ignore[attr-defined]
        kind=_KINDS[part.kind][0],  # type: ignore[attr-defined]
        range=line_range(document, line, end),
        selection_range=line_range(document, line, line),
        detail=part.detail or None,  # type: ignore[attr-defined]
        children=[part_symbol(document, each) for each in part.inside] or None,  # type: ignore[attr-defined]
    )


def workspace_symbols(document: Document, uri: str, wanted: str) -> Iterable[lsp.WorkspaceSymbol]:
    """Yield the declarations of a document whose names contain the text `wanted`."""
    for each in document.symbols.declarations.values() if document.game_format is None else ():
        if wanted in each.name:
            place = lsp.Location(uri, range_between(document, *each.place))
            home = os.path.basename(document.path)
            yield lsp.WorkspaceSymbol(location=place, name=each.name, kind=_KINDS[each.kind][0], container_name=home)


def semantic_tokens(document: Document) -> lsp.SemanticTokens:
    """Return the coloured words in the protocol's format: each word by the distance from the previous word."""
    data: list[int] = []
    line = column = 0
    for start, end, kind, declares in language_features.coloured(document):
        first, last = document.lines.range(start, end)
        if first.line != last.line:
            continue
        token = TOKENS.token_types.index(_KINDS[kind][2])
        data += [first.line - line, first.column - (column if first.line == line else 0)]
        data += [last.column - first.column, token, int(declares)]
        line, column = first
    return lsp.SemanticTokens(data)


def folding_ranges(document: Document) -> list[lsp.FoldingRange]:
    """Return the ranges of a document that an editor can fold."""
    if document.game_format is not None:
        parts = [each for part in document.game_format.outline(document.text) for each in (part, *part.inside)]
        return [lsp.FoldingRange(part.line - 1, part.end_line - 1) for part in parts if part.end_line > part.line]
    kinds = {language_features.COMMENT: lsp.FoldingRangeKind.Comment}
    return [
        lsp.FoldingRange(start, end, kind=kinds.get(kind)) for start, end, kind in language_features.folds(document)
    ]


def code_lens(document: Document, uri: str, lens: Lens) -> lsp.CodeLens:
    """Return a code lens: a line above which the editor offers a command."""
    arguments: list[object] = [uri, lens.level] if lens.level else [uri]
    command = lsp.Command(title=lens.title, command=f"unpuzzle.{lens.command}", arguments=arguments)
    return lsp.CodeLens(range=line_range(document, lens.line + 1, lens.line + 1), command=command)
