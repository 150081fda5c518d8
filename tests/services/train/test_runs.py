import json
import threading
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from toy_workspace import DAN, FEW_SHOT, LEXICAL, TRAINED, VECTORS, quiet, train

from termexplorer.errors import UserError
from termexplorer.services.encoders.encoders import list_encoders
from termexplorer.services.levels.lens import open_lens
from termexplorer.services.recipes.run_requests import LevelChoice, RunRequest, SplitRule, add_run
from termexplorer.services.train import training
from termexplorer.services.train.runs import (
    check_deletion,
    claimed_run,
    delete_run,
    find_run,
    list_runs,
    mark_interrupted,
    note_run,
    run_details,
)
from termexplorer.services.train.training import EpochDone, train_run
from termexplorer.store.database.process_lock import ProcessLock
from termexplorer.store.encoders import runs as queries
from termexplorer.store.encoders.infos import encoder as kept_encoder
from termexplorer.store.releases.corpus import release_names
from termexplorer.workers.data.trained_names import trained_names
from termexplorer.workers.process.supervision import Cancelled, Crashed, JobControl
from termexplorer.workspace import Workspace

LONG = {"hidden": 32, "maximum_epochs": 1000, "minimum_epochs": 1000}


def few_shot(**changes: object) -> RunRequest:
    return replace(FEW_SHOT, **changes)  # type: ignore[arg-type]


def dan(**changes: object) -> RunRequest:
    return replace(DAN, **changes)  # type: ignore[arg-type]


def test_a_run_leaves_an_encoder_its_card_and_figures(with_run: Workspace) -> None:
    train(with_run, dan())
    runs, encoders = list_runs(with_run)[::-1], list_encoders(with_run)[-2:]
    assert [run.recipe for run in runs] == ["few-shot", "dan"]
    for run, encoder in zip(runs, encoders, strict=True):
        assert run.status == "finished"
        assert (encoder.id, encoder.kind, encoder.input_id) == (run.encoder_id, "trained", VECTORS)
        details = run_details(with_run, run.id)
        assert [epoch.number for epoch in details.epochs] == list(range(1, len(details.epochs) + 1))
        assert run.card["best_epoch"] in {0, *(epoch.number for epoch in details.epochs)}
        assert len(run.card["classes"]) == 4
        assert {"data_hash", "device", "versions", "split", "hyperparameters"} <= set(run.card)
        measured = {(f.encoder_id, f.task, f.metric) for f in details.figures}
        for encoder_id in (encoder.id, VECTORS):
            assert (encoder_id, "ranking", "mAP") in measured
            assert (encoder_id, "hypernyms", "MRR") in measured
        assert all(f.low <= f.value <= f.high for f in details.figures)
        assert {evaluation.task for evaluation in details.evaluations} == {
            f.task for f in details.figures
        }
        for evaluation in details.evaluations:
            compared = {LEXICAL, VECTORS, encoder.id}
            assert {f.encoder_id for f in evaluation.figures} == compared
            couples = {frozenset((d.first_id, d.second_id)) for d in evaluation.differences}
            assert couples == {frozenset(two) for two in combinations(compared, 2)}
        json.dumps(asdict(details))


def test_the_same_request_gives_the_same_figures_and_shares_the_split(
    with_run: Workspace,
) -> None:
    train(with_run, few_shot())
    first, second = (run_details(with_run, run.id) for run in list_runs(with_run))
    assert first.run.split_id == second.run.split_id
    assert [e.validation for e in first.epochs] == [e.validation for e in second.epochs]
    figures = [
        {
            (f.task, f.metric): (f.value, f.low, f.high)
            for f in details.figures
            if f.encoder_id == details.run.encoder_id
        }
        for details in (first, second)
    ]
    assert figures[0] == figures[1]


def test_dan_runs_on_two_levels_share_their_held_out_names(workspace: Workspace) -> None:
    first_run = train(workspace, dan())
    two = train(workspace, dan(choice=LevelChoice(level=2, depth=3)))
    assert first_run.split_id == two.split_id
    assert first_run.card["classes"].keys() != two.card["classes"].keys()


def test_few_shot_takes_k_names_of_each_class(with_run: Workspace) -> None:
    assert find_run(with_run, 1).card["split"] == {"train": 20, "validation": 20, "test": 20}


