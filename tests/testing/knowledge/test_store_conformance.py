"""The suite for stores: an honest store passes it, and each check finds the stores that break its rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from unittest import SkipTest

import pytest

from symfonic.testing.knowledge import (
    HashingEmbedder,
    RetrieverConformance,
    StoreConformance,
    VectorStoreConformance,
)

from . import liars
from .honest import HonestStore

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

RETRIEVER = {name for name in dir(RetrieverConformance) if name.startswith("test_")}
STORE = [name for name in dir(StoreConformance) if name.startswith("test_") and name not in RETRIEVER]
VECTOR = [name for name in dir(VectorStoreConformance) if name.startswith("test_") and name not in {*RETRIEVER, *STORE}]
#: Checks of many documents, or of threads, which are tried on the stores they have to find and on no others.
DEAR = {
    "test_a_put_that_breaks_off_changes_nothing",
    "test_closing_meets_searches",
    "test_crowded_ties_do_not_depend_on_insertion_order",
    "test_forget_scope_takes_what_is_below",
    "test_large_documents_are_kept_whole",
    "test_no_question_breaks_a_store_of_hostile_texts",
    "test_readers_see_a_document_old_or_new",
    "test_vectors_that_break_off_change_nothing",
    "test_writers_take_turns",
}

#: Stores of words alone with one fault each, and every check that finds it, without ``test_``.
WORDS: dict[type[HonestStore], tuple[str, ...]] = {
    liars.RefusesToForgetNothing: ("an_empty_store_holds_nothing",),
    liars.CapsSizes: ("documents_are_kept_as_they_were_put",),
    liars.KeepsPagesAsTexts: ("documents_are_kept_as_they_were_put", "metadata_says_where_a_row_comes_from"),
    liars.StripsControls: ("hostile_texts_are_kept_as_they_are", "what_an_engine_has_no_place_for_is_refused_or_kept"),
    liars.NormalisesLineEnds: ("hostile_texts_are_kept_as_they_are", "no_question_breaks_a_store_of_hostile_texts"),
    liars.CutsAtNul: ("what_an_engine_has_no_place_for_is_refused_or_kept",),
    liars.ReplacesSurrogates: ("what_an_engine_has_no_place_for_is_refused_or_kept",),
    liars.LetsUnicodeErrorsThrough: ("what_an_engine_has_no_place_for_is_refused_or_kept",),
    liars.CapsTexts: ("large_documents_are_kept_whole",),
    liars.AnswersOnePage: ("large_documents_are_kept_whole",),
    liars.KeepsOrderOfInsertion: ("passages_come_by_ordinal",),
    liars.SortsLikeADictionary: ("documents_come_by_scope_file_and_origin", "hostile_texts_are_kept_as_they_are"),
    liars.ListsWhatIsVisible: ("listings_are_of_exactly_one_scope",),
    liars.AddsPassages: ("the_same_document_twice_is_there_once", "what_an_engine_has_no_place_for_is_refused_or_kept"),
    liars.KeepsTheTail: (
        "a_document_is_replaced_whole",
        "a_put_that_breaks_off_changes_nothing",
        "readers_see_a_document_old_or_new",
    ),
    liars.IgnoresCaseOfOrigins: (
        "documents_come_by_scope_file_and_origin",
        "forget_reads_a_glob_only_where_nothing_is_named_exactly",
        "identity_is_scope_and_origin",
    ),
    liars.JoinsIdentities: ("identity_is_scope_and_origin",),
    liars.HasNoBareDocuments: ("a_document_without_passages_is_one",),
    liars.CountsKindsAsTheyCame: ("a_document_is_replaced_whole", "stats_count_what_is_stored"),
    liars.ForgetsToCount: ("revision_grows_with_every_change",),
    liars.CountsReading: ("revision_grows_with_every_change",),
    liars.LetsOrdinalsOverwrite: ("many_documents_are_put_from_the_beginning", "ordinals_are_used_once"),
    liars.TakesAnyScope: ("what_is_no_scope_path_reaches_nothing",),
    liars.CallsSlidesPages: ("metadata_says_where_a_row_comes_from",),
    liars.IdentifiesPassages: ("metadata_says_where_a_row_comes_from",),
    liars.ParsesHeadings: ("content_never_shadows_metadata",),
    liars.StripsContent: ("content_is_the_retrieved_text",),
    liars.AnswersWorstFirst: ("rows_come_best_first",),
    liars.ScoresBeyondOne: ("rows_come_best_first",),
    liars.RefusesHugeLimits: ("limits_of_one_and_of_billions",),
    liars.CapsLimits: ("limits_of_one_and_of_billions", "writers_take_turns"),
    liars.CutsTiesUnsorted: ("crowded_ties_do_not_depend_on_insertion_order",),
    liars.RefusesLongQuestions: ("no_question_breaks_a_store_of_hostile_texts",),
    liars.RepairsWhileChecking: ("check_finds_a_used_store_sound",),
    liars.CountsWhatWasAsked: ("an_empty_store_holds_nothing", "remove_takes_out_exactly_what_it_is_given"),
    liars.RemovesByDigest: (
        "a_document_is_removed_once",
        "remove_takes_out_exactly_what_it_is_given",
        "revision_grows_with_every_change",
    ),
    liars.RemembersRemovedWords: ("what_was_removed_is_found_no_more",),
    liars.VacuumsTooMuch: ("what_was_removed_is_found_no_more",),
    liars.ForgetsBelow: (
        "forget_names_a_document_by_its_file",
        "forget_reads_labels_as_a_glob_too",
        "listings_are_of_exactly_one_scope",
    ),
    liars.ForgetsNoPassages: (
        "forget_names_a_passage_by_its_label",
        "forget_reads_labels_as_a_glob_too",
        "revision_grows_with_every_change",
    ),
    liars.LeavesDigests: ("forget_names_a_passage_by_its_label",),
    liars.ForgetsLikeSql: ("forget_reads_a_glob_only_where_nothing_is_named_exactly",),
    liars.ForgetsAnyCase: ("forget_reads_a_glob_only_where_nothing_is_named_exactly",),
    liars.ForgetsBeginnings: ("forget_scope_takes_what_is_below", "what_is_no_scope_path_reaches_nothing"),
    liars.LeavesWhatIsBelow: ("forget_scope_takes_what_is_below",),
    liars.DeletesFirst: (
        "a_put_that_breaks_off_changes_nothing",
        "many_documents_are_put_from_the_beginning",
        "ordinals_are_used_once",
        "what_an_engine_has_no_place_for_is_refused_or_kept",
    ),
    liars.CommitsBatches: ("a_put_that_breaks_off_changes_nothing",),
    liars.LetsTheFirstWin: ("many_documents_are_put_as_one_by_one",),
    liars.GoesOnAfterAFault: ("many_documents_are_put_from_the_beginning",),
    liars.LosesContent: ("content_survives_closing",),
    liars.RemembersAnswers: ("two_handles_see_the_same",),
    liars.DeletesThenInserts: ("readers_see_a_document_old_or_new",),
    liars.WritesBackACopy: ("writers_take_turns",),
    liars.CountsBeforeItRemoves: ("a_document_is_removed_once",),
    liars.ClosesOnce: (
        "a_closed_store_raises_store_errors",
        "closing_meets_searches",
        "closing_twice_is_fine",
        "content_survives_closing",
    ),
    liars.VacuumsWhenClosed: ("a_closed_store_raises_store_errors",),
    liars.AnswersWhenClosed: ("a_closed_store_raises_store_errors", "closing_meets_searches"),
    liars.TakesTheConnectionAway: ("closing_meets_searches",),
}
VECTORS: dict[type[HonestStore], tuple[str, ...]] = {
    liars.HidesItsEmbedder: ("a_store_tells_its_embedder",),
    liars.MixesVectorsUp: ("scores_stay_similarities_whatever_the_angle", "vectors_that_are_given_are_used"),
    liars.EmbedsTextsAlone: ("vectors_are_made_of_the_embedded_text",),
    liars.TakesProducts: ("scores_stay_similarities_whatever_the_angle",),
    liars.TakesMagnitudes: ("scores_stay_similarities_whatever_the_angle",),
    liars.LendsVectors: ("known_vectors_are_those_of_exactly_one_scope", "nothing_is_embedded_twice_for_one_scope"),
    liars.EmbedsEverything: ("nothing_is_embedded_twice_for_one_scope",),
    liars.TakesNaN: ("what_is_no_vector_is_refused",),
    liars.TakesZeros: ("what_is_no_vector_is_refused",),
    liars.PadsVectors: ("what_is_no_vector_is_refused",),
    liars.StoresBeforeItReadsVectors: ("vectors_that_are_given_are_used", "vectors_that_break_off_change_nothing"),
    liars.FallsBackOnWords: ("an_embedder_that_fails_changes_nothing",),
    liars.ComparesDimensions: (
        "another_embedder_is_refused",
        "embed_anew_takes_another_embedder",
        "vectors_are_made_of_the_embedded_text",
    ),
    liars.KeepsOldVectors: ("embed_anew_takes_another_embedder",),
    liars.EmbedsAgain: ("embed_gives_vectors_to_those_without",),
}


def suite_of(store: type[HonestStore]) -> StoreConformance:
    """The suite over such stores, of words alone."""

    class Suite(StoreConformance):
        def make_store(self) -> HonestStore:
            return store()

        def reopen(self, store_: Any) -> HonestStore:
            return store(store_.content)

    return Suite()


def vector_suite_of(store: type[HonestStore]) -> VectorStoreConformance:
    """The suite over such stores, with vectors."""

    class Suite(VectorStoreConformance):
        def make_store(self) -> HonestStore:
            return store(embedder=self.embedder)

        def reopen_with(self, store_: Any, embedder: Any) -> HonestStore:
            return store(store_.content, embedder)

    return Suite()


def failing(suite: StoreConformance, checks: Iterable[str]) -> dict[str, str]:
    """The checks that fail, and what they say."""
    said = {}
    for check in checks:
        try:
            getattr(suite, check)()
        except AssertionError as error:
            said[check] = str(error)
    return said


def caught(suite: StoreConformance, checks: list[str], expected: tuple[str, ...]) -> None:
    """Exactly these checks fail, each with rule, what was seen, cause and remedy, all in short."""
    names = {f"test_{name}" for name in expected}
    said = failing(suite, [check for check in checks if check not in DEAR - names])
    assert sorted(said) == sorted(names)
    for text in said.values():
        rule, seen, cause, remedy = text.split("\n")
        assert rule.endswith(".")
        assert seen.startswith("  seen: ")
        assert len(seen) < 900, "few rows, and little of each"
        assert cause.startswith("  likely cause: ")
        assert remedy.startswith("  remedy: ")


@pytest.mark.requirement("KB-TST-2")
@pytest.mark.parametrize(("liar", "expected"), WORDS.items())
def test_each_fault_is_found_by_the_checks_that_are_about_it(
    liar: type[HonestStore], expected: tuple[str, ...]
) -> None:
    """And by no others: a message that is about something else sends people the wrong way."""
    caught(suite_of(liar), STORE, expected)


@pytest.mark.requirement("KB-TST-2")
@pytest.mark.parametrize(("liar", "expected"), VECTORS.items())
def test_each_fault_with_vectors_is_found_by_the_checks_that_are_about_it(
    liar: type[HonestStore], expected: tuple[str, ...]
) -> None:
    """And by no others."""
    caught(vector_suite_of(liar), VECTOR, expected)


def test_every_check_has_a_store_it_finds() -> None:
    """A new check cannot arrive without one."""
    named = {f"test_{name}" for table in (WORDS, VECTORS) for names in table.values() for name in names}
    assert sorted(named) == sorted([*STORE, *VECTOR])


@pytest.mark.requirement("KB-TST-2")
@pytest.mark.parametrize("check", STORE)
def test_an_honest_store_of_words_passes(check: str) -> None:
    """So it is the fault that is found."""
    getattr(suite_of(HonestStore), check)()


@pytest.mark.requirement("KB-TST-2")
@pytest.mark.parametrize("check", [*sorted(RETRIEVER), *STORE, *VECTOR])
def test_an_honest_store_with_vectors_passes(check: str) -> None:
    """With the checks of a retriever, over rows that were put."""
    getattr(vector_suite_of(HonestStore), check)()


@pytest.mark.parametrize(
    ("liar", "check"),
    [
        (liars.DeletesThenInserts, "test_readers_see_a_document_old_or_new"),
        (liars.WritesBackACopy, "test_writers_take_turns"),
        (liars.CountsBeforeItRemoves, "test_a_document_is_removed_once"),
        (liars.TakesTheConnectionAway, "test_closing_meets_searches"),
    ],
)
def test_a_race_is_found_on_every_run(liar: type[HonestStore], check: str) -> None:
    """Not now and then."""
    for _ in range(5):
        assert failing(suite_of(liar), [check])


def test_a_store_without_bulk_or_check_skips_those_and_says_so() -> None:
    """It is no fault not to have them, and nothing passes that was not tried."""

    class Plain(HonestStore):
        put_many = None  # type: ignore[assignment]
        check = None  # type: ignore[assignment]

    suite = suite_of(Plain)
    with pytest.raises(SkipTest, match=r"^Plain has no put_many, so it is no BulkStore: nothing to check$"):
        suite.test_many_documents_are_put_as_one_by_one()
    with pytest.raises(SkipTest, match=r"BulkStore"):
        suite.test_many_documents_are_put_from_the_beginning()
    with pytest.raises(SkipTest, match=r"^Plain has no check, so it is no CheckedStore: nothing to check$"):
        suite.test_check_finds_a_used_store_sound()
    suite.test_a_closed_store_raises_store_errors()


class Limited(StoreConformance):
    """Over stores that cannot be opened twice, and say so."""

    limitations: Mapping[str, str] = {"test_two_handles_see_the_same": "it lives in memory"}

    def make_store(self) -> HonestStore:
        """One that cannot."""
        return HonestStore()


@pytest.mark.requirement("KB-TST-3")
def test_a_declared_limitation_is_skipped_with_its_reason() -> None:
    """What is not declared says what to override."""
    with pytest.raises(SkipTest) as told:
        Limited().test_two_handles_see_the_same()
    assert str(told.value) == "test_two_handles_see_the_same does not hold, as declared: it lives in memory"
    with pytest.raises(NotImplementedError, match=r"^say how HonestStore is opened again: override reopen"):
        Limited().test_content_survives_closing()


@pytest.mark.requirement("KB-TST-3")
@pytest.mark.parametrize(
    ("declared", "seen"),
    [
        ({"test_closing_twice_is_fine": "it cannot"}, "test_closing_twice_is_fine holds, declared was: it cannot"),
        ({"test_closing_twice_is_fine": " "}, "test_closing_twice_is_fine has no reason"),
        ({"test_closing_thrice": "it cannot"}, "no check is called 'test_closing_thrice'"),
    ],
)
def test_a_limitation_that_is_none_fails(declared: dict[str, str], seen: str) -> None:
    """Where the check holds, where there is no such check, and where nobody said why."""

    class Declared(Limited):
        limitations: Mapping[str, str] = declared

    with pytest.raises(AssertionError) as caught_:
        Declared().test_closing_twice_is_fine()
    assert f"  seen:         {seen}\n" in str(caught_.value)


def test_the_suite_says_what_to_override() -> None:
    """Each in words."""
    with pytest.raises(NotImplementedError, match=r"^say how your store is built: override make_store"):
        StoreConformance().test_closing_twice_is_fine()
    with pytest.raises(NotImplementedError, match=r"^say how HonestStore is opened with another embedder"):
        VectorStoreConformance().reopen(HonestStore())


def test_a_store_that_cannot_be_filled_is_named() -> None:
    """Also where a check of a retriever fills it."""

    class Full(HonestStore):
        def put(self, *_: Any, **__: Any) -> None:
            raise OSError("disk full")

    with pytest.raises(AssertionError, match=r"put raised OSError: 'disk full'"):
        suite_of(Full).test_no_question_raises()
    with pytest.raises(AssertionError, match=r"raised OSError: 'disk full'"):
        suite_of(Full).test_closing_twice_is_fine()


def test_a_vector_suite_without_an_embedder_is_told() -> None:
    """It could check nothing."""

    class Wordless(VectorStoreConformance):
        embedder: Any = None

        def make_store(self) -> HonestStore:
            return HonestStore()

        def reopen_with(self, store: Any, embedder: Any) -> HonestStore:
            return HonestStore(store.content, embedder)

    with pytest.raises(AssertionError, match="embedder of this test is None"):
        Wordless().test_a_store_tells_its_embedder()


def test_hashed_vectors_are_the_same_everywhere() -> None:
    """Of the words alone, whatever their order, case and number; none is all zeros."""
    embedder = HashingEmbedder(dimensions=4)
    assert embedder.embed_query("") == [-57.5, 57.5, 93.5, -84.5]
    assert embedder.embed_query("Nine, nine shops") == embedder.embed_query("shops NINE")
    assert embedder.embed_documents(["nine", ""]) == [[-162.0, -18.0, -30.0, 24.0], [-57.5, 57.5, 93.5, -84.5]]
    assert (embedder.name, HashingEmbedder("other").name, HashingEmbedder().dimensions) == ("hashing", "other", 64)
