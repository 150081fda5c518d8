"""The report of a study of three annotators, as figures and as a page."""

import json
import re
import shutil
from collections import Counter
from hashlib import sha256
from html import unescape
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from pypdf import PdfReader
from toy_studies import ANNA, BEN, SEEN, make, opened, pool, rated
from toy_workspace import import_synonyms
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.services.pairs.sampling import PairPool
from termexplorer.services.studies.adjudication.deciding import decide
from termexplorer.services.studies.adjudication.decisions import Decision
from termexplorer.services.studies.adjudication.disputed_pairs import disputed
from termexplorer.services.studies.judging import Judging
from termexplorer.services.studies.presets import find_scale
from termexplorer.services.studies.studies import StudyPlan, new_study
from termexplorer.workspace import Workspace

EVIL = "<script>alert('x')</script>"
CLEO = f"Cleo {EVIL}"
ASKED = (ANNA, BEN, CLEO)
JACCARD = 2


def by_chance(annotator: str, left: str, right: str) -> int:
    """A digit that does not depend on which term is at the left."""
    text = "|".join((annotator, *sorted((left, right))))
    return int(sha256(text.encode()).hexdigest(), 16) % 10


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of three annotators, one of whose sets, and everything else, means harm."""
    workspace_folder = tmp_path_factory.mktemp("study") / "workspace"
    with opened(workspace_folder) as workspace:
        plan = StudyPlan(f"Study {EVIL}", ASKED, find_scale("same"), 8, 2, 0.25, seed=1)
        terms = [f"heart {n} {EVIL}" for n in range(24)]
        other_terms = [f"heart {n} {'of ' * 3}" if n < 12 else f"liver {n + 50}" for n in range(24)]
        evil = PairPool(EVIL, terms, other_terms, [float(n < 12) for n in range(24)])
        study_id = new_study(workspace, plan, [pool("one", 12, 12), evil]).id
        for annotator in ASKED:
            judge_all(workspace, study_id, annotator)
        disputed_pairs = disputed(workspace, study_id)
        assert len(disputed_pairs) > 1
        for disputed_pair, answer in zip(disputed_pairs, ("same", "don't know"), strict=False):
            decision = Decision(f"Dora {EVIL}", answer, f"for {EVIL}", "", True)
            decide(workspace, study_id, disputed_pair.number, decision)
    return workspace_folder


def judge_all(workspace: Workspace, study_id: int, annotator: str) -> None:
    judging = Judging(workspace, study_id, annotator)
    for turn in judging.turns:
        terms = turn.left, turn.right
        similar = any(" s" in term or term.endswith("of ") for term in terms)
        digit = by_chance(annotator, *terms)
        answer = "same" if similar != (digit < 3) else "not same"
        judging.judge(turn, "don't know" if digit > 7 else answer, SEEN)


class Page(HTMLParser):
    """What a browser would see."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.words: list[str] = []
        self.outside: list[str] = []
        self.scopes: Counter[str | None] = Counter()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        attribute_by_name = dict(attributes)
        self.tags[tag] += 1
        self.outside += [
            name for name in ("src", "href", "onload", "onerror") if name in attribute_by_name
        ]
        if tag == "th":
            self.scopes[attribute_by_name.get("scope")] += 1

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def report(folder: Path, *words: str) -> tuple[dict[str, Any], Page]:
    out = folder.parent / "report.html"
    command = ["study", "report", "1", "--out", str(out), *words, "--json"]
    done = CliRunner().invoke(app, [*command, "--workspace", str(folder)])
    if done.exception is not None:
        raise done.exception
    return json.loads(done.stdout), Page(out)


def votes_of(folder: Path, study_id: int = 1) -> list[tuple[Any, list[str], float]]:
    """Each pair with the first answers that it has got, told by the verdicts that were exported."""
    out = folder.parent / "verdicts.jsonl"
    command = ["verdicts", "export", "--study", str(study_id), "--out", str(out)]
    assert CliRunner().invoke(app, [*command, "--workspace", str(folder)]).exit_code == 0
    answers_by_terms: dict[Any, list[str]] = {}
    for line in out.read_text("utf-8").splitlines():
        row = json.loads(line)
        if row["showing"] == 1 and not json.loads(row["details"])["practice"]:
            answers_by_terms.setdefault((row["subject"], row["object"]), []).append(row["answer"])
    similar = {
        terms: float(any(" s" in term or term.endswith("of ") for term in terms))
        for terms in answers_by_terms
    }
    return [(terms, answers, similar[terms]) for terms, answers in answers_by_terms.items()]


