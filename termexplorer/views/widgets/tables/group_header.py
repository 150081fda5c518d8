"""A header that writes an encoder's title over all columns of its group."""

from PySide6.QtCore import QRect, Qt, Slot
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QHeaderView, QWidget

from termexplorer.models.rankings import ColumnPart, GroupedModel
from termexplorer.views.widgets.sibling_names import fit_name

_LEFT, _RIGHT = 4, 10


class GroupHeader(QHeaderView):
    """The header of a `GroupedModel`'s table; long titles are shortened, and told apart."""

    def __init__(self, rankings: GroupedModel, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._rankings = rankings
        self.sectionResized.connect(self._on_resized)

    def paintSection(self, painter: QPainter, rect: QRect, section: int) -> None:  # noqa: N802
        """Draws the part of its group's title that falls into a section."""
        painter.save()
        painter.setClipRect(rect)
        painter.fillRect(rect, self.palette().base())
        painter.setPen(self.palette().mid().color())
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        whole, text = self._group(rect, section)
        painter.setPen(self.palette().placeholderText().color())
        painter.setFont(self._bold())
        painter.drawText(whole, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()

    def _group(self, rect: QRect, section: int) -> tuple[QRect, str]:
        """The room of a section's group, and what is written there."""
        number, part = self._rankings.part(section)
        if part is ColumnPart.RANK:
            return rect, ""
        parts = [self._rankings.part(column) for column in range(self.count())]
        columns = [column for column, header_part in enumerate(parts) if header_part[0] == number]
        shown = [column for column in columns if not self.isSectionHidden(column)]
        first, last = next(c for c in shown if parts[c][1] is not ColumnPart.RANK), shown[-1]
        left = self.sectionViewportPosition(first) + _LEFT
        right = self.sectionViewportPosition(last) + self.sectionSize(last) - _RIGHT
        room = QRect(left, rect.top(), right - left, rect.height())
        return room, self.shorten_title(number, room.width())

    def shorten_title(self, number: int, room: int) -> str:
        """Return the lines over a group, shortened to a room in pixels."""
        parts = [self._rankings.part(column) for column in range(self.count())]
        names = {
            group: column for column, (group, part) in enumerate(parts) if part is ColumnPart.NAME
        }
        titles = {group: self._title_lines(column) for group, column in names.items()}
        metrics = QFontMetrics(self._bold())
        lines = [
            fit_name(
                line, (title[at] for title in titles.values() if at < len(title)), room, metrics
            )
            for at, line in enumerate(titles[number])
        ]
        return "\n".join(lines)

    def _title_lines(self, column: int) -> list[str]:
        return str(self._rankings.headerData(column, Qt.Orientation.Horizontal)).split("\n")

    @Slot()
    def _on_resized(self) -> None:
        self.viewport().update()  # a title stands over all sections of its group

    def _bold(self) -> QFont:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold)
        return font
