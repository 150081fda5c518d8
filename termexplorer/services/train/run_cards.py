"""Run cards: all that tells how an encoder came about, as data and as text."""

from collections.abc import Callable, Mapping, Sequence
from math import isnan
from typing import Any

from termexplorer.services.encoders.card_words import part_of, title_of
from termexplorer.services.encoders.cards import how_made
from termexplorer.services.encoders.encoders import EncoderInfo, list_encoders
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.services.figures.corrections import correct_p
from termexplorer.services.figures.metric_kinds import LEAST_SHOWN
from termexplorer.services.train.run_conclusions import run_conclusions, run_warnings
from termexplorer.services.train.run_gains import gain_texts
from termexplorer.services.train.runs import FigureInfo, RunInfo, run_details, status_text
from termexplorer.store.kept_messages import decode_message, translate_message
from termexplorer.texts import interval_text, number, tr, translated
from termexplorer.workers.data.synonym_choice import SynonymChoice
from termexplorer.workspace import Workspace


def run_card(workspace: Workspace, run_id: int) -> dict[str, Any]:
    """The card of a run; raises `UserError` where there is no such run."""
    details = run_details(workspace, run_id)
    run = details.run
    encoder_by_id = {encoder.id: encoder for encoder in list_encoders(workspace)}
    encoders = {id_: encoder.label for id_, encoder in encoder_by_id.items()}
    return {
        "run": run.id,
        "title": run.title,
        "status": run.status,
        "figures": [_figure_object(figure, run, encoders) for figure in details.figures],
        "gains": gain_texts(details, encoders),
        "conclusions": [
            f"{translated(task)}: {conclusion}"
            for task, conclusion in run_conclusions(details, encoders)
        ],
        "warnings": run_warnings(details),
        "differences": _with_corrected_p(run.card.get("differences", ())),
        **_source_facts(
            run, {ontology.id: ontology.label for ontology in list_ontologies(workspace)}
        ),
        "vectors": encoders.get(run.input_id, f"#{run.input_id}"),
        "vectors_made": _vectors_made(workspace, encoder_by_id, run.input_id),
        "chain": _input_chain(encoder_by_id, run.input_id),
        "encoder": encoders.get(run.encoder_id or 0, ""),
        **_training_facts(run),
        "epochs": len(details.epochs),
        "best_epoch": run.card.get("best_epoch"),
        "seconds": run.card.get("seconds"),
        "created": run.created_at,
        "finished": run.finished_at,
        "error": run.error,
        "notes": run.notes,
        "classes": dict(run.card.get("classes", {})),
    }


def _figure_object(figure: FigureInfo, run: RunInfo, encoders: Mapping[int, str]) -> dict[str, Any]:
    return {
        "encoder": encoders.get(figure.encoder_id, f"#{figure.encoder_id}"),
        "trained": figure.encoder_id == run.encoder_id,
        "task": figure.task,
        "metric": figure.metric,
        "value": figure.value,
        "low": figure.low,
        "high": figure.high,
        "n": figure.n,
    }


def _source_facts(run: RunInfo, ontologies: Mapping[int, str]) -> dict[str, Any]:
    """What was learned from."""
    card, request = run.card, run.request
    labels = {
        release_id: ontologies.get(release_id, f"release {release_id}")
        for release_id in (run.release_id, *request.get("also", ()))
    }
    return {
        "recipe": run.recipe,
        "preset": run.preset,
        "ontology": labels[run.release_id],
        "further_ontologies": [labels[release_id] for release_id in request.get("also", ())],
        "level": dict(request["choice"] or {}),
        "class_lists": dict(card.get("class_lists", {})),
        "judged": dict(card.get("judged", {})),
        "split_rule": _split_rule(request),
        "split": card.get("split", {}),
        "synonym_sets": dict(card.get("synonym_sets", {})),
        "further_sets": dict(card.get("further_sets", {})),
        "groups": dict(card.get("groups", {})),
        "names_left_out": dict(card.get("names_left_out", {})),
        "data_hash": card.get("data_hash", ""),
    }


