//! Keys, builds, and what has to wait for them.
