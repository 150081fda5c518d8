"""Words that make a concept narrower or another one, by what they are about."""

from __future__ import annotations

from termexplorer.trainer.mapping.name_forms import GENERIC, normalize_word


def _read_words(text: str) -> frozenset[str]:
    return frozenset(map(normalize_word, text.split()))


_NUMBERS = " ".join(
    [
        *map(str, range(100)),
        *"abcdefghjk",
        *(f"{n}{letter}" for n in range(30) for letter in "abcd"),
    ]
)
QUALIFIERS = {
    "numbers": _read_words(_NUMBERS),
    "sides": _read_words(
        "left right bilateral unilateral upper lower anterior posterior proximal distal medial "
        "lateral superior inferior dorsal ventral internal external middle"
    ),
    "presence": _read_words("no non not without absent absence negative with positive"),
    "unspecified": _read_words("unspecified nos"),
    "other": _read_words("other specified elsewhere classified general"),
    "generic": GENERIC,
    "course": _read_words(
        "acute subacute chronic recurrent primary secondary metastatic benign malignant congenital "
        "acquired stage grade severe mild moderate"
    ),
    "persons": _read_words(
        "adult childhood child juvenile infantile neonatal pediatric fetal newborn female male "
        "elderly late early onset"
    ),
}
"""Words, as `normalize_word` has them, by their kind."""
