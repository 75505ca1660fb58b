"""Inputs that an outsider could send, by mistake or on purpose, through the whole pipeline: what is refused, and that what is
accepted is shown as text and nothing else. Rows are named after the project's list of adversarial inputs; files that cannot be
read (Y, J) are in test_source.py, the disk (P, X) in test_disk.py, campaigns (D, E, N) in test_campaign_check.py."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import time
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import example_site
import pytest
from example_site import golden, replace

from proofpress import pipeline
from proofpress.check import prose
from proofpress.load.passage import Passage
from proofpress.load.source import yaml_source
from proofpress.load.text import LFS_POINTER
from proofpress.output import Files
from proofpress.problem import MAX_PER_FILE

CARD = "content/cards/tiny.yaml"
GUIDE = "content/guides/tiny.md"
LADDER = "evidence/tiny-ladder/campaign.json"

SUMMARY = "A head of its own guesses three tokens per step and the full model checks them."
PROFILE = "metric: decode, axis: context_tokens}"
FIRST_PROFILE = "- {campaign: tiny-ladder, arm: mtp3, metric: decode, axis: context_tokens}"

EIGHT = '"x": 8, "server": "a", "pass": "first", "session": "s1", "measured_on": "2026-09-07", "identity": {"matched": 8, "total": 8, '
EIGHT += '"method": "token_ids", "basis": "counted"}, "records": [{"metric": "aggregate_wall", "value": 564.7, "unit": "tok/s", "samples": 1}]},'
SECOND_PASS = '{"arm": "mtp3", "axis": "concurrent_users", "x": 8, "server": "a", "pass": "second", "session": "s1", "measured_on": null, '
SECOND_PASS += '"identity": {"matched": 7, "total": 8, "method": "token_ids", "basis": "counted"}, "records": []},'


OPEN = "evidence/tiny-open/campaign.json"
SELECT = '"select": {"passes": ["only"]},'
TAKEN_BACK = (
    "status: candidate\npublished: 2026-09-07",
    "status: withdrawn\nwithdrawn_because: The clock was wrong.\n",
)
"""What stands on the card, and the beginning of what takes it back."""


LONG_IDS = [f"{'m' * 79}{n}" for n in range(3)]


class Row(NamedTuple):
    """An edit of one file, and the rules that speak of it."""

    title: str
    file: str
    old: str
    new: str
    rules: set[str]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A copy of the example site."""
    return example_site.copy(tmp_path / "site")


def _rules(root: Path) -> set[str]:
    return {problem.rule for problem in pipeline.check(root).report.problems}


def _summary(title: str, words: str, *rules: str) -> Row:
    return Row(title, CARD, SUMMARY, f"{SUMMARY} {words}", set(rules))


def _card(title: str, old: str, new: str, *rules: str) -> Row:
    return Row(title, CARD, old, new, set(rules))


def _campaign(title: str, old: str, new: str, *rules: str) -> Row:
    return Row(title, LADDER, old, new, set(rules))


REQUESTS = "evidence/tiny-requests/campaign.json"
FIRST_ROW = '"first_token_s": 0.0145, "last_token_s": 0.514'
SAMPLES = '"unit": "tok/s", "samples"'
ONE_CARD = '"cards": 1, "tensor_parallel": 1'

