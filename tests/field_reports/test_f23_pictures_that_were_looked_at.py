"""F23: an answer did not bring the picture that it came from.

On the model's side: what the validator saw in a leaf's pictures comes back with its verdict, under the leaf's IRI.
"""

from pathlib import Path as FilePath

import pyoxigraph as ox

from agents.domain import Domain
from agents.llm import build_llm_policy
from agents.roles import Path, Question
from tests.fakes import ScriptedChat, edge, entity

BEAR, HONEY = entity("Bear"), entity("Honey")


def test_the_leaf_s_pictures_are_shown_and_their_caption_comes_back(tmp_path: FilePath) -> None:
    frames = [tmp_path / "1.png", tmp_path / "2.jpg", tmp_path / "clip.mp4"]
    for frame in frames:
        frame.write_bytes(b"bytes")
    asked: list[ox.NamedNode] = []

    def media_files(iri: ox.NamedNode) -> list[FilePath]:
        asked.append(iri)
        return frames

    model = ScriptedChat(['{"description": "A jar, half full.", "answer": "yes"}'])
    policy = build_llm_policy({"default": model}, Domain(), media_files=media_files)
    path = Path(BEAR, (edge(BEAR, "eats", HONEY),))
    verdict = policy.validator.validate(Question("What does it eat?"), path, {})
    assert asked == [HONEY.iri]
    assert model.asked[0].messages[-1].images == (frames[0], frames[1])
    assert (verdict.sufficient, verdict.caption) == (True, "A jar, half full.")

    again = policy.validator.validate(Question("What does it eat?"), path, {HONEY.iri: verdict.caption})
    assert model.asked[1].messages[-1].images == (), "looked at once for a question"
    assert "A jar, half full." in model.asked[1].prompt
    assert again.caption == ""
