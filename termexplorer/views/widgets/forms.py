"""Forms: how their fields stand, and the button at their end."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QComboBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from termexplorer.plain_text import plain_tip
from termexplorer.views.widgets.elided_box import ElidedBox
from termexplorer.views.widgets.keys import add_key, shown_keys, submit_by_keys
from termexplorer.views.widgets.plain_label import PlainLabel

FORM_WIDTHS = (356, 1004)  # of a form and what stands beside it, in a window 1360 wide
_GAP = 8
_MARGIN = 16
_WIDEST = 1080


def form_column(inside: QWidget) -> QVBoxLayout:
    """Lays out what scrolls in a form as a column; `finish_form` when it is filled."""
    column = QVBoxLayout(inside)
    column.setContentsMargins(_MARGIN, _MARGIN, _MARGIN, _MARGIN)
    column.setSpacing(_GAP)
    return column


def plain_column(widget: QWidget) -> QVBoxLayout:
    """Lays out a part of a form as a column, which has no margin of its own."""
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(_GAP)
    return column


def finish_form(form: QWidget, inside: QWidget, button: QPushButton, *above: QWidget) -> None:
    """Makes a widget the form at the left of a page.

    Args:
        form: the empty widget.
        inside: what scrolls, fields and headings.
        button: what the form is for; stays below, and Ctrl+Enter presses it too.
        above: what stays over the button.
    """
    scroll = scrolled(inside)
    last = QVBoxLayout()
    last.setContentsMargins(_MARGIN, 8, _MARGIN, 12)
    last.setSpacing(_GAP)
    for widget in (*above, button):
        last.addWidget(widget)
    whole = QVBoxLayout(form)
    whole.setContentsMargins(0, 0, 0, 0)
    whole.setSpacing(0)
    whole.addWidget(scroll, 1)
    whole.addLayout(last)
    form.setMinimumWidth(FORM_WIDTHS[0])
    make_primary(button, form)


def scrolled(inside: QWidget) -> QScrollArea:
    """What scrolls a widget up and down, and takes no keys from what is in it."""
    scroll = QScrollArea()
    scroll.setWidget(inside)
    scroll.setWidgetResizable(True)
    scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return scroll


def make_primary(button: QPushButton, within: QWidget) -> None:
    """Makes a button what a widget is for; Ctrl+Enter presses it from anywhere within."""
    button.setProperty("primary", True)
    submit_by_keys(within, button.click)


def allow_start(start: QPushButton, hint: QLabel, missing: str, ready: str = "") -> None:
    """Let a panel's work be started where nothing is missing.

    Args:
        start: begins it.
        hint: beside it.
        missing: what is to be done first; "" for nothing.
        ready: what the hint says otherwise.
    """
    start.setEnabled(not missing)
    start.setToolTip(plain_tip(missing) if missing else shown_keys("Ctrl+Enter"))
    hint.setText(missing or ready)


def finish_page(
    form: QWidget, inside: QWidget, back: QPushButton, button: QPushButton, *labels: QLabel
) -> None:
    """Makes a widget a form that fills a page for a while.

    Args:
        form: the empty widget.
        inside: what scrolls, fields and headings.
        back: leaves it; Esc presses it too.
        button: what the form is for; Ctrl+Enter presses it too.
        labels: what stands beside them.
    """
    inside.setMaximumWidth(_WIDEST)
    last = QHBoxLayout()
    last.setContentsMargins(_MARGIN, 8, _MARGIN, 12)
    last.setSpacing(_GAP)
    last.addWidget(back)
    last.addWidget(button)
    for label in labels:
        last.addWidget(label, 1000)
    last.addStretch(1)
    whole = QVBoxLayout(form)
    whole.setContentsMargins(0, 0, 0, 0)
    whole.setSpacing(0)
    whole.addWidget(scrolled(inside), 1)
    whole.addLayout(last)
    make_primary(button, form)
    add_key("Esc", form, back.click)


def reveal(widget: QWidget) -> None:
    """Scrolls the form around a widget to it, when what was shown and hidden has its place."""
    QTimer.singleShot(0, widget, partial(_scroll_to, widget))


def choice(name: str, letters: int = 12) -> ElidedBox:
    """A choice by its accessible name that shrinks with the form, down to some letters."""
    return shrinking(ElidedBox(), name, letters)


def shrinking(box: ElidedBox, name: str, letters: int = 12) -> ElidedBox:
    """Gives a box its accessible name, and has it shrink with the form, down to some letters."""
    box.setAccessibleName(name)
    box.setMinimumContentsLength(letters)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    return box


def offer(box: ElidedBox, rows: Sequence[tuple[str, object]], usual: object) -> None:
    """Offers rows; what was chosen before still is, or else the usual one."""
    chosen = box.currentData()
    box.clear()
    for text, key in rows:
        box.addItem(text, key)
    index = box.findData(chosen)
    first = max(box.findData(usual), min(0, box.count() - 1))
    box.setCurrentIndex(index if index >= 0 else first)


def fields(*rows: tuple[str, QWidget]) -> QFormLayout:
    """Fields below each other, as wide as there is room, each after its title."""
    form = QFormLayout()
    form.setSpacing(_GAP)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
    for title, widget in rows:
        form.addRow(title, widget)
    return form


def beside(*widgets: QWidget) -> QHBoxLayout:
    """Widgets side by side, as wide as each other."""
    row = QHBoxLayout()
    row.setSpacing(_GAP)
    for widget in widgets:
        row.addWidget(widget, 1)
    return row


def heading(text: str) -> QLabel:
    """A line over a part of a form."""
    label = PlainLabel(text)
    font = label.font()
    font.setWeight(font.Weight.DemiBold)
    label.setFont(font)
    return label


def quiet(text: str = "") -> QLabel:
    """A sentence in a form, in as many lines as it needs."""
    label = PlainLabel(text, wordWrap=True)
    label.setProperty("quiet", True)
    return label


def _scroll_to(widget: QWidget) -> None:
    around: QWidget | None = widget
    while around is not None and not isinstance(around, QScrollArea):
        around = around.parentWidget()
    if isinstance(around, QScrollArea) and (inside := around.widget()):
        bottom = widget.mapTo(inside, widget.rect().bottomLeft()).y()
        if bottom < around.viewport().height():
            around.verticalScrollBar().setValue(0)  # its heading, too
        else:
            around.ensureWidgetVisible(widget, 0, _GAP)


class TwoHalves(QWidget):
    """A row of widgets in two halves, one below the other where there is no room for both.

    Attributes:
        first: the layout of the left half, which takes what room is left.
        second: the layout of the right half.
    """

    def __init__(self, parent: QWidget | None = None, *, spacing: int = 8) -> None:
        super().__init__(parent)
        self._rows = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self.first, self.second = QHBoxLayout(), QHBoxLayout()
        for part in (self._rows, self.first, self.second):
            part.setSpacing(spacing)
        self._rows.addLayout(self.first, 1)
        self._rows.addLayout(self.second)

    def _widths(self) -> tuple[int, int]:
        return self.first.minimumSize().width(), self.second.minimumSize().width()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return the size of the wider half."""
        return QSize(max(self._widths()), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Lay the halves side by side or one below the other."""
        super().resizeEvent(event)
        fits = sum(self._widths()) + self._rows.spacing() <= self.width()
        way = QBoxLayout.Direction
        self._rows.setDirection(way.LeftToRight if fits else way.TopToBottom)
