"""A window on one workspace: puts its parts together, takes them apart in the right order."""

import logging
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import QObject, Slot

from termexplorer.errors import UserError
from termexplorer.jobs import Jobs
from termexplorer.main_window import MainWindow
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.texts import tr
from termexplorer.views.pages import PAGES
from termexplorer.views.widgets.notices import Notices
from termexplorer.views.widgets.theme import Theme
from termexplorer.views.widgets.ui_state import UiState
from termexplorer.views.window.page import PageRequests, RankingService, Shared
from termexplorer.views.window.selection import ConceptSelection
from termexplorer.views.window.trained_notice import TrainedNotice
from termexplorer.views.window.watch import StoreWatch
from termexplorer.views.workspace.maintenance import StartupMaintenance
from termexplorer.workers.explore.rank_server import Ranker
from termexplorer.workspace import Workspace

_WARNED = "network"  # in the session of a workspace
_log = logging.getLogger(__name__)


def claimed(folder: Path) -> Workspace:
    """A workspace that this window alone may show.

    Raises:
        UserError: it cannot be opened, or another window shows it.
    """
    workspace = Workspace(folder)
    try:
        workspace.claim_window()
    except UserError:
        workspace.close()
        raise
    return workspace


class WindowController(QObject):
    """A window on one workspace with all that works for it.

    Args:
        theme: the one that was chosen; the window puts its style sheet on.
        workspace: what is shown.
        settings: the folder of the user's settings, if it is another than the usual one.
        make_ranker: makes what answers rankings.

    Attributes:
        window: the window.
        upkeep: what is put in order behind it.
        following: the workspace that is to be shown when this one is closed, or None.
    """

    def __init__(
        self,
        theme: Theme,
        workspace: Workspace,
        settings: Path | None = None,
        make_ranker: Callable[[Path], RankingService] = Ranker,
    ) -> None:
        super().__init__()
        self.following: Workspace | None = None
        self._closed = False
        session = UiState.of(workspace.folder, settings)
        self.shared = Shared(
            workspace=workspace,
            jobs=Jobs(self),
            selection=ConceptSelection(self),
            watch=StoreWatch(workspace, self),
            session=session,
            theme=theme,
            notices=Notices(self),
            errands=PageRequests(self),
            ranker=make_ranker(workspace.folder),
        )
        self._old_hook = sys.excepthook
        sys.excepthook = self._on_bug
        self.window = MainWindow(self.shared, PAGES)
        theme.dress()
        self.window.workspace_wanted.connect(self._on_workspace_wanted)
        self.upkeep = StartupMaintenance(self.shared, self)
        self.window.painted.connect(self.upkeep.begin)
        self.window.painted.connect(self._warn_of_network)
        self.window.painted.connect(self._tell_damaged_settings)
        self._trained = TrainedNotice(self.shared, self)

    def import_demo(self) -> None:
        """Shows ICD-10-CM; imports it, where it is not there."""
        from termexplorer.services.importing.releases import ICD10CM

        ontologies = list_ontologies(self.shared.workspace)
        known = [ontology.id for ontology in ontologies if ontology.format == ICD10CM]
        if known:
            self.shared.selection.go(known[-1])
        else:
            self.window.releases.import_icd10cm()

    def close(self) -> None:
        """Ends jobs and threads, then closes the store; once is enough."""
        if self._closed:
            return
        self._closed = True
        self.window.leave()
        self.upkeep.close()
        self._trained.close()
        self.window.end()
        self.shared.watch.close()
        self.shared.jobs.close()
        self.shared.ranker.close()
        self.shared.session.sync()
        self.shared.workspace.close()
        sys.excepthook = self._old_hook
        self.window.deleteLater()

    @Slot()
    def _warn_of_network(self) -> None:
        """Say once in a workspace that it lies on a file system of a network."""
        kind, session = self.shared.workspace.store.network, self.shared.session
        if not kind or session.place(_WARNED) == kind:
            return
        session.keep_place(_WARNED, kind)
        self.shared.notices.tell(
            tr(
                "This workspace is on a network ({kind}): it is slower, and only as safe as the "
                "locks of that network. A copy on a local disk is safer.",
                kind=kind,
            )
        )

    @Slot()
    def _tell_damaged_settings(self) -> None:
        """Say once which of the two files of the window were not what was written."""
        damaged, self.shared.session.damaged = self.shared.session.damaged, []
        for path in damaged:
            self.shared.notices.tell(
                tr("{path} was damaged: what the window kept there is as at first", path=path)
            )

    @Slot(object)
    def _on_workspace_wanted(self, folder: Path) -> None:
        if folder.resolve() == self.shared.workspace.folder:
            return
        if self.window.leaving.may(partial(self._go_to, folder)):
            self._go_to(folder)

    def _go_to(self, folder: Path) -> None:
        try:
            self.following = claimed(folder)
        except UserError as error:
            self.shared.notices.error(str(error))
            return
        self.window.leave()

    def _on_bug(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        _log.error("nobody caught this", exc_info=(kind, error, trace))
        if isinstance(error, UserError):
            self.shared.notices.error(str(error))
        elif isinstance(error, KeyboardInterrupt):
            self.window.leave()
        else:
            self.window.support.tell_bug(kind, error, trace)
