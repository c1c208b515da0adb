"""Encoders of the models extra, with models of a few thousand weights that are built here; nothing is downloaded."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kg.media.items import Picture, Sound
from retrieval.encoders.base import JointEncoder
from retrieval.encoders.registry import encoder_for, text_encoder_for
from retrieval.errors import BadItem, EncoderUnavailable

pytestmark = [pytest.mark.models, pytest.mark.filterwarnings("ignore::DeprecationWarning")]
torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "bat", "red", "blue", "roars", "kettle", "the"]
TOWER = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
TEXT = {**TOWER, "vocab_size": len(WORDS), "max_position_embeddings": 12, "eos_token_id": 3, "pad_token_id": 0}
VISION = {**TOWER, "image_size": 32, "patch_size": 16}


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def save(folder: Path, model: Any, *processors: Any) -> str:
    for each in (model, *processors):
        each.save_pretrained(folder)
    return str(folder)


def tokenizer() -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    words = Tokenizer(models.WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))
    words.pre_tokenizer = pre_tokenizers.Whitespace()
    words.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]"
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One folder for each kind of model."""
    torch.manual_seed(0)
    root = tmp_path_factory.mktemp("models")
    clip = transformers.CLIPConfig(text_config=TEXT, vision_config=VISION, projection_dim=8)
    pixels = {"size": {"height": 32, "width": 32}}
    images = transformers.CLIPImageProcessor(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32})
    save(root / "clip", transformers.CLIPModel(clip), images, tokenizer())
    siglip = transformers.SiglipConfig(text_config=TEXT, vision_config=VISION)
    save(root / "siglip", transformers.SiglipModel(siglip), transformers.SiglipImageProcessor(**pixels), tokenizer())
    film = transformers.VideoMAEConfig(**VISION, num_frames=4, tubelet_size=2)
    frames = transformers.VideoMAEImageProcessor(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32})
    save(root / "video", transformers.VideoMAEModel(film), frames)
    save(root / "text", transformers.BertModel(transformers.BertConfig(**TEXT)), tokenizer())
    save(root / "clap", *clap())
    yield root


def clap() -> tuple[Any, Any, Any]:
    audio = {
        "hidden_size": 16, "patch_embeds_hidden_size": 8, "projection_dim": 8, "depths": [1, 1],
        "num_attention_heads": [1, 2], "num_hidden_layers": 2, "window_size": 4, "spec_size": 64, "num_mel_bins": 16,
        "patch_size": 4, "patch_stride": [4, 4], "num_classes": 2,
    }  # fmt: skip
    config = transformers.ClapConfig(
        text_config={**TEXT, "projection_dim": 8, "max_position_embeddings": 32}, audio_config=audio, projection_dim=8
    )
    listener = transformers.ClapFeatureExtractor(
        feature_size=16,
        sampling_rate=8000,
        hop_length=160,
        max_length_s=1,
        fft_window_size=1024,
        frequency_max=4000,
        truncation="rand_trunc",
    )
    return transformers.ClapModel(config), listener, tokenizer()


def pictures(count: int, side: int = 40) -> list[Picture]:
    return list(np.random.default_rng(0).integers(0, 255, (count, side, side + 8, 3), dtype=np.uint8))


def sounds(seconds: float, count: int = 2, rate: int = 8000) -> list[Sound]:
    noise = np.random.default_rng(0).normal(0, 0.1, (count, int(seconds * rate))).astype(np.float32)
    return [Sound(each, rate) for each in noise]


def assert_unit(vectors: np.ndarray, count: int) -> None:
    assert vectors.dtype == np.float32
    assert vectors.shape[0] == count
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("kind", ["clip", "siglip"])
def test_pictures_and_texts_lie_in_one_space(folder: Path, kind: str) -> None:
    encoder = encoder_for("image", f"clip:{folder / kind}")
    assert isinstance(encoder, JointEncoder)
    vectors, texts = encoder.encode(pictures(3)), encoder.encode_texts(["a red bat", "the kettle " * 40])
    assert_unit(vectors, 3)
    assert_unit(texts, 2)
    assert vectors.shape[1] == texts.shape[1] == encoder.fingerprint.width
    assert not np.allclose(vectors[0], vectors[1])


def test_a_picture_has_the_vector_that_the_model_itself_gives(folder: Path) -> None:
    name = str(folder / "clip")
    model = transformers.CLIPModel.from_pretrained(name).eval()
    inputs = transformers.AutoImageProcessor.from_pretrained(name)(images=pictures(1), return_tensors="pt")
    with torch.no_grad():
        expected = model(**inputs, input_ids=torch.tensor([[2, 5, 3]])).image_embeds[0].numpy()
    assert encoder_for("image", f"clip:{name}").encode(pictures(1))[0] == pytest.approx(expected, abs=1e-5)


def test_batches_change_nothing(folder: Path) -> None:
    encoder = encoder_for("image", f"clip:{folder / 'clip'}")
    some = pictures(70, side=4)
    assert np.allclose(encoder.encode(some), np.concatenate([encoder.encode([each]) for each in some]), atol=1e-5)
    assert encoder.encode([]).shape == (0, 8)


