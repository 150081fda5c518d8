"""Saves a picture of a whole screen: run as `python grab_screen.py FILE` with DISPLAY set."""

import sys

from PySide6.QtGui import QGuiApplication

application = QGuiApplication(sys.argv[:1])
sys.exit(not application.primaryScreen().grabWindow(0).save(sys.argv[1]))
