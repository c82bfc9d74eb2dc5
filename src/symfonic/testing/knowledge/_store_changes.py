"""Checks of a store: what is removed is gone and nothing else is, and a change is whole or absent.

Rules of this module: plain assertions through the port, nothing that knows a particular store.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from symfonic.adapters.knowledge.ports import Chunk, Removal, StoreError
from symfonic.capabilities.knowledge import scope_ancestors

from . import _seeds as seeds
from . import _store_rules as rules
from . import _store_seeds as stored
from ._store_checks import ALL, StoreChecks, capability, check_equal, check_refused, no_error
from .conformance import watched

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from symfonic.adapters.knowledge.ports import Document

    Put = tuple[Document, Sequence[Chunk]]
    Item = tuple[Document, Sequence[Chunk], None]

_MANY_DOCUMENTS: Final = 120
_BROKEN: Final = 100
"""Which of them fails: behind the first batch of whoever writes a few dozen at once."""


class ChangeChecks(StoreChecks):
    """Removing and forgetting, and changes that fail half way."""

    # ------------------------------------------------------------------------------------------------------ removed

    @watched
    def test_remove_takes_out_exactly_what_it_is_given(self) -> None:
        """By identity, whatever else the document says; counted once; nothing where it is not stored."""
        puts = [stored.version(1, scope_path=path) for path in stored.TENANTS]
        other = stored.version(2, "other.md", seeds.ACME)
        with self._opened(*puts, other) as store:
            gone = replace(puts[1][0], digest="another", file="renamed.md")
            asked = [gone, stored.document("nobody.md"), gone, stored.document("rota.md", seeds.SIBLINGS[-1])]
            with no_error(rules.REMOVED, "remove"):
                removal = store.remove(iter(asked))
            check_equal(rules.REMOVED, [Removal(documents=1, chunks=4)], [removal], "remove")
            self._check_kept(store, rules.REMOVED, [puts[0], *puts[2:], other])
            check_equal(rules.REMOVED, [Removal()], [store.remove([gone])], "remove again")

    @watched
    def test_what_was_removed_is_found_no_more(self) -> None:
        """And moves no score: whoever is left is found as in a store that never held it; vacuum changes nothing."""
        left = [stored.version(0, "left.md"), stored.version(1, "left.md", seeds.ACME)]
        crowd = [stored.version(number, f"{number}.md", path) for number in range(3) for path in ("", seeds.ACME)]
        query = "shop version0 passage"
        with self._opened(*left) as store:
            alone = self._shown(self._rows(store, query, ALL, seeds.ACME))
        with self._opened(*crowd[:3], *left, *crowd[3:]) as store:
            self._rows(store, query, ALL, seeds.ACME)
            store.remove([one for one, _ in crowd[:2]])
            store.forget("1.md", scope_path="")
            store.forget("[1-9].md", scope_path=seeds.ACME)
            store.forget("2.md", scope_path="")
            seen = self._shown(self._rows(store, query, ALL, seeds.ACME))
            check_equal(rules.GONE, alone, seen, "search")
            with no_error(rules.VACUUM, "vacuum()"):
                store.vacuum()
            self._check_kept(store, rules.VACUUM, left, "after vacuum")
            check_equal(rules.VACUUM, alone, self._shown(self._rows(store, query, ALL, seeds.ACME)), "search")

    @watched
    def test_forget_names_a_document_by_its_file(self) -> None:
        """The whole document goes, exactly at the scope, and is counted."""
        puts = [stored.version(1, scope_path=path) for path in stored.TENANTS]
        with self._opened(*puts) as store:
            removal = store.forget("rota.md", scope_path=seeds.ACME)
            check_equal(rules.FORGOTTEN, [Removal(documents=1, chunks=4)], [removal], "forget('rota.md')")
            self._check_kept(store, rules.FORGOTTEN, [puts[0], *puts[2:]])
            check_equal(rules.FORGOTTEN, [Removal()], [store.forget("rota.md", scope_path=seeds.ACME)], "forget again")

    @watched
    def test_forget_names_a_passage_by_its_label(self) -> None:
        """That passage goes; the rest stays, under another digest, so that the next ingest stores it anew."""
        puts = [stored.version(1, scope_path=path) for path in ("", seeds.ACME)]
        one, chunks = puts[1]
        with self._opened(*puts) as store:
            removal = store.forget("rota.md p. 2", scope_path=seeds.ACME)
            check_equal(rules.FORGOTTEN, [Removal(chunks=1)], [removal], "forget('rota.md p. 2')")
            record = store.get(one.scope_path, one.origin)
            digest = None if record is None else record.document.digest
            assert digest not in {None, one.digest}, rules.INCOMPLETE.broken(f"digest {digest!a} after a passage went")
            kept = (replace(one, digest=digest), [chunk for chunk in chunks if chunk.ordinal != 1])
            self._check_kept(store, rules.INCOMPLETE, [puts[0], kept])
            self._rows(store, "shop", 9, seeds.ACME)
            store.put(*puts[1])
            self._check_kept(store, rules.INCOMPLETE, puts, "when it was put anew")

    @watched
    def test_forget_reads_a_glob_only_where_nothing_is_named_exactly(self) -> None:
        """Stars, question marks and brackets, over whole names and case sensitive; no other sign means anything."""
        names = (
            "a*.md",
            "a1.md",
            "a2.md",
            "A1.md",
            "b_1.md",
            "bx1.md",
            "c%.md",
            "cd.md",
            "d/e/f.md",
            "g.md.old",
            "h\n.md",
        )
        cases = (
            ("a*.md", ("a*.md",)),
            ("b_1.md", ("b_1.md",)),
            ("a?.md", ("a*.md", "a1.md", "a2.md")),
            ("a[2-9].md", ("a2.md",)),
            ("b_?.md", ("b_1.md",)),
            ("b_*", ("b_1.md",)),
            ("c%*", ("c%.md",)),
            ("d*f.md", ("d/e/f.md",)),
            ("*1", ()),
            ("g.md", ()),
            ("G*", ()),
            ("h?.md", ("h\n.md",)),
            (".*", ()),
            ("*", names),
        )
        puts = [
            (stored.document(name), (Chunk(text="nine", label=f"<{at}>", ordinal=0),)) for at, name in enumerate(names)
        ]
        with self._opened(*puts) as store, no_error(rules.GLOB, "forget, documents or put"):
            for pattern, wanted in cases:
                removal = store.forget(pattern, scope_path="")
                left = {record.document.file for record in store.documents()}
                check_equal(rules.GLOB, sorted(wanted), sorted(set(names) - left), f"forget({pattern!a}) took")
                counted = Removal(documents=len(wanted), chunks=len(wanted))
                check_equal(rules.GLOB, [counted], [removal], f"forget({pattern!a})")
                _put_again(store, puts, wanted)

    @watched
    def test_forget_reads_labels_as_a_glob_too(self) -> None:
        """Passages whose labels match go, those of documents that match whole are counted once."""
        first, second = stored.version(1, "a.md"), stored.version(2, "b.md")
        below = stored.version(2, "b.md", seeds.ACME)
        with self._opened(first, second, below) as store:
            removal = store.forget("*.md p. [23]", scope_path="")
            check_equal(rules.GLOB, [Removal(chunks=4)], [removal], "forget('*.md p. [23]')")
            left = [chunk.chunk.label for chunk in store.chunks()]
            wanted = ["a.md p. 1", "a.md p. 4", "b.md p. 1", *(chunk.label for chunk in below[1])]
            check_equal(rules.GLOB, wanted, left, "labels left")
            removal = store.forget("a.md*", scope_path="")
            check_equal(rules.GLOB, [Removal(documents=1, chunks=2)], [removal], "forget('a.md*')")

    @watched
    def test_forget_scope_takes_what_is_below(self) -> None:
        """And nothing beside it or above, however alike the names are; the whole deployment is everything."""
        paths = (*seeds.SIBLINGS, *seeds.LONG)
        puts = [(stored.document("rota.md", path), stored.passages("rota.md", "nine")) for path in paths]
        with self._opened(*puts) as store, no_error(rules.BELOW, "forget_scope or put"):
            for path in (seeds.ACME, seeds.LABS, seeds.USER, *seeds.SIBLINGS[11:16], *seeds.LONG[-1:], ""):
                removal = store.forget_scope(path)
                left = [put for put in puts if path not in scope_ancestors(put[0].scope_path)]
                gone = len(puts) - len(left)
                check_equal(rules.BELOW, [Removal(documents=gone, chunks=gone)], [removal], f"forget_scope({path!a})")
                self._check_kept(store, rules.BELOW, left, f"after forget_scope({path!a})")
                for put in puts:
                    if path and put not in left:
                        store.put(*put)

    # --------------------------------------------------------------------------------------------- whole or absent

    @watched
    def test_a_put_that_breaks_off_changes_nothing(self) -> None:
        """Its passages cannot be read to the end, or one at the end is none: the old document stays, and works."""
        old = stored.version(1)
        one = replace(old[0], digest="new")
        many = stored.passages("rota.md", *(f"attic {at}" for at in range(stored.MANY)))
        faults = {
            "cannot be read": stored.Breaking(many, stored.MANY - 1),
            "cannot be read from the first": stored.Breaking(many, 0),
            "hold a number for a text": [*many, replace(many[0], ordinal=stored.MANY, text=9)],  # type: ignore[arg-type]
            "hold what is no passage": [*many, "nine"],
        }
        with self._opened(old) as store:
            for fault, chunks in faults.items():
                try:
                    store.put(one, chunks)
                except Exception:  # noqa: BLE001, S110 - the fault is of the caller, who may meet it again
                    pass
                else:
                    raise AssertionError(rules.WHOLE.broken(f"put took passages that {fault}"))
                self._check_whole(store, old, f"after a put of passages that {fault}")
            store.put(*stored.version(2))
            self._check_kept(store, rules.WHOLE, [stored.version(2)], "when it was put again")

    def _check_whole(self, store: Any, old: Put, when: str) -> None:
        self._check_kept(store, rules.WHOLE, [old], when)
        seen = sorted(row.content for row in self._rows(store, "shop"))
        check_equal(rules.WHOLE, sorted(chunk.text for chunk in old[1]), seen, f"search {when}")
        seen = [row.content for row in self._rows(store, "attic") if "attic" in row.content]
        check_equal(rules.WHOLE, [], seen, f"search for the new text {when}")

    @watched
    def test_many_documents_are_put_as_one_by_one(self) -> None:
        """The same content; of several under one identity the last stays, and others of a scope are left alone."""
        first = [stored.version(1, "old.md"), stored.version(1, "a.md")]
        many = [stored.version(at, f"{at:03}.md", path) for at in range(40) for path in ("", seeds.ACME)]
        twice = [stored.version(2, "a.md"), *many, stored.version(5, "a.md")]
        with self._opened(*first) as store:
            put_many = capability(store, "put_many", "BulkStore")
            with no_error(rules.BULK, "put_many"):
                put_many((one, chunks, None) for one, chunks in twice)
                put_many([])
            wanted = [first[0], *many, twice[-1]]
            self._check_kept(store, rules.BULK, wanted)
            bulk = self._shown(self._rows(store, "shop version5", 9, seeds.ACME))
        with self._opened(*wanted) as store:
            check_equal(rules.BULK, self._shown(self._rows(store, "shop version5", 9, seeds.ACME)), bulk, "search")

    @watched
    def test_many_documents_are_put_from_the_beginning(self) -> None:
        """Where one of them fails, or they cannot be read on, those before may be stored and those behind are not."""
        many = [stored.version(at, f"{at:04}.md") for at in range(_MANY_DOCUMENTS)]
        one, chunks = many[_BROKEN]
        refused = [*many[:_BROKEN], (one, [*chunks, chunks[0]]), *many[_BROKEN + 1 :]]
        before = stored.version(9, one.file)
        for fault, kind, items in (
            ("that cannot be read on", Exception, self._breaking(many)),
            ("of which one has an ordinal twice", StoreError, self._items(refused)),
        ):
            with self._opened(before) as store:
                put_many = capability(store, "put_many", "BulkStore")
                check_refused(rules.PREFIX, f"put_many of documents {fault}", partial(put_many, items), kind)
                held = sum(1 for record in store.documents() if record.document.file < one.file)
                self._check_kept(store, rules.PREFIX, [*many[:held], before], f"after documents {fault}")
                store.put(*many[-1])

    @staticmethod
    def _items(puts: Sequence[Put]) -> Iterator[Item]:
        return ((one, chunks, None) for one, chunks in puts)

    def _breaking(self, puts: Sequence[Put]) -> Iterator[Item]:
        yield from self._items(puts[:_BROKEN])
        raise InterruptedError("the documents break off here, as this check wants")


def _put_again(store: Any, puts: Sequence[Put], names: Collection[str]) -> None:
    for one, chunks in puts:
        if one.file in names:
            store.put(one, chunks)
