"""What the parts of the suite for stores share: how a store is made, asked and looked at.

Rules of this module: no check stands here. It reaches a store through the port alone.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final
from unittest import SkipTest

from symfonic.adapters.knowledge.ports import Chunk, Document, DocumentRecord, StoredChunk, StoreError

from . import _store_rules as store_rules
from ._rules import difference, shown
from .conformance import RetrieverConformance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from symfonic.capabilities.knowledge import RetrievedFragment

    from ._rules import Rule
    from .fakes import SeedRow

    Put = tuple[Document, Sequence[Chunk]]

ALL: Final = 10_000
"""A limit that no check reaches."""


class StoreChecks(RetrieverConformance):
    """A store is made, opened again and dropped by what ``StoreConformance`` offers for overriding."""

    if TYPE_CHECKING:

        def make_store(self) -> Any: ...
        def reopen(self, store: Any) -> Any: ...
        def drop_store(self, store: Any) -> None: ...

    def make_retriever(self, rows: Sequence[SeedRow]) -> Any:
        """Put each row as a document of one passage, in this order."""
        store = self.make_store()
        try:
            for number, row in enumerate(rows):
                one = Document(scope_path=row.scope_path, origin=f"/docs/{number}", file=row.source, digest="1")
                store.put(one, [Chunk(text=row.content, label=row.source, ordinal=0)])
        except Exception as error:
            self.drop_store(store)
            said = f"put raised {type(error).__name__}: {shown(str(error))}"
            raise AssertionError(store_rules.WORKS.broken(said)) from error
        return store

    def drop_retriever(self, retriever: Any) -> None:
        """Release the store that ``make_retriever`` filled."""
        self.drop_store(retriever)

    # --------------------------------------------------------------------------------------------------- plumbing

    def _run(self, check: Callable[[Any], None]) -> None:
        """Whatever a check does not expect breaks the rule that a store works."""
        with no_error(store_rules.WORKS, "a call of the store"):
            check(self)

    @contextmanager
    def _opened(self, *puts: Put) -> Iterator[Any]:
        """A store of its own, with these documents in it."""
        store = self.make_store()
        try:
            for one, chunks in puts:
                with no_error(store_rules.WORKS, f"put({shown(one.file)})"):
                    store.put(one, chunks)
            yield store
        except BaseException:
            with suppress(Exception):  # what broke first is what is told
                self.drop_store(store)
            raise
        with no_error(store_rules.TWICE, "drop_store"):
            self.drop_store(store)

    @contextmanager
    def _again(self, store: Any) -> Iterator[Any]:
        """Another handle on the same content."""
        other = self.reopen(store)
        try:
            yield other
        finally:
            self.drop_store(other)

    def _rows(self, store: Any, query: str, limit: int = ALL, scope_path: str = "") -> list[RetrievedFragment]:
        return self._search(store, query, limit, scope_path)

    def _check_kept(self, store: Any, rule: Rule, puts: Iterable[Put], when: str = "") -> None:
        """The store holds these documents, in order and in every field, and no others."""
        wanted = sorted(puts, key=lambda put: (put[0].scope_path, put[0].file, put[0].origin))
        with no_error(rule, "documents() or chunks()"):
            records, chunks = list(store.documents()), list(store.chunks())
        expected = [_record(one, given) for one, given in wanted]
        check_equal(rule, expected, records, f"documents {when}".strip())
        stored = [(one, chunk) for one, given in wanted for chunk in sorted(given, key=lambda chunk: chunk.ordinal)]
        check_equal(
            rule, [StoredChunk(document=one, chunk=chunk) for one, chunk in stored], chunks, f"passages {when}".strip()
        )
        for record in expected:
            one = record.document
            with no_error(rule, f"get({shown(one.origin)})"):
                check_equal(rule, [record], [store.get(one.scope_path, one.origin)], f"get {when}".strip())


def _record(one: Document, chunks: Sequence[Chunk]) -> DocumentRecord:
    return DocumentRecord(document=one, chunks=len(chunks), characters=sum(len(chunk.text) for chunk in chunks))


def check_equal(rule: Rule, wanted: Sequence[object], seen: Sequence[object], what: str) -> None:
    """Hold what was seen against what was wanted, and tell of the first few that differ."""
    if list(seen) == list(wanted):
        return
    differs = difference([_told(one) for one in wanted], [_told(one) for one in seen])
    raise AssertionError(rule.broken(f"{what}: {differs or 'the same in another order'}"))


def _told(one: object) -> tuple[object, ...]:
    """What of a value is shown: that which tells it from others first."""
    if isinstance(one, StoredChunk):
        return (one.chunk.text, one.chunk.label, one.chunk, one.document)
    if isinstance(one, DocumentRecord):
        return (one.document.file, one.chunks, one.characters, one.document)
    if isinstance(one, dict):
        return tuple(sorted(one.items()))
    return one if isinstance(one, tuple) else (one,)


@contextmanager
def no_error(rule: Rule, doing: str) -> Iterator[None]:
    """Whatever is raised inside breaks the rule."""
    try:
        yield
    except (AssertionError, NotImplementedError, SkipTest):
        raise
    except Exception as error:
        raise AssertionError(rule.broken(f"{doing} raised {type(error).__name__}: {shown(str(error))}")) from error


def check_refused(
    rule: Rule,
    doing: str,
    call: Callable[[], object],
    kind: type[Exception] | tuple[type[Exception], ...] = StoreError,
) -> None:
    """The call raises that error, or one of those, and no other."""
    try:
        answer = call()
    except kind:
        return
    except Exception as error:
        raise AssertionError(rule.broken(f"{doing} raised {type(error).__name__}: {shown(str(error))}")) from error
    raise AssertionError(rule.broken(f"{doing} raised nothing and answered {shown(answer)}"))


def is_refused(rule: Rule, doing: str, call: Callable[[], object]) -> bool:
    """Whether the call raises StoreError; any other error breaks the rule."""
    try:
        call()
    except StoreError:
        return True
    except Exception as error:
        raise AssertionError(rule.broken(f"{doing} raised {type(error).__name__}: {shown(str(error))}")) from error
    return False


def capability(store: Any, name: str, port: str) -> Any:
    """A method that a store may have.

    Raises:
        SkipTest: It has none.
    """
    method = getattr(store, name, None)
    if not callable(method):
        raise SkipTest(f"{type(store).__name__} has no {name}, so it is no {port}: nothing to check")
    return method
