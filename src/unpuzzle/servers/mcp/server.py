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
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from functools import wraps
from threading import Thread
from typing import Annotated, Any, get_type_hints

from anyio import BrokenResourceError, ClosedResourceError, create_memory_object_stream, create_task_group
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
from unpuzzle.servers.mcp.answers import A
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
    """Return a tool that limits how many calls run at a time, and that refuses wrong arguments in its answer."""
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
        self._list: Reply | None = None
        self._listed = asyncio.Lock()
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
        listing = await self._listing()
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
        planner: Annotated[str, Field(description="a planner, such as native or rules:bfs; default: native")] = "",
        seconds: Seconds = None,
    ) -> answers.PlanAnswer:
        """Find a cheapest plan, validated, for a PDDL task or a puzzle's level; `no` means proved unsolvable."""
        inputs = Inputs(self._bounds)
        words = await self._subject(inputs, domain, problem)
        words = ["plan" if is_task_text(inputs.text(domain)) else "solve", *words, *_planner(planner)]
        reply = await self._call(words, inputs, seconds)
        steps = "call `explain` for the reasons" if reply.verdict == "no" else ""
        optimal = reply.get("status") == SOLVED_OPTIMALLY and reply.get("condition") is None
        total = (reply.get("seconds") or {}).get("total")
        return await self._shaped(answers.PlanAnswer, reply, inputs, steps, optimal=optimal, seconds=total)

    @answering
    async def validate(
        self,
        domain: Domain,
        problem: Problem,
        plan: Annotated[str, Field(description="the plan, one action such as (move a b) a line")],
        seconds: Seconds = None,
    ) -> answers.ValidateAnswer:
        """Run a plan step by step; say which step fails, which conditions are false, and how to repair it."""
        inputs = Inputs(self._bounds)
        texts = {"domain.pddl": domain, "problem.pddl": problem, "plan.txt": plan}
        words = ["validate", *(inputs.add(name, text) for name, text in texts.items())]
        reply = await self._call(words, inputs, seconds)
        parts = [part["reason"] for name in ("false", "missing") for part in reply.get(name) or ()]
        fields: dict[str, Any] = {"message": answers.placed(reply) or reply.get("reason") or ""}
        fields |= {"false_conditions": [*dict.fromkeys(parts)], "mending": answers.mending_of(reply.get("mending"))}
        return await self._shaped(answers.ValidateAnswer, reply, inputs, **fields)

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
        words = ["explain", *own, *await self._subject(inputs, game, level)]
        reply = await self._call(words, inputs, seconds)
        fields: dict[str, Any] = {"step": None, "move": None}
        if "reasons" in reply.fields:
            fields["reasons"] = [reason["text"] for reason in reply.get("reasons")]
            fields["step"], fields["move"] = reply.get("step"), reply.get("move")
            fields |= answers.of_unsolvable(reply.fields)
        elif reply.verdict == "yes":
            fields["game"] = reply.fields
        return await self._shaped(answers.ExplainAnswer, reply, inputs, **fields)

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
        words = ["check", *await self._subject(inputs, game, level), f"--max-states={max_states}"]
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
        words = ["explore", *await self._subject(inputs, game, level), f"--max-states={max_states}"]
        reply = await self._call(words, inputs, seconds)
        solvable = True if reply.get("cost") is not None else False if reply.verdict == "yes" else None
        hardest = reply.get("hardest") or {}
        fields: dict[str, Any] = {"hardest_level": hardest.get("level") or "", "hardest_cost": hardest.get("cost")}
        fields |= {"solvable": solvable, "states_by_depth": reply.get("depths") or []}
        return await self._shaped(answers.ExploreAnswer, reply, inputs, **fields)

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
        words = ["draw", *await self._subject(inputs, game, level)]
        words += [f"./{inputs.add('moves.txt', moves)}"] if moves.strip() else []
        words += ["--still", "--output=picture.svg"] if svg else ["--still"]
        reply = await self._call(words, inputs, seconds, made="picture.svg" if svg else "")
        fields = {"message": answers.placed(reply) or reply.get("reason") or ""}
        return await self._shaped(answers.DrawAnswer, reply, inputs, svg=reply.files.get("picture.svg", ""), **fields)

    async def _listing(self) -> dict[str, Any]:
        """Return the answer of `unpuzzle list`, which is asked only once. Raises UsageError if the command fails."""
        async with self._listed:
            if self._list is None or self._list.verdict != "yes":
                self._list = await self._call(["list"], Inputs(self._bounds), limited=False)
        if self._list.verdict != "yes":
            raise UsageError(f"the puzzles cannot be listed: {self._list.get('message')}")
        return self._list.fields

    async def _subject(self, inputs: Inputs, game: str, level: str) -> list[str]:
        """Return the command-line words for a game and its level, or for a domain and its problem.

        An argument is a bundled name, a text or, with a root, the name of a file. Names are looked up in what
        `unpuzzle list` says here, so that no argument reaches a command as the name of a file that the call did not
        bring. Raises UsageError and ParseError for arguments that name nothing, or files that are not read.
        """
        game, name = game.strip() if NAME.fullmatch(game.strip()) else game, level.strip()
        if NAME.fullmatch(game) and not is_path(game):
            listing = await self._listing()
            _require(game, listing["puzzles"], "puzzle")
            known = listing["levels"].get(game, [])
            if NAME.fullmatch(name) and len(name) < 16 and not is_path(level):
                _require(name, known, "level")
            return [game, name if name in known else f"./{inputs.add('level.txt', level)}"]
        if is_task_text(inputs.text(game)):
            return [f"./{inputs.add('domain.pddl', game)}", f"./{inputs.add('problem.pddl', level)}"]
        return [f"./{inputs.add('game.txt', game)}", name if name.isdigit() else f"./{inputs.add('level.txt', level)}"]

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
        """Return the answer of a command that compares two descriptions, with their first difference."""
        reply = await self._call(words, inputs, seconds)
        difference = None
        if (found := reply.get("difference")) is not None:
            first = found.get("rules") or found.get("first") or ""
            second = found.get("pddl") or found.get("constraints") or found.get("second") or ""
            moves = [*map(str, found.get("moves") or [])]
            difference = answers.Difference(moves=moves, first=str(first), second=str(second))
        return await self._shaped(answers.CheckAnswer, reply, inputs, reply.get("hint") or "", difference=difference)

    async def _linted(self, inputs: Inputs, names: list[str]) -> answers.LintAnswer:
        """Return the faults that `lint` finds in texts, and the corrected texts."""
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

    async def _shaped(self, kind: type[A], reply: Reply, inputs: Inputs, next_step: str = "", **fields: Any) -> A:
        """Return the answer of a command; if the command refused the texts, the answer lists all their faults."""
        answer = answers.shaped(kind, reply, next_step, **fields)
        names = [name for name in inputs.files if name.endswith(".pddl") or name in ("plan.txt", "game.txt")]
        if answer.verdict != "refused" or not names:
            return answer
        pairs = [names] if len(names) < 4 else [names[:2], names[2:]]
        for each in pairs:
            answer.faults += (await self._linted(inputs, each)).faults
        if any(fault.severity == "error" for fault in answer.faults):
            answer.next_step = answers.CORRECT
        return answer