def _training_facts(run: RunInfo) -> dict[str, Any]:
    """How it was trained, and on what machine."""
    card, request = run.card, run.request
    return {
        "seed": request["seed"],
        "hyperparameters": dict(card.get("hyperparameters", {})),
        "device": card.get("device", request["device"]),
        "threads": card.get("threads"),
        "precision": card.get("precision"),
        "memory": [decode_message(note) for note in card.get("memory", ())],
        "cca": card.get("cca", {}),
        "collapsed": dict(card.get("collapsed", {})),
        "versions": dict(card.get("versions", {})),
    }


def _with_corrected_p(differences: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Differences with p as it is corrected over all that stand on the card and are tested."""
    items = {at: difference["n"] for at, difference in enumerate(differences)}
    p = correct_p({at: difference["p"] for at, difference in enumerate(differences)}, items)
    return [
        dict(difference) | {"p_corrected": None if isnan(p[at]) else p[at]}
        for at, difference in enumerate(differences)
    ]


def _split_rule(request: Mapping[str, Any]) -> dict[str, Any]:
    """How names were parted; of synonym sets the seed says it."""
    rule = dict(request["rule"])
    if request["choice"]:
        return rule
    below = {"root": root} if (root := SynonymChoice.read(request).root) else {}
    return {"recipe": rule["recipe"], "seed": rule["seed"], **below}


def _vectors_made(
    workspace: Workspace, encoders: Mapping[int, EncoderInfo], encoder_id: int
) -> dict[str, Any]:
    """How untrained vectors beneath were made; a trained encoder has a card of its own run."""
    encoder = encoders.get(encoder_id)
    return how_made(workspace, encoder) if encoder and encoder.kind == "untrained" else {}


def _input_chain(encoders: Mapping[int, EncoderInfo], first: int) -> list[str]:
    """What lies beneath, down to the vectors; empty where those lie beneath at once."""
    chain, below = [], encoders.get(first)
    while below is not None:
        chain.append(below.label)
        below = None if below.input_id is None else encoders.get(below.input_id)
    return chain if len(chain) > 1 else []


def said(key: str, value: Any) -> Any:
    """The value of an entry, in the language in use where it is a text of the program."""
    match key:
        case "status":
            return status_text(value)
        case "error" | "title":
            return translate_message(value)
        case "memory":
            return [translate_message(text) for text in value]
    return value


def card_text(card: Mapping[str, Any]) -> str:
    """A card as lines of text."""
    lines = []
    for key, card_value in card.items():
        title, value = title_of(key), said(key, card_value)
        if key in _LINES and value:
            lines.append(title)
            lines += [f"  {_LINES[key](entry)}" for entry in value]
        elif isinstance(value, Mapping):
            lines.append(title)
            lines += [
                f"  {part_of(key, name)}: {_plain_value(entry)}" for name, entry in value.items()
            ]
        elif value not in ("", None, []):
            lines.append(f"{title}: {_plain_value(value)}")
    return "\n".join(lines)


def figure_text(figure: Mapping[str, Any]) -> str:
    """Return a figure with its interval, as a line."""
    span = figure_span(figure)
    task, metric = translated(figure["task"]), translated(figure["metric"])
    return f"{task}, {metric}: {span} · {figure['encoder']}, n {number(figure['n'])}"


def figure_span(figure: Mapping[str, Any]) -> str:
    """Return a figure with its interval; a dash for that of a single item."""
    if figure["n"] < LEAST_SHOWN:
        return "–"
    return interval_text(figure["value"], figure["low"], figure["high"])


def difference_text(difference: Mapping[str, Any]) -> str:
    """How much more an encoder came to than the one beneath, with its interval."""
    span = interval_text(difference["difference"], difference["low"], difference["high"], "+.3f")
    task, metric = translated(difference["task"]), translated(difference["metric"])
    if difference["n"] < LEAST_SHOWN:
        return f"{task}, {metric}: –, n {number(difference['n'])}"
    corrected = difference["p_corrected"]
    p = "–" if corrected is None else number(corrected, ".3g")
    return f"{task}, {metric}: {span}, {tr('p (Holm)')} {p}, n {number(difference['n'])}"


_LINES: dict[str, Callable[[Any], str]] = {
    "figures": figure_text,
    "gains": str,
    "conclusions": str,
    "warnings": str,
    "differences": difference_text,
}


def _plain_value(value: object) -> str:
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, float):
        return number(value, "")
    if isinstance(value, Mapping):
        return ", ".join(f"{amount} {name}" for name, amount in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(str(entry) for entry in value) or tr("none")
    return str(value) if value != "" else tr("none")
