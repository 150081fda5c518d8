"""How texts and codes are compared in a search: scripts, ligatures, apostrophes and dots aside."""

import re
import unicodedata
from collections.abc import Iterator, Sequence

_LETTERS = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ı": "i", "þ": "th",
    "ð": "d", "ŧ": "t", "ŋ": "ng", "ĸ": "k", "ſ": "s", "µ": "mu",
}  # fmt: skip
_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta",
    "η": "eta", "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu",
    "ξ": "xi", "ο": "omicron", "π": "pi", "ρ": "rho", "σ": "sigma", "ς": "sigma", "τ": "tau",
    "υ": "upsilon", "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega",
}  # fmt: skip
_APOSTROPHES = frozenset("'’‘ʼ′`´＇")
_SHARP_S = frozenset("ßẞ")  # no word begins with it: there it was typed for a beta
_NO_CODE = re.compile(r"[\W_]+")
_BARE_DIGITS = 5  # of a number without a prefix, from which on it is taken for a code


def fold_text(text: str) -> str:
    """Return a text as searches compare it: `Crohn’s β₂ Straße` is `crohns beta2 strasse`.

    Lower case; diacritics, ligatures, raised and lowered figures, and letters of other scripts
    that stand for a word (β, and a ß that begins a word) are written plainly; apostrophes and
    invisible characters are dropped.
    """
    if not changes_words(text):
        return text.lower()
    return "".join(piece for piece, _ in _fold_pieces(text))


def fold_with_offsets(text: str) -> tuple[str, Sequence[int]]:
    """Return a folded text, and for each of its characters the offset that it comes from."""
    if not changes_words(text):
        return text.lower(), range(len(text))
    pieces = list(_fold_pieces(text))
    offsets = [offset for piece, offset in pieces for _ in piece]
    return "".join(piece for piece, _ in pieces), offsets


def changes_words(text: str) -> bool:
    """Whether folding changes more of a text than its upper case.

    It does of all but printable ASCII without apostrophes, so that an index of plain words has
    other words of it.
    """
    return not (text.isascii() and text.isprintable() and "'" not in text and "`" not in text)


def code_key(code: str) -> str:
    """Return what a code is looked up by, its prefix and its punctuation aside; "" for none.

    `ICD10CM:E11.9` and `E119` have the same. A number without a prefix needs five figures.
    """
    if "://" in code:
        return code.casefold()
    prefix, colon, local = code.partition(":")
    key = local if colon else prefix
    if not key.isalnum():
        key = _NO_CODE.sub("", key)
    key = key.casefold()
    if key.isdigit():
        return key if colon or len(key) >= _BARE_DIGITS else ""
    return key if any(map(str.isdigit, key)) else ""


def same_prefix(code: str, other: str) -> bool:
    """Whether two codes can be of one system: `UMLS:…` and `UMLS_CUI:…`, or one has no prefix."""
    first, second = (_prefix_of_code(prefix_code) for prefix_code in (code, other))
    return not first or not second or first.startswith(second) or second.startswith(first)


def _prefix_of_code(code: str) -> str:
    prefix, colon, _ = code.partition(":")
    return _NO_CODE.sub("", prefix).casefold() if colon else ""


def _fold_pieces(text: str) -> Iterator[tuple[str, int]]:
    """Yield what each character is folded to, with its offset."""
    lowered = [
        "β" if _is_beta(text, n) else character.casefold() for n, character in enumerate(text)
    ]
    for offset, letter in enumerate(lowered):
        if letter.isascii() and letter not in _APOSTROPHES:
            yield letter, offset
        elif letter not in _APOSTROPHES:
            yield _fold_letter(lowered, offset), offset


def _is_beta(text: str, offset: int) -> bool:
    """Whether a sharp s stands where only a beta can: `ß-thalassemia`, `TNF-ß`."""
    return text[offset] in _SHARP_S and not text[offset - 1 : offset].isalpha()


def _fold_letter(lowered: list[str], offset: int) -> str:
    letter = lowered[offset]
    if letter in _GREEK:
        return _fold_greek(lowered, offset)
    plain = "".join(
        _LETTERS.get(character, character)
        for character in unicodedata.normalize("NFKD", letter)
        if unicodedata.category(character) not in ("Mn", "Cf")
    )
    return plain.casefold()


def _fold_greek(lowered: list[str], offset: int) -> str:
    """Return the name of a letter that stands alone; of a Greek word the letter itself."""
    before = lowered[offset - 1] if offset else " "
    after = lowered[offset + 1] if offset + 1 < len(lowered) else " "
    if before in _GREEK or after in _GREEK:
        return lowered[offset]
    name = _GREEK[lowered[offset]]
    return f"{' ' if before.isalpha() else ''}{name}{' ' if after.isalpha() else ''}"
