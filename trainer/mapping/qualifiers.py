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
OPPOSITES = tuple(
    (tuple(first.split()), tuple(second.split()))
    for first, second in (
        ("left", "right"),
        ("with present presence", "without absent absence"),
        ("positive", "negative"),
        ("increased elevated excessive high", "decreased reduced diminished low deficient"),
        ("increase elevation excess gain", "decrease reduction deficiency loss"),
        ("upper superior", "lower inferior"),
        ("anterior ventral", "posterior dorsal"),
        ("proximal", "distal"),
        ("medial", "lateral"),
        ("internal inner", "external outer"),
        ("unilateral", "bilateral"),
        ("acute", "chronic"),
        ("benign", "malignant"),
        ("primary", "secondary metastatic"),
        ("congenital", "acquired"),
        ("early", "late"),
        ("male", "female"),
        ("long elongated", "short shortened"),
        ("large enlarged", "small"),
        ("wide broad", "narrow"),
        ("thick thickened", "thin"),
        ("delayed", "accelerated advanced"),
        ("dominant", "recessive"),
    )
)
"""Words, in lower case, of which a concept has those of one side only."""
OPPOSITE_STARTS = (
    ("hyper", "hypo"), ("macro", "micro"), ("tachy", "brady"), ("poly", "oligo"),
    ("exo", "eso"), ("endo", "exo"),
)  # fmt: skip
"""Beginnings of words that exclude each other before the same rest."""
