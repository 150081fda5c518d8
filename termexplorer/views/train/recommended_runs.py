"""The runs of the recommended encoder, and what they came to."""

from termexplorer.replicate.search.recommended import read_recommended
from termexplorer.services.levels.default_level import default_level
from termexplorer.services.train.recommended import Recommended, runs_needed
from termexplorer.texts import mark, tr
from termexplorer.views.train.run_jobs import RunJob
from termexplorer.views.train.run_series import RunSeries
from termexplorer.views.window.page import RankingsToShow
from termexplorer.views.window.trained_notice import tell_with_look


class RecommendedRuns(RunSeries):
    """Trains what the recommended encoder is made of, and joins it at the end."""

    title = mark("The recommended encoder")

    def lines(self) -> list[str]:
        """Which of its runs this is."""
        return [
            tr(
                "run {number} of {runs} for it",
                number=len(self.runs) + 1,
                runs=runs_needed(self._read_wanted()),
            )
        ]

    def tell(self, last: RunJob | None, why: str) -> None:
        """Tells which encoder came of it, and leads to its rankings beside its first part's."""
        if why:
            text = tr(
                "The recommended encoder is not there, as {why}; its runs so far are kept", why=why
            )
            self.shared.notices.error(text)
            return
        wanted, end = self._read_wanted(), self.tasks.find_recommended()
        self.shared.watch.look()  # every list of encoders has it at once
        workspace, classes = self.shared.workspace, wanted.classes_id or wanted.ontology_id
        level = wanted.level or default_level(workspace, classes)
        look = RankingsToShow(wanted.ontology_id, (wanted.untrained_ids[0], end), level, None)
        tell_with_look(self.shared, tr("The recommended encoder is #{encoder}", encoder=end), look)

    def _read_wanted(self) -> Recommended:
        return read_recommended(self.tasks.request)
