//! The Go engine: playouts, knowledge, life and death, scoring, influence.
