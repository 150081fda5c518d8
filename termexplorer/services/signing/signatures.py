"""Signatures of files (Ed25519): who wrote a file, and that it is as they wrote it."""

from dataclasses import dataclass
from enum import Enum

__all__ = ["Signature", "SignatureState", "check_signature", "format_fingerprint"]

_SHOWN = 16  # hexadecimal digits of a key that people compare


class SignatureState(Enum):
    """What is known of who wrote a file."""

    VALID = "signed"
    INVALID = "invalid"
    UNSIGNED = "unsigned"
    UNCHECKED = "unchecked"  # this installation cannot check signatures


@dataclass(frozen=True, slots=True)
class Signature:
    """Who signed, and what they wrote below it; hexadecimal digits.

    Attributes:
        key: the public key, 64 digits.
        value: 128 digits.
    """

    key: str
    value: str


def check_signature(signature: Signature | None, message: bytes) -> SignatureState:
    """Tell whether the owner of a signature's key signed a message."""
    if signature is None:
        return SignatureState.UNSIGNED
    try:
        from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        return SignatureState.UNCHECKED
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signature.key))
        public.verify(bytes.fromhex(signature.value), message)
    except UnsupportedAlgorithm:
        return SignatureState.UNCHECKED
    except (InvalidSignature, ValueError):
        return SignatureState.INVALID
    return SignatureState.VALID


def format_fingerprint(key: str) -> str:
    """Return the beginning of a public key as people compare it: `3f9a 02bc 11d0 7e45`."""
    return " ".join(key[at : at + 4] for at in range(0, min(len(key), _SHOWN), 4))
