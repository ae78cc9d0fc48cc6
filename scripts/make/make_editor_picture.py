"""Draw the picture for the page on editors: a problem as an editor shows it, with answers of `unpuzzle.servers.lsp`.

The lens, the squiggle and the correction come from there; only the frame and the colours are drawn here.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

from unpuzzle.servers.lsp.diagnosing import faults_at_once, range_of
from unpuzzle.servers.lsp.jobs import lenses
from unpuzzle.servers.lsp.language_features import coloured
from unpuzzle.workspace.documents import Document, Documents

DOMAIN = """(define (domain river) (:requirements :strips :typing) (:types side thing)
  (:predicates (at ?t - thing ?s - side))
  (:action row :parameters (?t - thing ?a ?b - side)
    :precondition (at ?t ?a) :effect (and (not (at ?t ?a)) (at ?t ?b))))
"""
PROBLEM = """(define (problem crossing) (:domain river)
  (:objects left right - side wolf goat - thing)
  (:init (at wolf left) (at gaot left))
  (:goal (and (at wolf right) (at goat right))))
"""
WIDE, HIGH, LEFT = 8.43, 24, 54
CLASSES = {"keyword": "k", "type": "t", "predicate": "p", "constant": "c", "domain": "t", "problem": "t"}
STYLE = """text{font:14px ui-monospace,Menlo,Consolas,monospace;fill:#24292f;white-space:pre}
.b{fill:#fff;stroke:#d0d7de}.n{fill:#6e7781}.k{fill:#8250df}.t{fill:#0550ae}.p{fill:#116329}.c{fill:#953800}
.l{fill:#6e7781}.f{fill:#f6f8fa;stroke:#d0d7de}.s{fill:none;stroke:#cf222e;stroke-width:1.6}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.b{fill:#0d1117;stroke:#30363d}.n{fill:#8b949e}.k{fill:#d2a8ff}
.t{fill:#79c0ff}.p{fill:#7ee787}.c{fill:#ffa657}.l{fill:#8b949e}.f{fill:#161b22;stroke:#30363d}.s{stroke:#ff7b72}}"""


def main() -> None:
    documents = Documents()
    documents.open("/w/domain.pddl", DOMAIN)
    document = documents.open("/w/p01.pddl", PROBLEM)
    [fault] = [each for each in faults_at_once(documents, document) if each.severity == "error"]
    titles = " · ".join(lens.title for lens in lenses(documents, document))
    rows = [f'<text class="l" x="{LEFT}" y="{HIGH + 6}">{titles}</text>', *text_rows(document)]
    (line, column), (_, end) = document.lines.range(*range_of(document, fault))
    rows.append(squiggle(column, end, line))
    top = (len(document.lines.starts) + 1) * HIGH - 4
    rows.append(f'<rect class="f" x="{LEFT}" y="{top}" width="480" height="52" rx="4"/>')
    shown = (f"{fault.message} [{fault.code}]", f"quick fix: write {fault.fix.text if fault.fix else ''}")
    for number, sentence in enumerate(shown):
        style = ' class="k"' if number else ""
        place = f'x="{LEFT + 8}" y="{top + 20 + 21 * number}"'
        rows.append(f'<text{style} {place} style="font-size:12px">{escape(sentence)}</text>')
    height = top + 70
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 {height}" width="700" height="{height}">'
    frame = f'<style>{STYLE}</style><rect class="b" x=".5" y=".5" width="699" height="{height - 1}" rx="6"/>'
    path = Path(__file__).resolve().parents[2] / "docs" / "howto" / "connect" / "pictures" / "editor.svg"
    path.write_text("\n".join([head, frame, *rows, "</svg>", ""]), encoding="utf-8")


def text_rows(document: Document) -> list[str]:
    """Return the lines of the text with their numbers and colours."""
    rows = []
    words = coloured(document)
    for number, start in enumerate(document.lines.starts[:-1]):
        y = (number + 2) * HIGH + 4
        stop = document.text.index("\n", start)
        parts, at = [], start
        for first, last, kind, _ in [word for word in words if start <= word[0] < stop]:
            style = CLASSES.get(kind, "")
            parts += [
                escape(document.text[at:first]),
                f'<tspan class="{style}">{escape(document.text[first:last])}</tspan>',
            ]
            at = last
        rows.append(f'<text class="n" x="20" y="{y}">{number + 1}</text>')
        row = "".join([*parts, escape(document.text[at:stop])])
        rows.append(f'<text x="{LEFT}" y="{y}" textLength="{(stop - start) * WIDE}">{row}</text>')
    return rows


def squiggle(start: int, end: int, line: int) -> str:
    """Return a wave under some columns of a line."""
    x, y = LEFT + start * WIDE, (line + 2) * HIGH + 9
    waves = "".join("q2 -4 4 0 t4 0" for _ in range(round((end - start) * WIDE / 8)))
    return f'<path class="s" d="M{x:.1f} {y} {waves}"/>'


if __name__ == "__main__":
    main()
