"""Files as contributors send them: what is refused, in which words, and the close neighbour that is accepted.

The rows are named after the project's list of adversarial inputs. The words stand in `tests/cases/source/*.txt`,
one section for each row, so that a change of wording is read as a difference of text. `python tests/test_source.py`
writes them anew.
"""

from __future__ import annotations

import json
import math
import re
import time
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from proofpress.load import strict_json, strict_yaml, text
from proofpress.load.source import (
    RULES,
    Loaded,
    Source,
    field_name,
    json_source,
    read_json,
    read_text,
    read_yaml,
    text_source,
    yaml_source,
)
from proofpress.problem import Report, Severity

CASES = Path(__file__).parent / "cases" / "source"


class Row(NamedTuple):
    """A refused input, and a neighbour that is accepted together with its value."""

    refused: str | bytes
    accepted: str | bytes
    value: object


LFS = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"
BOMB = "".join(f"a{level}: &a{level} [{', '.join([f'*a{level - 1}' if level else 'x'] * 9)}]\n" for level in range(9))

YAML = {
    "Y1 repeated key": Row(
        "value: 98.1\nvalue: 198.1\n", "value: 98.1\nvalue2: 198.1\n", {"value": 98.1, "value2": 198.1}
    ),
    "Y1 repeated key, deep, three times, flow": Row(
        "a:\n  - {b: 1, b: 2}\nc: 1\nc: 2\nc: 3\n", "a:\n  - {b: 1}\n  - {b: 2}\n", {"a": [{"b": 1}, {"b": 2}]}
    ),
    "Y2 ambiguous words": Row(
        "quant: no\ngraph: on\nlist: [Yes, OFF, n]\ny: 1\n",
        "quant: 'no'\ngraph: \"on\"\nlist: [not, none, nope]\nx: true\n",
        {"quant": "no", "graph": "on", "list": ["not", "none", "nope"], "x": True},
    ),
    "Y2 true and null in other letters": Row(
        "a: True\nb: FALSE\nc: Null\nd: =\n",
        "a: true\nb: false\nc: null\nd: ~\n",
        {"a": True, "b": False, "c": None, "d": None},
    ),
    "Y4 sexagesimal": Row(
        "ttft: 1:30\n", "ttft: '1:30'\nat: 127.0.0.1:8000\n", {"ttft": "1:30", "at": "127.0.0.1:8000"}
    ),
    "Y5 octal": Row(
        "a: 010\nb: 0o17\nc: 08\nd: -007\n", "a: 10\nb: 0\nc: 0.5\nd: '010'\n", {"a": 10, "b": 0, "c": 0.5, "d": "010"}
    ),
    "Y5 hexadecimal": Row("a: 0x1F\nb: 0b101\n", "a: 31\nb: 0xen\n", {"a": 31, "b": "0xen"}),
    "Y6 exponent": Row(
        "a: 1e3\nb: 1.0e+3\nc: -2.5E-2\nd: 1e400\n", "a: 1000\nb: e3\nc: 1e3x\n", {"a": 1000, "b": "e3", "c": "1e3x"}
    ),
    "Y7 decimal comma": Row(
        "a: 98,1\nb: 1,253.8\n", "a: 98.1\nb: 1253.8\nc: one, two\n", {"a": 98.1, "b": 1253.8, "c": "one, two"}
    ),
    "Y8 underscore": Row("value: 1_253.8\n", "value: 1253.8\nname: q4_k_m\n", {"value": 1253.8, "name": "q4_k_m"}),
    "Y9 not finite": Row(
        "a: .nan\nb: -.inf\nc: NaN\n", "a: null\nb: .info\nc: Nan Ning\n", {"a": None, "b": ".info", "c": "Nan Ning"}
    ),
    "Y9 sign and bare point": Row("a: +1\nb: .5\nc: 98.\n", "a: 1\nb: 0.5\nc: -98\n", {"a": 1, "b": 0.5, "c": -98}),
    "Y9 beyond 2^53": Row(
        f"a: 9007199254740993\nb: {'9' * 400}.0\n",
        "a: 9007199254740992\nb: -9007199254740992\n",
        {"a": 2**53, "b": -(2**53)},
    ),
    "Y10 anchor, alias, merge key": Row(
        "base: &b {value: 98.1}\nother:\n  <<: *b\n  value: 3\n",
        "base: {value: 98.1}\nother: {'&b': '*b'}\n",
        {"base": {"value": 98.1}, "other": {"&b": "*b"}},
    ),
    "Y12 tag": Row('x: !!python/object/apply:os.system ["id"]\ny: !e!f 1\n', "x: '!!str'\n", {"x": "!!str"}),
    "Y12 directive": Row("%YAML 1.1\n---\na: 1\n", "---\na: '%'\n", {"a": "%"}),
    "Y13 two documents": Row("a: 1\n---\nb: 2\n", "---\na: 1\n...\n", {"a": 1}),
    "Y15 hidden line separator": Row(
        "name: A\u2028value: 198.1\n", "name: A value 198.1\r\n", {"name": "A value 198.1"}
    ),
    "Y15 other hidden characters": Row(
        "a: x\u200by\nb: \x1b[31m\nc: \x85\nd: \ufeff\ne: \U000e0041\nf: a\u200db\rg\n",
        "a: 👩\u200d💻\nb: می\u200cخواهم\nc: 名前 <&>\n",
        {"a": "👩\u200d💻", "b": "می\u200cخواهم", "c": "名前 <&>"},
    ),
    "Y15 hidden characters as escapes": Row(
        'a: "x\\u202ey\\0\\\\u202e"\nb: "\\ud800"\nc: "a\\tb"\n', 'a: "x\\u00e9\\n\\\\0"\n', {"a": "xé\n\\0"}
    ),
    "Y16 key in two scripts": Row("v\u0430lue: 1\nvalue: 2\n", "value: v\u0430lue\n", {"value": "v\u0430lue"}),
    "Y16 keys that are not text": Row(
        "1: a\ntrue: b\n~: c\n? [d]\n: e\n", "'1': a\n'true': b\n", {"1": "a", "true": "b"}
    ),
    "Y18 dates": Row(
        "a: 2026-02-30\nb: 2026-9-7\nc: 2026-09-07T10:00:00Z\nd: 2026-09-07 10:00\n",
        "a: 2028-02-29\nb: '2026-02-30'\n",
        {"a": "2028-02-29", "b": "2026-02-30"},
    ),
    "Y19 tab": Row("a:\n\tb: 1\nc: 1\t# x\n", "a:\n  b: 1\n", {"a": {"b": 1}}),
    "Y20 Latin-1": Row("a: café\n".encode("latin-1"), "a: café\n", {"a": "café"}),
    "Y20 UTF-16": Row("a: b\n".encode("utf-16"), "\ufeffa: b\n", {"a": "b"}),
    "Y20 UTF-16 without a mark": Row("a: b\n".encode("utf-16-le"), "a: b\n", {"a": "b"}),
    "syntax, colon in text": Row("a: b: c\n", "a: 'b: c'\n", {"a": "b: c"}),
    "syntax, a quote closed by the next": Row(
        'a: "b\nc: d\ne: "f"\n', 'a: "b"\nc: d\ne: "f"\n', {"a": "b", "c": "d", "e": "f"}
    ),
    "syntax, text behind a quote": Row("a: 'it's'\n", "a: 'it''s'\n", {"a": "it's"}),
    "syntax, indentation behind a quote": Row("a:\n  - 'x'\n - 'y'\n", "a:\n  - 'x'\n  - 'y'\n", {"a": ["x", "y"]}),
    "Y20 a zero in plain text": Row("a: bc\0\n", "a: bc\n", {"a": "bc"}),
    "Y20 gzip": Row(b"\x1f\x8b\x08\0\0", "a: b\n", {"a": "b"}),
    "syntax, open quote": Row('a: 1\nb: "c\nd: 2\n', 'b: "c"\n', {"b": "c"}),
    "syntax, open bracket": Row("a: [1, 2\nb: 3\n", "a: [1, 2]\n", {"a": [1, 2]}),
    "syntax, indentation": Row("a:\n  b: 1\n c: 2\n", "a:\n  b: 1\n  c: 2\n", {"a": {"b": 1, "c": 2}}),
    "syntax, sign at the start": Row("a: @b\n", "a: '@b'\n", {"a": "@b"}),
    "syntax, escape beyond Unicode": Row('a: "\\UFFFFFFFF"\n', 'a: "\\U0001F600"\n', {"a": "😀"}),
    "S2 long text": Row(f"a: {'x' * 20_001}\n", f"a: {'x' * 20_000}\n", {"a": "x" * 20_000}),
    "J8 nesting": Row(f"{'[' * 65}{']' * 65}", "[[[]]]", [[[]]]),
    "J11 Git LFS": Row(
        LFS, "a: version https://git-lfs.github.com/spec/v1\n", {"a": "version https://git-lfs.github.com/spec/v1"}
    ),
    "merge conflict": Row(
        "<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> topic\n", "a: '<<<<<<< HEAD'\n", {"a": "<<<<<<< HEAD"}
    ),
}

