"""One-time links: each lets one browser in, once; afterwards that browser alone comes in.

What is kept in `links.json`, for its owner alone, opens nothing but the links that nobody has used.
"""

import json
import secrets
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from threading import Lock

from termexplorer.errors import UserError
from termexplorer.files import atomic_write
from termexplorer.services.judge_page.seats import JudgeSeat
from termexplorer.texts import tr

__all__ = ["JudgeLinks", "is_same_secret", "make_page_token"]

_FILE = "links.json"
_BYTES = 24  # of a secret


@dataclass(slots=True)
class SeatLink:
    """The link of a seat.

    Attributes:
        link: the secret in its address.
        session: the hash of what the browser was given that used it; "" before.
    """

    link: str
    session: str = ""


class JudgeLinks:
    """The links of the seats of a service.

    Args:
        folder: where they are kept.
        seats: who judges.

    Raises:
        UserError: what is kept there is damaged.
    """

    def __init__(self, folder: Path, seats: Sequence[JudgeSeat]) -> None:
        self._path = folder / _FILE
        self._lock = Lock()
        self._links = self._read_links()
        for seat in seats:
            self._links.setdefault(seat.hash, _make_link())
        self._seats = {seat.hash: seat for seat in seats}
        self._write_links()

    def renew_link(self, seat: JudgeSeat) -> None:
        """Give a seat another link; the browser that used the one before is out."""
        with self._lock:
            self._links[seat.hash] = _make_link()
            self._write_links()

    def link_of(self, seat: JudgeSeat) -> str:
        """Return the secret in the address of a seat."""
        return self._links[seat.hash].link

    def is_used(self, seat: JudgeSeat) -> bool:
        """Return whether a browser was let in."""
        return bool(self._links[seat.hash].session)

    def find_seat(self, link: str) -> JudgeSeat | None:
        """Return whose link it is; None for nobody's."""
        for pack_hash, seat in self._seats.items():
            if is_same_secret(self._links[pack_hash].link, link):
                return seat
        return None

    def let_in(self, seat: JudgeSeat) -> str:
        """Use the link of a seat; return the secret of the browser, or "" if it was used before."""
        with self._lock:
            seat_link = self._links[seat.hash]
            if seat_link.session:
                return ""
            session = secrets.token_urlsafe(_BYTES)
            seat_link.session = _hash_secret(session)
            self._write_links()
            return session

    def knows_browser(self, seat: JudgeSeat, session: str) -> bool:
        """Return whether it is the browser that used the link."""
        kept_hash = self._links[seat.hash].session
        return bool(kept_hash) and is_same_secret(kept_hash, _hash_secret(session))

    def _read_links(self) -> dict[str, SeatLink]:
        try:
            links = json.loads(self._path.read_text("utf-8"))
            return {pack_hash: SeatLink(**link) for pack_hash, link in links.items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise UserError(
                tr("{path}: cannot be read; remove it, which makes new links", path=self._path)
            ) from error

    def _write_links(self) -> None:
        links = {pack_hash: asdict(link) for pack_hash, link in self._links.items()}
        with atomic_write(self._path) as fresh:
            fresh.touch(mode=0o600)
            fresh.write_text(json.dumps(links, indent=1), "utf-8")


def make_page_token(session: str) -> str:
    """Return what the page of a browser shows when it sends: no other site can know it."""
    return sha256(f"page {session}".encode()).hexdigest()


def _make_link() -> SeatLink:
    return SeatLink(secrets.token_urlsafe(_BYTES))


def _hash_secret(secret: str) -> str:
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def is_same_secret(first: str, second: str) -> bool:
    """Compare two secrets in a time that tells nothing of them."""
    return compare_digest(*(secret.encode("utf-8", "surrogatepass") for secret in (first, second)))
