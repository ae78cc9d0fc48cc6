"""The server that offers tools over the Model Context Protocol, on standard input and output.

The tools `lint plan validate explain check same explore draw puzzles` each run the command of that name. What agents
read about a tool is its docstring and the descriptions of its arguments; a wrong argument gives an answer, `refused`,
that says how to correct it. A call asks a command on its inputs within the server's bounds (`workspace.asking`). The
command has the limits of the call, so that it says itself what it found until then.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
import os
import re
import reprlib
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from functools import wraps
from threading import Thread
from typing import Annotated, Any, TypeVar, get_type_hints

from anyio import BrokenResourceError, ClosedResourceError
from mcp.server import MCPServer
from mcp.server.mcpserver.tools import Tool
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp.types import PARSE_ERROR, ErrorData, JSONRPCError, ToolAnnotations, jsonrpc_message_adapter
from pydantic import Field, ValidationError

from unpuzzle.base.errors import ParseError, UsageError
from unpuzzle.base.outcomes import SOLVED_OPTIMALLY
from unpuzzle.base.run import Limits
from unpuzzle.base.text import suggestion
from unpuzzle.planning.registry import kind_of
from unpuzzle.servers.mcp import answers
from unpuzzle.servers.mcp.inputs import ANSWER, Bounds, Inputs, is_path, is_task_text
from unpuzzle.version import __version__
from unpuzzle.workspace.asking import Commands, Reply

INSTRUCTIONS = """Plan, judge and explain puzzles and PDDL tasks. Send texts: domains, problems, plans, levels.
A PDDL domain is a game and its problem a level: `game` and `level` may also be called `domain` and `problem`.
Write PDDL in this order: `lint` until there are no errors; `plan`; where that says `no`, `explain`; `check` or `same`
to see whether a domain is the game that was meant. A verdict `no` is certain; `undecided` means that a limit was
reached, and never `no`. Each fault has a place, a code and, where it is known, its correction."""
UNREADABLE = "this line is not a message of the protocol: a request is one JSON object on one line"
ESCAPE = re.compile(r"\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\.")
HALF = re.compile(r"\\u[dD][89a-fA-F][\da-fA-F]{2}")
A = TypeVar("A", bound=answers.Answer)
Answering = Callable[..., Awaitable[A]]

Domain = Annotated[str, Field(description="the text of a PDDL domain")]
Problem = Annotated[str, Field(description="the text of a PDDL problem")]
Game = Annotated[
    str, Field(description="a puzzle's name (see `puzzles`), or the text of a PDDL domain or of a game in PuzzleScript")
]
Level = Annotated[
    str, Field(description="a level's name or text; of a PDDL domain the text of a problem; of a game file the number")
]
Seconds = Annotated[float | None, Field(description="the time limit of this call, up to the limit of the server", gt=0)]
States = Annotated[int, Field(description="the most states to explore", gt=0, le=1_000_000)]
ALSO = {"domain": "game", "problem": "level", "game": "domain", "level": "problem"}
"""Names of arguments, with the names that other tools have for them."""
GRACE = 30.0
"""Seconds that a command gets to start and to answer, beyond its limit."""


def answering(tool: Answering[A]) -> Answering[A]:
    """Return a tool that runs only a few calls at a time, and that turns wrong arguments into an answer."""
    kind: type[A] = get_type_hints(tool)["return"]

    @wraps(tool)
    async def answered(self: Tools, *arguments: Any, **named: Any) -> A:
        async with self.turns:
            try:
                return await tool(self, *arguments, **named)
            except (UsageError, ParseError, OSError) as error:
                return answers.refused(kind, str(error), "correct what the message names and call again")
            except Exception as error:
                message = f"a bug in unpuzzle: {type(error).__name__}: {error}"
                return answers.shaped(kind, Reply("broken", {"status": "fault", "message": message}))

    return answered


class Tools:
    """The tools of one server, as methods."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = bounds
        self._commands = Commands()
        self._known = Known(lambda: self._call(["list"], Inputs(bounds), limited=False))
        self.turns = asyncio.Semaphore(bounds.calls)

    def all(self) -> list[Callable[..., Awaitable[answers.Answer]]]:
        """Return the tools in the order in which agents see them."""
        return [
            *(self.puzzles, self.lint, self.plan, self.validate, self.explain),
            *(self.check, self.same, self.explore, self.draw),
        ]

    @answering
    async def puzzles(self) -> answers.PuzzlesAnswer:
        """List the available puzzles with their levels, the planners, and what this server allows."""
        listing = await self._known.listing()
        titles, levels = listing["puzzles"], listing["levels"]
        rows = [answers.Puzzle(name=name, title=title, levels=levels.get(name, [])) for name, title in titles.items()]
        planners = [name for name in PLANNERS if listing["planners"].get(name, {}).get("available")]
        known = {"seconds": self._bounds.seconds, "reads_files": self._bounds.root is not None}
        return answers.PuzzlesAnswer(verdict="yes", puzzles=rows, planners=planners, **known)  # type: ignore[arg-type]

    @answering
    async def lint(
        self,
        domain: Domain = "",
        problem: Problem = "",
        plan: Annotated[str, Field(description="a plan, one action such as (move a b) a line")] = "",
        game: Annotated[str, Field(description="the text of a game in PuzzleScript")] = "",
    ) -> answers.LintAnswer:
        """Find all faults of PDDL texts, a plan or a game, each with line, column, code and, if known, a correction.

        `corrected` has the texts with the known corrections made. Give domain and problem together: names in a problem
        are checked against its domain.
        """
        inputs = Inputs(self._bounds)
        texts = {"domain.pddl": domain, "problem.pddl": problem, "plan.plan": plan, "game.txt": game}
        names = [inputs.add(name, text) for name, text in texts.items() if text.strip()]
        if not names:
            raise UsageError("give at least one text: domain, problem, plan or game")
        return await self._linted(inputs, names)

    @answering
    async def plan(
        self,
        domain: Annotated[str, Field(description="the text of a PDDL domain; or a puzzle's name or game text")],
        problem: Annotated[str, Field(description="the text of a PDDL problem; or a level of the puzzle")],
        planner: Annotated[str, Field(description="such as native, reference, rules:bfs; default: native")] = "",
        seconds: Seconds = None,
    ) -> answers.PlanAnswer:
        """Find a cheapest plan, validated, for a PDDL task or a puzzle's level; `no` means proved unsolvable."""
        inputs = Inputs(self._bounds)
        words = await subject_words(self._known, inputs, domain, problem)
        words = ["plan" if is_task(domain, inputs) else "solve", *words, *planner_words(planner)]
        reply = await self._call(words, inputs, seconds)
        steps = "call `explain` for the reasons" if reply.verdict == "no" else ""
        optimal = reply.get("status") == SOLVED_OPTIMALLY and reply.get("condition") is None
        total = (reply.get("seconds") or {}).get("total")
        answer = answers.shaped(answers.PlanAnswer, reply, steps, optimal=optimal, seconds=total)
        return await self._with_faults(answer, inputs)

    @answering
    async def validate(
        self,
        domain: Domain,
        problem: Problem,
        plan: Annotated[str, Field(description="one action such as (move a b) a line")],
        seconds: Seconds = None,
    ) -> answers.ValidateAnswer:
        """Run a plan step by step; say which step fails, which conditions are false, and how to repair it."""
        inputs = Inputs(self._bounds)
        texts = {"domain.pddl": domain, "problem.pddl": problem, "plan.txt": plan}
        words = ["validate", *(inputs.add(name, text) for name, text in texts.items())]
        reply = await self._call(words, inputs, seconds)
        parts = [part["reason"] for name in ("false", "missing") for part in reply.get(name) or ()]
        conditions, mending = list(dict.fromkeys(parts)), answers.mending_of(reply.get("mending"))
        answer = answers.shaped(answers.ValidateAnswer, reply, false_conditions=conditions, mending=mending)
        answer.message = answer.message or answer.reason
        return await self._with_faults(answer, inputs)

    @answering
    async def explain(
        self,
        game: Game,
        level: Level,
        action: Annotated[str, Field(description="a ground action such as (move a b): why is it not applicable?")] = "",
        seconds: Seconds = None,
    ) -> answers.ExplainAnswer:
        """Explain why there is no plan, with the fewest changes that make a plan possible; or name the next step."""
        inputs = Inputs(self._bounds)
        own = [f"--action={action}"] if action else []
        words = ["explain", *own, *await subject_words(self._known, inputs, game, level)]
        reply = await self._call(words, inputs, seconds)
        fields: dict[str, Any] = {"step": None, "move": None}
        if "reasons" in reply.fields:
            fields["reasons"] = [reason["text"] for reason in reply.get("reasons")]
            fields["excuses"] = [answers.excuse_of(excuse) for excuse in reply.get("excuses") or []]
            fields["step"], fields["move"] = reply.get("step"), reply.get("move")
        elif reply.verdict == "yes":
            fields["game"] = reply.fields
        return await self._with_faults(answers.shaped(answers.ExplainAnswer, reply, **fields), inputs)

    @answering
    async def check(
        self,
        game: Game,
        level: Level,
        domain: Annotated[str, Field(description="a PDDL domain to check instead of the game's own")] = "",
        problem: Annotated[str, Field(description="with a domain: a problem instead of the level's own")] = "",
        max_states: States = 100_000,
        seconds: Seconds = None,
    ) -> answers.CheckAnswer:
        """Compare a puzzle's rules with its PDDL, state by state; return the shortest difference, if there is one."""
        inputs = Inputs(self._bounds)
        if is_task_text(game):
            raise UsageError("`check` compares a game's rules with PDDL: to compare two PDDL tasks call `same`")
        words = ["check", *await subject_words(self._known, inputs, game, level), f"--max-states={max_states}"]
        for name, text in (("domain", domain), ("problem", problem)):
            words += [f"--{name}=./{inputs.add(f'{name}.pddl', text)}"] if text.strip() else []
        return await self._compared(words, inputs, seconds)

    @answering
    async def same(
        self,
        domain1: Domain,
        problem1: Problem,
        domain2: Domain,
        problem2: Problem,
        max_states: States = 100_000,
        seconds: Seconds = None,
    ) -> answers.CheckAnswer:
        """Compare two PDDL tasks: are they identical, equal up to renaming, or different, and where?"""
        inputs = Inputs(self._bounds)
        texts = {"domain1": domain1, "problem1": problem1, "domain2": domain2, "problem2": problem2}
        words = ["diff", *(f"./{inputs.add(f'{name}.pddl', text)}" for name, text in texts.items())]
        return await self._compared([*words, f"--max-states={max_states}"], inputs, seconds)

    @answering
    async def explore(
        self, game: Game, level: Level, max_states: States = 200_000, seconds: Seconds = None
    ) -> answers.ExploreAnswer:
        """Explore all states of a level: their number, dead ends, cost and number of best solutions, hardest start."""
        inputs = Inputs(self._bounds)
        words = ["explore", *await subject_words(self._known, inputs, game, level), f"--max-states={max_states}"]
        reply = await self._call(words, inputs, seconds)
        solvable = True if reply.get("cost") is not None else False if reply.verdict == "yes" else None
        hardest = reply.get("hardest") or {}
        fields = {"hardest_level": hardest.get("level") or "", "hardest_cost": hardest.get("cost")}
        fields |= {"solvable": solvable, "states_by_depth": reply.get("depths") or []}
        return await self._with_faults(answers.shaped(answers.ExploreAnswer, reply, **fields), inputs)

    @answering
    async def draw(
        self,
        game: Game,
        level: Level,
        moves: Annotated[str, Field(description="moves to play first; for a PDDL domain, lines of a plan")] = "",
        svg: Annotated[bool, Field(description="whether to return an SVG, too")] = False,
        seconds: Seconds = None,
    ) -> answers.DrawAnswer:
        """Draw a level, or the position after some moves."""
        inputs = Inputs(self._bounds)
        words = ["draw", *await subject_words(self._known, inputs, game, level)]
        words += [f"./{inputs.add('moves.txt', moves)}"] if moves.strip() else []
        words += ["--still", "--output=picture.svg"] if svg else ["--still"]
        reply = await self._call(words, inputs, seconds, made="picture.svg" if svg else "")
        answer = answers.shaped(answers.DrawAnswer, reply, svg=reply.files.get("picture.svg", ""))
        answer.message = answer.message or reply.get("reason") or ""
        return await self._with_faults(answer, inputs)

    async def _call(
        self, words: Sequence[str], inputs: Inputs, wish: float | None = None, *, made: str = "", limited: bool = True
    ) -> Reply:
        """Return the answer of a command; end the command if the call is cancelled.

        `wish` is the time limit that was asked for, `made` the pattern of files that the command writes; one that takes
        no limits is not `limited`.
        """
        bounds = self._bounds
        limits = Limits(bounds.time(wish), bounds.memory) if limited else Limits()
        try:
            reply = await asyncio.to_thread(
                self._commands.ask, words, limits, inputs.files, grace=GRACE, made=made, most=ANSWER
            )
        finally:
            limits.cancel()
        return reply.replace(fields=_named(reply.fields, inputs.shown))

    async def _compared(self, words: list[str], inputs: Inputs, seconds: float | None) -> answers.CheckAnswer:
        reply = await self._call(words, inputs, seconds)
        difference = answers.difference_of(reply.get("difference"))
        answer = answers.shaped(answers.CheckAnswer, reply, reply.get("hint") or "", difference=difference)
        return await self._with_faults(answer, inputs)

    async def _linted(self, inputs: Inputs, names: list[str]) -> answers.LintAnswer:
        reply = await self._call(["lint", *names], inputs)
        if "faults" not in reply.fields:
            return answers.shaped(answers.LintAnswer, reply)
        faults = answers.faults_of(reply.get("faults"))
        errors = sum(fault.severity == "error" for fault in faults)
        mended: dict[str, str] = {}
        if any(fault.correction for fault in faults):
            after = await self._call(["lint", "--fix", *names], inputs, made="*.*")
            mended = {name: text for name, text in after.files.items() if text != inputs.files.get(name, text)}
        told = answers.CORRECT if errors else ""
        answer = answers.shaped(answers.LintAnswer, reply, told, errors=errors, corrected=mended)
        answer.faults = faults
        return answer

    async def _with_faults(self, answer: A, inputs: Inputs) -> A:
        """Return an answer; if the answer refuses the texts because of faults, add all faults to the answer."""
        names = [name for name in inputs.files if name.endswith(".pddl") or name in ("plan.txt", "game.txt")]
        if answer.verdict != "refused" or not names:
            return answer
        pairs = [names] if len(names) < 4 else [names[:2], names[2:]]
        for each in pairs:
            answer.faults += (await self._linted(inputs, each)).faults
        if any(fault.severity == "error" for fault in answer.faults):
            answer.next_step = answers.CORRECT
        return answer