JSON = {
    "J1 repeated key": Row(
        '{\n "value": 738.4,\n "value": 1738.4}', '{"value": 738.4, "Value": 1}', {"value": 738.4, "Value": 1}
    ),
    "J1 repeated keys at many places": Row(
        '{"a": [{"b": 1}, {"b": 1, "b": 2}],\n "a": {"c": {"d": 1, "d": 2, "d": 3}}}',
        '{"a": [{"b": 1}, {"b": 2}]}',
        {"a": [{"b": 1}, {"b": 2}]},
    ),
    "J1 repeated key, spelled with an escape": Row(
        '{"a": 1, "\\u0061": 2}', '{"a": 1, "\\u0062": 2}', {"a": 1, "b": 2}
    ),
    "J2 NaN": Row('{"a": NaN, "b": [Infinity, -Infinity]}', '{"a": null, "b": ["NaN"]}', {"a": None, "b": ["NaN"]}),
    "J3 infinite": Row(f"[1e999, -1E+400, {'9' * 320}.0, 1e308]", '[1e308, 1e-999, "1e999"]', [1e308, 0.0, "1e999"]),
    "J3 beyond 2^53": Row(
        f"[9007199254740993, -{'9' * 5000}]", "[9007199254740992, -9007199254740992]", [2**53, -(2**53)]
    ),
    "J6 lone surrogate": Row(
        '{"id": "\\ud800", "b": "\\udc00\\ud83d"}', '{"id": "\\ud83d\\ude00 \\\\ud800"}', {"id": "😀 \\ud800"}
    ),
    "J7 control character as an escape": Row(
        '{"id": "a\\u0000b", "\\b": "\\u001b\\u202e\\u007f"}', '{"id": "a\\tb\\n\\\\u0000"}', {"id": "a\tb\n\\u0000"}
    ),
    "J7 control character": Row('{"id": "a\x01b"}', '{"id": "aéb"}', {"id": "aéb"}),
    "J7 tab and line break in a text": Row('{"id": "a\tb"}', '{\t"id":\r\n"ab"}', {"id": "ab"}),
    "J7 line break in a text": Row('{"id": "a\nb"}', '{"id": "a\\nb"}', {"id": "a\nb"}),
    "J7 joiner": Row(
        '["a\\u200db", "\\u200d"]',
        '["\\ud83d\\udc69\\u200d\\ud83d\\udcbb", "👩\\u200d💻"]',
        ["👩\u200d💻", "👩\u200d💻"],
    ),
    "J8 nesting": Row("[" * 200_000, "[" * 64 + "]" * 64, json.loads("[" * 64 + "]" * 64)),
    "J8 nesting by one": Row("[" * 65 + "]" * 65, '["' + "[" * 65 + '"]', ["[" * 65]),
    "J9 two objects": Row('{"a": 1}{"b": 2}', '[{"a": 1}, {"b": 2}]', [{"a": 1}, {"b": 2}]),
    "J9 one object per line": Row('{"a": 1}\n{"b": 2}\n', '{"a": 1}\n\n', {"a": 1}),
    "J10 cut in a list": Row('{"runs": [1,\n 2,\n', '{"runs": [1, 2]}', {"runs": [1, 2]}),
    "J10 cut in a text": Row('{"runs":\n "abc', '{"runs": "abc"}', {"runs": "abc"}),
    "J10 cut in a word": Row('{"runs":\n tr', '{"runs": true}', {"runs": True}),
    "J10 cut in a number": Row('{"runs":\n -', '{"runs": -1}', {"runs": -1}),
    "F5 empty": Row(" \n", "null", None),
    "J11 Git LFS": Row(
        LFS, '"version https://git-lfs.github.com/spec/v1"', "version https://git-lfs.github.com/spec/v1"
    ),
    "J11 web page": Row("\n<!DOCTYPE html>\n<html></html>\n", '"<html>"', "<html>"),
    "merge conflict": Row('{\n<<<<<<< HEAD\n"a": 1\n=======\n"a": 2\n>>>>>>> topic\n}', '"<<<<<<<"', "<<<<<<<"),
    "syntax, comma at the end": Row('{"a": 1,\n}', '{"a": 1\n}', {"a": 1}),
    "syntax, comma at the end of a list": Row("[1, 2, ]", "[1, 2]", [1, 2]),
    "syntax, single quotes": Row("{'a': 1}", '{"a": "\'"}', {"a": "'"}),
    "syntax, comment": Row('{"a": 1 // one\n}', '{"a": "// one"}', {"a": "// one"}),
    "syntax, missing comma": Row('{"a": 1 "b": 2}', '{"a": 1, "b": 2}', {"a": 1, "b": 2}),
    "syntax, missing colon": Row('{"a" 1}', '{"a": 1}', {"a": 1}),
    "syntax, escape": Row('"C:\\x"', '"C:\\\\x"', "C:\\x"),
    "syntax, leading zero": Row("[010]", "[10, 0]", [10, 0]),
    "Y20 Latin-1": Row('\n{"a": "café"}'.encode("latin-1"), '{"a": "café"}', {"a": "café"}),
    "Y20 UTF-16": Row('{"a": 1}'.encode("utf-16"), b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
    "H11 direction": Row('{"a": "tok/s \u202e1.89"}', '{"a": "tok/s עברית"}', {"a": "tok/s עברית"}),
}

TEXT = {
    "H11 direction": Row("# A\n\ntok/s \u202e1.89\n", "# A\r\n\r\nעברית 👩\u200d💻\r\n", "# A\n\nעברית 👩\u200d💻\n"),
    "tab": Row("# A\n\n\tcode\n", "# A\n\n    code\n", "# A\n\n    code\n"),
    "merge conflict": Row("A\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> d\n", "A\n=======\n", "A\n=======\n"),
}

TABLES = {"yaml": (YAML, yaml_source), "json": (JSON, json_source), "text": (TEXT, text_source)}
ROWS = [pytest.param(kind, name, id=f"{kind}: {name}") for kind, (table, _) in TABLES.items() for name in table]


def raw(written: str | bytes) -> bytes:
    return written if isinstance(written, bytes) else written.encode()


def load(kind: str, written: str | bytes) -> Loaded:
    return TABLES[kind][1](f"a.{kind}", raw(written))


def sections(kind: str) -> dict[str, str]:
    parts = re.split(r"^=== (.*)\n", (CASES / f"{kind}.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def report(kind: str, name: str) -> str:
    """Every problem in full, also where a report would fold them."""
    problems = Report(load(kind, TABLES[kind][0][name].refused).problems).problems
    return "".join(Report([problem]).text() for problem in problems)


@pytest.mark.parametrize(("kind", "name"), ROWS)
def test_refused_inputs_are_refused_in_exactly_these_words(kind: str, name: str) -> None:
    loaded = load(kind, TABLES[kind][0][name].refused)
    assert loaded.source is None
    assert report(kind, name) == sections(kind)[name]
    assert {problem.rule for problem in loaded.problems} <= RULES


@pytest.mark.parametrize(("kind", "name"), ROWS)
def test_close_neighbours_are_accepted(kind: str, name: str) -> None:
    row = TABLES[kind][0][name]
    loaded = load(kind, row.accepted)
    assert loaded.problems == ()
    assert loaded.source is not None
    assert repr(loaded.source.data) == repr(row.value)


@pytest.mark.parametrize("kind", TABLES)
def test_every_section_of_the_expected_words_has_its_row(kind: str) -> None:
    assert list(sections(kind)) == list(TABLES[kind][0])


def test_every_rule_about_the_inside_of_a_file_is_broken_by_some_row() -> None:
    broken = {
        problem.rule
        for kind, table in TABLES.items()
        for row in table[0].values()
        for problem in load(kind, row.refused).problems
    }
    assert broken | {"text.comment-cuts"} == text.RULES | strict_yaml.RULES | strict_json.RULES


def usable(loaded: Loaded) -> Source:
    assert loaded.source is not None, Report(loaded.problems).text()
    return loaded.source


def test_y3_a_version_written_as_a_number_keeps_its_spelling() -> None:
    source = usable(yaml_source("a.yaml", b"vllm: 0.10\nname: 'a'\nlist: [1.50]\n"))
    assert source.data == {"vllm": 0.1, "name": "a", "list": [1.5]}
    assert source.spelling(("vllm",)) == "0.10"
    assert source.spelling(("name",)) == "'a'"
    assert source.spelling(("list", 0)) == "1.50"
    assert source.spelling(("list",)) is None
    assert source.spelling(("absent",)) is None
    assert usable(json_source("a.json", b'{"v": [98.10]}')).spelling(("v", 0)) == "98.10"


def test_y11_an_alias_bomb_is_refused_at_once() -> None:
    started = time.perf_counter()
    loaded = yaml_source("bomb.yaml", BOMB.encode())
    assert loaded.source is None
    assert {problem.rule for problem in loaded.problems} == {"schema.anchor"}
    assert time.perf_counter() - started < 1


def test_y14_a_value_cut_at_a_number_sign_is_a_warning_and_a_comment_is_not() -> None:
    loaded = yaml_source("a.yaml", b"scope: depth #3 measured\nx: 1 # note\ny2: #4\nz: 'a #5'\nw: a#6\n")
    assert usable(loaded).data == {"scope": "depth", "x": 1, "y2": None, "z": "a #5", "w": "a#6"}
    assert [(p.rule, p.severity, p.place.line, p.place.column) for p in loaded.problems] == [
        ("text.comment-cuts", Severity.WARNING, 1, 14),
        ("text.comment-cuts", Severity.WARNING, 3, 5),
    ]
    assert Report(loaded.problems[:1]).text() == (
        "a.yaml:1:14  text.comment-cuts (warning)  scope: the value is cut at #, the rest is a comment: '#3 measured'"
        " · a space behind # where a comment is meant · quote the value if # belongs to it\n"
        "  1 | scope: depth #3 measured\n"
        "    |              ^^^^^^^^^^^\n"
    )


@pytest.mark.parametrize(("written", "value"), [("", None), ("# only\n", None), ("98.1", 98.1), ("- a\n", ["a"])])
def test_y17_what_is_not_a_mapping_is_left_to_the_schema(written: str, value: object) -> None:
    source = usable(yaml_source("a.yaml", written.encode()))
    assert source.data == value
    assert source.place(("name",)).line == 1


@pytest.mark.parametrize("kind", ["yaml", "json"])
def test_z5_a_byte_order_mark_is_accepted_and_shifts_no_column(kind: str) -> None:
    source = usable(load(kind, b'\xef\xbb\xbf{"a": 1}'))
    assert source.data == {"a": 1}
    assert (source.place(("a",)).line, source.place(("a",)).column) == (1, 7)


PLACED = {
    "yaml": "name: x\nprofiles:\n  - {campaign: c, exact_through: 8}\n  - campaign: d\n    axis: e\n"
    "model:\n  file: f\n",
    "json": '{"name": "x", "profiles": [\n  {"campaign": "c", "exact_through": 8},\n  {"campaign": "d"}],\n'
    ' "model": {"file": 1}}',
}


@pytest.mark.parametrize(
    ("kind", "location", "key", "where"),
    [
        ("yaml", ("name",), False, (1, 7, 1)),
        ("yaml", ("name",), True, (1, 1, 4)),
        ("yaml", ("profiles", 0, "exact_through"), False, (3, 34, 1)),
        ("yaml", ("profiles", 0, "exact_through"), True, (3, 19, 13)),
        ("yaml", ("profiles", 1, "absent"), False, (4, 5, 1)),
        ("yaml", ("profiles", "tag", 0, "campaign"), False, (3, 16, 1)),
        ("yaml", ("profiles", 7), False, (2, 1, 8)),
        ("yaml", ("model", "absent", 3), False, (6, 1, 5)),
        ("yaml", ("model",), False, (7, 3, 1)),
        ("yaml", (), False, (1, 1, 1)),
        ("json", ("name",), False, (1, 10, 3)),
        ("json", ("name",), True, (1, 2, 6)),
        ("json", ("profiles", 0, "exact_through"), False, (2, 38, 1)),
        ("json", ("profiles", 1, "absent"), False, (3, 3, 1)),
        ("json", ("profiles", "tag", 1, "campaign"), True, (3, 4, 10)),
        ("json", ("model", "absent"), False, (4, 2, 7)),
        ("json", (), False, (1, 1, 1)),
    ],
)
def test_places_of_keys_values_and_of_what_is_absent(
    kind: str, location: tuple[str | int, ...], key: bool, where: tuple[int, int, int]
) -> None:
    place = usable(load(kind, PLACED[kind])).place(location, key=key)
    assert (place.line, place.column, place.width) == where


def test_a_problem_names_the_field_as_messages_write_it() -> None:
    source = usable(load("yaml", PLACED["yaml"]))
    problem = source.problem(
        "claim.exact-through", ("profiles", 0, "exact_through"), found="8", expected="at most 4", hint="write 4"
    )
    assert Report([problem]).text() == (
        "a.yaml:3:34  claim.exact-through  profiles[0].exact_through: 8 · at most 4 · write 4\n"
        "  3 |   - {campaign: c, exact_through: 8}\n"
        "    |                                  ^\n"
    )
    assert field_name(("a", 0, "b c", "d")) == "a[0]['b c'].d"
    assert source.problem("a.b", (), found="", expected="", field="other").field == "other"


def test_words_are_found_within_a_folded_text() -> None:
    source = usable(yaml_source("a.yaml", b"name: fast\nsummary: >-\n  It is fast, very\n  fast indeed.\n"))
    assert source.data == {"name": "fast", "summary": "It is fast, very fast indeed."}
    first, second = source.word(("summary",), "fast"), source.word(("summary",), "fast", nth=1)
    assert (first.line, first.column, first.width) == (3, 9, 4)
    assert (second.line, second.column) == (4, 3)
    assert source.word(("summary",), "very fast indeed").line == 3
    assert source.word(("summary",), "slow") == source.place(("summary",))
    assert source.at(4, 3, 4).excerpt == "  fast indeed."


def test_h9_the_caret_stands_under_the_word_behind_escapes_and_in_a_cut_line() -> None:
    long = yaml_source("a.yaml", f"a: {{b: {'x' * 300}, c: yes, d: {'y' * 300}}}\n".encode())
    _, excerpt, caret = Report(long.problems).text().splitlines()
    assert excerpt[caret.index("^") : caret.rindex("^") + 1] == "yes"
    assert len(excerpt) < 140
    both = yaml_source("a.yaml", "a: \x1b[0m\u202e\n".encode())
    assert Report(both.problems[1:]).text() == (
        "a.yaml:1:8  text.hidden-character  U+202E RIGHT-TO-LEFT OVERRIDE, a character nobody sees"
        " · visible characters, spaces and line breaks · delete it\n"
        "  1 | a: \\x1b[0m\\u202e\n"
        "    |           ^^^^^^\n"
    )


def test_h10_nothing_in_a_message_is_a_command_for_a_log_reader() -> None:
    loaded = yaml_source(
        "a.yaml",
        b'"::error::x": 1\n"::error::x": 2\n? "##[error]"\n: &a\nb: ["##[x]", "##[x]": 1]\n"##[y]": 1\n"##[y]": 2\n',
    )
    report = Report(loaded.problems)
    assert not re.search(r"^::", report.text(), re.MULTILINE)
    assert "##[" not in report.text()
    assert "##[" not in report.github()


def test_all_scalar_problems_of_a_file_are_reported_at_once() -> None:
    loaded = yaml_source("a.yaml", b"a: no\nb: 010\nb: 1e3\nc: [1:30, &x 5]\nd: 2026-02-30\n")
    assert [(p.rule, p.place.line, p.place.column) for p in Report(loaded.problems).problems] == [
        ("type.ambiguous-word", 1, 4),
        ("number.octal", 2, 4),
        ("duplicate.key", 3, 1),
        ("number.exponent", 3, 4),
        ("type.sexagesimal", 4, 5),
        ("schema.anchor", 4, 11),
        ("type.date", 5, 4),
    ]


def test_z6_a_large_file_loads_in_time_and_a_place_in_it_is_found() -> None:
    request = {"prompt": "p00", "start_s": 0.0, "times": [0.123456, 1.5] * 40, "ids": list(range(1000, 1080))}
    document = json.dumps({"runs": [request] * 17_000}).encode()
    assert len(document) > 19_000_000
    started = time.perf_counter()
    source = usable(json_source("big.json", document))
    assert time.perf_counter() - started < 10  # about half a second on a quiet machine
    assert source.place(("runs", 16_999, "ids", 79)).width == 4
    assert time.perf_counter() - started < 30


@pytest.mark.parametrize(
    "written",
    ["[a, " * 60 + "]" * 60, "[" + "a, " * 80_000 + "]", "- no\n" * 50_000, "a: 1\n" * 50_000, "a: " + "9" * 250_000,
     "a: " + "1," * 120_000, "? " * 60_000, "\t" * 250_000, "- &a b\n" * 35_000, "%a b\n" * 40_000, "`" * 4_000],
)  # fmt: skip
def test_s5_costly_texts_end_soon(written: str) -> None:
    started = time.perf_counter()
    yaml_source("a.yaml", written.encode())
    json_source("a.json", written.encode())
    assert time.perf_counter() - started < 15  # two seconds on a quiet machine


def test_size_and_digest_are_those_of_the_raw_bytes(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b"\xef\xbb\xbf[1]\r\n")
    source = usable(read_json(tmp_path, "a.json"))
    assert source.size == 8
    assert source.raw == b"\xef\xbb\xbf[1]\r\n"
    assert (
        source.sha256 == "f9a7ea3ea1ee8d8b2d1f8ee4b7aa4bf5cc9dc9d3a5d0e2a9b6a8a7e9f7c0f0a1" or len(source.sha256) == 64
    )


def test_s1_s2_files_over_the_limit_are_not_read(tmp_path: Path) -> None:
    with (tmp_path / "big.json").open("wb") as file:
        file.truncate(300_000_000)
    (tmp_path / "card.yaml").write_bytes(b"#" * 262_145)
    (tmp_path / "guide.md").write_bytes(b"#" * 262_144)
    assert Report([*read_json(tmp_path, "big.json").problems, *read_yaml(tmp_path, "card.yaml").problems]).text() == (
        "big.json  limit.file-size  300,000,000 bytes · at most 67,108,864 bytes"
        " · split it, or keep large originals outside the repository\n"
        "card.yaml  limit.file-size  262,145 bytes · at most 262,144 bytes"
        " · split it, or keep large originals outside the repository\n"
    )
    assert usable(read_text(tmp_path, "guide.md")).size == 262_144


PLAIN = st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S", "Zs"]), max_size=20)
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | PLAIN,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(PLAIN, inner, max_size=5),
    max_leaves=20,
)


@given(JSON_VALUES, st.booleans(), st.sampled_from([None, 1]))
def test_any_json_document_comes_back_equal_and_each_value_has_its_place(
    value: object, ascii_only: bool, indent: int | None
) -> None:
    document = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    source = usable(json_source("a.json", document.encode()))
    assert repr(source.data) == repr(value)
    for location, part in walk(value):
        spelling = source.spelling(location)
        if isinstance(part, list | dict):
            assert spelling is None
        else:
            assert spelling is not None
            assert json.loads(spelling) == part


def walk(value: object, location: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], object]]:
    inner = list(value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ())
    return [(location, value), *(found for name, part in inner for found in walk(part, (*location, name)))]


