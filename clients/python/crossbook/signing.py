"""Signs requests (docs/SIGNING.md). The private key never leaves a `Signer`."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_IDEMPOTENCY_KEY = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?")
_SEED = re.compile(r"[0-9a-fA-F]{64}")


class Signer:
    """A signing key. `seed_hex` is the 32-byte Ed25519 seed in hex."""

    def __init__(self, key_id: str, seed_hex: str) -> None:
        if _SEED.fullmatch(seed_hex) is None:
            raise ValueError("seed_hex: must be 32 bytes in hex")
        self.key_id = key_id
        self._key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(seed_hex))

    @classmethod
    def from_file(cls, path: str | Path) -> Signer:
        """Reads JSON `{"keyId": …, "seedHex": …}`, such as `data/demo/key.json` of a first start."""
        key = json.loads(Path(path).read_text())
        return cls(key["keyId"], key["seedHex"])

    def headers(
        self,
        method: str,
        target: str,
        body: bytes = b"",
        *,
        timestamp_s: int,
        idempotency_key: str = "",
        not_after_millis: int | None = None,
    ) -> dict[str, str]:
        """The signing headers of one request, over exactly the bytes that are sent.

        `target` is path and query as sent; `timestamp_s` is Unix seconds by the gateway's clock. After
        `not_after_millis`, Unix milliseconds, the gateway does not send the order to the venue.
        """
        if idempotency_key and _IDEMPOTENCY_KEY.fullmatch(idempotency_key) is None:
            raise ValueError("idempotency_key: must be 1 to 255 visible ASCII characters")
        timestamp = str(timestamp_s)
        sha256 = hashlib.sha256(body).hexdigest()
        not_after = "" if not_after_millis is None else str(not_after_millis)
        text = "\n".join([method, target, timestamp, sha256, idempotency_key, not_after])
        headers = {
            "SVC-Key-Id": self.key_id,
            "SVC-Timestamp": timestamp,
            "SVC-Content-Sha256": sha256,
            "SVC-Signature": base64.b64encode(self._key.sign(text.encode())).decode(),
        }
        if idempotency_key:
            headers["Idempotency-Key"] = idempotency_key
        if not_after:
            headers["SVC-Not-After-Millis"] = not_after
        return headers
