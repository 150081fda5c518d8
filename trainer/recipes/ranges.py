"""The ranges that numbers among hyper-parameters lie in, each named by what people are told."""

from collections.abc import Callable, Mapping
from math import inf

NOT_NEGATIVE = "from 0 to 1,000,000,000"
AT_LEAST_ONE = "from 1 to 1,000,000,000"
POSITIVE = "above 0"
SHARE = "from 0 to below 1"
SHARE_OR_ALL = "above 0 and up to 1"

_LARGEST = 1_000_000_000  # more than any machine has room for

RANGES: Mapping[str, Callable[[float], bool]] = {
    NOT_NEGATIVE: lambda value: 0 <= value <= _LARGEST,
    AT_LEAST_ONE: lambda value: 1 <= value <= _LARGEST,
    POSITIVE: lambda value: 0 < value < inf,
    SHARE: lambda value: 0 <= value < 1,
    SHARE_OR_ALL: lambda value: 0 < value <= 1,
}
