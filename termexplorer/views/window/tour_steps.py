"""What the tour says, and where it points."""

from collections.abc import Iterator, Sequence

from PySide6.QtWidgets import QWidget

from termexplorer.texts import tr, translated
from termexplorer.views.window.job_bar import JobBar
from termexplorer.views.window.page import Page
from termexplorer.views.window.rail import Rail
from termexplorer.views.window.top_bar import TopBar
from termexplorer.views.window.tour import TourStep


def tour_steps(
    page: QWidget, pages: Sequence[Page], rail: Rail, top_bar: TopBar, job_bar: JobBar
) -> list[TourStep]:
    """Return the steps: three of the window, and before the last one those of pages.

    Args:
        page: what is on show.
        pages: all of them, in the order of the rail.
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
        *_page_steps(pages, rail),
        TourStep(
            job_bar,
            tr("Background jobs"),
            tr(
                "Running jobs appear here with the time left; pause or stop them at "
                "any time. F1 explains the current page."
            ),
        ),
    ]


def _page_steps(pages: Sequence[Page], rail: Rail) -> Iterator[TourStep]:
    for number, page in enumerate(pages):
        if page.tour:
            title, text = translated(page.tour.title), translated(page.tour.text)
            yield TourStep(rail.button(number), title, text)
