//! Messages: their framing, names, links, origin and Info line.
