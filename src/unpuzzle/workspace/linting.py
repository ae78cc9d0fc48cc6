"""The faults of many files at once, and their corrections, for the command `lint` and for other interfaces.

    LintInput.of_files(["domain.pddl", "tasks/"], fix=True).call()      the outcome has the corrected texts
    lint_files([PddlText("d.pddl", text, DOMAIN), ...])                 the faults of all files, in their order

A problem belongs to the domain that it names, as `pddl.matching` finds it among the texts, or to the only one given; a
problem without one gets the domain in its folder. Corrections are made as long as they make no new errors.

Actions that can never apply and goals that nothing reaches are found by grounding. Delete effects are ignored, so every
report is certain, but some unreachable parts are missed. Applicable actions without a cost are errors.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import unified_diff
from warnings import warn_explicit

from unpuzzle.base.errors import LimitReached, ParseError, UnsupportedFeature, UsageError
from unpuzzle.base.files import FileLeftOut, found_files, is_of_people, read_bytes, read_input
from unpuzzle.base.run import Limits, Run, phase
from unpuzzle.base.text import listing
from unpuzzle.base.type_hints import Any, Self
from unpuzzle.base.values import Record
from unpuzzle.model.game_formats import GameFormat
from unpuzzle.pddl.formulas import conjuncts
from unpuzzle.pddl.linting.fault import ERROR, Fault, codes, edited, fault_at
from unpuzzle.pddl.linting.linting import found_faults, lint
from unpuzzle.pddl.linting.plan_faults import lint_plan
from unpuzzle.pddl.linting.understanding import swapped, understood
from unpuzzle.pddl.matching import (
    DOMAIN,
    PLAN,
    PROBLEM,
    STDIN,
    PddlText,
    domain_beside,
    domain_for,
    kind_of_file,
    pddl_text,
    problem_for,
)
from unpuzzle.pddl.nodes import Node, Task
from unpuzzle.pddl.reading.reader import parse_task
from unpuzzle.pddl.world import may_lack_costs
from unpuzzle.pddl.writer import write
from unpuzzle.planners import native
from unpuzzle.planners.native.grounding import survey
from unpuzzle.table import load
from unpuzzle.translators import FILES, format_of
from unpuzzle.workspace.inputs import Input, Show

GROUNDING_SECONDS = 10.0
"""Seconds for grounding to find unreachable actions and goals; a larger task is not judged."""
ROUNDS = 20
"""The most rounds of corrections, each made in the text after the earlier ones."""
LARGEST_PLAN = 1_000_000
"""A `.txt` file with more bytes counts as a game."""
LOST = "\ufffd"
"""The replacement character for bytes that are not text."""
ENDINGS = (".pddl", ".plan", ".soln")
"""Endings of the files that are searched for in folders; game files are added to these."""
WORK = "looking for faults"


def lint_files(files: Sequence[PddlText], *, texts_only: bool = False, suspicions: bool = True) -> list[Fault]:
    """Return the faults of all files, in the order of the files. Raises LimitReached.

    With `texts_only`, no task is grounded and no picture made, which takes longer than reading; their faults are left
    out, and so are suspicions about texts without errors, unless they are requested.
    """
    with phase("looking for faults"):
        domains = [file for file in files if file.kind == DOMAIN]
        problems = [file for file in files if file.kind == PROBLEM]
        found: dict[str, list[Fault]] = {file.name: file.faults() for file in files}
        tasks: dict[str, Task] = {}
        homes = {problem.name: _home(problem, domains) for problem in problems}
        for problem in problems:
            if homes[problem.name] is None:
                found[problem.name] += understood(problem.text, PROBLEM, problem.name, None).faults
        for domain in domains:
            own = [problem for problem in problems if homes[problem.name] is domain]
            common: list[Fault] | None = None if own else _faults(domain, None, texts_only, suspicions)[0]
            for problem in own:  # the domain has a fault if it has it with each problem
                faults, task = _faults(domain, problem, texts_only, suspicions)
                found[problem.name] += [fault for fault in faults if fault.file == problem.name]
                others = dict.fromkeys(fault for fault in faults if fault.file != problem.name)
                common = [fault for fault in (others if common is None else common) if fault in others]
                tasks |= {problem.name: task} if task else {}
            found[domain.name] += common or ()
            if not texts_only:
                own_tasks = [tasks[problem.name] for problem in own if problem.name in tasks]
                found[domain.name] += load("picture lines", "faults")(domain.text, domain.name, own_tasks)
        for problem in problems:
            if problem.name in tasks and not texts_only:
                faults_of = load("picture lines", "faults")
                found[problem.name] += faults_of(problem.text, problem.name, [tasks[problem.name]], True)
        for plan in files:
            if plan.kind == PLAN:
                own_problem = problem_for(plan.name, problems)
                task = None if own_problem is None else tasks.get(own_problem.name)
                found[plan.name] += lint_plan(plan.text, plan.name, task)
        return [fault for faults in found.values() for fault in faults]


def _faults(
    domain: PddlText, problem: PddlText | None, texts_only: bool, suspicions: bool
) -> tuple[list[Fault], Task | None]:
    """Return the faults of a domain and, if given, a problem, and the task if it could be read."""
    text, name = (problem.text, problem.name) if problem else (None, None)
    faults: list[Fault] = found_faults(domain.text, text, domain.name, name, suspicions=suspicions)
    if problem is None or texts_only or any(fault.severity == ERROR for fault in faults):
        return faults, None
    try:
        task = parse_task(domain.text, problem.text, domain_name=domain.name, problem_name=name)
    except (ParseError, UnsupportedFeature):  # the reader refuses it, and lint only warns
        return faults, None
    costless = undefined_costs(task)
    if costless:  # these say more than the warning
        return [fault for fault in faults if fault.code != "no-value-given"] + costless, task
    never = {fault.message.split("'")[1] for fault in faults if fault.code == "never-enabled"}
    further = unreachable(task)
    return faults + [fault for fault in further if not {*fault.message.split("'")[1::2]} <= never or not never], task


def _home(problem: PddlText, domains: list[PddlText]) -> PddlText | None:
    """Return a problem's domain: the one it names (preferably in its folder), else the only domain, else None."""
    folder = os.path.dirname(problem.name)
    beside = [domain for domain in domains if os.path.dirname(domain.name) == folder]
    try:
        return domain_for(problem, (beside, domains))
    except UsageError:
        return domains[0] if len(domains) == 1 else None