def test_a_picture_three_pixels_high_is_no_matter(folder: Path) -> None:
    """Of arrays, processors guess which side holds the channels."""
    encoder = encoder_for("image", f"clip:{folder / 'clip'}")
    assert_unit(encoder.encode([np.zeros((3, 9, 3), np.uint8), np.zeros((1, 1, 3), np.uint8)]), 2)


def test_films_by_a_clip_lie_where_their_frames_do(folder: Path) -> None:
    films, images = encoder_for("video", f"clip:{folder / 'clip'}"), encoder_for("image", f"clip:{folder / 'clip'}")
    frame = pictures(1)
    assert films.encode([frame, frame * 3]) == pytest.approx(np.repeat(images.encode(frame), 2, axis=0), abs=1e-5)
    assert isinstance(films, JointEncoder)
    assert films.fingerprint != images.fingerprint


def test_films_by_a_model_of_films(folder: Path) -> None:
    encoder = encoder_for("video", f"video:{folder / 'video'}")
    vectors = encoder.encode([pictures(9), pictures(1), pictures(4)[::-1]])
    assert_unit(vectors, 3)
    assert vectors.shape[1] == encoder.fingerprint.width == 16
    with pytest.raises(BadItem, match="film 1 "):
        encoder.encode([pictures(1), []])


@pytest.mark.parametrize("seconds", [0.01, 0.7, 1.0, 3.3])
def test_sounds_have_the_same_vector_every_time(folder: Path, seconds: float) -> None:
    encoder: Any = encoder_for("audio", f"clap:{folder / 'clap'}")
    first = encoder.encode(sounds(seconds))
    assert_unit(first, 2)
    assert np.array_equal(first, encoder.encode(sounds(seconds)))
    assert_unit(encoder.encode_texts(["the bat roars", "the kettle " * 40]), 2)
    assert encoder.rate == 8000


def test_sounds_of_another_rate_and_silence(folder: Path) -> None:
    encoder = encoder_for("audio", f"clap:{folder / 'clap'}")
    assert_unit(encoder.encode([*sounds(0.5, rate=22050), Sound(np.zeros(4000, np.float32), 8000)]), 3)
    with pytest.raises(BadItem, match="sound 0 "):
        encoder.encode([Sound(np.zeros(0, np.float32), 8000)])


def test_sentences(folder: Path) -> None:
    encoder = text_encoder_for(f"sentence:{folder / 'text'}")
    vectors = encoder.encode(["a red bat", " ", "the kettle " * 30])
    assert not vectors[1].any()
    assert_unit(vectors[[0, 2]], 2)
    assert encoder.encode(["a red bat"])[0] == pytest.approx(vectors[0], abs=1e-5)  # padding is not averaged
    assert encoder.encode([]).shape == (0, 16)


def test_other_weights_are_another_revision(folder: Path, tmp_path: Path) -> None:
    one = encoder_for("image", f"clip:{folder / 'clip'}").fingerprint
    assert one == encoder_for("image", f"clip:{folder / 'clip'}").fingerprint
    torch.manual_seed(1)
    config = transformers.CLIPConfig.from_pretrained(folder / "clip")
    processor = transformers.AutoImageProcessor.from_pretrained(folder / "clip")
    name = save(tmp_path, transformers.CLIPModel(config), processor, tokenizer())
    assert encoder_for("image", f"clip:{name}").fingerprint.revision != one.revision


@pytest.mark.parametrize(
    ("modality", "spec", "model"),
    [("image", "clip", "video"), ("video", "video", "clip"), ("video", "video", "text"), ("audio", "clap", "clip")],
)
def test_a_model_of_another_kind_is_refused(folder: Path, modality: Any, spec: str, model: str) -> None:
    with pytest.raises(EncoderUnavailable, match=model):
        encoder_for(modality, f"{spec}:{folder / model}")


def test_a_sentence_encoder_is_not_a_model_of_pictures(folder: Path) -> None:
    with pytest.raises(EncoderUnavailable, match="video"):
        text_encoder_for(f"sentence:{folder / 'video'}")


def test_what_is_not_here_is_one_line_and_no_download(tmp_path: Path) -> None:
    os.environ.pop("HF_HUB_OFFLINE", None)  # the refusal is our own
    for name in ("nobody/no-such-model", str(tmp_path)):
        with pytest.raises(EncoderUnavailable) as caught:
            encoder_for("image", f"clip:{name}")
        assert name in str(caught.value)
        assert "\n" not in str(caught.value)


def test_weights_that_are_no_numbers_are_refused(folder: Path, tmp_path: Path) -> None:
    model = transformers.CLIPModel.from_pretrained(folder / "clip")
    model.visual_projection.weight.data.fill_(float("nan"))
    processor = transformers.AutoImageProcessor.from_pretrained(folder / "clip")
    encoder = encoder_for("image", f"clip:{save(tmp_path, model, processor, tokenizer())}")
    with pytest.raises(EncoderUnavailable, match="no numbers"):
        encoder.encode(pictures(1))
