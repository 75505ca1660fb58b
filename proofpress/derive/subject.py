"""Subject: what of a card a piece of prose speaks of: which arms, how many users, which length of context.

Comes in: words and a derived card. Goes out: arms and places; none where none is named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from proofpress.derive.derivation import Derived
from proofpress.derive.finding import Evidence
from proofpress.derive.reference import REFERENCE, target
from proofpress.language.numeral import DIGITS, SPELLED, figure
from proofpress.language.sentence import FIRST_SIGN, SIGN, around, clause, piece
from proofpress.records.campaign import Arm

ArmKey: TypeAlias = tuple[str, str]
"""A campaign and one of its arms."""

_DTYPES = {
    "fp32": r"fp-?32|float32|32-bit(?: float\w*)?",
    "bf16": r"bf-?16|bfloat16",
    "fp16": r"fp16|float16|16-bit float\w*|half precision",
}
_OF_SOMETHING_ELSE = r"(?!\s(?:kv|cache|weights?|checkpoints?|activations?|embeddings?|gradients?)\b)"
_NUMBER = rf"(?:\d{{1,6}}|{SPELLED})"
_DEPTH = re.compile(
    rf"\bdepths? (?P<depth>\d{{1,3}})\b|(?<![\w.,-])(?P<drafts>{_NUMBER}) (?:drafts|draft(?:ed)? tokens?|speculative tokens?)\b",
    re.IGNORECASE,
)
_IN_CODE = re.compile(r"`([a-z0-9][a-z0-9.-]{0,79})`")
_UNLIKE_A_WORD = re.compile(r"[\d.-]")
_UNDRAFTED = re.compile(
    r"\bwithout (?:any |a )?(?:drafts?|drafting|draft model|draft head|speculation|speculative decoding|n-grams?)\b|\bundrafted\b"
    r"|\bno (?:drafts|speculation)\b|\bplain decoding\b|\b(?:drafting|drafts|speculation) (?:is |are |turned |switched )?off\b",
    re.IGNORECASE,
)
_LISTED = re.compile(r"(\S+(?:\s\S+)?),?\s(?:and|or)\s$")
_DRAFTED = re.compile(r"\bwith (?:the )?(?:drafts|drafting|speculation|speculative decoding)\b", re.IGNORECASE)
_CONTRAST = re.compile(
    r"\b(?:unlike|in contrast to|as opposed to|other than|rather than|compared (?:with|to)|relative to)\s(?P<other>[^,;.]{1,60}?)(?:,|$)",
    re.IGNORECASE,
)
"""What is named only to be set against what the sentence speaks of."""
_OTHER_SPEED = re.compile(
    r"\b(?:without|baseline|oracle|alone|plain|no draft\w*|instead|compared|than|twice|half|doubl\w+|tripl\w+|halv\w+|times|factor"
    r"|faster|slower|more|less|(?:up|down) (?:from|by)|unlike|rather|gain\w*|loss|loses?)\b",
    re.IGNORECASE,
)
"""With such a word in its clause, a number may be that of the other side of a comparison."""
_USERS = re.compile(
    rf"(?<![\w.,-])(?:c(?P<short>\d{{1,6}})\b|(?P<users>{_NUMBER}|a single|single)[ -](?:concurrent )?(?:users?|streams?|requests?|sessions?|people"
    r"|(?:prompts|answers) (?:at once|together))\b"
    r"|batch(?:es)?(?: size)?(?: of)?[ -](?P<batch>\d{1,6})\b)",
    re.IGNORECASE,
)
_CONTEXT = re.compile(
    rf"(?<![\w.,-])(?P<tokens>{DIGITS})\s?(?P<kilo>k)?(?:\stokens)?\s(?:of\s|long\s)?(?:context|prompts?)\b"
    r"|\bat\s(?P<at>\d{1,4})\s?k\b"
    rf"|\bcontext\sof\s(?P<of>{DIGITS})\s?(?P<thousand>k)?\b",
    re.IGNORECASE,
)
_AGAINST = re.compile(r"\b(?:against|versus|vs|than|compared)\b", re.IGNORECASE)
_SHARE = re.compile(
    r"\b(?:(?:per|each|every|a) user\b|(?:each|every one) of |each$|each[.,;)]|apiece\b)", re.IGNORECASE
)
_TOTAL = re.compile(r"\b(?:together|in total|aggregate|altogether|combined)\b", re.IGNORECASE)
_BEHIND = re.compile(r"\s(?:than|over|against|versus|vs\.?|compared (?:with|to)|as)\s", re.IGNORECASE)
_BEHIND_PACE = re.compile(_BEHIND.pattern + r"|\sof\s", re.IGNORECASE)
_PACE_LAST = re.compile(r"(?:throughput|speed|rate|performance)$", re.IGNORECASE)


def evidence_of(derived: Derived) -> tuple[Evidence, ...]:
    """The campaigns that a card rests on, each once."""
    found = [derived.headline.evidence] if derived.headline else []
    found += [profile.evidence for profile in derived.profiles]
    return tuple({evidence.campaign.id: evidence for evidence in found}.values())


def _arms(derived: Derived) -> tuple[tuple[str, Arm], ...]:
    """Every arm of the campaigns that a card rests on, whether it shows it or not."""
    return tuple((evidence.campaign.id, arm) for evidence in evidence_of(derived) for arm in evidence.campaign.arms)


def signed(words: str, derived: Derived, write: Callable[[str, str], str]) -> str:
    """`words` with every reference, and every arm in code marks, replaced by what `write` makes of the text and the sign of its arm.

    A sign is one character that no text has and that `named` understands, so that an arm whose id is a word is not met by chance.
    """
    arms = [(campaign, arm.id) for campaign, arm in _arms(derived)]

    def of_reference(match: re.Match[str]) -> str:
        key = target(match[1])
        return write(match[0], chr(FIRST_SIGN + arms.index(key)) if key in arms else "")

    def of_code(match: re.Match[str]) -> str:
        signs = "".join(chr(FIRST_SIGN + index) for index, (_, arm) in enumerate(arms) if arm == match[1])
        return signs.ljust(len(match[0])) if signs and len(signs) <= len(match[0]) else match[0]

    return _IN_CODE.sub(of_code, REFERENCE.sub(of_reference, words))


def named(part: str, derived: Derived) -> frozenset[ArmKey]:
    """The arms that a part of a sentence names by id, and by number format and draft depth where those are not an arm's that it names by id."""
    arms = _arms(derived)
    signs = {ord(sign) - FIRST_SIGN for sign in SIGN.findall(part)}
    by_id = {
        (campaign, arm.id): arm
        for index, (campaign, arm) in enumerate(arms)
        if index in signs or (_is_a_name(arm.id) and _stands(re.escape(arm.id), part))
    }
    dtypes = {
        arm.dtype
        for _, arm in arms
        if arm.dtype and _stands(_DTYPES.get(arm.dtype, re.escape(arm.dtype)), part, _OF_SOMETHING_ELSE)
    } - {arm.dtype for arm in by_id.values()}
    depths = set(_depths(part)) - {arm.depth for arm in by_id.values()}
    if not depths and not by_id and _DRAFTED.search(part):
        depths = {arm.depth for _, arm in arms if arm.depth}
    meant = {(campaign, arm.id) for campaign, arm in arms if (dtypes or depths) and _is_meant(arm, dtypes, depths)}
    return frozenset(meant | set(by_id))


