"""Many items: order, faults told one by one, and a cache that outlives a kill."""

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread

import numpy as np
import pytest

from kg.media.errors import BadMedia
from kg.media.items import Modality, Picture
from retrieval.encoders.base import Fingerprint, Vectors
from retrieval.encoders.cache import VectorCache
from retrieval.encoders.encoding import Encodable, Fault, encode_all
from retrieval.errors import BadItem, RetrievalError

FINGERPRINT = Fingerprint("brightness", "1", "none", 3)


class Brightness:
    """A picture's first pixel; black ones it cannot look at. It counts what it was shown."""

    spec = "brightness"
    modality: Modality = "image"
    fingerprint = FINGERPRINT

    def __init__(self) -> None:
        self.shown = 0

    def encode(self, items: Sequence[Picture]) -> Vectors:
        if not all(item.any() for item in items):
            raise BadItem("a picture is black")
        self.shown += len(items)
        rows = np.asarray([item[0, 0] for item in items], dtype=np.float32).reshape(-1, 3)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)


def item(value: int, load: Callable[[], Picture] | None = None) -> Encodable[Picture]:
    picture = np.full((2, 2, 3), value, dtype=np.uint8)
    picture[..., 0] = min(value, 7)
    return Encodable(hashlib.sha256(picture.tobytes()).hexdigest(), load or (lambda: picture))


def unreadable() -> Picture:
    raise BadMedia("x.png is damaged")


def test_order_faults_and_progress() -> None:
    steps: list[int] = []
    items = [item(10), item(1, unreadable), item(0), item(20), item(30)]
    done = encode_all(Brightness(), iter(items), batch=2, progress=steps.append)
    assert done.places == (0, 3, 4)
    assert done.faults == (Fault(1, "x.png is damaged"), Fault(2, "a picture is black"))
    assert np.array_equal(done.vectors, Brightness().encode([items[place].load() for place in done.places]))
    assert steps == [2, 2, 1]


def test_nothing_is_no_rows() -> None:
    done = encode_all(Brightness(), [])
    assert done.vectors.shape == (0, 3)
    assert not done.places


def test_a_second_run_loads_and_encodes_nothing(tmp_path: Path) -> None:
    items = [item(value) for value in range(1, 8)]
    first = encode_all(Brightness(), items, batch=3, cache=VectorCache(tmp_path, FINGERPRINT))
    known = [Encodable(each.sha256, unreadable) for each in items]
    encoder = Brightness()
    again = encode_all(encoder, known, batch=3, cache=VectorCache(tmp_path, FINGERPRINT))
    assert (encoder.shown, again.reused, first.reused) == (0, 7, 0)
    assert np.array_equal(first.vectors, again.vectors)


def test_a_run_that_ended_half_way_goes_on_there(tmp_path: Path) -> None:
    def killed() -> Picture:
        raise KeyboardInterrupt

    items = [item(value) for value in range(1, 9)]
    with pytest.raises(KeyboardInterrupt):
        encode_all(Brightness(), [*items[:5], item(6, killed)], batch=2, cache=VectorCache(tmp_path, FINGERPRINT))
    encoder = Brightness()
    assert encode_all(encoder, items, batch=2, cache=VectorCache(tmp_path, FINGERPRINT)).reused == 4
    assert encoder.shown == 4


@pytest.mark.parametrize("cut", [1, 20, 47])
def test_a_record_that_was_cut_off_is_made_again(tmp_path: Path, cut: int) -> None:
    items = [item(value) for value in range(1, 5)]
    cache = VectorCache(tmp_path, FINGERPRINT)
    whole = encode_all(Brightness(), items, cache=cache).vectors
    cache.file.write_bytes(cache.file.read_bytes()[:-cut])
    done = encode_all(Brightness(), items, cache=VectorCache(tmp_path, FINGERPRINT))
    assert done.reused == 3
    assert np.array_equal(done.vectors, whole)
    assert len(VectorCache(tmp_path, FINGERPRINT)) == 4


def test_a_head_that_was_cut_off_is_written_again(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path, FINGERPRINT)
    cache.file.write_bytes(b'{"name": "bri')
    encode_all(Brightness(), [item(1)], cache=VectorCache(tmp_path, FINGERPRINT))
    assert len(VectorCache(tmp_path, FINGERPRINT)) == 1


def test_a_damaged_record_is_passed_over_and_the_next_one_read(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path, FINGERPRINT)
    encode_all(Brightness(), [item(value) for value in range(1, 5)], cache=cache)
    content = bytearray(cache.file.read_bytes())
    content[4096 + 40] ^= 1
    cache.file.write_bytes(content)
    again = VectorCache(tmp_path, FINGERPRINT)
    assert again.get(item(1).sha256) is None
    assert again.get(item(2).sha256) is not None


def test_encoders_do_not_share_vectors(tmp_path: Path) -> None:
    encode_all(Brightness(), [item(1)], cache=VectorCache(tmp_path, FINGERPRINT))
    assert not len(VectorCache(tmp_path, Fingerprint("brightness", "2", "none", 3)))


def test_a_file_of_another_encoder_is_refused(tmp_path: Path) -> None:
    cache = VectorCache(tmp_path, FINGERPRINT)
    cache.file.write_bytes(b"x" * 5000)
    with pytest.raises(RetrievalError, match="remove it"):
        VectorCache(tmp_path, FINGERPRINT)


def test_two_writers_take_turns(tmp_path: Path) -> None:
    def write(start: int) -> None:
        cache = VectorCache(tmp_path, FINGERPRINT)
        for value in range(start, start + 40):
            cache.add([(hashlib.sha256(bytes([value])).hexdigest(), np.full(3, value, np.float32))])

    writers = [Thread(target=write, args=(start,)) for start in (0, 40, 80)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    cache = VectorCache(tmp_path, FINGERPRINT)
    assert len(cache) == 120
    found = cache.get(hashlib.sha256(bytes([77])).hexdigest())
    assert found is not None
    assert (found == 77).all()