ROWS: list[Row] = [
    # --- identity
    _card("D1 a claim of 16 users where 15 of 16 are equal", "exact_through: 8", "exact_through: 16", "identity.exact-through"),
    _card("D1 a headline that differs", "arm: mtp3, metric: class", "arm: mtp5, metric: class", "identity.headline"),
    _summary("D1 a withheld value by reference", "It reaches [[tiny-ladder/mtp3 users=16]].", "identity.prose"),
    _card("D2 a card that does not mention 16 users", ", exact_through: 8", ""),
    _card("D17 a waiver on a profile", "exact_through: 8", "near_tie_ok: true", "schema.own-verdict"),
    _card("D17 identity waived", "exact_through: 8", "identity: waived", "schema.own-verdict"),
    _campaign("D12 the other pass differed", EIGHT, f"{EIGHT}\n  {SECOND_PASS}", "identity.exact-through", "identity.prose", "claim.exact-through"),
    # --- nothing between the measured points
    _campaign("E3 a claim of 8 users on 4 slots", '"max_num_seqs": 16', '"max_num_seqs": 4', "identity.exact-through", "identity.prose", "claim.exact-through"),
    _card("E4 a spline", PROFILE, "metric: decode, axis: context_tokens, line: spline}", "schema.only-measured"),
    _card("E4 smoothing", PROFILE, "metric: decode, axis: context_tokens, smooth: true}", "schema.only-measured"),
    _card("E4 gaps closed", PROFILE, "metric: decode, axis: context_tokens, connect_gaps: true}", "schema.only-measured"),
    _card("E6 two profiles of one series", "metric: ttft_mean", "metric: decode", "duplicate.profile"),
    _card("E7 a curve of another set-up", "tiny-ladder, arm: mtp3, metric: decode", "tiny-open, arm: plain, metric: decode", "reference.other-subject"),
    _card("E8 a kind written on the card", PROFILE, "metric: decode, axis: context_tokens, kind: measured}", "schema.unknown-field"),
    # --- references
    _campaign("F1 an original that is not there", '"original.json"', '"raw/original.json"', "reference.missing-original"),
    _campaign("F3 another checkpoint", '"checkpoint": "lab/tiny"', '"checkpoint": "lab/tiny-base"', "reference.other-subject"),
    _campaign("F3 another revision", '"revision": "790f"', '"revision": "790e"', "reference.other-subject"),
    _campaign("F3 another engine", '"name": "vllm", "version"', '"name": "transformers", "version"', "reference.other-subject"),
    _card("F6 related to nothing", "[tiny-record]", "[tiny-rekord]", "reference.missing-card"),
    _card("F6 superseded by nothing", "related: [tiny-record]", "superseded_by: gone", "reference.missing-card"),
    _card("F7 superseded by itself", "related: [tiny-record]", "superseded_by: tiny", "reference.cycle"),
    _card("F7 in a circle", "related: [tiny-record]", "superseded_by: tiny-record", "reference.cycle"),
    _card("F9 a proof on a branch", "https://example.org/method", "https://github.com/lab/tiny/blob/main/a.md", "link.not-pinned"),
    _card("F9 a raw file on a branch", "https://example.org/method", "https://raw.githubusercontent.com/lab/tiny/master/a.json", "link.not-pinned"),
    _card("F9 a credit's link on a branch", '"https://example.org/lab"', '"https://github.com/lab/tiny/tree/develop/x"', "link.not-pinned"),
    _card("F9 a repository, a release and a commit", "https://example.org/method", "https://github.com/lab/main/releases/tag/v1.0"),
    _card("F10 withdrawn before the last measurement", TAKEN_BACK[0], f"{TAKEN_BACK[1]}published: 2026-08-01\nwithdrawn: 2026-09-01", "mismatch.date-order"),
    _card("F10 withdrawn for a reason and on no day", TAKEN_BACK[0], f"{TAKEN_BACK[1]}published: 2026-09-07", "mismatch.status"),
    _card("F10 withdrawn on a day, and a candidate", "published: 2026-09-07", "published: 2026-09-07\nwithdrawn: 2026-09-08", "mismatch.status"),
    _card("F10 withdrawn for a number that nothing bears out", TAKEN_BACK[0],
          f"{TAKEN_BACK[1].replace('wrong', '412.7 tok/s')}published: 2026-09-07\nwithdrawn: 2026-09-08", "claim.number"),
    _card("F10 withdrawn on a day and for a reason", TAKEN_BACK[0], f"{TAKEN_BACK[1]}published: 2026-09-07\nwithdrawn: 2026-09-08"),
    Row("F6 a campaign superseded by nothing", OPEN, SELECT, f'{SELECT} "superseded_by": "gone",', {"reference.missing-campaign"}),
    Row("F7 a campaign superseded by itself", OPEN, SELECT, f'{SELECT} "superseded_by": "tiny-open",', {"reference.cycle"}),
    Row("F7 a campaign superseded by another", OPEN, SELECT, f'{SELECT} "superseded_by": "tiny-suite",', set()),
    _card("F10 published before a later measurement", "published: 2026-09-07", "published: 2026-08-01"),
    _card("F10 published before there were transformers", "published: 2026-09-07", "published: 1970-01-01", "number.date"),
    _campaign("F12 the file says another campaign", '"id": "tiny-ladder"', '"id": "tiny-suite"', "mismatch.campaign-id"),
    # --- paths that a file can state
    *[_campaign(f"P1 {path}", '"original.json"', json.dumps(path), rule)
      for path, rule in (("../../etc/passwd", "path.outside"), ("/etc/passwd", "path.outside"), ("~/.ssh/id_rsa", "path.outside"),
                         ("file:///etc/passwd", "path.outside"), ("a//b.json", "path.name"), ("..\\b.json", "path.name"))],
    _card("P8 a file name of a chart beyond the limit", "mtp0, mtp1, mtp3", ", ".join(LONG_IDS), "limit.length", "reference.missing-arm"),
    # --- links and text
    *[_summary(f"{title} {link}", f"[x]({link})", rule) for title, link, rule in (
        ("H3", "javascript:alert(1)", "link.scheme"), ("H3", "data:text/html,x", "link.scheme"), ("H3", "JaVaScRiPt:x", "link.scheme"),
        ("H3", "vbscript:x", "link.scheme"), ("H4", "//evil.example", "link.scheme"), ("H4", "blob:https://x.example/1", "link.scheme"),
        ("H4", "intent:x", "link.scheme"), ("H4", "http://x.example", "link.scheme"), ("H4", "../index.html", "link.scheme"),
        ("H4", "file:///srv", "link.scheme"), ("H14", "https://github.com@evil.example/x", "link.user-info"),
        ("H14", "https://github.com%40evil.example/x", "link.user-info"), ("H14", "https:///x", "link.scheme"))
      if link != "file:///srv"],
    _summary("H3 an autolink", "<javascript:alert(1)>", "link.scheme"),
    _summary("H5 a beacon", "![x](https://tracker.example/p.png)", "link.image"),
    _card("H14 user info in a field", '"https://example.org/lab"', '"https://github.com@evil.example/x"', "link.user-info"),
    _card("H14 a backslash in a field", '"https://example.org/lab"', '"https://evil.example\\\\.github.com/x"', "link.scheme"),
    _card("H9 cursor codes", "publisher: A lab", 'publisher: "A \\u001b[2K lab"', "text.hidden-character"),
    _card("H10 a forged annotation", "publisher: A lab", 'publisher: "::error::x ##[error] %0A::set-output"'),
    _card("H11 reversed reading", "publisher: A lab", 'publisher: "tok/s \\u202e1.89"', "text.hidden-character"),
    _card("a secret on a card", "publisher: A lab", "publisher: hf_aBcDeFgHiJkLmNoPqRsTuV", "text.secret"),
    _card("a host path on a card", "compression: FP8 weights", "compression: from /home/anna/models", "text.host-path"),
    # --- charts
    _card("C4 two curves that look the same", "metric: ttft_mean", "metric: decode", "duplicate.profile"),
    _card("C5 two metrics in one chart", PROFILE, "metric: [decode, ttft_mean], axis: context_tokens}", "type.wrong"),
    _card("C6 an axis that starts at 95", PROFILE, "metric: decode, axis: context_tokens, ymin: 95}", "schema.axis-limits"),
    _campaign("C7 x as text", '"axis": "context_tokens", "x": 512', '"axis": "context_tokens", "x": "512"', "type.wrong"),
    _campaign("C7 x as 'c1'", '"axis": "concurrent_users", "x": 1,', '"axis": "concurrent_users", "x": "c1",', "type.wrong"),
    # --- numbers
    _campaign("N1 tok/sec", '"value": 564.7, "unit": "tok/s"', '"value": 564.7, "unit": "tok/sec"', "unit.unknown"),
    _campaign("N1 seconds for milliseconds", '"value": 1526.0, "unit": "ms"', '"value": 1.526, "unit": "s"', "unit.unknown"),
    _summary("N2 seconds in milliseconds", "At 2K the first token takes 1.526 ms.", "claim.number"),
    _summary("N4 a share that is not one", "That is 64.2 tok/s for each of the eight.", "claim.number"),
    _summary("N4 the share", "That is 70.6 tok/s for each of the eight."),
    _summary("N5 beyond the tolerance", "It runs at 98.2 tok/s.", "claim.number"),
    _summary("N6 within the tolerance", "It runs at 98.1 tok/s, or 98.14 tok/s."),
    _card("N7 a statistic on a card", PROFILE, "metric: decode, axis: context_tokens, statistic: median}", "schema.unknown-field"),
    _card("N8 samples on a card", PROFILE, "metric: decode, axis: context_tokens, samples: 3}", "schema.unknown-field"),
    _campaign("N9 a sample that is not a number", '"value": 564.7', '"value": NaN', "number.not-finite"),
    _campaign("N10 a rate of zero", '"value": 564.7', '"value": 0', "number.range"),
    _campaign("N11 a rate out of this world", '"value": 564.7', '"value": 1e308', "number.range"),
    _campaign("N11 a rate of almost nothing", '"value": 564.7', '"value": 0.0000001', "number.range"),
    _campaign("N12 users with a point", '"concurrent_users", "x": 16', '"concurrent_users", "x": 16.0', "type.wrong"),
    _card("N12 cards as text", "  cards: 1\n", '  cards: "1"\n', "type.wrong"),
    _card("Y3 a version as a number", "image: example.org/lab/tiny", "image: 0.10", "type.wrong"),
    _campaign("Y3 a version as a number", '"version": "0.27.2"', '"version": 0.10', "type.wrong"),
    # --- sizes
    _card("S2 a name of a million characters", "Tiny with FP8 weights on one H200", "x" * 1_000_000, "limit.file-size"),
    _card("S2 a long name", "Tiny with FP8 weights on one H200", "x" * 121, "limit.length"),
    # --- numbers in prose
    _card("M1 a title that drifted", "name: Tiny with FP8", "name: 98.4 tok/s, Tiny with FP8", "claim.number"),
    _card("M1 a title that is true", "name: Tiny with FP8", "name: 98.1 tok/s, Tiny with FP8"),
    *[_summary(f"M2 {words}", words, "claim.number") for words in (
        "Up to 2,000 tok/s.", "Up to 2k tok/s.", "**2000** tok/s.", "2000 **tokens per second**.", "2000 tokens/sec.", "2.000,5 tok/s.",
        "90-2000 tok/s.", "2000–98.1 tok/s.", "2000 TPS.", "2000 t/s.", "~2000 tok/s.", "2 000 tok/s.", "2000\u00a0tok/s.",
        "TTFT of 3 ms.", "First token after 0.2 s.", "The first token comes in 7 milliseconds.")],
    _summary("M3 an overclaim", "All in all 12/12 exact, 64 of 64 identical.", "claim.count"),
    _summary("M3 out of", "16 out of 16 outputs match.", "claim.count"),
    _summary("M3 a withheld count is a count", "At 16 users 15/16 outputs were equal."),
    _summary("M4 copied from another depth", "Exact through 16 users.", "claim.exact-through"),
    _summary("M4 in other words", "Outputs are identical up to 32 concurrent requests.", "claim.exact-through"),
    _summary("M4 in short", "It is exact at c16.", "claim.exact-through"),
    *[_summary(f"M5 {words}", words, "claim.ratio") for words in (
        "45% faster.", "2.4x faster.", "2.4x speedup.", "A speedup of 2.4x.", "Faster by 45%.", "45 percent higher throughput.", "**45%** faster.")],
    *[_summary(f"M5 true: {words}", words) for words in ("1.95x as fast.", "A speedup of 1.95x.", "Without drafts it is 49% slower.")],
    _card("M6 a caption", PROFILE, 'metric: decode, axis: context_tokens, caption: "MTP1, exact"}', "schema.unknown-field"),
    *[_summary(f"M7 {words}", words) for words in (
        "Qwen3.5-9B on vLLM v0.29.0, built on 2026-09-07.", "Start it with --max-num-seqs 64 and 4,096 tokens.", "The 12-prompt suite in 6 classes.",
        "Digest sha256:5e5e5e5e5e5e5e5e5e5e5e5e.", "The weights take 14.0 GB of 32 GB.", "PCIe 4.0 at 16 GT/s, 608 GB/s.", "Needs 20% less memory.",
        "Half of 64 layers, exact copies of 8 of 64 experts.", "Polls every 500 ms.", "Waits 30 s for a port.", "Use port 8000, 24/7.",
        "Seeds 20260907 and 1.", "Version 1.2.3.4 of 3 parts.", "4-bit, W4A16, FP8 E4M3, u32le.", "8 users at once, 2 servers.",
        "On 2026-09-07 - 98.1 tok/s.", "Depth 3: 98.1 tok/s, depth 0 - 50.2 tok/s.", "From 50.2 to 98.1 tok/s.", "98.0-98.3 tok/s.")],
    # --- numbers as they are read
    *[_summary(f"M8 {words}", words, "claim.number") for words in (
        "9,999 tok&#47;s.", "9,999 tok\\/s.", "9,999 [tok](https://x.example)/s.", "[9,999](https://x.example) tok/s.", "9,999 tok**/s**.",
        "`9,999` `tok/s`.", "9,999\u00a0tok/s.", "9,999 tok\u2044s.", "9,999 tok\u2215s.", "9,999 tok s\u207b\u00b9.", "\uff19\uff19\uff19 tok/s.",
        "9,999 tok\u00b7s-1.", "9,999 tok s-1.", "9,999 tok per s.", "9,999 tokens per s.", "9,999 tokens in a second.", "A 9,999 token-per-second run.",
        "9,999 prompt tokens per second.", "9,999 completion tokens per second.", "9,999 decoded tokens per second.", "9,999 tokens/min.",
        "9,999 tokens per minute.", "9,999 tokens/hour.", "9,999 words per second.", "9999+ tok/s.", "x9999 tok/s.", "9.9e3 tok/s.", "tok/s: 9999.",
        "9999 (tok/s).", "**tok/s:** 9999.", "A latency of 7 \u00b5s.", "A latency of 7 us.", "It takes 3 ms per token.", "It takes 3 ms/token.")],
    *[_summary(f"M8 true: {words}", words) for words in ("`98.1` tok/s.", "98.1 [tok/s](https://x.example).", "98.1 tok s\u207b\u00b9.", "tok/s: 98.1.")],
    *[_summary(f"M9 {words}", words, "reference.number") for words in (
        "9[[tiny-ladder/mtp3]].", "9,[[tiny-ladder/mtp3]].", "[[tiny-ladder/mtp3]]9.", "-[[tiny-ladder/mtp3]].", "9**[[tiny-ladder/mtp3]]**.",
        "&#57;[[tiny-ladder/mtp3]].")],
    *[_summary(f"M9 alone: {words}", words) for words in ("It is ([[tiny-ladder/mtp3]]), and [[tiny-ladder/mtp3]].", "**[[tiny-ladder/mtp3]]**.")],
    *[_summary(f"M10 {words}", words, "claim.ratio") for words in (
        "Three times as fast.", "Ten times faster.", "9x throughput.", "Faster by a factor of 9.", "It triples the speed.",
        "5\u00d7 vLLM.", "Nine times the throughput.")],
    *[_summary(f"M10 true: {words}", words) for words in ("Twice as fast.", "It doubles the speed.", "Half the latency.", "2 times the cards.")],
    *[_summary(f"M11 {words}", words, "claim.exact-through") for words in (
        "Drafting is bit-identical.", "Drafting is lossless.", "No output differed.", "100% of outputs match.", "Exact for up to 16 users.",
        "Exact even at 16 users.", "Identical at every number of users.")],
    *[_summary(f"M12 of an arm: {words}", words, "claim.exact-through") for words in (
        "mtp5 is lossless.", "mtp3 is lossless.", "mtp0 is bit-identical.", "mtp1 and mtp5 are lossless.", "At depth 3 drafting is lossless.",
        "**mtp5** is lossless.", "MTP5 is lossless.", "mtp1 is exact through 8 users.", "mtp1 is the same at every number of users.",
        "mtp1 was measured; mtp5 is lossless.", "mtp1 was tried but drafting is lossless with mtp3.")],
    *[_summary(f"M12 of an arm, true: {words}", words) for words in (
        "mtp1 is lossless.", "At depth 1 drafting is lossless.", "mtp5 differs; mtp1 is lossless.", "mtp1 is lossless while mtp3 is exact through 8 users.",
        "mtp3 is exact through 8 users.", "mtp3 gave 12/12 exact outputs, and mtp1 12/12.")],
    *[_summary(f"M12 a count of an arm: {words}", words, "claim.count") for words in (
        "mtp5: 12/12 outputs exact.", "mtp1 gave 8/8 equal outputs.", "At depth 1 15/16 outputs matched.")],
    *[_summary(f"M11 not a claim: {words}", words) for words in ("It is not lossless.", "Exact for up to 8 users.", "Tried at every number of users.")],
    _card("M12 an image", "image: example.org/lab/tiny", "image: 9,999 tok/s", "claim.number"),
    _campaign("M12 who measured", '"measured_by": {"name": "', '"measured_by": {"name": "9,999 tok/s by ', "claim.number"),
    _campaign("M12 a version", '"version": "0.27.2"', '"version": "0.27.2 at 9,999 tok/s"', "claim.number"),
    Row("M12 a guide", GUIDE, "Ask for the list of models.", "It gives [[fact commit]] tok/s.", {"claim.number"}),
    _card("M12 a credit", "{name: A lab, kind", "{name: A lab at 9999 tok/s, kind", "claim.number"),
    _card("M12 an environment", 'TINY_DRAFT: "1"', 'TINY_DRAFT: "9999 tok/s"', "claim.number"),
    _card("M12 a projection", "limiter: memory bandwidth", "limiter: measured 9999 tok/s", "claim.number"),
    Row("M12 a page", "content/pages/about.md", "This site is for tests.", "It serves 9999 tok&#47;s.", {"claim.number"}),
    Row("M12 a result in code on a page", "content/pages/about.md", "This site is for tests.", "This.\n\n```\n# 9999 tok/s\n```\n\n", {"claim.number"}),
    Row("M12 a command on a page", "content/pages/about.md", "This site is for tests.", "This.\n\n```\nserve --max-num-seqs 16\n```\n\n", set()),
    Row("M12 a table on a page", "content/pages/about.md", "This site is for tests.", "| tok/s |\n|---|\n| 9999 |", {"claim.number"}),
    Row("M12 a table of settings on a page", "content/pages/about.md", "This site is for tests.", "| users |\n|---|\n| 9999 |", set()),
    Row("M12 a ratio on a page", "content/pages/about.md", "This site is for tests.", "It is twice as fast.", {"claim.ratio"}),
    Row("M12 words on a page", "content/pages/about.md", "This site is for tests.", "It serves ninety tokens per second.", {"claim.number"}),
    Row("M12 counts on a page", "content/pages/about.md", "This site is for tests.", "It serves two users, twice a day.", set()),
    Row("M12 a result in a guide's command", GUIDE, "--max-num-seqs 16", "--max-num-seqs 16  # 61 tok/s", {"claim.number"}),
    Row("M12 a true result in a guide's command", GUIDE, "--max-num-seqs 16", "--max-num-seqs 16  # 98.1 tok/s", set()),
    Row("M12 a tagline with a ratio", "content/site.yaml", "tagline: ", "tagline: Ten times faster, ", {"claim.ratio"}),
    Row("M12 a tagline", "content/site.yaml", "tagline: ", "tagline: 9,999 tok/s, ", {"claim.number"}),
    Row("M12 a vocabulary", "content/vocabulary.yaml", "label: not quantized", "label: 9,999 tok/s", {"claim.number"}),
    Row("M12 a tagline of equality", "content/site.yaml", "tagline: ", "tagline: Lossless speeds, ", {"claim.exact-through"}),
    Row("M12 a tagline of compression", "content/site.yaml", "tagline: ", "tagline: Lossless compression, ", set()),
    Row("M12 equality on a page", "content/pages/about.md", "This site is for tests.", "All outputs on this site are bit-exact.", {"claim.exact-through"}),
    Row("M12 equality on a page again", "content/pages/about.md", "This site is for tests.", "No output here ever differed.", {"claim.exact-through"}),
    Row("M12 a heading of equality", "content/pages/about.md", "This site is for tests.", "## Every deployment is loss&shy;less", {"claim.exact-through"}),
    Row("M12 how outputs are compared", "content/pages/about.md", "This site is for tests.", "Each output is compared token for token.", set()),
    Row("M12 what drafting is", "content/pages/about.md", "This site is for tests.", "Done right, the output does not change.", set()),
    Row("M12 a vocabulary of equality", "content/vocabulary.yaml", "label: not quantized", "label: lossless", {"claim.exact-through"}),
    _campaign("M12 a measurer of equality", '"name": "A lab", "kind"', '"name": "Bit-exact lab", "kind"', "claim.exact-through"),
    _card("M12 a credit of equality", "{name: A lab, kind", "{name: Lossless lab, kind", "claim.exact-through"),
    _campaign("D10 an oracle of unknown format", f'"mtp0", {ONE_CARD}, "dtype": "bf16"', f'"mtp0", {ONE_CARD}, "dtype": null', "identity.other-setup"),
    _campaign("N8 samples of no prompt", f'98.251, {SAMPLES}: 12', f'98.251, {SAMPLES}: 13', "mismatch.samples"),
    _campaign("N8 samples of two rounds", f'98.251, {SAMPLES}: 12', f'98.251, {SAMPLES}: 24'),
    Row("N11 rows faster than any machine", REQUESTS, FIRST_ROW, '"first_token_s": 0.5139999, "last_token_s": 0.514', {"number.no-duration"}),
    Row("N11 rows as fast as a machine may be", REQUESTS, FIRST_ROW, '"first_token_s": 0.513, "last_token_s": 0.514', set()),
    # --- false alarms
    _campaign("Z1 a curve that is not smooth", '"value": 104.5', '"value": 134.5'),
    _campaign("Z3 98 for 98.0", '"value": 104.5', '"value": 104'),
    _campaign("Z7 all equal: nothing is withheld", '{"matched": 15, "total": 16, ', '{"matched": 16, "total": 16, '),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=[row.title[:80] for row in ROWS])
