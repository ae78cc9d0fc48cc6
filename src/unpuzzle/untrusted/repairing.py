"""Let a language model write search components or a PDDL domain, and let it correct the faults that tests find.

The question has the rules from the game's file, the form of a state and an example. The loop follows AutoToS (D. Cao,
M. Katz, H. Kokel, K. Srinivas, S. Sohrabi, Automating Thought of Search: A Journey Towards Soundness and Completeness,
2024), with tests on all states of small levels instead of a few stored ones.

The model is at an address with OpenAI's API (chat completions): see `Endpoint`.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Sequence
from random import Random
from time import perf_counter
from typing import Any

from unpuzzle.base.availability import require
from unpuzzle.base.defaults import ANSWER_SECONDS, ROUNDS, SAMPLES
from unpuzzle.base.errors import ParseError, PlannerFailed, UnsupportedFeature, UsageError
from unpuzzle.base.run import Limits
from unpuzzle.base.text import cut
from unpuzzle.base.values import Record, schema_name
from unpuzzle.model.capabilities import ForComponents, offered
from unpuzzle.model.position import Game, Position
from unpuzzle.pddl.nodes import Task
from unpuzzle.pddl.reading.reader import parse_domain, parse_problem
from unpuzzle.pddl.writer import write
from unpuzzle.state_space.surveying import require_levels
from unpuzzle.untrusted.child import decode
from unpuzzle.untrusted.instances import ExamplePosition, Instance
from unpuzzle.untrusted.sandbox import Budget
from unpuzzle.untrusted.trying import check_components
from unpuzzle.verification.domains import check_domain, rules_of
from unpuzzle.verification.report import Report

Ask = Callable[[Sequence[dict[str, str]]], str]

_FENCE = re.compile(r"(`{3,}|~{3,})[ \t]*([\w+-]*)")

SYSTEM = "You write search components for puzzles: exact, deterministic Python functions without side effects."

TASK = """\
Write two Python functions for this game.

successors(state{parameters}) returns a list of all states that one legal move leads to, and no others.
is_goal(state{parameters}) returns True if the game is solved in this state, and else False.

They must not change their arguments, print, or use files, and may import only what comes with Python. A state is
plain data of exactly the form shown; successors must have that form, too.
Answer with one block of Python code with both functions.
"""

AGAIN = """\
The functions are not right yet. This is what testing them on the game's own rules found:

{findings}
Write both functions again, whole, in one block of Python code.
"""

NO_CODE = "Your answer has no block of Python code. Answer with one block of Python code with both functions.\n"
KEY = "OPENAI_API_KEY"
RETRIES = 2
MOST_BYTES = 8 << 20
"""The most bytes received for one answer: a hundred times the usual size."""


class Repair(Record):
    """The last code that a language model wrote, and the report of the tests on this code.

    `rounds` is the number of times the model was asked, `message` the last message to it, empty if all is right.
    """

    code: str | None
    report: Report | None
    rounds: int
    message: str

    schema = "repair"

    @property
    def right(self) -> bool:
        """Whether the last code passed all tests."""
        return self.report is not None and self.report.right

    def to_dict(self) -> dict[str, Any]:
        """Return the result as data for JSON, including the fields of the report."""
        report = (self.report or Report(None, None, (), {})).to_dict()
        own = {"rounds": self.rounds, "code": self.code, "message": self.message}
        return {**report, "schema": schema_name(self.schema), **own}


def repair(
    game: Game,
    ask: Ask,
    *,
    rounds: int = ROUNDS,
    log: Callable[[dict[str, Any]], None] | None = None,
    budget: Budget | None = None,
    levels: Sequence[Instance] | None = None,
    unsafe: bool = False,
) -> Repair:
    """Let a language model write search components of a game, and correct them until they pass all tests.

    Args:
        ask: returns a model's answer to a conversation, such as `Endpoint(...).ask`.
        rounds: the most times it is asked, at least one.
        log: called with each exchange, plain data: `round`, `question`, `answer`, `code`, `verdict`.
        budget, levels, unsafe: as in `check_components`.

    Raises UsageError for less than one round, and the errors of `ask`; the exchange is logged before, with the `error`.
    """

    def attempt(answer: str, number: int) -> Repair:
        return _try(game, answer, number, budget, levels, unsafe)

    return converse(SYSTEM, question(game), ask, attempt, rounds, log)


def converse(
    system: str,
    question: str,
    ask: Ask,
    attempt: Callable[[str, int], Repair],
    rounds: int,
    log: Callable[[dict[str, Any]], None] | None,
) -> Repair:
    """Exchange messages with a language model; `attempt` judges each answer and returns the next message.

    Raises UsageError for less than one round, and the errors of `ask`, after logging them.
    """
    if rounds < 1:
        raise UsageError(f"rounds must be at least 1, not {rounds}")
    messages = [{"role": "system", "content": system}, {"role": "user", "content": question}]
    result = Repair(None, None, 0, "")
    for number in range(1, rounds + 1):
        entry: dict[str, Any] = {"round": number, "question": messages[-1]["content"]}
        try:
            answer = entry["answer"] = ask(messages)
            result = attempt(answer, number)
            unknown = Report(None, None, (), {}).to_dict() | {"message": result.message}
            entry |= {"code": result.code, "verdict": result.report.to_dict() if result.report else unknown}
        except BaseException as error:  # the log also shows what ended the conversation
            entry["error"] = str(error) or type(error).__name__
            raise
        finally:
            if log is not None:
                log(entry)
        if not result.message:
            break
        messages += [{"role": "assistant", "content": answer}, {"role": "user", "content": result.message}]
    return result


def _try(
    game: Game, answer: str, number: int, budget: Budget | None, levels: Sequence[Instance] | None, unsafe: bool
) -> Repair:
    """Test the code in an answer of the model, and return the message for the next round."""
    if (code := code_in(answer)) is None:
        return Repair(None, None, number, NO_CODE)
    try:
        report = check_components(code, game, "answer.py", budget=budget, levels=levels, unsafe=unsafe)
    except ParseError as error:
        return Repair(code, None, number, AGAIN.format(findings=f"{error}\n"))
    return Repair(code, report, number, "" if report.right else AGAIN.format(findings=report.text))


def question(game: Game) -> str:
    """Return the first message to a language model: the rules, the task, the form of states and an example."""
    rules = rules_of(game)
    parts = [f"The game: {game.title or game.name}\n", f"{rules}\n" if rules else ""]
    example = _example(game)
    arguments = example.level.arguments
    parts.append(TASK.format(parameters="".join(f", {name}" for name in arguments)))
    parts.append(f"{_form(example)}\nExample. This is a state:\n{decode(example.state)!r}\n")
    parts += [f"It comes with {name} = {decode(value)!r}\n" for name, value in arguments.items()]
    parts.append("It is a goal.\n" if example.solved else "It is not a goal.\n")
    steps = example.successors().values()
    lines = [f"  after {' or '.join(moves)}: {decode(state)!r}\n" for moves, state, _ in steps]
    parts.append("Its successors are, by their moves:\n" + "".join(lines))
    return "\n".join(parts)


def _form(example: ExamplePosition) -> str:
    """Return the game's description of its states as plain data and of the additional arguments of functions."""
    kind = type(example.position)
    lines = []
    for what, name in (("A state", "plain"), ("What comes with it", "component_arguments")):
        method = getattr(kind, name, None)
        if method is not None and method is not getattr(ForComponents, name) and method.__doc__:
            sentence = method.__doc__.strip().removeprefix("Return ")
            lines.append(f"{what}: {sentence[:1].upper()}{sentence[1:]}\n")
    return "".join(lines)


def _example(game: Game) -> ExamplePosition:
    """Return the start position of the game's first level."""
    special = offered(game, ForComponents)
    levels = (special and special.component_levels(Random(0))) or map(game.parse, game.levels.values())
    start = next(iter(levels), None) or game.sample(Random(0))
    return ExamplePosition(Instance("example", start, 0, 1), start)


