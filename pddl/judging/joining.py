"""Joining faults with one cause: a slip in a declaration shows wherever its names are used.

`joined` works on the results of the checks of `linting` for a domain and a problem, `told_once` on the faults of all
texts: equal faults in several places are reported at the first place. `with_whole_words` judges their corrections.
"""

from __future__ import annotations

from unpuzzle.pddl.formulas import OBJECT
from unpuzzle.pddl.judging.fault import ERROR, Edit, Fault, together
from unpuzzle.pddl.judging.lint_report import Lint, fault_at, replaced
from unpuzzle.words import corrected, listing

TYPE_CHECKING = False
if TYPE_CHECKING:
    from unpuzzle.pddl.declarations import Domain

_AROUND = " ()\n\t\r\f\v"
"""What may stand beside a word."""
_MOST_LINES = 5
"""The largest number of lines named in a fault that occurs in several places."""


def joined(report: Lint) -> list[Fault]:
    """Return the faults of a report, with all faults caused by one slip in a declaration joined to one."""
    _join_parameters(report)
    _join_parents(report)
    _join_dashes(report)
    _join_untyped(report)
    return _without_sections(report)


def _replace(report: Lint, own: list[Fault], joined: Fault) -> None:
    """Replace several faults by one, at the place of the first."""
    gone = set(own[1:])
    report.faults = [joined if fault is own[0] else fault for fault in report.faults if fault not in gone]


def _join_parameters(report: Lint) -> None:
    """Join the faults for all unknown variables of an action without parameters."""
    for action in report.domain.actions:
        span = action.span
        if action.parameters or span is None:
            continue
        lines = range(span.line, span.source.position(span.end)[0] + 1)
        own = [
            fault
            for fault in report.faults
            if fault.code == "unknown-variable" and fault.file == span.file and fault.line in lines
        ]
        variables = " ".join(dict.fromkeys(fault.message.split("'")[1] for fault in own))
        if " " in variables:
            message = f"'{action.name}' has no parameters, and uses some: write :parameters ({variables})"
            joined = own[0].replace(message=message, fix=None, suggestion=None)
            _replace(report, own, joined)


def _join_parents(report: Lint) -> None:
    """Report a misspelt parent type once, instead of all wrong types that it causes."""
    own = [fault for fault in report.faults if fault.code == "parent-only" and (fault.fix or fault.suggestion)]
    if own and any(fault.code == "wrong-type" for fault in report.faults):
        errors = {fault: fault.replace(severity=ERROR, code="unknown-type") for fault in own}
        others = [fault for fault in report.faults if fault.code not in ("wrong-type", "wide-type")]
        report.faults = [errors.get(fault, fault) for fault in others]


def _join_dashes(report: Lint) -> None:
    """Join the faults of objects before a missing dash, which makes their type an object, too."""
    types = {item.name for item in report.domain.types}
    objects = (*report.domain.constants, *(report.problem.objects if report.problem else ()))
    wrong = _of_wrong_types(report)
    for item in objects if wrong else ():
        if item.name not in types:
            continue
        group = {other.name for other in objects if other.types == item.types}
        own = [fault for fault in wrong if fault.message.split("'")[1] in group]
        if own and item.span is not None:
            message = f"'{item.name}' is a type, and stands here as an object: write - {item.name}"
            edit = replaced(item.span, f"- {item.name}")
            alone = sum(other.name in types for other in objects) == 1  # else one correction hides the other fault
            first = fault_at(item.span, ERROR, "typed-list", message).corrected(edit, alone)
            gone = set(own)
            report.faults = [first, *(fault for fault in report.faults if fault not in gone)]
            return


def _of_wrong_types(report: Lint) -> list[Fault]:
    wrong = [fault for fault in report.faults if fault.code == "wrong-type"]
    return [fault for fault in wrong if fault.message.startswith("the object")]


def _join_untyped(report: Lint) -> None:
    """Join the faults of all objects that have a wrong type because they were declared without one."""
    untyped = {item.name for item in (report.problem.objects if report.problem else ()) if item.types == OBJECT}
    own = [fault for fault in _of_wrong_types(report) if fault.message.split("'")[1] in untyped]
    names = list(dict.fromkeys(fault.message.split("'")[1] for fault in own))
    types = list(dict.fromkeys(fault.message.split("'")[-2] for fault in own))
    if len(own) > 1:
        write = f"- {types[0]} after {'it' if len(names) == 1 else 'them'}" if len(types) == 1 else "- TYPE after each"
        have = "has" if len(names) == 1 else "have"
        message = f"{listing(repr(name) for name in names)} {have} no type in (:objects ...): write {write}"
        joined = own[0].replace(message=message, places=len(own))
        _replace(report, own, joined)


def _without_sections(report: Lint) -> list[Fault]:
    """Return the faults of a report, with one fault for all names of a missing section."""
    domain, problem = report.domain, report.problem
    lacking = {
        "unknown-predicate": (not domain.predicates, "predicates", ":predicates"),
        "unknown-type": (not domain.types, "types", ":types"),
        "unknown-object": (problem is not None and not problem.objects, "objects", ":objects"),
    }
    faults, told = [], set()
    by_code: dict[str, dict[str, None]] = {code: {} for code, (empty, _, _) in lacking.items() if empty}
    for fault in report.faults:
        if fault.code in by_code:
            by_code[fault.code][fault.message.split("'")[1]] = None
    for fault in report.faults:
        _, what, section = lacking.get(fault.code, (False, "", ""))
        names = list(by_code.get(fault.code, ()))
        if len(names) < 2:
            faults.append(fault)
        elif fault.code not in told:
            told.add(fault.code)
            listed = ", ".join(names[:10])
            message = f"no {what} are declared, so all are unknown: write ({section} ...) with {listed}"
            faults.append(fault.replace(message=message, code="no-section", fix=None, suggestion=None))
    return faults