def test_an_input_is_met_by_its_rules_and_no_other(site: Path, row: Row) -> None:
    replace(site / row.file, (row.old, row.new))
    report = pipeline.check(site).report
    assert {problem.rule for problem in report.problems} == row.rules, report.text()


MESSAGES: list[tuple[str, str, str, str, str]] = [  # title, file, a piece of its text, what stands there instead, words of the message
    ("Y3 a version", CARD, "image: example.org/lab/tiny", "image: 0.10", "0.10 · text is wanted here · quote it: \"0.10\"; versions and names are text"),
    ("N2", CARD, SUMMARY, f"{SUMMARY} TTFT is 1.526 ms.", "the evidence gives 1.526 seconds; milliseconds are a thousand times as many"),
    ("N1", LADDER, '"value": 1526.0, "unit": "ms"', '"value": 1526.0, "unit": "s"', "times are in 'ms': 1.526 s is 1526 ms"),
    ("M6", CARD, PROFILE, "metric: decode, axis: context_tokens, caption: MTP1}", "captions, labels and notes are computed from the campaign"),
    ("a value on a card", CARD, PROFILE, "metric: decode, axis: context_tokens, value: 99}", "no measured number stands on a card"),
    ("F2", LADDER, '"sha256": "e241a85c', '"sha256": "00000000', "· the file's SHA-256, e241a85cccb885943529c11debaa0d5df5e04948e4dad312d2f4ea4a6bd0a402 ·"),
    ("F3", CARD, "checkpoint: lab/tiny", "checkpoint: lab/base", "checkpoint 'lab/tiny' in the campaign · the card's checkpoint, 'lab/base'"),
    ("E8", CARD, PROFILE, "metric: decode, axis: context_tokens, kind: measured}", "remove it: no measured number stands on a card"),
    ("an id in capitals", CARD, "family: tiny", "family: Tiny", "that starts with a letter or digit · did you mean 'tiny'?"),
    ("a decimal for a whole number", CARD, "  cards: 1\n", "  cards: 1.0\n", "hardware.cards: 1.0 · a whole number is wanted here · write 1"),
    ("text for a list", CARD, "good_for: [general]", "good_for: general", "good_for: 'general' · a list is wanted here · write [general]"),
    ("text for a whole number", CARD, "  cards: 1\n", "  cards: 1 card\n", "is wanted here · digits alone: no point, no thousands mark, no unit, no quotes"),
    ("no engine", CARD, "engine: vllm\n", "", "engine: missing · this field is required · write a word from 'content/vocabulary.yaml', list 'engines'"),
    ("no accelerator", CARD, "  accelerator: nvidia-h200\n", "", "write a word from 'content/vocabulary.yaml', list 'accelerators'"),
    ("an unknown engine is no other subject", CARD, "engine: vllm\n", "engine: vlm\n", "engine: 'vlm' · an engine from "),
    ("an unknown accelerator is no other subject", CARD, "accelerator: nvidia-h200", "accelerator: h200", "hardware.accelerator: 'h200' · an accelerator from"),
    ("a thirteenth month", CARD, "published: 2026-09-07", "published: 2026-13-01", "a date such as 2026-09-07 · write year, month and day, in this order\n"),
    ("a word for a day", CARD, "published: 2026-09-07", "published: yesterday", "published: 'yesterday' · a date such as 2026-09-07 is wanted here\n"),
    ("H14", CARD, '"https://example.org/lab"', '"https://github.com@evil.example/x"', "its host is evil.example, not what stands before the @"),
]  # fmt: skip


