"""The function `lint`, which finds all faults of a domain and a problem.

    errors      the reader refuses the text
    warnings    it is read, but is probably a mistake, or other programs may refuse it

A text that the reader refuses is read again by the tolerant reader, which notes each fault at its place and continues;
its result is checked for errors only. The checks are in `checks`, questions about correct texts in `suspicions`.

A slip in a declaration shows wherever its names are used, so faults with one cause are joined: `joined` works on the
results of the checks of a domain and a problem, `merge_repeated` on the faults of all texts: equal faults are reported
once, at the first place. `with_whole_words` judges their corrections.
"""

from __future__ import annotations

from unpuzzle.base.errors import LimitReached, ParseError
from unpuzzle.base.files import read_bytes
from unpuzzle.base.run import Limits, Run, phase, within_limits
from unpuzzle.base.text import corrected, listing
from unpuzzle.base.type_hints import Any
from unpuzzle.pddl.declarations import Domain, Problem
from unpuzzle.pddl.formulas import OBJECT, Exists, Forall, Node, Source, Span, TypedName
from unpuzzle.pddl.linting.checks import MODEL_CHECKS, NAME_CHECKS, by_place, check_nesting, suspect
from unpuzzle.pddl.linting.fault import ERROR, Edit, Fault, Faults, Lint, edit_of, fault_at, replaced, together
from unpuzzle.pddl.linting.names import Misfit, Types
from unpuzzle.pddl.linting.understanding import Understood, decode_leniently, fault_of, swapped, understood
from unpuzzle.pddl.reading.reader import REFUSED
from unpuzzle.pddl.syntax import Text, TokenSpan
from unpuzzle.pddl.writer import covered, needed_by, required_by_domain, required_by_problem

_MOST_LINES = 5
"""The largest number of lines named in a fault that occurs in several places."""
_OF_THE_DOMAIN = frozenset("unknown-predicate unknown-function unknown-type arity".split())
"""Codes of faults that also appear in the problem when a declaration of the domain is wrong."""


def lint(
    domain_text: str,
    problem_text: str | None = None,
    *,
    domain_name: str | None = None,
    problem_name: str | None = None,
    limits: Limits | None = None,
) -> Faults:
    """Return all faults of a domain and, if given, a problem, sorted by file and position. Raises LimitReached."""
    with Run(limits, "looking for faults"):
        return found_faults(domain_text, problem_text, domain_name, problem_name)


def found_faults(
    domain_text: str,
    problem_text: str | None,
    domain_name: str | None,
    problem_name: str | None,
    *,
    suspicions: bool = True,
) -> Faults:
    """Return the faults that `lint` finds; if `suspicions` is False, skip the slow checks for suspicious code."""
    if problem_text is not None and swapped(domain_text, problem_text):
        message = "the files are swapped: this is the problem, and the domain comes first"
        fault = Fault(domain_name, 1, 1, ERROR, message, 1, 1, "swapped-files")
        return Faults(
            [fault, *found_faults(problem_text, domain_text, problem_name, domain_name, suspicions=suspicions)]
        )
    domain = understood(domain_text, "domain", domain_name, None)
    problem = None if problem_text is None else understood(problem_text, "problem", problem_name, domain.domain)
    broken = domain.broken or (problem is not None and problem.broken)
    faults = [*domain.faults, *(problem.faults if problem else ())]
    if domain.domain is not None:
        found = _checked(domain.domain, problem, broken, suspicions)
        unsure = {"wrong-type", "unknown-type"} if any(fault.code == "typed-list" for fault in faults) else set()
        faults += [fault for fault in found if not broken or (fault.severity == ERROR and fault.code not in unsure)]
    texts = {domain_name: domain_text}
    if problem_text is not None:
        # Texts without different names cannot be told apart, so no fault is extended to whole words.
        texts = {problem_name: problem_text} | texts if problem_name != domain_name else {}
    return Faults(with_whole_words(merge_repeated(by_place(faults, domain_name), texts, domain.domain), texts))


