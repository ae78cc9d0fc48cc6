"""Each object that is printed as JSON has the shape that its schema says, and each class with data for JSON has one."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator as Validator
from jsonschema import ValidationError

from reference_pages import schemas
from reference_pages.samples import SAMPLES, answers
from reference_pages.shapes import SHAPES
from support.stub_endpoint import serving
from unpuzzle import check, count_solutions, explore, find, replay, solve
from unpuzzle.base.values import Record, schema_name
from unpuzzle.cli import COMMANDS, main
from unpuzzle.cli.commands import exits_of
from unpuzzle.state_space.dead_ends import find_traps
from unpuzzle.verification import check_heuristic

LINES = [sample.partition(": ")[2] for sample in SAMPLES]
WITHOUT_SAMPLE = {"validation", "count", "repair", "traps", "run", "studio"}
"""Schemas of values in Python, of a command that needs a network, and of one that ends when somebody ends it."""
GOLDEN = Path(__file__).parents[1] / "golden" / "answers.json"
"""The objects that the samples printed when they were last renewed, without what differs between two runs."""
TEXTS = ("help", "mcp", "version")
"""Schemas of answers that are one text, which has tests of its own."""
VARYING = """
    seconds wall cpu peak_memory peak_memory_mb started versions machine limits version python system parts missing
    geometric_mean median less more equal sign wilcoxon search_cpu par10
    """.split()
"""Keys whose values depend on the machine or on the time."""


def require_valid(data: Any) -> None:
    """Raise ValidationError where an object, or a row of several, is not as its schema says."""
    for row in data if isinstance(data, list) else [data]:
        name = row["schema"].split("/")[1]
        Validator(schemas.schema(name, strict=True)).validate(row)
        Validator(schemas.schema(name)).validate(row)


@pytest.mark.parametrize("name", SHAPES)
def test_a_schema_is_one(name: str) -> None:
    schema = schemas.schema(name)
    Validator.check_schema(schema)
    assert schema["$id"] == schema_name(name)
    assert "{" not in schemas.pages()[f"schemas/{name}.md"].split("## Example")[0].replace("{download}", "")
    assert json.loads(schemas.pages()[f"schemas/{name}.json"]) == schema


@pytest.mark.parametrize("line", LINES)
def test_what_a_command_prints_is_as_its_schema_says(line: str) -> None:
    schema, _, code, data = next(answer for answer in answers() if answer[1] == line)
    rows = data if isinstance(data, list) else [data]
    assert {row["schema"] for row in rows} == {schema_name(schema)}
    require_valid(data)
    command = line.split(maxsplit=1)[0]
    assert code in exits_of(command) or command.startswith("--")


def masked(data: Any) -> Any:
    """Return an answer without what depends on the machine or on the time."""
    if isinstance(data, list):
        return [masked(each) for each in data]
    if isinstance(data, dict):
        if data.get("measure") in ("cpu", "wall", "memory", "par10") and "values" in data:
            data = {**data, "values": "varies"}
        return {masked(key): "varies" if key in VARYING else masked(value) for key, value in data.items()}
    if not isinstance(data, str):
        return data
    if re.fullmatch("[0-9a-f]{20}", data):  # the key of a run, which has a digest of the compiled core
        return "varies"
    return re.sub(r"[\d.]+ GiB, planner .*?\)", "of this machine)", data)


@pytest.mark.parametrize("line", LINES)
def test_what_a_command_prints_stays_the_same(line: str) -> None:
    """`scripts/golden` renews the file."""
    schema, _, code, data = next(answer for answer in answers() if answer[1] == line)
    if schema in TEXTS:
        data = "text"
    golden = json.loads(GOLDEN.read_text(encoding="utf-8")) if GOLDEN.exists() else {}
    if os.environ.get("UNPUZZLE_RENEW_GOLDEN"):
        golden = {each: golden[each] for each in LINES if each in golden} | {line: [code, masked(data)]}
        GOLDEN.write_text(json.dumps(golden, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert json.dumps([code, masked(data)], indent=1) == json.dumps(golden[line], indent=1)  # with the order of keys


def test_every_command_and_schema_has_a_sample() -> None:
    assert {line.split()[0] for line in LINES} >= set(COMMANDS) - {"repair", "studio"}
    assert {schema for schema, *_ in answers()} == set(SHAPES) - WITHOUT_SAMPLE


def test_every_command_names_its_schemas() -> None:
    assert all(schemas.schemas_of(command) for command in COMMANDS)
    assert schemas.schemas_of("diff") == ("same",)


def test_what_a_repair_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with serving("no code at all") as server:
        words = ["--game", "hanoi", "--endpoint", server.url, "--model", "m", "--rounds", "1", "--unsafe", "--json"]
        main(["repair", *words])
    data = json.loads(capsys.readouterr().out)
    assert data["schema"] == "unpuzzle/repair/1"
    require_valid(data)


def test_values_in_python_have_the_same_shapes() -> None:
    boxup, sudoku = find("boxup"), find("sudoku")
    level = boxup.parse(boxup.levels["1"])
    result = solve(level)
    values = [result, check(level), explore(level), replay(level, result.moves or ()), check_heuristic(level, "null")]
    values.append(count_solutions(sudoku.parse(sudoku.levels["4x4"])))
    values.append(find_traps(explore(level)))
    for value in values:
        require_valid(value.to_dict())


def test_every_class_with_a_schema_has_a_shape() -> None:
    queue, names = [Record], set()
    while queue:
        for each in queue.pop().__subclasses__():
            queue.append(each)
            names |= {each.schema} if each.__module__.startswith("unpuzzle.") else set()
    assert {"result", "trace"} <= names
    assert names - {""} <= set(SHAPES)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("check", {"states": "many"}),
        ("check", {"schema": "unpuzzle/check/2"}),
        ("check", {"colour": "red"}),
        ("check", {"difference": {"moves": []}}),
        ("result", {"status": "fine"}),
        ("result", {"moves": "ULD"}),
        ("lint", {"faults": [{"line": 1}]}),
    ],
)
def test_another_shape_is_seen(name: str, change: dict[str, Any]) -> None:
    data = next(data for schema, _, _, data in answers() if schema == name)
    require_valid(data)
    with pytest.raises(ValidationError):
        Validator(schemas.schema(name, strict=True)).validate(data | change)


def test_new_fields_and_words_are_valid_outside_of_the_tests() -> None:
    data = next(data for schema, _, _, data in answers() if schema == "result")
    Validator(schemas.schema("result")).validate(data | {"colour": "red", "status": "fine"})
    with pytest.raises(ValidationError):
        Validator(schemas.schema("result")).validate(data | {"status": 7})


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("int | None", {"type": ["integer", "null"]}),
        ("tuple[str, ...]", {"type": "array", "items": {"type": "string"}}),
        ("Mapping[str, bool]", {"type": "object", "additionalProperties": {"type": "boolean"}}),
        ("Any", {}),
        ("Position", {"type": "string"}),
        (
            "tuple[int, str]",
            {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}], "minItems": 2, "maxItems": 2},
        ),
        ("list[int] | None", {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]}),
    ],
)
def test_a_type_becomes_a_schema(kind: str, expected: dict[str, Any]) -> None:
    assert schemas._Maker().typed(kind, None) == expected
