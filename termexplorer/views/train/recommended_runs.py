"""The runs of the recommended encoder, and what they came to."""

from PySide6.QtCore import QObject

from termexplorer.services.levels.default_level import default_level
from termexplorer.services.train.recommended import (
    Recommended,
    add_next_run,
    joined_end,
    runs_needed,
)
from termexplorer.texts import mark, tr
from termexplorer.views.train.run_jobs import RunJob, RunJobs
from termexplorer.views.train.run_series import RunSeries
from termexplorer.views.window.page import RankingsToShow, Shared
from termexplorer.views.window.trained_notice import tell_with_look


class RecommendedRuns(RunSeries):
    """Trains what the recommended encoder is made of, and joins it at the end."""

    title = mark("The recommended encoder")

    def __init__(self, shared: Shared, jobs: RunJobs, wanted: Recommended, parent: QObject) -> None:
        super().__init__(shared, jobs, parent)
        self._wanted = wanted

    def add_next(self) -> int | None:
        """Adds the next of its runs."""
        return add_next_run(self.shared.workspace, self._wanted, self.runs)

    def lines(self) -> list[str]:
        """Which of its runs this is."""
        return [
            tr(
                "run {number} of {runs} for it",
                number=len(self.runs) + 1,
                runs=runs_needed(self._wanted),
            )
        ]

    def tell(self, last: RunJob, why: str) -> None:
        """Tells which encoder came of it, and leads to its rankings beside its first part's."""
        if why:
            text = tr(
                "The recommended encoder is not there, as {why}; its runs so far are kept", why=why
            )
            self.shared.notices.error(text)
            return
        wanted = self._wanted
        end = joined_end(self.shared.workspace, wanted, self.runs)
        self.shared.watch.look()  # every list of encoders has it at once
        workspace, classes = self.shared.workspace, wanted.classes_id or wanted.ontology_id
        level = wanted.level or default_level(workspace, classes)
        look = RankingsToShow(wanted.ontology_id, (wanted.untrained_ids[0], end.id), level, None)
        tell_with_look(
            self.shared, tr("The recommended encoder is #{encoder}", encoder=end.id), look
        )