def code_in(answer: str) -> str | None:
    """Return the Python code in a language model's answer; None if there is none."""
    blocks = blocks_in(answer)
    chosen = [text for language, text in blocks if language in ("python", "py", "python3")]
    chosen = chosen or [text for language, text in blocks if "def " in text]
    if not chosen and not blocks and re.search(r"^def \w+\(", answer, re.MULTILINE):
        chosen = [answer]
    return "\n\n".join(chosen) if chosen else None


def blocks_in(answer: str) -> list[tuple[str, str]]:
    """Return the language and the text of each fenced code block in an answer."""
    blocks: list[tuple[str, str]] = []
    fence, language, inside = "", "", list[str]()
    lines = answer.split("\n")
    for number, line in enumerate(lines):
        opening = None if fence else _FENCE.match(line.lstrip(" \t"))
        if fence and line.strip(" \t\r") == fence:
            blocks.append((language, "".join(inside)))
            fence, inside = "", []
        elif fence:
            inside.append(line if number == len(lines) - 1 else line + "\n")
        elif opening is not None and number < len(lines) - 1:
            fence, language = opening[1], opening[2].lower()
    return [*blocks, (language, "".join(inside))] if fence else blocks


# A game's PDDL domain, compared with the game. The model gets the rules, a level with its picture and moves, and the
# game's own problem for that level, whose names the domain must use. Its answer is only read as PDDL and never run as
# code, so no sandbox is needed.

TIME = 120.0
"""Seconds for the comparison of one answer; the rest is not compared."""
DOMAIN_SYSTEM = "You write PDDL domains: exact models of puzzles, which every planner can read."

DOMAIN_TASK = """\
Write the PDDL domain of this game. In each state, the applicable actions must be the game's legal moves, with equal
costs, and the goal must hold where the game is solved.

It is used with problems like the one below, so it must be called as they say, and declare the types and predicates that
they use. Use no more of PDDL than :adl, :derived-predicates and :action-costs.
Answer with one block of PDDL with the whole domain.
"""

DOMAIN_AGAIN = """\
The domain is not right yet. This is what comparing it with the game found:

{findings}
Write the domain again, whole, in one block of PDDL.
"""

NO_DOMAIN = "Your answer has no PDDL domain. Answer with one block of PDDL with '(define (domain ...) ...)'.\n"


def repair_domain(
    game: Game,
    ask: Ask,
    *,
    rounds: int = ROUNDS,
    log: Callable[[dict[str, Any]], None] | None = None,
    levels: Sequence[str] | None = None,
    samples: int = SAMPLES,
    limits: Limits | None = None,
) -> Repair:
    """Let a language model write a PDDL domain for a game, and correct it until tests pass or rounds run out.

    The result's `code` is the domain, its `report` from `check_domain`. It may be neither right nor wrong: if some
    levels have too many states to compare, nothing more can be reported to the model, and it is not asked again.

    Args:
        ask, rounds, log: as in `repair`.
        levels, samples: as in `check_domain`.
        limits: of the comparison of each answer; by default two minutes.

    Raises UsageError for less than one round and for unknown levels, and the errors of `ask`.
    """
    most = Limits(TIME) if limits is None else limits
    require_levels(game, levels or ())

    def attempt(answer: str, number: int) -> Repair:
        if (text := domain_in(answer)) is None:
            return Repair(None, None, number, NO_DOMAIN)
        try:
            domain = parse_domain(text, "answer.pddl")
            problem = write(_first_level(game).task().problem)
            Task(domain, parse_problem(problem, domain, "the problem"))  # the model gets the error of a misfit
            report = check_domain(domain, game, levels=levels, samples=samples, limits=most)
        except (ParseError, UnsupportedFeature) as error:
            return Repair(text, None, number, DOMAIN_AGAIN.format(findings=f"{error}\n"))
        return Repair(text, report, number, DOMAIN_AGAIN.format(findings=report.text) if report.findings else "")

    return converse(DOMAIN_SYSTEM, domain_question(game), ask, attempt, rounds, log)