_OF_THE_DOMAIN = frozenset("unknown-predicate unknown-function unknown-type arity".split())
"""Codes of faults that also appear in the problem when a declaration of the domain is wrong."""


def told_once(faults: list[Fault], texts: dict[str | None, str], domain: Domain | None = None) -> list[Fault]:
    """Return the faults; one that occurs in several places is reported at the first, with the lines of the others."""
    names: dict[str, frozenset[str]] = {}
    if domain:
        names["predicate"] = frozenset([item.name for item in domain.predicates])
        names["function"] = frozenset([item.name for item in domain.functions])
        names["type"] = frozenset([item.name for item in domain.types])
    first: dict[tuple[str | None, str, str], list[Fault]] = {}
    for fault in faults:
        file = None if fault.code in _OF_THE_DOMAIN else fault.file
        first.setdefault((file, fault.code, fault.message), []).append(fault)
    places = _Places(texts)
    return [_at_declaration(same, places, names) or _joined(same, texts) for same in first.values()]


def _at_declaration(faults: list[Fault], all_places: _Places, names: dict[str, frozenset[str]]) -> Fault | None:
    """Return one fault at an unused declaration if a similar, undeclared name is used; else None."""
    first = faults[0]
    if len(faults) < 2 or not first.code.startswith("unknown-") or "did you mean '" not in first.message:
        return None
    word, better = first.message.split("'")[1], first.message.split("'")[3]
    place = all_places.only(better)
    if place is None:
        return None
    file, line, column = place
    kind = first.code.removeprefix("unknown-")
    message = f"the {kind} '{better}' is declared, and '{word}' is used: write {word}"
    edit = Edit(line, column, line, column + len(better), word)
    sure = first.fix is not None or (kind in names and corrected(better, names[kind] - {better} | {word}) is not None)
    fault = Fault(file, line, column, ERROR, message, line, column + len(better), first.code, places=len(faults))
    return fault.corrected(edit, sure)


def with_whole_words(faults: list[Fault], texts: dict[str | None, str]) -> list[Fault]:
    """Return the faults; where a blank may have cut a word in two, corrections of its parts are suggestions."""
    lines = {file: text.lower().split("\n") for file, text in texts.items()}
    cuts: list[tuple[str | None, int, range]] = []
    for fault in faults:
        edit = fault.fix or fault.suggestion
        if edit is None or edit.line != edit.end_line or not edit.line <= len(lines.get(fault.file, ())):
            continue
        line, start, end = lines[fault.file][edit.line - 1], edit.column - 1, edit.end_column - 1
        before, after = ["", *line[:start].split()][-1].lstrip("("), [*line[end:].split(), ""][0].rstrip(")")
        word, right = line[start:end], edit.text.lower()
        if word.isascii() and not {*"() "} & {*word} and right != word and right in (before + word, word + after):
            cuts.append((fault.file, edit.line, range(start - len(before), end + len(after) + 3)))
    return [
        fault.corrected(fault.fix, sure=False)
        if fault.fix and any((fault.file, fault.fix.line) == cut[:2] and fault.fix.column in cut[2] for cut in cuts)
        else fault
        for fault in faults
    ]


class _Places:
    """The places of words in some texts, outside comments."""

    def __init__(self, texts: dict[str | None, str]) -> None:
        self._texts = {file: text.lower() for file, text in texts.items()}

    def only(self, word: str) -> tuple[str | None, int, int] | None:
        """Return file, line and column of the only place of a word; None if there are several, or none."""
        found: tuple[str | None, int, int] | None = None
        for file, text in self._texts.items():
            at = text.find(word)
            while at >= 0:
                start = text.rfind("\n", 0, at) + 1
                around = text[at - 1 : at] + text[at + len(word) : at + len(word) + 1]
                if not around.strip(_AROUND) and ";" not in text[start:at]:
                    if found is not None:
                        return None
                    found = file, text.count("\n", 0, at) + 1, at - start + 1
                at = text.find(word, at + 1)
        return found


def _joined(faults: list[Fault], texts: dict[str | None, str]) -> Fault:
    """Return one fault for several equal ones."""
    first, *others = faults
    here = [fault for fault in others if fault.file == first.file]
    if not others:
        return first
    lines = list(dict.fromkeys(str(fault.line) for fault in here))
    more = f" and {len(lines) - _MOST_LINES} more" if len(lines) > _MOST_LINES else ""
    where = [f"line{'s' if len(lines) > 1 else ''} {', '.join(lines[:_MOST_LINES])}{more}"] if lines else []
    where += ["the problem"] if len(here) < len(others) else []
    edit, sure = first.fix or first.suggestion, first.fix is not None
    edits = [other for fault in (first, *here) if (other := fault.fix if sure else fault.suggestion) is not None]
    if here and first.file in texts and len(edits) > len(here):
        edit = together(texts[first.file], edits)
    message = f"{first.message} (also in {' and in '.join(where)})"
    return first.replace(message=message, places=len(faults)).corrected(edit, sure)
