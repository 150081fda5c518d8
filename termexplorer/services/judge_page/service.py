"""A small ASGI service that hands judges their pages and takes their answers.

It speaks plain HTTP and is bound to this machine alone; whoever opens it to others puts a server
with TLS before it. Answers are on the disk when they are acknowledged.
"""

import json
from collections.abc import Sequence
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from termexplorer.errors import UserError
from termexplorer.services.judge_page.links import JudgeLinks, is_same_secret, make_page_token
from termexplorer.services.judge_page.page import SendingDoor, make_page, make_start_page
from termexplorer.services.judge_page.seats import AnswersShelf, JudgeSeat, RowsRefusedError
from termexplorer.texts import tr

__all__ = ["make_service"]

LARGEST_BODY = 4 << 20  # bytes; 500 rows with comments of usual length take half of one MB
_COOKIE = "judge"
_HEADER = "X-Judge-Token"
_MOST_ROWS = 1_000  # at once
_LASTS = 180 * 86_400  # seconds
_HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
Door: TypeAlias = tuple[JudgeSeat, str]


class JudgeService:
    """Answers requests.

    Args:
        links: who may come in.
        shelf: where answers go.
    """

    def __init__(self, links: JudgeLinks, shelf: AnswersShelf) -> None:
        self._links, self._shelf = links, shelf

    async def show_page(self, request: Request) -> Response:
        """Show the page of a judge to their browser, and to the first one a way in."""
        seat = self._links.find_seat(request.path_params["link"])
        if seat is None:
            return _refuse_request(404, tr("There is no such link."))
        session = request.cookies.get(_COOKIE, "")
        if self._links.knows_browser(seat, session):
            door = SendingDoor(f"{request.url.path}/rows", make_page_token(session))
            page = await run_in_threadpool(make_page, seat.pack, door)
            return HTMLResponse(page, headers=_HEADERS)
        if self._links.is_used(seat):
            return _refuse_request(
                410,
                tr(
                    "This link was used by another browser. Go on there, or ask who sent it for "
                    "another link."
                ),
            )
        title, annotator = seat.pack.head.pack_title, seat.pack.annotator
        return HTMLResponse(make_start_page(title, annotator), headers=_HEADERS)

    async def let_in(self, request: Request) -> Response:
        """Let the first browser in, which comes back as the only one."""
        seat = self._links.find_seat(request.path_params["link"])
        if seat is None:
            return _refuse_request(404, tr("There is no such link."))
        if not _is_same_site(request):
            return _refuse_request(403, tr("This was sent by another site."))
        session = await run_in_threadpool(self._links.let_in, seat)
        path = request.url.path
        response = Response(status_code=303, headers={**_HEADERS, "Location": path})
        if session:
            response.set_cookie(
                _COOKIE, session, max_age=_LASTS, path=path, httponly=True, samesite="lax",
                secure=request.url.scheme == "https",
            )  # fmt: skip
        return response

    async def list_rows(self, request: Request) -> Response:
        """Tell a page the rows that are on the disk."""
        seat = self._find_sender(request)
        if seat is None:
            return _refuse_request(403, tr("This was sent by another page."))
        return JSONResponse({"rows": list(self._shelf.list_rows(seat))}, headers=_HEADERS)

    async def take_rows(self, request: Request) -> Response:
        """Take rows of a page; they are on the disk when this is answered."""
        seat = self._find_sender(request)
        if seat is None:
            return _refuse_request(403, tr("This was sent by another page."))
        body = await _read_body(request)
        if body is None:
            return _refuse_request(413, tr("This is more than a page sends."))
        try:
            after, rows = _read_rows_sent(body)
            count = await run_in_threadpool(self._shelf.add_rows, seat, after, rows)
        except RowsRefusedError as error:
            return JSONResponse({"count": error.count}, 409, headers=_HEADERS)
        except UserError as error:
            return _refuse_request(503, str(error))
        except (ValueError, RecursionError) as error:
            return _refuse_request(400, str(error))
        return JSONResponse({"count": count}, headers=_HEADERS)

    def _find_sender(self, request: Request) -> JudgeSeat | None:
        """Return whose page sent a request; None where it is none of ours."""
        seat = self._links.find_seat(request.path_params["link"])
        session = request.cookies.get(_COOKIE, "")
        if seat is None or not self._links.knows_browser(seat, session):
            return None
        token = request.headers.get(_HEADER, "")
        is_page = is_same_secret(token, make_page_token(session))
        return seat if is_page and _is_same_site(request) else None


def make_service(links: JudgeLinks, shelf: AnswersShelf, hosts: Sequence[str]) -> Starlette:
    """Return the service as an ASGI application.

    Args:
        links: who may come in.
        shelf: where answers go.
        hosts: the names that it is called by; requests to others are refused.
    """
    service = JudgeService(links, shelf)
    page, rows = "/judge/{link}", "/judge/{link}/rows"
    routes = [
        Route(page, service.show_page, methods=["GET"]),
        Route(page, service.let_in, methods=["POST"]),
        Route(rows, service.list_rows, methods=["GET"]),
        Route(rows, service.take_rows, methods=["POST"]),
    ]
    trusted = Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False)
    return Starlette(routes=routes, middleware=[trusted])


def _is_same_site(request: Request) -> bool:
    """Return whether a browser says nothing of another site that sent a request."""
    origin = request.headers.get("Origin")
    fits_host = origin is None or urlsplit(origin).netloc == request.headers.get("Host")
    return fits_host and request.headers.get("Sec-Fetch-Site", "same-origin") == "same-origin"


async def _read_body(request: Request) -> bytes | None:
    """Return what was sent; None for more than any page sends."""
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > LARGEST_BODY:
            return None
        parts.append(part)
    return b"".join(parts)


def _read_rows_sent(body: bytes) -> tuple[int, list[dict[str, Any]]]:
    sent = json.loads(body)
    if not isinstance(sent, dict) or sent.keys() != {"after", "rows"}:
        raise ValueError(tr("it is not what a page sends"))
    after, rows = sent["after"], sent["rows"]
    is_count = isinstance(after, int) and not isinstance(after, bool) and after >= 0
    is_list = isinstance(rows, list) and len(rows) <= _MOST_ROWS
    if not is_count or not is_list or not all(isinstance(row, dict) for row in rows):
        raise ValueError(tr("it is not what a page sends"))
    return after, rows


def _refuse_request(status: int, why: str) -> Response:
    return PlainTextResponse(why, status, headers=_HEADERS)
