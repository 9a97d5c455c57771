//! What the flags of a particle group do. Page: shared shapes.

use crate::layout::{bit, u16, Row, Run};
use crate::version::{builds, Range};

/// How the particles of a group behave. The page of shared structs holds two texts on it and names no builds; the shapes
/// there stand oldest first, so the fuller text is taken for builds up to the one after which the page splits the
/// command, and the other for those from there on.
pub(super) const GROUP_FLAGS: Row = u16("flags", GROUP_FLAGS_TITLE, GROUP_FLAGS_BLURB).meaning(&[
    KEPT_ALIVE,
    SCALED,
    PLACED,
    bit("unturned", "Not turned", "They are not turned to follow their direction", 4).acting(FULL_FLAGS),
    SIMULATED,
    bit("flat", "Flat", "They lie flat on the slope of the ground", 6).acting(FULL_FLAGS),
    bit("facesTarget", "Faces target", "They face their target", 7).acting(FULL_FLAGS),
    bit("resourceDriven", "Resource driven", "The resource bar of the unit they are bound to drives them", 8)
        .acting(FULL_FLAGS),
]);

/// The same where no page says what they do: the bits on which both texts of the earlier builds agree.
pub(super) const GROUP_FLAGS_V4: Row =
    u16("flags", GROUP_FLAGS_TITLE, GROUP_FLAGS_BLURB).meaning(&[KEPT_ALIVE, SCALED, PLACED, SIMULATED]);

const FULL_FLAGS: Range = builds(130, 145);

const GROUP_FLAGS_TITLE: &str = "Flags";
const GROUP_FLAGS_BLURB: &str = "How each particle of the group behaves, one bit each";

const KEPT_ALIVE: Run = bit("keptAlive", "Kept alive", "They do not end by themselves", 0);
const SCALED: Run = bit("scaled", "Scaled", "They take the size of the unit they are bound to", 2);
const PLACED: Run =
    bit("placed", "Placed", "They stand at the positions given, instead of hanging on the bones", 3);
const SIMULATED: Run = bit("simulated", "Simulated off screen", "They run on while nobody sees them", 5);
