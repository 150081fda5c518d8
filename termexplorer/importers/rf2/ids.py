"""Identifiers of SNOMED CT: the ones that RF2 is built on, and their check digit (Verhoeff's)."""

import re

_DATE = re.compile(r"(?:19|20)\d\d[01]\d[0-3]\d")
_CONCEPT = re.compile(r"[1-9][0-9]{2,14}[01]0[0-9]")  # its partition stands before the check digit
IS_A = 116680003
FULLY_SPECIFIED, SYNONYM, DEFINITION = 900000000000003001, 900000000000013009, 900000000000550004
PREFERRED, ACCEPTABLE = 900000000000548007, 900000000000549004
CORE_MODULE = 900000000000207008
STATED = 900000000000010007
DIALECTS = {"en-US": 900000000000509007, "en-GB": 900000000000508004}

# Historical association -> the name that a concept's associations of that kind are kept under.
REPLACEMENTS = {
    900000000000526001: "replaced_by",
    900000000000527005: "same_as",
    900000000000523009: "consider",  # POSSIBLY EQUIVALENT TO
}
ASSOCIATIONS = {
    900000000000524003: "MOVED TO",
    900000000000525002: "MOVED FROM",
    900000000000528000: "WAS A",
    900000000000529008: "SIMILAR TO",
    900000000000530003: "ALTERNATIVE",
    900000000000531004: "REFERS TO",
    1186921001: "POSSIBLY REPLACED BY",
    1186924009: "PARTIALLY EQUIVALENT TO",
}

# Products of the dihedral group of order 10, and the powers of the permutation (1 5 8 9 4 2 7 0).
_PRODUCTS = tuple(
    tuple((a + b) % 5 + 5 * (b // 5) if a < 5 else (a - b) % 5 + 5 * (b < 5) for b in range(10))
    for a in range(10)
)
_FIRST = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)
_INVERSES = (0, 4, 3, 2, 1, 5, 6, 7, 8, 9)


def _permutation_powers() -> tuple[tuple[int, ...], ...]:
    powers = [tuple(range(10))]
    while len(powers) < 8:
        powers.append(tuple(_FIRST[digit] for digit in powers[-1]))
    return tuple(powers)


_POWERS = _permutation_powers()


def check_digit(digits: str) -> str:
    """The digit that is to follow, after Verhoeff 1969."""
    total = 0
    for position, digit in enumerate(reversed(digits), start=1):
        total = _PRODUCTS[total][_POWERS[position % 8][int(digit)]]
    return str(_INVERSES[total])


def is_whole(text: str) -> bool:
    """Return whether a text is the id of a concept, or a date: no end was cut off."""
    if _DATE.fullmatch(text):
        return True
    return _CONCEPT.fullmatch(text) is not None and check_digit(text[:-1]) == text[-1]
