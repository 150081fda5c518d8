"""FHIR CodeSystem."""