def _is_a_name(arm_id: str) -> bool:
    """Whether an id names its arm wherever it stands. A plain word does not, and a number format names every arm that has it."""
    format_of_all = any(re.fullmatch(pattern, arm_id, re.IGNORECASE) for pattern in _DTYPES.values())
    return _UNLIKE_A_WORD.search(arm_id) is not None and not format_of_all


def _depths(part: str) -> Iterator[int]:
    for match in _DEPTH.finditer(part):
        number = match["depth"] or figure(match["drafts"])
        if number.isdigit():
            yield int(number)


def _is_meant(arm: Arm, dtypes: set[str], depths: set[int]) -> bool:
    return (not dtypes or arm.dtype in dtypes) and (not depths or arm.depth in depths)


def _stands(pattern: str, part: str, behind: str = "") -> bool:
    return re.search(rf"(?<![\w.-])(?:{pattern})(?![\w-]){behind}", part, re.IGNORECASE) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """What stands at a number: the arms, numbers of users and lengths of context that it is said of; empty where it is open."""

    arms: frozenset[ArmKey] = frozenset()
    users: frozenset[int] = frozenset()
    context: frozenset[int] = frozenset()
    is_share: bool = False
    """Whether it is what each of several users gets."""
    is_total: bool = False
    """Whether it is what all of them get together."""


