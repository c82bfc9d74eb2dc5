"""Mutations this project adds to those of cosmic-ray: a check taken out, a call left out, an argument lost.

The core operators turn a condition round, which any valid input notices. What a boundary has to fear is a condition
that no longer holds anything back, so these operators take one away and leave all else as it was. Loaded only by
``mutation.py``, in the environment that has cosmic-ray and parso.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from parso.python.tree import Keyword

if TYPE_CHECKING:
    from collections.abc import Iterator

Position = tuple[tuple[int, int], tuple[int, int]]
Slot = tuple[Any, int]
"""A node of the syntax tree and the index of the child that is replaced."""


class _Replacing:
    """Replace one child after another by a constant; subclasses name the children."""

    def mutation_positions(self, node: Any) -> Iterator[Position]:
        """Where this operator changes ``node``, once for each change."""
        for (holder, index), _ in self.slots(node):
            child = holder.children[index]
            yield (child.start_pos, child.end_pos)

    def mutate(self, node: Any, index: int) -> Any:
        """Make the change number ``index`` of ``node``."""
        (holder, place), text = list(self.slots(node))[index]
        old = holder.children[place]
        new = Keyword(text, old.start_pos, prefix=self.space_before(old))
        new.parent = holder
        holder.children[place] = new
        return node

    def space_before(self, node: Any) -> str:  # noqa: ARG002 - where a statement stands tells
        """What stands before the new word; where none stood, one may be needed."""
        return " "

    def slots(self, node: Any) -> Iterator[tuple[Slot, str]]:
        """Children that are replaced, each with what takes its place."""
        raise NotImplementedError

    @classmethod
    def arguments(cls) -> tuple[object, ...]:
        """No settings."""
        return ()

    @classmethod
    def examples(cls) -> tuple[object, ...]:
        """None: the tests of the project are the example."""
        return ()


class ConditionFixed(_Replacing):
    """``if x`` becomes ``if False`` and ``if True``, in statements, expressions and comprehensions."""

    def slots(self, node: Any) -> Iterator[tuple[Slot, str]]:
        """Conditions."""
        places = {"if_stmt": _conditions, "test": _conditions, "ternary": _conditions, "comp_if": _conditions}
        if node.type in places:
            for place in places[node.type](node):
                yield from (((node, place), text) for text in ("False", "True"))


def _conditions(node: Any) -> Iterator[int]:
    for place, child in enumerate(node.children[:-1]):
        if child.type == "keyword" and child.value in {"if", "elif"}:
            yield place + 1


class OperandDropped(_Replacing):
    """One operand of ``and`` becomes ``True``, one of ``or`` becomes ``False``: as if it did not stand there."""

    def slots(self, node: Any) -> Iterator[tuple[Slot, str]]:
        """Operands."""
        neutral = {"and_test": "True", "or_test": "False"}
        if node.type in neutral:
            yield from (((node, place), neutral[node.type]) for place in range(0, len(node.children), 2))


class CallDropped(_Replacing):
    """A call that stands as a statement becomes ``pass``."""

    def slots(self, node: Any) -> Iterator[tuple[Slot, str]]:
        """Calls whose answer nobody takes."""
        if node.type == "simple_stmt" and _is_call(node.children[0]):
            yield (node, 0), "pass"

    def space_before(self, node: Any) -> str:
        """The same as before the call: it is the indentation of a line."""
        return str(node.get_first_leaf().prefix)


def _is_call(node: Any) -> bool:
    if node.type not in {"atom_expr", "power"}:
        return False
    last = node.children[-1]
    return bool(last.type == "trailer" and last.children[0].value == "(")


class ArgumentLost(_Replacing):
    """One argument of a call becomes ``None``."""

    def slots(self, node: Any) -> Iterator[tuple[Slot, str]]:
        """Arguments that are neither starred nor a comprehension nor a keyword, which cosmic-ray turns round itself."""
        if node.type != "trailer" or node.children[0].value != "(" or len(node.children) < 3:
            return
        given = node.children[1]
        places = [(given, place) for place in range(0, len(given.children), 2)] if given.type == "arglist" else []
        for holder, place in places or [(node, 1)]:
            argument = holder.children[place]
            if argument.type == "argument":
                if getattr(argument.children[1], "value", "") == "=":
                    yield from _lost(argument, 2)
            else:
                yield from _lost(holder, place)


def _lost(holder: Any, place: int) -> Iterator[tuple[Slot, str]]:
    if holder.children[place].type != "keyword":
        yield (holder, place), "None"


class Provider(dict[str, type]):
    """The operators by name, as cosmic-ray asks for them."""

    def __init__(self) -> None:
        super().__init__((kind.__name__, kind) for kind in (ConditionFixed, OperandDropped, CallDropped, ArgumentLost))