@pytest.mark.parametrize("row", MESSAGES, ids=[row[0] for row in MESSAGES])
def test_a_known_mistake_is_recognised_by_name(site: Path, row: tuple[str, str, str, str, str]) -> None:
    _, file, old, new, words = row
    replace(site / file, (old, new))
    report = pipeline.check(site).report
    assert len(report.problems) == 1, report.text()
    assert words in report.text()


def test_a_guide_that_is_not_there_is_the_one_that_is_named_like_the_card(site: Path) -> None:
    """'my-gide' is like no guide; the card's own id has one."""
    replace(site / CARD, ("guide: tiny", "guide: my-gide"))
    assert (
        "guide: 'my-gide' · a guide, content/guides/<id>.md · did you mean 'tiny'?"
        in pipeline.check(site).report.text()
    )


# --- files -----------------------------------------------------------------------------------------------------------

Change = Callable[[Path], object]


def _renamed(old: str, new: str) -> Change:
    return lambda root: (root / old).rename(root / new)


def _new(path: str, content: bytes = b"# A\n\nText.\n") -> Change:
    def change(root: Path) -> None:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(content)

    return change


def _bom(root: Path) -> None:
    for path in (CARD, GUIDE, LADDER):
        (root / path).write_bytes(b"\xef\xbb\xbf" + (root / path).read_bytes())