def first_error(file: str, domain: str, problem: str | None = None) -> ParseError | None:
    """Return the first error in `file`, the domain or the problem file; None if lint finds none within the limits."""
    try:
        with phase("looking for faults"):
            texts = {name: decode_leniently(read_bytes(name)) for name in (domain, problem) if name is not None}
            further = None if problem is None else texts[problem][0]
            faults = [fault_of(note, Source(texts[file][0], file)) for note in texts[file][1]]
            faults += lint(texts[domain][0], further, domain_name=domain, problem_name=problem)
            own = [fault for fault in faults if fault.file == file]
            fault = next((fault for fault in own if fault.severity == ERROR), None)
            if fault is None:
                return None
            another = next((f"{each.message}: " for each in own if each.code == "domain-name"), "")
            lines = texts[file][0].splitlines()
            line = lines[fault.line - 1] if fault.line and fault.line <= len(lines) else None
            message = another + fault.message
            return ParseError(message, file=file, line=fault.line, column=fault.column, text=line, code=fault.code)
    except (OSError, ValueError, LimitReached):
        return None


def _checked(domain: Domain, problem: Understood | None, broken: bool, suspicions: bool) -> list[Fault]:
    """Run the checks and return their faults; search for suspicious code only if there are no errors."""
    report = Lint(domain, problem.problem if problem else None, problem.denied if problem else ())
    for check in within_limits(NAME_CHECKS if broken else CHECKS, long=True):
        check(report)
    errors = {fault.code for fault in report.faults if fault.severity == ERROR}
    if suspicions and not broken and not errors:
        suspect(report, unsolvable=False)
    if "unknown-variable" in errors:  # a misspelt variable counts as used
        report.faults = [fault for fault in report.faults if fault.code not in ("unused-variable", "wide-type")]
    return joined(report)


def check_requirements(report: Lint) -> None:
    """Report missing and superfluous requirements; a problem need not repeat its domain's requirements."""
    domain, problem = report.domain, report.problem
    by_domain = required_by_domain(domain)
    by_problem = required_by_problem(problem) if problem else set()
    in_domain = covered(domain.requirements)
    missing: list[tuple[Domain | Problem, set[str]]] = [(domain, by_domain - in_domain)]
    if problem:
        missing.append((problem, by_problem - by_domain - in_domain - covered(problem.requirements)))
    for node, lacking in missing:
        for requirement in sorted(lacking):
            message = f"the requirement '{requirement}' is missing{needed_by(requirement, node)}"
            report.warning("requirement-missing", message, *_where_required(node, requirement))
        for requirement in node.requirements:
            if requirement != ":strips" and not covered([requirement]) & (by_domain | by_problem):
                what = "not supported, and nothing needs it" if requirement in REFUSED else "superfluous"
                message = f"the requirement '{requirement}' is {what}"
                report.warning("requirement-superfluous", message, node, requirement, "")


def _where_required(node: Domain | Problem, requirement: str) -> tuple[Node | Span | None, str, str]:
    """Return where to report a missing requirement: the node or span, the word to replace, and its replacement."""
    span = node.span
    if (
        isinstance(span, TokenSpan)
        and span.source.word(span.source.find(":requirements", span.token)) != ":requirements"
    ):
        name = TokenSpan(span.source, span.token + 5)  # after `(define (domain NAME)`
        return name, ")", f")\n  (:requirements {requirement})"
    return node, ":requirements", f":requirements {requirement}"


CHECKS = (*NAME_CHECKS, *MODEL_CHECKS, check_nesting, check_requirements)


def joined(report: Lint) -> list[Fault]:
    """Return the faults of a report; faults that one declaration causes are merged into one."""
    _join_parameters(report)
    _join_parents(report)
    for of_names in (False, True):
        _join_misfits(report, of_names)
    return _without_sections(report)


