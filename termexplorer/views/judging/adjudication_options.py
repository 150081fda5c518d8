"""The line above the pairs of an adjudication: which are decided, and by whom."""

from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QWidget

from termexplorer.services.studies.adjudication.disputed_pairs import PairChoice
from termexplorer.services.studies.answer_lines import name_no_rating
from termexplorer.store.judging.studies import StudyHead
from termexplorer.texts import tr
from termexplorer.views.judging.judge_box import JudgeBox
from termexplorer.views.judging.pair import MARGIN
from termexplorer.views.judging.pair_choice import PairChoiceBoxes
from termexplorer.views.window.page import Shared


class AdjudicationOptions(QWidget):
    """Which pairs are decided, what counts as a vote, and who decides.

    Attributes:
        pairs: which pairs are decided.
        votes: whether "don't know" is a vote for none.
        judge: who decides.
    """

    def __init__(
        self, shared: Shared, study: StudyHead, choice: PairChoice, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.judge = JudgeBox(shared)
        self.pairs = PairChoiceBoxes(all_pairs=False)
        self.pairs.choose(choice)
        self.pairs.name_answers(study.answers)
        answer = name_no_rating(study.answers)
        self.votes = QCheckBox(tr("“{answer}” is a vote for none", answer=answer))
        self.votes.setToolTip(
            tr(
                "Whether “{answer}” counts as a vote for none; else it is no vote, and more pairs "
                "have a majority",
                answer=answer,
            )
        )
        self.votes.setChecked(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(MARGIN, 0, MARGIN, 8)
        row.setSpacing(16)
        row.addWidget(self.pairs)
        row.addWidget(self.votes)
        row.addWidget(self.judge, 1)
        self.votes.setVisible(any(answer.value is None for answer in study.answers))
