"""Digest: the registered ways to turn output token ids into one SHA-256. Comes in: ids. Goes out: small hexadecimal digits."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256

from proofpress.records.campaign import Digest


def u32le(ids: Sequence[int]) -> bytes:
    """Each id as four bytes, the lowest first, without a separator: `[1, 258]` is `01 00 00 00 02 01 00 00`."""
    return struct.pack(f"<{len(ids)}I", *ids)


def json_compact(ids: Sequence[int]) -> bytes:
    """A JSON list without spaces: `[1,258]`."""
    return f"[{','.join(map(str, ids))}]".encode("ascii")


def decimal_comma(ids: Sequence[int]) -> bytes:
    """Decimal numbers with commas between them: `1,258`."""
    return ",".join(map(str, ids)).encode("ascii")


ENCODINGS: Mapping[str, Callable[[Sequence[int]], bytes]] = {
    "u32le": u32le,
    "json-compact": json_compact,
    "decimal-comma": decimal_comma,
}


def digest_of(ids: Sequence[int], digest: Digest) -> str:
    """The digest of `ids` as the campaign declares it."""
    return sha256(ENCODINGS[digest.encoding](ids)).hexdigest()
