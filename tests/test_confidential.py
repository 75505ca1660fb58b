"""Confidential: what must not be published, and what only looks like it."""

from __future__ import annotations

import pytest

from proofpress.check.confidential import finds, first_finds

FOUND = [
    ("text.host-path", "model in /home/anna/models", "/home/anna/models"),
    ("text.host-path", "/Users/anna/run.sh", "/Users/anna/run.sh"),
    ("text.host-path", "C:\\Users\\anna\\run.bat", "C:\\Users\\anna\\run.bat"),
    ("text.host-path", "D:/Users/anna", "D:/Users/anna"),
    ("text.host-path", "/root/bench", "/root/bench"),
    ("text.host-path", "file:///srv/models", "file:///srv/models"),
    ("text.secret", "hf_" + "a1B2" * 8, "hf_a1B…"),
    ("text.secret", "key sk-" + "a1B2" * 8, "sk-a1B…"),
    ("text.secret", "ghp_" + "a1B2" * 9, "ghp_a1…"),
    ("text.secret", "AKIA" + "A1B2" * 4, "AKIAA1…"),
    ("text.secret", "Authorization: Bearer abcdefghijklmnop", "Bearer…"),
    ("text.secret", "-----BEGIN OPENSSH PRIVATE KEY-----", "-----B…"),
    ("text.email", "ask anna.b@lab.example.org", "anna.b@lab.example.org"),
    ("text.network-address", "http://192.168.1.20:8000/v1", "192.168.1.20"),
    ("text.network-address", "host 10.1.2.3", "10.1.2.3"),
    ("text.network-address", "8.8.8.8", "8.8.8.8"),
]

NOT_FOUND = [
    "kernels/paged",
    "at home/work balance",
    "results/root/summary.json",
    "https://lab.example/home/index.html",
    "engine@1.0.dev",
    "Users and context",
    "hf_attention",
    "sk-learn",
    "Bearer of news",
    "Anna @ A lab",
    "@app.get",
    "127.0.0.1:8000",
    "0.0.0.0",
    "v1.2.3",
    "1.2.3.4.5",
    "300.1.2.3",
    "0.27.2rc1.dev77+gac7509e2b",
    "sha256:521e1f2a",
]


@pytest.mark.parametrize(("rule", "text", "words"), FOUND)
def test_found(rule: str, text: str, words: str) -> None:
    assert [(find.rule, find.words) for find in finds(text)] == [(rule, words)]


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(text: str) -> None:
    assert list(finds(text)) == []


@pytest.mark.parametrize(
    ("rule", "text", "words"), [row for row in FOUND if row[0] in {"text.host-path", "text.secret"}]
)
def test_found_in_bytes(rule: str, text: str, words: str) -> None:
    """The same words in a file's bytes, with their place."""
    ((find, at),) = first_finds(f"ä {text}".encode())
    assert (find.rule, find.words) == (rule, words)
    assert f"ä {text}".encode()[at:].startswith(words.removesuffix("…").encode())


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found_in_bytes(text: str) -> None:
    assert list(first_finds(text.encode())) == []
