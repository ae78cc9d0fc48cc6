"""Faults of rules that keep their form: words that mean nothing where they stand."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from unpuzzle.puzzlescript.compiling.faults import Faults
    from unpuzzle.puzzlescript.compiling.rule_text import RuleLine


def check_rules(rules: Iterable[RuleLine], faults: Faults) -> None:
    """Notes what is wrong with rules."""
    for rule in rules:
        _check_left(rule, faults)
        words = {word for rows in (rule.left, rule.right) for row in rows for cell in row for word, _ in cell}
        if rule.late and "randomdir" in words:
            faults.warning(
                rule.line, "randomdir in a late rule: late rules are applied when all has moved", "randomdir"
            )
        if rule.late and rule.rigid:
            faults.error(rule.line, "a late rule cannot be rigid: late rules are applied when all has moved", "rigid")
        if rule.random and rule.group != rule.line:
            faults.error(
                rule.line, "only the first rule of a group can make it random, not one that begins with +", "+"
            )


def _check_left(rule: RuleLine, faults: Faults) -> None:
    for word, name in (pair for row in rule.left for cell in row for pair in cell):
        if word in ("random", "randomdir"):
            faults.error(rule.line, f"{word} {name} on the left: what a rule looks for is not left to chance", word)
