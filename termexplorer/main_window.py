"""The window: a rail of pages, bars above and below, and nothing of what the pages do.

Panels are imported when they open, so that the window shows sooner.
"""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QPaintEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMainWindow,
    QVBoxLayout,
    QWidget,
)

from termexplorer.jobs import Job
from termexplorer.plain_text import show_line
from termexplorer.texts import tr, translated
from termexplorer.views.curate.list_mapping import ListMappings
from termexplorer.views.judge.judge_pack import PackJudging
from termexplorer.views.team.place import TeamPlace
from termexplorer.views.widgets.dropping import accept_drop_as_copy
from termexplorer.views.widgets.file_dialogs import FileDialogs, ask_folder
from termexplorer.views.widgets.focus import put_last
from termexplorer.views.widgets.keys import shown_keys, submit_what_is_on_show
from termexplorer.views.widgets.notices import NoticePanel
from termexplorer.views.widgets.panel import Panel
from termexplorer.views.window.command_palette import CommandPalette
from termexplorer.views.window.commands import Commands
from termexplorer.views.window.job_bar import JobBar
from termexplorer.views.window.language_menu import LanguageMenu
from termexplorer.views.window.leaving import CloseGuard
from termexplorer.views.window.page import Page, PageWidget, Shared
from termexplorer.views.window.page_area import PageArea, PageStack
from termexplorer.views.window.page_commands import button_commands, menu_commands, tab_commands
from termexplorer.views.window.rail import Rail
from termexplorer.views.window.support import Support
from termexplorer.views.window.top_bar import TopBar
from termexplorer.views.window.window_tabs import step_tab
from termexplorer.views.workspace.releases import Releases, dropped_file


