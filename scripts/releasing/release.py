"""Make a release of the commit that is checked out. Nothing leaves this machine: pushing and uploading are for people.

    scripts/release                   all steps
    scripts/release --dry-run         all but the tag, and no file stays
    scripts/release --tested          .ci/run has passed on this commit elsewhere; it is not run again
    scripts/release --wheels DIR      release the wheels that CI has built of this commit, instead of one built here
    scripts/release --once            do not build everything a second time

1. The tree is clean; the version is newer than all tags; the changelog has a dated section for it, and nothing that is
   unreleased; the addresses of contact.toml are in their places. All faults are reported at once.
2. `.ci/run` passes.
3. The source distribution is built from the commit, the wheel from the source distribution. Times are those of the
   commit (SOURCE_DATE_EPOCH), paths of this machine are left out, and a second build gives the same bytes.
4. dist/VERSION/ gets them, with SHA256SUMS, and NOTES.md, which is the changelog's section.
5. The commit gets the tag vVERSION, with the same notes.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from argparse import ArgumentParser, Namespace
from datetime import date
from pathlib import Path

from contact import stale
from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).resolve().parents[2]
HEADING = re.compile(r"^## \[(?P<version>[^\]]+)\](?: - (?P<date>\S+))?$", re.M)
SUMS, NOTES = "SHA256SUMS", "NOTES.md"


def git(root: Path, *words: str) -> str:
    """Return the output of git. Raises SystemExit if it fails."""
    shown = subprocess.run(["git", *words], cwd=root, check=False, capture_output=True, text=True)
    if shown.returncode:
        raise SystemExit(f"release: git {words[0]}: {shown.stderr.strip()}")
    return shown.stdout.strip()


def version_of(root: Path) -> str:
    """Return the version, from the only module that contains it."""
    [version] = re.findall(r'^__version__ = "(.*)"$', (root / "src/unpuzzle/version.py").read_text(), re.M)
    return str(version)


def sections(changelog: str) -> dict[str, tuple[str | None, str]]:
    """Return the sections of a changelog by version, each with its date and its text."""
    heads = list(HEADING.finditer(changelog))
    ends = [head.start() for head in heads[1:]] + [len(changelog)]
    texts = [changelog[head.end() : end] for head, end in zip(heads, ends, strict=True)]
    # Links to versions stand below the last section.
    plain = [re.split(r"^(?:<!-- contact|\[[^\]]+\]: )", text, maxsplit=1, flags=re.M)[0].strip() for text in texts]
    return {head["version"]: (head["date"], text) for head, text in zip(heads, plain, strict=True)}


def faults(root: Path, version: str) -> list[str]:
    """Return all reasons against releasing the commit, a sentence each."""
    wrong = []
    if changes := git(root, "status", "--porcelain"):
        wrong.append(f"the tree is not clean:\n{changes}")
    try:
        new = Version(version)
        tags = [Version(tag[1:]) for tag in git(root, "tag", "--list", "v[0-9]*").split()]
        if tags and max(tags) >= new:
            wrong.append(f"version {version} is not newer than the tag v{max(tags)}")
    except InvalidVersion as error:
        wrong.append(str(error))
    wrong += _faults_of_changelog((root / "CHANGELOG.md").read_text(encoding="utf-8"), version)
    wrong += [
        f"{path.relative_to(root).as_posix()} has other addresses than contact.toml: run scripts/releasing/contact.py"
        for path in stale(root)
    ]
    return wrong


def _faults_of_changelog(changelog: str, version: str) -> list[str]:
    known = sections(changelog)
    if version not in known:
        return [f"the changelog has no section for {version}"]
    wrong = []
    day, text = known[version]
    if not text:
        wrong.append(f"the changelog's section for {version} is empty")
    try:
        date.fromisoformat(day or "")
    except ValueError:
        wrong.append(f"the changelog's section for {version} has no date such as 2031-12-24")
    if known.get("Unreleased", (None, ""))[1]:
        wrong.append(f"the changelog has entries under Unreleased: they belong under {version}, or it is not finished")
    return wrong


def build(root: Path, commit: str, into: Path, *, wheel: bool) -> None:
    """Build the source distribution of a commit and, from that, the wheel: the same bytes each time."""
    with tempfile.TemporaryDirectory() as folder:
        source, unpacked = Path(folder, "source"), Path(folder, "unpacked")
        archive = Path(folder, "commit.tar")
        git(root, "archive", "--output", str(archive), commit)
        _unpack(archive, source)
        epoch = git(root, "log", "-1", "--format=%ct", commit)
        _build(source, into, "--sdist", epoch)
        if wheel:
            [sdist] = into.glob("*.tar.gz")
            _unpack(sdist, unpacked)
            [tree] = unpacked.iterdir()
            _build(tree, into, "--wheel", epoch)


def _unpack(archive: Path, folder: Path) -> None:
    with tarfile.open(archive) as file:
        file.extractall(folder, filter="data")


def _build(tree: Path, into: Path, kind: str, epoch: str) -> None:
    """Build with the tools of this environment, so that both builds use the same tools."""
    flags = f"{os.environ.get('CXXFLAGS', '')} -ffile-prefix-map={tree}=."
    environment = os.environ | {"SOURCE_DATE_EPOCH": epoch, "PYTHONHASHSEED": "0", "CXXFLAGS": flags.strip()}
    command = [sys.executable, "-m", "build", "--no-isolation", kind, "--outdir", str(into), str(tree)]
    shown = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if shown.returncode:
        raise SystemExit(f"{' '.join(command)}\n{shown.stdout}{shown.stderr}")


def hashes(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each distribution in a folder, by name."""
    paths = sorted([*folder.glob("*.tar.gz"), *folder.glob("*.whl")])
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def collect(root: Path, version: str, folder: Path, options: Namespace) -> dict[str, str]:
    """Put the distributions of a version into a folder; return their hashes.

    Raises SystemExit if two builds differ, or the files are not a release of this version.
    """
    build(root, options.commit, folder, wheel=options.wheels is None)
    if not options.once:
        with tempfile.TemporaryDirectory() as other:
            build(root, options.commit, Path(other), wheel=options.wheels is None)
            differing = sorted(hashes(folder).items() ^ hashes(Path(other)).items())
            if differing:
                raise SystemExit(f"release: two builds differ: {', '.join(dict(differing))}")
    for path in sorted(Path(options.wheels).glob("*.whl")) if options.wheels else ():
        shutil.copy2(path, folder)
    sums = hashes(folder)
    ours = (f"unpuzzle-{version}-", f"unpuzzle-{version}.tar.gz")
    if foreign := [name for name in sums if not name.startswith(ours)]:
        raise SystemExit(f"release: these are not of version {version}: {', '.join(foreign)}")
    if not any(name.endswith(".whl") for name in sums):
        raise SystemExit("release: there is no wheel")
    return sums


