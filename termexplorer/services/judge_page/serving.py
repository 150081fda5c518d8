"""Serving study packs on this machine until somebody ends it."""

import socket
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import uvicorn

from termexplorer.errors import UserError
from termexplorer.services.judge_page.links import JudgeLinks
from termexplorer.services.judge_page.seats import AnswersShelf, JudgeSeat, read_seats
from termexplorer.services.judge_page.service import make_service
from termexplorer.system_reasons import tell_reason
from termexplorer.texts import tr

__all__ = ["JudgeLink", "OpenedService", "open_service"]

_HOST = "127.0.0.1"
_LOCAL = (_HOST, "localhost")
_BACKLOG = 128


@dataclass(frozen=True, slots=True)
class JudgeLink:
    """What an author sends to a judge.

    Attributes:
        annotator: whose it is.
        url: the address.
        used: whether a browser was let in by it.
        file: where the answers go.
    """

    annotator: str
    url: str
    used: bool
    file: Path


class OpenedService:
    """A service that has its port.

    Attributes:
        port: on this machine.
        links: of all who judge.
    """

    def __init__(
        self, server: uvicorn.Server, opened: socket.socket, links: Sequence[JudgeLink]
    ) -> None:
        self._server, self._socket = server, opened
        self.port: int = opened.getsockname()[1]
        self.links = links

    def serve_requests(self) -> None:
        """Answer requests until it is ended, by Ctrl+C or `end_service`."""
        with suppress(KeyboardInterrupt):
            self._server.run(sockets=[self._socket])

    def end_service(self) -> None:
        """End it, from another thread."""
        self._server.should_exit = True


def open_service(
    packs: Sequence[Path],
    folder: Path,
    port: int,
    site: str = "",
    renewed: Sequence[str] = (),
) -> OpenedService:
    """Take a port on this machine; nobody is answered yet.

    Args:
        packs: of those who judge.
        folder: where answers and links go; it is made.
        port: 0 for any that is free.
        site: the address of the server before it; "" for none.
        renewed: names of those who get another link.

    Raises:
        UserError: no sound pack, a folder that cannot be written to, or a port that is taken.
    """
    address = urlsplit(site)
    if site and (address.scheme not in ("http", "https") or not address.hostname):
        raise UserError(
            tr("{site}: is no address of a site, such as https://example.org", site=site)
        )
    seats = read_seats(packs)
    folder.mkdir(parents=True, exist_ok=True)
    shelf, links = AnswersShelf(folder, seats), JudgeLinks(folder, seats)
    for name in renewed:
        links.renew_link(_find_by_name(seats, name))
    opened = _take_port(port)
    base = site.rstrip("/") or f"http://{_HOST}:{opened.getsockname()[1]}"
    hosts = [*_LOCAL, *([address.hostname] if address.hostname else [])]
    config = uvicorn.Config(
        make_service(links, shelf, hosts), log_level="warning", access_log=False,
        server_header=False, proxy_headers=True, forwarded_allow_ips=_HOST,
    )  # fmt: skip
    judge_links = [
        JudgeLink(
            seat.pack.annotator,
            f"{base}/judge/{links.link_of(seat)}",
            links.is_used(seat),
            shelf.locate_file(seat),
        )
        for seat in seats
    ]
    return OpenedService(uvicorn.Server(config), opened, judge_links)


def _find_by_name(seats: Sequence[JudgeSeat], name: str) -> JudgeSeat:
    for seat in seats:
        if seat.pack.annotator == " ".join(name.split()):
            return seat
    known = ", ".join(seat.pack.annotator for seat in seats)
    raise UserError(tr("{name!r} has no pack here; {known} do", name=name, known=known))


def _take_port(port: int) -> socket.socket:
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((_HOST, port))
        opened.listen(_BACKLOG)
    except OSError as error:
        opened.close()
        raise UserError(
            tr(
                "port {port} cannot be taken ({error}); choose another one",
                port=port,
                error=tell_reason(error),
            )
        ) from error
    return opened
