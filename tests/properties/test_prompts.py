"""A compile is fixed: by bytes, in every order, process and interpreter, and whatever stands in untrusted text."""

from __future__ import annotations

import json
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symfonic.capabilities import prompting
from symfonic.capabilities.knowledge import (
    KnowledgeSource,
    RetrievalPolicy,
    RetrievedFragment,
    is_encodable,
    knowledge_contribution,
)
from symfonic.capabilities.prompting import (
    CompiledPrompt,
    Hydrator,
    PromptCompiler,
    PromptContribution,
    PromptLayer,
    PromptRead,
    PromptRequest,
    PromptTier,
    RenderPolicy,
    SequentialHydrator,
    StaticPromptSource,
)
from symfonic.composition.knowledge import ConcurrentHydrator, prompt_contributions
from symfonic.testing.knowledge.strategies import hostile_rows, hostile_text

if TYPE_CHECKING:
    from collections.abc import Iterator

SCRIPT: Final = Path(__file__).with_name("fixed_prompts.py")
FIXED: Final = runpy.run_path(str(SCRIPT))
READER: Final = runpy.run_path(str(Path(__file__).with_name("blocks.py")))
TRANSFORMS: Final = READER["TRANSFORMS"]
KEY: Final = bytes(range(32))

#: Characters, digests of the prefixes and the whole, SHA-256 of blocks and diagnostics. A changed digest is a changed
#: prompt or a changed account, which needs a line in the changelog.
EXPECTED: Final[dict[str, list[Any]]] = {
    "keyed": [
        2146,
        "3527f9464b642d84a063072d9dd20bfaf13a108d8c606848d0f8dc5484d8d2e7",
        "185582b310914d681d093689ca34954f8ff97401904f4aa08ad04badf77ddda4",
        "9dd008cadcdb46a45308d896505331b25234ccb8e81b80d6761680bf1e0771b2",
        "241633e9590552a6fe7c25a961e572988d9ccde5727ec8090055fa621ae38b82",
    ],
    "unkeyed": [
        2146,
        "3527f9464b642d84a063072d9dd20bfaf13a108d8c606848d0f8dc5484d8d2e7",
        "27ce98f67b2aa96007a2943c0fa6af8cd7f9006e5d7b18126fa729a6d273c9df",
        "81cd9266cb0011c158b25efd4ee78d3cc2a188cf75f89b25551339bf8b4231a6",
        "13ffca68ed9c731ab72c4b83a2291f8d202846748903a6d654e277c3905072da",
    ],
    "datamarked": [
        3073,
        "b1b3bb4919fcf0c094c6a79343e2d6de2ff94bcad1a443cb8ac01a961e2de8b6",
        "7ac61ebf1ff445bedbb887588974d12ebe5c991814056ed75e5b4a5f44c28787",
        "32abcbfc4581acecbdaedc66d2f7d550ea27443b45f80accc570cad6253751a9",
        "ae821bfb53dd9b85ffed32bef6346df8391aa3e7dd7a141be3b46dd525943177",
    ],
    "tight": [
        1132,
        "3527f9464b642d84a063072d9dd20bfaf13a108d8c606848d0f8dc5484d8d2e7",
        "185582b310914d681d093689ca34954f8ff97401904f4aa08ad04badf77ddda4",
        "185582b310914d681d093689ca34954f8ff97401904f4aa08ad04badf77ddda4",
        "d81496c4157b41605e1edbfb6dd3c17c28c96b711c3e6cd5d7c8feb39affc06d",
    ],
    "counted": [
        2942,
        "3527f9464b642d84a063072d9dd20bfaf13a108d8c606848d0f8dc5484d8d2e7",
        "185582b310914d681d093689ca34954f8ff97401904f4aa08ad04badf77ddda4",
        "9cade4143346975c5da50537eb8178bb93bbb55b4fbd93d6497f5181fb6e779e",
        "ef29986ae8c8a21f658e8ff467426b11263da68ab6c559ca40eecdd68c9c1dd5",
    ],
    "delegated": [
        1768,
        "3527f9464b642d84a063072d9dd20bfaf13a108d8c606848d0f8dc5484d8d2e7",
        "d6e39a51fbd827597b6fca3261072fcd60e51262dc0d8d342271c07e282defc2",
        "a83545d3a7f150fa4f910fa31211a28cad505e79cabd2b82d1b848ce5dd19c87",
        "39303997b7833ffc065cd6b8c8f86174e40edf06170b07cf8467927dfea02495",
    ],
    "offline": [
        2146,
        "3527f9464b642d84a063072d9dd20bfaf13a108d8c606848d0f8dc5484d8d2e7",
        "185582b310914d681d093689ca34954f8ff97401904f4aa08ad04badf77ddda4",
        "9dd008cadcdb46a45308d896505331b25234ccb8e81b80d6761680bf1e0771b2",
        "70f749674689cbd37d9cef4a2afa6d15a9c5bae3133e84ec3bb402e34e2dc4f6",
    ],
}