def test_names_on_the_level_are_never_trained_on(workspace: Workspace) -> None:
    run = train(workspace, few_shot(rule=SplitRule("few-shot", shots=30)))
    with workspace.store.reading() as connection:
        trained = trained_names(connection, [run.encoder_id or 0])
        names = release_names(connection, 1)
    texts = {text for i, text in zip(names.ids, names.texts, strict=True) if int(i) in trained}
    assert len(texts) == 120
    assert not {"lung disease", "disease of the lung", "disease"} & texts


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (few_shot(choice=LevelChoice.for_recipe("few-shot", level=6)), "level 6 is empty"),
        (dan(choice=LevelChoice(level=1, depth=9)), "empty"),
        (few_shot(choice=LevelChoice.for_recipe("few-shot", root="TOY:1", level=4)), "empty|names"),
        (few_shot(choice=LevelChoice.for_recipe("few-shot", root="X:1")), "X:1 is not in"),
    ],
)
def test_what_cannot_be_trained_on_is_said_and_kept_with_the_run(
    workspace: Workspace, request_: RunRequest, message: str
) -> None:
    with pytest.raises(UserError, match=message):
        train(workspace, request_)
    (run,) = list_runs(workspace)
    assert run.status == "failed"
    assert run.error.template != "{text}"  # which a window says in its own language


def test_a_class_needs_two_names(workspace: Workspace) -> None:
    choice = LevelChoice.for_recipe("few-shot", level=4)
    assert open_lens(workspace, 1, choice).view(choice).summary.max == 2
    capped = replace(choice, cap=1)
    with pytest.raises(UserError, match="no class on level 4 has two names"):
        train(workspace, few_shot(choice=capped))


def test_what_is_not_there_is_refused_before_a_run_is_added(workspace: Workspace) -> None:
    for wrong, message in (
        (few_shot(vectors_id=9), "no encoder 9"),
        (few_shot(vectors_id=LEXICAL), "TF-IDF #1 is lexical"),
        (few_shot(preset="slow"), "no preset 'slow'"),
        (few_shot(hyperparameters={"hiden": 3}), "no hyper-parameter 'hiden'"),
        (few_shot(hyperparameters={"hidden": "many"}), "must be like"),
    ):
        with pytest.raises(UserError, match=message):
            add_run(workspace, wrong)
    assert list_runs(workspace) == []


def after_epochs(count: int, act: Callable[[], None]) -> Callable[[object], None]:
    def on_message(message: object) -> None:
        if isinstance(message, EpochDone) and message.epoch.number == count:
            act()

    return on_message


def test_stop_keeps_the_best_epoch(workspace: Workspace) -> None:
    control = JobControl()
    run_id = add_run(workspace, few_shot(hyperparameters=LONG))
    run = train_run(workspace, run_id, control, after_epochs(5, control.stop))
    assert run.status == "stopped"
    assert run.encoder_id is not None
    assert 5 <= len(run_details(workspace, run_id).epochs) < 1000


def test_stopped_before_its_first_epoch_it_says_so_and_can_go_on(workspace: Workspace) -> None:
    control = JobControl()
    control.stop()
    run_id = add_run(workspace, few_shot())
    with pytest.raises(UserError, match="stopped before its first epoch was over"):
        train_run(workspace, run_id, control, print)
    (run,) = list_runs(workspace)
    assert (run.status, run.encoder_id) == ("interrupted", None)
    assert run.error.startswith("stopped before its first epoch")
    assert train_run(workspace, run_id, JobControl(), print, resume=True).status == "finished"


def test_stopped_when_it_has_gone_on_it_keeps_the_best_epoch_before(workspace: Workspace) -> None:
    run_id = add_run(workspace, few_shot(hyperparameters=LONG))
    with pytest.raises(Crashed):
        train_run(workspace, run_id, JobControl(), after_epochs(4, kill_children))
    control = JobControl()
    control.stop()
    run = train_run(workspace, run_id, control, print, resume=True)
    assert run.status == "stopped"
    assert run.card["best_epoch"] >= 0


def test_cancel_keeps_no_encoder(workspace: Workspace) -> None:
    control = JobControl()
    run_id = add_run(workspace, few_shot(hyperparameters=LONG))
    with pytest.raises(Cancelled):
        train_run(workspace, run_id, control, after_epochs(3, control.cancel))
    (run,) = list_runs(workspace)
    assert (run.status, run.encoder_id) == ("cancelled", None)
    assert not (workspace.folder / "runs" / str(run_id)).exists()


