"""What a study's folder is of: it goes on with the same data, and with nothing else."""

import csv
import json
import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from replicate_toy import PAIRS, forget_tasks, run, toy_study, write_other
from toy_ontology import stanza

from termexplorer.errors import UserError
from termexplorer.replicate.contents import content_hash
from termexplorer.replicate.studies import AskedStudy, Report, replicate
from termexplorer.services.encoders.encoders import list_encoders
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.workers.process.supervision import Cancelled, JobControl
from termexplorer.workspace import Workspace


@pytest.fixture
def study(tmp_path: Path) -> AskedStudy:
    """A small study that nothing was done for yet."""
    return toy_study(tmp_path, "FSL", seeds=1)


def pieces(messages: list[str]) -> list[str]:
    """Those that were run, of all that was said."""
    return [text for text in messages if text.startswith("untrained") or "sample" in text]


def of_pairs(study: AskedStudy) -> AskedStudy:
    """A study of pair sets in the same folder."""
    changes = {"pairs": 8, "names": 20}
    return replace(study, paper="MTS", benchmarks=(), seeds=None, shots=(), changes=changes)


def test_another_benchmark_of_the_same_name_is_another_study(
    study: AskedStudy, tmp_path: Path
) -> None:
    run(study)
    other = tmp_path / "other" / study.benchmarks[0].name
    other.parent.mkdir()
    other.write_text("\n".join(reversed(PAIRS[1:])) + "\n", encoding="utf-8")
    with pytest.raises(UserError, match="another --out"):
        run(replace(study, benchmarks=(other,)))


def test_ids_of_a_workspace_do_not_tell_what_a_study_is_of(study: AskedStudy) -> None:
    run(study)
    (study.out / "made.json").unlink()  # all is imported and opened again, under other ids
    _, messages = run(study)
    assert not pieces(messages)


def test_what_was_made_is_gone_on_with_wherever_its_study_is(
    study: AskedStudy, tmp_path: Path
) -> None:
    run(study)
    out = shutil.copytree(study.out, tmp_path / "copy")
    _, messages = run(replace(study, out=out))
    assert not pieces(messages)
    with closing(Workspace(out / "workspace")) as workspace:
        assert len(list_ontologies(workspace)) == 1
        assert (
            len([encoder for encoder in list_encoders(workspace) if encoder.kind == "untrained"])
            == 1
        )


@pytest.mark.parametrize("source", ["ontology", "vectors"])
def test_a_file_that_changed_is_read_again(study: AskedStudy, source: str) -> None:
    run(study)
    path = Path(study.ontologies[0] if source == "ontology" else study.vectors)
    text = path.read_text("utf-8")
    path.write_text(text.replace("lung", "limb"), encoding="utf-8")
    with pytest.raises(UserError, match="another --out"):
        run(study)
    path.write_text(text, encoding="utf-8")
    _, messages = run(study)
    assert not pieces(messages)


def test_a_workspace_that_was_removed_is_made_anew(study: AskedStudy, tmp_path: Path) -> None:
    other = write_other(tmp_path)
    study = replace(study, ontologies=(*study.ontologies, str(other)))
    run(study)
    shutil.rmtree(study.out / "workspace")
    _, messages = run(study)
    assert not pieces(messages)
    shutil.rmtree(study.out / "workspace")
    with pytest.raises(UserError, match="another --out"):
        run(replace(study, ontologies=study.ontologies[::-1]))
    shutil.rmtree(study.out / "workspace")
    _, messages = run(study)  # the id of one is now that of the other
    assert not pieces(messages)


def test_a_folder_is_known_by_all_files_in_it(tmp_path: Path) -> None:
    inner = tmp_path / "release" / "inner"
    inner.mkdir(parents=True)
    (inner / "one.txt").write_text("1", encoding="utf-8")
    before = content_hash(tmp_path / "release")
    assert before == content_hash(shutil.copytree(tmp_path / "release", tmp_path / "copy"))
    (inner / "one.txt").write_text("2", encoding="utf-8")
    assert before != content_hash(tmp_path / "release")
    with pytest.raises(UserError, match="none: cannot be read"):
        content_hash(tmp_path / "none")


def encoders(report: Report) -> set[str]:
    """What the figures are of, the untrained vectors aside."""
    return {figure["encoder"] for figure in report.figures} - {"untrained mean"}


def test_what_is_named_twice_counts_once(study: AskedStudy, tmp_path: Path) -> None:
    copy = shutil.copy(study.ontologies[0], tmp_path / "copy.obo")
    report, _ = run(replace(study, ontologies=(*study.ontologies * 2, str(copy))))
    assert encoders(report) == {"toy 2026-01-01"}
    below = replace(study, out=tmp_path / "below", roots=("TOY:0", "TOY:0"))
    report, _ = run(below)
    assert encoders(report) == {"toy 2026-01-01, disease"}


def test_ontologies_of_one_label_are_told_apart_by_their_files(study: AskedStudy) -> None:
    first = Path(study.ontologies[0])
    other = first.with_name("later.obo")
    more = stanza("TOY:9001", "heart failure", "TOY:2")
    other.write_text(f"{first.read_text('utf-8')}\n{more}", encoding="utf-8")
    report, _ = run(replace(study, ontologies=(str(first), str(other))))
    earlier, later = "toy 2026-01-01 (toy.obo)", "toy 2026-01-01 (later.obo)"
    assert encoders(report) == {earlier, later, f"{earlier} → {later}", f"{later} → {earlier}"}
    (first.parent / "again").mkdir()
    same = shutil.move(other, first.parent / "again" / first.name)
    with pytest.raises(UserError, match=r"two ontologies are called toy 2026-01-01 \(toy\.obo\)"):
        run(replace(study, out=first.parent / "next", ontologies=(str(first), str(same))))