NAME = re.compile(r"[\w.+-]{1,60}")
PLANNERS = ("native", "reference", "rules", "cp-sat", "backtracking")
"""Kinds of planners that agents may name: others start any program, or read files and pages."""


def _require(name: str, known: Iterable[str], what: str) -> None:
    known = list(known)
    if name not in known:
        others = suggestion(name, known) or f"; it must be one of {', '.join(known)}"
        raise UsageError(f"unknown {what} '{name}'{others}")


def _planner(name: str) -> list[str]:
    """Return the command-line option for a planner. Raises UsageError for a planner that agents may not use."""
    if name:
        _require(kind_of(name), PLANNERS, "kind of planner")
    return [f"--planner={name}"] if name else []


def _named(fields: Any, shown: dict[str, str]) -> Any:
    """Return the fields of an answer with each file name replaced by the name that the caller used."""
    if isinstance(fields, dict):
        return {name: shown.get(each, each) if name == "file" else _named(each, shown) for name, each in fields.items()}
    return [_named(each, shown) for each in fields] if isinstance(fields, list) else fields


class Server(MCPServer[Any]):
    """A server that answers each line of its client, even a line that it cannot read."""

    async def run_stdio_async(self) -> None:
        """Answer requests until the input ends."""
        try:
            async with stdio_server(stdin=input_lines()) as (messages, answers), create_task_group() as group:  # type: ignore[arg-type]
                sender, readable = create_memory_object_stream[SessionMessage | Exception](0)
                group.start_soon(pass_on, messages, sender, answers)
                server = self._lowlevel_server
                await server.run(readable, answers, server.create_initialization_options())
                group.cancel_scope.cancel()
        except* (OSError, BrokenResourceError, ClosedResourceError):  # the client is gone, and hears nothing more
            pass


