"""Data goes one way: a package of the program imports only from those that stand before it, and no module from one that imports it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "proofpress"
ORDER = (
    "problem",
    "progress",
    "load",
    "language",
    "records",
    "kernel",
    "tools",
    "check",
    "derive",
    "charts",
    "output",
    "pages",
    "pipeline",
    "intake",
    "review",
    "terminal",
    "grammar",
    "command",
)
"""Packages and single modules, in the order in which data passes them; `content/pages/inside.md` tells the same."""

MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path
    for path in sorted(PACKAGE.rglob("*.py"))
    if path.name != "__init__.py"
}


def _imports(path: Path) -> Iterator[str]:
    """The modules of the program that the file imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("proofpress"):
            if node.module in MODULES:
                yield node.module
            else:
                yield from (name for alias in node.names if (name := f"{node.module}.{alias.name}") in MODULES)


def _place(module: str) -> int:
    return ORDER.index(module.split(".")[1])


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_from_what_stands_before_it(module: str) -> None:
    """No import runs back up."""
    assert [name for name in _imports(MODULES[module]) if _place(name) > _place(module)] == []


def test_no_module_imports_itself_by_a_detour() -> None:
    """There is an order of all modules in which each stands behind those that it imports."""
    graph = {module: set(_imports(path)) for module, path in MODULES.items()}
    assert len(list(TopologicalSorter(graph).static_order())) == len(MODULES)