def mended(
    files: Sequence[PddlText], find: Callable[[Sequence[PddlText]], list[Fault]]
) -> tuple[list[PddlText], dict[str, int]]:
    """Return the files with corrections applied, and the number of corrections in each file.

    `find` returns the faults of files. Corrections that add errors are dropped.
    """
    now = list(files)
    numbers = dict.fromkeys((file.name for file in files), 0)
    faults = find(now)
    for _ in range(ROUNDS):
        progress = False
        for at, file in enumerate(now):
            fixes = list(dict.fromkeys(fault.fix for fault in faults if fault.file == file.name and fault.fix))
            for chosen in [fixes, *([fix] for fix in fixes if len(fixes) > 1)]:
                other = [*now[:at], file.replace(text=edited(file.text, chosen)), *now[at + 1 :]]
                after = find(other) if chosen and other[at] != file else faults
                if _weight(after) < _weight(faults):
                    now, faults, progress = other, after, True
                    numbers[file.name] += len(chosen)
                    break
        if not progress:
            break
    return now, numbers


def _weight(faults: list[Fault]) -> tuple[int, int, int]:
    errors = sum(fault.severity == ERROR for fault in faults)
    return errors, len(faults), sum(fault.places for fault in faults)


def _grounded(find: Callable[[], Any]) -> Any:
    """Return the faults that grounding finds; None if the compiled core is missing, or cannot ground the task."""
    if native.missing() is not None:
        return None
    try:
        with Run(Limits(time=GROUNDING_SECONDS), "grounding"):
            return find()
    except (LimitReached, UnsupportedFeature):  # such as a cost that is too large for the core
        return None


def undefined_costs(task: Task) -> list[Fault]:
    """Return an error for each applicable action without a defined cost."""
    errors = _grounded(lambda: survey.costless(task)) if may_lack_costs(task) else None
    places = [(error.file, error.line, error.column, ERROR, error.message) for error in errors or ()]
    return [Fault(*place, code="undefined-cost") for place in places]


def unreachable(task: Task) -> list[Fault]:
    """Return warnings about actions that can never apply and goals that can never be reached, in a correct task."""
    goal = list(conjuncts(task.problem.goal))
    actions, goals = _grounded(lambda: survey.unreachable(task, goal)) or ((), ())
    faults = []
    if actions:
        names = listing([f"'{action.name}'" for action in actions])
        what = f"action {names}" if len(actions) == 1 else f"actions {names}"
        message = f"the {what} can never be applied in this problem; `unpuzzle explain --actions` says why"
        faults.append(_warning("unreachable-action", message, actions[0]))
    if goals:
        what = "this part" if len(goals) == 1 else "these parts"
        message = (
            f"nothing can make {what} of the goal true: {' '.join(map(write, goals))}; `unpuzzle explain` says why"
        )
        faults.append(_warning("unreachable-goal", message, goals[0]))
    return faults


