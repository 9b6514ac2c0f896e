//! The web app's server.
