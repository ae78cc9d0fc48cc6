"""Imports point one way, and heavy modules load late."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.annexes import annex_of
from support.modules import FOLDERS, ROOT, circles, files, graph, imports, module_of, product, tree
from unpuzzle.cli.commands import TOGETHER

LAYERS = """
    version base processes table
    pddl interop constraints drawing model planning
    rooms solving counting pddl_game state_space explanation verification generation experiments
    rendering play workspace untrusted up testing installation
    servers pytest_plugin cli __main__
    """.split()
"""The parts of the product in their order: each may import those before it, and itself."""
ROOMS = ("planners", "translators", "puzzlescript")
"""They never import each other, but that games in PuzzleScript may use the engine in the core."""


def _allowed(part: str) -> set[str]:
    """Return the parts that the files of a part may import."""
    before = LAYERS[: LAYERS.index("rooms" if part in ROOMS else part)]
    others = set(ROOMS) if "rooms" in before else {"planners"} if part == "puzzlescript" else set()
    return {*before, *others, part} - {"rooms"}


ALLOWED = {part: _allowed(part) for part in (*LAYERS, *ROOMS) if part != "rooms"}


def _part(name: str) -> str:
    """Return the part that a name belongs to: `unpuzzle.pddl.nodes` to `pddl`, what the face exports to the face."""
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def _wrong_imports(path: Path, root: Path) -> set[str]:
    """Return what a file imports and must not."""
    part = _part(module_of(path, root))
    if part == "__init__":
        return set()  # the face itself: whatever it names is loaded when it is used
    assert part in ALLOWED, f"{path.relative_to(root)} belongs to no part of the design"
    return {name for name in imports(path, root) if _part(name) not in ALLOWED[part]}


TABLE = "src/unpuzzle/table.py"
"""The only file that names modules of any room as texts, to load them by name."""


@pytest.mark.parametrize("folder", FOLDERS)
def test_modules_that_are_named_in_texts_point_the_same_way(folder: str) -> None:
    wrong = set()
    for path in files(folder):
        if path == ROOT / TABLE:
            continue
        part = _part(module_of(path, ROOT))
        for node in ast.walk(tree(path)):
            name = node.value if isinstance(node, ast.Constant) else None
            if part == "__init__" or not isinstance(name, str) or not re.fullmatch(r"unpuzzle(\.\w+)+", name):
                continue
            if _part(name) in ALLOWED and _part(name) not in ALLOWED[part]:
                wrong.add((path.relative_to(ROOT).as_posix(), name))
    assert not wrong


def test_imports_point_one_way() -> None:
    wrong = {path.relative_to(ROOT).as_posix(): _wrong_imports(path, ROOT) for path in product().values()}
    assert not {path: names for path, names in wrong.items() if names}


BESIDE_ANNEXES = ("unpuzzle.cli", "unpuzzle.installation", "unpuzzle.table")
"""The modules outside of the annexes that name all of them: the commands, what is installed, and the table of names."""


def test_the_heart_imports_no_annex() -> None:
    wrong = {}
    for module, path in product().items():
        if annex_of(module) is None and not module.startswith(BESIDE_ANNEXES):
            wrong[module] = {name for name in imports(path) if annex_of(name) is not None}
    assert not {module: names for module, names in wrong.items() if names}


@pytest.mark.parametrize(
    ("file", "statement"),
    [
        ("pddl/reading/reader.py", "from unpuzzle.planners import run"),
        ("pddl/reading/reader.py", "from ...result import Result"),
        ("planners/native/families.py", "import unpuzzle.translators.boxup"),
        ("planners/native/families.py", "from ...solving import solve"),
        ("planners/native/__init__.py", "from ...levels import generate"),
        ("translators/boxup.py", "from unpuzzle import planners"),
        ("translators/__init__.py", "from ..verification import check"),
        ("src/unpuzzle/model/game.py", "from unpuzzle.translators import find"),
        ("src/unpuzzle/planning/planner.py", "from .. import solving"),
        ("src/unpuzzle/base/text.py", "from unpuzzle.pddl.nodes import Plan"),
        ("src/unpuzzle/drawing/picture.py", "from unpuzzle.model.position import Game"),
        ("src/unpuzzle/model/game.py", "from unpuzzle.planning.planner import Result"),
        ("planners/reference.py", "from unpuzzle.puzzlescript import game"),
        ("src/unpuzzle/solving.py", "from unpuzzle.verification import check"),
        ("src/unpuzzle/verification/side_by_side.py", "from ..levels import generate"),
        ("src/unpuzzle/state_space/space.py", "def late():\n    from unpuzzle.generation.generating import generate"),
        ("src/unpuzzle/processes/pool.py", "from unpuzzle.planning.planner import Result"),
        ("src/unpuzzle/experiments/comparing.py", "from unpuzzle.cli.files import save"),
    ],
)
def test_a_wrong_import_is_seen(file: str, statement: str, tmp_path: Path) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text(statement + "\n")
    assert _wrong_imports(path, tmp_path)
    path.write_text("from __future__ import annotations\nfrom unpuzzle.base.errors import ParseError\n")
    assert not _wrong_imports(path, tmp_path)


def test_no_module_imports_the_package_itself() -> None:
    """What it exports is imported from where it stands."""
    assert not [name for name, others in graph().items() if "unpuzzle" in others and name != "unpuzzle"]


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Late imports and those for types included, but for a puzzle's heuristics, which name its rules for types only."""
    edges = graph()
    for name in edges:
        edges[name] -= {f"{name.removesuffix('heuristics')}rules"} if name.endswith(".heuristics") else set()
    assert not [" -> ".join(sorted(circle)) for circle in circles(edges)]