def domain_question(game: Game) -> str:
    """Return the first message to a language model: the rules, the task, a level and its PDDL problem."""
    rules, start = rules_of(game), _first_level(game)
    parts = [f"The game: {game.title or game.name}\n", f"{rules}\n" if rules else "", DOMAIN_TASK]
    moves = ", ".join(f"{move} (cost {start.cost(move)})" for move in start.moves()) or "none"
    parts.append(f"Example. This is a level:\n{start}\ndrawn:\n{start.draw().rstrip()}\nIts legal moves are: {moves}\n")
    parts.append(f"This is the problem for it:\n{write(start.task().problem)}")
    return "\n".join(parts)


def _first_level(game: Game) -> Position:
    level = next((game.parse(text, name) for name, text in game.levels.items()), None)
    return level or game.parse(str(game.sample(Random(0))))


def domain_in(answer: str) -> str | None:
    """Return the PDDL domain in a language model's answer; None if there is none."""
    chosen = [text for _, text in blocks_in(answer) if _holds_domain(text)]
    if chosen:
        return chosen[-1]
    at = answer.lower().find("(define")
    return answer[at:] if at >= 0 and _holds_domain(answer) else None


def _holds_domain(text: str) -> bool:
    return "(domain" in text.lower().replace(" ", "")


# A model at an address. The package `openai` is loaded when a model is first asked. The key, from the environment
# variable OPENAI_API_KEY, is never logged or shown.
#
# A server may send endlessly, byte by byte, since the libraries limit only single reads. So a thread asks, we wait for
# at most the time of an answer, and a `Watch` counts time and bytes at each read and ends the thread's work. A
# compressed answer is refused: a few bytes can become very many. So is a redirect to another host or port, which would
# be given the question.


class Watch:
    """A guard that limits the time and the size of one HTTP answer; `fault` says which limit was reached."""

    def __init__(self, seconds: float, most: int = MOST_BYTES) -> None:
        self.seconds = seconds
        self.end: float = perf_counter() + seconds
        self.left: int = most
        self.sees: bool = False
        self.origin: tuple[object, ...] | None = None
        self.fault: str = ""

    def late(self) -> str:
        return f"gave no answer within {self.seconds:g} s"

    def request(self, request: Any) -> None:
        """Check the address of a request, and watch its connection. Raises WatchedError for another host."""
        self.look()
        origin = request.url.scheme, request.url.host, request.url.port
        self.origin = self.origin or origin
        if origin != self.origin:
            self._stop(f"redirects to another address, {cut(str(request.url), 200)}")
        request.extensions = {**request.extensions, "trace": self._traced}

    def response(self, response: Any) -> None:
        """Check the head of a response. Raises WatchedError if it is compressed or its connection is not watched."""
        if not self.sees:
            self._stop("uses a connection on which limits cannot be enforced")
        if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
            self._stop("compresses the answer, although the request forbids that")

    def look(self, size: int = 0) -> None:
        """Count received bytes. Raises WatchedError from the moment when a limit is reached."""
        if self.fault:
            self._stop(self.fault)
        self.left -= size
        if self.left < 0:
            self._stop("sends an answer that is too long")
        if perf_counter() > self.end:
            self._stop(self.late())

    def _traced(self, event: str, about: dict[str, Any]) -> None:
        """Handle an event of the HTTP client: count the bytes that new connections receive."""
        stream = about.get("return_value")
        if event.endswith((".connect_tcp.complete", ".connect_unix_socket.complete", ".start_tls.complete")):
            stream.read = self._watched(stream.read)  # type: ignore[union-attr]
            self.sees = True

    def _watched(self, read: Any) -> Any:
        """Return a function that reads from a connection, counts the bytes, and ends at the limits."""

        def watched(most: int, timeout: float | None = None) -> bytes:
            self.look()
            left = max(0.001, self.end - perf_counter())
            data: bytes = read(most, left if timeout is None else min(timeout, left))
            self.look(len(data))
            return data

        return watched

    def _stop(self, fault: str) -> None:
        self.fault = self.fault or fault
        raise WatchedError(self.fault)


class WatchedError(Exception):
    """The exception for an answer that reaches a limit."""


