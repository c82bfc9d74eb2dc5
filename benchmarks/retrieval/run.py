"""Retrieval end to end beside four peers, each in an environment of its own: one command, one run, ratios side by side.

Run ``make bench-retrieval``; ``SYMFONIC_CORPORA`` names the folder with the collections, without which no nDCG is told.
``--help`` lists sizes and rounds. Every figure is the median of its rounds; rounds of the stores take turns, so that
other work on the machine meets all of them. Sections:

- *put*: passages with vectors given, from memory to files; *ingest*: texts to files with all-MiniLM-L6-v2;
- *ask*: questions with vectors given to an open store; *growth*: the same to this project's store as it grows;
- *cold*: a fresh process that opens the store and answers one question, no embedder in it;
- *ties*: in how many orders of insertion the first five differ from those of the first order;
- *quality*: nDCG@10 over the vectors that sentence-transformers makes; the row *own vectors* has the embedder of this
  project; *size*: what is installed, on disk.

A store that cannot be installed, or fails, is a line that says why.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import environments
import made
import numpy as np
import quality
import report
from environments import ROOT, Service, UnavailableError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

OURS = "symfonic"
STORES = (OURS, "chroma", "faiss", "llamaindex", "txtai")
SECTIONS = ("size", "put", "ask", "cold", "ties", "ingest", "growth", "quality")
OUT = ROOT / "build" / "bench"
LIMIT = 10
WARM = 5  # questions asked before any is timed


class Bench:
    """One run: services by store, results by store and section, reasons for what is missing."""

    def __init__(self, options: argparse.Namespace, folder: Path) -> None:
        self.options, self.folder = options, folder
        self.results: dict[str, dict[str, Any]] = {store: {} for store in options.stores}
        self.services = {store: Service(store) for store in options.stores}

    def each(self, section: str, rounds: int, measure: Callable[[str, int], Any]) -> None:
        """Take turns: every store once, then again. A store that fails once is asked no more in this section."""
        found: dict[str, list[Any]] = {}
        failed: dict[str, str] = {}
        for turn in range(rounds):
            for store in self.usable():
                if store not in failed:
                    print(f"  {section}: {store}, round {turn + 1} of {rounds}", file=sys.stderr, flush=True)
                    try:
                        found.setdefault(store, []).append(measure(store, turn))
                    except UnavailableError as error:
                        failed[store] = str(error)
        for store in self.usable():
            self.results[store][section] = {"failed": failed[store]} if store in failed else {"rounds": found[store]}

    def usable(self) -> Iterator[str]:
        """Stores whose environment is there."""
        return (store for store in self.options.stores if "unavailable" not in self.results[store])

    def set_up(self) -> None:
        """Make the environments; ask what is in them."""
        for store in self.options.stores:
            try:
                environments.set_up(store)
                self.results[store]["size"] = {"rounds": [environments.megabytes(store)]}
                self.results[store].update(self.services[store]("about"))
            except UnavailableError as error:
                self.results[store]["unavailable"] = str(error)

    def place(self, store: str, name: str) -> Path:
        """A folder for that store alone, empty."""
        place = self.folder / store / name
        shutil.rmtree(place, ignore_errors=True)
        place.parent.mkdir(parents=True, exist_ok=True)
        return place

    def put(self) -> None:
        """Passages with vectors, to files; the last round's files are kept for questions."""
        passages, count = self.folder / "passages.jsonl", self.options.chunks

        def measure(store: str, turn: int) -> Any:
            self.place(store, f"put{turn - 1}")
            where, vectors = self.place(store, f"put{turn}"), passages.with_suffix(".npy")
            return self.services[store]("put", folder=where, texts=passages, vectors=vectors, count=count)

        self.each("put", self.options.put_rounds, measure)
        for store in self.usable():
            if "rounds" in self.results[store]["put"]:
                (self.folder / store / f"put{self.options.put_rounds - 1}").rename(self.folder / store / "kept")

    def kept(self, store: str) -> Path:
        """Files with all passages."""
        if not (place := self.folder / store / "kept").exists():
            raise UnavailableError("nothing was stored")
        return place

    def ask(self) -> None:
        """All questions, round by round, to stores that stay open."""
        opened: set[str] = set()

        def measure(store: str, _: int) -> Any:
            if store not in opened:
                self.services[store]("open", folder=self.kept(store), questions=self.folder / "questions.jsonl")
                self.services[store]("ask", limit=LIMIT, first=WARM)
                opened.add(store)
            return percentiles(self.services[store]("ask", limit=LIMIT))

        self.each("ask", self.options.rounds, measure)

    def cold(self) -> None:
        """A process of its own for every answer."""
        line = json.loads((self.folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()[0])
        question = self.folder / "question.json"
        question.write_text(json.dumps([line["text"], np.load(self.folder / "questions.npy")[0].tolist()]))
        self.each(
            "cold", self.options.rounds + 1, lambda store, _: environments.cold(store, self.kept(store), question)
        )
        for store in self.usable():  # the first round warms caches of the disk
            self.results[store]["cold"].get("rounds", [None]).pop(0)

    def ties(self) -> None:
        """The same passages in many orders."""
        count, rng = made.ties(self.folder), random.Random(4)
        orders = [rng.sample(range(count), count) for _ in range(self.options.orders)]

        def measure(store: str, _: int) -> Any:
            tied = self.folder / "tied.jsonl"
            names = {"texts": tied, "vectors": tied.with_suffix(".npy"), "questions": self.folder / "ties.jsonl"}
            found = self.services[store]("orders", folder=self.place(store, "orders"), orders=orders, **names)
            return {"orders": len(orders), "changed": sum(answers != found[0] for answers in found)}

        self.each("ties", 1, measure)

    def ingest(self) -> None:
        """Texts to files, vectors by the model as each store's users load it."""
        texts, count, loaded = self.folder / "documents.jsonl", self.options.documents, set[str]()
        made.documents(self.folder, count, self.options.document_chars)

        def measure(store: str, turn: int) -> Any:
            if store not in loaded:
                model = environments.weights(store) if store != OURS else ""
                self.services[store]("load_model", weights=model)
                loaded.add(store)
            return self.services[store]("ingest", folder=self.place(store, f"text{turn}"), texts=texts, count=count)

        self.each("ingest", self.options.ingest_rounds, measure)

    def quality(self) -> None:
        """Each collection stored and searched with the same vectors; ours once more with its own."""
        collections = Path(os.environ["SYMFONIC_CORPORA"]).resolve() / "collections"
        maker = next((store for store in self.usable() if store != OURS), None)
        if maker is None:
            return
        self.services[maker]("load_model", weights=environments.weights(maker))
        for folder in self.options.collections:
            here = self.folder / "quality" / folder
            here.mkdir(parents=True)
            quality.write(collections / folder, here)
            self.embed(maker, here)
            for store in self.usable():
                self.judge(store, store, collections / folder, here)
            if OURS in self.usable():
                self.own_vectors(collections / folder, here)

    def embed(self, maker: str, here: Path) -> None:
        """Matrices beside the texts."""
        for name in ("corpus", "queries"):
            print(f"  quality: vectors of {here.name}/{name}", file=sys.stderr, flush=True)
            self.services[maker]("embed", texts=here / f"{name}.jsonl", into=here / f"{name}.npy")

    def own_vectors(self, collection: Path, here: Path) -> None:
        """The same with the vectors of this project's embedder."""
        row = self.results.setdefault("own vectors", {"quality": {"rounds": [{}]}})
        try:
            self.services[OURS]("load_model", weights="")
            self.embed(OURS, here)
        except UnavailableError as error:
            row["quality"] = {"failed": str(error)}
            return
        self.judge(OURS, "own vectors", collection, here)

    def judge(self, store: str, row: str, collection: Path, here: Path) -> None:
        """Store, ask, compare with the judgements."""
        section = self.results[row].setdefault("quality", {"rounds": [{}]})
        if "failed" in section:
            return
        print(f"  quality: {row}, {here.name}", file=sys.stderr, flush=True)
        corpus, place = here / "corpus.jsonl", self.place(store, f"quality-{here.name}")
        names = [json.loads(line)["id"] for line in (here / "queries.jsonl").read_text(encoding="utf-8").splitlines()]
        call = self.services[store]
        try:
            call("put", folder=place, texts=corpus, vectors=corpus.with_suffix(".npy"), count=None)
            call("open", folder=place, questions=here / "queries.jsonl")
            found = call("rank", limit=LIMIT)
        except UnavailableError as error:
            self.results[row]["quality"] = {"failed": str(error)}
            return
        for title, folder, first in quality.COLLECTIONS:
            if folder == here.name:
                section["rounds"][0][title] = round(quality.ndcg(collection, names[:first], found[:first]), 4)

    def growth(self) -> None:
        """Questions to this project's store as it grows."""
        if OURS not in set(self.usable()):
            return
        call, sizes, passages = self.services[OURS], {}, self.folder / "passages.jsonl"
        vectors = passages.with_suffix(".npy")
        try:
            for size in self.options.sizes:
                print(f"  growth: {size:,}", file=sys.stderr, flush=True)
                place = self.place(OURS, "growth")
                stored = call("put", folder=place, texts=passages, vectors=vectors, count=size)
                call("open", folder=place, questions=self.folder / "questions.jsonl")
                call("ask", limit=LIMIT, first=WARM)
                asked = [percentiles(call("ask", limit=LIMIT)) for _ in range(self.options.rounds)]
                sizes[str(size)] = {"put": stored, "ask": middle(asked)}
            self.results[OURS]["growth"] = {"rounds": [sizes]}
        except UnavailableError as error:
            self.results[OURS]["growth"] = {"failed": str(error)}

    def stop(self) -> None:
        """End the workers."""
        for service in self.services.values():
            service.stop()


def percentiles(times: dict[str, list[float]]) -> dict[str, float]:
    """Milliseconds of one round of questions."""
    found = {}
    for clock, seconds in times.items():
        cuts = statistics.quantiles(seconds, n=20, method="inclusive")
        found |= {f"{clock}_p50_ms": cuts[9] * 1000, f"{clock}_p95_ms": cuts[18] * 1000}
    return found


def middle(rounds: list[dict[str, float]]) -> dict[str, float]:
    """The median of each figure."""
    return {name: statistics.median(row[name] for row in rounds) for name in rounds[0]}


def summarise(results: dict[str, dict[str, Any]]) -> None:
    """Add the median to everything measured in rounds."""
    for row in results.values():
        for section in row.values():
            if isinstance(section, dict) and section.get("rounds"):
                rounds = section["rounds"]
                section["median"] = middle(rounds) if len(rounds) > 1 else rounds[0]


def arguments() -> argparse.Namespace:
    """What is measured, and how much of it."""
    parser = argparse.ArgumentParser(description="Retrieval end to end beside peers.")
    parser.add_argument("--stores", nargs="+", choices=STORES, default=list(STORES))
    parser.add_argument("--sections", nargs="+", choices=SECTIONS, default=list(SECTIONS))
    parser.add_argument("--chunks", type=int, default=20_000, help="passages in every store")
    parser.add_argument("--sizes", type=int, nargs="*", default=[20_000, 100_000, 500_000], help="growth of ours")
    parser.add_argument("--questions", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3, help="of questions and of cold starts")
    parser.add_argument("--put-rounds", type=int, default=3)
    parser.add_argument("--documents", type=int, default=1_000, help="texts that are embedded")
    parser.add_argument("--document-chars", type=int, default=1_500, help="of each; an abstract has so many")
    parser.add_argument("--ingest-rounds", type=int, default=3)
    parser.add_argument("--orders", type=int, default=20)
    folders = list(dict.fromkeys(folder for _, folder, _ in quality.COLLECTIONS))
    parser.add_argument("--collections", nargs="*", choices=folders, default=folders)
    return parser.parse_args()


def measure(options: argparse.Namespace, folder: Path, save: Callable[[Any], None]) -> None:
    """All sections wanted, in their order; what there is is saved after each of them."""
    bench, wanted = Bench(options, folder), set(options.sections)
    bench.set_up()
    largest = max([options.chunks, *options.sizes] if "growth" in wanted else [options.chunks])
    corpora = os.environ.get("SYMFONIC_CORPORA")
    sections: dict[str, Callable[[], None]] = {
        name: getattr(bench, name) for name in SECTIONS if name in wanted - {"size"}
    }
    if "quality" in sections and not corpora:
        del sections["quality"]
    if needed := [name for name in sections if name in {"put", "ask", "cold", "growth"}]:
        made.corpus(folder, largest, options.questions)
        sections = {"put": bench.put, **sections} if needed != ["growth"] else sections
    try:
        for section in sections.values():
            section()
            summarise(bench.results)
            save(bench.results)
    finally:
        bench.stop()


def main() -> None:
    """Measure, print, write."""
    options, before = arguments(), os.getloadavg()
    OUT.mkdir(parents=True, exist_ok=True)
    run: dict[str, Any] = {"machine": platform.machine(), "cores": os.cpu_count(), "options": vars(options)}

    def save(results: dict[str, dict[str, Any]]) -> None:
        run.update(load_before_and_after=[before[0], os.getloadavg()[0]], results=results)
        (OUT / "retrieval.json").write_text(json.dumps(run, indent=2) + "\n")
        (OUT / "retrieval.svg").write_text(report.picture(run))
        (OUT / "retrieval.md").write_text(report.markdown(run))

    with tempfile.TemporaryDirectory(prefix="bench-retrieval-") as folder:
        measure(options, Path(folder), save)
    print(report.markdown(run), f"\nJSON, picture and these tables: {OUT}/retrieval.*")


if __name__ == "__main__":
    main()
