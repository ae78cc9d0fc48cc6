"""scripts/release, on a small project of the same form: what it refuses, what it builds, and that it tags."""

import hashlib
import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from support.modules import ROOT

pytest.importorskip("build")
pytest.importorskip("scikit_build_core")
if shutil.which("git") is None:
    pytest.skip("git is not installed", allow_module_level=True)

CHANGELOG = """# Changelog

## [Unreleased]

## [1.2.0] - 2026-12-24
### Added
- `# a heading` and more.

## [1.1.0] - 2026-11-11
### Added
- Less.

<!-- contact releases -->
<!-- end of contact -->
"""


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(ROOT / "scripts" / "releasing")
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "somebody")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "somebody@example.org")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    import release

    return release


def git(project: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=project, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def project(release, tmp_path: Path) -> Path:
    """A clone of a project without a core, whose checks pass."""
    root = tmp_path / "clone"
    for name in ("README.md", "CITATION.cff", "SECURITY.md", ".github/ISSUE_TEMPLATE/config.yml", "contact.toml"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    (root / "CHANGELOG.md").write_text(CHANGELOG)
    (root / "src/unpuzzle").mkdir(parents=True)
    (root / "src/unpuzzle/__init__.py").write_text("")
    (root / "src/unpuzzle/version.py").write_text('__version__ = "1.2.0"\n')
    settings = (ROOT / "pyproject.toml").read_text()
    head, _, _ = settings.partition("[tool.scikit-build]")
    lines = [line for line in head.splitlines() if not line.startswith(("readme", "license-files"))]
    wheel = '[tool.scikit-build]\nwheel.cmake = false\nwheel.packages = ["src/unpuzzle"]\n'
    (root / "pyproject.toml").write_text("\n".join([*lines, wheel]))
    (root / ".gitignore").write_text("/dist/\n")
    (root / ".ci").mkdir()
    (root / ".ci/run").write_text("#!/bin/sh\necho checked\n")
    (root / ".ci/run").chmod(0o755)
    git(root, "init", "--quiet")
    commit(root)
    return root


def commit(project: Path) -> None:
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "a change")


def change(project: Path, name: str, old: str, new: str) -> None:
    text = (project / name).read_text()
    assert old in text
    (project / name).write_text(text.replace(old, new))


def test_a_release(release, project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert release.main([], project) == 0
    out = capfd.readouterr().out
    dist = project / "dist/1.2.0"
    names = ["NOTES.md", "SHA256SUMS", "unpuzzle-1.2.0-py3-none-any.whl", "unpuzzle-1.2.0.tar.gz"]
    assert sorted(path.name for path in dist.iterdir()) == names
    for line in (dist / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split("  ")
        assert hashlib.sha256((dist / name).read_bytes()).hexdigest() == digest
        assert line in out
    assert (dist / "NOTES.md").read_text() == "unpuzzle 1.2.0\n\n### Added\n- `# a heading` and more.\n"
    with zipfile.ZipFile(dist / names[2]) as wheel:
        assert "Version: 1.2.0\n" in wheel.read("unpuzzle-1.2.0.dist-info/METADATA").decode()
    assert git(project, "tag", "--list", "--format=%(contents)").strip() == (dist / "NOTES.md").read_text().strip()
    assert git(project, "rev-parse", "v1.2.0^{commit}") == git(project, "rev-parse", "HEAD")
    assert out.startswith("checked\n")
    assert "git push origin v1.2.0" in out
    assert release.main([], project) == 1
    assert "version 1.2.0 is not newer than the tag v1.2.0" in capfd.readouterr().err


def test_the_same_commit_gives_the_same_bytes_elsewhere(release, project: Path, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere" / "with a blank"
    subprocess.run(["git", "clone", "--quiet", project, other], check=True)
    for root in (project, other):
        assert release.main(["--tested", "--once"], root) == 0
    assert release.hashes(project / "dist/1.2.0") == release.hashes(other / "dist/1.2.0") != {}


def test_a_dry_run_leaves_nothing(release, project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert release.main(["--dry-run", "--tested"], project) == 0
    out = capfd.readouterr().out
    assert "unpuzzle-1.2.0.tar.gz\n" in out
    assert "checked" not in out
    assert not (project / "dist").exists()
    assert git(project, "tag", "--list") == ""


def test_checks_that_fail_end_it(release, project: Path) -> None:
    (project / ".ci/run").write_text("#!/bin/sh\nexit 1\n")
    commit(project)
    with pytest.raises(SystemExit, match="does not pass"):
        release.main([], project)
    assert git(project, "tag", "--list") == ""


@pytest.mark.parametrize(
    ("name", "old", "new", "said"),
    [
        ("CHANGELOG.md", "## [1.2.0] - 2026-12-24", "## [1.2.1] - 2026-12-24", "no section for 1.2.0"),
        ("CHANGELOG.md", " - 2026-12-24", "", "has no date"),
        ("CHANGELOG.md", "2026-12-24", "2026-24-12", "has no date"),
        ("CHANGELOG.md", "### Added\n- `# a heading` and more.\n", "", "is empty"),
        ("CHANGELOG.md", "## [Unreleased]\n", "## [Unreleased]\n### Fixed\n- Something.\n", "entries under Unreleased"),
        ("contact.toml", 'homepage = ""', 'homepage = "https://example.org"', "other addresses than contact.toml"),
        ("src/unpuzzle/version.py", "1.2.0", "one", "Invalid version: 'one'"),
    ],
)
def test_what_is_not_ready_is_refused(
    name: str, old: str, new: str, said: str, release, project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    change(project, name, old, new)
    commit(project)
    assert release.main(["--tested", "--once"], project) == 1
    assert said in capfd.readouterr().err
    assert not (project / "dist").exists()


def test_a_folder_that_is_no_clone_is_refused(release, project: Path) -> None:
    shutil.rmtree(project / ".git")
    with pytest.raises(SystemExit, match="release: git rev-parse: "):
        release.main(["--tested"], project)


def test_a_tree_that_is_not_clean_is_refused(release, project: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (project / "more.txt").write_text("")
    assert release.main(["--tested"], project) == 1
    assert "?? more.txt" in capfd.readouterr().err


def test_wheels_of_ci_are_released_instead(release, project: Path, tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    (wheels / "unpuzzle-1.2.0-cp312-abi3-win_amd64.whl").write_text("bytes")
    assert release.main(["--tested", "--once", "--wheels", str(wheels)], project) == 0
    sums = release.hashes(project / "dist/1.2.0")
    assert list(sums) == ["unpuzzle-1.2.0-cp312-abi3-win_amd64.whl", "unpuzzle-1.2.0.tar.gz"]


@pytest.mark.parametrize("name", ["unpuzzle-1.1.0-py3-none-any.whl", "unpuzzle-1.2.0rc1-py3-none-any.whl", None])
def test_other_wheels_are_refused(name: str | None, release, project: Path, tmp_path: Path) -> None:
    if name is not None:
        (tmp_path / name).write_text("bytes")
    with pytest.raises(SystemExit, match="not of version 1.2.0" if name else "there is no wheel"):
        release.main(["--tested", "--once", "--wheels", str(tmp_path)], project)
    assert git(project, "tag", "--list") == ""


def test_builds_that_differ_are_refused(release, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    digits = iter("0123")
    monkeypatch.setattr(release, "hashes", lambda folder: {"unpuzzle-1.2.0.tar.gz": next(digits)})
    with pytest.raises(SystemExit, match=r"two builds differ: unpuzzle-1\.2\.0\.tar\.gz"):
        release.main(["--tested"], project)
