//! End-to-end tests of the plugin live in `tests/`; this crate itself is empty.
