"""The service that judges send their answers to: what it keeps, and whom it refuses."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from judge_page_steps import OpenedPage, running_browser
from judge_service_steps import ask, enter, pack_rows, running_service
from playwright.sync_api import expect
from toy_studies import ANNA, BEN, answer_all, at_work, make, opened, sent

from termexplorer.errors import UserError
from termexplorer.services.judge_page.merging import AnswersMerger, merging_answers
from termexplorer.services.judge_page.serving import OpenedService, open_service
from termexplorer.services.studies.answers import merge_answers, write_answers
from termexplorer.services.studies.envelopes import ANSWERS, read_envelope
from termexplorer.services.studies.packs import write_pack
from termexplorer.workspace import Workspace

ROWS = 11


@pytest.fixture
def packs(empty: Workspace, tmp_path: Path) -> list[Path]:
    make(empty)
    return [sent(empty, 1, name, tmp_path) for name in (ANNA, BEN)]


@pytest.fixture
def service(packs: list[Path], tmp_path: Path) -> Iterator[OpenedService]:
    with running_service(packs, tmp_path / "answers") as service:
        yield service


@pytest.fixture
def rows(packs: list[Path], tmp_path: Path) -> list[dict[str, Any]]:
    """Anna's answers, as files have them."""
    with opened(tmp_path / "annas") as workspace:
        judging = at_work(workspace, packs[0])
        answer_all(judging)
        write_answers(workspace, judging.study.id, ANNA, tmp_path / "anna.json")
    content = json.loads((tmp_path / "anna.json").read_text("utf-8"))["content"]
    return list(content["rows"])


def test_a_judge_follows_a_link_and_never_waits_for_the_service(
    empty: Workspace, packs: list[Path], tmp_path: Path
) -> None:
    folder = tmp_path / "answers"
    with running_browser() as browser:
        with running_service(packs, folder) as service:
            link = service.links[0]
            judge = OpenedPage(browser, link.url, begins=True)
            judge.press("Enter", "s", "n")
            expect(judge.page.locator("#sending")).to_have_text("All answers are sent")
            on_disk = read_envelope(link.file, ANSWERS).content.raw("rows")
            assert [row["answer"] for row in on_disk] == ["same", "not same"]
            stranger = browser.new_page()
            reply = stranger.goto(link.url)
            assert reply is not None
            assert reply.status == 410
        judge.press("Enter", *"ssss")  # nobody takes them
        assert "wait" in judge.text("sending")
        with running_service(packs, folder, service.port) as again:
            assert [link.used for link in again.links] == [True, False]
            judge.pass_time(120_000)
            expect(judge.page.locator("#sending")).to_have_text("All answers are sent")
            judge.page.evaluate("indexedDB.deleteDatabase('termexplorer-judge')")
            judge.open_again()
            judge.press("Enter", *"sssss")
            expect(judge.page.locator("#sheet-heading")).to_contain_text("All is judged")
            expect(judge.page.locator("#sending")).to_have_text("All answers are sent")
        assert [error for error in judge.errors if "ERR_CONNECTION_REFUSED" not in error] == []
        assert {urlsplit(url).port for url in judge.requests} == {service.port}
        judge.close_page()
    (merged,) = merge_answers(empty, [link.file])
    assert (merged.annotator, merged.new_rows) == (ANNA, ROWS)


def test_rows_are_kept_once_however_often_they_are_sent(
    service: OpenedService, rows: list[dict[str, Any]]
) -> None:
    path, headers = enter(service)
    target = (service.port, "POST", f"{path}/rows")
    assert json.loads(ask(*target, pack_rows(0, rows[:4]), **headers).text) == {"count": 4}
    for after, part in ((0, rows[:4]), (2, rows[2:6]), (0, rows), (ROWS, [])):
        assert ask(*target, pack_rows(after, part), **headers).status == 200
    kept_rows = json.loads(ask(service.port, "GET", f"{path}/rows", **headers).text)["rows"]
    assert kept_rows == rows
    assert read_envelope(service.links[0].file, ANSWERS).content.raw("rows") == rows
    for after, part in ((0, rows[1:]), (ROWS + 1, rows[:1])):
        reply = ask(*target, pack_rows(after, part), **headers)
        assert (reply.status, json.loads(reply.text)) == (409, {"count": ROWS})


