"""Finds tests that ask a clock how long something took: they fail on slow and busy machines, and hold nothing else."""

import ast
from collections.abc import Iterator

CLOCKS = {
    f"{name}{suffix}"
    for name in ("clock_gettime", "monotonic", "perf_counter", "process_time", "thread_time", "time", "times")
    for suffix in ("", "_ns")
}
UPPER = {ast.Lt: 1, ast.LtE: 1, ast.Gt: 0, ast.GtE: 0}
"""By operator, which of its two sides is the greater one."""


def asserted_times(text: str) -> list[str]:
    """The places in a file's text, with their lines, where a clock is read or seconds have to be few.

    Seconds may be compared with seconds, and with what they are at least: that holds on every machine. Programs that a
    test runs in a process of its own are strings here and not looked into.
    """
    tree = ast.parse(text)
    found = [*_read_clocks(tree), *_few_seconds(tree)]
    return [f"{node.lineno}: {ast.unparse(node)}" for node in sorted(found, key=lambda node: node.lineno)]


def _read_clocks(tree: ast.AST) -> Iterator[ast.expr]:
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in ("time", "timeit")
        for alias in node.names
        if alias.name in CLOCKS | {"default_timer", "timeit", "repeat"}
    }
    for node in ast.walk(tree):
        if (isinstance(node, ast.Name) and node.id in imported) or (
            isinstance(node, ast.Attribute) and _is_clock(ast.unparse(node.value), node.attr)
        ):
            yield node


def _is_clock(module: str, name: str) -> bool:
    return (module == "time" and name in CLOCKS) or module == "timeit"


def _few_seconds(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for operator, *pair in zip(node.ops, sides, sides[1:], strict=False):
                upper = UPPER.get(type(operator))
                if upper is not None and _is_number(pair[upper]) and _are_seconds(pair[1 - upper]):
                    yield node


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant | ast.BinOp | ast.UnaryOp) and not any(
        isinstance(part, ast.Name | ast.Attribute) for part in ast.walk(node)
    )


def _are_seconds(node: ast.expr) -> bool:
    """`result.seconds`, `answer["seconds"]["total"]`, `float(row["seconds"])`, `seconds - begin` and the like."""
    return any(
        (isinstance(part, ast.Attribute) and "seconds" in part.attr)
        or (isinstance(part, ast.Name) and part.id in ("seconds", "elapsed"))
        or (isinstance(part, ast.Constant) and part.value == "seconds")
        for part in ast.walk(node)
    )