def _not_utf8(root: Path) -> None:
    name = os.fsencode(root / "content" / "pages") + b"/caf\xe9.md"
    with open(name, "wb") as file:  # noqa: PTH123 -- a path cannot hold such a name
        file.write(b"# A\n")


def _crlf(root: Path) -> None:
    for path in (CARD, GUIDE):
        (root / path).write_bytes((root / path).read_bytes().replace(b"\n", b"\r\n"))


FILES: list[tuple[str, Change, set[str]]] = [
    ("F1 evidence that is gone", lambda r: (r / LADDER).unlink(), {"path.unread", "reference.missing-campaign"}),
    ("F2 an original edited after review", _new("evidence/tiny-ladder/original.json", b"{}"), {"reference.original-changed"}),
    ("F4 two cards of one id", _new("content/cards/TINY.yaml"), {"duplicate.id"}),
    ("F4 an id that is another's page", _new("content/cards/tiny.html.yaml"), {"path.id"}),
    ("F5 an empty file", lambda r: (r / LADDER).write_bytes(b""), {"reference.empty-file"}),
    ("F8 evidence that no card uses", lambda r: (r / "content/cards/tiny-open.yaml").unlink(), {"reference.unused-evidence"}),
    ("P2 a link to a file outside", lambda r: (r / "evidence/tiny-ladder/raw.json").symlink_to("/etc/passwd"), {"path.link"}),
    ("P3 a folder that links to its parent", lambda r: (r / "evidence/tiny-ladder/up").symlink_to(".."), {"path.link"}),
    ("P4 a pipe", lambda r: os.mkfifo(r / "evidence/tiny-ladder/raw.json"), {"path.not-plain-file"}),
    ("P5 a name in capitals and spaces", _new("content/guides/Qwen3_5 9B.md"), {"path.id"}),
    *[(f"P6 the name {name}", _new(f"content/cards/{name}.yaml"), {"path.reserved"}) for name in ("index", "assets", "api", "models", "con", "nul.1", "lpt1")],
    *[(f"P6 a page called {name}", _new(f"content/pages/{name}.md"), {"path.reserved"}) for name in ("index", "models/x", "build", "404", "a/con")],
    *[(f"P7 the name {name}", _new(f"content/cards/{name}.yaml"), {"path.id"}) for name in ("ß", "…", "a..b", "a.", "-a")],
    *[(f"P7 the hidden name {name}", _new(f"content/{name}"), {"path.id"}) for name in ("cards/...yaml", "cards/.x.yaml", "guides/.a.md")],
    *[(f"P7 what is left behind as {name}", _new(f"content/cards/{name}"), set()) for name in (".DS_Store", ".#x.yaml", "._x.yaml", ".x.yaml.swp")],
    ("P8 a name of 250 bytes", _new(f"content/pages/{'a' * 247}.md"), {"path.name"}),
    ("P8 a name of 90 characters", _new(f"content/pages/{'a' * 90}.md"), {"path.id"}),
    ("P9 a forged annotation", _new("content/pages/a\n::error file=x::forged.md"), {"path.name"}),
    ("P10 a name that is not UTF-8", _not_utf8, {"path.name"}),
    ("P5 case collisions beside a campaign", _new("evidence/tiny-ladder/Original.json", b"{}"), {"duplicate.id"}),
    ("P5 Campaign.json beside campaign.json", _new("evidence/tiny-ladder/Campaign.json", b"{}"), {"duplicate.id"}),
    ("J11 a Git LFS pointer beside a campaign", _new("evidence/tiny-ladder/a.txt", LFS_POINTER.encode() + b"v1\noid sha256:4d\nsize 12\n"),
     {"syntax.git-lfs-pointer"}),
    ("a web page beside a campaign", _new("evidence/tiny-ladder/a.html", b"<script>alert(1)</script>"), {"path.not-evidence"}),
    *[(f"a page called {name}, {n}", _new(f"evidence/tiny-ladder/{name}", begins), {"path.not-evidence"})
      for n, (name, begins) in enumerate((
          ("a.txt", b"<!DOCTYPE html><p>x"), ("a.csv", b"\r\n\t <html>\n"), ("a.md", b"<script>alert(1)</script>"),
          ("a.log", b"<SVG onload=x>"), ("a.json", b"\xef\xbb\xbf<html lang=en>"), ("a.yaml", "<script>".encode("utf-16")), ("a.tsv", b"<!-- --><script>"),
          ("README.md", b"<iframe src=x>"),
          ("a.ndjson", b"<?xml version='1.0'?><svg/>"), ("a.yml", b"<body onload=x>"), ("a.jsonl", b"<script/src=x>")))],
    *[(f"a text called {name}, {n}", _new(f"evidence/tiny-ladder/{name}", begins), set())
      for n, (name, begins) in enumerate((
          ("a.txt", b"x <html>"), ("a.csv", b"<scripted>,1\n"), ("a.md", b"# <script>\n"), ("a.log", b"<5 ms>"),
          ("a.json", b'["<svg>"]'), ("README.md", b"")))],
    ("a secret beside a campaign", _new("evidence/tiny-ladder/README.md", b"with ghp_" + b"a1B2" * 9), {"text.secret"}),
    ("a secret behind an escape", _new("evidence/tiny-ladder/a.json", b'"x\\nghp_' + b"a1B2" * 9 + b'"'), {"text.secret"}),
    ("a secret in UTF-16", _new("evidence/tiny-ladder/a.txt", ("ghp_" + "a1B2" * 9).encode("utf-16")), {"text.secret"}),
    ("a host path beside a campaign", _new("evidence/tiny-ladder/a.log", b"from /home/anna/x"), {"text.host-path"}),
    ("a drawing beside a campaign", _new("evidence/tiny-ladder/a.svg", b"<svg/>"), {"path.not-evidence"}),
    ("a card with another ending", _new("content/cards/other.yml"), {"path.unread"}),
    ("a card in a folder of its own", _new("content/cards/more/other.yaml"), {"path.unread"}),
    ("a campaign in the wrong place", _new("evidence/campaign.json", b"{}"), {"path.unread"}),
    ("a folder in a campaign", _new("evidence/tiny-ladder/raw/a.json", b"{}"), {"path.unread"}),
    ("a README anywhere", lambda r: [_new(f"{f}/README.md")(r) for f in ("content", "evidence", "evidence/tiny-ladder", "content/cards")], set()),
    ("a guide that no card names", _new("content/guides/other.md", (example_site.BASE / GUIDE).read_bytes()), {"reference.unused-guide"}),
    ("S1 a raw file of 300 MB", lambda r: os.truncate(r / "evidence/tiny-ladder/original.json", 300_000_000), {"limit.file-size"}),
    ("S2 a card of 5 MB", lambda r: (r / CARD).write_bytes(b"a" * 5_000_000), {"limit.file-size"}),
    ("Y17 an empty card", lambda r: (r / CARD).write_bytes(b""), {"schema.not-a-mapping"}),
    ("Y17 a card that is a list", lambda r: (r / CARD).write_bytes(b"- a\n"), {"schema.not-a-mapping"}),
    ("J14 a campaign that is a list", lambda r: (r / LADDER).write_bytes(b"[1]"), {"schema.not-a-mapping"}),
    ("Z5 a byte-order mark everywhere", _bom, set()),
    ("lines that end as on Windows", _crlf, set()),
]  # fmt: skip


