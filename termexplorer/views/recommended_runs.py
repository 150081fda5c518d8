"""The runs of the recommended encoder, and what they came to."""

from functools import partial

from PySide6.QtCore import QObject

from termexplorer.services.ontologies import find_ontology
from termexplorer.services.recommended import Recommended, add_next_run, joined_end, runs_needed
from termexplorer.views.page import Look, Shared
from termexplorer.views.run_jobs import RunJob, RunJobs
from termexplorer.views.run_series import RunSeries
from termexplorer.views.trained_notice import look_at


class RecommendedRuns(RunSeries):
    """Trains what the recommended encoder is made of, and joins it at the end."""

    title = "The recommended encoder"

    def __init__(self, shared: Shared, jobs: RunJobs, wanted: Recommended, parent: QObject) -> None:
        super().__init__(shared, jobs, parent)
        self._wanted = wanted

    def add_next(self) -> int | None:
        """Adds the next of its runs."""
        return add_next_run(self.shared.workspace, self._wanted, self.runs)

    def lines(self) -> list[str]:
        """Which of its runs this is."""
        return [f"run {len(self.runs) + 1} of {runs_needed(self._wanted)} for it"]

    def tell(self, last: RunJob, why: str) -> None:
        """Tells which encoder came of it, and leads to its rankings beside the word vectors'."""
        notices, wanted = self.shared.notices, self._wanted
        if why:
            notices.error(f"{self.title} is not there, as {why}; its runs so far are kept")
            return
        made = joined_end(self.shared.workspace, self.runs)
        self.shared.watch.look()  # every list of encoders has it at once
        if last.run.encoder_id is not None:
            self.shared.errands.told_of.emit(last.run.encoder_id)
        ontology = find_ontology(self.shared.workspace, str(wanted.ontology_id))
        look = Look(ontology.id, (wanted.vectors_id, made.id), wanted.level, None)
        act = partial(look_at, self.shared, look)
        notices.tell(f"{self.title} is #{made.id}", "Look at its rankings", act)
