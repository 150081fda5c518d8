"""The pages of the window, one declaration each, in the order of the rail.

Rail, menu, keys, help, tour, command palette and what is kept for the next start read them here.
A page is imported when it is shown first: those after the first draw, with pyqtgraph and NumPy.
"""

from PySide6.QtWidgets import QWidget

from termexplorer.texts import mark
from termexplorer.views.window.page import Page, PageTour, PageWidget, Shared


def _make_explore(shared: Shared, parent: QWidget) -> PageWidget:
    from termexplorer.views.explore.page import ExplorePage

    return ExplorePage(shared, parent)


def _make_levels(shared: Shared, parent: QWidget) -> PageWidget:
    from termexplorer.views.levels.page import LevelsPage

    return LevelsPage(shared, parent)


def _make_train(shared: Shared, parent: QWidget) -> PageWidget:
    from termexplorer.views.train.page import TrainPage

    return TrainPage(shared, parent)


def _make_evaluate(shared: Shared, parent: QWidget) -> PageWidget:
    from termexplorer.views.evaluate.page import EvaluatePage

    return EvaluatePage(shared, parent)


def _make_compare(shared: Shared, parent: QWidget) -> PageWidget:
    from termexplorer.views.compare.page import ComparePage

    return ComparePage(shared, parent)


def _make_curate(shared: Shared, parent: QWidget) -> PageWidget:
    from termexplorer.views.curate.page import CuratePage

    return CuratePage(shared, parent)


def _make_map(shared: Shared, parent: QWidget) -> PageWidget:
    from termexplorer.views.map.page import MapPage

    return MapPage(shared, parent)


def _make_judge(shared: Shared, parent: QWidget) -> PageWidget:
    from termexplorer.views.judge.page import JudgePage

    return JudgePage(shared, parent)


PAGES = (
    Page(
        key="explore",
        title=mark("Explore"),
        icon="tree-structure",
        shortcut="Ctrl+1",
        make=_make_explore,
        tabs=(
            mark("Tree"),
            mark("Bookmarks"),
            mark("Neighbours"),
            mark("Hypernyms"),
            mark("List of terms"),
        ),
    ),
    Page(
        key="levels",
        title=mark("Levels"),
        icon="stack",
        shortcut="Ctrl+2",
        make=_make_levels,
        tour=PageTour(
            mark("Pick a level"),
            mark(
                "Slide through the levels of the hierarchy, and see their classes before anything "
                "is trained."
            ),
        ),
    ),
    Page(
        key="train",
        title=mark("Train"),
        icon="lightning",
        shortcut="Ctrl+3",
        make=_make_train,
        tabs=(mark("Training"), mark("Curves of selected runs"), mark("Run card")),
        tour=PageTour(
            mark("Train an encoder"),
            mark(
                "Vectors first, then a recipe; some take seconds. Its rankings stand beside the "
                "others' on Explore, and Evaluate says which encoder is ahead."
            ),
        ),
    ),
    Page(
        key="evaluate",
        title=mark("Evaluate"),
        icon="chart-bar",
        shortcut="Ctrl+4",
        make=_make_evaluate,
    ),
    Page(
        key="compare",
        title=mark("Compare"),
        icon="columns",
        shortcut="Ctrl+5",
        make=_make_compare,
    ),
    Page(
        key="map",
        title=mark("Map"),
        icon="map-trifold",
        shortcut="Ctrl+6",
        make=_make_map,
    ),
    Page(
        key="judge",
        title=mark("Judge"),
        icon="scales",
        shortcut="Ctrl+7",
        make=_make_judge,
        tabs=(mark("Pair sets"), mark("Studies")),
    ),
    Page(
        key="curate",
        title=mark("Curate"),
        icon="check",
        shortcut="Ctrl+8",
        make=_make_curate,
        tabs=(
            mark("Mappings"),
            mark("Misplaced"),
            mark("Duplicates"),
            mark("Names"),
            mark("Releases"),
            mark("Check"),
        ),
        tour=PageTour(
            mark("Curate"),
            mark(
                "Mappings to another ontology, misplaced concepts and names, duplicates: each is "
                "judged with one key, and goes out as SSSOM. Check tests new terms before they "
                "go in."
            ),
        ),
    ),
)
