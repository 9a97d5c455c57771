//! Minecraft Bedrock: layouts of MoveActorDelta, whole sessions, encryption, and bytes that mean harm.

mod hostile;
mod lab;
mod layouts;
mod sealed;
mod sessions;
mod vectors;
