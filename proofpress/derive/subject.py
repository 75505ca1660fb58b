"""Subject: which arms of a card a piece of prose speaks of. Comes in: a clause and a derived card. Goes out: arms; none where none is named."""

from __future__ import annotations

import re
from typing import TypeAlias

from proofpress.derive.derivation import Derived
from proofpress.derive.finding import Evidence
from proofpress.records.campaign import Arm

ArmKey: TypeAlias = tuple[str, str]
"""A campaign and one of its arms."""

_DTYPES = {
    "fp32": r"fp32|float32|32-bit float\w*",
    "bf16": r"bf16|bfloat16",
    "fp16": r"fp16|float16|16-bit float\w*|half precision",
}
_DEPTH = re.compile(r"\bdepths? (\d{1,3})\b", re.IGNORECASE)


def evidence_of(derived: Derived) -> tuple[Evidence, ...]:
    """The campaigns that a card rests on, each once."""
    found = [derived.headline.evidence] if derived.headline else []
    found += [profile.evidence for profile in derived.profiles]
    return tuple({evidence.campaign.id: evidence for evidence in found}.values())


def named(clause: str, derived: Derived) -> frozenset[ArmKey]:
    """The arms that a clause names by id, and by number format and draft depth where those are not an arm's that it names by id."""
    arms = [(evidence.campaign.id, arm) for evidence in evidence_of(derived) for arm in evidence.campaign.arms]
    by_id = {(campaign, arm.id): arm for campaign, arm in arms if _stands(re.escape(arm.id), clause)}
    dtypes = {
        arm.dtype for _, arm in arms if arm.dtype and _stands(_DTYPES.get(arm.dtype, re.escape(arm.dtype)), clause)
    } - {arm.dtype for arm in by_id.values()}
    depths = {int(match[1]) for match in _DEPTH.finditer(clause)} - {arm.depth for arm in by_id.values()}
    meant = {(campaign, arm.id) for campaign, arm in arms if (dtypes or depths) and _is_meant(arm, dtypes, depths)}
    return frozenset(meant | set(by_id))


def _is_meant(arm: Arm, dtypes: set[str], depths: set[int]) -> bool:
    return (not dtypes or arm.dtype in dtypes) and (not depths or arm.depth in depths)


def _stands(pattern: str, clause: str) -> bool:
    return re.search(rf"(?<![\w.-])(?:{pattern})(?![\w-])", clause, re.IGNORECASE) is not None
