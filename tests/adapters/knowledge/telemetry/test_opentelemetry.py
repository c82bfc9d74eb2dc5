"""The adapter of OpenTelemetry by itself: with the API alone, without it, and with a program's global SDK."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest
from opentelemetry import trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

from symfonic.adapters.knowledge.ports import AdapterError
from symfonic.adapters.knowledge.telemetry.opentelemetry import OpenTelemetry


@pytest.mark.requirement("OB-OTEL-1")
def test_where_no_sdk_is_set_up_all_is_dropped() -> None:
    """Every call of the port works, and no span records."""
    telemetry = OpenTelemetry()
    span = telemetry.begin("retrieval", {"a": 1})
    with span.current():
        assert trace.get_current_span().is_recording() is False
    span.set({"b": ["c"]})
    span.event("happened", {})
    span.failed("store")
    span.end()
    telemetry.count("rows", 1, {})
    telemetry.record("duration", 0.5, {})
    assert telemetry.content is False


@pytest.mark.requirement("OB-OTEL-1")
def test_a_missing_api_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """As an adapter's error."""
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(AdapterError, match=r"symfonic-knowledge\[opentelemetry\]"):
        OpenTelemetry()


@pytest.mark.requirement("OB-OTEL-1")
def test_threads_share_one_instrument_of_a_name() -> None:
    """Nothing is counted twice or lost."""
    reader = InMemoryMetricReader()
    telemetry = OpenTelemetry(meter_provider=MeterProvider([reader], shutdown_on_exit=False))

    def count() -> None:
        for _ in range(100):
            telemetry.count("rows", 1, {})

    threads = [threading.Thread(target=count) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    data = reader.get_metrics_data()
    assert data is not None
    (metric,) = data.resource_metrics[0].scope_metrics[0].metrics
    (point,) = metric.data.data_points
    assert getattr(point, "value", None) == 800


@pytest.mark.requirement("OB-OTEL-1")
def test_the_facade_imports_no_opentelemetry() -> None:
    """In a process of its own: importing the façade does not load it."""
    program = "import sys, symfonic.composition.knowledge; assert 'opentelemetry' not in sys.modules"
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=60).returncode == 0
