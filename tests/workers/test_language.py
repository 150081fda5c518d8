"""Children speak the language of the window that started them."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from termexplorer.resources import FOLDER

from termexplorer import spoken
from termexplorer.errors import UserError
from termexplorer.texts import number, tr, trn
from termexplorer.workers.explore.rank_server import Ranker
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.protocol import JobProgress
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workers.ranking.messages import Query, RankingRequest, RankingScope, Task
from termexplorer.workspace import Workspace


def say(_request: None, channel: Channel) -> None:
    channel.progress(None, tr("Reading names"))
    channel.progress(0.5, tr("{row:,} of {rows:,} texts compared", row=1_200, rows=34_000))
    channel.progress(None, trn("{n:,} class", "{n:,} classes", 1))
    channel.progress(None, number(0.125, ".1%"))
    channel.progress(None, str([name for name in sys.modules if name.startswith("PySide6.Qt")]))
    raise UserError(tr("the root {root} is not in this ontology; choose another", root="J09"))


@pytest.fixture(params=["en", "de"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    spoken.speak(request.param)
    yield request.param
    spoken.speak("en")


def test_progress_numbers_and_errors_of_a_child_are_in_its_windows_language(language: str) -> None:
    heard: list[str] = []

    def hear(message: object) -> None:
        assert isinstance(message, JobProgress)
        heard.append(message.text)

    with pytest.raises(UserError) as error:
        supervise(say, None, JobControl(), hear)
    if language == "en":
        assert heard == [
            "Reading names",
            "1,200 of 34,000 texts compared",
            "1 class",
            "12.5%",
            "[]",
        ]
        assert str(error.value) == "the root J09 is not in this ontology; choose another"
    else:
        assert heard == [
            "Bezeichnungen werden gelesen", "1.200 von 34.000 Texten verglichen", "1 Klasse",
            "12,5\N{NO-BREAK SPACE}%", "['PySide6.QtCore']",
        ]  # fmt: skip
        assert str(error.value).startswith("die Wurzel J09 ist nicht in dieser Ontologie; wählen")


def test_the_ranking_child_does_so_too(language: str, tmp_path: Path) -> None:
    Workspace(tmp_path).close()
    ranker = Ranker(tmp_path)
    message_by_language = {"en": "there is no encoder 99", "de": "es gibt keinen Encoder 99"}
    try:
        with pytest.raises(UserError, match=message_by_language[language]):
            ranker.rank(RankingRequest(Query("x"), Task.NEIGHBOURS, (99,), RankingScope((1,))))
    finally:
        ranker.close()


def test_a_translation_that_is_written_anew_changes_nothing_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = tmp_path / "translations" / "termexplorer_de.qm"
    copied.parent.mkdir()
    copied.write_bytes((FOLDER / "translations" / copied.name).read_bytes())
    monkeypatch.setattr(spoken, "FOLDER", tmp_path)
    spoken.speak("de")
    try:
        with copied.open("r+b") as file:
            file.write(bytes(copied.stat().st_size))
        assert tr("Map") == "Karte"
        spoken.speak("xx")
        assert tr("Map") == "Map"
    finally:
        spoken.speak("en")
