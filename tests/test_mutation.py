"""Whatever somebody does to a valid file, the answer is a report or a site, never a traceback."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import example_site
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proofpress import pipeline
from proofpress.rule import registry

YAML = (
    "content/cards/tiny.yaml",
    "content/cards/tiny-record.yaml",
    "content/cards/tiny-open.yaml",
    "content/vocabulary.yaml",
    "content/site.yaml",
)
JSON = tuple(f"evidence/tiny-{name}/campaign.json" for name in ("ladder", "open", "record", "requests", "suite"))
GUIDE = "content/guides/tiny.md"
PAGE = "content/pages/about.md"

ODD: tuple[object, ...] = (
    None, True, False, 0, 1, -1, 2, 1.5, 16, 2**53, 1e300, "", "x", "tiny", "tiny-open", "mtp3", "Tiny", "16", "2026-09-07",
    "[[tiny-ladder/mtp3]]", "[[tiny-ladder/mtp3 users=16]]", "[[fact x]]", "98.1 tok/s, 12/12 exact, 45% faster", "[a](javascript:x)",
    "a\nb", "suite", "concurrent_users", "draft_depth", "decode", "ttft_p50", "own_sequential", "x" * 300, [], {}, [None], [[]], {"a": 1},
    {"pending": "x"}, {"kind": "arm", "arm": "mtp3"}, {"none": "x"}, ["a", "a"], {"token_ids": [1, 2]},
)  # fmt: skip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One copy of the example site, put right again after each example."""
    return example_site.copy(tmp_path_factory.mktemp("mutation") / "site")


def _nodes(value: object) -> Iterator[tuple[Any, str | int]]:
    """Every container with each of its keys or indices."""
    for name in list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, name
        yield from _nodes(value[name])  # type: ignore[index]


def _mutated(data: Any, draw: st.DataObject) -> Any:
    for _ in range(draw.draw(st.integers(1, 3), label="mutations")):
        nodes = list(_nodes(data))
        if not nodes:
            return data
        holder, name = nodes[draw.draw(st.integers(0, len(nodes) - 1), label="node")]
        match draw.draw(st.sampled_from(("delete", "retype", "copy", "rename", "repeat")), label="action"):
            case "delete":
                del holder[name]
            case "retype":
                holder[name] = draw.draw(st.sampled_from(ODD), label="value")
            case "copy":
                other, key = nodes[draw.draw(st.integers(0, len(nodes) - 1), label="source")]
                holder[name] = json.loads(json.dumps(other[key]))
            case "rename" if isinstance(holder, dict):
                holder[draw.draw(st.sampled_from(("x", "value", "arms", "id", "smooth")), label="key")] = holder.pop(
                    name
                )
            case "repeat" if isinstance(holder, list) and isinstance(name, int):
                holder.append(json.loads(json.dumps(holder[name])))
    return data


def _answers(site: Path, path: str, content: bytes) -> None:
    """The site with other `content` at `path` is checked, and built if it passes; then the file is put back."""
    target = site / path
    before = target.read_bytes()
    target.write_bytes(content)
    try:
        checked = pipeline.check(site)
        for written in (checked.report.text(), checked.report.github(), checked.report.json()):
            written.encode("utf-8")
        assert {problem.rule for problem in checked.report.problems} <= set(registry())
        assert (checked.edition is None) == (checked.report.errors > 0)
        if checked.edition is not None:
            pipeline.build(checked.edition)
    finally:
        target.write_bytes(before)


LIGHT = settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@LIGHT
@given(st.data())
def test_any_change_of_a_node_is_answered(site: Path, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from((*YAML, *JSON, GUIDE)), label="file")
    text = (site / path).read_text()
    if path == GUIDE:
        head, _, body = text.removeprefix("---\n").partition("---\n")
        changed = f"---\n{json.dumps(_mutated(yaml.load(head, yaml.BaseLoader), data))}\n---\n{body}"
    elif path in YAML:
        changed = json.dumps(
            _mutated(
                yaml.safe_load(text.replace("2026-", "'2026-").replace("-30\n", "-30'\n").replace("-07\n", "-07'\n")),
                data,
            )
        )
    else:
        changed = json.dumps(_mutated(json.loads(text), data))
    _answers(site, path, changed.encode())


@LIGHT
@given(st.data())
def test_any_change_of_lines_and_characters_is_answered(site: Path, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from((*YAML, *JSON, GUIDE, PAGE)), label="file")
    lines = (site / path).read_text().splitlines(keepends=True)
    at = data.draw(st.integers(0, len(lines) - 1), label="line")
    match data.draw(st.sampled_from(("delete", "repeat", "swap", "cut", "insert")), label="action"):
        case "delete":
            del lines[at]
        case "repeat":
            lines.insert(at, lines[at])
        case "swap":
            other = data.draw(st.integers(0, len(lines) - 1), label="other")
            lines[at], lines[other] = lines[other], lines[at]
        case "cut":
            lines = lines[:at]
        case "insert":
            column = data.draw(st.integers(0, len(lines[at])), label="column")
            odd = data.draw(
                st.text(st.sampled_from("[]{}:,#\"'-0x9.% \n\t\u202e\x00é|>&*!?"), min_size=1, max_size=4), label="text"
            )
            lines[at] = lines[at][:column] + odd + lines[at][column:]
    _answers(site, path, "".join(lines).encode())