@pytest.mark.parametrize(("title", "change", "rules"), FILES, ids=[row[0][:60] for row in FILES])
def test_files_and_names(site: Path, title: str, change: Change, rules: set[str]) -> None:
    change(site)
    started = time.perf_counter()
    report = pipeline.check(site).report
    assert time.perf_counter() - started < 2
    found = {problem.rule for problem in report.problems}
    if title.startswith("S1"):
        found -= {"reference.missing-original"}
    assert found == rules, report.text()
    for written in (report.text(), report.github(), report.json()):
        assert not re.search(r"^::error file=x", written, re.MULTILINE)
        written.encode("utf-8")


def test_z2_a_card_without_any_measurement_is_printed_with_all_that_is_missing(site: Path) -> None:
    text = (site / CARD).read_text()
    start, end = text.index("profiles:"), text.index("missing:")
    text = text[:start] + "profiles: []\n" + text[end:]
    text = re.sub(r"^headline: .*$", "headline: {pending: Nothing was measured yet.}", text, flags=re.MULTILINE)
    text = text[: text.index("summary:")] + "summary: Nothing yet.\n"
    text = text.replace("- Outputs are exact through 8 users.", "- None known.")
    text = text.replace("cards_measured: [1]", "cards_measured: []")
    (site / CARD).write_text(text)
    guide = (site / GUIDE).read_text()
    (site / GUIDE).write_text(
        guide.replace("[[tiny-ladder/mtp3]]", "nothing").replace("docker run [[fact image]]", "docker run x")
    )
    (site / LADDER).unlink()
    (site / "evidence/tiny-ladder/original.json").unlink()
    checked = pipeline.check(site)
    assert checked.report.text() == ""
    assert checked.edition is not None
    page = pipeline.build(checked.edition)["models/tiny.html"].decode()
    assert "Nothing was measured yet." in page
    assert "Context sweep" in page


# --- shown as text ---------------------------------------------------------------------------------------------------