def naive_truth(folder: Path, decided: dict[Any, str]) -> dict[Any, str | None]:
    truth: dict[Any, str | None] = {}
    for terms, answers, _ in votes_of(folder):
        most, count = Counter(a for a in answers if a != "don't know").most_common(1)[0]
        truth[terms] = most if 2 * count > len(answers) else decided.get(terms)
    return truth


def test_the_figures_are_those_of_the_verdicts(folder: Path) -> None:
    content, _ = report(folder)
    assert (content["pairs_judged"], len(content["decisions"])) == (32, 2)
    decided = {tuple(decision["terms"]): decision["answer"] for decision in content["decisions"]}
    truth = naive_truth(folder, {k: v for k, v in decided.items() if v != "don't know"})
    without = naive_truth(folder, {})
    assert content["without_majority"] == sum(answer is None for answer in without.values())
    assert content["without_truth"] == sum(answer is None for answer in truth.values())
    assert content["no_majority"] == content["without_majority"] / 32
    (own_labels,) = content["labels"]
    label = {terms: "same" if similar else "not same" for terms, _, similar in votes_of(folder)}
    known = [terms for terms, answer in truth.items() if answer is not None]
    right = {terms: label[terms] == truth[terms] for terms in known}
    figures = {figure["metric"]: figure for figure in own_labels["figures"]}
    assert figures["accuracy"]["value"] == pytest.approx(sum(right.values()) / len(known))
    for metric, side in (("recall", truth), ("precision", label)):
        counted = [right[terms] for terms in known if side[terms] == "same"]
        assert figures[metric]["value"] == pytest.approx(sum(counted) / len(counted))
        assert figures[metric]["n"] == len(counted)
    assert {pair_set["set"] for pair_set in own_labels["sets"]} == {"one", EVIL}
    raw = {comparison["metric"]: comparison for comparison in own_labels["compared"]}["agreement"]
    couples = []
    answers = {terms: row_answers for terms, row_answers, _ in votes_of(folder)}
    for first, second in combinations(range(3), 2):
        both = [(row_answers[first], row_answers[second]) for row_answers in answers.values()]
        rated = [a == b for a, b in both if "don't know" not in (a, b)]
        couples.append(sum(rated) / len(rated))
    assert raw["raters"]["value"] == pytest.approx(sum(couples) / 3)


def test_an_encoder_at_its_best_threshold_stands_beside_the_doctors(folder: Path) -> None:
    content, page = report(folder, "--encoder", str(JACCARD))
    own_labels, encoder = content["labels"]
    assert (own_labels["encoder"], encoder["encoder"], encoder["unlabelled"]) == (None, JACCARD, 0)
    figures = {figure["metric"]: figure["value"] for figure in encoder["figures"]}
    assert 0 < encoder["threshold"] < 1
    assert 0 < figures["auc"] < 1
    assert figures["accuracy"] >= 0.5  # as one label for all, the more frequent one, would have
    for comparison in encoder["compared"]:
        difference = comparison["labels"]["value"] - comparison["raters"]["value"]
        assert comparison["difference"]["value"] == pytest.approx(difference)
        assert comparison["difference"]["low"] <= difference <= comparison["difference"]["high"]
    assert "Encoders" in page.words
    assert any("with each other" in word for word in page.words)


def test_the_report_says_how_each_interval_was_made(folder: Path) -> None:
    content, _ = report(folder, "--encoder", str(JACCARD))
    page = (folder.parent / "report.html").read_text("utf-8")
    tables = {
        re.sub(r"<[^>]*>", "", parts[0]).split(". ", 1)[1]: parts[1]
        for parts in re.findall(r"<caption>(.*?)</caption>(.*?)</div>", page, re.DOTALL)
    }

    def note(of: str) -> str:
        (table_text,) = [text for caption, text in tables.items() if caption.startswith(of)]
        return " ".join(re.findall(r"<small>([^<]*95 % intervals[^<]*)</small>", table_text))

    assert "DeLong" in note("Labels of encoders")
    assert "Clopper and Pearson" in note("Labels of encoders")
    assert "bootstrap" not in note("Labels of encoders")
    assert "Clopper and Pearson" in note("Not rated")
    assert "percentile bootstrap" in note("Agreement of all annotators")
    (methods,) = [
        {figure["metric"]: figure["method"] for figure in of["figures"]}
        for of in content["labels"][1:]
    ]
    assert methods["auc"] == "DeLong"
    assert methods["recall"] == "exact"