# ------------------------------------------------------------------------------------------- orders and processes


def other_process(seed: int, python: str = sys.executable, *options: str, **changes: str) -> dict[str, list[Any]]:
    """The outcomes in a process of its own, which sees this project and the standard library."""
    env = {name: value for name, value in os.environ.items() if not name.startswith(("COVERAGE", "PYTHON"))}
    env["PYTHONPATH"] = str(Path(prompting.__file__).parents[3])
    command = [python, "-S", *options, str(SCRIPT), str(seed)]
    done = subprocess.run(command, capture_output=True, check=True, text=True, env={**env, **changes})
    found: dict[str, list[Any]] = json.loads(done.stdout)
    return found


def interpreters() -> Iterator[str]:
    """One Python of this machine for each version that may run the project."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    probe = "import sys; print(sys.version_info[:2])"
    seen: set[bytes] = set()
    for minor in range(11, 20):
        kept = [str(path) for path in sorted(pyenv.glob(f"3.{minor}.*/bin/python3"))]
        for python in (*kept, shutil.which(f"python3.{minor}")):
            found = (
                python and subprocess.run([python, "-I", "-S", "-c", probe], capture_output=True, check=False).stdout
            )
            if found == f"(3, {minor})\n".encode() and found not in seen:
                seen.add(found)
                yield str(python)


@pytest.mark.requirement("PR-DET-1")
@pytest.mark.parametrize(
    ("seed", "options", "changes"),
    [
        (1, ("-O",), {"PYTHONHASHSEED": "0"}),
        (2, (), {"PYTHONHASHSEED": "4294967295", "LC_ALL": "C", "PYTHONUTF8": "0", "TZ": "Asia/Kathmandu"}),
    ],
)
def test_every_process_compiles_the_same_bytes(seed: int, options: tuple[str, ...], changes: dict[str, str]) -> None:
    """In eight orders each; compared with what is written down, so every interpreter is held to one outcome."""
    found = other_process(seed, sys.executable, *options, **changes)
    assert found == {name: [outcome] for name, outcome in EXPECTED.items()}


@pytest.mark.requirement("PR-DET-1")
def test_every_interpreter_compiles_the_same_bytes() -> None:
    """Each knows another version of Unicode; whichever are on this machine, and this one at least."""
    for seed, python in enumerate((sys.executable, *interpreters())):
        outcomes = other_process(seed, python)
        assert outcomes == {name: [outcome] for name, outcome in EXPECTED.items()}, python


@pytest.mark.requirement("PR-DET-1")
@pytest.mark.parametrize("hydrator", [SequentialHydrator(), ConcurrentHydrator(workers=3)], ids=["in turn", "at once"])
def test_whoever_reads_the_bytes_are_the_same(hydrator: Hydrator) -> None:
    """Answers that arrive in any order, too."""
    prompt = PromptCompiler(FIXED["POLICIES"]["keyed"], hydrator).compile(FIXED["declared"](), FIXED["REQUEST"])
    assert prompt.digests.whole == EXPECTED["keyed"][3]


# --------------------------------------------------------------------------------------------------------- digests


@st.composite
def variants(draw: st.DrawFn) -> tuple[CompiledPrompt, CompiledPrompt]:
    """Two prompts that differ in one place, or in none."""
    texts = draw(
        st.lists(st.sampled_from(["a", "b", "a\u200b", "\n", "a\n\nb", "é", "e\u0301"]), min_size=3, max_size=3)
    )
    layers = (PromptLayer.L0, PromptLayer.L1, PromptLayer.L2)
    changed = draw(st.integers(0, 3))
    other = draw(st.sampled_from(["a", "b", "", "a\n\nb"]))
    prompts = []
    for turn in range(2):
        chosen = [other if turn and place == changed else text for place, text in enumerate(texts)]
        items = [
            PromptContribution(
                f"c{place}", StaticPromptSource(text, f"r{turn}"), tier=PromptTier.OPERATING, layer=layer
            )
            for place, (text, layer) in enumerate(zip(chosen, layers, strict=True))
            if text.strip()  # authored text that shows nothing fails the compile
        ]
        items.append(PromptContribution("kb", StaticPromptSource(draw(st.sampled_from(["x", "y"])))))
        prompts.append(PromptCompiler(RenderPolicy(delimiter_key=KEY)).compile(items, PromptRequest("a\x1fb", turn)))
    return prompts[0], prompts[1]


@pytest.mark.requirement("PR-DIG-1")
@given(variants())
def test_digests_are_equal_exactly_where_the_bytes_are(pair: tuple[CompiledPrompt, CompiledPrompt]) -> None:
    """Of the whole and of each prefix; the turn and a source's own revision are no bytes."""
    one, two = pair
    for name, place in (("l0", 0), ("l1", 1), ("whole", 2)):
        bytes_ = [prompt.text[: prompt.layer_ends[place]].encode() for prompt in pair]
        assert (getattr(one.digests, name) == getattr(two.digests, name)) is (bytes_[0] == bytes_[1])


