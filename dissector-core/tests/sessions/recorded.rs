//! The recorded captures beside the project, where they are at hand.
