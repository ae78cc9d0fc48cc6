"""Arguments of a call: wrong names, missing arguments and wrong values get an answer that names them, all at once."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable
from typing import Any

from mcp.server.mcpserver.tools import Tool
from pydantic import ValidationError

from unpuzzle.agents.shaping import refused
from unpuzzle.words import suggestion


class StrictTool(Tool):
    """A tool that refuses arguments it does not have: a misspelt `seconds` would be a call without a limit."""

    async def run(self, arguments: dict[str, Any], context: Any, convert_result: bool = False) -> Any:
        wrong = [*self._unknown(arguments), *self._invalid(arguments), *_with_nul(arguments)]
        if not wrong:
            return await super().run(arguments, context, convert_result)
        kind = self.fn_metadata.output_model
        answer = refused(kind, f"{self.name}: {'; '.join(wrong)}", "correct the arguments and call again")
        return self.fn_metadata.convert_result(answer) if convert_result else answer

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
    """Return a sentence for each text with a character that no text has."""
    texts = {name: value for name, value in arguments.items() if isinstance(value, str)}
    return [f"the argument {name!r} has a NUL character" for name, value in texts.items() if "\0" in value]


def _sentence(error: dict[str, Any]) -> str:
    """Return an error of pydantic as a sentence with the argument and its value."""
    name = ".".join(map(str, error["loc"]))
    if error["type"] == "missing":
        return f"the argument {name!r} is missing"
    must = error["msg"].split(", ")[0].replace("Input should be", "must be").replace("valid ", "")
    return f"the argument {name!r} {must}, not {reprlib.repr(error['input'])}"