def _replace(report: Lint, own: list[Fault], joined: Fault) -> None:
    """Replace several faults in a report by one fault, reported at the position of the first of them."""
    gone = set(own[1:])
    report.faults = [joined if fault is own[0] else fault for fault in report.faults if fault not in gone]


def _join_parameters(report: Lint) -> None:
    """Merge the faults about the unknown variables of an action that declares no parameters."""
    for action in report.domain.actions:
        span = action.span
        if action.parameters or span is None:
            continue
        start, end = map(span.source.position, (span.start, span.end))
        unknown = [fault for fault in report.faults if (fault.code, fault.file) == ("unknown-variable", span.file)]
        own = [fault for fault in unknown if start <= (fault.line or 0, fault.column or 0) < end]
        variables = " ".join(dict.fromkeys(fault.message.split("'")[1] for fault in own))
        if " " in variables:
            message = f"'{action.name}' has no parameters, but uses variables: write :parameters ({variables})"
            joined = own[0].replace(message=message, fix=None, suggestion=None)
            _replace(report, own, joined)


def _join_parents(report: Lint) -> None:
    """Replace all type faults that a misspelt parent type causes by one error about the parent type."""
    own = [fault for fault in report.faults if fault.code == "parent-only" and (fault.fix or fault.suggestion)]
    if own and any(fault.code == "wrong-type" for fault in report.faults):
        errors = {fault: fault.replace(severity=ERROR, code="unknown-type") for fault in own}
        others = [fault for fault in report.faults if fault.code not in ("wrong-type", "wide-type")]
        report.faults = [errors.get(fault, fault) for fault in others]


def _join_misfits(report: Lint, of_names: bool) -> None:
    """Merge the type faults that one wrong type in a declaration causes."""
    arguments, left = report.arguments, {*report.faults}  # the pass before may have merged some of the faults
    if arguments is None or not report.misfits:
        return
    order, lists = arguments.order, _lists(report)
    own, other = ("argument", "parameter") if of_names else ("parameter", "argument")

    def fits(types: Types, other: Types) -> bool:
        return order.fits(types, other, True) if of_names else order.fits(other, types)

    found: dict[int, list[tuple[Fault, Misfit]]] = {}
    for fault, misfit in report.misfits:
        if fault in left and getattr(misfit, own).span is not None:
            found.setdefault(id(getattr(misfit, own)), []).append((fault, misfit))
    groups: dict[tuple[int, Types, Types], list[tuple[Fault, Misfit]]] = {}
    for key, several in found.items():
        others = {getattr(misfit, other).types for _, misfit in several}
        # one type that would be right at all the wrong uses, and would not make a right use wrong
        types = next((each for each in sorted(others) if all(fits(each, other) for other in others)), None)
        if types is not None and all(of_names and fits(types, right) for right in arguments.right.get(key, ())):
            groups.setdefault((id(lists[key]), getattr(several[0][1], own).types, types), []).extend(several)
    for (_, old, types), several in groups.items():
        causes = {fault.message if of_names else id(lists[id(misfit.argument)]) for fault, misfit in several}
        wrong = {id(getattr(misfit, own)) for _, misfit in several}
        run = [each for each in lists[id(getattr(several[0][1], own))] if each.types == old]
        dashless = [each for each in run if each.name in order.names]
        faults = [fault for fault, _ in several]
        if dashless:
            _replace(report, faults, _without_dash(dashless))
        elif len(causes) > 1:
            whose = "" if of_names else f" of the {several[0][1].what}"
            _replace(report, faults, _wrong_type_fault(run, wrong, types, faults, whose))


def _lists(report: Lint) -> dict[int, tuple[TypedName, ...]]:
    """Map the `id` of each declared name to the typed list in which the name is declared."""
    domain, problem = report.domain, report.problem
    lists: list[tuple[TypedName, ...]] = [domain.constants, problem.objects if problem else ()]
    lists += [each.parameters for each in domain.actions] + [each.parameters for each in domain.functions]
    lists += [each.parameters for each in (*domain.predicates, *(axiom.head for axiom in domain.axioms))]
    lists += [node.parameters for node in report.nodes() if isinstance(node, Exists | Forall)]
    return {id(each): own for own in lists for each in own}