# Subjects of calls: a PDDL task or a level of a game, as words for a command line.
#
# An argument is a bundled name, a text or, with a root, the name of a file. Names are looked up in what `unpuzzle list`
# says here, so that no argument reaches a command as the name of a file that the call did not bring.

NAME = re.compile(r"[\w.+-]{1,60}")
PLANNERS = ("native", "reference", "rules", "cp-sat", "backtracking")
"""Kinds of planners that agents may name: others start any program, or read files and pages."""


class Known:
    """The available puzzles and planners, requested only once; `ask` returns the answer of `unpuzzle list`."""

    def __init__(self, ask: Callable[[], Awaitable[Reply]]) -> None:
        self._ask = ask
        self._lock = asyncio.Lock()
        self._reply: Reply | None = None

    async def listing(self) -> dict[str, Any]:
        """Return the answer of `unpuzzle list`. Raises UsageError if the command fails."""
        async with self._lock:
            if self._reply is None or self._reply.verdict != "yes":
                self._reply = await self._ask()
        if self._reply.verdict != "yes":
            raise UsageError(f"the puzzles cannot be listed: {self._reply.get('message')}")
        return self._reply.fields

    async def levels(self, puzzle: str) -> list[str]:
        """Return the names of a puzzle's levels. Raises UsageError for an unknown puzzle."""
        listing = await self.listing()
        _require(puzzle, listing["puzzles"], "puzzle")
        levels: list[str] = listing["levels"].get(puzzle, [])
        return levels


