"""Addresses on the web, opened in the user's own browser."""

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

_SCHEMES = ("http", "https")


def open_address(address: str) -> bool:
    """Have the user's browser show an address of http or https; return whether it could."""
    url = QUrl(address, QUrl.ParsingMode.StrictMode)
    return url.isValid() and url.scheme() in _SCHEMES and QDesktopServices.openUrl(url)
