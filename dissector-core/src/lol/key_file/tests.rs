use std::io::Write;

use proptest::prelude::*;

use super::*;
use crate::capture::{ConversationKey, Endpoint};

const FIRST: &str = "00112233445566778899aabbccddeeff";
const SECOND: &str = "ABEiM0RVZneImaq7zN3u/w==";

/// The sources and numbers of all keys that nothing withdrew, for a session between any ends.
fn numbers(ring: &Keyring) -> Vec<u32> {
    (0..ring.len()).filter_map(|place| ring.get(place)).map(|key| key.number).collect()
}

/// How many keys a session between unknown ends is offered.
fn offered(ring: &Keyring) -> usize {
    let end = Endpoint::default();
    let ends = ConversationKey::between(end, end).0;
    ring.of(&ends, 0).count()
}

fn taken(text: &str) -> (Vec<u32>, Option<String>) {
    let (mut ring, mut lines) = (Keyring::default(), Lines::default());
    lines.take(text.as_bytes(), &mut ring);
    (numbers(&ring), lines.problem(false))
}

#[test]
fn lines_are_keys_comments_or_left_out_and_said_so_once() {
    let text =
        format!("# made by a proxy\n\nKEY {FIRST} # first\r\n  key {SECOND} 192.0.2.1:5119 1.0.0.136\n");
    assert_eq!(taken(&text), (vec![3, 4], None));
    let (keys, told) = taken(&format!("{FIRST}\nKEY 00\nKEY {FIRST}\nCLIENT_RANDOM {FIRST}"));
    let told = told.unwrap();
    assert_eq!(keys, [3]);
    assert!(told.starts_with("line 1 is left out (a line begins with KEY"), "{told}");
    assert!(told.ends_with("and so are 2 more lines") && !told.contains(FIRST), "{told}");
    assert!(taken("KEY 00\n").1.unwrap().contains("32 hex digits"));
    let long = format!("KEY {FIRST} {}\n", "-".repeat(LONGEST_LINE));
    assert!(taken(&long).1.unwrap().contains("at most 1024"));
}

#[test]
fn a_line_that_is_half_written_is_taken_back_once_it_goes_on() {
    let (mut ring, mut lines) = (Keyring::default(), Lines::default());
    let mut take = |text: &str, ring: &mut Keyring| lines.take(text.as_bytes(), ring);
    // a key of sixteen characters, for now
    take(&format!("KEY {FIRST}\nKEY {}", &SECOND[..16]), &mut ring);
    assert_eq!(offered(&ring), 2 + 1, "sixteen characters may be read in two ways");
    take(&format!("KEY {FIRST}\nKEY {SECOND}"), &mut ring);
    assert_eq!((numbers(&ring), offered(&ring)), (vec![1, 2, 2, 2], 2));
    take(&format!("KEY {FIRST}\nKEY {SECOND}\n"), &mut ring);
    take(&format!("KEY {FIRST}\nKEY {SECOND}\n"), &mut ring);
    assert_eq!((ring.len(), offered(&ring)), (4, 2), "it is whole, and the same");
}

#[test]
fn a_file_may_grow_shrink_or_be_another() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let path = file.path().to_str().unwrap().to_owned();
    let (mut ring, mut problems) = (Keyring::default(), Vec::new());
    let line = |byte: u8| format!("KEY {}\n", format!("{byte:02x}").repeat(16));
    let mut read = KeyFile::open(&path, &mut ring, &mut problems).unwrap();
    assert_eq!((ring.len(), problems.len()), (0, 0), "an empty file is a file");
    file.write_all(line(1).as_bytes()).unwrap();
    let start = read.looked;
    read.look(start + Duration::from_millis(999), &mut ring);
    assert_eq!(ring.len(), 0, "it was looked at a moment ago");
    read.look(start + LOOK_AGAIN, &mut ring);
    assert_eq!(ring.len(), 1);
    file.write_all(b"# a comment\n").unwrap();
    let stamp = read.stamp;
    read.look(start + LOOK_AGAIN + Duration::from_millis(999), &mut ring);
    assert_eq!(read.stamp, stamp, "a second from the last look on");
    read.look(start + 2 * LOOK_AGAIN, &mut ring);
    assert_eq!(ring.len(), 1, "nothing new");
    fs::write(&path, "").unwrap();
    read.look_now(start, &mut ring);
    fs::write(&path, line(2) + &line(1) + &line(3)).unwrap();
    read.look_now(start, &mut ring);
    assert_eq!(numbers(&ring), [1, 1, 3], "what is known stays known");
    fs::remove_file(&path).unwrap();
    read.look_now(start, &mut ring);
    fs::write(&path, line(4)).unwrap();
    read.look_now(start, &mut ring);
    assert_eq!((ring.len(), offered(&ring)), (4, 4));
    fs::write(&path, line(5)).unwrap();
    let later = SystemTime::now() + Duration::from_secs(9);
    File::options().write(true).open(&path).unwrap().set_modified(later).unwrap();
    read.look_now(start, &mut ring);
    assert_eq!(ring.len(), 5, "another of the same length");
}

