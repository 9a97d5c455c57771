//! Messages put together from fragments.