def _warning(code: str, message: str, node: Node) -> Fault:
    if node.span is None:
        return Fault(None, None, None, "warning", message, code=code)
    return fault_at(node.span, "warning", code, message)


class GameText(Record):
    """The text of a game's file, with the format of the file."""

    name: str
    text: str
    language: GameFormat

    def corrected(self) -> TextCorrection:
        """Return the text before and after corrections."""
        own = PddlText(self.name, self.text)
        (after,), numbers = mended([own], lambda files: self.language.lint_text(files[0].text, self.name)[0])
        crlf = after.text != self.text and b"\r\n" in read_bytes(self.name)  # the reader makes all line ends alike
        written = after.text.replace("\n", "\r\n") if crlf else after.text
        return TextCorrection(self.name, self.text, after.text, written, numbers[self.name])


class LintInput(Input):
    """A request to find the faults of texts.

    Attributes:
        files: PDDL and plans, with the domains that were found beside problems.
        games: games in files.
        alone: the reason for each problem without a domain.
        twice: whether the only file is to be read both as a domain and as its problem.
        ordered: whether the two files are a domain and its problem, which may be swapped.
        fix: whether to correct the texts, and to lint them afterwards.
        dry_run: with `fix`, only report what can be corrected.
    """

    files: Sequence[PddlText] = ()
    games: Sequence[GameText] = ()
    alone: Mapping[str, str] = {}
    twice: bool = False
    ordered: bool = False
    fix: bool = False
    dry_run: bool = False

    @classmethod
    def of_files(cls, names: Sequence[str], **others: Any) -> Self:
        """Return the input for named files and for all files in named folders; `-` is standard input.

        Raises ParseError, OSError, LimitReached.
        """
        with phase(WORK):
            paths = named_files(names, ENDINGS, f"files that end in {', '.join(dict.fromkeys((*ENDINGS, *FILES)))}")
            languages = {path: its for path in paths if (its := format_of(path)) and not _is_plan(path)}
            files = [*_readable([path for path in paths if path not in languages], names)]
            ordered = len(files) == len(paths) == len(names) == 2
            alone: dict[str, str] = {}
            domains = [file for file in files if file.kind == DOMAIN]
            for problem in [file for file in files if file.kind == PROBLEM and _home(file, domains) is None]:
                try:
                    if problem.name == STDIN:
                        raise UsageError(
                            "standard input has no folder in which the problem's domain could be: name the domain, too"
                        )
                    beside = domain_beside(problem.name, problem)
                except UsageError as error:
                    alone[problem.name] = str(error)
                else:
                    files += [] if beside in [file.name for file in files] else [_listed(beside)]
            twice = names[0] in names[1:] and len(paths) == len(files) == 1
            games = [GameText(path, language.read_text(path), language) for path, language in languages.items()]
            return cls(files, games, alone, twice, ordered, **others)

    def call(self, show: Show = None) -> LintOutcome:
        """Find the faults of all texts, after correcting the texts if that is requested."""
        with phase(WORK):
            texts = {file.name: file.text for file in self.files} | {game.name: game.text for game in self.games}
            files, corrections = self.files, self._corrections() if self.fix else None
            if corrections is not None and not self.dry_run:
                texts |= {each.name: each.after for each in corrections}
                named = [(file.name, texts[file.name]) for file in files]
                files = [PddlText(name, text, kind_of_file(name, text)) for name, text in named]
            faults = self._faults(files)
            numbers = Counter(fault.severity for fault in faults)
            for game in self.games:
                more, counted = game.language.lint_text(texts[game.name], game.name)
                faults, numbers = [*faults, *more], numbers + Counter(counted)
        return LintOutcome(tuple(faults), numbers, texts, corrections, self.dry_run)

    def _faults(self, files: Sequence[PddlText]) -> list[Fault]:
        if self.twice or (self.ordered and len(files) == 2 and swapped(files[0].text, files[1].text)):
            first, second = files[0], files[-1]
            return lint(first.text, second.text, domain_name=first.name, problem_name=second.name)
        return lint_files(files)

    def _corrections(self) -> tuple[TextCorrection, ...]:
        after, numbers = mended(self.files, self._faults)
        own = [
            TextCorrection(new.name, old.text, new.text, new.text, numbers[new.name] + len(old.notes))
            for old, new in zip(self.files, after, strict=True)
        ]
        return (*own, *[game.corrected() for game in self.games if LOST not in game.text])