def test_rows_that_were_changed_are_refused(
    service: OpenedService, rows: list[dict[str, Any]]
) -> None:
    path, headers = enter(service)
    bad = [
        pack_rows(0, [{**rows[0], "answer": "not same"}]),
        pack_rows(0, [{**rows[0], "place": 10_000}]),
        pack_rows(0, [{**rows[0], "more": 1}]),
        pack_rows(0, [{}]),
        pack_rows(-1, []),
        json.dumps({"after": True, "rows": []}).encode(),
        json.dumps([1]).encode(),
        b'{"after": 0, "rows": [' + b"[" * 100_000,
        b"\xff\xfe",
    ]
    replies = [ask(service.port, "POST", f"{path}/rows", body, **headers) for body in bad]
    assert [reply.status for reply in replies] == [400] * len(bad)
    assert not service.links[0].file.exists()
    large = ask(service.port, "POST", f"{path}/rows", b" " * (5 << 20), **headers)
    assert large.status == 413


def test_only_the_page_itself_sends(service: OpenedService, rows: list[dict[str, Any]]) -> None:
    path, headers = enter(service)
    cookie = {"Cookie": headers["Cookie"]}
    ben = urlsplit(service.links[1].url).path
    refused = [
        (path, cookie),  # a form of another site has the cookie at most
        (path, {"X_Judge_Token": headers["X_Judge_Token"]}),
        (path, {**headers, "X_Judge_Token": "0" * 64}),
        (path, {**headers, "Origin": "https://example.org"}),
        (path, {**headers, "Origin": "null"}),
        (path, {**headers, "Sec_Fetch_Site": "cross-site"}),
        (ben, headers),  # whose link nobody has used
    ]
    for method in ("POST", "GET"):
        for seat, given in refused:
            body = pack_rows(0, rows) if method == "POST" else b""
            assert ask(service.port, method, f"{seat}/rows", body, **given).status == 403, given
    assert not service.links[0].file.exists()
    foreign = {"Origin": "https://example.org"}
    assert ask(service.port, "POST", ben, **foreign).status == 403
    assert ask(service.port, "GET", path, **headers, Host="example.org").status == 400


def test_a_link_lets_one_browser_in(service: OpenedService) -> None:
    path = urlsplit(service.links[0].url).path
    assert ask(service.port, "GET", path).status == ask(service.port, "GET", path).status == 200
    first, second = ask(service.port, "POST", path), ask(service.port, "POST", path)
    assert "set-cookie" in first.headers
    assert "set-cookie" not in second.headers
    for mark in ("HttpOnly", "SameSite=lax", f"Path={path}"):
        assert mark in first.headers["set-cookie"]
    page = ask(service.port, "GET", path, Cookie=first.headers["set-cookie"].split(";")[0])
    assert "study-data" in page.text
    assert page.headers["cache-control"] == "no-store"
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    assert ask(service.port, "GET", path, Cookie="judge=other").status == 410


@pytest.mark.parametrize(
    "path",
    [
        "/", "/judge/", "/judge/..", "/judge/../../../etc/passwd", "/judge/%2e%2e%2flinks.json",
        "/judge/links.json", "/answers/links.json", "/judge/%00", "/judge/x/rows", "//etc/passwd",
    ],
)  # fmt: skip
def test_no_path_leads_to_a_file(service: OpenedService, path: str) -> None:
    for method in ("GET", "POST"):
        reply = ask(service.port, method, path)
        assert reply.status in (403, 404)
        assert "root:" not in reply.text
        assert "link" not in reply.text or reply.text == "There is no such link."


