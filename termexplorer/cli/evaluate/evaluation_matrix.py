"""`evaluate --matrix`: what is stored of all encoders, at one sight."""

from pathlib import Path
from typing import Any, Protocol

import typer

from termexplorer.cli.opening import opened
from termexplorer.cli.output import print_json, print_line, print_table
from termexplorer.cli.table_files import write_what_is_printed
from termexplorer.services.encoders.encoders import find_encoder, list_encoders
from termexplorer.services.evaluate.evaluation import TASKS
from termexplorer.services.evaluate.matrix import (
    EvaluationMatrix,
    MatrixCell,
    gather_matrix,
)
from termexplorer.services.evaluate.matrix_tables import (
    MISSING,
    cell_text,
    check_matrix_path,
    matrix_notes,
    write_matrix,
)
from termexplorer.services.explore.ontologies import find_ontology
from termexplorer.texts import figure_text

_BEST = "*"


class MatrixOptions(Protocol):
    """What the matrix is asked; see `EvaluateOptions`."""

    @property
    def task(self) -> str:
        """One task; empty for all."""

    @property
    def encoder(self) -> list[int] | None:
        """The rows; None for all."""

    @property
    def ontology(self) -> str:
        """One ontology; empty for all."""

    @property
    def out(self) -> Path | None:
        """A file to write."""

    @property
    def workspace(self) -> Path | None:
        """The folder."""

    @property
    def json(self) -> bool:
        """Whether to print JSON."""


def show_matrix(asked: MatrixOptions) -> None:
    """Print the matrix, and write it where that is asked for."""
    if asked.task and asked.task not in TASKS:
        raise typer.BadParameter(f"there are {', '.join(TASKS)}", param_hint="TASK")
    with opened(asked.workspace) as workspace:
        if asked.out is not None:
            check_matrix_path(asked.out)
        ontology = find_ontology(workspace, asked.ontology) if asked.ontology else None
        ids = [find_encoder(workspace, encoder_id).id for encoder_id in asked.encoder or ()]
        matrix = gather_matrix(workspace, ontology, task=asked.task, encoder_ids=ids)
        labels = {encoder.id: encoder.label for encoder in list_encoders(workspace)}
    matrix_object = _matrix_json(matrix)
    if asked.out is not None and asked.out.suffix.lower() == ".json":
        with write_what_is_printed(asked.out, json=True):
            print_json(matrix_object)
        return
    if asked.out is not None:
        write_matrix(asked.out, matrix, labels)
    if asked.json:
        print_json(matrix_object)
        return
    _print_matrix(matrix, labels)
    if asked.out is not None:
        print_line(f"written to {asked.out}")


def _print_matrix(matrix: EvaluationMatrix, labels: dict[int, str]) -> None:
    if not matrix.columns:
        print_line("no evaluation is stored for that; `evaluate TASK --encoder ID` measures one")
        return
    for at, column in enumerate(matrix.columns, 1):
        print_line(f"  {at}: {column.task}, {column.data}, {column.metric} (n = {column.n:,})")
    numbers = [str(at) for at in range(1, len(matrix.columns) + 1)]
    rows = [
        (
            labels[row.encoder_id],
            *map(_marked_text, row.cells),
            MISSING if row.mean is None else figure_text(row.mean, ".3f"),
            MISSING if row.mean_rank is None else f"{row.mean_rank:.2f}",
        )
        for row in matrix.rows
    ]
    print_table(("encoder", *numbers, "mean", "mean rank"), rows)
    for note in matrix_notes(matrix, _BEST):
        print_line(f"  {note}")


def _marked_text(cell: MatrixCell | None) -> str:
    """Return a figure with its sign; a terminal has no bold cells, so that the best has a star."""
    is_best = cell is not None and cell.behind is None and cell.standing.value == "best"
    return f"{_BEST} {cell_text(cell)}" if is_best else cell_text(cell)


def _matrix_json(matrix: EvaluationMatrix) -> dict[str, Any]:
    return {
        "family": matrix.family,
        "correction": "Holm",
        "columns_in_means": matrix.counted,
        "not_evaluated": matrix.missing,
        "not_shown": matrix.left_out,
        "columns": [
            {
                "task": column.task,
                "data": column.data,
                "level": column.level,
                "metric": column.metric.lower(),
                "data_hash": column.data_hash,
                "n": column.n,
            }
            for column in matrix.columns
        ],
        "encoders": [
            {
                "encoder": row.encoder_id,
                "mean": row.mean,
                "mean_rank": row.mean_rank,
                "cells": [None if cell is None else _cell_json(cell) for cell in row.cells],
            }
            for row in matrix.rows
        ],
    }


def _cell_json(cell: MatrixCell) -> dict[str, Any]:
    figure = cell.figure
    return {
        "value": figure.value,
        "low": figure.low,
        "high": figure.high,
        "n": figure.n,
        "items": cell.known[1] if cell.known else None,
        "standing": cell.standing.value,
        "p": cell.behind.p if cell.behind else None,
        "raw_p": cell.behind.raw_p if cell.behind else None,
    }
