"""What the built judging program starts with: a study pack that was dropped on it, or chosen."""

import multiprocessing
import sys

from PySide6.QtWidgets import QFileDialog

from termexplorer.app import make_application
from termexplorer.cli.main import run
from termexplorer.places import workspace_folder
from termexplorer.texts import tr
from termexplorer.views.widgets.language import speak_as_chosen
from termexplorer.views.widgets.ui_state import UiState

if __name__ == "__main__":
    multiprocessing.freeze_support()
    if len(sys.argv) == 1:
        speak_as_chosen(make_application(), UiState.of(workspace_folder(None)))
        packs = tr("Study packs (*.termstudy);;All files (*)")
        chosen, _ = QFileDialog.getOpenFileName(None, tr("Open the study pack"), "", packs)
        if not chosen:
            sys.exit(0)
        sys.argv.append(chosen)
    sys.argv.insert(1, "judge")
    run()
