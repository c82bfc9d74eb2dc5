"""Assembly: validated again, unique, in the order of the prompt, as plain values."""

from __future__ import annotations

import dataclasses
import itertools
from typing import TYPE_CHECKING, Any

import pytest

from symfonic.capabilities.knowledge import (
    BridgeContractError,
    ContextContribution,
    ContextLayer,
    ContextRead,
    ContextRequest,
    ContributionSpec,
    StaticContextSource,
    assemble,
    ordering_key,
)

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = StaticContextSource("text")


@pytest.mark.requirement("KB-ASM-1")
def test_a_spec_is_plain_values_and_the_sources_own_read() -> None:
    """Strings, ints, bools: nothing the prompt side would have to import."""
    (spec,) = assemble([ContextContribution("handbook", SOURCE, layer=ContextLayer.L1, order=4)])
    plain = {name: getattr(spec, name) for name in spec.__slots__ if name != "read"}
    assert plain == {
        "contribution_id": "handbook",
        "capability": "knowledge",
        "layer": "L1",
        "tier": "session",
        "scope": "deployment",
        "order": 4,
        "inherit": True,
        "pinned": False,
        "requires_hydration": True,
        "scope_aware": False,
        "offline_safe": True,
    }
    assert {type(value) for value in plain.values()} == {str, int, bool}
    assert spec.read(ContextRequest("handbook")) == ContextRead("text", "static")


@pytest.mark.requirement("KB-ASM-2")
def test_every_order_of_declaration_gives_one_order_of_the_prompt() -> None:
    """Layer, then order, then id."""
    declared = [
        ContextContribution("b", SOURCE),
        ContextContribution("a", SOURCE),
        ContextContribution("c", SOURCE, order=-1),
        ContextContribution("d", SOURCE, layer=ContextLayer.L1, order=5),
    ]
    for order in itertools.permutations(declared):
        assert [spec.contribution_id for spec in assemble(iter(order))] == ["d", "c", "a", "b"]
    assert assemble([]) == ()


@pytest.mark.requirement("KB-ASM-ID-1")
def test_an_id_declared_twice_is_refused() -> None:
    """Two texts must not answer to one name."""
    with pytest.raises(BridgeContractError) as caught:
        assemble([ContextContribution("x", SOURCE), ContextContribution("x", SOURCE, order=1)])
    assert (caught.value.rule, caught.value.contribution_id, caught.value.value) == ("KB-ASM-ID-1", "x", "x")


@pytest.mark.requirement("KB-ASM-TYPE-1")
def test_anything_else_is_refused() -> None:
    """Only what passed the refusals of this capability can be assembled."""
    with pytest.raises(BridgeContractError) as caught:
        assemble(["handbook"])  # type: ignore[list-item]  # the mistake under test
    assert (caught.value.rule, caught.value.value) == ("KB-ASM-TYPE-1", "handbook")


@pytest.mark.requirement("KB-ASM-TYPE-1")
@pytest.mark.parametrize("ask", [assemble, ordering_key])
def test_what_is_no_contribution_at_all_is_refused(ask: Callable[[Any], object]) -> None:
    """Neither an error of iterating nor one of a missing attribute."""
    for junk in (None, 7, object()):
        with pytest.raises(BridgeContractError) as caught:
            ask(junk)
        assert (caught.value.rule, caught.value.value) == ("KB-ASM-TYPE-1", junk)


@pytest.mark.requirement("KB-CON-VALIDATE-1")
def test_a_declaration_changed_after_construction_is_refused() -> None:
    """Every contribution is validated again here."""
    declared = ContextContribution("x", SOURCE)
    object.__setattr__(declared, "pinned", True)
    with pytest.raises(BridgeContractError) as caught:
        assemble([declared])
    assert caught.value.rule == "KB-CON-PINNED-2"


def test_attributes_of_a_source_count_only_when_exactly_true() -> None:
    """A source without them is neither scope-aware nor safe offline."""

    class Bare:
        def read(self, request: ContextRequest) -> ContextRead:
            return ContextRead("")

    class Truthy(Bare):
        scope_aware = 1
        offline_safe = "yes"

    class Exact(Bare):
        scope_aware = True
        offline_safe = True

    specs = assemble([ContextContribution(kind.__name__, kind()) for kind in (Bare, Exact, Truthy)])
    assert [(spec.contribution_id, spec.scope_aware, spec.offline_safe) for spec in specs] == [
        ("Bare", False, False),
        ("Exact", True, True),
        ("Truthy", False, False),
    ]


def test_a_spec_stays_as_assembled_and_is_built_by_name() -> None:
    """Two strings side by side are never swapped, and what was validated is not changed later."""
    (spec,) = assemble([ContextContribution("handbook", SOURCE)])
    build: Callable[..., ContributionSpec] = ContributionSpec
    with pytest.raises(TypeError):
        build(*[getattr(spec, field.name) for field in dataclasses.fields(spec)])
    with pytest.raises(dataclasses.FrozenInstanceError):
        spec.layer = "L0"  # type: ignore[misc]  # the mistake under test


class Lenient(ContextContribution):
    """A subclass that accepts everything."""

    def __post_init__(self) -> None:
        """Check nothing."""

    def validate(self) -> None:
        """Check nothing again."""


@pytest.mark.requirement("AS-ING-1")
def test_a_subclass_cannot_loosen_the_rules() -> None:
    """Whatever it made of ``validate``, the rules of this capability are checked."""
    declared = Lenient('x" y', SOURCE, layer=ContextLayer.L0, tier="platform", pinned=True)  # type: ignore[arg-type]  # not coerced
    with pytest.raises(BridgeContractError):
        assemble([declared])


class Stricter(ContextContribution):
    """A subclass with a rule of its own."""

    def validate(self) -> None:
        """Refuse what is not for sale."""
        super().validate()
        if self.contribution_id == "secret":
            raise BridgeContractError("not for sale", rule="SHOP-1", value=self.contribution_id)


def test_a_subclass_may_be_stricter() -> None:
    """Its own ``validate`` is asked at assembly, too."""
    declared = Stricter("open", SOURCE)
    object.__setattr__(declared, "contribution_id", "secret")
    with pytest.raises(BridgeContractError) as caught:
        assemble([declared])
    assert caught.value.rule == "SHOP-1"


def test_a_source_whose_attributes_raise_counts_as_one_without_them() -> None:
    """Assembly must not raise somebody else's error."""

    class Trap:
        @property
        def scope_aware(self) -> bool:
            raise RuntimeError("no")

        offline_safe = scope_aware

        def read(self, request: ContextRequest) -> ContextRead:
            return ContextRead("")

    (spec,) = assemble([ContextContribution("x", Trap())])
    assert (spec.scope_aware, spec.offline_safe) == (False, False)