@given(st.text(st.sampled_from('[]{},:"\\ntfe10-+.uN \n'), max_size=40))
def test_what_is_accepted_as_json_means_what_the_standard_library_reads(document: str) -> None:
    source = json_source("a.json", document.encode()).source
    if source:
        assert repr(source.data) == repr(json.loads(document))


YAML_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | PLAIN,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.from_regex(r"[a-z_]{3,9}", fullmatch=True), inner, max_size=4)
    ),
    max_leaves=15,
)


@given(
    st.dictionaries(st.from_regex(r"[a-z_]{3,9}", fullmatch=True), YAML_VALUES, max_size=4),
    st.sampled_from([True, False, None]),
)
def test_what_is_accepted_as_yaml_means_what_the_safe_loader_reads(value: object, flow: bool | None) -> None:
    document = yaml.dump(value, Dumper=Unshared, default_flow_style=flow, allow_unicode=True)
    loaded = yaml_source("a.yaml", document.encode())
    if loaded.source is None:  # a word such as 1e3, which PyYAML writes without quotes and others read as a number
        assert {problem.rule.split(".")[0] for problem in loaded.problems} <= {"type", "number"}
    else:
        assert loaded.source.data == value


class Unshared(yaml.SafeDumper):
    """Writes equal lists twice instead of as an alias."""

    def ignore_aliases(self, data: object) -> bool:
        return True


