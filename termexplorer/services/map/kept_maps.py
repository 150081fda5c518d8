"""The maps that a workspace keeps: what each is of, what it is called, and how it is asked for."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from termexplorer.errors import UserError
from termexplorer.services.encoders.encoders import list_encoders
from termexplorer.services.explore.ontologies import Ontology, find_concept, list_ontologies
from termexplorer.services.map.choice import choice_text
from termexplorer.services.map.files import TITLES
from termexplorer.services.map.projection import ProjectionRequest, parameters_of
from termexplorer.store.encoders import projections as queries
from termexplorer.store.encoders.projections import ProjectionInfo
from termexplorer.texts import tr
from termexplorer.workspace import Workspace

_ID_LETTERS = 8  # of a content hash: enough to tell the maps of a workspace apart
_DATE_LETTERS = 10


@dataclass(frozen=True, slots=True)
class KeptMap:
    """A map that is kept.

    Attributes:
        info: what it was made of, and what was measured.
        encoder: what its encoder is called.
        part: which names of what ontology it is of.
        request: how it is asked for again; None of a map that an earlier version made.
        root_text: what the concept is called below which its names are; empty for none.
    """

    info: ProjectionInfo
    encoder: str
    part: str
    request: ProjectionRequest | None
    root_text: str = ""

    @property
    def id(self) -> str:
        """Return what commands name it by: the first letters of its content hash."""
        return self.info.content_hash[:_ID_LETTERS]

    @property
    def subject(self) -> str:
        """Return what it is of: method, names, encoder and date."""
        return tr(
            "{method} of {part} by {encoder}, {date}",
            method=TITLES[self.info.key.method],
            part=self.part,
            encoder=self.encoder,
            date=self.info.made_at[:_DATE_LETTERS],
        )

    @property
    def title(self) -> str:
        """Return the user's own title, or else what it is of."""
        return self.info.title or self.subject


def list_maps(workspace: Workspace, ontology_id: int | None = None) -> list[KeptMap]:
    """Return the maps that are kept, the newest first.

    Args:
        workspace: where they are kept.
        ontology_id: only of this ontology; None for all.
    """
    with workspace.store.reading() as connection:
        projections = queries.list_projections(connection)
    ontologies = {ontology.id: ontology for ontology in list_ontologies(workspace)}
    encoders = {encoder.id: encoder.label for encoder in list_encoders(workspace)}
    return [
        _describe_map(workspace, info, ontologies[info.release_id], encoders[info.key.encoder_id])
        for info in projections
        if info.release_id in ontologies and ontology_id in (None, info.release_id)
    ]


def find_map(workspace: Workspace, map_id: str) -> KeptMap:
    """Find a map by its id.

    Raises:
        UserError: there is none, or more than one begins like that.
    """
    matches = [
        stored_map
        for stored_map in list_maps(workspace)
        if stored_map.info.content_hash.startswith(map_id)
    ]
    if len(matches) != 1 or not map_id:
        raise UserError(
            tr("there is no map {id}; `termexplorer map list` lists them with their ids", id=map_id)
        )
    return matches[0]


def _describe_map(
    workspace: Workspace, info: ProjectionInfo, ontology: Ontology, encoder: str
) -> KeptMap:
    asked = info.card.get("asked")
    if asked is None:
        return KeptMap(info, encoder, ontology.label, None)
    request = _request_of(workspace, info, asked)
    root = _root_text(workspace, ontology, request.root)
    part = ", ".join(filter(None, (ontology.label, choice_text(request, root))))
    return KeptMap(info, encoder, part, request, root)


def _request_of(
    workspace: Workspace, info: ProjectionInfo, asked: Mapping[str, Any]
) -> ProjectionRequest:
    key, values = info.key, json.loads(info.key.parameters)
    usual = parameters_of(key.method)
    parameters = {name: values[name] for name in usual if values.get(name) != usual[name]}
    return ProjectionRequest(
        workspace=workspace.folder,
        release_id=info.release_id,
        encoder_id=key.encoder_id,
        method=key.method,
        parameters=parameters,
        seed=key.seed,
        after=info.card.get("after"),
        **asked,
    )


def _root_text(workspace: Workspace, ontology: Ontology, root: str) -> str:
    if not root:
        return ""
    try:
        return find_concept(workspace, ontology, root).label
    except UserError:  # a later release of the file has it no more
        return root
