"""A graph with weights of eight bits, made to calculate with them as they are.

Rules of this module: pure; bytes of an ONNX model in, bytes of one out, the same on every machine and with any release
of any library. It needs none.

A model stored with "weight-only" quantization turns its weights into floating point before it uses them::

    weight_q --Cast--> . --Mul(scale)--> weight
    x ---------------------------------MatMul(weight)--> y

which costs as much as a model of floating point. Here the products are taken of the integers themselves, and the
scales applied to the result::

    x --DynamicQuantizeLinear--> x_q, x_scale, x_zero
    MatMulInteger(x_q, weight_q, x_zero) --Cast--> . --Mul(x_scale * scale)--> y

Rows of a table (``Gather``) are turned into floating point after they were looked up, not before. No weight changes:
the same operations stand in another order, and ``x`` gets 8 bits, with a range of its own each time.

Weights stay signed, which is what processors multiply fastest with unsigned ``x_q``. On those with AVX2 and without
VNNI the sum of two such products may saturate (measured: one in 100,000 sums would), and vectors then differ a little
from those of other machines. Unsigned weights saturate nowhere, and took twice the time where there is VNNI.

Sources: ONNX operators ``DynamicQuantizeLinear`` and ``MatMulInteger``; ONNX Runtime, "Quantize ONNX models", on
saturation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.embedders._messages import field_list, numbers, parts, texts, written

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from symfonic.adapters.knowledge.embedders._messages import Field

__all__ = ["with_integer_arithmetic"]

# Field numbers of onnx.proto.
_MODEL_GRAPH: Final = 7
_NODE, _INITIALIZER, _VALUE_INFO = 1, 5, 13
_INPUT, _OUTPUT, _NAME, _OPERATOR, _ATTRIBUTE = 1, 2, 3, 4, 5
_DIMENSION, _TYPE, _TENSOR_NAME = 1, 2, 8
_FLOAT, _INT8 = 1, 3
_TO_FLOAT: Final = written([(1, b"to"), (3, _FLOAT), (20, 2)])  # an attribute: name, number, "is a number"


def with_integer_arithmetic(model: bytes) -> bytes:
    """The model that multiplies integers where ``model`` turns its weights into floating point first.

    Args:
        model: An ONNX model whose weights are symmetric, with one scale for each column of a factor (``1 x n``) and
            for each row of a table (``n x 1``).
    """
    fields = field_list(model)
    return written((number, _graph(value) if number == _MODEL_GRAPH else value) for number, value in fields)


def _graph(graph: object) -> bytes:
    if not isinstance(graph, bytes):
        raise TypeError("a graph is a message; this one is a number, so nothing was converted; check the file")
    fields = field_list(graph)
    nodes = [_Node.of(message) for message in parts(fields, _NODE)]
    tensors = [field_list(message) for message in parts(fields, _INITIALIZER)]
    found = _Conversion(nodes, tensors)
    changed = [(_NODE, node.message) for node in found.nodes()]
    changed += [(_INITIALIZER, written(tensor)) for tensor in found.tensors()]
    # What was said of the shapes between nodes is left out: some of these are gone, and a runtime works them out.
    kept = [one for one in fields if one[0] not in {_NODE, _INITIALIZER, _VALUE_INFO}]
    return written(changed + kept)


@dataclass(frozen=True, slots=True)
class _Node:
    operator: str
    inputs: list[str]
    outputs: list[str]
    attributes: list[bytes]
    message: bytes

    @classmethod
    def of(cls, message: bytes) -> _Node:
        fields = field_list(message)
        (operator,) = texts(fields, _OPERATOR)
        return cls(operator, texts(fields, _INPUT), texts(fields, _OUTPUT), parts(fields, _ATTRIBUTE), message)

    @classmethod
    def new(cls, operator: str, inputs: list[str], outputs: list[str], *attributes: bytes) -> _Node:
        fields: list[Field] = [(_INPUT, name.encode()) for name in inputs]
        fields += [(_OUTPUT, name.encode()) for name in outputs]
        fields += [(_NAME, f"{outputs[0]}_{operator}".encode()), (_OPERATOR, operator.encode())]
        fields += [(_ATTRIBUTE, attribute) for attribute in attributes]
        return cls(operator, inputs, outputs, list(attributes), written(fields))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weight:
    """Names of the integers of a weight, of what they become in floating point, and of what that is scaled with."""

    integers: str
    cast: str
    scale: str


class _Conversion:
    """The nodes and tensors of a graph; :meth:`nodes` comes first, for it finds out whose scales are of factors."""

    def __init__(self, nodes: list[_Node], tensors: list[list[Field]]) -> None:
        self._nodes = nodes
        self._tensors = tensors
        self._scales: set[str] = set()
        self._quantized: set[str] = set()

    def nodes(self) -> list[_Node]:
        """The nodes, each where the one was that it stands for: a runtime wants them in the order of their use."""
        weights = self._weights()
        unpacking = {weight.cast for weight in weights.values()} | weights.keys()
        kept = (node for node in self._nodes if unpacking.isdisjoint(node.outputs))
        return [new for node in kept for new in self._converted(node, weights)]

    def tensors(self) -> Iterator[list[Field]]:
        """The tensors; a factor's scale loses the dimension that is 1, so that a runtime can fuse the product."""
        for tensor in self._tensors:
            if self._scales.isdisjoint(texts(tensor, _TENSOR_NAME)):
                yield tensor
            else:
                kept = [one for one in tensor if one[0] != _DIMENSION]
                yield [*kept, (_DIMENSION, numbers(tensor, _DIMENSION)[-1])]

    def _weights(self) -> dict[str, _Weight]:
        """What each weight in floating point is made of."""
        small = {texts(one, _TENSOR_NAME)[0] for one in self._tensors if numbers(one, _TYPE) == [_INT8]}
        casts = {
            node.outputs[0]: node.inputs[0]
            for node in self._nodes
            if node.operator == "Cast" and node.inputs[0] in small
        }
        return {
            node.outputs[0]: _Weight(integers=casts[node.inputs[0]], cast=node.inputs[0], scale=node.inputs[1])
            for node in self._nodes
            if node.operator == "Mul" and node.inputs[0] in casts
        }

    def _converted(self, node: _Node, weights: Mapping[str, _Weight]) -> Iterator[_Node]:
        if node.operator == "MatMul" and node.inputs[1] in weights:
            yield from self._product(node, weights[node.inputs[1]])
        elif node.operator == "Gather" and node.inputs[0] in weights:
            yield from _looked_up(node, weights[node.inputs[0]])
        else:
            yield node

    def _product(self, node: _Node, weight: _Weight) -> Iterator[_Node]:
        (x, _), (y,) = node.inputs, node.outputs
        quantized, x_scale, x_zero = f"{x}_int", f"{x}_scale", f"{x}_zero"
        if x not in self._quantized:
            self._quantized.add(x)
            yield _Node.new("DynamicQuantizeLinear", [x], [quantized, x_scale, x_zero])
        self._scales.add(weight.scale)
        yield _Node.new("MatMulInteger", [quantized, weight.integers, x_zero], [f"{y}_int"])
        yield _Node.new("Cast", [f"{y}_int"], [f"{y}_float"], _TO_FLOAT)
        yield _Node.new("Mul", [x_scale, weight.scale], [f"{y}_scale"])
        yield _Node.new("Mul", [f"{y}_float", f"{y}_scale"], [y])


def _looked_up(node: _Node, weight: _Weight) -> Iterator[_Node]:
    (_, rows), (y,) = node.inputs, node.outputs
    yield _Node.new("Gather", [weight.integers, rows], [f"{y}_int"], *node.attributes)
    yield _Node.new("Cast", [f"{y}_int"], [f"{y}_float"], _TO_FLOAT)
    yield _Node.new("Gather", [weight.scale, rows], [f"{y}_scale"], *node.attributes)
    yield _Node.new("Mul", [f"{y}_float", f"{y}_scale"], [y])
