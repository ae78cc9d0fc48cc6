"""Write the golden files of test_writer.py anew: `python tests/pddl/renew_golden.py`, then look at `git diff`."""

from pathlib import Path

from unpuzzle.pddl import parse_task, write

GOLDEN = Path(__file__).parent / "golden"


def main() -> None:
    task = parse_task((GOLDEN / "domain.in.pddl").read_text(), (GOLDEN / "problem.in.pddl").read_text())
    for name, text in zip(("domain", "problem"), write(task), strict=True):
        (GOLDEN / f"{name}.out.pddl").write_text(text)


if __name__ == "__main__":
    main()
