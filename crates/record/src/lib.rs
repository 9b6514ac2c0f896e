//! Games on disk: SGF, PGN, EPD, and the game database.