class Outline(HTMLParser):
    """What a page is made of: its elements with the names of their attributes, ids, addresses, and scripts' data."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, tuple[str, ...]]] = []
        self.ids: list[str] = []
        self.addresses: list[str] = []
        self.data: list[str] = []
        self.text = ""
        self._script = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "wbr":  # long words may break; where, depends on the words
            self.elements.append((tag, tuple(sorted(name for name, _ in attrs))))
        known = {name: value or "" for name, value in attrs}
        self.ids += [known["id"]] if "id" in known else []
        self.addresses += [known[name] for name in ("href", "src", "action", "srcset") if name in known]
        self._script = tag == "script" and known.get("type") == "application/ld+json"

    def handle_endtag(self, tag: str) -> None:
        self._script = False

    def handle_data(self, data: str) -> None:
        self.text += data
        if self._script:
            self.data.append(data)


def _everywhere(root: Path, text: str) -> Path:
    """The example site with `text` in every field of plain text that reaches a page."""
    word = json.dumps(text, ensure_ascii=False)
    replace(
        root / CARD,
        ("name: Tiny with FP8 weights on one H200", f"name: {word}"),
        ("publisher: A lab", f"publisher: {word}"),
        ("draft: the publisher's own draft head", f"draft: {word}"),
        ("compression: FP8 weights", f"compression: {word}"),
        ("{name: A lab, kind: lab, contribution: Measured it., link", f"{{name: {word}, kind: lab, contribution: Measured it., link"),
        ("text: A run in the cold", f"text: {word}"),
        ("close_with: Open the window and repeat the suite.", f"close_with: {word}"),
        ("limiter: memory bandwidth", f"limiter: {word}"),
        ("basis: the maker's data sheet", f"basis: {word}"),
        ("checkpoint: lab/tiny", f"checkpoint: {word}"),
        ('TINY_DRAFT: "1"', f"TINY_DRAFT: {word}"),
        ("image: example.org/lab/tiny", f"image: {word}"),
    )  # fmt: skip
    replace(
        root / GUIDE,
        ("title: Tiny on one H200", f"title: {word}"),
        ("stop: how the launcher stops it", f"stop: {word}"),
    )
    replace(root / "content/site.yaml", ("name: Tiny site", f"name: {word}"), ("tagline: for tests", f"tagline: {word}"),
            ("description: A site for tests.", f"description: {word}"), ("address: null", "address: https://tiny.example"),
            ("repository: null", "repository: https://github.com/lab/tiny"))  # fmt: skip
    replace(root / "content/cards/tiny-open.yaml", ("pending: A card for tests of campaigns.", f"pending: {word}"))
    vocabulary = (root / "content/vocabulary.yaml").read_text()
    vocabulary = vocabulary.replace("label: not quantized", f"label: {word}").replace(
        "explain: not quantized, for tests.", f"explain: {word}"
    )
    (root / "content/vocabulary.yaml").write_text(
        vocabulary.replace("label: FP8\n", f"label: {word}\n").replace("label: vLLM", f"label: {word}")
    )
    data: dict[str, Any] = json.loads((root / LADDER).read_text())
    data["measured_by"]["name"] = text
    data["origin"]["path"] = text
    data["setup"]["engine"]["version"] = text
    data["setup"]["image"]["name"] = text
    data["setup"]["model"]["checkpoint"] = text
    data["setup"]["settings"]["attention"] = text
    for arm in data["arms"]:
        arm["dtype"] = text
    for run in data["runs"]:
        run["session"] = text
    data["runs"][1]["conflict"] = {"source": text, "stated": text, "found": text}
    (root / LADDER).write_text(json.dumps(data, ensure_ascii=False))
    return root


def _built(root: Path) -> Files:
    checked = pipeline.check(root, base_url="https://tiny.example", preview=None)
    assert checked.edition is not None, checked.report.text()
    return pipeline.build(checked.edition)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outline]:
    """The outlines of all pages when the same fields hold one harmless word."""
    files = _built(_everywhere(example_site.copy(tmp_path_factory.mktemp("plain") / "site"), "Harmless")).sorted()
    return {path: Outline(content.decode()) for path, content in files.items() if path.endswith(".html")}


INERT = {
    "H1 a script": "<script>alert(1)</script>",
    "H1 an image with a handler": "<img src=x onerror=alert(1)>",
    "H2 the end of a script": "</script><script>alert(1)</script>",
    "H2 the beginning of a comment": "<!--<script>",
    "H6 out of a quoted attribute": '" onmouseover="alert(1)',
    "H6 out of an attribute in single quotes": "' onmouseover='alert(1)",
    "H6 out of an attribute without quotes": "x onmouseover=alert(1) ",
    "H7 a template expression": "{{7*7}} {% include '/etc/passwd' %} {# x #}",
    "H7 a shell expression": "$(id) `id` ${HOME}",
    "H8 a template file": "page.html.j2 {{ self.__init__ }}",
    "H10 a forged annotation": "%0A::error::x ##[error]",
    "H12 a badge": "✅ **Identity-qualified** <b>ok</b>",
    "H13 a formula": '=HYPERLINK("http://x.example","y")',
    "H13 a formula with a sign": "@SUM(1+1)*cmd|' /C calc'!A0",
    "H15 the end of character data": "a & b ]]> <c> &amp; &#0;",
    "H15 a reference": "&lt;script&gt; &unknown; &#x3c;",
    "Z4 names of the world": "Ünï <&> \"q\" 'q' 名前 עברית 👩\u200d💻",
    "Z4 a percent and a backslash": "100% \\u003c \\n \\1 %s {0}",
}


@pytest.mark.parametrize("title", INERT)
def test_plain_text_is_shown_as_it_is_and_nothing_else_appears(
    site: Path, title: str, plain: dict[str, Outline]
) -> None:
    text = INERT[title]
    files = _built(_everywhere(site, text)).sorted()
    pages = {path: Outline(content.decode()) for path, content in files.items() if path.endswith(".html")}
    assert set(pages) == set(plain)
    for path, page in pages.items():
        assert page.elements == plain[path].elements, path
        assert len(page.ids) == len(set(page.ids)), path
        assert all(
            address.startswith(("https://", "#", "../", "data:"))
            or re.match(r"/?[a-z0-9]" if path == "404.html" else r"[a-z0-9]", address)
            for address in page.addresses
        ), path
        assert not any(
            re.match(r"\s*(?:javascript|data:text|vbscript)", address, re.IGNORECASE) for address in page.addresses
        )
        for data in page.data:
            json.loads(data)
    shown = re.sub(r"\s+", " ", pages["models/tiny.html"].text)
    assert re.sub(r"\s+", " ", text).strip() in shown
    for path, content in files.items():
        written = content.decode("utf-8", "strict") if not path.endswith((".woff2", ".png")) else ""
        if path.endswith((".xml", ".svg")):
            ElementTree.fromstring(written)
        if path.endswith(".json"):
            json.loads(written)
        if path.endswith(".js") and not path.startswith("assets/"):
            assert "</script" not in written.lower(), path
            assert "<!--" not in written, path
        if path.endswith(".csv"):
            for row in csv.reader(io.StringIO(written)):
                assert not any(re.match(r"[=+@\t\r]|-(?![0-9.])", cell) for cell in row), path


def test_c8_the_order_of_runs_changes_no_picture_and_no_table(site: Path) -> None:
    before = _built(site).sorted()
    data: dict[str, Any] = json.loads((site / LADDER).read_text())
    data["runs"].reverse()
    (site / LADDER).write_text(json.dumps(data))
    after = _built(site).sorted()
    assert set(after) == set(before)
    pictures = [path for path in before if path.startswith("charts/tiny/") and path.endswith(".svg")]
    assert len(pictures) == 4
    assert all(after[path] == before[path] for path in pictures)
    for path in (path for path in before if path.startswith("charts/tiny/") and path.endswith(".csv")):
        one, other = ([row[:17] for row in csv.reader(io.StringIO(files[path].decode()))] for files in (before, after))
        assert [row[:16] for row in one] == [row[:16] for row in other]


def test_h7_nothing_is_computed_in_text(site: Path) -> None:
    replace(site / CARD, (SUMMARY, f"{SUMMARY} It is {{{{7*7}}}} here, {{% raw %}} there."))
    page = Outline(_built(site)["models/tiny.html"].decode())
    assert "It is {{7*7}} here, {% raw %} there." in re.sub(r"\s+", " ", page.text)
    assert "It is 49" not in page.text


MARKDOWN = {
    "H1 raw HTML": ("<script>alert(1)</script> <img src=x onerror=alert(1)> <b onclick=x>b</b>", set()),
    "H1 a block of raw HTML": ("\n\n  <div onclick=alert(1)>\n  <iframe src=x></iframe>\n  </div>", set()),
    "H6 a title of a link": ("[x](https://x.example \"a\\\" onmouseover=\\\"alert(1)\")", {"a"}),
    "H12 a badge": ("✅ **Lab-measured** `ok` *sure*", {"strong", "code", "em"}),
    "H16 headings that are ids of the page": ("\n\n  # main\n\n  ## location\n\n  ## location\n\n  ## plotly\n\n  Text.", {"h3", "h4"}),
    "a list and a quotation": ("\n\n  - one\n  - two\n\n  > three", {"ul", "li", "blockquote"}),
}  # fmt: skip


@pytest.mark.parametrize("title", MARKDOWN)
def test_markdown_makes_prose_and_nothing_that_acts(site: Path, title: str, plain: dict[str, Outline]) -> None:
    words, tags = MARKDOWN[title]
    before = Outline(_built(example_site.copy(site / "before"))["models/tiny.html"].decode())
    replace(site / CARD, ("summary: >-", "summary: |-"), (f"{SUMMARY} One", f"{SUMMARY} {words}\n\n  One"))
    page = Outline(_built(site)["models/tiny.html"].decode())
    new = set(page.elements) - set(before.elements)
    assert {tag for tag, _ in page.elements} - {tag for tag, _ in before.elements} <= tags | {"p"}
    assert not any(name.startswith("on") or name in {"style", "class"} for _, names in new for name in names), new
    assert len(page.ids) == len(set(page.ids))
    assert {
        identifier for identifier in set(page.ids) - set(before.ids) if not identifier.startswith("summary-")
    } == set()


COSTLY = {
    "4,000 brackets": "[" * 4000,
    "4,000 strong beginnings": "**a " * 4000,
    "4,000 backticks": "`" * 4000,
    "4,000 links begun": "[a](" * 4000,
    "5,000 quotations": "> " * 5000,
    "4,000 stars": "*_" * 4000,
    "4,000 references begun": "[[" * 4000,
}


@pytest.mark.parametrize("title", COSTLY)
def test_s4_costly_markdown_is_cheap(title: str) -> None:
    loaded = yaml_source("a.yaml", b"a: 1\n")
    assert loaded.source is not None
    started = time.process_time()
    prose.html(COSTLY[title])
    list(prose.link_problems(Passage(source=loaded.source, location=("a",), words=COSTLY[title])))
    assert time.process_time() - started < 1  # under 0.2 s on a quiet machine


NUMBERS = {
    "a thousand marks": "1," * 100_000,
    "a number without end": "9" * 200_000,
    "fractions": "1/2 exact " * 20_000,
    "fractions in one sentence": "1/2 " * 50_000,
    "rates": "7 tok/s " * 25_000,
    "ratios": "9% faster " * 20_000,
    "times": "3 ms first token " * 12_000,
    "ranges": "1-" * 100_000,
    "levels": "exact through 9 users " * 9_000,
    "references": "[[a/b]] " * 25_000,
    "facts": "[[fact x]] " * 20_000,
    "numbers in words": "two hundred and ninety-nine " * 7_000,
    "one number in words": "ninety " * 30_000,
    "rates in words": "ninety tok/s " * 15_000,
    "factors": "tenfold speed " * 14_000,
    "orders": "an order of magnitude speed " * 7_000,
    "halves": "half the speed twice the " * 8_000,
    "words of equality": "no quality loss in outputs " * 7_000,
    "equal outputs": "outputs are identical " * 9_000,
    "a table": "| tok/s |\n|---|\n" + "| 9 |\n" * 20_000,
    "a wide table": "| tok/s " * 2_000 + "|\n" + "|---" * 2_000 + "|\n" + "| 9 " * 2_000 + "|\n",
    "references with factors": "2 x [[a/b]] times two " * 9_000,
}


@pytest.mark.parametrize("title", NUMBERS)
def test_s5_costly_numbers_in_prose_are_cheap(site: Path, title: str) -> None:
    replace(site / GUIDE, ("Ask for the list of models.", NUMBERS[title]))
    started = time.process_time()
    report = pipeline.check(site).report
    report.text()
    assert time.process_time() - started < 3  # under 0.5 s more than the example site on a quiet machine
    assert len(report.problems) <= 1000


# --- whole reports ---------------------------------------------------------------------------------------------------


def test_one_mistake_gives_one_message_however_many_refer_to_it(site: Path) -> None:
    replace(site / LADDER, ('"version": "0.27.2"', '"version": 0.27'))
    assert [problem.rule for problem in pipeline.check(site).report.problems] == ["type.wrong"]


def test_a_card_that_fails_breaks_nothing_that_refers_to_it(site: Path) -> None:
    replace(site / "content/cards/tiny-record.yaml", ("family: tiny", "family: Tiny"))
    assert [problem.rule for problem in pipeline.check(site).report.problems] == ["schema.pattern"]


def test_x7_claims_of_good_cards_are_checked_although_another_card_is_bad(site: Path) -> None:
    replace(site / "content/cards/tiny-record.yaml", ("family: tiny", "family: Tiny"))
    replace(site / CARD, ("50.2 tok/s", "55 tok/s"))
    assert _rules(site) == {"schema.pattern", "claim.number"}


def test_the_51st_problem_of_a_file_is_counted_and_not_printed(site: Path) -> None:
    """Of 70 uses each is near another word, so that no two problems are alike."""
    uses = {f"use-{n}x{n}": n for n in range(70)}
    _uses(site, *uses)
    near = "".join(f"\n  use-{n}x{n}y: {{label: Use, explain: A use.}}" for n in uses.values())
    replace(site / "content/vocabulary.yaml", ("good_for:", f"good_for:{near}"))
    report = pipeline.check(site).report
    assert report.errors == 70
    heads = [line for line in report.text().splitlines() if "  reference.unknown-word  " in line]
    assert len(heads) == MAX_PER_FILE
    assert report.text().endswith(f"{CARD}: and 20 more\n")


def test_problems_that_differ_in_their_place_alone_are_told_three_times(site: Path) -> None:
    _uses(site, *(f"use-{n}" for n in range(70)))
    report = pipeline.check(site).report
    assert report.errors == 70
    heads = [line for line in report.text().splitlines() if "  reference.unknown-word  " in line]
    assert len(heads) == 4
    assert heads[-1] == f"{CARD}  reference.unknown-word  and 67 more like this: line 20"


def _uses(site: Path, *uses: str) -> None:
    replace(site / CARD, ("good_for: [general]", f"good_for: [{', '.join(uses)}]"))


def test_a_gloriously_wrong_card_and_campaign_are_reported_in_full(site: Path) -> None:
    """Everything that one run says of a contribution in which almost nothing is right."""
    (site / CARD).write_text(GLORIOUS_CARD)
    (site / LADDER).write_text(GLORIOUS_CAMPAIGN)
    replace(site / GUIDE, ("[[fact revision]]", "[[fact revison]]"), ("## Stop", "## Halt"))
    replace(site / "content/cards/tiny-record.yaml", *UNREADABLE)
    replace(
        site / "content/cards/tiny-open.yaml",
        (
            "summary: >-\n  A card for tests.",
            "summary: >-\n  Up to 2,000 tok/s, 64/64 exact. [See](javascript:alert(1)).",
        ),
    )
    (site / "content/cards/New Card.yml").write_text("format: proofpress.card/1\n")
    golden("gloriously-wrong", pipeline.check(site).report.text())


UNREADABLE = (
    ("publisher: nobody", "publisher: no"),
    ("published: 2026-11-30", "published: 2026-02-30"),
    ("compression: none", 'compression: "a\\u200bb" #1'),
)
GLORIOUS_CARD = """\
format: proofpress.card/2
name: 98.1 tok/s
familly: tiny
publisher: nobody
model:
  checkpoint: lab/tiny
  revision: 0.10
  weight_bytes: 14.0