def test_the_page_stands_by_itself_and_runs_nothing(folder: Path) -> None:
    _, page = report(folder, "--encoder", str(JACCARD))
    assert page.tags["script"] == page.tags["img"] == page.tags["link"] == 0
    assert page.outside == []
    for part in (f"Study: Study {EVIL}", EVIL, CLEO, f"Dora {EVIL}", f"for {EVIL}"):
        assert part in page.words
    assert page.scopes[None] == 0
    assert page.scopes["col"] > 0 < page.scopes["row"]
    assert page.tags["caption"] >= page.tags["table"] - 1
    assert page.tags["svg"] == 2  # alpha of each set, and ROC curves
    assert any(
        "The ground truth is the decision of an adjudicator on 2 pairs" in w for w in page.words
    )


def test_what_is_undefined_says_why(tmp_path: Path) -> None:
    with opened(tmp_path / "workspace") as workspace:
        study_id = make(workspace, repeat=0)
        judging = Judging(workspace, study_id, ANNA)
        for turn in judging.turns:
            judging.judge(turn, "same", SEEN)
    content, page = report(tmp_path / "workspace", "--encoder", str(JACCARD))
    assert content["alpha"] is None
    assert content["labels"][1]["undefined"] == "none of the 8 covered pairs is a dissimilar one"
    text = " ".join(page.words)
    assert "no item has two ratings" in text
    assert "none of the 8 covered pairs is a dissimilar one" in text
    assert "No pair was shown twice." in text
    assert "no decision was taken" in text


def test_a_scale_of_numbers_has_no_table_three_and_no_encoders(tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    with opened(folder) as workspace:
        rated(workspace)
    content, page = report(folder)
    assert content["labels"] == []
    assert any("the pairs came without labels" in word for word in page.words)
    with pytest.raises(UserError, match="leave the encoders out"):
        report(folder, "--encoder", str(JACCARD))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["1", "--out", "report.docx"], "name the file .html or .pdf"),
        (["1", "--out", "nowhere/report.html"], "there is no folder nowhere"),
        (["7", "--out", "report.html"], "7: no such study"),
        (["1", "--out", "report.html", "--encoder", "99"], "99"),
    ],
)
def test_what_cannot_be_reported(
    folder: Path,
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["study", "report", *words, "--workspace", str(folder)])
    assert isinstance(done.exception, UserError)
    assert message in str(done.exception)
    assert not list(tmp_path.iterdir())


def test_a_pdf_has_what_the_page_has_with_numbers_of_pages(folder: Path) -> None:
    _, page = report(folder, "--encoder", str(JACCARD))
    out = folder.parent / "report.pdf"
    words = ["study", "report", "1", "--out", str(out), "--encoder", str(JACCARD)]
    assert CliRunner().invoke(app, [*words, "--workspace", str(folder)]).exit_code == 0
    pages = ["".join(shown_page.extract_text().split()) for shown_page in PdfReader(out).pages]
    for number, text in enumerate(pages, 1):
        assert f"{number}of{len(pages)}" in text
    pages = [text.replace("\u200b", "") for text in pages]  # where a long word may be broken
    shown_words = [
        "".join(word.split()) for word in page.words if "--ground" not in word
    ]  # the style
    assert len(shown_words) > 100
    missing = [word for word in shown_words if word not in "".join(pages)]
    assert [word for word in missing if ":0." not in word] == []  # what a chart tells the mouse


def tables_of(path: Path) -> dict[str, list[list[str]]]:
    """The cells of each table of a page, by its caption."""
    tables = {}
    for table_html in re.findall(r"<table.*?</table>", path.read_text("utf-8"), re.DOTALL):
        caption = re.search(r"<caption>(.*?)</caption>", table_html, re.DOTALL)
        assert caption is not None, table_html[:200]
        rows = re.findall(r"<tr.*?</tr>", table_html, re.DOTALL)
        tables[unescape(caption[1])] = [
            [
                unescape(re.sub(r"<[^>]*>", "", cell)).strip()
                for cell in re.findall(r"<t[dh].*?</t[dh]>", row, re.DOTALL)
            ]
            for row in rows
        ]
    return tables