def test_roots_of_one_name_are_told_apart_by_their_ids(study: AskedStudy) -> None:
    path = Path(study.ontologies[0])
    text = path.read_text("utf-8").replace("name: disease\n", "name: disease\nis_a: TOY:8000\n")
    path.write_text(f"{text}\n{stanza('TOY:8000', 'disease')}", encoding="utf-8")
    report, _ = run(replace(study, roots=("TOY:0", "TOY:8000")))
    first, second = (f"toy 2026-01-01, disease ({curie})" for curie in ("TOY:0", "TOY:8000"))
    assert encoders(report) == {first, second, f"{first} → {second}", f"{second} → {first}"}


def test_one_process_at_a_time_runs_a_study_in_a_folder(study: AskedStudy) -> None:
    refused = []

    def try_too(message: object) -> None:
        if not refused and "sample" in getattr(message, "text", ""):
            with pytest.raises(UserError) as error:
                run(study)
            refused.append(str(error.value))

    replicate(study, JobControl(), try_too)
    assert refused == [
        f"{study.out}: a study is running there already; wait for it, or choose another --out"
    ]
    run(study)  # the right is given back


def test_a_first_try_that_came_to_nothing_does_not_occupy_the_folder(study: AskedStudy) -> None:
    with pytest.raises(UserError, match="leave --root out"):
        run(replace(of_pairs(study), roots=("TOY:1",)))
    report, _ = run(study)
    assert encoders(report) == {"toy 2026-01-01"}


def test_what_a_study_left_begun_is_not_gone_on_with_by_another(study: AskedStudy) -> None:
    control = JobControl()

    def stop(message: object) -> None:
        if "epoch 1" in getattr(message, "text", ""):
            control.cancel()

    with pytest.raises(Cancelled):
        replicate(replace(study, changes={"hidden": 16, "maximum_epochs": 200}), control, stop)
    assert list((study.out / "runs").iterdir())
    forget_tasks(study.out)
    report, _ = run(replace(study, changes={"hidden": 8, "maximum_epochs": 2}))
    assert encoders(report) == {"toy 2026-01-01"}


def test_pair_sets_of_another_ontology_are_not_in_the_way(
    study: AskedStudy, tmp_path: Path
) -> None:
    pairs = of_pairs(study)
    run(pairs)
    forget_tasks(study.out)
    (study.out / "results.jsonl").unlink()  # as is advised
    report, _ = run(replace(pairs, ontologies=(str(write_other(tmp_path)),)))
    assert {figure["ontology"] for figure in report.figures} == {"other 2026-01-01"}


def test_what_is_left_of_a_wider_study_does_not_count(study: AskedStudy) -> None:
    run(replace(study, seeds=2, shots=(2, 3)))
    _, messages = run(study)
    assert not pieces(messages)
    with (study.out / "samples.csv").open(encoding="utf-8", newline="") as file:
        samples = [(row["shots"], row["sample"]) for row in csv.DictReader(file)]
    assert samples == [("3", "0")]
    lines = [json.loads(x) for x in (study.out / "results.jsonl").read_text("utf-8").splitlines()]
    assert len(lines) == 1 + 1 + 4  # all are kept
    wide = {**lines[-1], "key": ["toy 2026-01-01", 15, 0], "facts": {**lines[-1]["facts"]}}
    wide["facts"]["seconds"] = 3_600_000.0
    forget_tasks(study.out)
    with (study.out / "results.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(wide) + "\n")
    run(study)
    assert "; 0 minutes in all" in (study.out / "report.html").read_text("utf-8")


def test_what_was_written_is_read_whatever_its_names_hold(study: AskedStudy) -> None:
    odd = study.benchmarks[0].with_name("p\u2028q.tsv")  # where str.splitlines parts a line
    study = replace(study, benchmarks=(study.benchmarks[0].rename(odd),))
    run(study)
    assert not pieces(run(study)[1])
    with pytest.raises(UserError, match="another --out"):
        run(replace(study, changes={**study.changes, "hidden": 17}))


def test_a_damaged_line_is_told_and_nothing_is_lost(study: AskedStudy) -> None:
    run(study)
    file = study.out / "results.jsonl"
    text = file.read_text("utf-8")
    forget_tasks(study.out)
    for damaged, line in (("{" + text, 1), (text.replace('"key"', "key", 1), 2)):
        file.write_text(damaged, "utf-8")
        with pytest.raises(UserError, match=rf"results\.jsonl: line {line} is damaged; mend or"):
            run(study)
        assert file.read_text("utf-8") == damaged
        forget_tasks(study.out)
    file.write_text(text + '{"key":', "utf-8")  # by a process that was killed
    assert not pieces(run(study)[1])


def test_a_folder_that_cannot_be_written_to_is_told(study: AskedStudy) -> None:
    lock = study.out / "study.lock"
    lock.mkdir(parents=True)
    with pytest.raises(UserError, match="out: cannot be written to; choose another --out"):
        run(study)
    lock.rmdir()
    (study.out / "runs").write_text("in the way", encoding="utf-8")
    with pytest.raises(UserError, match=r"runs.*: cannot be used \(.*run the study again"):
        run(study)
    (study.out / "runs").unlink()
    _, messages = run(study)
    assert pieces(messages)
    assert not any("untrained" in text for text in messages)


def test_pieces_that_are_nested_without_an_end_are_one_error(study: AskedStudy) -> None:
    study.out.mkdir()
    (study.out / "results.jsonl").write_text(f"{{}}\n{'[' * 100_000}\n", "utf-8")
    with pytest.raises(UserError, match="line 2 is damaged"):
        run(study)
