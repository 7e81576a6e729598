"""The store of a study: journals of outcomes, claims on runs, and checks of what was read."""

from thinktime.study.store.store import JOURNAL, PATIENCE_S, Store, of_study, open_store, store_of, study_of

__all__ = ["JOURNAL", "PATIENCE_S", "Store", "of_study", "open_store", "store_of", "study_of"]
