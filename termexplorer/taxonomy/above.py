"""What is above something, by whatever says what its parents are."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

_Node = TypeVar("_Node", bound=Hashable)


def list_above(
    parents: Iterable[_Node], parents_of: Callable[[_Node], Iterable[_Node]]
) -> set[_Node]:
    """Return some parents and all that is above them; links may run in a circle.

    Args:
        parents: where it begins.
        parents_of: the parents of each.

    >>> sorted(list_above("b", {"b": "a", "a": "b"}.get))
    ['a', 'b']
    """
    above: set[_Node] = set()
    waiting = list(parents)
    while waiting:
        node = waiting.pop()
        if node not in above:
            above.add(node)
            waiting += parents_of(node)
    return above