async def input_lines() -> AsyncIterator[str]:
    """Yield the lines of standard input, which a thread reads, so that a signal can end the server."""
    loop, lines = asyncio.get_running_loop(), asyncio.Queue[str]()

    def read() -> None:
        with suppress(OSError, RuntimeError), open(os.dup(0), encoding="utf-8", errors="replace") as stream:
            for line in stream:
                loop.call_soon_threadsafe(lines.put_nowait, line)
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(lines.put_nowait, "")

    Thread(target=read, daemon=True).start()
    while line := await lines.get():
        yield line


async def pass_on(messages: Any, sender: Any, answers: Any) -> None:
    """Pass on the messages of a client; a message that cannot be read is answered with an error.

    JSON may have half of a surrogate pair as an escape, which is no character: it becomes U+FFFD.
    """
    async with sender:
        async for message in messages:
            if not isinstance(message, Exception):
                await sender.send(message)
                continue
            try:
                line = message.errors()[0]["input"] if isinstance(message, ValidationError) else ""
                read = jsonrpc_message_adapter.validate_json(_without_halves(str(line)), by_name=False)
                await sender.send(SessionMessage(read))
            except ValidationError:
                wrong = JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=PARSE_ERROR, message=UNREADABLE))
                await answers.send(SessionMessage(wrong))


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
    named = {"name": "name", "description": "description", "arguments": "input_schema", "answer": "output_schema"}
    return [{name: getattr(tool, field) for name, field in named.items()} for tool in tools]


class StrictTool(Tool):
    """A tool that refuses unknown arguments, because a misspelt `seconds` would otherwise mean no limit.

    A PDDL domain is a game, and a problem is a level of it: where a tool knows one name, the other means the same.
    """

    async def run(self, arguments: dict[str, Any], context: Any, convert_result: bool = False) -> Any:
        """Run the tool. Raises an error that names every unknown or wrong argument."""
        known = self.parameters["properties"]
        arguments = {
            ALSO[name] if name not in known and ALSO.get(name) in known.keys() - arguments.keys() else name: value
            for name, value in arguments.items()
        }
        there = f"; there are {', '.join(known)}" if known else "; it takes none"
        unknown = [name for name in arguments if name not in known]
        wrong = [f"there is no argument {name!r}{suggestion(name, list(known)) or there}" for name in unknown]
        try:
            self.fn_metadata.validate_arguments(arguments)
        except ValidationError as error:
            wrong += [_sentence(dict(each)) for each in error.errors(include_url=False)]
        texts = {name: value for name, value in arguments.items() if isinstance(value, str)}
        wrong += [f"the argument {name!r} has a NUL character" for name, value in texts.items() if "\0" in value]
        if not wrong:
            return await super().run(arguments, context, convert_result)
        kind = self.fn_metadata.output_model
        answer = answers.refused(kind, f"{self.name}: {'; '.join(wrong)}", "correct the arguments and call again")
        return self.fn_metadata.convert_result(answer) if convert_result else answer


def _sentence(error: dict[str, Any]) -> str:
    """Return a validation error of pydantic as a sentence with the argument and its value."""
    name = ".".join(map(str, error["loc"]))
    if error["type"] == "missing":
        return f"the argument {name!r} is missing"
    must = error["msg"].split(", ")[0].replace("Input should be", "must be").replace("valid ", "")
    return f"the argument {name!r} {must}, not {reprlib.repr(error['input'])}"