#[test]
fn a_file_that_cannot_be_read_is_told_of_and_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.txt");
    let text = path.to_str().unwrap();
    let (mut ring, mut problems) = (Keyring::default(), Vec::new());
    let mut read = KeyFile::open(text, &mut ring, &mut problems).unwrap();
    assert_eq!(problems.len(), 1);
    assert!(problems[0].starts_with(&format!("lol.keylog_file: {text} cannot be read (")), "{problems:?}");
    fs::write(&path, format!("KEY {FIRST}")).unwrap();
    read.look_now(read.looked, &mut ring);
    assert_eq!(ring.len(), 1);
    problems.clear();
    KeyFile::open(folder.path().to_str().unwrap(), &mut ring, &mut problems);
    assert!(problems[0].contains("no regular file"), "{problems:?}");
    assert!(KeyFile::open("", &mut ring, &mut problems).is_none());
}

#[test]
fn a_file_is_read_within_bounds() {
    let keys = |count: usize| -> String { (0..count).map(|key| format!("KEY {key:032x}\n")).collect() };
    let (all, told) = taken(&keys(MOST_KEYS));
    assert_eq!((all.len(), told), (MOST_KEYS, None));
    let (all, told) = taken(&keys(MOST_KEYS + 1));
    assert_eq!(
        (all.len(), told.unwrap().contains("1024 keys are read: begin a new file")),
        (MOST_KEYS, true)
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys.txt");
    let mut bytes = vec![b'\n'; LARGEST as usize];
    let open = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let (mut ring, mut problems) = (Keyring::default(), Vec::new());
        KeyFile::open(path.to_str().unwrap(), &mut ring, &mut problems);
        (ring.len(), problems.join(" "))
    };
    assert_eq!(open(&bytes), (0, String::new()), "as long as it may be");
    bytes.extend(format!("KEY {FIRST}\n").bytes());
    let (keys, told) = open(&bytes);
    assert!(keys == 0 && told.contains("only its first 1 MiB"), "{told}");
}

/// Lines as people and programs write them, and as nobody should.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let word = prop_oneof![
        Just("KEY"),
        Just(FIRST),
        Just(SECOND),
        Just("-"),
        Just("192.0.2.1:5119"),
        Just("1.0.0.136"),
        Just("6991,7223"),
        Just("#"),
        Just("[::1]:1"),
        Just("::"),
        Just("\n"),
        Just("\r\n"),
        Just("\u{FEFF}"),
    ];
    let words = prop::collection::vec(word, 0..40).prop_map(|words| words.join(" ").into_bytes());
    prop_oneof![words, prop::collection::vec(any::<u8>(), 0..300)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_a_file(pieces in prop::collection::vec(text(), 1..4)) {
        let (mut ring, mut lines) = (Keyring::default(), Lines::default());
        let mut whole = Vec::new();
        for piece in &pieces {
            whole.extend_from_slice(piece);
            lines.take(&whole, &mut ring);
        }
        // a line makes two keys at most, and may be taken once more at each look that finds it longer
        let lines_of = whole.iter().filter(|byte| **byte == b'\n').count() + 1;
        prop_assert!(ring.len() <= 2 * (lines_of + pieces.len()));
        prop_assert!(lines.problem(false).is_none_or(|told| told.len() < 4096));
        // what grew in steps is what was there at once
        let (mut at_once, mut all) = (Keyring::default(), Lines::default());
        all.take(&whole, &mut at_once);
        prop_assert!(offered(&at_once) <= offered(&ring));
    }
}
