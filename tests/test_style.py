"""The code reads as it should: strict types, lint and format. They are tests so that one line runs everything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

TOOLS = {
    "strict types": ["-m", "mypy"],
    "lint": ["-m", "ruff", "check", "."],
    "format": ["-m", "ruff", "format", "--check", "."],
}


@pytest.mark.parametrize("tool", TOOLS)
def test_the_code_passes(tool: str) -> None:
    """Each tool, with the settings in pyproject.toml, has nothing to say."""
    result = subprocess.run([sys.executable, *TOOLS[tool]], cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_no_test_waits_in_a_way_that_the_pages_forbid() -> None:
    """Playwright's waiting for an expression evaluates text inside the page; our policy stops that whenever the first look comes too early."""
    name = "wait_for_" + "function"
    found = [
        path.name for path in sorted(Path(__file__).parent.glob("*.py")) if name in path.read_text(encoding="utf-8")
    ]
    assert found == [], "use `expect` of Playwright"
