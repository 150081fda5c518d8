"""The ranges that numbers among hyper-parameters lie in, each named by what people are told."""

from collections.abc import Callable, Mapping
from math import inf

NOT_NEGATIVE = "0 or more"
AT_LEAST_ONE = "1 or more"
POSITIVE = "above 0"
SHARE = "from 0 to below 1"

RANGES: Mapping[str, Callable[[float], bool]] = {
    NOT_NEGATIVE: lambda value: 0 <= value < inf,
    AT_LEAST_ONE: lambda value: 1 <= value < inf,
    POSITIVE: lambda value: 0 < value < inf,
    SHARE: lambda value: 0 <= value < 1,
}
