"""How a report prints what is many times wrong: what differs in its place alone is folded, and what does not fit is counted."""

from __future__ import annotations

import json
from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from proofpress.problem import MAX_ALIKE, MAX_PER_FILE, Place, Problem, Report, Severity

FILE = "evidence/tiny/campaign.json"


def _unit(
    line: int, *, severity: Severity = Severity.ERROR, path: str = FILE, column: int = 12, hint: str = "write 'tok/s'"
) -> Problem:
    place = (
        Place(path=path, line=line, column=column, width=8, excerpt='  "unit": "toks/s"') if line else Place(path=path)
    )
    field = f"runs[{line}].unit"
    return Problem(
        rule="unit.unknown", place=place, field=field, found="'toks/s'", expected="a unit", hint=hint, severity=severity
    )  # fmt: skip


def _printed(*problems: Problem) -> str:
    return Report(problems).text()


THREE = "".join(
    f"{FILE}:{line}:12  unit.unknown  runs[{line}].unit: 'toks/s' · a unit · write 'tok/s'\n"
    f'  {line} |   "unit": "toks/s"\n'
    f"  {line} |            ^^^^^^^^\n".replace(f"  {line} |            ^", "    |            ^")
    for line in (2, 4, 6)
)


def test_the_first_three_stand_for_all_that_say_the_same() -> None:
    report = Report(_unit(2 * number) for number in range(1, 201))
    assert report.text() == f"{THREE}{FILE}  unit.unknown  and 197 more like this: lines 8, 10, 12 …\n"
    assert report.summary() == "200 errors"


def test_three_are_all_printed() -> None:
    assert _printed(*map(_unit, (2, 4, 6))) == THREE


def test_a_fourth_is_named_by_its_line() -> None:
    assert _printed(*map(_unit, (2, 4, 6, 8))) == f"{THREE}{FILE}  unit.unknown  and 1 more like this: line 8\n"


def test_lines_are_named_once_and_dots_stand_for_lines_alone() -> None:
    six = [*map(_unit, (2, 4, 6, 8, 9)), _unit(9, column=40)]
    assert _printed(*six).endswith("and 3 more like this: lines 8, 9\n")


def test_where_no_line_is_known_none_is_named() -> None:
    problems = [
        Problem(rule="text.secret", place=Place(path=FILE), field="", found=f"'{n}'", expected="no secret")
        for n in "abcd"
    ]
    assert _printed(*problems).splitlines()[-1] == f"{FILE}  text.secret  and 1 more like this"


def test_another_hint_another_file_and_another_weight_are_not_alike() -> None:
    problems = [
        *(_unit(line) for line in (1, 2, 3)),
        *(_unit(line, hint="write 'ms'") for line in (4, 5, 6)),
        *(_unit(line, path="evidence/other/campaign.json") for line in (1, 2, 3)),
        *(_unit(line, severity=Severity.WARNING) for line in (7, 8, 9)),
    ]
    assert "more" not in _printed(*problems)


def test_the_line_stands_behind_the_third_whatever_comes_between() -> None:
    problems = [*map(_unit, range(1, 11)), _unit(7, hint="write 'ms'")]
    heads = [
        line.partition("  ")[0].removeprefix(FILE) for line in _printed(*problems).splitlines() if line.startswith(FILE)
    ]
    assert heads == [":1:12", ":2:12", ":3:12", "", ":7:12"]


def test_a_warning_says_so_and_colours_are_those_of_its_kind() -> None:
    text = Report(_unit(line, severity=Severity.WARNING) for line in range(1, 6)).text(colour=True)
    assert text.endswith(
        f"\x1b[1m{FILE}\x1b[0m  \x1b[33munit.unknown (warning)\x1b[0m  and 2 more like this: lines 4, 5\n"
    )


def test_annotations_are_folded_alike() -> None:
    lines = Report(map(_unit, range(1, 201))).github().splitlines()
    assert len(lines) == 4
    assert lines[-2:] == [
        f"::error file={FILE},line=3,col=12,title=unit.unknown runs[3].unit::runs[3].unit: 'toks/s' · a unit · write 'tok/s'",
        f"::error file={FILE},line=4,title=unit.unknown::and 197 more like this: lines 4, 5, 6 …",
    ]


def test_json_has_every_one() -> None:
    assert len(json.loads(Report(map(_unit, range(1, 201))).json())["problems"]) == 200


def _unlike(lines: Iterable[int], severity: Severity = Severity.ERROR) -> list[Problem]:
    return [_unit(line, severity=severity, hint=f"hint {line}") for line in lines]


def test_what_does_not_fit_is_counted_with_all_that_it_stands_for() -> None:
    """A kind of which the first two fit and the third does not has no line of its own."""
    problems = [*_unlike(range(1, MAX_PER_FILE - 1)), *(_unit(line) for line in range(60, 70))]
    text = _printed(*problems)
    assert "like this" not in text
    assert text.endswith(f"{FILE}: and 8 more\n")


def test_no_error_is_hidden_by_warnings_before_it() -> None:
    problems = [*_unlike(range(1, 61), Severity.WARNING), _unit(99)]
    report = Report(problems)
    assert f"{FILE}:99:12  unit.unknown  " in report.text()
    assert report.text().endswith(f"{FILE}: and 11 more\n")
    assert report.github().endswith(f"::warning file={FILE}::and 11 more\n")


def test_what_is_left_out_is_an_error_where_one_is_among_it() -> None:
    assert Report(_unlike(range(1, 61))).github().endswith(f"::error file={FILE}::and 10 more\n")


@given(
    st.lists(
        st.tuples(st.integers(0, 80), st.sampled_from("abcdefgh"), st.sampled_from(Severity), st.sampled_from("xy")),
        max_size=150,
    )
)
def test_printed_folded_and_counted_are_all(rows: list[tuple[int, str, Severity, str]]) -> None:
    report = Report(_unit(line, hint=hint, severity=severity, path=path) for line, hint, severity, path in rows)
    kept, more = report.shown()
    told = [problem for entry in kept for problem in (entry.problem, *entry.alike)]
    assert sorted([*told, *(problem for left in more.values() for problem in left)], key=Problem.sort_key) == sorted(
        report.problems, key=Problem.sort_key
    )
    assert all(len(entry.alike) == 0 or len(entry.others) < 60 for entry in kept)
    for path in "xy":
        assert sum(entry.problem.place.path == path for entry in kept) <= MAX_PER_FILE
    assert MAX_ALIKE == 3
