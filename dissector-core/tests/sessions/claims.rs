//! Which datagrams are taken for a session, which one they belong to, and who its server is.
