"""A chat model in this process: a local folder or a name of the Hugging Face hub, by ``transformers``.

torch and transformers come with the ``models`` extra, and are imported when the first question is asked. Nothing here
holds a model to a schema: it is described in the prompt. One question is answered at a time.
"""

import importlib
import importlib.util
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agents.chat import DEFAULT_MAX_TOKENS, JsonSchema, Message, Reply, check_reply, strip_thoughts, with_instruction
from agents.errors import EndpointFailed, EndpointRefused, MediaUnreadable, ModelsMissing, ModelUnreadable
from agents.images import media_type

_NEEDED = ("torch", "transformers")


@dataclass(frozen=True, slots=True)
class _Loaded:
    """``processor`` is a tokenizer, or for a model that ``sees``, what prepares pictures and text."""

    model: Any
    processor: Any
    sees: bool

    @property
    def tokenizer(self) -> Any:
        return getattr(self.processor, "tokenizer", self.processor)


class TransformersChat:
    """The model ``name``, loaded at the first question, on ``device`` ("cuda", "cpu"; None: a GPU where there is one).

    Raises ModelsMissing where the extra is not installed.
    """

    def __init__(self, name: str, *, device: str | None = None) -> None:
        missing = [package for package in _NEEDED if importlib.util.find_spec(package) is None]
        if missing:
            raise ModelsMissing(
                f"local models need {' and '.join(missing)}: pip install 'scoutfly[models]', or give --base-url"
            )
        self._name, self._device = name, device
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None

    @property
    def identity(self) -> str:
        """The model's name, and that it runs here."""
        return f"{self._name} by transformers"

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: JsonSchema | None = None,
        max_tokens: int = DEFAULT_MAX_TOKENS,
        temperature: float = 0.0,
        repeat: int = 0,
    ) -> Reply:
        """See :class:`agents.chat.ChatModel`; ``repeat`` seeds the sampling. Raises ModelUnreadable too."""
        started = time.perf_counter()
        asked = with_instruction(messages, schema) if schema is not None else list(messages)
        with self._lock:
            self._loaded = loaded = self._loaded or self._load()
            text, finish_reason, counts = self._generate(loaded, asked, max_tokens, temperature, repeat)
        return check_reply(
            Reply(
                text=strip_thoughts(text),
                finish_reason=finish_reason,
                prompt_tokens=counts[0],
                completion_tokens=counts[1],
                seconds=time.perf_counter() - started,
                model=self._name,
            )
        )

    def _load(self) -> _Loaded:
        torch, transformers = (importlib.import_module(package) for package in _NEEDED)
        try:
            config = transformers.AutoConfig.from_pretrained(self._name)
            sees = config.model_type in _seeing_types()
            read = transformers.AutoProcessor if sees else transformers.AutoTokenizer
            kind = transformers.AutoModelForImageTextToText if sees else transformers.AutoModelForCausalLM
            processor, model = read.from_pretrained(self._name), kind.from_pretrained(self._name, dtype="auto")
        except (OSError, ValueError, ImportError) as error:
            said = " ".join(str(error).split())[:300]
            raise ModelUnreadable(f"local model {self._name!r} cannot be loaded: {said}") from error
        device = self._device or ("cuda" if torch.cuda.is_available() else "cpu")
        return _Loaded(model.to(device).eval(), processor, sees)

    def _generate(
        self, loaded: _Loaded, messages: Sequence[Message], max_tokens: int, temperature: float, repeat: int
    ) -> tuple[str, str, tuple[int, int]]:
        """The text, the finish reason, and the tokens in and out."""
        torch = importlib.import_module("torch")
        inputs = self._inputs(loaded, messages).to(loaded.model.device)
        length = inputs["input_ids"].shape[-1]
        self._check_length(loaded, length)
        try:
            with torch.inference_mode(), torch.random.fork_rng():
                torch.manual_seed(repeat)
                output = loaded.model.generate(
                    **inputs, max_new_tokens=max_tokens, **_drawing(loaded.tokenizer, temperature)
                )
        except torch.OutOfMemoryError as error:
            raise EndpointFailed(f"{self._name} ran out of memory on a prompt of {length} tokens") from error
        said = output[0, length:]
        ended = len(said) < max_tokens or int(said[-1]) in _end_tokens(loaded)
        text = loaded.tokenizer.decode(said, skip_special_tokens=True)
        return text, "stop" if ended else "length", (length, len(said))

    def _inputs(self, loaded: _Loaded, messages: Sequence[Message]) -> Any:
        if not loaded.sees and any(message.images for message in messages):
            raise MediaUnreadable(f"{self._name} reads text only: give a model that sees for this role")
        if loaded.tokenizer.chat_template is None and getattr(loaded.processor, "chat_template", None) is None:
            return loaded.tokenizer("\n\n".join(message.text for message in messages) + "\n\n", return_tensors="pt")
        arguments = {"add_generation_prompt": True, "tokenize": True, "return_dict": True, "return_tensors": "pt"}
        template_error = importlib.import_module("jinja2").TemplateError
        try:
            return loaded.processor.apply_chat_template(_turns(messages, loaded), **arguments)
        except template_error:  # a template that knows no system turn
            return loaded.processor.apply_chat_template(_turns(_without_system(messages), loaded), **arguments)

    def _check_length(self, loaded: _Loaded, length: int) -> None:
        text_config = loaded.model.config.get_text_config()
        longest = getattr(text_config, "max_position_embeddings", None)
        if longest is not None and length >= longest:
            raise EndpointRefused(f"{self._name} reads at most {longest} tokens, and the prompt has {length}")


def _seeing_types() -> frozenset[str]:
    """The model types that take pictures and text."""
    auto = importlib.import_module("transformers.models.auto.modeling_auto")
    return frozenset(auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES)


def _drawing(tokenizer: Any, temperature: float) -> dict[str, object]:
    """How to draw tokens: greedily at temperature 0, whatever the model's own settings are."""
    padding = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id
    if temperature > 0:
        return {"do_sample": True, "temperature": temperature, "pad_token_id": padding}
    return {"do_sample": False, "temperature": None, "top_p": None, "top_k": None, "pad_token_id": padding}


def _end_tokens(loaded: _Loaded) -> set[int]:
    ends = loaded.model.generation_config.eos_token_id
    return {loaded.tokenizer.eos_token_id, *(ends if isinstance(ends, list) else [ends])}


def _turns(messages: Sequence[Message], loaded: _Loaded) -> list[dict[str, object]]:
    """The conversation as chat templates take it; pictures by their files' paths."""
    if not loaded.sees:
        return [{"role": message.role, "content": message.text} for message in messages]
    return [{"role": message.role, "content": _parts(message)} for message in messages]


def _parts(message: Message) -> list[dict[str, str]]:
    for image in message.images:
        media_type(image)
    return [{"type": "image", "path": str(image)} for image in message.images] + [
        {"type": "text", "text": message.text}
    ]


def _without_system(messages: Sequence[Message]) -> list[Message]:
    """The conversation with what the system says put before what the user says first."""
    told = [message.text for message in messages if message.role == "system"]
    rest = [message for message in messages if message.role != "system"]
    return [Message(rest[0].role, "\n\n".join([*told, rest[0].text]), rest[0].images), *rest[1:]]
