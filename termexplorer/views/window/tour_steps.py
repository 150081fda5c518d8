"""What the tour says, and where it points."""

from PySide6.QtWidgets import QWidget

from termexplorer.texts import tr
from termexplorer.views.window.job_bar import JobBar
from termexplorer.views.window.rail import Rail
from termexplorer.views.window.top_bar import TopBar
from termexplorer.views.window.tour import TourStep


def tour_steps(page: QWidget, rail: Rail, top_bar: TopBar, job_bar: JobBar) -> list[TourStep]:
    """The five steps.

    Args:
        page: what is on show.
        rail: the window's.
        top_bar: the window's.
        job_bar: the window's.
    """
    return [
        TourStep(
            page,
            tr("A terminology"),
            tr(
                "Here you look through it. Import one with Ctrl+I, or drop a file anywhere onto "
                "the window; ICD-10-CM comes with the program."
            ),
        ),
        TourStep(
            top_bar.search,
            tr("Search names and codes"),
            tr(
                "Ctrl+K, and type: names, codes and ids in part, words in any order. "
                "Enter goes there."
            ),
        ),
        TourStep(
            rail.button(1),
            tr("Pick a level"),
            tr(
                "Slide through the levels of the hierarchy, and see their classes before anything "
                "is trained."
            ),
        ),
        TourStep(
            rail.button(2),
            tr("Train an encoder"),
            tr(
                "Vectors first, then a recipe; some take seconds. Its rankings stand beside the "
                "others' on Explore, and Evaluate says which encoder is ahead."
            ),
        ),
        TourStep(
            job_bar,
            tr("Background jobs"),
            tr(
                "Running jobs appear here with the time left; pause or stop them at "
                "any time. F1 explains the current page."
            ),
        ),
    ]
