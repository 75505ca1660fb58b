"""Measurements of the program and of what readers meet; run from the repository's root, none of them is part of a build."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))  # for the browser that the tests use