def test_pause_rests_until_resume(workspace: Workspace) -> None:
    control = JobControl()
    seen: list[int] = []
    rested = threading.Event()

    def wake() -> None:
        rested.set()
        control.resume()
        control.stop()

    def on_message(message: object) -> None:
        if isinstance(message, EpochDone):
            seen.append(message.epoch.number)
            if len(seen) == 3:
                control.pause()
                threading.Timer(0.6, wake).start()

    run_id = add_run(workspace, few_shot(hyperparameters=LONG))
    run = train_run(workspace, run_id, control, on_message)
    assert rested.is_set()
    assert run.status == "stopped"


def kill_children() -> None:
    import multiprocessing

    for child in multiprocessing.active_children():
        child.kill()


def test_a_killed_run_goes_on_from_its_last_written_epoch(workspace: Workspace) -> None:
    whole = few_shot(hyperparameters={"hidden": 32, "maximum_epochs": 40, "minimum_epochs": 40})
    uninterrupted = run_details(workspace, train(workspace, whole).id)
    run_id = add_run(workspace, whole)
    with pytest.raises(Crashed):
        train_run(workspace, run_id, JobControl(), after_epochs(25, kill_children))
    assert list_runs(workspace)[0].status == "interrupted"
    (last,) = run_details(workspace, run_id).epochs[-1:]
    with workspace.store.writing() as connection:  # epochs that the state was not written after
        queries.put_epochs(
            connection, run_id, [replace(last, number=n) for n in range(last.number, 60)]
        )
    resumed: list[int] = []

    def on_message(message: object) -> None:
        if isinstance(message, EpochDone):
            resumed.append(message.epoch.number)

    run = train_run(workspace, run_id, JobControl(), on_message, resume=True)
    assert run.status == "finished"
    details = run_details(workspace, run_id)
    assert [e.validation for e in details.epochs] == [e.validation for e in uninterrupted.epochs]
    assert resumed[-1] == 40


def test_a_run_that_cannot_go_on_now_can_go_on_later(workspace: Workspace) -> None:
    whole = few_shot(hyperparameters={"hidden": 32, "maximum_epochs": 20, "minimum_epochs": 20})
    run_id = add_run(workspace, whole)
    with pytest.raises(Crashed):
        train_run(workspace, run_id, JobControl(), after_epochs(12, kill_children))
    with workspace.store.reading() as connection:
        encoder_row = kept_encoder(connection, VECTORS)
    assert encoder_row is not None
    path = workspace.folder / encoder_row.path
    path.rename(path.with_name("hidden"))
    with pytest.raises(UserError, match=r"meta\.json"):
        train_run(workspace, run_id, JobControl(), print, resume=True)
    (run,) = list_runs(workspace)
    assert run.status == "interrupted"
    assert "meta.json" in run.error
    path.with_name("hidden").rename(path)
    assert train_run(workspace, run_id, JobControl(), print, resume=True).status == "finished"