def _require(name: str, known: Iterable[str], what: str) -> None:
    known = list(known)
    if name not in known:
        raise UsageError(
            f"unknown {what} '{name}'{suggestion(name, known) or '; it must be one of ' + ', '.join(known)}"
        )


def planner_words(name: str) -> list[str]:
    """Return the command-line option for a planner. Raises UsageError for a planner that agents may not use."""
    if not name:
        return []
    _require(kind_of(name), PLANNERS, "kind of planner")
    return [f"--planner={name}"]


def is_task(domain: str, inputs: Inputs) -> bool:
    """Return whether the argument is a PDDL domain, rather than a game."""
    return is_task_text(domain) or (is_path(domain) and is_task_text(inputs.text(domain)))


async def subject_words(known: Known, inputs: Inputs, game: str, level: str) -> list[str]:
    """Return the command-line words for a game and its level, or for a domain and its problem.

    Raises UsageError and ParseError for arguments that name nothing, or files that are not read.
    """
    game = game.strip() if NAME.fullmatch(game.strip()) else game
    if NAME.fullmatch(game) and not is_path(game):
        return [game, _level_words(inputs, level, await known.levels(game))]
    if is_task(game, inputs):
        return [f"./{inputs.add('domain.pddl', game)}", f"./{inputs.add('problem.pddl', level)}"]
    number = level.strip()
    return [f"./{inputs.add('game.txt', game)}", number if number.isdigit() else f"./{inputs.add('level.txt', level)}"]


