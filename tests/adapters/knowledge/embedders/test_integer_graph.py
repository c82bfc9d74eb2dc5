"""The graph that multiplies integers: the same weights, other nodes."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from symfonic.adapters.knowledge.embedders._installed import MINILM_GRAPH, installed_bytes
from symfonic.adapters.knowledge.embedders._integer_graph import with_integer_arithmetic
from symfonic.adapters.knowledge.embedders._messages import field_list, numbers, parts, texts, written


@pytest.fixture(scope="module")
def original() -> bytes:
    """The model as it is installed."""
    return installed_bytes(MINILM_GRAPH)


def operators(model: bytes) -> Counter[str]:
    """How often each operator stands in a model."""
    (graph,) = parts(field_list(model), 7)
    return Counter(texts(field_list(node), 4)[0] for node in parts(field_list(graph), 1))


def weights(model: bytes) -> dict[str, bytes]:
    """The data of each tensor of signed bytes."""
    (graph,) = parts(field_list(model), 7)
    tensors = [field_list(tensor) for tensor in parts(field_list(graph), 5)]
    return {texts(tensor, 8)[0]: parts(tensor, 9)[0] for tensor in tensors if numbers(tensor, 2) == [3]}


@pytest.mark.requirement("KB-EMB-5")
def test_the_graph_is_the_same_on_every_machine(original: bytes) -> None:
    """Its bytes decide vectors, so they are part of what the name of the embedder stands for."""
    converted = with_integer_arithmetic(original)
    assert hashlib.sha256(converted).hexdigest() == "0618b22b7b1d92233fd5cfc0d078e060bdeda9c8dc2557d36de41fd7c5b639c7"


def test_every_product_with_a_weight_is_one_of_integers(original: bytes) -> None:
    """What is left in floating point are the twelve products of two results, in the attention."""
    before, after = operators(original), operators(with_integer_arithmetic(original))
    assert (before["MatMul"], before["MatMulInteger"]) == (48, 0)
    assert (after["MatMul"], after["MatMulInteger"], after["DynamicQuantizeLinear"]) == (12, 36, 24)
    assert after["Gather"] == before["Gather"] + 2


def test_no_weight_changes(original: bytes) -> None:
    """38 tensors of signed bytes, the same before and after."""
    found = weights(original)
    assert len(found) == 38
    assert weights(with_integer_arithmetic(original)) == found


def test_a_message_is_written_as_it_was_read(original: bytes) -> None:
    """Field by field, in the same order, whatever the numbers are."""
    assert written(field_list(original)) == original
    fields: list[tuple[int, int | bytes]] = [(1, 0), (2, 127), (3, 128), (1, 2**63), (2000, b""), (4, b"x" * 300)]
    assert field_list(written(fields)) == fields


def test_a_wire_type_it_does_not_read_is_refused() -> None:
    """A number of floating point, for instance, which stands in single attributes only."""
    with pytest.raises(ValueError, match="wire type 5"):
        field_list(b"\x0d\x00\x00\x00\x00")
