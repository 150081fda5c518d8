"""Steps at the service that judges send their answers to."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from termexplorer.services.judge_page.links import make_page_token
from termexplorer.services.judge_page.serving import OpenedService, open_service


@contextmanager
def running_service(
    packs: Sequence[Path], folder: Path, port: int = 0, **more: Any
) -> Iterator[OpenedService]:
    """A service on this machine, for as long as it is needed."""
    service = open_service(packs, folder, port, **more)
    thread = Thread(target=service.serve_requests)
    thread.start()
    try:
        yield service
    finally:
        service.end_service()
        thread.join()


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back.

    Attributes:
        status: of HTTP.
        headers: in small letters.
        text: the body.
    """

    status: int
    headers: Mapping[str, str]
    text: str


def ask(port: int, method: str, path: str, body: bytes = b"", **headers: str) -> Reply:
    """Send a request as it stands, which no browser would mend; `_` in names stands for `-`."""
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body or None, named)
        response = connection.getresponse()
        lowered = {name.lower(): value for name, value in response.getheaders()}
        return Reply(response.status, lowered, response.read().decode("utf-8"))
    finally:
        connection.close()


def enter(service: OpenedService) -> tuple[str, dict[str, str]]:
    """Use the first link; return its path, and the headers of the browser that is in."""
    path = urlsplit(service.links[0].url).path
    reply = ask(service.port, "POST", path)
    cookie = reply.headers["set-cookie"].split(";")[0]
    session = cookie.partition("=")[2]
    return path, {"Cookie": cookie, "X_Judge_Token": make_page_token(session)}


def pack_rows(after: int, rows: Sequence[Mapping[str, Any]]) -> bytes:
    """What a page sends."""
    return json.dumps({"after": after, "rows": rows}).encode()
