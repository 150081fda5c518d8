"""Another program, from whose window a file is dragged: run as `python drag_source.py FILE X Y`.

Prints a line when it is on the screen, and what the drag was taken as.
"""

import sys

from PySide6.QtCore import QMimeData, Qt, QTimer, QUrl
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel


class Source(QLabel):
    """Offers the file to be moved, or copied."""

    def mouseMoveEvent(self, _event: QMouseEvent) -> None:  # noqa: N802 - Qt's
        """Begins to drag."""
        drag, data = QDrag(self), QMimeData()
        data.setUrls([QUrl.fromLocalFile(sys.argv[1])])
        data.setText(sys.argv[1])  # as file managers do
        drag.setMimeData(data)
        actions = Qt.DropAction.CopyAction | Qt.DropAction.MoveAction
        taken = drag.exec(actions, Qt.DropAction.MoveAction)
        sys.stdout.write(f"{taken.name}\n")  # it stays, as the data are fetched from it only now
        sys.stdout.flush()


application = QApplication(sys.argv[:1])
source = Source("a file")
source.setGeometry(int(sys.argv[2]), int(sys.argv[3]), 100, 60)
source.show()


def tell() -> None:
    """Says so when it is there."""
    if source.windowHandle().isExposed():
        sys.stdout.write("there\n")
        sys.stdout.flush()
        waiting.stop()


waiting = QTimer(interval=20)
waiting.timeout.connect(tell)
waiting.start()
application.exec()
