"""Write the addresses of contact.toml into the files that contain them.

    python scripts/releasing/contact.py            write them; prints the files that changed
    python scripts/releasing/contact.py --check    change nothing; exit code 1 if a file is not up to date

In each file they are between two comments, `contact NAME` and `end of contact`. Missing addresses are left out.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(
    r"^(?P<head>(?:#|<!--) contact (?P<name>\w+).*\n)(?P<body>(?:.*\n)*?)(?P<tail>(?:#|<!--) end of contact)", re.M
)
Contact = dict[str, str]
URLS = {
    "homepage": "Homepage",
    "documentation": "Documentation",
    "repository": "Repository",
    "issues": "Issues",
}
"""By its name in contact.toml, the label of an address in the distribution's metadata."""


def quoted(text: str) -> str:
    """Return a text as TOML and YAML both read it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def authors(contact: Contact, _: str) -> list[str]:
    """Return the author, with an e-mail address if there is one."""
    email = f", email = {quoted(contact['email'])}" if "email" in contact else ""
    return [f'authors = [{{ name = "unpuzzle developers"{email} }}]']


def urls(contact: Contact, _: str) -> list[str]:
    """Return the addresses for the metadata of the distribution."""
    lines = [f"{label} = {quoted(contact[name])}" for name, label in URLS.items() if name in contact]
    if "repository" in contact:
        lines.append(f"Changelog = {quoted(contact['repository'] + '/blob/main/CHANGELOG.md')}")
    return ["[project.urls]", *lines] if lines else []


def citation(contact: Contact, _: str) -> list[str]:
    """Return the addresses for citations of the program."""
    names = {"repository-code": "repository", "url": "homepage"}
    return [f"{field}: {quoted(contact[name])}" for field, name in names.items() if name in contact]


def report(contact: Contact, _: str) -> list[str]:
    """Return the way to report a security fault."""
    if "security" not in contact:
        return [
            "No private address is published yet: `contact.toml` will have it. Until then open an issue that says that",
            "you have found a security bug, without saying how it is used; the developers will ask for the rest.",
        ]
    return [f"Tell it in private, to {contact['security']}, not in an issue."]


def links(contact: Contact, _: str) -> list[str]:
    """Return the links beside the forms for issues."""
    if "security" not in contact:
        return []
    url = contact["security"] if "://" in contact["security"] else f"mailto:{contact['security']}"
    return [
        "contact_links:",
        "  - name: A security bug",
        f"    url: {quoted(url)}",
        "    about: Report it in private; SECURITY.md says what is promised.",
    ]


def releases(contact: Contact, text: str) -> list[str]:
    """Return a link for each version of the changelog."""
    if "repository" not in contact:
        return []
    versions = re.findall(r"^## \[(\d[^\]]*)\]", text, re.M)
    return [f"[{version}]: {contact['repository']}/releases/tag/v{version}" for version in versions]


def pictures(contact: Contact, text: str) -> list[str]:
    """Return the pictures, with absolute addresses if there is a repository: a package index shows no relative ones."""
    shown = re.findall(r'<img src="[^"]*?(docs/pictures/[\w-]+\.svg)[^"]*"(.*)>$', text, re.M)
    form = f"{contact['repository']}/raw/main/{{}}?sanitize=true" if "repository" in contact else "{}"
    return ["<p>", *(f'  <img src="{form.format(path)}"{rest}>' for path, rest in shown), "</p>"]


def addresses(contact: Contact, text: str) -> list[str]:
    """Return the address of each file that a link of the form `[words][path]` names."""
    return [f"[{path}]: {_address(contact, path)}" for path in sorted(set(re.findall(r"\]\[([\w/.-]+)\]", text)))]


def _address(contact: Contact, path: str) -> str:
    """Return a page of the documentation, else a file of the repository, else the path itself."""
    if "documentation" in contact and path.startswith("docs/"):
        return f"{contact['documentation']}/{path.removeprefix('docs/').removesuffix('.md')}.html"
    return f"{contact['repository']}/blob/main/{path}" if "repository" in contact else path


BLOCKS: dict[str, dict[str, Callable[[Contact, str], list[str]]]] = {
    "pyproject.toml": {"authors": authors, "urls": urls},
    "CITATION.cff": {"citation": citation},
    "SECURITY.md": {"report": report},
    ".github/ISSUE_TEMPLATE/config.yml": {"links": links},
    "CHANGELOG.md": {"releases": releases},
    "README.md": {"pictures": pictures, "links": addresses},
}
"""By file and name of a block, the function for its lines."""


def read_contact(root: Path) -> Contact:
    """Return the non-empty addresses. Raises SystemExit for an unused name."""
    table = tomllib.loads((root / "contact.toml").read_text(encoding="utf-8"))
    unknown = set(table) - {*URLS, "email", "security"}
    if unknown:
        raise SystemExit(f"contact.toml: nothing uses {', '.join(sorted(unknown))}")
    return {name: value.rstrip("/") for name, value in table.items() if value}


def renewed(name: str, text: str, contact: Contact) -> str:
    """Return a file's text with its blocks brought up to date. Raises SystemExit if a block is missing."""
    lacking = set(BLOCKS[name]) - {match["name"] for match in BLOCK.finditer(text)}
    if lacking:
        raise SystemExit(f"{name}: there is no block 'contact {lacking.pop()}'")

    def block(match: re.Match[str]) -> str:
        lines = BLOCKS[name][match["name"]](contact, text)
        return match["head"] + "".join(f"{line}\n" for line in lines) + match["tail"]

    return BLOCK.sub(block, text)


def stale(root: Path) -> dict[Path, str]:
    """Return the outdated files, each with its correct text."""
    contact = read_contact(root)
    texts = {root / name: (root / name).read_text(encoding="utf-8") for name in BLOCKS}
    should = {path: renewed(path.relative_to(root).as_posix(), text, contact) for path, text in texts.items()}
    return {path: text for path, text in should.items() if text != texts[path]}


def main(words: list[str], root: Path = ROOT) -> int:
    """Write or check; return the exit code."""
    files = stale(root)
    for path, text in files.items():
        print(path.relative_to(root).as_posix())
        if "--check" not in words:
            path.write_text(text, encoding="utf-8")
    return int("--check" in words and bool(files))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
