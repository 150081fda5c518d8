"""Run cards: all that tells how an encoder came about, as data and as text."""

from collections.abc import Mapping
from typing import Any

from termexplorer.services.card_words import part_of, title_of
from termexplorer.services.encoder_cards import how_made
from termexplorer.services.encoders import EncoderInfo, list_encoders
from termexplorer.services.ontologies import list_ontologies
from termexplorer.services.runs import run_details, status_text
from termexplorer.texts import interval_text, number, tr, translated
from termexplorer.workers.kept_texts import retold
from termexplorer.workers.synonym_choice import SynonymChoice
from termexplorer.workspace import Workspace


def run_card(workspace: Workspace, run_id: int) -> dict[str, Any]:
    """The card of a run; raises `UserError` where there is no such run."""
    details = run_details(workspace, run_id)
    run = details.run
    ontologies = {o.id: o.label for o in list_ontologies(workspace)}
    there = {encoder.id: encoder for encoder in list_encoders(workspace)}
    encoders = {id_: encoder.label for id_, encoder in there.items()}
    card, request = run.card, run.request
    return {
        "run": run.id,
        "title": run.title,
        "status": run.status,
        "figures": [
            {
                "encoder": encoders.get(f.encoder_id, f"#{f.encoder_id}"),
                "trained": f.encoder_id == run.encoder_id,
                "task": f.task,
                "metric": f.metric,
                "value": f.value,
                "low": f.low,
                "high": f.high,
                "n": f.n,
            }
            for f in details.figures
        ],
        "differences": [dict(each) for each in card.get("differences", ())],
        "recipe": run.recipe,
        "preset": run.preset,
        "ontology": ontologies.get(run.release_id, f"release {run.release_id}"),
        "further_ontologies": [
            ontologies.get(each, f"release {each}") for each in request.get("also", ())
        ],
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
        "vectors": encoders.get(run.input_id, f"#{run.input_id}"),
        "vectors_made": _vectors_made(workspace, there, run.input_id),
        "chain": _chain(there, run.input_id),
        "encoder": encoders.get(run.encoder_id or 0, ""),
        "seed": request["seed"],
        "hyperparameters": dict(card.get("hyperparameters", {})),
        "device": card.get("device", request["device"]),
        "threads": card.get("threads"),
        "precision": card.get("precision"),
        "memory": list(card.get("memory", ())),
        "cca": card.get("cca", {}),
        "versions": dict(card.get("versions", {})),
        "epochs": len(details.epochs),
        "best_epoch": card.get("best_epoch"),
        "seconds": card.get("seconds"),
        "created": run.created_at,
        "finished": run.finished_at,
        "error": run.error,
        "notes": run.notes,
        "classes": dict(card.get("classes", {})),
    }


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
    found = encoders.get(encoder_id)
    return how_made(workspace, found) if found and found.kind == "untrained" else {}


def _chain(encoders: Mapping[int, EncoderInfo], first: int) -> list[str]:
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
        case "error":
            return retold(value)
        case "memory":
            return [retold(each) for each in value]
    return value


def card_text(card: Mapping[str, Any]) -> str:
    """A card as lines of text."""
    lines = []
    for key, each in card.items():
        title, value = title_of(key), said(key, each)
        if key in _LINES and value:
            lines.append(title)
            lines += [f"  {_LINES[key](each)}" for each in value]
        elif isinstance(value, Mapping):
            lines.append(title)
            lines += [f"  {part_of(key, name)}: {_plain(each)}" for name, each in value.items()]
        elif value not in ("", None, []):
            lines.append(f"{title}: {_plain(value)}")
    return "\n".join(lines)


def figure_text(figure: Mapping[str, Any]) -> str:
    """A figure with its interval."""
    span = interval_text(figure["value"], figure["low"], figure["high"])
    task = translated(figure["task"])
    return f"{task}, {figure['metric']}: {span} · {figure['encoder']}, n {number(figure['n'])}"


def difference_text(found: Mapping[str, Any]) -> str:
    """How much more an encoder came to than the one beneath, with its interval."""
    span = interval_text(found["difference"], found["low"], found["high"], "+.3f")
    task = translated(found["task"])
    return (
        f"{task}, {found['metric']}: {span}, p {number(found['p'], '.3g')}, n {number(found['n'])}"
    )


_LINES = {"figures": figure_text, "differences": difference_text}


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    if isinstance(value, float):
        return number(value, "")
    if isinstance(value, Mapping):
        return ", ".join(f"{each} {name}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(str(each) for each in value) or tr("none")
    return str(value) if value != "" else tr("none")
