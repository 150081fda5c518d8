"""Judging a study on its page, in a real browser: what it keeps, writes, shows, and never sends."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from judge_page_steps import (
    PHONE,
    OpenedPage,
    find_small_buttons,
    program_answers,
    running_browser,
)
from playwright.sync_api import Browser, expect
from study_packs_steps import leave_keys_out
from toy_studies import ANNA, make, sent

from termexplorer.services.judge_page.page import write_judge_page
from termexplorer.services.pairs.sampling import PairPool
from termexplorer.services.studies.answers import merge_answers
from termexplorer.services.studies.packs import write_pack
from termexplorer.services.studies.presets import AnswerChoice, Scale
from termexplorer.services.studies.status import study_status
from termexplorer.services.studies.studies import StudyPlan, new_study
from termexplorer.store.judging.studies import Entry, LookUp
from termexplorer.workspace import Workspace

MARKUP = "<img src=x onerror=alert(1)></p></script><script>alert(2)</script><!--"
SCALE = Scale(
    f"Same? {MARKUP}", "nominal", f"Read {MARKUP}\nthis",
    (
        AnswerChoice("yes", f"{MARKUP} it is", 1.0, hint=f"hint {MARKUP}"),
        AnswerChoice("n<b>o</b>", "", 0.5),
    ),
)  # fmt: skip
OpenPage = Callable[..., OpenedPage]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with running_browser() as browser:
        yield browser


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    pages = []

    def open_file(path: Path, **look: Any) -> OpenedPage:
        pages.append(OpenedPage(browser, path, **look))
        return pages[-1]

    yield open_file
    for page in pages:
        page.close_page()


def page_of(author: Workspace, folder: Path, annotator: str = ANNA) -> Path:
    path = folder / "page.html"
    write_judge_page(author, 1, annotator, path)
    return path


def make_marked_study(author: Workspace) -> None:
    """A study in which every text looks like markup."""
    left = [f"Müller {MARKUP} {number} 😀" for number in range(4)]
    right = [f'"{number}" {MARKUP} \\ ’ \u202e' for number in range(4)]
    glossary = (Entry("müller", f"a name {MARKUP}"),)
    plan = StudyPlan(
        f"Study {MARKUP}", [f"Ann {MARKUP}"], SCALE, 2, practice=2, tell_practice=True,
        look_up=LookUp(web=True, glossary=glossary),
    )  # fmt: skip
    pool = PairPool("set", [*left, *right], [*right, *left[1:], left[0]], [1.0] * 4 + [0.0] * 4)
    new_study(author, plan, [pool])


def test_the_answers_are_those_that_the_program_writes(
    empty: Workspace, tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(empty)
    opened = open_page(page_of(empty, tmp_path))
    opened.press("Enter", "s", "n")
    assert opened.on_show() == "sheet"  # practice is over
    opened.press("Enter", "1")
    opened.pass_time(400_000)  # a break
    opened.press("l", "c")
    opened.page.keyboard.insert_text('ü "quoted" \\ 😀 \u2028 \x7f <b>')
    opened.press("Enter", "d", "Backspace", "Control+z", "Control+Shift+z", "s")
    opened.press("F2", "Tab", "Tab", "Enter", "n")  # the newest of the list says otherwise
    opened.press(*"ssssss")
    assert opened.on_show() == "sheet"  # all were shown once
    opened.press("Enter", "s")
    assert opened.text("sheet-heading") == "All is judged. Thank you!"
    answers = opened.save_answers(tmp_path)
    rows = json.loads(answers.read_text("utf-8"))["content"]["rows"]
    assert sum("undoes" in row for row in rows) == 3
    assert {"skipped", "same", "not same", "don't know"} == {r.get("answer", "same") for r in rows}
    assert max(row.get("wall_ms", 0) for row in rows) > 400_000
    assert 120_000 <= max(row.get("active_ms", 0) for row in rows) < 121_000
    leave_keys_out(monkeypatch)
    pack = sent(empty, 1, ANNA, tmp_path)
    assert answers.read_bytes() == program_answers(pack, answers, tmp_path / "w", monkeypatch)
    (merged,) = merge_answers(empty, [answers])
    assert merged.new_rows == merged.rows == len(rows)
    assert study_status(empty, 1).seats[0].judged == 9
    assert answers.name == f"{ANNA}.termanswers"
    assert (opened.requests, opened.errors) == ([opened.page.url], [])


def test_texts_that_look_like_markup_are_shown_as_they_are(
    empty: Workspace, tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_marked_study(empty)
    annotator = f"Ann {MARKUP}"
    opened = open_page(page_of(empty, tmp_path, annotator))
    assert opened.text("sheet-heading") == f"Study {MARKUP}"
    assert MARKUP in opened.text("sheet-text")
    assert MARKUP in opened.text("sheet-guidelines")
    opened.press("Enter")
    for name in ("question", "left", "right", "answers", "hints"):
        assert MARKUP in opened.text(name)
    opened.press("g")
    assert MARKUP in opened.text("glossary-text")
    opened.press("c")
    opened.page.keyboard.insert_text(MARKUP)
    opened.press("Enter", "1")
    assert MARKUP in opened.text("sheet-text")  # what was right
    opened.press("Enter", "F2")
    assert MARKUP in opened.text("given")
    assert opened.page.title() == f"Study {MARKUP}"
    assert opened.page.query_selector("img, b, main script") is None
    assert (opened.requests, opened.errors) == ([opened.page.url], [])
    answers = opened.save_answers(tmp_path)
    leave_keys_out(monkeypatch)
    pack = tmp_path / "marked.termstudy"
    write_pack(empty, 1, annotator, pack)
    assert answers.read_bytes() == program_answers(pack, answers, tmp_path / "w", monkeypatch)


def test_a_page_goes_on_where_it_was_closed_in_any_order(
    empty: Workspace, tmp_path: Path, open_page: OpenPage
) -> None:
    make(empty)
    opened = open_page(page_of(empty, tmp_path))
    opened.press("Enter", "s", "n", "Enter", "s")
    shown = opened.text("terms")
    opened.open_again()
    assert "You go on where you stopped" in opened.text("sheet-text")
    opened.press("Enter")
    assert opened.text("terms") == shown
    opened.press("Backspace")
    assert opened.text("message") == "Taken back: same"


def test_another_page_that_is_further_is_noticed(
    empty: Workspace, tmp_path: Path, open_page: OpenPage
) -> None:
    make(empty)
    path = page_of(empty, tmp_path)
    opened = open_page(path)
    with opened.page.context.expect_page():
        opened.page.evaluate("path => void window.open(path)", path.as_uri())
    other = opened.page.context.pages[-1]
    other.wait_for_selector("#sheet:not([hidden])")
    opened.press("Enter", "s")
    other.keyboard.press("Enter")
    other.wait_for_selector("body[data-drawn]")
    other.keyboard.press("n")
    other.wait_for_selector("#notice:not([hidden])")
    assert "another page" in other.inner_text("#notice")


def test_a_browser_that_keeps_nothing_goes_on_from_the_saved_file(
    empty: Workspace, tmp_path: Path, open_page: OpenPage
) -> None:
    make(empty)
    path = page_of(empty, tmp_path)
    forbidden = "indexedDB.open = () => { throw new DOMException('no', 'SecurityError') }"
    opened = open_page(path, script=forbidden)
    assert "keeps nothing" in opened.text("notice")
    opened.press("Enter", "s", "n", "Backspace", "s", "Enter", "s")
    answers = opened.save_answers(tmp_path)
    opened.open_again()
    opened.page.set_input_files("#file-input", answers)
    opened.page.wait_for_selector("#pair:not([hidden])")
    assert opened.text("progress-text").startswith("1 of 9")
    again = opened.save_answers(tmp_path / "again")
    assert again.read_bytes() == answers.read_bytes()
    opened.open_again()
    opened.page.set_input_files("#file-input", path)
    opened.page.wait_for_selector("#notice:has-text('choose another file')")


def test_an_answer_counts_once_and_only_to_what_was_seen(
    empty: Workspace, tmp_path: Path, open_page: OpenPage
) -> None:
    make(empty)
    opened = open_page(page_of(empty, tmp_path), pause=True)
    opened.press("Enter")
    opened.pass_time(50)
    shown = opened.text("terms")
    opened.page.keyboard.press("s")
    assert "less than 250 ms" in opened.text("message")
    opened.pass_time(300)
    opened.page.keyboard.down("x")
    opened.page.keyboard.press("s")
    assert "still down" in opened.text("message")
    opened.page.keyboard.up("x")
    assert opened.text("terms") == shown
    opened.page.keyboard.down("s")
    opened.page.wait_for_selector("#message:has-text('Kept: same')")
    after = opened.text("terms")
    for _ in range(3):
        opened.pass_time(400)
        opened.page.keyboard.down("s")  # the key repeats
    assert opened.text("terms") == after != shown


def test_a_thumb_answers_on_a_phone(empty: Workspace, tmp_path: Path, open_page: OpenPage) -> None:
    make(empty)
    opened = open_page(page_of(empty, tmp_path), **PHONE)
    page = opened.page
    wide = "document.documentElement.scrollWidth > innerWidth"
    assert (find_small_buttons(page), page.evaluate(wide)) == ([], False)
    page.tap("#go-on")
    opened.pass_time(50)
    assert (find_small_buttons(page), page.evaluate(wide)) == ([], False)
    first = opened.text("left")
    page.tap("#answers button")
    expect(page.locator("#left")).not_to_have_text(first)
    page.tap("#comment-button")
    page.fill("#comment", "by thumb")
    page.tap("#list-button")
    assert (find_small_buttons(page), page.evaluate(wide)) == ([], False)
    page.tap("#back")
    assert page.input_value("#comment") == "by thumb"
    page.tap("#undo")
    expect(page.locator("#left")).to_have_text(first)


def test_every_page_can_be_read_and_used_by_everybody(
    empty: Workspace, tmp_path: Path, open_page: OpenPage
) -> None:
    make_marked_study(empty)
    opened = open_page(page_of(empty, tmp_path, f"Ann {MARKUP}"))
    faults = []
    for keys in ("", "Enter g c", "Escape 1 F2"):
        opened.press(*keys.split())
        for scheme, rules in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
            opened.page.emulate_media(color_scheme=scheme)
            result = Axe().run(opened.page, options=rules).response
            assert result["passes"]
            faults += [(opened.on_show(), scheme, fault) for fault in result["violations"]]
    assert faults == []


def test_the_page_speaks_the_language_of_the_browser(
    empty: Workspace, tmp_path: Path, open_page: OpenPage
) -> None:
    make(empty)
    opened = open_page(page_of(empty, tmp_path), locale="de-AT")
    assert opened.text("go-on").startswith("Starten")
    assert opened.page.get_attribute("html", "lang") == "de"
    opened.page.click("#language-button")
    assert opened.text("go-on").startswith("Start")
    opened.open_again()
    assert opened.text("guidelines-button").startswith("Guidelines")


def test_a_page_that_was_changed_says_so(
    empty: Workspace, tmp_path: Path, open_page: OpenPage
) -> None:
    make(empty)
    path = page_of(empty, tmp_path)
    path.write_text(path.read_text("utf-8").replace("one s", "two s"), "utf-8")
    opened = open_page(path)
    assert "was changed" in opened.text("notice")
    path.write_text(path.read_text("utf-8").replace("openStudy();", "fetch('x');"), "utf-8")
    changed = opened.page.context.new_page()
    changed.goto(path.as_uri())
    assert not changed.is_visible("#sheet")  # the browser runs no script but the page's own
