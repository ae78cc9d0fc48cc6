"""Sphinx extension that makes the pages of the reference from the code; tests call `pages()`.

    inventory   which names are public               api             a page for each group of names
    docstrings  docstrings as Markdown               capability_pages  examples of capabilities
    commands    a page for each command              codes           fault codes, statuses, exit codes
    shapes      the objects that are printed as JSON     schemas     JSON Schema of them; samples: real answers
    pddl_features   supported features of PDDL       script_features   supported features of PuzzleScript

`pages()` returns all of them by path; `setup` has Sphinx write them into `docs/reference` before it reads the pages.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

WRITTEN = ("index.md", "planners.md", "level-formats.md", "glossary.md")
"""The pages that people write; all others in the folder are made, and not kept by git."""
STAMP = ".stamp"
PRODUCT = ("src", "pddl", "planners", "puzzlescript", "translators")


def pages() -> dict[str, str]:
    """Return the text of each made page, by its path below `docs/reference`."""
    from reference_pages import api, codes, commands, pddl_features, schemas, script_features

    texts: dict[str, str] = {}
    for module in (api, commands, codes, schemas, pddl_features, script_features):
        texts |= module.pages()
    return texts


def write(folder: Path) -> None:
    """Write all made pages into a folder if the code has changed; remove pages that are no longer made."""
    stamp, now = folder / STAMP, fingerprint(folder.parents[1])
    if stamp.exists() and stamp.read_text(encoding="utf-8") == now:
        return
    texts = pages()
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for path in folder.rglob("*.*"):
        if path.relative_to(folder).as_posix() not in {*texts, *WRITTEN, STAMP}:
            path.unlink()
    stamp.write_text(now, encoding="utf-8")


def fingerprint(root: Path) -> str:
    """Return a hash over the names and times of the code, of this folder and of the tested facts."""
    folders = (*PRODUCT, Path(__file__).parent.relative_to(root).as_posix(), "tests/golden/puzzlescript")
    paths = [path for folder in folders for path in sorted((root / folder).rglob("*.*")) if path.is_file()]
    seen = [f"{path} {path.stat().st_mtime_ns}" for path in paths if path.suffix != ".pyc"]
    return sha256("\n".join(seen).encode()).hexdigest()


def setup(app: Any) -> dict[str, Any]:
    """Register the extension."""
    from docutils import nodes

    def make(app: Any) -> None:
        write(Path(app.srcdir) / "reference")

    def missing(app: Any, env: Any, node: Any, contents: nodes.Node) -> nodes.Node | None:
        """Resolve short names of our classes in signatures; other names, such as `int`, stay plain text."""
        if node.get("refdomain") != "py":
            return None
        from reference_pages.api import target_of

        target = node["reftarget"]
        path = target_of(target)
        if path is not None and path != target:
            domain = env.get_domain("py")
            return domain.resolve_xref(env, node["refdoc"], app.builder, "obj", path, node, contents)
        return contents if node.get("reftype") == "class" and not target.startswith("unpuzzle") else None

    app.connect("builder-inited", make)
    app.connect("missing-reference", missing)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