@pytest.mark.parametrize(
    ("edges", "expected"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, []),
        ({"a": {"b"}, "b": {"c"}, "c": {"b"}}, [{"b", "c"}]),
        ({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a", "e"}, "e": {"d"}}, [{"a", "b", "c"}, {"d", "e"}]),
    ],
)
def test_circles_are_seen(edges: dict[str, set[str]], expected: list[set[str]]) -> None:
    assert circles(edges) == expected


def _loaded_by(statement: str) -> set[str]:
    code = f"import sys; {statement}; print(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    loaded = {name.split(".")[0] for name in _loaded_by("import unpuzzle")}
    assert not loaded & {"unified_planning", "tarski", "numpy", "networkx", "psutil", "clingo", "argparse"}


def test_the_names_of_rooms_load_one_by_one() -> None:
    rooms = ["verification", "interop", "experiments", "generation", "rendering", "state_space"]
    loaded = _loaded_by(f"import {', '.join(f'unpuzzle.{room}' for room in rooms)}")
    assert not loaded & {"dataclasses", "multiprocessing", "random", "unpuzzle.planning.result", "unpuzzle.solving"}
    asked = "; ".join(f"[getattr(unpuzzle.{room}, name) for name in unpuzzle.{room}.__all__]" for room in rooms)
    assert _loaded_by(f"import {', '.join(f'unpuzzle.{room}' for room in rooms)}; {asked}")


def test_planning_loads_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "d.pddl").write_text(
        "(define (domain d) (:predicates (p) (q)) (:action a :parameters () :precondition (p) :effect (q)))"
    )
    (tmp_path / "p.pddl").write_text("(define (problem p) (:domain d) (:init (p)) (:goal (q)))")
    loaded = _loaded_by(f"from unpuzzle.cli import main; main(['plan', r'{tmp_path}/d.pddl', r'{tmp_path}/p.pddl'])")
    slow = {"dataclasses", "importlib.resources", "importlib.metadata", "subprocess", "tempfile", "psutil", "json"}
    assert not loaded & (slow | {"unified_planning", "tarski", "numpy", "networkx", "inspect", "typing", "shutil"})


