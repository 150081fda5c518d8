"""The UMLS Metathesaurus and RxNorm in Rich Release Format (RRF), read as a stream."""