# ------------------------------------------------------------------------------------------------- hostile content


def surrounded(texts: list[str], mark: str | None = None) -> CompiledPrompt:
    """Compile hostile texts in every place that untrusted text may have, between the operator's and harmless ones."""
    places: list[dict[str, Any]] = [
        {"layer": layer, "tier": tier, "order": order}
        for layer in (PromptLayer.L1, PromptLayer.L2)
        for tier in (PromptTier.PROFILE, PromptTier.SESSION)
        for order in (-1, 1)
    ]
    items = [
        PromptContribution(f"h{place}", StaticPromptSource(text, text, untrusted=True), **places[place % len(places)])
        for place, text in enumerate(texts)
    ]
    items += [
        PromptContribution("rules", StaticPromptSource("Be brief."), tier=PromptTier.PLATFORM, layer=PromptLayer.L0),
        PromptContribution("middle", StaticPromptSource("Cite."), tier=PromptTier.OPERATING, layer=PromptLayer.L1),
        PromptContribution("calm", StaticPromptSource("harmless")),
    ]
    policy = RenderPolicy(max_learned_chars=1_000_000, delimiter_key=KEY, datamark=mark)
    return PromptCompiler(policy).compile(items, PromptRequest("tenant\x1facme"))


def assert_read_as_told(prompt: CompiledPrompt) -> None:
    """The strict reader finds exactly the blocks the compiler reports, with their contents, after every transform."""
    told = [
        (block.contribution_id, prompt.text[block.content_start : block.content_end])
        for block in prompt.blocks
        if not block.trusted
    ]
    for name, later in TRANSFORMS.items():
        changed = later(prompt.text)
        expected = [(later(found), later(content).replace("\r\n", "\n")) for found, content in told]
        assert list(READER["read_blocks"](changed)) == expected, name
        assert READER["loose_delimiters"](changed) == 2 * len(told), name


