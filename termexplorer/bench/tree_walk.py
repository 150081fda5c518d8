"""Ways down a tree, as people open its nodes."""

import random
import time
from collections.abc import Callable

from termexplorer.services.explore.browsing import TreeItem, tree_count, tree_page
from termexplorer.workspace import Workspace

_ROWS = 200  # of a tree, as it is filled


def walk(workspace: Workspace, release_id: int) -> list[float]:
    """Seconds that opening a node takes, on ways down from the root, past the largest too."""
    times: list[float] = []
    draw = random.Random(0)  # noqa: S311 - a sample, no secret

    def opened(parent: int | None, choose: Callable[[list[TreeItem]], TreeItem]) -> int | None:
        start = time.perf_counter()
        tree_count(workspace, release_id, parent)
        items = tree_page(workspace, release_id, parent, _ROWS, 0)
        times.append(time.perf_counter() - start)
        inner = [item for item in items if item.has_children]
        return choose(inner).id if inner else None

    for _ in range(40):
        node = opened(None, lambda items: items[0])
        while node is not None:
            node = opened(node, draw.choice)
    return times
