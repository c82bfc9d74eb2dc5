"""What the tests of extraction share: a worker process, and PDF files written here."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Protocol

import pytest

from symfonic.adapters.knowledge.extractors.isolation import ExtractionLimits, ExtractionWorker

if TYPE_CHECKING:
    from collections.abc import Iterator


class MakePdf(Protocol):
    def __call__(self, *pages: str, encrypt: bool = False) -> bytes: ...


@pytest.fixture(autouse=True)
def alarms(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Seconds after which this process would be ended by a limit that is meant for a worker; it is not."""
    asked: list[int] = []
    if hasattr(signal, "alarm"):
        monkeypatch.setattr(signal, "alarm", asked.append)
    return asked


@pytest.fixture(scope="session")
def worker() -> Iterator[ExtractionWorker]:
    """A worker process for the whole run."""
    with ExtractionWorker(limits=ExtractionLimits(seconds=30)) as process:
        yield process


@pytest.fixture(scope="session")
def make_pdf() -> MakePdf:
    """Write a small PDF with one text a page; lines are parted by line feeds."""
    return _pdf


def _pdf(*pages: str, encrypt: bool = False) -> bytes:
    first = 4
    kids = " ".join(f"{first + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number, text in enumerate(pages):
        content = "BT /F1 12 Tf 14 TL 72 720 Td " + " ".join(f"({line}) Tj T*" for line in text.split("\n")) + " ET"
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> "
            f"/Contents {first + 2 * number + 1} 0 R >>"
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    trailer = f"/Size {len(objects) + 1} /Root 1 0 R"
    if encrypt:
        blank = "00" * 32
        trailer += f" /Encrypt << /Filter /Standard /V 1 /R 2 /O <{blank}> /U <{blank}> /P -4 >> /ID [<00> <00>]"
    return _assembled(objects, trailer)


def _assembled(objects: list[str], trailer: str) -> bytes:
    body, places = "%PDF-1.4\n", []
    for number, text in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{text}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    tail = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}trailer\n<< {trailer} >>\n"
    return (body + tail + f"startxref\n{len(body)}\n%%EOF\n").encode("latin-1")