def _level_words(inputs: Inputs, level: str, names: list[str]) -> str:
    if level.strip() in names:
        return level.strip()
    if NAME.fullmatch(level.strip()) and len(level.strip()) < 16 and not is_path(level):
        _require(level.strip(), names, "level")
    return f"./{inputs.add('level.txt', level)}"


def _named(fields: Any, shown: dict[str, str]) -> Any:
    """Return the fields with each file name replaced by the name that the call used."""
    if isinstance(fields, dict):
        return {name: shown.get(each, each) if name == "file" else _named(each, shown) for name, each in fields.items()}
    return [_named(each, shown) for each in fields] if isinstance(fields, list) else fields


class Server(MCPServer[Any]):
    """A server that answers each line of its client, even an unreadable line."""

    async def run_stdio_async(self) -> None:
        """Answer requests until the input ends."""
        try:
            async with stdio_server(stdin=InputLines()) as (messages, answers):  # type: ignore[arg-type]
                server = self._lowlevel_server
                await server.run(Readable(messages, answers), answers, server.create_initialization_options())
        except* (OSError, BrokenResourceError, ClosedResourceError):  # the client is gone, and hears nothing more
            pass


class InputLines:
    """The lines of standard input, read in a background thread, so that a signal can end the server."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str] = asyncio.Queue()
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        with suppress(OSError, RuntimeError), open(os.dup(0), encoding="utf-8", errors="replace") as stream:
            for line in stream:
                self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._lines.put_nowait, "")

    def __aiter__(self) -> InputLines:
        return self

    async def __anext__(self) -> str:
        line = await self._lines.get()
        if not line:
            raise StopAsyncIteration
        return line


class Readable:
    """The stream of a client's messages; unreadable messages are answered with an error.

    JSON may have half of a surrogate pair as an escape, which is no character: it becomes U+FFFD.
    """

    def __init__(self, messages: Any, answers: Any) -> None:
        self._messages, self._answers = messages, answers

    def __getattr__(self, name: str) -> Any:
        return getattr(self._messages, name)

    async def __aenter__(self) -> Readable:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self._messages.aclose()

    def __aiter__(self) -> Readable:
        return self

    async def __anext__(self) -> SessionMessage:
        async for message in self._messages:
            if not isinstance(message, Exception):
                return message  # type: ignore[no-any-return]
            try:
                line = message.errors()[0]["input"] if isinstance(message, ValidationError) else ""
                return SessionMessage(jsonrpc_message_adapter.validate_json(_without_halves(str(line)), by_name=False))
            except ValidationError:
                wrong = JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=PARSE_ERROR, message=UNREADABLE))
                await self._answers.send(SessionMessage(wrong))
        raise StopAsyncIteration


def _without_halves(line: str) -> str:
    return ESCAPE.sub(lambda found: "\\ufffd" if HALF.fullmatch(found[0]) else found[0], line)


def make_server(bounds: Bounds) -> MCPServer[Any]:
    """Return a server with all tools; `run("stdio")` answers requests until the server's input ends."""
    logging.getLogger("mcp").setLevel(logging.ERROR)  # its notes of each request would fill a client's log
    reading = ToolAnnotations(read_only_hint=True, open_world_hint=False)
    tools: list[Tool] = [
        StrictTool.from_function(tool, description=inspect.getdoc(tool), annotations=reading)
        for tool in Tools(bounds).all()
    ]
    return Server("unpuzzle", version=__version__, instructions=INSTRUCTIONS, log_level="ERROR", tools=tools)


