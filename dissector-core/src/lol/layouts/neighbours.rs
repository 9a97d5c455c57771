//! The builds with a page that lie nearest to one without: what they have under a number may be there too.

use once_cell::sync::Lazy;

use crate::registry::{BuildTable, REGISTRY};
use crate::version::Build;

/// The tables of the builds at which the pages begin or end, in order: few, so that a new build costs no table.
static EDGES: Lazy<Vec<BuildTable>> = Lazy::new(|| {
    let commands = || REGISTRY.programs.iter().flat_map(|program| program.layout.commands);
    let held = |number: u64| {
        commands().any(|c| c.builds.from.number() <= number && number <= c.builds.until.number())
    };
    let begins = commands().map(|c| (c.builds.from, c.builds.from.number().saturating_sub(1)));
    let ends = commands().map(|c| (c.builds.until, c.builds.until.number().saturating_add(1)));
    let mut edges: Vec<Build> =
        begins.chain(ends).filter(|(_, beyond)| !held(*beyond)).map(|(edge, _)| edge).collect();
    edges.sort_unstable();
    edges.dedup();
    edges.into_iter().map(|build| REGISTRY.table(build)).collect()
});

/// The tables of the nearest builds with a page on either side of a build without, the nearer one first.
pub fn of(build: Build) -> Vec<&'static BuildTable> {
    let above = EDGES.partition_point(|table| table.build < build);
    let mut found: Vec<_> =
        [above.checked_sub(1), Some(above)].into_iter().flatten().filter_map(|at| EDGES.get(at)).collect();
    found.sort_by_key(|table| table.build.number().abs_diff(build.number()));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_are_the_nearest_pages_on_either_side() {
        let neighbours = |build: &str| {
            let found = of(build.parse().unwrap());
            found.iter().map(|table| table.build.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(neighbours("4.18.0.100"), ["4.17.0.268", "4.20.0.315"]);
        assert_eq!(neighbours("4.20.0.314"), ["4.20.0.315", "4.17.0.268"]);
        assert_eq!(neighbours("3.9.0.0"), ["3.1.0.0", "4.17.0.233"]);
        assert_eq!(neighbours("4.0.0.0"), ["4.17.0.233", "3.1.0.0"]);
        assert_eq!(neighbours("5.1.0.0"), ["4.20.0.315"]);
        assert_eq!(neighbours("0.1.0.0"), ["0.8.13.26"]);
        assert_eq!(neighbours("4.20.0.316"), ["4.20.0.315"]);
        assert_eq!(neighbours("4.17.0.269"), ["4.17.0.268", "4.20.0.315"]);
        assert_eq!(
            neighbours("4.20.0.315"),
            ["4.20.0.315", "4.17.0.268"],
            "a page's own build is the nearest"
        );
    }

    #[test]
    fn few_tables_are_kept() {
        let edges: Vec<_> = EDGES.iter().map(|table| table.build.to_string()).collect();
        let pages =
            ["0.8.13.26", "1.0.0.24", "1.0.0.130", "3.1.0.0", "4.17.0.233", "4.17.0.268", "4.20.0.315"];
        assert_eq!(edges, pages, "where what a page holds begins or ends, and nowhere within");
    }
}
