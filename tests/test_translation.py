"""Every text is translated: what no German was written for, and what was never marked, is told."""

import ast
import gzip
import re
import runpy
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from literal_texts import escaped
from plain_numbers import plain_numbers
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from termexplorer.resources import FOLDER

from termexplorer import texts
from termexplorer.errors import UserError
from termexplorer.importers.formats import open_importer
from termexplorer.importers.records import Note, Skipped
from termexplorer.models.rankings import similarity_text
from termexplorer.texts import (
    mark,
    mark_plural,
    number,
    read_number,
    share_text,
    short_count,
    tr,
    translated,
    trn,
)
from termexplorer.views.widgets.language import Language, set_language, speak_as_chosen
from termexplorer.views.widgets.ui_state import UiState

ROOT = Path(__file__).parent.parent
SAID = ("views", "models", "services", "workers", "store", "taxonomy", "importers", "exporters")
ALONE = (
    "app", "desk", "files", "jobs", "judging_app", "kept", "main_window", "questions", "workspace",
)  # fmt: skip
# what no window shows
UNSHOWN = {
    "demo.py",  # a command's
    "diagnosis.py",  # a report to be sent, in the language of those who read it
    "bug_report.py",  # another one
    "ci_reports.py",  # files for CI
    "markdown_comment.py",  # for a pull request
    "report_files.py",  # names of formats
    "concept_links.py",  # names of sites
}
SHOWN = [
    *(
        path
        for folder in SAID
        for path in (ROOT / "termexplorer" / folder).rglob("*.py")
        if "services" not in path.parts or path.name not in UNSHOWN
    ),
    *(ROOT / "termexplorer" / f"{name}.py" for name in ALONE),
    ROOT / "packaging" / "judge_entry.py",
]


@pytest.fixture(scope="module")
def tool() -> dict[str, Any]:
    """The functions of `packaging/translations.py`."""
    return runpy.run_path(str(ROOT / "packaging" / "translations.py"))


@pytest.fixture(scope="module")
def german_by_key(tool: dict[str, Any]) -> dict[str, Any]:
    """The German of all texts."""
    return dict(tool["german"]([]))


@pytest.mark.parametrize("path", sorted(SHOWN), ids=lambda path: str(path.relative_to(ROOT)))
def test_no_text_of_a_module_escapes_translation(
    path: Path, tool: dict[str, Any], german_by_key: dict[str, Any]
) -> None:
    wrong: list[str] = []
    all_texts = tool["collected"]([path], wrong)
    wrong += escaped(path)
    wrong += [
        f"{text.place}: no German for {text.key!r}"
        for text in all_texts
        if text.key not in german_by_key
    ]
    assert not wrong, "\n" + "\n".join(wrong)


def test_every_number_has_the_separators_of_the_language(tmp_path: Path) -> None:
    shown = tmp_path / "shown.py"
    shown.write_text('f"{n:,} of {share:.1%}, {n:>4} and {x:.0f}"\nf"{x:.{digits}f}"\n', "utf-8")
    assert [plain_number.rpartition(": ")[2] for plain_number in plain_numbers(shown)] == [
        "n as ','", "share as '.1%'", "x as '.1f'",
    ]  # fmt: skip
    wrong = [plain_number for path in SHOWN for plain_number in plain_numbers(path)]
    assert not wrong, "\n" + "\n".join(wrong)


def test_the_german_fits_the_english_and_no_other(tool: dict[str, Any]) -> None:
    wrong: list[str] = []
    all_texts, german_texts = tool["all_texts"](wrong), tool["german"](wrong)
    wrong += tool["checked"](all_texts, german_texts)
    assert not wrong, "\n" + "\n".join(sorted(wrong))


def test_what_is_loaded_is_what_was_written(tool: dict[str, Any], german: None) -> None:
    all_texts, german_texts = tool["all_texts"]([]), tool["german"]([])
    for key in all_texts.keys() & german_texts.keys():
        text, wanted = all_texts[key], german_texts[key]
        ask = texts._Spoken.ask
        assert ask
        if text.one:
            forms = [wanted, wanted] if isinstance(wanted, str) else wanted
            assert [ask(text.text, "", n) for n in (1, 2)] == forms, "run translations.py"
        else:
            assert ask(text.text, text.sense, texts.NO_NUMBER) == wanted, "run translations.py"


