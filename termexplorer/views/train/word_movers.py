"""The button that makes an encoder of the word mover's distance over chosen vectors."""

from collections.abc import Callable

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QPushButton

from termexplorer.errors import UserError
from termexplorer.services.encoders.made_encoders import word_mover_encoder
from termexplorer.texts import mark, tr, translated
from termexplorer.views.window.page import Shared

_WHAT = mark("Adds an encoder that ranks by the words of names, one by one; slow, and a baseline")
_NEEDS = mark("First train or open word vectors")


class WordMoversButton(QPushButton):
    """Adds the encoder at once: nothing is computed until it ranks."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(tr("Word mover's distance over the vectors above"))
        self._shared = shared
        self._chosen: Callable[[], int | None] = lambda: None
        self.clicked.connect(self._on_clicked)

    def allow(self, can: bool) -> None:
        """Allows it where there are vectors, or says why not."""
        self.setEnabled(can)
        self.setToolTip(translated(_WHAT if can else _NEEDS))

    def use_choice(self, chosen: Callable[[], int | None]) -> None:
        """Asks `chosen` for the encoder of the vectors."""
        self._chosen = chosen

    @Slot()
    def _on_clicked(self) -> None:
        notices, chosen = self._shared.notices, self._chosen()
        try:
            if chosen is None:
                raise UserError(translated(_NEEDS))
            encoder = word_mover_encoder(self._shared.workspace, chosen)
        except UserError as error:
            notices.error(str(error))
        else:
            notices.tell(tr("{encoder} is ready, for Explore and Evaluate", encoder=encoder.label))
