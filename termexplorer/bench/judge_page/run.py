"""Answers given on a study's page outlive a killed browser, and the next pair is there at once."""

from __future__ import annotations

import random
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.bench.figure import BenchContext, BenchFigure, not_measured
from termexplorer.bench.judge_page.browser import ProfileBrowser, find_chromium
from termexplorer.bench.times import quantile
from termexplorer.services.judge_page.page import write_judge_page
from termexplorer.services.pairs.sampling import PairPool
from termexplorer.services.studies.answers import merge_answers
from termexplorer.services.studies.presets import find_scale, scales
from termexplorer.services.studies.studies import StudyPlan, find_study, new_study
from termexplorer.store.judging import verdicts
from termexplorer.store.judging.verdicts import Judge
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from playwright.sync_api import Page, Playwright

_ROUNDS, _QUICK = 50, 4
_PAIRS = 2_000  # more than are judged
_LONGEST = 2.0  # seconds that somebody judges before it happens
_LIMIT = 100.0  # milliseconds, within which something seems to happen at once
_ANNOTATOR = "Anna"
_PREFERENCE = (
    "localStorage.setItem('termexplorer-judge/pause', '0')"  # keys come faster than 250 ms
)
_COMMITS = """async () => {
    const request = indexedDB.open("plain", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("rows");
    await new Promise(resolve => request.onsuccess = resolve);
    const seconds = [];
    for (let number = 0; number < 100; number++) {
        const started = performance.now();
        const writing = request.result.transaction("rows", "readwrite", { durability: "strict" });
        writing.objectStore("rows").put({ answer: "same" }, number);
        await new Promise(resolve => writing.oncomplete = resolve);
        seconds.push((performance.now() - started) / 1000);
    }
    return seconds;
}"""  # what a browser needs to put a row on the disk, and nothing else
_WATCH = """() => {
    let pressed = 0;
    addEventListener("keydown", event => { pressed = event.timeStamp; }, true);
    new MutationObserver(() => {
        if ("drawn" in document.body.dataset) {
            document.body.title = (performance.now() - pressed) / 1000;
        }
    }).observe(document.body, { attributes: true, attributeFilter: ["data-drawn"] });
}"""  # keeps the seconds from the last key to what was drawn after it
_READ = """() => [
    document.getElementById("left").innerText, document.getElementById("right").innerText,
    Number(document.body.title),
]"""

Pair = tuple[str, str]


@dataclass
class PageOutcome:
    """What became of the answers that were given on a page.

    Attributes:
        rounds: how often the browser was killed.
        acknowledged: pairs after whose answer the next one was on show.
        lost: those of them that the saved answers have not.
        doubled: pairs that have several answers.
        seconds: from each key to the next pair.
        commits: seconds that the same browser takes to write a row and nothing else.
    """

    rounds: int
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    seconds: list[float] = field(default_factory=list)
    commits: list[float] = field(default_factory=list)


def run(context: BenchContext) -> list[BenchFigure]:
    """Judge on a page in Chromium, which is killed at any instant, and save the answers."""
    program = find_chromium()
    if program is None or find_spec("playwright") is None:
        return [not_measured("judge_page", "needs Chromium, and the package playwright")]
    outcome = _judge_in_rounds(context.folder, program, _QUICK if context.quick else _ROUNDS)
    commit = quantile(outcome.commits, 0.5)
    return [_loss_figure(outcome), *(_time_figure(outcome, share, commit) for share in (0.5, 0.95))]


def _loss_figure(outcome: PageOutcome) -> BenchFigure:
    name = (
        f"answers lost or doubled of {outcome.acknowledged:,} on a page; {outcome.rounds} × the "
        "browser killed"
    )
    wrong = outcome.lost + outcome.doubled
    ok = not wrong and outcome.acknowledged > outcome.rounds
    details = {key: value for key, value in asdict(outcome).items() if not isinstance(value, list)}
    return BenchFigure(name, wrong, "", "", None, None, "none", ok, {"judge_page": details})


def _time_figure(outcome: PageOutcome, share: float, commit: float) -> BenchFigure:
    word = "median" if share == 0.5 else "p95"
    milliseconds = quantile(outcome.seconds, share)
    return BenchFigure(
        f"a key to the next pair on a page, of {len(outcome.seconds):,}, {word}", milliseconds,
        "ms", "a synced row of the browser alone, median", commit, milliseconds / _LIMIT,
        f"under {_LIMIT:.0f} ms", milliseconds < _LIMIT,
    )  # fmt: skip