def test_a_sound_task_loads_nothing_of_what_explains_faults() -> None:
    loaded = _loaded_by("from unpuzzle.cli import main; main(['solve', 'boxup', '1', '--quiet'])")
    late = {"explain", "faults", "linting", "query", "writer"}
    assert "unpuzzle.pddl.linting.soundness" in loaded
    assert not loaded & {
        "difflib",
        *(name for name in loaded if name.startswith("unpuzzle.pddl.") and name.rpartition(".")[2] in late),
    } - {"unpuzzle.pddl.linting"}  # the room


def test_a_small_level_is_solved_without_what_grades_levels_and_divides_them() -> None:
    loaded = _loaded_by("from unpuzzle.cli import main; main(['solve', 'boxup', '1', '--quiet'])")
    late = {"pictures", "candidates", "grading", "subgoals"}
    assert not [name for name in loaded if name.startswith("unpuzzle.") and name.rpartition(".")[2] in late]
    assert not loaded & {"dataclasses", "inspect", "typing", "tempfile"}


def test_a_small_level_of_rules_loads_nothing_of_pddl() -> None:
    loaded = _loaded_by("from unpuzzle.cli import main; main(['solve', 'storeroom', '1', '--quiet'])")
    assert "unpuzzle.puzzlescript.searching.searches" in loaded
    late = ("puzzlescript.pddl_encoding", "puzzlescript.debugging", "puzzlescript.searching.schedule")
    assert not [name for name in loaded if name.startswith(tuple(f"unpuzzle.{each}" for each in late))]


COMMANDS = files("src/unpuzzle/cli/commands")


def _with_options(path: Path) -> set[str]:
    """Return the functions and methods of a file that are given the options of a command line."""
    functions = [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef)]
    return {name.name for name in functions for each in name.args.args if "Namespace" in ast.dump(each)}


@pytest.mark.parametrize("path", COMMANDS, ids=lambda path: path.stem)
def test_a_command_reads_calls_and_presents(path: Path) -> None:
    """What is asked is a value after `read`: nothing later sees the options, not even what it calls."""
    if path.stem == "__init__":
        return
    own = {node.name for node in tree(path).body if isinstance(node, ast.FunctionDef)}
    endings = [f"_{command}" for command in TOGETHER.get(path.stem, ())] or [""]
    named = {
        part: {f"{part}{ending}" for ending in endings} for part in ("arguments", "own_arguments", "read", "present")
    }
    assert named["arguments"] | named["read"] | named["present"] <= own
    of_parser = named["arguments"] | named["own_arguments"]
    given = _with_options(path) - of_parser
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef) and node.name not in given | of_parser:
            called = {_called(call) for call in ast.walk(node) if isinstance(call, ast.Call)}
            assert not called & (given - named["read"]), f"{node.name} calls {called & given}"


