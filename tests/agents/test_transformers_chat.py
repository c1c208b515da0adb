"""Local models, on tiny ones with random weights that the tests make and save themselves."""

import importlib.util
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from agents.chat import Message
from agents.errors import EndpointRefused, MediaUnreadable, ModelsMissing, ModelUnreadable
from agents.transformers_chat import TransformersChat

INSTALLED = all(importlib.util.find_spec(name) for name in ("torch", "transformers"))
needs_models = [
    pytest.mark.models,
    pytest.mark.skipif(not INSTALLED, reason="torch and transformers are not installed (the models extra)"),
    pytest.mark.filterwarnings("default"),
]
needs_pictures = [
    *needs_models,
    pytest.mark.skipif(importlib.util.find_spec("PIL") is None, reason="pillow is not installed (the models extra)"),
]
TEMPLATE = (
    "{% for m in messages %}<{{ m.role }}> {% if m.content is string %}{{ m.content }}{% else %}"
    "{% for part in m.content %}{% if part.type == 'image' %}<image>{% else %}{{ part.text }}{% endif %}{% endfor %}"
    "{% endif %} {% endfor %}{% if add_generation_prompt %}<assistant> {% endif %}"
)
NO_SYSTEM = "{% if messages[0].role == 'system' %}{{ raise_exception('no system turn') }}{% endif %}" + TEMPLATE
SIZES = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
ASK = [Message("system", "keep bees"), Message("user", "which ?")]


def test_without_the_extra_the_error_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ModelsMissing, match=r"pip install 'scoutfly\[models\]'"):
        TransformersChat("some/model")


def make_tokenizer(template: str | None) -> Any:
    """A tokenizer of whole words."""
    import tokenizers
    import transformers

    words = [
        "<pad>",
        "<end>",
        "<unk>",
        "<image>",
        "<system>",
        "<user>",
        "<assistant>",
        *("keep", "bees", "which", "?", "one", "two"),
    ]
    words += [f"word{number}" for number in range(64 - len(words))]
    fast = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: number for number, word in enumerate(words)}, unk_token="<unk>")
    )
    fast.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=fast, pad_token="<pad>", eos_token="<end>", unk_token="<unk>", extra_special_tokens=["<image>"]
    )
    tokenizer.chat_template = template
    return tokenizer


def save_text_model(folder: Path, *, template: str | None = TEMPLATE) -> str:
    """A one-layer language model with random weights; returns its folder."""
    import torch
    import transformers

    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        **SIZES, vocab_size=64, max_position_embeddings=64, pad_token_id=0, bos_token_id=1, eos_token_id=1
    )
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    make_tokenizer(template).save_pretrained(folder)
    return str(folder)


@pytest.fixture
def text_model(tmp_path: Path) -> Iterator[TransformersChat]:
    yield TransformersChat(save_text_model(tmp_path), device="cpu")


class TestTextModel:
    """A model that reads text."""

    pytestmark = needs_models

    def test_an_answer_comes_with_its_cost(self, text_model: TransformersChat) -> None:
        reply = text_model.complete(ASK, max_tokens=5)
        assert reply.text
        assert reply.prompt_tokens == 7, "<system> keep bees <user> which ? <assistant>"
        assert 1 <= reply.completion_tokens <= 5
        assert (reply.finish_reason == "length") == (reply.completion_tokens == 5)
        assert reply.seconds > 0
        assert not reply.cached

    def test_at_temperature_zero_it_says_the_same_again(self, text_model: TransformersChat) -> None:
        texts = {text_model.complete(ASK, max_tokens=8, repeat=repeat).text for repeat in range(3)}
        assert len(texts) == 1

    def test_repeats_of_a_sample_differ_and_each_can_be_repeated(self, text_model: TransformersChat) -> None:
        drawn = [text_model.complete(ASK, max_tokens=8, temperature=1.0, repeat=n % 3).text for n in range(6)]
        assert drawn[:3] == drawn[3:]
        assert len(set(drawn)) == 3

    def test_the_schema_goes_into_the_prompt(self, text_model: TransformersChat) -> None:
        plain = text_model.complete(ASK, max_tokens=2).prompt_tokens
        assert text_model.complete(ASK, max_tokens=2, schema={"type": "object"}).prompt_tokens > plain

    def test_threads_wait_for_one_another(self, text_model: TransformersChat) -> None:
        with ThreadPoolExecutor(4) as pool:
            texts = set(pool.map(lambda _: text_model.complete(ASK, max_tokens=4).text, range(8)))
        assert len(texts) == 1

    def test_a_prompt_that_is_too_long_is_refused(self, text_model: TransformersChat) -> None:
        with pytest.raises(EndpointRefused, match="at most 64 tokens, and the prompt has 10"):
            text_model.complete([Message("user", "bees " * 100)])

    def test_pictures_are_refused(self, text_model: TransformersChat, tmp_path: Path) -> None:
        with pytest.raises(MediaUnreadable, match="reads text only"):
            text_model.complete([Message("user", "which ?", (tmp_path / "frame.png",))])

    @pytest.mark.parametrize("template", [None, NO_SYSTEM], ids=["no template", "no system turn"])
    def test_templates_that_lack_something(self, tmp_path: Path, template: str | None) -> None:
        chat = TransformersChat(save_text_model(tmp_path, template=template), device="cpu")
        assert chat.complete(ASK, max_tokens=3).prompt_tokens >= 4

    def test_what_is_no_model_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(ModelUnreadable, match="cannot be loaded"):
            TransformersChat(str(tmp_path)).complete(ASK)


class TestSeeingModel:
    """A model that reads text and pictures."""

    pytestmark = needs_pictures

    def test_pictures_are_seen(self, tmp_path: Path) -> None:
        from PIL import Image

        chat = TransformersChat(save_seeing_model(tmp_path / "model"), device="cpu")
        frames = [tmp_path / "black.png", tmp_path / "white.png"]
        for frame, colour in zip(frames, ("black", "white"), strict=True):
            Image.new("RGB", (20, 10), colour).save(frame)
        plain = chat.complete(ASK, max_tokens=4)
        black, white = (chat.complete([Message("user", "which ?", (frame,))], max_tokens=6) for frame in frames)
        both = chat.complete([Message("user", "which ?", tuple(frames))], max_tokens=4)
        assert plain.prompt_tokens < white.prompt_tokens < both.prompt_tokens
        assert black.prompt_tokens == white.prompt_tokens
        with pytest.raises(MediaUnreadable):
            chat.complete([Message("user", "which ?", (tmp_path / "clip.mp4",))])


def save_seeing_model(folder: Path) -> str:
    """A one-layer model that sees, with random weights; returns its folder."""
    import torch
    import transformers

    torch.manual_seed(0)
    text = transformers.LlamaConfig(
        **SIZES, vocab_size=64, max_position_embeddings=256, pad_token_id=0, bos_token_id=1, eos_token_id=1
    )
    vision = transformers.CLIPVisionConfig(**SIZES, image_size=8, patch_size=4, projection_dim=16)
    config = transformers.LlavaConfig(vision_config=vision, text_config=text, image_token_index=3, image_seq_length=4)
    transformers.LlavaForConditionalGeneration(config).save_pretrained(folder)
    square = {"height": 8, "width": 8}
    transformers.LlavaProcessor(
        image_processor=transformers.CLIPImageProcessor(size={"shortest_edge": 8}, crop_size=square),
        tokenizer=make_tokenizer(None),
        patch_size=4,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        image_token="<image>",
        chat_template=TEMPLATE,
    ).save_pretrained(folder)
    return str(folder)
