"""Titles that the program gave to runs and encoders, in the language of the window.

They are kept in English, for commands and for any window. A title of the user's own comes of no
template, and is shown as it is.
"""

import re
from functools import cache

from termexplorer.texts import ENGLISH, language, mark, translated

BUILT_IN = mark("Built-in")  # of the encoder that comes with the program
_LISTED, _JOINED = ", ", " + "
# what a part of a title comes of; the longest first where several would fit
_TEMPLATES = (
    mark("{n} names a class"),
    mark("level {n}"),
    mark("with {n} texts"),
    mark("with {texts}"),
    mark("dimension {n}"),
    mark("epochs {n}"),
    mark("{n} lists"),
    mark("synonym sets below {concept}"),
    mark("synonym sets"),
    mark("{system} groups below {concept}"),
    mark("{system} groups"),
    mark("word mover's distance over {encoder}"),
    mark("word and bigram mean"),
    mark("Edit distance"),
    BUILT_IN,
    mark("{title} first token"),
    mark("{title} matrix"),
    mark("{title} mean"),
)
_NUMBERED = re.compile(r"(.+)( \(\d+\)| #\d+)")  # of several with one title, or of an encoder


def tell_title(title: str) -> str:
    """Return a title in the language in use, as far as the program gave it."""
    if language() == ENGLISH:
        return title
    return _LISTED.join(map(_tell_joined, title.split(_LISTED)))


def _tell_joined(text: str) -> str:
    return _JOINED.join(map(_tell_part, text.split(_JOINED)))


def _tell_part(part: str) -> str:
    numbered = _NUMBERED.fullmatch(part)
    if numbered is not None:
        return _tell_part(numbered[1]) + numbered[2]
    for template, pattern in _title_patterns():
        match = pattern.fullmatch(part)
        if match is not None:
            return translated(template).format(**match.groupdict())
    return part


@cache
def _title_patterns() -> list[tuple[str, re.Pattern[str]]]:
    """Return each template with what matches the texts that come of it."""
    slot = re.compile(r"\\\{(\w+)\\\}")
    return [
        (template, re.compile(slot.sub(_group_of, re.escape(template)))) for template in _TEMPLATES
    ]


def _group_of(match: re.Match[str]) -> str:
    return rf"(?P<{match[1]}>[\d,]+)" if match[1] == "n" else rf"(?P<{match[1]}>\S.*)"