def test_the_language_refuses_to_be_imported_under_a_bare_name() -> None:
    run = subprocess.run([sys.executable, "-c", "import pddl"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "import unpuzzle.pddl" in run.stderr


def test_library_code_never_prints_exits_or_moves() -> None:
    """But the command line, which is the edge: it writes and exits; and a copy of a process must not return."""
    ends = {"print", "sys.exit", "os.chdir", "exit", "quit", "os._exit"}
    copying = [ROOT / "src/unpuzzle/processes" / name for name in ("worker_server.py", "worker.py")]
    for path in product().values():
        if not path.is_relative_to(ROOT / "src/unpuzzle/cli"):
            calls = {ast.unparse(node.func) for node in ast.walk(tree(path)) if isinstance(node, ast.Call)}
            assert not calls & (ends - {"os._exit", "os.chdir"} if path in copying else ends), path


# ---- The core in C++ has rooms: what each may include, and no circles


CORE = ROOT / "planners" / "native" / "core"
MAY_INCLUDE = {
    "base": "",
    "task": "base",
    "state": "task",
    "storage": "base",
    "heuristics": "state",
    "pdbs": "heuristics",
    "symmetries": "state",
    "search": "storage pdbs symmetries",
    "plans": "search",
    "grounding": "task",
    "script": "storage search",
    "walking": "storage search",
    "boxes": "plans",
    "scheduling": "plans walking boxes",
    "": "grounding script scheduling",  # api.hpp, the public interface
    "python": "",  # the bindings, which nothing includes
}
"""By room the rooms that it may include, and what those may."""


def _may_include(room: str) -> set[str]:
    rooms = set(MAY_INCLUDE[room].split())
    return rooms.union(*(_may_include(other) for other in rooms), {room})


def _room(path: str) -> str:
    return path.rpartition("/")[0]


def includes(folder: Path) -> dict[str, set[str]]:
    """Return the files of the core that each file includes, by their paths below the folder."""
    return {
        path.relative_to(folder).as_posix(): set(re.findall(r'#include "([^"]+)"', path.read_text()))
        for path in folder.rglob("*.[ch]pp")
    }


def wrong(folder: Path) -> list[str]:
    return [
        f"{file} includes {other}"
        for file, others in includes(folder).items()
        for other in sorted(others)
        if _room(file) != "python" and _room(other) not in _may_include(_room(file))
    ]


def test_includes_point_one_way() -> None:
    assert {_room(file) for file in includes(CORE)} == set(MAY_INCLUDE)
    assert not wrong(CORE)


def test_a_wrong_include_is_seen(tmp_path: Path) -> None:
    (tmp_path / "base").mkdir()
    (tmp_path / "base" / "memory.hpp").write_text('#include "search/search.hpp"\n')
    assert wrong(tmp_path) == ["base/memory.hpp includes search/search.hpp"]


def test_all_that_is_included_is_there() -> None:
    assert not [(file, other) for file, others in includes(CORE).items() for other in others - set(includes(CORE))]


def test_files_that_comments_name_are_there() -> None:
    names = {name for path in CORE.rglob("*.[ch]pp") for name in (path.name, path.relative_to(CORE).as_posix())}
    missing = [
        f"{file}: {name}"
        for file in includes(CORE)
        for line in (CORE / file).read_text().splitlines()
        for name in re.findall(r"[\w/]+\.[ch]pp", line.partition("//")[2])
        if name not in names
    ]
    assert not missing


# ---- Functions stay short, and special subjects stay in their rooms


SUBJECTS = {
    "puzzlescript": ("puzzlescript/", "planners/native/core/script/", "planners/native/core/python/script"),
    r"clues?|clued": ("planners/clues/", "translators/crossword", "translators/sudoku/"),
}
"""By subject the beginnings of the paths that may speak of it."""

SPEAK_OF = {
    "puzzlescript": {
        "src/unpuzzle/__init__.py",
        "src/unpuzzle/servers/mcp/server.py",
        "src/unpuzzle/cli/commands/__init__.py",
        "src/unpuzzle/cli/commands/play.py",
        "src/unpuzzle/cli/commands/state_spaces.py",
        "src/unpuzzle/cli/commands/moves.py",
        "src/unpuzzle/table.py",
    },
    "clues?|clued": {
        "planners/__init__.py",
        "src/unpuzzle/cli/commands/explain.py",
        "src/unpuzzle/table.py",
        "src/unpuzzle/model/capabilities.py",
    },
}
"""Files outside of these rooms that name a subject: registries and the help of commands."""
LINES_OF_A_FUNCTION = 50
"""At most, docstrings aside."""


def _functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path in product().values():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path.relative_to(ROOT).as_posix()}: {node.name}", node


def _lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the number of lines of a function, without those of its docstring."""
    lines = function.end_lineno - function.lineno + 1
    if ast.get_docstring(function) is None:
        return lines
    docstring = function.body[0]
    return lines - (docstring.end_lineno - docstring.lineno + 1)


def test_functions_are_short() -> None:
    assert not {where for where, function in _functions() if _lines(function) > LINES_OF_A_FUNCTION}


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_special_subject_stays_in_its_rooms(subject: str) -> None:
    word = re.compile(rf"(?<![a-z])({subject})(?![a-z])", re.IGNORECASE)
    found = {
        path.relative_to(ROOT).as_posix()
        for folder in FOLDERS
        for path in files(folder, (".py", ".hpp", ".cpp"))
        if word.search(path.read_text())
    }
    outside = {path for path in found if not path.startswith(SUBJECTS[subject])}
    assert outside <= SPEAK_OF[subject]


# ---- runs are carried by the context

RUNS = {"Run", "part", "phase", "grace", "sooner", "detached", "run_of", "phase_of", "whole_run", "usually", "begin"}
"""What begins a run, or a phase of one."""
THREADS = {"Thread", "submit", "start_new_thread", "to_thread", "run_in_executor"}
WITHOUT_A_RUN = {
    "planners/constraint.py": "calls a library, while the caller looks at the limits",
    "src/unpuzzle/servers/lsp/server.py": "reads what the editor says",
    "src/unpuzzle/servers/mcp/server.py": "reads what the client says",
    "src/unpuzzle/cli/alarm.py": "rings",
    "src/unpuzzle/cli/signals.py": "sends a signal again",
    "src/unpuzzle/untrusted/repairing.py": "waits for a host",
    "src/unpuzzle/processes": "starts and watches processes, which have limits of their own",
    "src/unpuzzle/servers/studio": "answers requests within limits of their own",
    "src/unpuzzle/servers/watch.py": "waits for saves",
}
"""Files and folders whose threads need no run, and why."""


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a block, without the functions that are defined there."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            yield from _inside(child)


def _called(call: ast.AST) -> str:
    """Return the last name of what is called; nothing for what is no call."""
    return ast.unparse(call.func).rpartition(".")[2] if isinstance(call, ast.Call) else ""


def yields_in_runs(module: ast.AST) -> list[int]:
    """Return the lines of blocks of a run in which a generator yields: its run would be that of whoever asks it."""
    blocks = [node for node in ast.walk(module) if isinstance(node, ast.With)]
    runs = [block for block in blocks if any(_called(item.context_expr) in RUNS for item in block.items)]
    return [
        block.lineno for block in runs if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in _inside(block))
    ]


def threads_without_runs(module: ast.AST) -> list[int]:
    """Return the lines that start a thread with a function that was not handed the current run."""
    calls = [node for node in ast.walk(module) if isinstance(node, ast.Call) and _called(node) in THREADS]
    given = [
        (call, [*call.args[:1], *[word.value for word in call.keywords if word.arg == "target"]]) for call in calls
    ]
    return [call.lineno for call, functions in given if "handed" not in map(_called, functions)]


def test_no_generator_yields_in_the_block_of_a_run() -> None:
    found = {path: yields_in_runs(tree(path)) for path in product().values()}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_threads_are_handed_the_run_of_whoever_starts_them() -> None:
    found = {path.relative_to(ROOT).as_posix() for path in product().values() if threads_without_runs(tree(path))}
    excused = {path for path in found if any(path.startswith(place) for place in WITHOUT_A_RUN)}
    assert found == excused
    assert [place for place in WITHOUT_A_RUN if not any(path.startswith(place) for path in found)] == []


@pytest.mark.parametrize(
    ("text", "yields", "threads"),
    [
        ("def f():\n with Run(limits):\n  yield 1", [2], []),
        ("def f():\n with a, part('x') as p:\n  for x in y:\n   yield from x", [2], []),
        ("def f():\n with limits.phase('x'):\n  def g():\n   yield 1\n yield 2", [], []),
        ("Thread(target=work).start()", [], [1]),
        ("pool.submit(work, 1)\npool.submit(handed(work), 1)", [], [1]),
        ("Thread(name='x', target=handed(work))", [], []),
    ],
)
def test_a_run_that_leaks_is_seen(text: str, yields: list[int], threads: list[int]) -> None:
    module = ast.parse(text)
    assert (yields_in_runs(module), threads_without_runs(module)) == (yields, threads)
