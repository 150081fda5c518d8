"""A table of pairs with what was said of them: a row a pair, a column an annotator."""

from collections.abc import Sequence

from termexplorer.models.sorted_table import SortedTableModel
from termexplorer.services.studies.verdict_table import PairVerdicts, VerdictTable
from termexplorer.store.indexes.folding import fold_text
from termexplorer.texts import mark, tr
from termexplorer.views.judging.term_choice import told_left_out
from termexplorer.views.widgets.tables.sorted_table import SortedTable
from termexplorer.views.widgets.tables.table import Column
from termexplorer.views.widgets.ui_state import UiState

_DIGITS = 1  # of seconds, and of labels that are ratings


class PairVerdictTable(SortedTable):
    """The pairs, with as many columns of answers as there are annotators."""

    def __init__(self, session: UiState) -> None:
        self._rows = SortedTableModel(digits=_DIGITS)
        self._annotators: Sequence[str] = ()
        super().__init__(mark("Pairs and verdicts"), self._rows, session)
        self._rows.setParent(self)

    def columns(self) -> Sequence[Column]:
        """How wide each column is."""
        answer = tr("don't know") + "__"
        return (
            Column("number", f"{tr('No.')}___"),
            Column("left", share=4, least=140),
            Column("right", share=4, least=140),
            Column("set", share=1, least=70),
            Column("label", f"{tr('Label')}__"),
            *(Column(f"answer {n}", answer) for n in range(len(self._annotators))),
            Column("majority", answer),
            Column("decision", answer),
            Column("comments", share=2, least=90),
            Column("seconds", f"{tr('Seconds')}__"),
        )[: self.model().columnCount()]

    @property
    def current(self) -> int | None:
        """The number of the pair that is chosen."""
        selected = self.selectionModel().selectedRows()
        return int(str(self._rows.rows[selected[0].row()][0])) if selected else None

    def show_table(self, table: VerdictTable, pairs: Sequence[PairVerdicts]) -> None:
        """Shows some pairs of a study."""
        self._annotators = table.annotators
        header = (
            tr("No."), tr("Term"), tr("Term"), tr("Set"), tr("Label"), *table.annotators,
            tr("Majority"), tr("Decision"), tr("Comments"), tr("Seconds"),
        )  # fmt: skip
        rows = [_table_row(table, pair) for pair in pairs]
        self._rows.show_rows(header, rows, (0, 4, len(header) - 1))

    def show_nothing(self) -> None:
        """Shows no pair, and why."""
        self._rows.show_rows((), ())


def text_of_pair(pair_verdicts: PairVerdicts) -> str:
    """All that can be looked for in a pair, as searches compare it."""
    decision = (
        ""
        if pair_verdicts.decision is None
        else f"{pair_verdicts.decision.answer} {pair_verdicts.decision.note}"
    )
    answers = " ".join(answer.answer for answer in pair_verdicts.answers.values())
    pair = pair_verdicts.pair
    parts = (pair.subject, pair.object, pair.set_name, answers, decision, pair_verdicts.comments)
    return fold_text(" ".join(parts))


def _table_row(table: VerdictTable, pair_verdicts: PairVerdicts) -> tuple[object, ...]:
    answers = (pair_verdicts.answers.get(name) for name in table.annotators)
    decision = "" if pair_verdicts.decision is None else pair_verdicts.decision.answer
    return (
        pair_verdicts.number, pair_verdicts.pair.subject, pair_verdicts.pair.object,
        pair_verdicts.pair.set_name, whole_label(pair_verdicts.pair.score),
        *(answer.answer if answer else "" for answer in answers), pair_verdicts.majority, decision,
        told_left_out(pair_verdicts.left_out) or pair_verdicts.comments,
        pair_verdicts.seconds,
    )  # fmt: skip


def whole_label(score: float | None) -> float | None:
    """Return a label as a whole number unless it is a rating."""
    return int(score) if score is not None and score.is_integer() else score