def _without_dash(names: list[Any]) -> Fault:
    """Return the fault for types that are read as objects because the `-` before them is missing."""
    name, span = names[0].name, names[0].span
    message = f"'{name}' is a type, but is used here as an object: write - {name}"
    return fault_at(span, ERROR, "typed-list", message).corrected(replaced(span, f"- {name}"), len(names) == 1)


def _wrong_type_fault(run: list[Any], wrong: set[int], types: Types, faults: list[Fault], whose: str) -> Fault:
    """Return one fault for all names in `wrong`, which a typed list declares with a wrong type."""
    names = [each for each in run if id(each) in wrong]
    start, last, untyped = run.index(names[0]), names[-1], run[0].types == OBJECT
    word = types[0] if len(types) == 1 else f"(either {' '.join(types)})"
    shown = [repr(each.name) for each in names[:_MOST_LINES]]
    shown += [f"{len(names) - _MOST_LINES} more"] if len(names) > _MOST_LINES else []
    now = "not given" if untyped else listing(map(repr, run[0].types), "or")
    torn = names == run[start : start + len(names)] and (untyped or (start == 0 and len(names) < len(run)))
    message = f"the type of {listing(shown)}{whose} is {now}, but should be '{word}': write - {word}"
    message += f" after '{last.name}'" if torn else ""
    edit = edit_of(last.span.source, last.span.end, last.span.end, f" - {word}") if torn else None
    worst = min(faults, key=lambda fault: fault.severity)
    told = fault_at(names[0].span, worst.severity, worst.code, message).corrected(edit, sure=False)
    return told.replace(places=len(faults))


def _without_sections(report: Lint) -> list[Fault]:
    """Return the faults of a report; all faults that one missing section causes are merged into one."""
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


def merge_repeated(faults: list[Fault], texts: dict[str | None, str], domain: Domain | None = None) -> list[Fault]:
    """Merge repeated faults into one at the first position, whose message has the lines of the repetitions."""
    names: dict[str, frozenset[str]] = {}
    if domain:
        names["predicate"] = frozenset([item.name for item in domain.predicates])
        names["function"] = frozenset([item.name for item in domain.functions])
        names["type"] = frozenset([item.name for item in domain.types])
    first: dict[tuple[str | None, str, str], list[Fault]] = {}
    for fault in faults:
        file = None if fault.code in _OF_THE_DOMAIN else fault.file
        first.setdefault((file, fault.code, fault.message), []).append(fault)
    sources = [Text(text, file) for file, text in texts.items()]
    return [_at_declaration(same, sources, names) or _joined(same, texts) for same in first.values()]


def _at_declaration(faults: list[Fault], texts: list[Text], names: dict[str, frozenset[str]]) -> Fault | None:
    """Return one fault, at the declaration, for a name that all its uses spell differently; None if there is none."""
    first = faults[0]
    if len(faults) < 2 or not first.code.startswith("unknown-") or "did you mean '" not in first.message:
        return None
    word, better = first.message.split("'")[1], first.message.split("'")[3]
    place = _only_place(better, texts)
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
    """Return all faults; a fix for a word that a blank may have split in two becomes a suggestion."""
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


def _only_place(word: str, texts: list[Text]) -> tuple[str | None, int, int] | None:
    """Return the file, line and column of a word if it occurs exactly once in all texts; otherwise None."""
    for text in texts:
        text.locate_all()
    if sum(text.words.count(word) for text in texts) != 1:
        return None
    text = next(text for text in texts if word in text.words)
    return text.name, *text.position(text.starts[text.words.index(word)])


def _joined(faults: list[Fault], texts: dict[str | None, str]) -> Fault:
    """Merge repeated faults into one fault at the first position."""
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
