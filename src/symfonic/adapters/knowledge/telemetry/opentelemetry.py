"""Spans and measurements to OpenTelemetry.

Rules of this module: the only one that knows OpenTelemetry, and of it only the API. Where spans go, and how they are
sampled and sent, is set up by the program or by ``opentelemetry-instrument``; where nobody set anything up, the API
drops all it is given. Names and values of attributes are those it is told. It records no exception, for the message of
one may quote content.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from symfonic.adapters.knowledge.ports import AdapterError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from opentelemetry import metrics, trace

    from symfonic.adapters.knowledge.ports import Attributes

__all__ = ["OpenTelemetry"]

_SCOPE: Final = "symfonic.knowledge"
"""The name under which spans and instruments are made."""


class OpenTelemetry:
    """Tells OpenTelemetry what a knowledge base does; pass it as ``telemetry``. Safe to use from several threads.

    Args:
        tracer_provider: Makes the spans; ``None`` is the program's global one, whenever that is set.
        meter_provider: Makes the instruments; ``None`` as above.
        content: Whether questions, passages, labels and answers are told too. They may be personal, and whoever reads
            traces would read them.

    Raises:
        AdapterError: opentelemetry-api is not installed; the message names the extra.
    """

    __slots__ = ("_counters", "_histograms", "_lock", "_meter", "_tracer", "content")

    def __init__(
        self,
        *,
        tracer_provider: trace.TracerProvider | None = None,
        meter_provider: metrics.MeterProvider | None = None,
        content: bool = False,
    ) -> None:
        try:
            from opentelemetry import metrics, trace
        except ImportError as error:
            raise AdapterError(
                "telling OpenTelemetry needs opentelemetry-api, which is not installed; nothing would be traced; "
                "install symfonic-knowledge[opentelemetry]"
            ) from error
        self.content = content
        self._tracer = trace.get_tracer(_SCOPE, tracer_provider=tracer_provider)
        self._meter = metrics.get_meter(_SCOPE, meter_provider=meter_provider)
        self._lock = threading.Lock()
        self._counters: dict[str, metrics.Counter] = {}
        self._histograms: dict[str, metrics.Histogram] = {}

    def begin(self, name: str, attributes: Attributes, *, client: bool = False) -> _Span:
        """Start a span below the current one."""
        from opentelemetry.trace import SpanKind

        kind = SpanKind.CLIENT if client else SpanKind.INTERNAL
        return _Span(self._tracer.start_span(name, kind=kind, attributes=attributes, record_exception=False))

    def count(self, name: str, amount: int, attributes: Attributes) -> None:
        """Add to the counter of that name."""
        with self._lock:
            counter = self._counters.get(name)
            if counter is None:
                counter = self._counters[name] = self._meter.create_counter(name)
        counter.add(amount, attributes)

    def record(self, name: str, seconds: float, attributes: Attributes) -> None:
        """Record in the histogram of that name, in seconds."""
        with self._lock:
            histogram = self._histograms.get(name)
            if histogram is None:
                histogram = self._histograms[name] = self._meter.create_histogram(name, unit="s")
        histogram.record(seconds, attributes)


class _Span:
    """A span of OpenTelemetry as the port has it."""

    __slots__ = ("_span",)

    def __init__(self, span: trace.Span) -> None:
        self._span = span

    def set(self, attributes: Attributes) -> None:
        """Add attributes."""
        self._span.set_attributes(attributes)

    def event(self, name: str, attributes: Attributes) -> None:
        """Add an event."""
        self._span.add_event(name, attributes)

    def failed(self, code: str) -> None:
        """Set the span's status, as the conventions on recording errors have it."""
        from opentelemetry.trace import Status, StatusCode

        self._span.set_attribute("error.type", code)
        self._span.set_status(Status(StatusCode.ERROR, code))

    def current(self) -> AbstractContextManager[object]:
        """Attach the span to the context, and detach it in the same one."""
        from opentelemetry import trace

        return trace.use_span(self._span, end_on_exit=False, record_exception=False, set_status_on_exception=False)

    def end(self) -> None:
        """End the span."""
        self._span.end()