def main(words: list[str], root: Path = ROOT) -> int:
    """Release; return the exit code."""
    parser = ArgumentParser(prog="scripts/release", description="Check, build, hash and tag a release.")
    parser.add_argument("--dry-run", action="store_true", help="make no tag, and leave no file")
    parser.add_argument("--tested", action="store_true", help=".ci/run has passed on this commit elsewhere")
    parser.add_argument("--wheels", metavar="DIR", help="wheels that CI has built of this commit")
    parser.add_argument("--once", action="store_true", help="do not build everything a second time")
    options = parser.parse_args(words)
    version, options.commit = version_of(root), git(root, "rev-parse", "HEAD")
    if wrong := faults(root, version):
        print(*(f"release: {sentence}" for sentence in wrong), sep="\n", file=sys.stderr)
        return 1
    if not options.tested and subprocess.run([root / ".ci/run"], cwd=root, check=False).returncode:
        raise SystemExit("release: .ci/run does not pass")
    with tempfile.TemporaryDirectory() as folder:
        sums = collect(root, version, Path(folder), options)
        text = "".join(f"{digest}  {name}\n" for name, digest in sums.items())
        print(text, end="")
        if options.dry_run:
            print(f"a dry run: nothing is kept, and there is no tag v{version}")
            return 0
        Path(folder, SUMS).write_text(text)
        notes = f"unpuzzle {version}\n\n{sections((root / 'CHANGELOG.md').read_text(encoding='utf-8'))[version][1]}\n"
        Path(folder, NOTES).write_text(notes, encoding="utf-8")
        dist = root / "dist" / version
        shutil.rmtree(dist, ignore_errors=True)
        shutil.copytree(folder, dist)
        git(root, "tag", "--annotate", "--cleanup=verbatim", "--file", str(dist / NOTES), f"v{version}", options.commit)
    print(f"dist/{version}/ and the tag v{version} are made. To publish them:")
    print(f"  git push origin v{version}")
    print(f"  python -m twine upload dist/{version}/*.tar.gz dist/{version}/*.whl")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
