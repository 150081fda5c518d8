"""The study of mappings: figures by hand, and the whole of it on two small ontologies."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from program import called
from toy_ontology import HEADER, stanza
from typer.testing import CliRunner

from termexplorer.cli.commands import app
from termexplorer.errors import UserError
from termexplorer.replicate.mapping.figures import (
    Proposal,
    draw_curve,
    find_best,
    find_bulk,
    measure_calibration,
    measure_reliability,
    sort_errors,
)
from termexplorer.workers.curate.deciding import DecidedMapping

GOLD = frozenset({("A:1", "B:1"), ("A:2", "B:2"), ("A:3", "B:3"), ("A:4", "B:4")})
PROPOSALS = [
    Proposal(("A:1", "B:1"), 0.95),
    Proposal(("A:2", "B:2"), 0.9),
    Proposal(("A:3", "B:9"), 0.9),
    Proposal(("A:4", "B:4"), 0.6),
]


def test_a_curve_has_a_point_for_each_score() -> None:
    curve = draw_curve(PROPOSALS, GOLD)
    assert [(p.score, p.precision, p.recall) for p in curve] == [
        (0.95, 1, 0.25), (0.9, 2 / 3, 0.5), (0.6, 0.75, 0.75),
    ]  # fmt: skip
    assert find_best(curve).f1 == pytest.approx(0.75)
    assert find_bulk(curve, 0.98) == 0.25
    assert find_bulk(curve, 1.1) == 0
    assert find_best(draw_curve([], GOLD)).f1 == 0


def test_calibration_is_the_distance_of_probability_and_share() -> None:
    bins = measure_reliability(PROPOSALS, GOLD)
    assert [(group.count, group.share) for group in bins] == [(1, 1), (3, pytest.approx(2 / 3))]
    error = 0.25 * 0.4 + 0.75 * abs((0.95 + 1.8) / 3 - 2 / 3)
    assert measure_calibration(bins) == pytest.approx(error)


def decision(subject: str, object_: str, predicate: str, same_name: bool = False) -> DecidedMapping:
    return DecidedMapping(subject, object_, predicate, 0.9, same_name, False, ())


def test_errors_are_sorted_by_kind() -> None:
    counts = sort_errors(
        [
            decision("A:1", "B:1", "exact"),
            decision("A:2", "B:9", "exact", same_name=True),
            decision("A:3", "B:3", "broad"),
            decision("A:4", "B:7", "none"),
            decision("A:8", "B:8", "exact"),
        ],
        GOLD,
    )
    assert {kind: count for kind, count in counts.items() if count} == {
        "right": 1, "same name": 1, "not in the gold": 1, "another decided": 1, "not exact": 1,
        "not found": 1,
    }  # fmt: skip


def make_terms(prefix: str) -> Iterator[str]:
    yield stanza(f"{prefix}:0", "disease")
    for number, organ in enumerate(("kidney", "liver", "heart", "lung"), start=1):
        yield stanza(f"{prefix}:{number}", f"{organ} disease", f"{prefix}:0")
        for i, trouble in enumerate(("failure", "abscess", "cyst", "injury", "tumour")):
            names = [f"{organ} {trouble}", f"{trouble} of {organ}"]
            if prefix == "B" and i % 2:
                names.reverse()
            yield stanza(f"{prefix}:{number}{i}", names[0], f"{prefix}:{number}", names[1])


def write_data(data: Path) -> Path:
    """Two small ontologies with curated mappings; return their folder."""
    for name in ("ontologies", "mappings"):
        (data / name).mkdir(parents=True)
    for key in "ab":
        text = HEADER.replace("ontology: toy", f"ontology: {key}")
        terms = make_terms(key.upper())
        (data / "ontologies" / f"{key}_1.obo").write_text("\n".join([text, *terms]), "utf-8")
    gold = [f"A:{n}{i}\tB:{n}{i}" for n in range(1, 5) for i in range(5)]
    lines = ["subject_id\tobject_id", *gold]
    (data / "mappings" / "a_b.exact.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    return data


def test_a_study_reports_every_way_on_the_same_pairs(tmp_path: Path) -> None:
    data = write_data(tmp_path / "data")
    peer = tmp_path / "peer.sssom.tsv"
    head = "subject_id\tpredicate_id\tobject_id\tmapping_justification\tconfidence"
    peer.write_text(f"{head}\nA:10\tskos:exactMatch\tB:10\tsemapv:LexicalMatching\t0.5\n", "utf-8")
    out = tmp_path / "out"
    words = ["replicate", "mapping", "--data", str(data), "--out", str(out), "--json"]
    done = CliRunner().invoke(app, [*words, "--matcher", str(peer)])
    assert done.exit_code == 0, done.output
    figures = {row["encoder_title"]: row for row in json.loads(done.stdout)["figures"]}
    assert {"decision", "equal names", "peer"} < set(figures)
    assert figures["decision"]["recall"] >= 0.9
    assert figures["peer"]["recall"] == pytest.approx(1 / 20)
    page = (out / "report.html").read_text("utf-8")
    assert page.count('role="img"') == 2
    with (out / "figures.csv").open(encoding="utf-8", newline="") as file:
        assert len(list(csv.DictReader(file))) == len(figures)


@pytest.mark.parametrize("words", [[], ["--data", "nowhere"]])
def test_what_the_study_needs_is_told(words: list[str], tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["replicate", "mapping", "--out", str(tmp_path / "o"), *words])
    assert isinstance(done.exception, UserError)
    assert "mappings" in str(done.exception)


def test_workers_come_to_the_figures_of_one_machine(tmp_path: Path) -> None:
    data, out = write_data(tmp_path / "data"), tmp_path / "shared"
    words = ("replicate", "mapping", "--data", data, "--json", "--out")
    alone = called(*words, tmp_path / "alone")
    assert alone.returncode == 0, alone.stderr
    prepared = called(*words, out, "--prepare")
    assert json.loads(prepared.stdout)["counts"]["open"] == 3
    done = called("work", out, "--workers", 2, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["counts"]["done"] == 3
    together = called(*words, out)
    figures = [json.loads(x.stdout)["figures"] for x in (alone, together)]
    assert figures[0] == figures[1]
    texts = [(folder / "proposals.json").read_bytes() for folder in (tmp_path / "alone", out)]
    assert texts[0] == texts[1]
    gold = data / "mappings" / "a_b.exact.tsv"
    gold.write_text(gold.read_text("utf-8") + "A:1\tB:1\n", "utf-8")
    other = called(*words, out)
    assert other.returncode == 1
    assert "other data or settings" in other.stderr.replace("\n", " ")
