"""The ports: errors keep their evidence wherever they travel."""

from __future__ import annotations

import pickle

from symfonic.adapters.knowledge import AdapterError, ExtractionError, StoreError


def test_an_extraction_error_keeps_its_code_across_a_process_boundary() -> None:
    """Extraction runs in another process."""
    error = pickle.loads(pickle.dumps(ExtractionError("rule, consequence, remedy", code="damaged")))
    assert (type(error), str(error), error.code) == (ExtractionError, "rule, consequence, remedy", "damaged")


def test_every_error_of_an_adapter_is_one_tree() -> None:
    """One except clause is enough."""
    assert issubclass(ExtractionError, AdapterError)
    assert issubclass(StoreError, AdapterError)
