"""Checks of a store: threads, several handles on one content, and closing.

Rules of this module: plain assertions through the port, nothing that knows a particular store.
"""

from __future__ import annotations

from functools import partial
from threading import Barrier, Event
from time import sleep
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.ports import Removal, StoreError

from . import _seeds as seeds
from . import _store_rules as rules
from . import _store_seeds as stored
from ._rules import shown
from ._store_checks import ALL, StoreChecks, check_equal, check_refused, no_error
from ._threads import STRIDES, giving_way, together
from .conformance import watched

if TYPE_CHECKING:
    from collections.abc import Callable

    from symfonic.adapters.knowledge.ports import Chunk, Document

_VERSIONS: Final = 9
_WRITERS: Final = 4
_TURNS: Final = 6
_AFTER_CLOSE: Final = 10


class HandleChecks(StoreChecks):
    """Who else has the store open, or closes it."""

    @watched
    def test_content_survives_closing(self) -> None:
        """What was put is there when the store is opened again, and its revision did not go back."""
        puts = [stored.version(number, scope_path=path) for number, path in enumerate(stored.TENANTS)]
        with self._opened(*puts) as store:
            rows, revision = self._shown(self._rows(store, "shop", 9, seeds.USER)), store.revision()
            store.close()
            with self._again(store) as other:
                self._check_kept(other, rules.SURVIVES, puts, "after closing")
                check_equal(rules.SURVIVES, rows, self._shown(self._rows(other, "shop", 9, seeds.USER)), "search")
                assert other.revision() >= revision, rules.SURVIVES.broken(
                    f"revision {other.revision()} after {revision}"
                )

    @watched
    def test_two_handles_see_the_same(self) -> None:
        """Each sees what the other put and removed, in listings, searches, totals and the revision."""
        with self._opened(stored.version(0)) as store, self._again(store) as other:
            kept = [stored.version(0)]
            for turn, (writer, reader) in enumerate(((store, other), (other, store), (store, other))):
                with no_error(rules.HANDLES, "a call on one of two handles"):
                    self._rows(reader, "shop")
                    before = reader.revision()
                    put = stored.version(turn + 1, f"{turn}.md", stored.TENANTS[turn])
                    writer.put(*put)
                    kept.append(put)
                    self._check_handle(reader, kept, before)
                    before = reader.revision()
                    gone = kept.pop(0)
                    check_equal(rules.HANDLES, [1], [writer.remove([gone[0]]).documents], "removed")
                    self._check_handle(reader, kept, before)

    def _check_handle(self, reader: Any, kept: list[Any], before: int) -> None:
        self._check_kept(reader, rules.HANDLES, kept, "through the other handle")
        for path in ("", seeds.USER):
            seen = sorted(row.content for row in self._rows(reader, "shop", ALL, path))
            wanted = sorted(chunk.text for one, chunks in kept if one.scope_path in {"", path} for chunk in chunks)
            above = sorted(
                chunk.text
                for one, chunks in kept
                if path and one.scope_path not in {"", path} and path.startswith(f"{one.scope_path}\x1f")
                for chunk in chunks
            )
            check_equal(rules.HANDLES, sorted([*wanted, *above]), seen, f"search at {path!a}")
        check_equal(rules.HANDLES, [len(kept)], [reader.stats().documents], "documents in stats()")
        after = reader.revision()
        assert after > before, rules.HANDLES.broken(f"revision {before} before and {after} after a change")

    @watched
    def test_readers_see_a_document_old_or_new(self) -> None:
        """One thread replaces it again and again; who searches and lists meanwhile never sees a part, or none."""
        with self._opened(stored.version(0)) as store:
            done = Event()

            def write() -> None:
                try:
                    for number in range(1, _VERSIONS):
                        put = stored.version(number)
                        with giving_way(STRIDES[number % len(STRIDES)]):
                            store.put(*put)
                finally:
                    done.set()

            def read(look: Callable[[Any], None]) -> None:
                last = False
                while not last:
                    last = done.is_set()
                    look(store)
                    sleep(0)

            looks = (self._check_search_untorn, self._check_listing_untorn, self._check_record_untorn)
            together([write, *(partial(read, look) for look in looks)], self.deadline_seconds)
            self._check_kept(store, rules.TORN, [stored.version(_VERSIONS - 1)], "in the end")

    def _check_search_untorn(self, store: Any) -> None:
        with no_error(rules.TORN, "search"):
            _check_untorn("search", sorted(row.content for row in store.search("shop", ALL)))

    @staticmethod
    def _check_listing_untorn(store: Any) -> None:
        with no_error(rules.TORN, "chunks()"):
            chunks = list(store.chunks(scope_path=""))
        _check_untorn("chunks()", [one.chunk.text for one in chunks])
        digests = {one.document.digest for one in chunks}
        assert len(digests) == 1, rules.TORN.broken(f"chunks() of the versions {sorted(digests)}")

    @staticmethod
    def _check_record_untorn(store: Any) -> None:
        with no_error(rules.TORN, "get, documents or stats"):
            records = [store.get("", "/docs/rota.md"), *store.documents()]
            stats = store.stats()
        for record in records:
            said = "None" if record is None else f"version {record.document.digest} with {record.chunks} passages"
            whole = record is not None and record.chunks == stored.versions_passages(int(record.document.digest))
            assert whole, rules.TORN.broken(f"get or documents answered {said}")
        assert len(records) == 2, rules.TORN.broken(f"{len(records) - 1} documents listed")
        assert (stats.documents, stats.chunks) in {(1, 3), (1, 4)}, rules.TORN.broken(f"stats() {shown(stats)}")

    @watched
    def test_writers_take_turns(self) -> None:
        """Threads put documents of their own and one they share: in the end all are there, each of one version."""
        with self._opened() as store:
            meet = Barrier(_WRITERS, timeout=60)

            def write(writer: int) -> None:
                meet.wait()
                for turn in range(_TURNS):
                    calls = [partial(store.put, *self._own(writer, turn)), partial(store.put, *self._shared(writer))]
                    if turn % 2:
                        calls.append(partial(store.remove, [self._own(writer, turn - 1)[0]]))
                    for call in calls:
                        with giving_way(STRIDES[turn]):
                            call()

            with no_error(rules.TURNS, "put or remove"):
                together([partial(write, writer) for writer in range(_WRITERS)], self.deadline_seconds)
                last = store.get("", "/docs/shared.md")
            assert last is not None, rules.TURNS.broken("the document that all of them put is not there")
            own = [self._own(writer, turn) for writer in range(_WRITERS) for turn in range(1, _TURNS, 2)]
            self._check_kept(store, rules.TURNS, [*own, self._shared(int(last.document.digest))])
            wanted = sorted(one.chunk.text for one in store.chunks())
            check_equal(rules.TURNS, wanted, sorted(row.content for row in self._rows(store, "shop")), "search")

    @staticmethod
    def _own(writer: int, turn: int) -> tuple[Document, tuple[Chunk, ...]]:
        return stored.version(writer * _TURNS + turn, f"{writer}-{turn}.md")

    @staticmethod
    def _shared(writer: int) -> tuple[Document, tuple[Chunk, ...]]:
        return stored.version(writer, "shared.md")

    @watched
    def test_a_document_is_removed_once(self) -> None:
        """Of several threads that remove it, one is told that it was there."""
        with self._opened() as store:
            for stride in STRIDES[:5]:
                store.put(*stored.version(0))
                meet = Barrier(_WRITERS, timeout=60)
                removals: list[Removal] = []
                with no_error(rules.TURNS, "remove"):
                    together([partial(self._remove, store, meet, stride, removals)] * _WRITERS, self.deadline_seconds)
                told = sorted(removal.chunks for removal in removals)
                check_equal(rules.TURNS, [*[0] * (_WRITERS - 1), 3], told, "passages removed, by thread")

    @staticmethod
    def _remove(store: Any, meet: Barrier, stride: int, removals: list[Removal]) -> None:
        documents = [stored.document("rota.md")]
        meet.wait()
        with giving_way(stride):
            removals.append(store.remove(documents))

    @watched
    def test_closing_twice_is_fine(self) -> None:
        """Also three times, and of a store that was never used."""
        for puts in ((), (stored.version(0),)):
            with self._opened(*puts) as store, no_error(rules.TWICE, "close()"):
                for _ in range(3):
                    store.close()

    @watched
    def test_a_closed_store_raises_store_errors(self) -> None:
        """Whatever it is asked; a listing at the latest when it is read."""
        with self._opened(stored.version(0)) as store:
            listing = store.documents()
            store.close()
            calls: dict[str, Callable[[], object]] = {
                "search": lambda: list(store.search("shop", 9)),
                "put": lambda: store.put(*stored.version(1)),
                "get": lambda: store.get("", "/docs/rota.md"),
                "documents": lambda: list(store.documents()),
                "documents, asked before": lambda: list(listing),
                "chunks": lambda: list(store.chunks()),
                "remove": lambda: store.remove([stored.document("rota.md")]),
                "forget": lambda: store.forget("rota.md", scope_path=""),
                "forget_scope": lambda: store.forget_scope(""),
                "stats": store.stats,
                "revision": store.revision,
                "vacuum": store.vacuum,
                **self._further_calls(store),
            }
            for name, call in calls.items():
                check_refused(rules.CLOSED, f"{name} after close", call)

    @staticmethod
    def _further_calls(store: Any) -> dict[str, Callable[[], object]]:
        """What a store may offer besides."""
        calls: dict[str, Callable[[], object]] = {
            "put_many": lambda: store.put_many([(*stored.version(1), None)]),
            "check": lambda: list(store.check()),
            "known_vectors": lambda: store.known_vectors(["shop"]),
        }
        return {name: call for name, call in calls.items() if callable(getattr(store, name, None))}

    @watched
    def test_closing_meets_searches(self) -> None:
        """Each answers whole or raises StoreError, and none hangs."""
        for turn, stride in enumerate(STRIDES):
            with self._opened(stored.version(0)) as store:
                closed = Event()
                meet = Barrier(_WRITERS + 1, timeout=60)
                search = partial(self._search_until_closed, store, meet, closed, stride)
                close = partial(self._close_meanwhile, store, meet, closed, turn)
                together([*[search] * _WRITERS, close], self.deadline_seconds)

    @staticmethod
    def _close_meanwhile(store: Any, meet: Barrier, closed: Event, turn: int) -> None:
        meet.wait()
        sleep(turn / 1000)
        try:
            with no_error(rules.CLOSING, "close()"):
                store.close()
        finally:
            closed.set()

    @staticmethod
    def _search_until_closed(store: Any, meet: Barrier, closed: Event, stride: int) -> None:
        meet.wait()
        left = _AFTER_CLOSE
        while left:
            left -= closed.is_set()
            with no_error(rules.CLOSING, "search"):
                try:
                    with giving_way(stride):
                        rows = [row.content for row in store.search("shop", 9)]
                except StoreError:
                    return
            check_equal(rules.CLOSING, sorted(chunk.text for chunk in stored.version(0)[1]), sorted(rows), "search")
        raise AssertionError(rules.CLOSED.broken(f"{_AFTER_CLOSE} searches were answered after close"))


def _check_untorn(what: str, texts: list[str]) -> None:
    versions = {text.split()[1] for text in texts}
    assert len(versions) == 1, rules.TORN.broken(f"{what} answered the versions {sorted(versions) or 'none'}")
    number = int(versions.pop().removeprefix("version"))
    check_equal(rules.TORN, sorted(chunk.text for chunk in stored.version(number)[1]), sorted(texts), what)