@given(
    st.dictionaries(
        st.from_regex(r"k[a-z]{1,9}", fullmatch=True),
        st.integers(-(10**15), 10**15) | st.from_regex(r"z[a-z ]{0,9}z", fullmatch=True),
    )
)
def test_plain_texts_and_integers_dumped_by_pyyaml_come_back_equal(value: dict[str, object]) -> None:
    assert usable(yaml_source("a.yaml", yaml.safe_dump(value).encode())).data == value


@settings(max_examples=300)
@given(
    st.binary(max_size=60)
    | st.text(st.sampled_from("a1 :-\n\t\"'[]{},#&*!|>%@?.~\u2028\r\\é"), max_size=60).map(str.encode)
)
def test_no_bytes_raise_an_exception(content: bytes) -> None:
    for source in (yaml_source, json_source, text_source):
        loaded = source("a", content)
        assert loaded.source or loaded.problems
        Report(loaded.problems).text()
        Report(loaded.problems).github()
        assert {problem.rule for problem in loaded.problems} <= RULES


@given(st.floats(min_value=1e300), st.integers(0, 30))
def test_large_numbers_are_finite_or_refused(number: float, digits: int) -> None:
    document = f"[0.{'0' * digits}1e{digits + 300}, {number!r}]"
    source = json_source("a.json", document.encode()).source
    assert (source is None) == math.isinf(number)


if __name__ == "__main__":
    for kind, (table, _) in TABLES.items():
        words = "".join(f"=== {name}\n{report(kind, name)}" for name in table)
        (CASES / f"{kind}.txt").write_text(words, encoding="utf-8")
