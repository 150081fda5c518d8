"""Names that stand side by side, shortened so that they are still told apart."""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain, takewhile, zip_longest
from operator import eq

ELLIPSIS = "…"
_LONGEST = 300  # letters of a name that are looked at: no screen has room for more
MeasureText = Callable[[str], float]
"""Return how wide a text is, in the unit of the width that names are to fit into."""


def shorten_names(names: Sequence[str], width: float, measure: MeasureText) -> list[str]:
    """Shorten each name to a width so that what tells it from the others stays visible.

    Example:
        >>> shorten_names(["few-shot on level 1 #5", "few-shot on level 2 #5"], 14, len)
        ['few-sho…l 1 #5', 'few-sho…l 2 #5']

    """
    return [shorten_name(name, names, width, measure) for name in names]


def shorten_name(name: str, siblings: Iterable[str], width: float, measure: MeasureText) -> str:
    """Shorten a name to a width so that it cannot be read as one of its siblings.

    Begin and end stay, as far as they tell it apart; else what differs stays, and as much of
    begin and end as there is room for beside it.

    Args:
        name: the whole name.
        siblings: the whole names that it stands beside; it may be among them.
        width: what it has to fit into.
        measure: how wide a text is.

    Returns:
        The name, its gaps as ellipses; nothing where there is not even room for one of these.
    """
    if measure(name) <= width:
        return name
    if measure(ELLIPSIS) > width:
        return ""
    name, cut = _cut_middle(name), map(_cut_middle, siblings)
    other_siblings = [sibling for sibling in dict.fromkeys(cut) if sibling != name]
    usual = _fill_room(name, set(), width, measure)
    if not any(_can_be_read_as(name, usual, other) for other in other_siblings):
        return _join_parts(name, usual)
    telling = _find_telling_places(name, other_siblings)
    if measure(_join_parts(name, telling)) > width:
        telling = _leave_out(name, telling, other_siblings)
    if measure(_join_parts(name, telling)) > width:
        return _join_parts(name, usual)
    telling = _grow_to_words(name, telling, width, measure)
    return _join_parts(name, _fill_room(name, telling, width, measure))


def _cut_middle(name: str) -> str:
    """Return a name without the middle of one that is as long as a page."""
    half = _LONGEST // 2
    return name if len(name) <= _LONGEST else f"{name[:half]}{ELLIPSIS}{name[-half:]}"


def _find_telling_places(name: str, siblings: Sequence[str]) -> set[int]:
    """Return the offsets of letters by which a name cannot be read as another one."""
    shown_offsets: set[int] = set()
    for other in siblings:
        first = _count_same(name, other)
        shorter = min(len(name), len(other))
        same = _count_same(reversed(name), reversed(other))
        last = max(len(name) - min(same, shorter - first), first)
        reach = 0
        while _can_be_read_as(name, shown_offsets, other) and len(shown_offsets) < len(name):
            shown_offsets.update(range(max(first - reach, 0), min(last + reach, len(name))))
            reach += 1
    return shown_offsets


def _count_same(left: Iterable[str], right: Iterable[str]) -> int:
    """Return how many letters two names begin with alike."""
    return sum(1 for _ in takewhile(bool, map(eq, left, right)))


def _leave_out(name: str, shown_offsets: set[int], siblings: Sequence[str]) -> set[int]:
    """Leave letters out without which a name is still told apart."""
    for offset in sorted(shown_offsets):
        fewer = shown_offsets - {offset}
        if not any(_can_be_read_as(name, fewer, other) for other in siblings):
            shown_offsets = fewer
    return shown_offsets


def _grow_to_words(
    name: str, shown_offsets: set[int], width: float, measure: MeasureText
) -> set[int]:
    """Keep whole words instead of parts of them, while there is room."""
    for offset in sorted(shown_offsets):
        begin = name.rfind(" ", 0, offset + 1) + 1
        end = name.find(" ", offset)
        grown = shown_offsets | set(range(begin, end if end >= 0 else len(name)))
        if measure(_join_parts(name, grown)) <= width:
            shown_offsets = grown
    return shown_offsets


def _fill_room(name: str, shown_offsets: set[int], width: float, measure: MeasureText) -> set[int]:
    """Keep as much of begin and end beside what is kept as there is room for."""
    left = [offset for offset in range(len(name)) if offset not in shown_offsets]
    pairs = zip_longest(left[: (len(left) + 1) // 2], reversed(left[(len(left) + 1) // 2 :]))
    order = [offset for offset in chain.from_iterable(pairs) if offset is not None]
    low, high = 0, len(order)
    while low < high:
        middle = (low + high + 1) // 2
        fits = measure(_join_parts(name, shown_offsets | set(order[:middle]))) <= width
        low, high = (middle, high) if fits else (low, middle - 1)
    return shown_offsets | set(order[:low])


def _split_at_gaps(name: str, shown_offsets: set[int]) -> list[str]:
    """Return what stands around the gaps; "" where a gap begins or ends the name."""
    parts, gap = [""], False
    for offset, letter in enumerate(name):
        if offset in shown_offsets:
            parts[-1] += letter
            gap = False
        elif not gap:
            parts.append("")
            gap = True
    return parts


def _join_parts(name: str, shown_offsets: set[int]) -> str:
    return ELLIPSIS.join(_split_at_gaps(name, shown_offsets))


def _can_be_read_as(name: str, shown_offsets: set[int], other: str) -> bool:
    """Return whether another name is this one with something else in its gaps."""
    first, *middle = _split_at_gaps(name, shown_offsets)
    if not middle:
        return first == other
    last = middle.pop()
    offset, end = len(first), len(other) - len(last)
    if not other.startswith(first) or not other.endswith(last):
        return False
    for part in middle:
        start = other.find(part, offset + 1, end)
        if start < 0:
            return False
        offset = start + len(part)
    return offset < end
