//! The one way to write a table of fields or expert items: a row's name and its number cannot slip apart.

/// Makes an enumeration and the table it numbers from the same rows. `after` says how many rows of other tables come
/// before: [`crate::registry`] and the ABI count through all tables of a kind.
macro_rules! table {
    (
        $(#[$doc:meta])*
        $enum:ident: $row:ty, $all:ident after $before:expr;
        $($variant:ident = $make:ident($name:literal $(, $part:expr)* $(,)?);)*
    ) => {
        $(#[$doc])*
        #[repr(u16)]
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $enum {
            $(#[doc = concat!("`", $name, "`, as its row says.")] $variant,)*
        }

        #[doc = concat!("The rows of [`", stringify!($enum), "`], in its order.")]
        pub static $all: [$row; [$($enum::$variant),*].len()] = [$($make($name $(, $part)*)),*];

        impl $enum {
            /// Its number among the rows of all tables.
            pub const fn id(self) -> u16 {
                ($before) as u16 + self as u16
            }

            /// Its row.
            pub fn spec(self) -> &'static $row {
                &$all[self as usize]
            }
        }
    };
}
pub(super) use table;