def test_what_could_not_be_kept_at_its_end_loses_no_epoch(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = add_run(workspace, few_shot())
    with monkeypatch.context() as patched:
        patched.setattr(training, "add_encoder", broken_off)
        with pytest.raises(KeyboardInterrupt):
            train_run(workspace, run_id, JobControl(), quiet)
    mark_interrupted(workspace)
    trained = run_details(workspace, run_id).epochs
    heard: list[object] = []
    run = train_run(workspace, run_id, JobControl(), heard.append, resume=True)
    assert run.status == "finished"
    again = run_details(workspace, run_id).epochs
    assert [e.validation for e in again] == [e.validation for e in trained]
    assert len([message for message in heard if isinstance(message, EpochDone)]) < len(trained)
    assert not (workspace.folder / "runs" / str(run_id) / "state").exists()


def broken_off(*_args: object, **_options: object) -> None:
    raise KeyboardInterrupt


def test_a_run_whose_program_died_is_marked_interrupted(workspace: Workspace) -> None:
    run_id = add_run(workspace, few_shot())
    with workspace.store.writing() as connection:
        queries.update_run(connection, run_id, status="running")
    mark_interrupted(workspace)
    assert list_runs(workspace)[0].status == "interrupted"


def test_a_run_that_ends_while_it_is_looked_at_stays_as_it_ended(
    with_run: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with with_run.store.writing() as connection:
        queries.update_run(connection, 1, status="running")
    take = ProcessLock.take

    def ended_just_before(claim: ProcessLock) -> None:
        with with_run.store.writing() as connection:
            queries.end_run(connection, 1, "finished", encoder_id=TRAINED)
        take(claim)

    monkeypatch.setattr(ProcessLock, "take", ended_just_before)
    mark_interrupted(with_run)
    run = find_run(with_run, 1)
    assert (run.status, run.error, run.encoder_id) == ("finished", "", TRAINED)


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("status", ["finished", "stopped", "cancelled", "failed"])
def test_a_run_that_is_over_is_not_trained_again(
    with_run: Workspace, status: str, resume: bool
) -> None:
    with with_run.store.writing() as connection:
        queries.update_run(connection, 1, status=status)
    before = list_runs(with_run), list_encoders(with_run)
    message = f"run 1 has nothing to go on with: its status is {status}; begin a new run"
    with pytest.raises(UserError, match=message):
        train_run(with_run, 1, JobControl(), quiet, resume=resume)
    assert (list_runs(with_run), list_encoders(with_run)) == before


def test_a_run_is_renamed_noted_and_deleted_with_its_encoder(with_run: Workspace) -> None:
    note_run(with_run, 1, title="mine", notes="good")
    assert list_encoders(with_run)[-1].title == "mine"
    on_top = add_run(with_run, few_shot(vectors_id=TRAINED))
    rename = partial(note_run, with_run, on_top, title="on top", notes="")
    train_run(with_run, on_top, JobControl(), after_epochs(2, rename))
    assert list_encoders(with_run)[-1].title == "on top"
    with pytest.raises(UserError, match="is the input of run"):
        delete_run(with_run, 1)
    below, above = find_run(with_run, 1), find_run(with_run, on_top)
    with pytest.raises(UserError, match="is the input of run"):
        check_deletion(with_run, [below])
    check_deletion(with_run, [above, below])
    delete_run(with_run, on_top)
    delete_run(with_run, 1)
    assert list_runs(with_run) == []
    assert [encoder.id for encoder in list_encoders(with_run)][-2:] == [4, VECTORS]
    assert not list((with_run.folder / "runs").iterdir())


def test_a_run_whose_training_begins_just_now_is_not_deleted(
    with_run: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    with with_run.store.writing() as connection:
        queries.update_run(connection, 1, status="interrupted")
    listed = find_run(with_run, 1)
    with claimed_run(with_run, 1):
        message = "run 1 is being trained; cancel it first"
        with pytest.raises(UserError, match=message):
            check_deletion(with_run, [listed])
        with pytest.raises(UserError, match=message):
            delete_run(with_run, 1)
    assert find_run(with_run, 1) == listed
    monkeypatch.setattr(ProcessLock, "take", refused_by_the_disk)
    with pytest.raises(UserError, match="cannot be locked"):
        check_deletion(with_run, [listed])


def refused_by_the_disk(_claim: ProcessLock) -> None:
    raise UserError("1.lock: cannot be locked")


def test_continual_learning_starts_from_the_first_encoders_output(with_run: Workspace) -> None:
    second = train(with_run, few_shot(vectors_id=TRAINED))
    assert second.card["data_hash"] == find_run(with_run, 1).card["data_hash"]
    figures = run_details(with_run, second.id).figures
    assert {f.encoder_id for f in figures} == {TRAINED, second.encoder_id}


def test_a_damaged_checkpoint_is_refused(with_run: Workspace) -> None:
    (weights,) = (with_run.folder / "runs" / "1" / "best").glob("*.safetensors")
    damaged = bytearray(weights.read_bytes())
    damaged[-5] ^= 1
    weights.write_bytes(damaged)
    with pytest.raises(UserError, match="changed since it was written"):
        train(with_run, few_shot(vectors_id=TRAINED))


def test_vectors_of_other_widths_and_damaged_files_are_refused(
    workspace: Workspace, tmp_path: Path
) -> None:
    from termexplorer.services.encoders.vectors import add_vectors

    before = set((workspace.folder / "vectors").iterdir())
    model = tmp_path / "model.bin"
    model.write_bytes(np.random.default_rng(0).bytes(5000))
    text = tmp_path / "cut.vec"
    text.write_text("2 3\na 1 2 3\nb 1 2\n", encoding="utf-8")
    for path in (model, text, tmp_path / "missing.vec"):
        with pytest.raises(UserError, match=path.name):
            add_vectors(workspace, path, JobControl(), quiet)
    assert [encoder.id for encoder in list_encoders(workspace)][-2:] == [4, VECTORS]
    assert set((workspace.folder / "vectors").iterdir()) == before
