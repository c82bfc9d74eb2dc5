"""Every hostile file ends in a named outcome, and the process that asked stays small."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from symfonic.adapters.knowledge.extractors.detection import default_extractors, detect_kind
from symfonic.adapters.knowledge.extractors.isolation import ExtractionLimits
from symfonic.adapters.knowledge.ports import ExtractionError, Extractor

from .hostile import CASES, Case

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LIMITS = ExtractionLimits(seconds=5, memory_bytes=2**30, characters=3_000_000)


@pytest.fixture(scope="module")
def extractors() -> Iterator[Mapping[str, Extractor]]:
    """Those of this distribution, with little patience."""
    with default_extractors(limits=LIMITS) as opened:
        yield opened


def outcome(extractors: Mapping[str, Extractor], name: str, data: bytes) -> tuple[str, str]:
    """The kind a file is taken for, if any, and what becomes of it."""
    kind = ""
    try:
        kind = detect_kind(name, data)
        extraction = extractors[kind].extract(data, name=name)
    except ExtractionError as error:
        return kind, f"{error.code}:{error.limit}".rstrip(":")
    assert any(section.text.strip() for section in extraction.sections)
    return kind, "text"


@pytest.mark.requirement("EX-HOSTILE-1")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_hostile_file_has_a_named_outcome(extractors: Mapping[str, Extractor], case: Case) -> None:
    """The one that its maker states."""
    _, told = outcome(extractors, case.name, case.make())
    assert told in case.outcomes
