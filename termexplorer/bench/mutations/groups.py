"""The groups of formats, each with what makes its sound files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from termexplorer.bench.mutations import (
    encoder_files,
    judging_files,
    terminology_files,
    workspace_files,
)
from termexplorer.bench.mutations.sound_file import SoundFile

GROUPS: dict[str, Callable[[Path], list[SoundFile]]] = {
    "OBO": terminology_files.make_obo_files,
    "RDF/XML": terminology_files.make_owl_files,
    "Turtle and N-Triples": terminology_files.make_turtle_files,
    "OBO Graphs and FHIR": terminology_files.make_json_files,
    "ClaML, MeSH and ICD-10-CM": terminology_files.make_xml_files,
    "tables, dictionaries and corpora": terminology_files.make_table_files,
    "RF2, RRF and OMOP": terminology_files.make_release_files,
    "mappings and verdicts": judging_files.make_mapping_files,
    "packs and answers": judging_files.make_study_files,
    "pairs and ratings": judging_files.make_pair_files,
    "vectors": encoder_files.make_vector_files,
    "encoders": encoder_files.make_encoder_files,
    "settings of recipes": workspace_files.make_setting_files,
    "stores of workspaces": workspace_files.make_store_files,
}
