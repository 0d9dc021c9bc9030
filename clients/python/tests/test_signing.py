"""The published vectors, which the clients of all languages share."""

import json
import unittest
from pathlib import Path

from crossbook import Signer

VECTORS = Path(__file__).parents[3] / "test/fixtures/signing-vectors.json"


class Signing(unittest.TestCase):
    def test_makes_the_published_signatures(self) -> None:
        vectors = json.loads(VECTORS.read_text())
        self.assertGreaterEqual(len(vectors), 8)
        for vector in vectors:
            with self.subTest(vector["name"]):
                headers = Signer("my-key", vector["seedHex"]).headers(
                    vector["method"],
                    vector["target"],
                    vector["body"].encode(),
                    timestamp_s=int(vector["timestamp"]),
                    idempotency_key=vector["idempotencyKey"],
                    not_after_millis=int(vector["notAfter"]) if vector["notAfter"] else None,
                )
                expected = {
                    "SVC-Key-Id": "my-key",
                    "SVC-Timestamp": vector["timestamp"],
                    "SVC-Content-Sha256": vector["contentSha256"],
                    "SVC-Signature": vector["signatureBase64"],
                    "Idempotency-Key": vector["idempotencyKey"],
                    "SVC-Not-After-Millis": vector["notAfter"],
                }
                self.assertEqual(headers, {name: value for name, value in expected.items() if value})

    def test_refuses_what_would_be_signed_as_another_text(self) -> None:
        signer = Signer("my-key", "00" * 32)
        for key in (" a", "a ", "ä", "a\n", "a" * 256):
            with self.subTest(key), self.assertRaises(ValueError):
                signer.headers("POST", "/", timestamp_s=0, idempotency_key=key)
        for seed in ("", "00" * 31, "zz" * 32):
            with self.subTest(seed), self.assertRaises(ValueError):
                Signer("my-key", seed)
