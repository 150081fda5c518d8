"""Ways to damage the bytes of a file."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

_MOST_DAMAGES = 3
_LONGEST = 18  # powers of two of what is put in: 256 KB
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_QUOTES = (b'"', b"'", b"`", b'""', b'"""', b"\\", "„".encode(), "“".encode(), b"")
_NUMBERS = (
    b"9" * 5000, b"1e99999999999999999999", b"-1", b"0", b"9223372036854775808", b"1e400", b"NaN",
    b"Infinity", b"-0.0", b"1_0", "٣".encode(), b"18446744073709551616", b"1e-400", b"",
)  # fmt: skip
_NESTED = (
    b"[", b"{", b'{"a":', b"(", b"<a>", b"[[", b"<<", b"((", b"\\(", b'"', b"{\\", b"&a;", b"_:a [",
)  # fmt: skip
_CODINGS = ("utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252", "utf-7", "cp037", "shift_jis")
_ODD = (
    b"\x00", b"\xff", b"\xfe\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xc0\xaf",
    b"\xf5\x80\x80\x80", b"\xe2\x80\xa8", b"\xe2\x80\xae", b"\x1a", b"\x0b", b"\x0c", b"\x85",
    b"\x1b[2J", b"\xf0\x9f\x98",
)  # fmt: skip
_LINES = (b"\r", b"\r\n", b"\n\n", b"\n\r", b"\x0b", b"\xe2\x80\xa8", b"")
_DOCTYPES = (
    b'<!DOCTYPE a SYSTEM "/etc/hostname">', b"<!DOCTYPE a [<!ENTITY a 'b'>]>", b"<!-- ",
    b"<![CDATA[", b"<!DOCTYPE a [<!ENTITY % b SYSTEM 'http://localhost/'> %b;]>", b"&a;",
    b"&#0;", b"&#xFFFFFFFFF;", b"]]>", b"<?xml version='1.1' encoding='x'?>",
)  # fmt: skip


def damage_bytes(data: bytes, draw: Random) -> bytes:
    """Return a copy with one to three damages."""
    for _ in range(draw.randint(1, _MOST_DAMAGES)):
        data = draw.choice(_DAMAGES)(data, draw)
    return data


def _draw_part(data: bytes, draw: Random) -> tuple[int, int]:
    """Return where a part begins and ends; most parts are short."""
    start = draw.randint(0, len(data))
    longest = len(data) - start
    return start, start + min(longest, draw.choice((1, 4, 30, 200, longest)))


def _flip_bits(data: bytes, draw: Random) -> bytes:
    changed = bytearray(data)
    for _ in range(draw.choice((1, 1, 2, 8, 64)) if changed else 0):
        changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def _cut_off(data: bytes, draw: Random) -> bytes:
    start, end = _draw_part(data, draw)
    return draw.choice((data[:start], data[end:], data[:start] + data[end:], b""))


def _double_part(data: bytes, draw: Random) -> bytes:
    start, end = _draw_part(data, draw)
    times = min(draw.choice((2, 2, 3, 100, 10_000)), (1 << _LONGEST) // max(end - start, 1) + 2)
    return data[:start] + data[start:end] * times + data[end:]


def _swap_parts(data: bytes, draw: Random) -> bytes:
    (start, end), (first, last) = sorted((_draw_part(data, draw), _draw_part(data, draw)))
    if end > first:
        return data[last:] + data[first:last] + data[:first]
    return data[:start] + data[first:last] + data[end:first] + data[start:end] + data[last:]


def _swap_lines(data: bytes, draw: Random) -> bytes:
    lines = data.split(b"\n")
    first, second = draw.randrange(len(lines)), draw.randrange(len(lines))
    lines[first], lines[second] = lines[second], lines[first]
    return b"\n".join(lines)


def _change_number(data: bytes, draw: Random) -> bytes:
    numbers = list(_NUMBER.finditer(data, 0, 1 << _LONGEST))
    if not numbers:
        return data
    number = draw.choice(numbers)
    return data[: number.start()] + draw.choice(_NUMBERS) + data[number.end() :]


def _nest_deeply(data: bytes, draw: Random) -> bytes:
    return _put_in(data, draw, draw.choice(_NESTED) * (1 << draw.randint(3, 14)))


def _encode_otherwise(data: bytes, draw: Random) -> bytes:
    text = data.decode("utf-8", "replace")
    return text.encode(draw.choice(_CODINGS), "replace")


def _put_odd_bytes_in(data: bytes, draw: Random) -> bytes:
    return _put_in(data, draw, draw.choice(_ODD) * draw.choice((1, 1, 1, 100)))


def _put_markup_in(data: bytes, draw: Random) -> bytes:
    return _put_in(data, draw, draw.choice(_DOCTYPES))


def _change_quotes(data: bytes, draw: Random) -> bytes:
    quotes = [index for index, sign in enumerate(data) if sign in b"\"'"]
    if not quotes:
        return _put_in(data, draw, draw.choice(_QUOTES))
    position = draw.choice(quotes)
    return data[:position] + draw.choice(_QUOTES) + data[position + 1 :]


def _lengthen_line(data: bytes, draw: Random) -> bytes:
    sign = draw.choice((b"a", b" ", b"\t", b",", b"-", b"\\", b"<", b"|", b"\xc3\xa9"))
    return _put_in(data, draw, sign * (1 << draw.randint(6, _LONGEST)))


def _change_line_ends(data: bytes, draw: Random) -> bytes:
    return data.replace(b"\n", draw.choice(_LINES), draw.choice((1, 3, -1)))


def _change_separators(data: bytes, draw: Random) -> bytes:
    signs = (b"\t", b",", b";", b"|", b":", b" ", b"=", b"<", b"{", b"[")
    return data.replace(draw.choice(signs), draw.choice(signs), draw.choice((1, 3, -1)))


def _put_in(data: bytes, draw: Random, more: bytes) -> bytes:
    position = draw.randint(0, len(data))
    return data[:position] + more + data[position:]


_DAMAGES: tuple[Callable[[bytes, Random], bytes], ...] = (
    _flip_bits, _cut_off, _double_part, _swap_parts, _swap_lines, _change_number, _nest_deeply,
    _encode_otherwise, _put_odd_bytes_in, _put_markup_in, _change_quotes, _lengthen_line,
    _change_line_ends, _change_separators,
)  # fmt: skip
