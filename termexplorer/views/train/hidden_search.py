"""A search for the number of hidden units: runs that follow each other, and what they came to."""

from typing import Any

from termexplorer.services.train.hidden_search import Tried, best_run, tried
from termexplorer.services.train.runs import find_run
from termexplorer.texts import mark, number, tr, translated
from termexplorer.views.train.run_jobs import RunJob
from termexplorer.views.train.run_series import RunSeries
from termexplorer.views.window.trained_notice import run_look, tell_with_look


class HiddenSearch(RunSeries):
    """Trains a run of each size until validation declines, and tells which was best."""

    title = mark("The search for hidden units")

    def lines(self) -> list[str]:
        """The sizes so far."""
        done = tried(self.shared.workspace, self.runs)
        return [
            tr(
                "before it: {hidden:,} hidden units, {figure}",
                hidden=trial.hidden,
                figure=_figure_text(trial),
            )
            for trial in done
        ]

    def tell(self, last: RunJob | None, why: str) -> None:
        """Tells which size was best, and leads to its rankings."""
        workspace = self.shared.workspace
        begin = tr("{title} is over", title=translated(self.title))
        if why:
            begin = tr("{title} is over, as {why}", title=translated(self.title), why=why)
        done = tried(workspace, self.runs)
        if not done:
            self.shared.notices.error(begin)
            return
        run = find_run(workspace, best_run(done).run)
        text = f"{begin}: {found_text(done, run.card['validation_metric'])}"
        if not why and run.id == done[-1].run:
            text = tr("{found}; no larger number was allowed", found=text)
        tell_with_look(self.shared, text, run_look(workspace, run))


def found_text(done: list[Tried], metric: str) -> str:
    """Which size came to the best figure, beside the others; nothing is tested between them.

    Raises:
        UserError: no run came to a figure.
    """
    best = best_run(done)
    others_text = [f"{number(e.hidden)}: {_figure_text(e)}" for e in done if e is not best]
    beside = f" ({', '.join(others_text)})" if others_text else ""
    values: dict[str, Any] = {
        "hidden": best.hidden,
        "metric": metric,
        "figure": f"{_figure_text(best)}{beside}",
        "run": best.run,
    }
    with_figure = [trial for trial in done if trial.figure is not None]
    if len(with_figure) == 1:
        return tr("only {hidden:,} came to a figure, {metric} {figure}, run {run}", **values)
    if sum(trial.figure == best.figure for trial in with_figure) > 1:
        return tr(
            "{hidden:,} is the smallest of equal ones, {metric} {figure}, run {run}", **values
        )
    return tr("{hidden:,} came out ahead, untested, {metric} {figure}, run {run}", **values)


def _figure_text(run: Tried) -> str:
    return tr("none", sense="figure") if run.figure is None else number(run.figure, ".3f")