def _judge_in_rounds(folder: Path, program: str, rounds: int) -> PageOutcome:
    from playwright.sync_api import sync_playwright

    page, profile = folder / "judge_page.html", folder / "judge_page_profile"
    draw = random.Random(0)  # noqa: S311 - instants, no secrets
    outcome = PageOutcome(rounds)
    acknowledged: set[Pair] = set()
    with (
        closing(Workspace(folder / "judge_page_author")) as author,
        sync_playwright() as playwright,
    ):
        _make_study(author)
        write_judge_page(author, 1, _ANNOTATOR, page)
        _prepare_profile(playwright, program, profile, page, outcome)
        for _ in range(rounds):
            browser = ProfileBrowser(playwright, program, profile)
            for pair, seconds in _judge_until_killed(browser, page, draw.random() * _LONGEST):
                acknowledged.add(pair)
                outcome.seconds.append(seconds)
        answers = _save_answers(playwright, program, profile, page, folder)
        merge_answers(author, [answers])
        _count_answers(author, acknowledged, outcome)
    return outcome


def _make_study(author: Workspace) -> None:
    left = [f"fracture of bone {number}, initial encounter" for number in range(_PAIRS)]
    right = [f"broken bone {number}, first visit" for number in range(_PAIRS)]
    scale = find_scale(next(iter(scales())))
    plan = StudyPlan("Bench", [_ANNOTATOR], scale, each=_PAIRS, practice=0, repeat=0.0)
    new_study(author, plan, [PairPool("pairs", left, right, [1, 0] * (_PAIRS // 2))])


def _prepare_profile(
    playwright: Playwright, program: str, profile: Path, page: Path, outcome: PageOutcome
) -> None:
    with _open_profile(playwright, program, profile) as opened:
        opened.goto(page.as_uri())
        opened.evaluate(_PREFERENCE)
        outcome.commits = opened.evaluate(_COMMITS)


@contextmanager
def _open_profile(playwright: Playwright, program: str, profile: Path) -> Iterator[Page]:
    """Open a browser that nobody kills over a profile, and yield its page."""
    with playwright.chromium.launch_persistent_context(
        profile, executable_path=program, args=["--no-sandbox"], accept_downloads=True
    ) as context:
        yield context.pages[0]


def _judge_until_killed(
    browser: ProfileBrowser, page: Path, after: float
) -> Iterator[tuple[Pair, float]]:
    """Yield each pair after whose answer the next one was on show, and how long that took."""
    from playwright.sync_api import Error

    killer = threading.Timer(after, browser.kill)
    try:
        _open_page(browser.page, page)
        browser.page.evaluate(_WATCH)
        pair, _ = _read_drawn(browser.page)
        killer.start()
        while True:
            browser.page.keyboard.press("1")
            browser.page.wait_for_selector("body[data-drawn]:not([data-writing])")
            following, seconds = _read_drawn(browser.page)
            if following != pair:
                yield pair, seconds
            pair = following
    except Error:
        killer.join()
    finally:
        killer.cancel()
        browser.kill()


def _open_page(opened: Page, page: Path) -> None:
    opened.goto(page.as_uri())
    opened.wait_for_selector("#sheet:not([hidden])")
    opened.keyboard.press("Enter")
    opened.wait_for_selector("#pair:not([hidden])")


def _read_drawn(opened: Page) -> tuple[Pair, float]:
    left, right, seconds = opened.evaluate(_READ)
    return (left, right), seconds


def _save_answers(
    playwright: Playwright, program: str, profile: Path, page: Path, folder: Path
) -> Path:
    with _open_profile(playwright, program, profile) as opened:
        _open_page(opened, page)
        with opened.expect_download() as download:
            opened.keyboard.press("Control+s")
        path = folder / download.value.suggested_filename
        download.value.save_as(path)
        return path


def _count_answers(author: Workspace, acknowledged: set[Pair], outcome: PageOutcome) -> None:
    key = find_study(author, 1).head.key
    with author.store.reading() as connection:
        rows = verdicts.history(connection, key, Judge(_ANNOTATOR))
    answered = Counter(frozenset((row.subject.subject, row.subject.object)) for row in rows)
    outcome.acknowledged = len(acknowledged)
    outcome.lost = sum(frozenset(pair) not in answered for pair in acknowledged)
    outcome.doubled = sum(count > 1 for count in answered.values())
