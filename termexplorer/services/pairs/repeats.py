"""Pairs of a set that nobody is asked about: terms with themselves, repeats, two labels."""

from collections.abc import Collection, Sequence

ALONE, REPEATED = "identical", "repeated"
TWO_LABELS, OTHER_SET = "contradicting", "elsewhere"


def fold_pair(left: str, right: str) -> frozenset[str]:
    """Return what pairs have in common that differ only by case or order."""
    return frozenset((left.casefold(), right.casefold()))


def find_repeats(
    left: Sequence[str],
    right: Sequence[str],
    scores: Sequence[float | None],
    taken: Collection[frozenset[str]] = (),
    *,
    exact: bool = False,
) -> list[str]:
    """Return why each pair is left out; "" of those that can be asked about.

    Of a pair that stands in several rows the first row stays, but none where its labels differ: it
    is not known which one is right.

    Args:
        left: the p first terms.
        right: the p second ones.
        scores: p labels or ratings; None where there is none.
        taken: pairs of other sets, as `fold_pair` has them.
        exact: whether terms differ that differ by case.
    """
    rows = zip(left, right, strict=True)
    pairs = [frozenset(terms) if exact else fold_pair(*terms) for terms in rows]
    labels: dict[frozenset[str], float] = {}
    differing = set()
    for pair, score in zip(pairs, scores, strict=True):
        if score is not None and labels.setdefault(pair, score) != score:
            differing.add(pair)
    reasons, seen = [], set()
    for pair in pairs:
        if len(pair) == 1:
            reasons.append(ALONE)
        elif pair in differing:
            reasons.append(TWO_LABELS)
        elif pair in seen:
            reasons.append(REPEATED)
        else:
            reasons.append(OTHER_SET if pair in taken else "")
        seen.add(pair)
    return reasons
