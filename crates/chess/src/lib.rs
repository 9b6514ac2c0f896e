//! The chess engine: search, evaluation, book, tablebases.