def tool_list(server: MCPServer[Any]) -> list[dict[str, Any]]:
    """Return the tools as agents see them: name, description, and schemas of arguments and answer."""
    tools = asyncio.run(server.list_tools())
    return [
        {
            "name": tool.name,
            "description": tool.description or "",
            "arguments": tool.input_schema,
            "answer": tool.output_schema or {},
        }
        for tool in tools
    ]


class StrictTool(Tool):
    """A tool that refuses unknown arguments, because a misspelt `seconds` would otherwise mean no limit.

    A PDDL domain is a game, and a problem is a level of it: where a tool knows one name, the other means the same.
    """

    async def run(self, arguments: dict[str, Any], context: Any, convert_result: bool = False) -> Any:
        arguments = self._by_own_names(arguments)
        wrong = [*self._unknown(arguments), *self._invalid(arguments), *_with_nul(arguments)]
        if not wrong:
            return await super().run(arguments, context, convert_result)
        kind = self.fn_metadata.output_model
        answer = answers.refused(kind, f"{self.name}: {'; '.join(wrong)}", "correct the arguments and call again")
        return self.fn_metadata.convert_result(answer) if convert_result else answer

    def _by_own_names(self, arguments: dict[str, Any]) -> dict[str, Any]:
        known = self.parameters["properties"]
        own = {name: ALSO[name] for name in arguments if name in ALSO and name not in known and ALSO[name] in known}
        return {
            own[name] if name in own and own[name] not in arguments else name: value
            for name, value in arguments.items()
        }

    def _unknown(self, arguments: Iterable[str]) -> list[str]:
        known = list(self.parameters["properties"])
        there = f"there are {', '.join(known)}" if known else "it takes none"
        return [
            f"there is no argument {name!r}{suggestion(name, known) or f'; {there}'}"
            for name in arguments
            if name not in known
        ]

    def _invalid(self, arguments: dict[str, Any]) -> list[str]:
        try:
            self.fn_metadata.validate_arguments(arguments)
        except ValidationError as error:
            return [_sentence(dict(each)) for each in error.errors(include_url=False)]
        return []


def _with_nul(arguments: dict[str, Any]) -> list[str]:
    """Return a sentence for each text argument that has a NUL character."""
    texts = {name: value for name, value in arguments.items() if isinstance(value, str)}
    return [f"the argument {name!r} has a NUL character" for name, value in texts.items() if "\0" in value]


def _sentence(error: dict[str, Any]) -> str:
    """Return an error of pydantic as a sentence with the argument and its value."""
    name = ".".join(map(str, error["loc"]))
    if error["type"] == "missing":
        return f"the argument {name!r} is missing"
    must = error["msg"].split(", ")[0].replace("Input should be", "must be").replace("valid ", "")
    return f"the argument {name!r} {must}, not {reprlib.repr(error['input'])}"
