"""Names of files for people, one each, on whatever file system they lie."""

import re
import unicodedata
from collections.abc import Iterable

_FORBIDDEN = re.compile(r'[\\/:*?"<>|\x00-\x1f]+')
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)  # on Windows
_LONGEST = 120  # bytes of a name, which leaves room for an ending
_NAMELESS = "annotator"


def name_files(people: Iterable[str]) -> dict[str, str]:
    """Return a file name for each of some people, without an ending.

    No two are the same where a file system folds capital letters, accents or composed characters.

    Example:
        >>> name_files(["Anna", "ANNA", "a/b", "a:b"])
        {'Anna': 'Anna', 'ANNA': 'ANNA (2)', 'a/b': 'a-b', 'a:b': 'a-b (2)'}
    """
    names: dict[str, str] = {}
    taken: set[str] = set()
    for person in people:
        stem = name = _file_stem(person)
        number = 1
        while _fold_name(name) in taken:
            number += 1
            name = f"{stem} ({number})"
        taken.add(_fold_name(name))
        names[person] = name
    return names


def _file_stem(person: str) -> str:
    text = _FORBIDDEN.sub("-", unicodedata.normalize("NFC", person)).strip(". ")
    text = text.encode()[:_LONGEST].decode("utf-8", "ignore").strip(". ") or _NAMELESS
    return f"{text}-" if _RESERVED.fullmatch(text) else text


def _fold_name(name: str) -> str:
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