def at_number(words: str, start: int, end: int, derived: Derived, *, is_alone: bool) -> Spoken:
    """What the number from `start` to `end` is said of.

    That stands in the piece of its clause around it. A number that is alone in its clause is said of the clause's arms.
    """
    near, whole = words[slice(*piece(words, start, end))], words[slice(*clause(words, start))]
    if is_alone and not _AGAINST.search(whole):
        arms = _arms_at_number(whole, derived) or _arms_at_number(near, derived) or frozenset()
    elif _OTHER_SPEED.search(_UNDRAFTED.sub("", whole)):
        arms = named(whole, derived) if _arms_at_number(near, derived) else frozenset()
    else:
        arms = _arms_at_number(near, derived) or frozenset()
    return Spoken(
        arms=arms,
        users=frozenset(_users(near)),
        context=frozenset(_contexts(near)),
        is_share=_SHARE.search(near) is not None,
        is_total=_SHARE.search(near) is None and _TOTAL.search(whole) is not None,
    )


def _arms_at_number(part: str, derived: Derived) -> frozenset[ArmKey] | None:
    """The arms that a part of a sentence names or calls undrafted; None where a number in it may be another's."""
    rest = _UNDRAFTED.sub("", _CONTRAST.sub("", part))
    if _OTHER_SPEED.search(rest):
        return None
    arms = named(rest, derived)
    if _UNDRAFTED.search(part):
        plain = frozenset((campaign, arm.id) for campaign, arm in _arms(derived) if arm.depth == 0)
        arms = arms & plain or plain if plain else arms
    return arms


def users_at(words: str, start: int, end: int) -> frozenset[int]:
    """The numbers of users that stand beside the words from `start` to `end`, or else in their clause."""
    parts = (piece(words, start, end), clause(words, start))
    return next(filter(None, (frozenset(_users(words[slice(*part)])) for part in parts)), frozenset())


def _users(near: str) -> Iterator[int]:
    for match in _USERS.finditer(near):
        number = (
            match["short"]
            or match["batch"]
            or ("1" if match["users"].lower().endswith("single") else figure(match["users"]))
        )
        if number.isdigit():
            yield int(number)


def _contexts(near: str) -> Iterator[int]:
    for match in _CONTEXT.finditer(near):
        number = (match["tokens"] or match["of"] or match["at"]).replace(",", "")
        if number.isdigit():
            kilo = match["kilo"] or match["thousand"] or match["at"]
            yield from (int(number) * factor for factor in ((1000, 1024) if kilo else (1,)))


def spoken_of(words: str, start: int, end: int, derived: Derived) -> frozenset[ArmKey]:
    """The arms that a statement from `start` to `end` is about: those beside it, or of its clause, or else of its sentence.

    Arms that are only set against these ('unlike bf16') are not. A list of arms stays together.
    """
    whole, near = clause(words, start), piece(words, start, end)
    arms = named(_CONTRAST.sub("", words[slice(*near)]), derived)
    listed = _LISTED.search(words, whole[0], near[0])
    if arms and listed is not None:
        arms |= named(listed[1], derived)
    parts = (words[slice(*whole)], around(words, start)[1])
    return arms or next(filter(None, (named(_CONTRAST.sub("", part), derived) for part in parts)), frozenset())


def sides(
    words: str, start: int, end: int, derived: Derived, *, is_verb: bool = False
) -> tuple[frozenset[ArmKey], frozenset[ArmKey]]:
    """The arms on either side of a comparison that is said from `start` to `end`: 'A is 20% faster than B', or, of a verb, 'A beats B'.

    What stands before it, and what it is compared with; empty where a side is open.
    """
    first, last = clause(words, start)
    before = words[first:start]
    against = _CONTRAST.search(before)
    than = (_BEHIND_PACE if _PACE_LAST.search(words, start, end) else _BEHIND).search(words, end, last)
    other = named(against["other"], derived) if against else frozenset[ArmKey]()
    if than is not None or is_verb:
        other |= named(words[than.end() if than else end : last], derived)
    one = _with_plain(_CONTRAST.sub("", before), derived)
    return one - other, other - one


def _with_plain(part: str, derived: Derived) -> frozenset[ArmKey]:
    """The arms that a part names, and those without speculation where it calls them so."""
    rest = _UNDRAFTED.sub("", part)
    arms = named(rest, derived)
    plain = {(campaign, arm.id) for campaign, arm in _arms(derived) if arm.depth == 0} if rest != part else set()
    return arms | plain