class Endpoint:
    """A language model behind an HTTP address, with a time limit and a number of retries for each answer.

    Raises ParseError for an invalid address, DependencyMissing without the package `openai`.
    """

    def __init__(self, url: str, model: str, *, seconds: float = ANSWER_SECONDS, retries: int = RETRIES) -> None:
        scheme, _, rest = url.partition("://")
        if scheme not in ("http", "https") or not rest.partition("/")[0]:
            example = "http://localhost:8000/v1"
            raise ParseError(f"{url!r} is not the address of an endpoint; an address looks like {example}")
        require("llm", "language models need")
        import openai

        self.url = url
        self.model = model
        self.seconds = seconds
        self.retries = retries
        self._key = os.environ.get(KEY, "").strip()
        self._openai: Any = openai

    def ask(self, messages: Sequence[dict[str, str]]) -> str:
        """Send a conversation to the language model, and return its answer. Raises PlannerFailed with the reason."""
        watch, done = Watch(self.seconds), threading.Event()
        answers: list[str | BaseException] = []

        def work() -> None:
            try:
                answers.append(self._asked(list(messages), watch))
            except BaseException as error:
                answers.append(error)
            finally:
                done.set()

        # A daemon, so that this program can end even if libraries wait. The watch ends the thread soon.
        threading.Thread(target=work, daemon=True, name="unpuzzle-endpoint").start()
        if not done.wait(self.seconds):
            raise self._failed(f"{self._named} {watch.late()}")
        [answer] = answers
        if isinstance(answer, BaseException):
            raise self._explained(answer, watch) from None
        return answer

    def _asked(self, messages: list[dict[str, str]], watch: Watch) -> str:
        """Send a conversation over a watched connection, and return the answer as text."""
        hooks = {"request": [watch.request], "response": [watch.response]}
        kind = type(self._openai.DEFAULT_CONNECTION_LIMITS)  # of httpx, or of its successor in newer clients
        limits = kind(max_keepalive_connections=0)  # a connection for each request, so that each is watched
        with self._openai.DefaultHttpxClient(event_hooks=hooks, limits=limits) as http:
            client = self._openai.OpenAI(
                base_url=self.url,
                api_key=self._key or "none",  # servers on one's own machine need no key, but the client does
                timeout=self.seconds,
                max_retries=self.retries,
                http_client=http,
                default_headers={"Accept-Encoding": "identity"},
            )
            return self._text(client.chat.completions.create(model=self.model, messages=messages))

    def _explained(self, error: BaseException, watch: Watch) -> BaseException:
        """Return an error that explains an exception of the HTTP client library to the user."""
        if watch.fault:
            return self._failed(f"{self._named} {watch.fault}")
        if isinstance(error, self._openai.APITimeoutError):
            return self._failed(f"{self._named} {watch.late()}")
        if isinstance(error, self._openai.APIConnectionError):
            return self._failed(f"{self._named} cannot be reached: {self._first(str(error.__cause__ or error))}")
        if isinstance(error, self._openai.APIStatusError):
            return self._failed(f"{self._named} refuses with status {error.status_code}: {self._first(error.message)}")
        if isinstance(error, RecursionError):
            return self._failed(f"{self._named} returned something that cannot be read: it is nested too deeply")
        if isinstance(error, self._openai.OpenAIError | ValueError | TypeError):
            return self._failed(f"{self._named} returned something that cannot be read: {self._first(str(error))}")
        return error

    def _text(self, answer: Any) -> str:
        try:
            text = answer.choices[0].message.content
        except (AttributeError, IndexError, TypeError, KeyError):
            text = None
        if not isinstance(text, str):
            raise self._failed(f"{self._named} returned something that is not a chat completion")
        return self.hidden(text.encode("utf-8", "replace").decode())  # halves of characters cannot be sent back

    def hidden(self, text: str) -> str:
        """Return a text with the secret key replaced by stars."""
        return text.replace(self._key, "***") if self._key else text

    @property
    def _named(self) -> str:
        return f"the model {self.model} at {self.url}"

    def _failed(self, sentence: str) -> PlannerFailed:
        return PlannerFailed(self.hidden(sentence), planner="llm")

    def _first(self, text: str) -> str:
        """Return the first line of a text, shortened and without the secret key."""
        return cut(self.hidden(text).strip().partition("\n")[0], 200)
