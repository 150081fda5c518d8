"""How the 95 % interval of a figure was made, in words."""

from termexplorer.trainer.evaluation.figures import (
    BCA,
    CONCORDANT,
    DELONG,
    EXACT,
    FROM_BOTH,
    FROM_EXACT,
    ORDER,
    PERCENTILE,
    SCORE,
)

_WORDS = {
    PERCENTILE: "percentile bootstrap",
    BCA: "BCa bootstrap",
    CONCORDANT: (
        "of a correlation of 1 or −1, from the exact interval of items in the same order by both "
        "(Clopper and Pearson 1934; Greiner 1909)"
    ),
    EXACT: "exact, of a share (Clopper and Pearson 1934)",
    ORDER: "the same in every sample; exact, by the sign test (Thompson 1936)",
    DELONG: "DeLong, DeLong and Clarke-Pearson 1988",
    SCORE: "by the spread of an AUC at either end (Newcombe 2006, method 5)",
    FROM_EXACT: (
        "the same in every sample; what it would be at either end of the exact interval of raw "
        "agreement (Clopper and Pearson 1934)"
    ),
    FROM_BOTH: "from the intervals of both figures (Zou and Donner 2008)",
}


def describe_method(method: str) -> str:
    """Return what made an interval, one of ``trainer.evaluation.figures.INTERVAL_METHODS``."""
    return _WORDS[method]
