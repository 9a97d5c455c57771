//! Layouts that are tried on the bodies of a session.