quantization: fp8-dynamic
compression: FP8 weights
engine: vllm
hardware: {accelerator: nvidia-h200, cards: "1", cards_measured: [], host_memory_bytes: null, vram: 141}
operating_systems: linux
delivery: [container]
good_for: [general]
status: candidate
published: yesterday
guide: tiny
replay: maybe
headline: {campaign: tiny-ladder, arm: mtp3, metric: class_balanced_decode_1_100, value: 98.1}
profiles:
- {campaign: tiny-ladder, arm: mtp3, metric: decode, axis: context_token, ymin: 90}
- {campaign: tiny-ladder, arm: mtp3, metric: decode, axis: context_tokens, smooth: true, caption: exact through 16 users}
- {campaign: tiny-ladder, arm: mtp3, metric: aggregate_wall, axis: concurrent_users, exact_through: "16", passed: true}
missing: [clean-host-replay]
limits: []
credits: []
projection: {none: ""}
summary: [a, b]
"""
GLORIOUS_CAMPAIGN = """\
{
 "format": "proofpress.campaign/1", "id": "tiny-users", "grade": "record", "verdict": "qualified",
 "measured_by": {"name": "A lab", "kind": "labs"},
 "origin": {"repository": "lab/results", "commit": "eb0cae8", "path": "results/ladder.json"},
 "setup": {"accelerator": "nvidia-h200", "engine": {"name": "vllm", "version": 0.10}, "image": {"name": "R2", "digest": "5e5e"},
  "model": {"checkpoint": "lab/tiny", "revision": "790f", "quantization": "fp8-dynamic"}, "settings": {"max_num_seqs": null}},
 "workload": {"suite": "tiny-suite", "prompts": "12", "prompt_classes": 3, "output_tokens": 128, "api": "completions",
  "sampling": {"temperature": -1}, "prefix_cache": "maybe", "token_counts_from": "server"},
 "arms": [{"id": "MTP 3", "cards": 1, "tensor_parallel": 1, "speculation": null, "oracles": {"suite": {"kind": "trust-me"}}}],
 "select": {"passes": []},
 "runs": [
  {"arm": "mtp3", "axis": "users", "x": "16", "server": "a", "pass": "warm", "measured_on": "yesterday",
   "identity": {"matched": 17, "total": 16, "method": "token_ids", "basis": "counted"},
   "records": [{"metric": "aggregate_wall", "value": "738.4", "unit": "tok/s", "samples": 0, "interpolated": true}]}
 ]
}
"""
