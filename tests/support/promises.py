"""The sentences of the pages that promise something, and the tests that `tests/promises.md` has for them.

sentences("docs/project/stability.md")    what the page says: a list item, or a row of a table, is a sentence, too
told()                            for each page and sentence what its row in tests/promises.md names
promised_tests()                  {"tests/cli/test_commands.py::test_rows_name_theirs", ...}: never to be left out
"""

from __future__ import annotations

import re

from support.modules import ROOT

LISTED = ROOT / "tests" / "promises.md"
PAGES = {"docs/project/stability.md": r".*", "SECURITY.md": r".*", "README.md": r"\| exit code \|.*?\n\n"}
"""By page the part that promises: of README.md the table of exit codes."""
NOT_TESTABLE = "not testable: "


def sentences(page: str) -> list[str]:
    """Return the sentences of a page."""
    return cut((ROOT / page).read_text(), PAGES[page])


def cut(text: str, part: str = ".*") -> list[str]:
    """Return the sentences of a text; headings, examples, and sentences that begin with a link are none."""
    found = re.search(part, text, re.DOTALL)
    text = found[0] if found else ""
    text = re.sub(r"<!--[^>]* written by (\S+) -->.*?<!-- end of [^>]*-->", r"\1 writes this.", text, flags=re.DOTALL)
    text = re.sub(r"^```.*?^```$|^#[^\n]*$|^\|[^\n]*\n\|---[^\n]*$", "\n", text, flags=re.DOTALL | re.MULTILINE)
    told = []
    for block in re.split(r"\n\s*\n|\n(?=\||- |\d+\. )", text):
        words = re.sub(r"^(- |\d+\. )", "", " ".join(block.split()))
        told += [": ".join(cells_of(words))] if words.startswith("|") else re.split(r"(?<=[.!?]) ", words)
    return [re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words) for words in told if words and not words.startswith("[")]


def cells_of(row: str) -> list[str]:
    """Return the cells of a table's row."""
    return [cell.strip() for cell in row.strip().strip("|").split(" | ")]


def told() -> dict[str, dict[str, list[str]]]:
    """Return for each page and sentence its tests, or the reason why it has none."""
    pages: dict[str, dict[str, list[str]]] = {}
    for page, rows in re.findall(r"^## (\S+)\n(.*?)(?=^## |\Z)", LISTED.read_text(), re.DOTALL | re.MULTILINE):
        pairs = [cells_of(row) for row in rows.splitlines()[3:] if row]
        pages[page] = {
            sentence: [proof] if proof.startswith(NOT_TESTABLE) else proof.replace("`", "").split(", ")
            for sentence, proof in pairs
        }
        assert len(pages[page]) == len(pairs), f"a sentence of {page} stands twice"
    return pages


def promised_tests() -> set[str]:
    """Return the tests that a promise rests on, as `file::name`."""
    proofs = [proof for page in told().values() for proofs in page.values() for proof in proofs]
    return {f"tests/{proof}" for proof in proofs if not proof.startswith(NOT_TESTABLE)}
