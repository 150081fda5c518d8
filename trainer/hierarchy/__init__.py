"""Classes and synonym sets by a hierarchy."""