class TextCorrection(Record):
    """A text before and after corrections, with their number, which includes notes about reading the text."""

    name: str
    before: str
    after: str
    written: str
    number: int


class LintOutcome(Record):
    """The faults that `lint` found.

    Attributes:
        faults: those that are listed.
        numbers: the numbers of all faults, by severity.
        texts: the linted texts, by the name of the file.
        corrections: the corrections of all texts, None if they were not requested.
        dry_run: whether the faults are from the texts before corrections.
    """

    faults: Sequence[Fault]
    numbers: Mapping[str, int]
    texts: Mapping[str, str]
    corrections: Sequence[TextCorrection] | None = None
    dry_run: bool = False

    @property
    def fixed(self) -> dict[str, int]:
        """The number of corrections by file, for files with at least one correction."""
        return {each.name: each.number for each in self.corrections or () if each.number}

    @property
    def diff(self) -> list[str]:
        """The lines of a diff of all corrections."""
        lines: list[str] = []
        for each in self.corrections or ():
            before, after = each.before.splitlines(), each.after.splitlines()
            lines += unified_diff(before, after, each.name, each.name, lineterm="", n=1) if each.number else ()
        return lines

    @property
    def syntax_errors(self) -> list[Fault]:
        """The errors that make a text unreadable."""
        kinds = {name: code.kind for name, code in codes().items()}
        return [fault for fault in self.faults if fault.severity == ERROR and kinds.get(fault.code) == "syntax"]

    def to_dict(self) -> dict[str, Any]:
        fields: dict[str, Any] = {"faults": [fault.to_dict() for fault in self.faults]}
        if self.corrections is not None:
            fields |= {"fixable" if self.dry_run else "fixed": self.fixed, "diff": "\n".join(self.diff)}
        for fault in self.syntax_errors[:1]:  # for programs that only know the fields of a refusal
            refusal = {"message": fault.message, "file": fault.file, "line": fault.line, "column": fault.column}
            fields = {"status": "bad_input", **refusal, **fields}
        return fields


def named_files(
    names: Sequence[str], endings: tuple[str, ...], lacking: str, enters: Callable[[str], bool] = is_of_people
) -> list[str]:
    """Return the named files and, from named folders, games and files with the given `endings`, each file once.

    Raises ParseError, which says what is `lacking`, for a folder without any.
    """
    paths: list[str] = []
    for name in names:
        if not os.path.isdir(name):
            paths.append(name)
            continue
        inside = [(path, format_of(path)) for path in found_files(name, (*endings, *FILES), enters=enters)]
        known = sorted([path for path, its in inside if path.endswith(endings) or (its and its.is_game(path))])
        if not known:
            raise ParseError(f"the folder {name} has no {lacking}")
        paths += known
    return list(dict.fromkeys(paths))


def _readable(paths: Iterable[str], names: Sequence[str]) -> Iterator[PddlText]:
    """Yield the texts of files; a binary file in a named folder is left out with a warning."""
    for path in paths:
        try:
            yield _listed(path)
        except ParseError as error:
            if path in names:
                raise
            warn_explicit(f"{error.message}: the file is left out", FileLeftOut, path, 0)


def _listed(path: str) -> PddlText:
    """Read a file in any encoding. Raises ParseError for a binary file."""
    name = STDIN if path == "-" else path
    file = pddl_text(name, read_input(path))
    if file.kind != PLAN and not name.endswith(ENDINGS) and _is_foreign(file.text):  # --fix would destroy it
        raise ParseError("this is neither PDDL nor a plan nor a game", file=name)
    return file


def _is_foreign(text: str) -> bool:
    """Return whether a text begins with something other than PDDL, such as a program, and has no definition."""
    lines = (line.strip() for line in text.splitlines())
    head = next((line for line in lines if line and not line.startswith(";")), "(")
    return not head.startswith("(") and "(define" not in text.lower()


def _is_plan(path: str) -> bool:
    """Return whether a file with a game's ending contains a plan; False for a file that is too large."""
    if path == "-" or not os.path.isfile(path) or os.path.getsize(path) > LARGEST_PLAN:
        return False
    try:
        return _listed(path).kind == PLAN
    except ParseError:
        return False
