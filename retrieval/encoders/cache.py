"""
Vectors on disk by the checksum of what they were made of: one file an encoder, only ever appended to.

A record is the checksum, the vector and a check of both. A writer that was killed leaves part of a record at the end,
which the next writer cuts off; a record that was damaged is passed over. Writers take turns by a lock on the file.
"""

import fcntl
import hashlib
import json
import os
import zlib
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

import numpy as np

from retrieval.encoders.base import Fingerprint, Vectors
from retrieval.errors import RetrievalError

_HEAD = 4096
"""Bytes before the first record: the fingerprint as JSON, padded."""


class VectorCache:
    """The vectors that one encoder, told by its fingerprint, has made before."""

    def __init__(self, directory: Path, fingerprint: Fingerprint) -> None:
        """Opens or begins the file of an encoder in ``directory``. Raises RetrievalError where it is not that file."""
        self._width = fingerprint.width
        self._record = 32 + 4 * self._width + 4
        self._head = json.dumps(asdict(fingerprint), ensure_ascii=True).encode().ljust(_HEAD - 1) + b"\n"
        if len(self._head) != _HEAD:
            raise RetrievalError(f"the fingerprint of {fingerprint.name[:80]} is too long to be kept")
        self.file = directory / f"{hashlib.sha256(self._head).hexdigest()[:24]}.vectors"
        directory.mkdir(parents=True, exist_ok=True)
        self._vectors: dict[bytes, Vectors] = {}
        self._read()

    def __len__(self) -> int:
        return len(self._vectors)

    def get(self, sha256: str) -> Vectors | None:
        """``float32 [width]`` of the item with that checksum, if it is known."""
        return self._vectors.get(bytes.fromhex(sha256))

    def add(self, vectors: Iterable[tuple[str, Vectors]]) -> None:
        """Keeps vectors by their items' checksums; they are on disk when this returns."""
        fresh = [(bytes.fromhex(sha256), np.array(vector, dtype="<f4")) for sha256, vector in vectors]
        records = b"".join(_record(key, vector) for key, vector in fresh)
        descriptor = os.open(self.file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            size = os.fstat(descriptor).st_size
            if size < _HEAD:
                size = os.pwrite(descriptor, self._head, 0)
            whole = size - (size - _HEAD) % self._record
            os.ftruncate(descriptor, whole)
            written = os.pwrite(descriptor, records, whole)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if written != len(records):
            raise RetrievalError(f"{self.file} could not be written to its end: is the disk full?")
        self._vectors.update(fresh)

    def _read(self) -> None:
        if not self.file.exists() or self.file.stat().st_size < _HEAD:
            return
        with self.file.open("rb") as stream:
            if stream.read(_HEAD) != self._head:
                raise RetrievalError(f"{self.file} is not what its name says: remove it, and it is made anew")
            while len(record := stream.read(self._record)) == self._record:
                if zlib.crc32(record[:-4]).to_bytes(4, "little") == record[-4:]:
                    self._vectors[record[:32]] = np.frombuffer(record[32:-4], dtype="<f4").astype(np.float32)


def _record(key: bytes, vector: Vectors) -> bytes:
    if len(key) != 32:
        raise ValueError("a SHA-256 has 32 bytes")
    body = key + vector.tobytes()
    return body + zlib.crc32(body).to_bytes(4, "little")
