"""The choice of one encoder."""

from collections.abc import Sequence

from termexplorer.services.encoders.encoders import EncoderInfo
from termexplorer.views.widgets.elided_box import ElidedBox
from termexplorer.views.widgets.forms import offer, shrinking


class EncoderBox(ElidedBox):
    """Offers encoders by their labels; the whole of a long one is in its tooltip."""

    def __init__(self, name: str) -> None:
        super().__init__()
        shrinking(self, name)
        self.currentTextChanged.connect(self.setToolTip)

    def show_encoders(self, encoders: Sequence[EncoderInfo]) -> None:
        """Offers these; at first the newest is chosen."""
        rows = [(encoder.label, encoder.id) for encoder in encoders]
        offer(self, rows, rows[-1][1] if rows else None)
