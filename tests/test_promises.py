"""Each sentence of the pages that promise something has its test in tests/promises.md."""

import ast

import pytest

from support.modules import ROOT, tree
from support.promises import NOT_TESTABLE, PAGES, cut, promised_tests, sentences, told


@pytest.mark.parametrize("page", PAGES)
def test_every_sentence_has_a_row(page: str) -> None:
    said, listed = sentences(page), told()[page]
    assert len(said) == len(set(said)) > 5
    assert not [sentence for sentence in said if sentence not in listed], f"no row in tests/promises.md, of {page}"
    assert not [sentence for sentence in listed if sentence not in said], f"{page} does not say this any more"


def test_every_test_is_there() -> None:
    lost = [name for name in sorted(promised_tests()) if not _is_there(*name.partition("::")[::2])]
    assert not lost, f"named in tests/promises.md, and gone: {lost}"


def _is_there(file: str, function: str) -> bool:
    path = ROOT / file
    return path.is_file() and any(
        isinstance(node, ast.FunctionDef) and node.name == function for node in tree(path).body
    )


def test_few_sentences_have_no_test() -> None:
    proofs = [proof for page in told().values() for proof in page.values()]
    without = [proof[0] for proof in proofs if proof[0].startswith(NOT_TESTABLE)]
    assert len(without) <= 0.2 * len(proofs)
    assert all(reason.removeprefix(NOT_TESTABLE).strip() for reason in without)


def test_a_page_is_cut_into_sentences() -> None:
    text = """# A heading. It says nothing.

<!-- contact report: written by scripts/releasing/contact.py -->
Any words. At all.
<!-- end of contact -->

One sentence, see [a page](of.md). Another of
two lines: `v1.2`? Yes!
- an item;
1. a step. And more

| what | means |
|---|---|
| a `b` | c. D |

```console
$ not this. Nor this.
```
[docs/other.md](other.md) has more.
"""
    assert cut(text) == [
        *(
            "scripts/releasing/contact.py writes this.",
            "One sentence, see a page.",
            "Another of two lines: `v1.2`?",
            "Yes!",
        ),
        *("an item;", "a step.", "And more", "a `b`: c. D"),
    ]
    assert cut("a\n| exit code | b |\n|---|---|\n| 0 | c |\n\nd", PAGES["README.md"]) == ["0: c"]
