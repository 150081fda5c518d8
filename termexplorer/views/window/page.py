"""What a page is, and what all pages share."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from termexplorer.jobs import Jobs
from termexplorer.services.explore.browsing import ConceptRef
from termexplorer.views.widgets.focus import can_take_keys
from termexplorer.views.widgets.notices import Notices
from termexplorer.views.widgets.theme import Theme
from termexplorer.views.widgets.ui_state import UiState
from termexplorer.views.window.selection import ConceptSelection
from termexplorer.views.window.watch import StoreWatch
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.services.compare.comparison import (  # brings in NumPy
        WholeRanking,
        WholeRequest,
    )
    from termexplorer.services.compare.rankings import (
        RankingRequest,
        Rankings,
        TermMatch,
        TermsRequest,
    )


class RankingService(Protocol):
    """What answers rankings; the calls block and may come from any thread."""

    def start(self) -> None:
        """Gets ready to answer."""

    def close(self) -> None:
        """Answers no more; returns when everything it holds is let go."""

    def rank(self, request: "RankingRequest") -> "Rankings":
        """Answers a request."""

    def match_terms(self, request: "TermsRequest") -> "tuple[TermMatch, ...]":
        """The best concepts for each of many terms."""

    def rank_whole(self, request: "WholeRequest") -> "WholeRanking":
        """All that an encoder ranks for one mention of a comparison."""


@dataclass(frozen=True, slots=True)
class RankingsToShow:
    """Rankings to be shown, by encoders side by side: hypernyms on a level, else neighbours."""

    ontology_id: int
    encoder_ids: tuple[int, ...]
    level: int | None
    root: ConceptRef | None


class PageRequests(QObject):
    """What pages ask of the window.

    Signals:
        import_embedded: import the ICD-10-CM that comes with the program.
        import_file: have the user choose a file to import.
        judge_pack: have the user choose a study pack to judge.
        judge_study: have an annotator (their name) judge a study (its id) of the workspace.
        map_list: have the user choose a list of codes to map.
        split_list: have the user deal out a list of suggestions (its id), or see its parts.
        review_differing: show what people differ on in a list (its id); the page Curate is on show.
        carry_over: have the user choose mappings to bring to a newer release; two releases (their
            ids) to begin with, or None.
        tour: show what is where.
        show_page: show the page with a key.
        go_to: show a concept (release id and concept id); the page Explore is on show.
        look_at: show the rankings of a `RankingsToShow`; the page Explore is on show.
        told_of: the user has been told of an encoder (its id) that was trained.
        show_evaluated: show an `Evaluated`; the page Evaluate is on show.
        evaluate_task: have encoders (their ids) measured on a task; the page Evaluate is on show.
        evaluate_pairs: have pair sets (their folder) measured; the page Evaluate is on show.
        review_list: show a list of suggestions (its id); the page Curate is on show.
        judge_pairs: have pairs (a `WrittenPairs`) judged; the page Judge is on show.
        queue_pairs: choose from pair sets (their folder) what to judge; the page Judge is on show.
        open_workspace: show another workspace (its folder) instead.
        go_on: train a list of runs that wait or were interrupted; the page Train is on show.
        train_class: have a kept list (its title) be a class of a run; the page Train is on show.
        train_judged: have the verdicts of a study (its id) learned; the page Train is on show.
        works_on: tell the team what is looked at, in words.
    """

    import_embedded = Signal()
    import_file = Signal()
    judge_pack = Signal()
    judge_study = Signal(int, str)
    map_list = Signal()
    carry_over = Signal(object)
    split_list = Signal(object)
    review_differing = Signal(object)
    tour = Signal()
    show_page = Signal(str)
    go_to = Signal(object, object)
    look_at = Signal(object)
    told_of = Signal(object)
    show_evaluated = Signal(object)
    evaluate_task = Signal(str, object)
    evaluate_pairs = Signal(object)
    review_list = Signal(object)
    judge_pairs = Signal(object)
    queue_pairs = Signal(object)
    open_workspace = Signal(object)
    go_on = Signal(object)
    train_class = Signal(str)
    train_judged = Signal(object)
    works_on = Signal(str)

    def show_concept(self, release_id: int | None, concept_id: int | None) -> None:
        """Shows a concept on the page Explore."""
        self.show_page.emit("explore")
        self.go_to.emit(release_id, concept_id)


@dataclass(frozen=True, slots=True)
class Shared:
    """What pages get through their constructor."""

    workspace: Workspace
    jobs: Jobs
    selection: ConceptSelection
    watch: StoreWatch
    session: UiState
    theme: Theme
    notices: Notices
    errands: PageRequests
    ranker: RankingService


class PageWidget(QWidget):
    """A page of the window; the base of them all."""

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Takes the keys: where they were on this page before, or else at its entrance."""
        super().showEvent(event)
        if not event.spontaneous():
            last = self.focusWidget()
            focus_widget = last if last and can_take_keys(last) else self.entrance()
            focus_widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def entrance(self) -> QWidget:
        """What the keys go to first."""
        return self

    def whole(self) -> QWidget:
        """Return the page with all its parts, also those that are made later."""
        return self

    def close_page(self) -> None:
        """Keeps its state and ends its threads, before the window goes."""


@dataclass(frozen=True, slots=True)
class PageTour:
    """What the tour says of a page, pointing at its button in the rail; both as `mark` gives."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    """The declaration of a page: all that the window knows of it before it is made.

    Attributes:
        key: by which other pages ask for it; its place in what is kept, and its topic of the help.
        title: in the rail, the menu and the palette; as `mark` gives it.
        icon: its id in `resources/icons.svg`.
        shortcut: the keys that show it, as `Ctrl+1`.
        make: makes its widget when it is shown first, within what will hold it.
        tabs: the titles of its tabs, as `mark` gives them, which the palette offers before the
            page is made; a title may go on when it is shown.
        tour: what the tour says of it, if anything.
    """

    key: str
    title: str
    icon: str
    shortcut: str
    make: Callable[[Shared, QWidget], PageWidget]
    tabs: tuple[str, ...] = ()
    tour: PageTour | None = None