@pytest.mark.requirement("PR-DEL-1")
@given(st.lists(hostile_text(), min_size=1, max_size=4), st.sampled_from([None, "^", "\ue000"]))
@settings(max_examples=60)
def test_hostile_text_stays_in_its_block_in_every_place(texts: list[str], mark: str | None) -> None:
    """Every layer, tier and rank, and the revision besides; the corpora run takes whole collections."""
    assert_read_as_told(surrounded([text for text in texts if is_encodable(text)], mark))


@pytest.mark.requirement("PR-DEL-1")
@given(hostile_rows(max_size=4))
@settings(max_examples=60)
def test_a_hostile_store_stays_in_its_block(rows: list[RetrievedFragment]) -> None:
    """Contents and sources, through the hardened bridge."""

    class Shelf:
        def search(self, query: str, limit: int) -> list[RetrievedFragment]:
            return rows

    source = KnowledgeSource(Shelf(), "q", RetrievalPolicy.hardened(key=KEY, limit=9))
    items = prompt_contributions([knowledge_contribution("knowledge", source)])
    assert_read_as_told(PromptCompiler(RenderPolicy(max_learned_chars=9_000, delimiter_key=KEY)).compile(items))


# --------------------------------------------------------------------------------------------------- hostile sources


class Source:
    """Answers what it was given, raises what is an exception, calls what can be called."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def read(self, request: PromptRequest) -> Any:
        """Answer."""
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer() if callable(self.answer) else self.answer


def changing() -> Any:
    """Return an answer that is another each time."""
    answers = iter(range(10**6))
    return lambda: PromptRead(f"answer {next(answers)}")


class PanicException(BaseException):
    """A panic of native code, as PyO3 names it."""


@pytest.mark.requirement("PR-FAIL-1")
@pytest.mark.parametrize(
    "hydrator", [SequentialHydrator(), ConcurrentHydrator(deadline=20)], ids=["in turn", "at once"]
)
@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (ValueError("hunter2"), "source-failed"),
        (MemoryError(), "source-failed"),
        (None, "wrong-type"),
        (b"bytes", "wrong-type"),
        (PromptRead("\ud800"), "bad-text"),
        (lambda: PromptRead("x" * 10**8), "over-learned"),
        (lambda: PromptRead("\u0301" * 10**7), "over-learned"),
        (PanicException("hunter2"), "source-failed"),
        (lambda: PromptRead("x", "hunter2" * 10**6), "over-revision"),
        (PromptRead("x", "\ud800"), "bad-text"),
    ],
    ids=[
        "raises",
        "no memory",
        "nothing",
        "bytes",
        "surrogate",
        "100 MB",
        "marks",
        "panic",
        "7 MB revision",
        "revision",
    ],
)
def test_a_source_costs_its_own_block_only(answer: Any, code: str, hydrator: Hydrator) -> None:
    """Whatever it does: the neighbours have the bytes they would have without it, and one diagnostic tells."""
    calm = [
        PromptContribution("a", StaticPromptSource("before", untrusted=True)),
        PromptContribution("z", StaticPromptSource("after", untrusted=True)),
    ]
    compiler = PromptCompiler(RenderPolicy(delimiter_key=KEY), hydrator)
    alone = compiler.compile(calm)
    prompt = compiler.compile([*calm, PromptContribution("hostile", Source(answer))])
    assert prompt.text == alone.text
    assert [(str(told.code), told.contribution_id) for told in prompt.diagnostics] == [(code, "hostile")]
    assert "hunter2" not in repr(prompt)


@pytest.mark.requirement("PR-FAIL-1")
def test_a_source_that_changes_its_answer_is_told_by_its_digest() -> None:
    """It is read once a compile, and each compile is what it read."""
    compiler, item = PromptCompiler(RenderPolicy(delimiter_key=KEY)), PromptContribution("kb", Source(changing()))
    one, two = compiler.compile([item]), compiler.compile([item])
    assert [list(READER["read_blocks"](prompt.text)) for prompt in (one, two)] == [
        [("kb", "answer 0")], [("kb", "answer 1")],
    ]  # fmt: skip
    assert one.digests.whole != two.digests.whole
    assert one.digests.l1 == two.digests.l1