class MainWindow(QMainWindow):
    """Shows pages, panels, jobs and notices.

    Signals:
        workspace_wanted: the folder of another workspace to show instead.
        painted: for the first time.
    """

    workspace_wanted = Signal(object)
    painted = Signal()

    def __init__(self, shared: Shared, pages: Sequence[Page]) -> None:
        super().__init__()
        self._shared = shared
        FileDialogs(self, shared.session, shared.notices)
        self._pages = list(pages)
        self._page_widgets: dict[int, PageWidget] = {}
        self._panel: Panel | None = None
        self._beneath: Panel | None = None  # comes back when the panel above it is closed
        self._current = 0
        self._was_painted = False
        self.commands = Commands(self, shared.theme)
        self.releases = Releases(shared, self)
        self.support = Support(shared, self)
        self.packs, self.lists = PackJudging(shared, self), ListMappings(shared, self)
        self.team = TeamPlace(shared, self)
        self.leaving = CloseGuard(self, shared.jobs, shared.notices)
        self._leaves = False
        self._make_menus()
        self.rail = Rail(self._pages, shared.theme)
        self.top_bar = TopBar(shared, self._back, self._forward, self.team.button)
        self.stack = PageStack()
        self.notice = NoticePanel(shared.notices, shared.theme)
        self.job_bar = JobBar(shared.jobs, shared.notices, shared.theme)
        self.palette_ = CommandPalette(self)
        self._lay_out()
        self._connect()
        self.top_bar.refresh()
        self._restore()

    def show_page(self, number: int) -> None:
        """Shows a page; it is made when it is shown first."""
        if number not in self._page_widgets:
            self._page_widgets[number] = self._pages[number].make(self._shared, self.stack)
            self.stack.addWidget(self._page_widgets[number])
        self._current = number
        self._drop_panel()
        self.stack.setCurrentWidget(self._page_widgets[number])
        self.rail.show_page(number)
        self._shared.errands.works_on.emit(translated(self._pages[number].title))

    def page(self, key: str) -> PageWidget | None:
        """A page by its key, if it was made."""
        for number, page in enumerate(self._pages):
            if page.key == key:
                return self._page_widgets.get(number)
        return None

    @Slot(object)
    def show_panel(self, panel: Panel) -> None:
        """Shows a panel in the place of the page until it is closed."""
        self._drop_panel()
        self._panel = panel
        panel.closed.connect(self._on_panel_closed)
        self.stack.addWidget(panel)
        self.stack.setCurrentWidget(panel)
        panel.setFocus()

    @Slot(object)
    def show_panel_above(self, panel: Panel) -> None:
        """Shows a panel; the one that stands there comes back as it is when it is closed."""
        beneath = self._beneath or self._panel
        if self._beneath and self._panel:
            self._remove_panel(self._panel)
        self._panel = self._beneath = None
        self.show_panel(panel)
        self._beneath = beneath

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:  # noqa: N802
        """Takes a file or folder that is to be imported."""
        if dropped_file(event.mimeData()) is not None:
            accept_drop_as_copy(event)

    def dropEvent(self, event: QDropEvent) -> None:  # noqa: N802
        """Opens the import panel with the file."""
        accept_drop_as_copy(event)
        self.releases.open_import_of(dropped_file(event.mimeData()))

    @Slot()
    def start_tour(self) -> None:
        """Shows what is where, step by step."""
        from termexplorer.views.window.tour import Tour
        from termexplorer.views.window.tour_steps import tour_steps

        self.show_page(0)
        steps = tour_steps(self.stack, self._pages, self.rail, self.top_bar, self.job_bar)
        self.tour = Tour(steps, self._shared.theme, self)

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802
        """Tab goes through the page before the bars below it."""
        put_last(self, self.notice, self.job_bar)
        return super().focusNextPrevChild(forward)

    def event(self, event: QEvent) -> bool:
        """Holds Python's lock while all parts are painted.

        Without it the lock would be taken anew for each cell that a table asks its model for, and
        waited for each time that a search runs in another thread.
        """
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802
        """Tells of the first time."""
        super().paintEvent(event)
        if not self._was_painted:
            self._was_painted = True
            self.painted.emit()

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        """Keeps how the window looks; what it does is ended by `end`, when it is out of sight.

        Where that would lose what is being made it stays open, until that was confirmed.
        """
        if not self._leaves and not self.leaving.may(self.leave):
            event.ignore()
            return
        self._keep()
        super().closeEvent(event)

    def leave(self) -> None:
        """Closes, whatever is lost."""
        self._leaves = True
        self.close()

    def end(self) -> None:
        """Ends the threads of pages and bars; waits for answers under way."""
        self.support.close()
        self._drop_panel()
        self.team.close()
        for page in self._page_widgets.values():
            page.close_page()
        self.top_bar.search.questions.close()

    def _make_menus(self) -> None:
        make, shared = self.commands.action, self._shared
        self._back = make(tr("&Back"), "Alt+Left", shared.selection.back)
        self._forward = make(tr("&Forward"), "Alt+Right", shared.selection.forward)
        theme, releases = shared.theme, self.releases
        self.commands.menu(
            tr("&File"),
            make(tr("&Import…"), "Ctrl+I", releases.open_import),
            make(tr("Import ICD-10-CM (&embedded)"), "", releases.import_icd10cm),
            make(tr("Re&move ontology…"), "", releases.open_removal),
            make(tr("Map a &list…"), "Ctrl+L", self.lists.open_panel),
            make(tr("&Carry mappings over…"), "", self.lists.open_carry_panel),
            make(tr("&Judge a study pack…"), "", self.packs.choose),
            make(tr("&Team…"), "", self.team.open_panel),
            None,
            make(tr("&Open workspace…"), "Ctrl+O", self._on_open_workspace),
            self.commands.recent_menu(),
            None,
            make(tr("&Quit"), "Ctrl+Q", self.close),
        )
        self.commands.menu(
            tr("&View"),
            *self.commands.page_actions(self._pages),
            None,
            self.commands.theme_menu(),
            LanguageMenu(shared.session, shared.notices, self),
            make(tr("Zoom &in"), "Ctrl++|Ctrl+=", partial(theme.zoom_by, 1)),
            make(tr("Zoom &out"), "Ctrl+-", partial(theme.zoom_by, -1)),
            make(tr("&Usual size"), "Ctrl+0", partial(theme.zoom_by, 0)),
            None,
            make(tr("&Command palette…"), "Ctrl+Shift+P", self._on_palette),
        )
        self.commands.menu(
            tr("&Go"),
            self._back,
            self._forward,
            make(tr("&Search"), "Ctrl+K", self._on_search),
            make(tr("Next &tab"), "Ctrl+Tab", partial(self._step_tab, 1)),
            make(tr("Tab b&efore"), "Ctrl+Shift+Tab", partial(self._step_tab, -1)),
        )
        self.commands.menu(
            tr("&Help"),
            make(tr("Help on this &page"), "F1", self._on_help),
            make(tr("&Tour"), "", self.start_tour),
            make(tr("&Keyboard shortcuts"), "Shift+F1", self._on_shortcuts),
            make(tr("Import &report"), "", self.releases.open_report),
            make(tr("&Diagnose"), "", self.support.diagnose),
            make(tr("&About termexplorer"), "", self._on_about),
        )

    def _lay_out(self) -> None:
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self.top_bar)
        right.addWidget(PageArea(self.stack), 1)
        upper = QHBoxLayout()
        upper.setSpacing(0)
        upper.addWidget(self.rail)
        upper.addLayout(right, 1)
        whole = QWidget()
        column = QVBoxLayout(whole)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(upper, 1)
        column.addWidget(self.job_bar)
        self.notice.lie_over(whole, self.job_bar)
        self.setCentralWidget(whole)
        workspace = self._shared.workspace
        reading = tr(" (read-only)") if workspace.read_only else ""
        self.setWindowTitle(show_line(f"{workspace.folder.name}{reading} – termexplorer"))
        self.setAcceptDrops(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)

    def _connect(self) -> None:
        self.rail.chosen.connect(self.show_page)
        for around in (self.stack, self.rail):
            submit_what_is_on_show(around, self.stack.currentWidget)
        self.commands.page_wanted.connect(self.show_page)
        self.commands.workspace_wanted.connect(self.workspace_wanted)
        errands = self._shared.errands
        errands.import_embedded.connect(self.releases.import_icd10cm)
        errands.import_file.connect(self.releases.open_import)
        errands.judge_pack.connect(self.packs.choose)
        errands.judge_study.connect(self.packs.judge_here)
        errands.map_list.connect(self.lists.open_panel)
        errands.carry_over.connect(self.lists.open_carry_panel)
        errands.split_list.connect(self.lists.open_parts_panel)
        for asking in (self.lists, self.team):
            asking.panel_wanted.connect(self.show_panel)
        errands.open_workspace.connect(self.workspace_wanted)
        errands.tour.connect(self.start_tour)
        self.releases.panel_wanted.connect(self.show_panel)
        self.releases.panel_above_wanted.connect(self.show_panel_above)
        self.support.panel_wanted.connect(self.show_panel)
        self.releases.changed.connect(self.top_bar.refresh)
        errands.show_page.connect(self._on_page_wanted)
        self._shared.watch.changed.connect(self.top_bar.refresh)
        self._shared.jobs.ended.connect(self._on_job_ended)
        self._shared.selection.history_changed.connect(self._on_history_changed)
        self._on_history_changed()

    def _restore(self) -> None:
        session = self._shared.session
        session.place_window(self)
        known_ids = {ontology.id for ontology in self.top_bar.ontologies}
        ontology, *concept = session.numbers("selection") or [0]
        if ontology in known_ids:
            self._shared.selection.go(ontology, next(iter(concept), None))
        keys = [page.key for page in self._pages]
        last = session.place("page")
        self.show_page(keys.index(last) if last in keys else 0)

    def _keep(self) -> None:
        session, selection = self._shared.session, self._shared.selection
        session.keep_window(self)
        session.keep_look("theme", self._shared.theme.scheme.value)
        session.keep_look("zoom", str(self._shared.theme.zoom))
        selected = (selection.ontology_id, selection.concept_id)
        session.keep_place("selection", " ".join(str(part) for part in selected if part))
        session.keep_place("page", self._pages[self._current].key)

    def _drop_panel(self) -> None:
        for panel in (self._panel, self._beneath):
            if panel:
                self._remove_panel(panel)
        self._panel = self._beneath = None

    def _remove_panel(self, panel: Panel) -> None:
        panel.release()
        self.stack.removeWidget(panel)
        panel.deleteLater()

    @Slot(str)
    def _on_page_wanted(self, key: str) -> None:
        self.show_page([page.key for page in self._pages].index(key))

    @Slot()
    def _on_panel_closed(self) -> None:
        if self._panel and self._beneath and self.sender() is self._panel:
            self._remove_panel(self._panel)
            self._panel, self._beneath = self._beneath, None
            self.stack.setCurrentWidget(self._panel)
            self._panel.setFocus()
        else:
            self.show_page(self._current)

    @Slot(object)
    def _on_job_ended(self, _job: Job) -> None:
        self._shared.watch.look()

    @Slot()
    def _on_history_changed(self) -> None:
        selection = self._shared.selection
        for action, can, keys, why in (
            (self._back, selection.can_go_back, "Alt+Left", tr("Nothing was looked at before")),
            (self._forward, selection.can_go_forward, "Alt+Right", tr("Nothing to go forward to")),
        ):
            action.setEnabled(can)
            action.setToolTip(
                f"{action.text().replace('&', '')} ({shown_keys(keys)})" if can else why
            )

    @Slot()
    def _on_open_workspace(self) -> None:
        if folder := ask_folder(self, "workspaces", tr("Open workspace")):
            self.workspace_wanted.emit(folder)

    @Slot()
    def _on_palette(self) -> None:
        self.palette_.open_with(
            [
                *menu_commands(self.commands.all_now),
                *tab_commands(self._pages, self._page_widgets, self._show_made),
                *button_commands(self.stack),
            ]
        )

    def _show_made(self, number: int) -> PageWidget:
        self.show_page(number)
        return self._page_widgets[number]

    def _step_tab(self, step: int) -> None:
        step_tab(self.stack, step)

    @Slot()
    def _on_search(self) -> None:
        self.top_bar.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.top_bar.search.selectAll()

    @Slot()
    def _on_help(self) -> None:
        from termexplorer.services.workspace.help_topics import FIRST_TOPIC
        from termexplorer.views.help.panel import HelpPanel

        has_selection = self._shared.selection.ontology_id is not None
        keys = [page.key for page in self._pages]
        topic = keys[self._current] if has_selection else FIRST_TOPIC
        self.show_panel(HelpPanel(topic, keys, self))

    @Slot()
    def _on_shortcuts(self) -> None:
        from termexplorer.views.help.panels import shortcuts_panel

        self.show_panel(shortcuts_panel(self.commands.all, self))

    @Slot()
    def _on_about(self) -> None:
        from termexplorer.views.help.panels import about_panel

        self.show_panel(about_panel(self))