def test_english_needs_no_translation() -> None:
    assert tr("Opening {workspace} …", workspace="a {b}") == "Opening a {b} …"
    assert tr("a {brace}") == "a {brace}"
    assert [trn("{n:,} class", "{n:,} classes", n) for n in (0, 1, 1_200)] == [
        "0 classes",
        "1 class",
        "1,200 classes",
    ]
    assert [number(1234.5, ",.1f"), number(0.125, ".1%")] == ["1,234.5", "12.5%"]
    shares = (0, 0.0004, 0.01, 0.494, 0.9996, 1)
    assert [*map(share_text, shares)] == ["0%", "<1%", "1%", "49%", ">99%", "100%"]
    assert translated(mark("Map")) == "Map"


def test_a_count_of_one_has_words_of_its_own() -> None:
    """A text that begins with a count is spoken by `trn`, or marked by `mark_plural`."""
    wrong = [
        f"{path}:{node.lineno}: {node.args[0].value!r}"
        for path in sorted((ROOT / "termexplorer" / "importers").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("mark", "tr")
        and isinstance(node.args[0], ast.Constant)
        and re.match(r"\{(?:n|count)(?::,)?\} (?!of )", str(node.args[0].value))
    ]
    assert wrong == []
    for count, expected in ((1, "1 name is read"), (2, "2 names are read")):
        text = mark_plural("{n:,} name is read", "{n:,} names are read")
        assert translated(text, n=count) == expected


def test_counts_without_room_are_told_in_thousands() -> None:
    counts = [0, 999, 1000, 3179, 9949, 9951, 54_827, 999_499, 999_500, 1_540_000, 12_300_000]
    expected = ["0", "999", "1.0k", "3.2k", "9.9k", "10k", "55k", "999k", "1.0M", "1.5M", "12M"]
    assert [*map(short_count, counts)] == expected


def test_several_threads_are_told_at_once(german: None) -> None:
    with ThreadPoolExecutor(4) as pool:
        all_texts = pool.map(lambda n: trn("{n:,} class", "{n:,} classes", n), [1, 1_200] * 500)
        assert [*all_texts] == ["1 Klasse", "1.200 Klassen"] * 500


def test_german_is_said_and_qts_own_buttons_say_it_too(german: None) -> None:
    from PySide6.QtWidgets import QDialogButtonBox

    assert tr("Opening {workspace} …", workspace="a {b}") == "a {b} wird geöffnet …"
    assert translated(mark("Map")) == "Karte"
    assert tr("Nobody ever said this") == "Nobody ever said this"
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    assert buttons.buttons()[0].text().replace("&", "") == "Abbrechen"


def test_numbers_are_written_and_read_in_german(german: None) -> None:
    assert [number(1234567), number(-1234.5, ",.2f"), number(0.125, ".1%")] == [
        "1.234.567", "-1.234,50", "12,5\N{NO-BREAK SPACE}%",
    ]  # fmt: skip
    assert tr("{x:.3f} in {path}, {n}", x=0.5, path="a.b,c%", n=1234) == "0,500 in a.b,c%, 1234"
    assert short_count(3179) == "3,2k"
    assert share_text(0.0004) == "<1\N{NO-BREAK SPACE}%"
    assert trn("{n:,} class", "{n:,} classes", 1_200) == "1.200 Klassen"
    assert QLocale().toString(1234.5) == "1.234,5"
    assert [similarity_text(value) for value in (0.512, -0.5, 1)] == ["0,51", "−0,50", "1,00"]
    assert [read_number(text, whole=True) for text in ("1.200", "1200", "7")] == [1200, 1200, 7]
    assert [read_number(text, whole=False) for text in ("0,5", "0.5", "1e-05")] == [0.5, 0.5, 1e-5]
    for wrong in ("0.5", "1,5", "x"):
        with pytest.raises(ValueError, match="invalid"):
            read_number(wrong, whole=True)


def test_importers_say_what_is_wrong_and_what_they_counted_in_german(
    tmp_path: Path, german: None
) -> None:
    names, obo, cut = (tmp_path / name for name in ("names.txt", "a.obo", "cut.obo"))
    lines = "".join(f"D{n:06}||asthma {n}|Asthma {n}\n" for n in range(1_200))
    names.write_text(f"{lines}no bars\n", "utf-8")
    records = list(open_importer("dictionary", names).records)
    assert [record.reason for record in records if isinstance(record, Skipped)] == [
        "kein `||` in 'no bars'"
    ]
    assert [record.text for record in records if isinstance(record, Note)] == [
        "Bezeichnungen, die bis auf Großschreibung und Leerraum eine andere ihres Konzepts "
        "wiederholen, nur einmal behalten: 1.200"
    ]
    obo.write_text("format-version: 1.2\n\n[Term]\nid: A:1\nname: asthma\n", "utf-8")
    cut.write_bytes(gzip.compress(obo.read_bytes())[:-9])
    for path, wanted in (
        (cut, f"{cut} ist abgeschnitten: Die gzip-Daten enden zu früh; beschaffen Sie die Datei"),
        (obo, f"{obo} sieht aus wie eine OBO-Datei, nicht wie eine ClaML-Datei; wählen Sie das"),
    ):
        with pytest.raises(UserError) as error:
            list(open_importer("claml", path).records)
        assert str(error.value).startswith(wanted)


@pytest.fixture
def plotted(qtbot: QtBot) -> None:
    """The first plot, with which pyqtgraph gives the application children of its own."""
    from termexplorer.views.widgets.plots import Plot
    from termexplorer.views.widgets.theme import Theme

    qtbot.addWidget(Plot(Theme(QApplication.instance()), "Plot"))


def test_fields_and_axes_have_german_numbers(qtbot: QtBot, plotted: None, german: None) -> None:
    from termexplorer.services.recipes.presets import PRESETS, recipes
    from termexplorer.views.train.hyperparameters import HyperParameters
    from termexplorer.views.widgets.number_box import number_box
    from termexplorer.views.widgets.plots import Plot
    from termexplorer.views.widgets.theme import Theme

    form, box = HyperParameters(), number_box(0, 9_999, 1_200)
    plot = Plot(Theme(QApplication.instance()), "Plot")
    for widget in (form, box, plot):
        qtbot.addWidget(widget)
    for recipe, preset in product(recipes(), PRESETS):
        form.show_preset(recipe, preset)
        assert form.changes() == {}, "what is shown is read as it is"
    assert box.text() == "1.200"
    assert plot.item.getAxis("left").tickStrings([0.5, 1], 1, 0.5) == ["0,5", "1,0"]


def test_a_language_is_kept_and_the_environment_goes_before_it(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from termexplorer.views.widgets.language import VARIABLE, chosen_language, keep_language

    session = UiState.of(tmp_path, tmp_path / "settings")
    assert chosen_language(session) is Language.SYSTEM
    keep_language(session, Language.GERMAN)
    again = UiState.of(tmp_path, tmp_path / "settings")
    assert chosen_language(again) is Language.GERMAN
    try:
        speak_as_chosen(qapp, again)
        assert texts.language() == "en"  # as the environment of all tests has it
        monkeypatch.delenv(VARIABLE)
        speak_as_chosen(qapp, again)
        assert texts.language() == "de"
    finally:
        set_language(qapp, Language.ENGLISH)


def test_help_of_a_language_has_the_same_links(tool: dict[str, Any]) -> None:
    import re

    link = re.compile(r"\]\(([^)]*)\)")
    topics = {path.name for path in (FOLDER / "help").glob("*.md")}
    assert {path.name for path in (FOLDER / "help" / "de").glob("*.md")} == topics
    for path in (FOLDER / "help" / "de").glob("*.md"):
        english = path.parents[1] / path.name
        assert sorted(link.findall(path.read_text("utf-8"))) == sorted(
            link.findall(english.read_text("utf-8"))
        ), path
