"""Values of the language server protocol, made from values of other modules: ranges, diagnostics, symbols."""

from __future__ import annotations

import os

from lsprotocol import types as lsp

from unpuzzle.pddl.linting.fault import Fault
from unpuzzle.servers.lsp import language_features
from unpuzzle.servers.lsp.jobs import Lens
from unpuzzle.servers.lsp.language_features import Completions, Entry
from unpuzzle.workspace import symbols as names
from unpuzzle.workspace.documents import Change, Document
from unpuzzle.workspace.symbols import Declaration

_Kind, _Item = lsp.SymbolKind, lsp.CompletionItemKind
_KINDS: dict[str, tuple[lsp.SymbolKind, lsp.CompletionItemKind, str]] = {
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
}
"""The kinds of the protocol by ours: for symbols, for completions, for tokens."""
_KINDS_OF_PARTS = _KINDS | {
    "section": (_Kind.Namespace, _Item.Module, "namespace"),
    "object": (_Kind.Class, _Item.Class, "type"),
    "rule": (_Kind.Event, _Item.Event, "method"),
    "level": (_Kind.Array, _Item.Value, "string"),
    "message": (_Kind.String, _Item.Text, "string"),
}
"""The kinds of parts of texts, games included."""
_TOKENS = list(dict.fromkeys(token for _, _, token in _KINDS.values()))
TOKENS = lsp.SemanticTokensLegend(token_types=_TOKENS, token_modifiers=["declaration"])
_SEVERITIES = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}


def range_between(document: Document, start: int, end: int) -> lsp.Range:
    """Return the protocol's range between two offsets."""
    first, last = document.lines.position(start), document.lines.position(end)
    return lsp.Range(lsp.Position(*first), lsp.Position(*last))


def edit(document: Document, change: Change) -> lsp.TextEdit:
    return lsp.TextEdit(range_between(document, *change[:2]), change.text)


def diagnostic(document: Document, fault: Fault) -> lsp.Diagnostic:
    """Return a fault as the editor shows it: the whole line without a column, the first line without a line number."""
    lines = document.lines
    line = min(fault.line or 1, len(lines.starts))
    start, end = lines.whole(line - 1)
    if fault.column is not None and fault.line == line:
        start = lines.of_fault(line, fault.column)
        end = start + 1
        if fault.end_line is not None and fault.end_column is not None:
            end = max(start, lines.of_fault(fault.end_line, fault.end_column))
    return lsp.Diagnostic(
        range=range_between(document, start, end),
        message=fault.message,
        severity=_SEVERITIES[fault.severity],
        code=fault.code or None,
        source="unpuzzle",
    )


def quick_fix(document: Document, uri: str, fault: Fault) -> lsp.CodeAction | None:
    """Return the editor action that applies a fault's correction or suggestion; None if the fault has neither."""
    correction = fault.fix or fault.suggestion
    if correction is None:
        return None
    start = document.lines.of_fault(correction.line, correction.column)
    end = document.lines.of_fault(correction.end_line, correction.end_column)
    change = Change(start, max(start, end), correction.text)
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
        name=entry.name,
        kind=_KINDS_OF_PARTS[entry.kind][0],
        range=range_between(document, min(entry.start, start), max(entry.end, end)),
        selection_range=range_between(document, start, end),
        detail=entry.detail or None,
        children=[symbol(document, each) for each in entry.inside] or None,
    )


def workspace_symbol(document: Document, uri: str, declared: Declaration) -> lsp.WorkspaceSymbol:
    """Return a declaration of a document as a symbol of the workspace."""
    place = lsp.Location(uri, range_between(document, *declared.place))
    kind, home = _KINDS[declared.kind][0], os.path.basename(document.name)
    return lsp.WorkspaceSymbol(location=place, name=declared.name, kind=kind, container_name=home)


def semantic_tokens(document: Document) -> lsp.SemanticTokens:
    """Return the coloured words as the protocol demands: each by its distance from the previous word."""
    data: list[int] = []
    line = column = 0
    for start, end, kind, declares in language_features.coloured(document):
        first, last = document.lines.position(start), document.lines.position(end)
        if first.line != last.line:
            continue
        token = _TOKENS.index(_KINDS[kind][2])
        data += [first.line - line, first.column - (column if first.line == line else 0)]
        data += [last.column - first.column, token, int(declares)]
        line, column = first
    return lsp.SemanticTokens(data)


def folding_ranges(document: Document) -> list[lsp.FoldingRange]:
    """Return the ranges of a document that an editor can fold."""
    kinds = {language_features.COMMENT: lsp.FoldingRangeKind.Comment}
    found = language_features.folds(document)
    return [lsp.FoldingRange(first, last, kind=kinds.get(kind)) for first, last, kind in found]


def code_lens(document: Document, uri: str, lens: Lens) -> lsp.CodeLens:
    """Return a code lens: a line above which the editor offers a command."""
    arguments: list[object] = [uri, lens.level] if lens.level else [uri]
    command = lsp.Command(title=lens.title, command=f"unpuzzle.{lens.command}", arguments=arguments)
    where = range_between(document, document.lines.starts[lens.line], document.lines.whole(lens.line)[1])
    return lsp.CodeLens(range=where, command=command)
