"""Steps that tests of suggestions page share with others."""

from pytestqt.qtbot import QtBot
from toy_window import show
from toy_workspace import VECTORS

from termexplorer.desk import WindowController
from termexplorer.services.curate.suggestion_files import SssomRow
from termexplorer.services.curate.suggestion_files import SuggestionSheet as Found
from termexplorer.services.curate.suggestion_lists import keep_suggestions
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.views.curate.suggestions import SuggestionsPart
from termexplorer.workspace import Workspace

Opened = tuple[WindowController, SuggestionsPart]


ROWS = [("TOY:2", "TOY:1", 0.9), ("TOY:3", "TOY:1", 0.8), ("TOY:4", "TOY:1", 0.95)]


def keep(workspace: Workspace, level: int = 1) -> None:
    toy = find_ontology(workspace, "1")
    mappings = [
        SssomRow(
            subject, f"name of {subject}", "skos:broadMatch", other, "lungs", "semapv:X", value, ""
        )
        for subject, other, value in ROWS
    ]
    header = ("concept", "name", "likelihood")
    rows = [[subject, f"name of {subject}", value] for subject, _, value in ROWS]
    suggestion_set = Found(toy, toy, (VECTORS,), header, rows, mappings)
    keep_suggestions(workspace, "misplaced", suggestion_set, {"level": level}, ["It is good."])


def open_part(qtbot: QtBot, desk: WindowController, tab: str = "Misplaced") -> Opened:
    page = show(desk, "curate")
    page.show_part(tab)
    part = page.suggestions
    assert isinstance(part, SuggestionsPart)
    desk.window.activateWindow()
    qtbot.waitUntil(desk.window.isActiveWindow)
    qtbot.waitUntil(lambda: part.desk.review is not None)
    read(qtbot, part)
    part.desk.table.setFocus()
    return desk, part


def read(qtbot: QtBot, part: SuggestionsPart) -> None:
    """Waits until the concepts of the suggestion are on show."""

    def there() -> bool:
        return part.desk.table.current is not None and part.desk.pair.has_shown(
            part.desk.table.current
        )

    qtbot.waitUntil(there)
