"""The text of a concept, in which links lead to others, and to pages on the web."""

from PySide6.QtCore import QUrl, Signal, Slot
from PySide6.QtWidgets import QFrame, QTextBrowser

from termexplorer.views.widgets.web_address import open_address

AROUND = 4  # pixels between the text and the frame that shows the focus


class ConceptBrowser(QTextBrowser):
    """Shows what `concept_html` makes.

    Signals:
        followed: the id of a concept.
    """

    followed = Signal(object)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setOpenLinks(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.document().setDocumentMargin(AROUND)
        self.setAccessibleName(name)
        self.anchorClicked.connect(self._on_link)

    @Slot(QUrl)
    def _on_link(self, url: QUrl) -> None:
        kind, _, concept_id = url.toString().partition(":")
        if kind == "concept" and concept_id.isdecimal():
            self.followed.emit(int(concept_id))
        else:
            open_address(url.toString())
