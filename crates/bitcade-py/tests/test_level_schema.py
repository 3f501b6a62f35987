"""The JSON schema of level files: it takes the examples, and refuses the broken files that a schema can tell."""

import json
import pathlib
import tomllib

import jsonschema

MATCH3 = pathlib.Path(__file__).parents[2] / "match3"
SCHEMA = json.loads((MATCH3 / "levels/level.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft7Validator(SCHEMA)


def test_examples_are_valid():
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    examples = sorted((MATCH3 / "levels").glob("*.toml"))
    assert len(examples) == 10
    for example in examples:
        level = tomllib.loads(example.read_text(encoding="utf-8"))
        assert not list(VALIDATOR.iter_errors(level)), example


def test_broken_files_are_refused_by_whom_they_name():
    text = (MATCH3 / "tests/data/broken_levels.txt").read_text(encoding="utf-8")
    files = text.replace("␍", "\r").split("\n=== ")[1:]
    assert len(files) >= 40
    for file in files:
        head, level = file.split("\n", 1)
        try:
            level = tomllib.loads(level.replace("»", ""))
        except tomllib.TOMLDecodeError:
            found = "toml"
        else:
            found = "reader" if VALIDATOR.is_valid(level) else "schema"
        assert head.startswith(f"{found}: "), head
