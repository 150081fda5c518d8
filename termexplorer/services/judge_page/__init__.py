"""Study packs as pages that open in any browser."""