def test_answers_are_counted_and_disagreements_listed_with_comments(tmp_path: Path) -> None:
    folder = tmp_path / "workspace"
    with opened(folder) as workspace:
        study_id = make(workspace, practice=0, repeat=0)
        answers_by_terms: dict[frozenset[str], list[str]] = {}
        for annotator, answers in ((ANNA, ("same", "not same")), (BEN, ("same", "don't know"))):
            judging = Judging(workspace, study_id, annotator)
            for number, turn in enumerate(sorted(judging.turns, key=lambda t: sorted(t.left))):
                answer = answers[turn.left.count(" d")]
                note = f"a comment {number}" if annotator == BEN else ""
                judging.judge(turn, answer, SEEN, note=note)
                answers_by_terms.setdefault(frozenset((turn.left, turn.right)), []).append(answer)
    report(folder)
    tables = tables_of(folder.parent / "report.html")
    assert [caption.split(". ")[0] for caption in tables] == [
        f"Table {number}" for number in range(1, len(tables) + 1)
    ]
    by_kind = {caption.split(". ", 1)[1]: rows for caption, rows in tables.items()}
    counts = next(rows for caption, rows in by_kind.items() if "gave each answer" in caption)
    assert counts[1:] == [[ANNA, "4", "4", "0", "8"], [BEN, "4", "0", "4", "8"]]
    confusion = next(rows for caption, rows in by_kind.items() if "(columns)" in caption)
    assert confusion[1:] == [
        ["same", "4", "0", "0", "4"], ["not same", "0", "0", "4", "4"],
        ["don't know", "0", "0", "0", "0"], ["all", "4", "0", "4", "8"],
    ]  # fmt: skip
    differing = next(rows for caption, rows in by_kind.items() if "different answers" in caption)
    assert {frozenset(row[:2]) for row in differing[1:]} == {
        terms for terms, answers in answers_by_terms.items() if len(set(answers)) > 1
    }
    assert all(row[3:5] == ["not same", "don't know"] for row in differing[1:])
    assert all(row[5].startswith(f"{BEN}: a comment ") for row in differing[1:])


def test_the_report_tells_release_rules_and_sets_in_words(tmp_path: Path, toy: Path) -> None:
    folder, sets = tmp_path / "workspace", tmp_path / "sets"
    shutil.copytree(toy, folder)
    workspace_option = ["--workspace", str(folder)]
    sources = ["--sources", "synonym_synonym", "--negatives", "random"]
    with opened(folder) as workspace:
        import_synonyms(workspace, tmp_path)
    for words in (
        ["pairs", "make", "--ontology", "2", "--out", str(sets), *sources,
         "--without-ancestors"],
        ["study", "new", "--pairs", str(sets), "--title", "Sets", "--each", "2", "--practice",
         "0", "--annotator", ANNA, "--annotator", BEN],
    ):  # fmt: skip
        done = CliRunner().invoke(app, [*words, *workspace_option])
        assert done.exit_code == 0, done.output + repr(done.exception)
    with opened(folder) as workspace:
        for annotator in (ANNA, BEN):
            judging = Judging(workspace, 1, annotator)
            for turn in judging.turns:
                judging.judge(turn, "same", SEEN)
    report(folder)
    message = " ".join(cell for rows in tables_of(folder.parent / "report.html").values()
                    for row in rows for cell in row)  # fmt: skip
    assert "content hash" in message
    assert "Easy up to an edit distance of 5" in message
    assert "drawn at random; none of concepts of which one is below the other" in message
    assert "synonym – synonym, " in message
    assert "synonym_synonym" not in message
    (drawn,) = [rows[0] for caption, rows in tables_of(folder.parent / "report.html").items()
                if "drawn from each set" in caption]  # fmt: skip
    assert drawn == ["set", "asked for", "similar", "dissimilar"]


def test_rules_that_were_not_recorded_are_said_to_be_none(folder: Path) -> None:
    report(folder)
    rows = {
        row[0]: row[1]
        for rows in tables_of(folder.parent / "report.html").values()
        for row in rows
        if len(row) == 2
    }
    assert rows["Release"] == rows["Rules of the pair sets"] == "not recorded"


def test_figures_are_files_too_at_300_dpi_with_areas_in_the_legend(folder: Path) -> None:
    out = folder.parent / "with figures.pdf"
    words = ["study", "report", "1", "--out", str(out), "--encoder", str(JACCARD), "--figures"]
    done = CliRunner().invoke(app, [*words, "--json", "--workspace", str(folder)])
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    figures_folder = folder.parent / "with figures-figures"
    names = [f"figure-{n}.{ending}" for n in (1, 2) for ending in ("svg", "pdf", "png")]
    assert [Path(figure) for figure in answer["figures"]] == [
        figures_folder / name for name in names
    ]
    area = {figure["metric"]: figure["value"] for figure in answer["labels"][1]["figures"]}["auc"]
    curve = (figures_folder / "figure-2.svg").read_text("utf-8")
    assert f"AUC {area:.3f}" in curve
    assert "false positive rate" in curve
    assert "true positive rate" in curve
    for number in (1, 2):
        header = (figures_folder / f"figure-{number}.png").read_bytes()
        at = header.index(b"pHYs") + 4
        across, up = int.from_bytes(header[at : at + 4]), int.from_bytes(header[at + 4 : at + 8])
        assert [round(dots * 0.0254) for dots in (across, up)] == [300, 300]
        assert len(PdfReader(figures_folder / f"figure-{number}.pdf").pages) == 1