def test_answers_stay_in_the_folder_whatever_judges_are_called(
    empty: Workspace, tmp_path: Path
) -> None:
    names = ["../../evil", "/etc/passwd", "CON", "<script>alert(1)</script>"]
    make(empty, annotators=names)
    packs = []
    for number, name in enumerate(names):
        folder = tmp_path / str(number)
        folder.mkdir()
        packs.append(folder / "x.termstudy")
        write_pack(empty, 1, name, packs[-1])
    with running_service(packs, tmp_path / "answers") as service:
        assert {link.file.parent for link in service.links} == {tmp_path / "answers"}
        start = ask(service.port, "GET", urlsplit(service.links[3].url).path)
        assert "<script>" not in start.text
        assert start.text.count("&lt;script&gt;") == 2  # in two languages
    links = tmp_path / "answers" / "links.json"
    assert os.name != "posix" or links.stat().st_mode & 0o077 == 0


def test_links_stay_until_they_are_renewed(packs: list[Path], tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    with running_service(packs, folder) as service:
        before = [link.url.rpartition("/")[2] for link in service.links]
        path, headers = enter(service)
    with running_service(packs, folder, site="https://judge.example.org/") as service:
        assert [link.url for link in service.links] == [
            f"https://judge.example.org/judge/{link}" for link in before
        ]
        site = {"Host": "judge.example.org", "X_Forwarded_Proto": "https"}
        assert ask(service.port, "GET", path, **headers, **site).status == 200
        ben = urlsplit(service.links[1].url).path
        assert "Secure" in ask(service.port, "POST", ben, **site).headers["set-cookie"]
    with running_service(packs, folder, renewed=[ANNA]) as service:
        assert [link.used for link in service.links] == [False, True]
        assert ask(service.port, "GET", path, **headers).status == 404


def test_what_cannot_be_served_is_said_at_once(packs: list[Path], tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    with running_service(packs, folder) as service, pytest.raises(UserError, match="port"):
        open_service(packs, folder, service.port)
    for wrong in ({"site": "example.org"}, {"renewed": ["Zoe"]}):
        with pytest.raises(UserError, match=r"example\.org|Zoe"):
            open_service(packs, folder, 0, **wrong)  # type: ignore[arg-type]
    with pytest.raises(UserError, match="two packs"):
        open_service([packs[0], packs[0]], folder, 0)
    (folder / "links.json").write_text("[1]", "utf-8")
    with pytest.raises(UserError, match=r"links\.json"):
        open_service(packs, folder, 0)


def test_answers_come_into_the_authors_log_as_they_are_sent(
    empty: Workspace, packs: list[Path], tmp_path: Path, rows: list[dict[str, Any]]
) -> None:
    problems: list[str] = []
    with running_service(packs, tmp_path / "answers") as service:
        files = [link.file for link in service.links]
        merger = AnswersMerger(empty, files, problems.append)
        assert merger.merge_grown() == 0
        path, headers = enter(service)
        target = (service.port, "POST", f"{path}/rows")
        assert ask(*target, pack_rows(0, rows[:4]), **headers).status == 200
        assert [merger.merge_grown(), merger.merge_grown()] == [4, 0]
        merged_rows: list[tuple[Path, int]] = []

        def note_merge(file: Path, new: int) -> None:
            merged_rows.append((file, new))

        with merging_answers(empty, files, problems.append, note_merge):
            assert ask(*target, pack_rows(4, rows[4:]), **headers).status == 200
    assert merged_rows == [(files[0], ROWS - 4)]
    (merged,) = merge_answers(empty, files[:1])
    assert (merged.rows, merged.new_rows) == (ROWS, 0)
    assert not problems
    files[1].write_text("{", "utf-8")
    assert merger.merge_grown() == 0
    assert len(problems) == 1
