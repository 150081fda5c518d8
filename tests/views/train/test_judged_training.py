"""From a study's verdicts to a run on the Train page, and back to its figures."""

from collections.abc import Callable
from pathlib import Path

from pytestqt.qtbot import QtBot
from toy_judged import judge_all, queued_study
from toy_studies import ANNA
from toy_window import LONG, idle, open_page, show

from termexplorer.desk import WindowController
from termexplorer.models.runs_table import LEVEL
from termexplorer.views.train.page import TrainPage


def test_verdicts_are_learned_at_a_press_and_the_figures_stand_with_the_study(
    qtbot: QtBot, open_desk: Callable[[Path], WindowController], toy: Path, tmp_path: Path
) -> None:
    desk, judge = open_page(open_desk, toy, tmp_path, "judge")
    workspace = desk.shared.workspace
    open_one, study_id = queued_study(workspace), queued_study(workspace, seed=2)
    judge_all(workspace, open_one, ANNA, lambda *_: "same")
    judge.show_part("Studies")
    part, training = judge.studies, judge.studies.detail.training
    qtbot.waitUntil(lambda: part.table.current == study_id, timeout=LONG)
    assert not training.train.isEnabled()
    assert training.train.toolTip() == "Nobody has judged a pair of this study yet"
    assert not training.table.isVisible()
    judge_all(workspace, study_id, ANNA)
    desk.shared.watch.look()
    qtbot.waitUntil(training.train.isEnabled, timeout=LONG)
    training.train.click()
    page, form = desk.window.page("train"), desk.window.page("train").form
    assert isinstance(page, TrainPage)
    assert page.isVisible()
    qtbot.waitUntil(form.train.isEnabled, timeout=LONG)
    assert form.learned.judged.study.currentData() == study_id
    assert form.learned.judged.pair_counts.text() == "36 similar pairs, 36 dissimilar"
    assert not form.learned.synonyms.isVisible()
    assert not form.learned.level.isVisible()
    form.learned.judged.study.setCurrentIndex(form.learned.judged.study.findData(open_one))
    qtbot.waitUntil(
        lambda: "at least 10 of each" in form.learned.judged.pair_counts.text(), timeout=LONG
    )
    assert not form.train.isEnabled()
    assert "72 judged pairs are similar and 0 are not" in form.train.toolTip()
    form.choose_study(study_id)
    qtbot.waitUntil(form.train.isEnabled, timeout=LONG)
    for name, value in (("hidden", 16), ("maximum_epochs", 2)):
        form.hyperparameters.editor(name).setText(str(value))
    form.train.click()
    idle(qtbot, desk)
    qtbot.waitUntil(lambda: page.model.rowCount() == 1, timeout=LONG)
    assert page.model.index(0, LEVEL).data() == "judged pairs"
    desk.shared.errands.show_page.emit("judge")
    table = training.table
    qtbot.waitUntil(lambda: table.isVisible() and table.model().rowCount() == 4, timeout=LONG)
    cells = [[table.model().index(row, at).data() for at in (1, 2)] for row in range(4)]
    assert cells == [[p, f] for p in ("all held out", "random") for f in ("AUC", "accuracy")]
    qtbot.waitUntil(lambda: not desk.shared.jobs.running(), timeout=LONG)
    page.form.recipe.choose("few-shot")
    assert page.form.request().judged is None
    form.learned.judged.study.setCurrentIndex(form.learned.judged.study.findData(open_one))
    desk.close()
    form = show(open_desk(workspace.folder), "train").form
    form.recipe.choose("judged")
    qtbot.waitUntil(lambda: form.learned.judged.study.currentData() == open_one, timeout=LONG)
