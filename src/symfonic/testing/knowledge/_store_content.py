"""Checks of a store: what is put comes back, once, whole and in order, and says where it comes from.

Rules of this module: plain assertions through the port, nothing that knows a particular store.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from symfonic.adapters.knowledge.ports import Chunk, Removal, retrieved_text

from . import _seeds as seeds
from . import _store_rules as rules
from . import _store_seeds as stored
from ._rules import listed, shown
from ._seeds import HOSTILE_QUERIES
from ._store_checks import ALL, StoreChecks, capability, check_equal, check_refused, is_refused, no_error
from .conformance import watched

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from symfonic.adapters.knowledge.ports import Document
    from symfonic.capabilities.knowledge import RetrievedFragment


class ContentChecks(StoreChecks):
    """What is put, and how it is listed, counted and found."""

    # ------------------------------------------------------------------------------------------- kept and listed

    @watched
    def test_an_empty_store_holds_nothing(self) -> None:
        """Nothing is listed, found or counted, and removing removes nothing."""
        with self._opened() as store, no_error(rules.HOLLOW, "a call on an empty store"):
            self._check_kept(store, rules.HOLLOW, ())
            for path in stored.TENANTS:
                check_equal(rules.HOLLOW, [None], [store.get(path, "/docs/rota.md")], "get")
                check_equal(rules.HOLLOW, [], [(row.source,) for row in self._rows(store, "nine", 9, path)], "search")
            removals = [
                store.remove([stored.document("rota.md")]),
                store.remove([]),
                store.forget("*", scope_path=""),
                store.forget_scope(""),
            ]
            check_equal(rules.HOLLOW, [Removal()] * 4, removals, "remove, remove, forget, forget_scope")
            self._check_stats(store, rules.HOLLOW, [])

    @watched
    def test_documents_are_kept_as_they_were_put(self) -> None:
        """Every field of document and passage; none is trimmed, filled in or left out."""
        puts = [
            (stored.document("rota.md", digest="ab" * 32, kind="pdf", size=2**40), stored.RICH),
            (
                stored.document("Notice.MD", seeds.ACME, kind="", digest="", size=0),
                stored.passages("Notice.MD", "nine"),
            ),
        ]
        with self._opened(*puts) as store:
            self._check_kept(store, rules.KEPT, puts)

    @watched
    def test_hostile_texts_are_kept_as_they_are(self) -> None:
        """Quotes, operators, globs, marks, controls, line ends: in texts, labels, headings, files, origins, kinds."""
        puts = [(stored.document("texts.md"), stored.passages("texts.md", *stored.HOSTILE))]
        for at, text in enumerate(stored.HOSTILE):
            one = replace(stored.document(text, origin=f"file:{text}", digest=text, kind=text), size=at)
            puts.append((one, (Chunk(text="nine", label=text, ordinal=0, heading=text),)))
        with self._opened(*puts) as store:
            self._check_kept(store, rules.HOSTILE, puts)

    @watched
    def test_what_an_engine_has_no_place_for_is_refused_or_kept(self) -> None:
        """NUL and lone surrogates, in any text: StoreError and nothing changed, or kept as they are."""
        before = (stored.document("odd.md", digest="before"), stored.passages("odd.md", "nine it was"))
        with self._opened(before) as store:
            for field in (*stored.TEXT_FIELDS, *stored.PASSAGE_FIELDS):
                for value in stored.REFUSABLE:
                    doing = f"put with {field} {value!a}"
                    one, chunks = stored.with_text(field, value)
                    if is_refused(rules.HOSTILE, doing, partial(store.put, one, chunks)):
                        self._check_kept(store, rules.HOSTILE, [before], f"after {doing} was refused")
                    else:
                        others = [] if one.origin == before[0].origin else [before]
                        self._check_kept(store, rules.HOSTILE, [(one, chunks), *others], f"after {doing}")
                        store.remove([one])
                        store.put(*before)

    @watched
    def test_large_documents_are_kept_whole(self) -> None:
        """A passage of a megabyte, and a document of more passages than a page holds."""
        large = (stored.document("large.md"), stored.passages("large.md", stored.LARGE))
        many = (stored.document("many.md"), stored.passages("many.md", *(f"nine {at}\n" for at in range(stored.MANY))))
        with self._opened(large, many) as store:
            self._check_kept(store, rules.LARGE, [large, many])

    @watched
    def test_passages_come_by_ordinal(self) -> None:
        """By number, in whatever order they were put; what is exported is the text, from its beginning to its end."""
        chunks = stored.passages("rota.md", *(f"passage {at}\n" for at in range(12)))
        shuffled = (*chunks[9:], *chunks[4:9], *reversed(chunks[:4]))
        with self._opened((stored.document("rota.md"), shuffled)) as store:
            self._check_kept(store, rules.BY_ORDINAL, [(stored.document("rota.md"), chunks)])

    @watched
    def test_documents_come_by_scope_file_and_origin(self) -> None:
        """By code point, in whatever order they were put."""
        puts = [
            (stored.document(name, path, origin=f"{origin}{name}"), stored.passages(name, "nine"))
            for path in (seeds.ACME, "")
            for name in stored.ORDERED
            for origin in ("b:", "B:")
        ]
        for order in (puts, puts[::-1]):
            with self._opened(*order) as store:
                self._check_kept(store, rules.LISTED, puts)

    @watched
    def test_listings_are_of_exactly_one_scope(self) -> None:
        """Neither what is above nor what is below, nor a scope whose name is alike."""
        puts = [(stored.document("rota.md", path), stored.passages("rota.md", path)) for path in seeds.SIBLINGS]
        with self._opened(*puts) as store, no_error(rules.PLACED, "a listing of one scope"):
            for path in seeds.ASKED:
                wanted = [one for one, _ in puts if one.scope_path == path]
                for listing in (store.documents(scope_path=path), store.chunks(scope_path=path)):
                    check_equal(rules.PLACED, wanted, [one.document for one in listing], f"at {path!a}")
                found = store.get(path, "/docs/rota.md")
                check_equal(rules.PLACED, wanted, [] if found is None else [found.document], f"get at {path!a}")
            check_equal(rules.PLACED, [None], [store.get("", "/docs/other.md")], "get of what was never put")

    # ------------------------------------------------------------------------------------------ replaced and told apart

    @watched
    def test_the_same_document_twice_is_there_once(self) -> None:
        """What is kept, found and counted stays as it was; so it does for each of the scopes it is stored at."""
        puts = [stored.version(1, scope_path=path) for path in stored.TENANTS]
        with self._opened(*puts) as store:
            before = self._shown(self._rows(store, "shop", ALL, seeds.USER))
            for _ in range(2):
                store.put(*puts[1])
                self._check_kept(store, rules.ONCE, puts, "put again")
                self._check_stats(store, rules.ONCE, puts)
                check_equal(rules.ONCE, before, self._shown(self._rows(store, "shop", ALL, seeds.USER)), "search")

    @watched
    def test_a_document_is_replaced_whole(self) -> None:
        """No passage, word or count of the old one is left, and nothing of another scope's is touched."""
        other = stored.version(3, scope_path=seeds.ACME)
        old = (stored.document("rota.md"), stored.passages("rota.md", "cellar nine", "cellar ten", "cellar six"))
        new = (replace(old[0], file="new.md", digest="2", kind="pdf"), stored.passages("new.md", "attic nine"))
        with self._opened(old, other, new) as store:
            self._check_kept(store, rules.REPLACED, [new, other])
            self._check_stats(store, rules.REPLACED, [new, other])
            seen = [(row.content,) for row in self._rows(store, "cellar") if "cellar" in row.content]
            check_equal(rules.REPLACED, [], seen, "search for a word of the old one")
            seen = [(row.content,) for row in self._rows(store, "attic") if "attic" in row.content]
            check_equal(rules.REPLACED, [("attic nine",)], seen, "search for a word of the new one")

    @watched
    def test_identity_is_scope_and_origin(self) -> None:
        """Exactly: not the file, the digest or the content, nor an origin that is alike but for case or form."""
        origins = ["/a", "/A", " /a", "/a ", "/a/", "/caf\u00e9", "/cafe\u0301", "/a\x1fb", "a", "/%", "/_"]
        chunks = stored.passages("same.md", "nine")
        puts = [(stored.document("same.md", path, origin=at), chunks) for path in stored.TENANTS for at in origins]
        # Joined without a sign between, each of these reads like one of those above.
        joined = (("", f"{seeds.ACME}/a"), (seeds.ACME, f"{seeds.USER.removeprefix(seeds.ACME)}/a"))
        puts += [(stored.document("same.md", path, origin=at), chunks) for path, at in joined]
        with self._opened(*puts) as store:
            self._check_kept(store, rules.IDENTITY, puts)

    @watched
    def test_a_document_without_passages_is_one(self) -> None:
        """It is listed, counted, got and removed; one that had passages loses them."""
        old = stored.version(0)
        bare = (replace(old[0], digest="bare"), ())
        with self._opened(old, bare) as store:
            self._check_kept(store, rules.BARE, [bare])
            self._check_stats(store, rules.BARE, [bare])
            check_equal(rules.BARE, [Removal(documents=1)], [store.remove([bare[0]])], "remove")
            self._check_kept(store, rules.BARE, [])

    @watched
    def test_stats_count_what_is_stored(self) -> None:
        """Documents, passages, characters, scopes in path order, kinds in name order, after every change."""
        texts = ("caf\u00e9", "\U0001f600\u8cea", "nine")
        puts = [
            (stored.document(f"{at}.md", path, kind=kind), stored.passages(f"{at}.md", *texts[: at + 1]))
            for at, (path, kind) in enumerate(((seeds.LABS, "text"), (seeds.ACME, "pdf"), (seeds.ACME, "docx")))
        ]
        with self._opened(*puts) as store:
            self._check_stats(store, rules.COUNTED, puts)
            store.remove([puts[1][0]])
            self._check_stats(store, rules.COUNTED, [puts[0], puts[2]])
            store.forget_scope(seeds.LABS)
            self._check_stats(store, rules.COUNTED, [puts[2]])

    @watched
    def test_revision_grows_with_every_change(self) -> None:
        """Put, replace, remove, forget and forget_scope; reading leaves it as it is."""
        changes: tuple[tuple[str, Callable[[Any], object]], ...] = (
            ("put", lambda store: store.put(*stored.version(0))),
            ("put of another", lambda store: store.put(*stored.version(1, "other.md", seeds.ACME))),
            ("put in place of the first", lambda store: store.put(*stored.version(2))),
            ("forget of a passage", lambda store: store.forget("rota.md p. 1", scope_path="")),
            ("remove", lambda store: store.remove([stored.document("rota.md")])),
            ("forget_scope", lambda store: store.forget_scope(seeds.ACME)),
        )
        with self._opened() as store, no_error(rules.GROWS, "revision() or a change"):
            before = store.revision()
            for name, change in changes:
                change(store)
                after = store.revision()
                assert after > before, rules.GROWS.broken(f"{before} before and {after} after {name}")
                before = after
                self._read_everything(store)
                assert store.revision() == before, rules.GROWS.broken(f"{before} grew by reading, after {name}")

    def _read_everything(self, store: Any) -> None:
        self._rows(store, "shop", 9, seeds.ACME)
        list(store.documents())
        list(store.chunks())
        store.get("", "/docs/rota.md")
        store.stats()

    @watched
    def test_ordinals_are_used_once(self) -> None:
        """Two passages in one place are refused, and what was stored stays."""
        before = stored.version(0)
        chunks = stored.passages("rota.md", *(f"nine {at}" for at in range(4)))
        doubled = [*chunks, replace(chunks[1], text="again")]
        with self._opened(before) as store:
            check_refused(rules.ORDINALS, "put", lambda: store.put(replace(before[0], digest="2"), doubled))
            self._check_kept(store, rules.ORDINALS, [before], "afterwards")

    @watched
    def test_what_is_no_scope_path_reaches_nothing(self) -> None:
        """Neither half a pair nor an empty part: refused when putting, and never taken for the beginning of another."""
        puts = [stored.version(0, scope_path=path) for path in (seeds.ACME, seeds.USER)]
        with self._opened(*puts) as store:
            for path in stored.NO_PATHS:
                bad = stored.version(0, scope_path=path)
                check_refused(rules.NO_SCOPE, f"put at {path!a}", partial(store.put, *bad))
                is_refused(rules.NO_SCOPE, f"forget_scope({path!a})", partial(store.forget_scope, path))
                found: list[Any] = []
                is_refused(rules.NO_SCOPE, f"search at {path!a}", partial(self._search_into, found, store, path))
                check_equal(rules.NO_SCOPE, [], [(row.source,) for row in found], f"search at {path!a}")
                self._check_kept(store, rules.NO_SCOPE, puts, f"after {path!a}")

    @staticmethod
    def _search_into(found: list[Any], store: Any, path: str) -> None:
        found.extend(store.search("shop", 9, scope_path=path))

    # -------------------------------------------------------------------------------------------------------- found

    @watched
    def test_metadata_says_where_a_row_comes_from(self) -> None:
        """Scope path, document, file and ordinal; page and heading where known, as slide and sheet where they are."""
        kinds = (("pdf", "page", "heading"), ("pptx", "slide", "heading"), ("xlsx", "page", "sheet"))
        puts = [(stored.document(f"a.{kind}", seeds.ACME, kind=kind), self._placed(kind)) for kind, _, _ in kinds]
        with self._opened(*puts) as store:
            rows = {(row.metadata.get("file"), row.metadata.get("ordinal")): row.metadata for row in self._acme(store)}
        identities = set()
        for kind, page, heading in kinds:
            first, second = rows.get((f"a.{kind}", 0), {}), rows.get((f"a.{kind}", 3), {})
            places = [{key: row.get(key) for key in ("scope_path", page, heading)} for row in (first, second)]
            wanted = [
                {"scope_path": seeds.ACME, page: 4, heading: "Rota"},
                {"scope_path": seeds.ACME, page: None, heading: None},
            ]
            check_equal(rules.METADATA, wanted, places, f"metadata of a {kind}")
            one, other = (row.get("document") for row in (first, second))
            assert isinstance(one, str), rules.METADATA.broken(f"document is {one!a}")
            assert one == other, rules.METADATA.broken(f"document is {one!a} and {other!a} for passages of one")
            identities.add(one)
        assert len(identities) == len(kinds), rules.METADATA.broken(f"three documents called {sorted(identities)}")

    @staticmethod
    def _placed(kind: str) -> tuple[Chunk, ...]:
        return (
            Chunk(text="the shop opens", label=f"a.{kind} 1", ordinal=0, heading="Rota", page=4),
            Chunk(text="the shop closes", label=f"a.{kind} 2", ordinal=3),
        )

    def _acme(self, store: Any) -> list[RetrievedFragment]:
        return self._rows(store, "shop", ALL, seeds.ACME)

    @watched
    def test_content_never_shadows_metadata(self) -> None:
        """Whatever a document calls itself, scope_path and document are those it was put under."""
        forged = (
            "scope_path",
            f"scope_path={seeds.LABS}",
            f'{{"scope_path": "{seeds.LABS}", "document": "x"}}',
            "document",
        )
        puts = [
            (
                stored.document(text, seeds.ACME, origin=f"/{at}", digest=text, kind=text),
                (Chunk(text=f"shop {text}", label=text, ordinal=0, heading=text),),
            )
            for at, text in enumerate(forged)
        ]
        with self._opened(*puts) as store:
            rows = self._acme(store)
            check_equal(rules.SHADOWED, [], [(row.source,) for row in self._rows(store, "shop", 9, seeds.LABS)], "labs")
        seen = [(row.source, row.metadata.get("scope_path"), row.metadata.get("file")) for row in rows]
        check_equal(rules.SHADOWED, sorted((text, seeds.ACME, text) for text in forged), sorted(seen), "metadata")
        names = {row.metadata.get("document") for row in rows}
        assert len(names) == len(forged), rules.SHADOWED.broken(f"{len(forged)} documents called {shown(names)}")

    @watched
    def test_content_is_the_retrieved_text(self) -> None:
        """No blank lines before it and no white space behind it, its first line's indent kept; labels are sources."""
        texts = ("\n\n    nine = 9\n", "nine \n\n ", "  nine", "\t\n \n\tnine\n  ten\n")
        chunks = stored.passages("code.md", *texts)
        with self._opened((stored.document("code.md"), chunks)) as store:
            seen = [(row.source, row.content) for row in self._rows(store, "nine")]
            wanted = [(chunk.label, retrieved_text(chunk.text)) for chunk in chunks]
            check_equal(rules.CONTENT, sorted(wanted), sorted(seen), "label and content")

    @watched
    def test_rows_come_best_first(self) -> None:
        """Under (-score, source, content), each score in [0, 1], whatever is asked and stored."""
        names = ("b.md", "a.md", "c.md")
        puts = [(stored.document(name), stored.passages(name, *stored.HOSTILE)) for name in names]
        puts.append(
            (stored.document("z.md"), stored.passages("z.md", "nine " * 500, "nine ten eleven", "ten", "nine ten"))
        )
        with self._opened(*puts) as store:
            for query in ("nine", "nine ten eleven", "ten?", "caf\u00e9 nine", "nine " * 50):
                rows = self._rows(store, query)
                seen = [(-row.score, row.source, row.content) for row in rows]
                check_equal(rules.RANKED, sorted(seen), seen, f"order for {shown(query)}")
                out = [(row.source, row.score) for row in rows if not 0 <= row.score <= 1]
                assert not out, rules.RANKED.broken(f"outside [0, 1] for {shown(query)}: {listed(out)}")

    @watched
    def test_limits_of_one_and_of_billions(self) -> None:
        """The best row, and everything there is."""
        puts = [stored.version(number, f"{number}.md") for number in range(5)]
        with self._opened(*puts) as store:
            everything = self._shown(self._rows(store, "shop version3"))
            check_equal(rules.HUGE, [17], [len(everything)], f"rows found with limit {ALL}")
            for limit in (len(everything), 10**6, 2**31, sys.maxsize):
                seen = self._shown(self._search(store, "shop version3", limit, "", rules.HUGE))
                check_equal(rules.HUGE, everything, seen, f"limit {limit}")
            best = self._shown(self._rows(store, "shop version3", 1))
            check_equal(rules.HUGE, everything[:1], best[:1], "limit 1")

    @watched
    def test_crowded_ties_do_not_depend_on_insertion_order(self) -> None:
        """Of four hundred rows that tie, those first by source and content are answered, in whatever order stored."""
        names = ("a.md", "b.md", "c.md", "d.md")
        for order in (names, names[::-1], ("c.md", "a.md", "d.md", "b.md")):
            with self._opened(*stored.tied(order)) as store:
                for limit in (1, 5):
                    rows = sorted((-row.score, row.source) for row in self._rows(store, "nine", limit))
                    wanted = [f"{at // 4:03}{names[at % 4]}" for at in range(limit)]
                    check_equal(rules.CROWDED, wanted, [source for _, source in rows[:limit]], f"limit {limit}")

    @watched
    def test_no_question_breaks_a_store_of_hostile_texts(self) -> None:
        """Quotes, operators and globs in both; also a question of a hundred thousand characters."""
        puts = [
            (stored.document("odd.md", path), stored.passages("odd.md", *stored.HOSTILE)) for path in stored.TENANTS
        ]
        allowed = {retrieved_text(text) for text in stored.HOSTILE}
        long = "nine " * 20_000
        with self._opened(*puts) as store:
            for query in (*HOSTILE_QUERIES, *stored.HOSTILE, long, "".join(chr(48 + at % 75) for at in range(9_000))):
                rows = self._search(store, query, 5, seeds.ACME, rules.QUERIES)
                strange = [(row.source, row.content) for row in rows if row.content not in allowed]
                assert not strange, rules.QUERIES.broken(f"for {shown(query)}: {listed(strange)}")
                stamps = {str(row.metadata.get("scope_path")) for row in rows}
                assert stamps <= {"", seeds.ACME}, rules.QUERIES.broken(f"{shown(query)} showed {sorted(stamps)}")
            self._check_kept(store, rules.QUERIES, puts, "after all the questions")

    @watched
    def test_check_finds_a_used_store_sound(self) -> None:
        """After every kind of change, and it changes nothing."""
        with self._opened(stored.version(0), stored.version(1), stored.version(2, "other.md", seeds.USER)) as store:
            check = capability(store, "check", "CheckedStore")
            store.forget("rota.md p. 1", scope_path="")
            store.forget_scope(seeds.ACME)
            with no_error(rules.SOUND, "check()"):
                before = store.revision()
                check_equal(rules.SOUND, [], list(check()), "check()")
                check_equal(rules.SOUND, [before], [store.revision()], "revision")

    # ----------------------------------------------------------------------------------------------------- plumbing

    def _check_stats(self, store: Any, rule: Any, puts: Sequence[tuple[Document, Sequence[Chunk]]]) -> None:
        with no_error(rule, "stats()"):
            stats = store.stats()
        paths = sorted({one.scope_path for one, _ in puts})
        kinds = sorted({one.kind for one, _ in puts})
        of = {path: [len(chunks) for one, chunks in puts if one.scope_path == path] for path in paths}
        wanted = {
            "documents": len(puts),
            "chunks": sum(len(chunks) for _, chunks in puts),
            "characters": sum(len(chunk.text) for _, chunks in puts for chunk in chunks),
            "scopes": tuple((path, len(of[path]), sum(of[path])) for path in paths),
            "kinds": tuple((kind, sum(one.kind == kind for one, _ in puts)) for kind in kinds),
        }
        seen = {name: getattr(stats, name, None) for name in wanted}
        check_equal(rule, list(wanted.items()), list(seen.items()), "stats()")
        assert stats.file_bytes >= 0, rule.broken(f"file_bytes {stats.file_bytes}")
