"""Cards of encoders: how each was made, as data."""

from collections.abc import Mapping
from typing import Any

from termexplorer.services.encoders.encoders import EncoderInfo, find_encoder, list_encoders
from termexplorer.services.explore.ontologies import list_ontologies
from termexplorer.workspace import Workspace


def encoder_card(workspace: Workspace, encoder_id: int) -> dict[str, Any]:
    """The card of an encoder.

    Raises:
        UserError: there is none of that id.
    """
    encoder = find_encoder(workspace, encoder_id)
    labels = {other_encoder.id: other_encoder.label for other_encoder in list_encoders(workspace)}
    beneath = encoder.part_ids if encoder.input_id is None else (encoder.input_id,)
    return {
        "encoder": encoder.id,
        "title": encoder.title,
        "kind": encoder.kind,
        "method": encoder.method,
        "made_of": [labels[part_id] for part_id in beneath],
        "dimension": encoder.dimension or None,
        **how_made(workspace, encoder),
        "created": encoder.created_at,
    }


def how_made(workspace: Workspace, encoder: EncoderInfo) -> dict[str, Any]:
    """What an encoder was made with: the method, sizes and texts that were chosen for it."""
    ontologies = {ontology.id: ontology.label for ontology in list_ontologies(workspace)}
    parameters: Mapping[str, Any] = encoder.parameters
    return {
        name: ontologies.get(value, f"release {value}") if name == "ontology" else value
        for name, value in parameters.items()
    }
