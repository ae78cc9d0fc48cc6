"""Sample command lines, run one after the other in an empty folder; their JSON output is compared with the schemas.

The pages of schemas show their answers; the tests compare all of them with the schemas.
"""

from __future__ import annotations

import io
import json
import shlex
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from unpuzzle.cli import main

FILES = {
    "plan.txt": "(move c22 c12)\n",
    "faulty.pddl": "(define (domain d) (:predicates (p ?x - blok)) (:action a :parameters () :effect (q)))\n",
    "small.sok": "; One\n\n#####\n#@$.#\n#####\nSolution: R\n\n; Two\n\n######\n#@$ .#\n######\n",
    "components.py": "def successors(state):\n    return []\n\ndef is_goal(state):\n    return False\n",
    "runs.jsonl": "".join(
        json.dumps(
            {
                "schema": "unpuzzle/run/1",
                "key": f"{planner}-{task}",
                "domain": "hanoi",
                "task": task,
                "planner": planner,
                "configuration": planner,
                "status": "solved",
                "cost": cost,
                "valid": True,
                "cpu": seconds,
                "wall": seconds,
                "limits": {"time": 10, "cpu": None, "memory": None},
            }
        )
        + "\n"
        for planner, task, cost, seconds in (
            ("native", "3", 7, 0.02),
            ("native", "4", 15, 0.03),
            ("lama", "3", 7, 0.2),
            ("lama", "4", 17, 0.31),
        )
    ),
}
"""What lies in the folder at the beginning."""
SAMPLES = """
pddl: pddl boxup 1 --output task
pddl: pddl hanoi 3 --output hanoi
result: solve boxup 1
result: plan task/domain.pddl task/problem.pddl
result: solve sliding-tiles 8-unsolvable --planner rules:astar
result: solve sudoku 4x4 --count 2
result: solve pacman room --planner subgoals
solve: solve sokoban small.sok
solve: solve sokoban small.sok -o solved.sok
check: check boxup 1
check: check boxup 1 --max-states 3
check-heuristic: check sliding-tiles 2x3 --heuristic misplaced
same: diff task/domain.pddl task/problem.pddl task/domain.pddl task/problem.pddl
same: diff task/domain.pddl task/problem.pddl hanoi/domain.pddl hanoi/problem.pddl
explore: explore boxup 1
explore: explore boxup 1 --max-states 3
explore: explore sokoban 1 --traps --picture traps.svg
survey: survey boxup 1 2
survey: survey lights-out
rules: survey storeroom --rule-coverage
result: solve boxup 2 --anytime
experiment: experiment hanoi --levels 3 --planners native native:bfs
check-levels: check boxup 1 2
compare: compare boxup 1 --algorithms bfs astar
compare: compare pacman perfect --algorithms mouse --seeds 3
report: report runs.jsonl
report: report runs.jsonl --compare runs.jsonl -o report.html
generate: generate boxup --count 1 --workers 1
generate: generate sudoku --count 1 --workers 1
replay: replay boxup 1 ULDRR
replay: replay boxup 1 UU
replay: replay sokoban small.sok --solutions
compare-moves: replay boxup 1 ULDRR --against best
compare-moves: replay boxup 1 UU --against ULDRR -o apart.svg
draw: draw boxup 1 U
draw: draw boxup 1 U -o boxup.svg
draw: draw sokoban small.sok
draw: booklet sokoban 1 2 -o sheet.pdf --title Two
play: play boxup 1 -o boxup.html
validate: validate hanoi/domain.pddl hanoi/problem.pddl hanoi.plan
validate: validate task/domain.pddl task/problem.pddl plan.txt
trace: trace hanoi/domain.pddl hanoi/problem.pddl hanoi.plan
trace: trace hanoi/domain.pddl hanoi/problem.pddl hanoi.plan --states
trace: trace storeroom 1 uldr
trace: trace storeroom 1 uldr --fired
explanation: explain boxup 1
explanation: explain lights-out unsolvable --picture miss.svg
explain: explain sudoku 4x4
test-components: check components.py --game hanoi --unsafe
test-domain: check hanoi/domain.pddl --game hanoi --levels 3 --samples 0
test-domain: check --game hanoi --template exercise
test-domain: check task/domain.pddl --game hanoi --problems other
grade: grade hanoi/domain.pddl hanoi/domain.pddl task --problems problems
lint: lint faulty.pddl
lint: lint --explain unknown-type
format: format --check task/domain.pddl
lsp: lsp --settings neovim
list: list
doctor: doctor
mcp: mcp --tools
watch: watch task/domain.pddl task/problem.pddl --once
watch: watch faulty.pddl --once
new: new lights
error: solve boxup nosuch
error: plan faulty.pddl task/problem.pddl
help: solve --help
help: --help
help: help task/problem.pddl
version: version
""".strip().split("\n")
"""By schema a command line; one schema may have several, and the page shows the first."""
NEEDS = {"hanoi.plan": "plan hanoi/domain.pddl hanoi/problem.pddl --plan-file hanoi.plan"}
"""Files that a command makes for those after it."""


@cache
def answers() -> tuple[tuple[str, str, int, Any], ...]:
    """Run all samples; return for each its schema, its command line, the exit code, and the object that it printed."""
    with TemporaryDirectory() as folder, chdir(folder):
        for name, text in FILES.items():
            Path(name).write_text(text, encoding="utf-8")
        runs = []
        for sample in SAMPLES:
            schema, _, line = sample.partition(": ")
            for file, making in NEEDS.items():
                if file in line and not Path(file).exists():
                    _printed(making)
            if "problems" in line and not Path("problems").exists():
                Path("problems").mkdir()
                Path("other").mkdir()
                Path("other", "3.pddl").write_text(Path("task/problem.pddl").read_text(encoding="utf-8"))
                Path("problems", "p01.pddl").write_text(Path("hanoi/problem.pddl").read_text(encoding="utf-8"))
            runs.append((schema, line, *_printed(line)))
        return tuple(runs)


def _printed(line: str) -> tuple[int, Any]:
    """Run a command line here, with `--json`; return its exit code and what it printed."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(io.StringIO()):
        code = main([*shlex.split(line), "--json"])
    return code, json.loads(out.getvalue())
