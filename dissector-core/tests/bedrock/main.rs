//! Minecraft Bedrock: layouts of MoveActorDelta, whole sessions, encryption, and bytes that mean harm.

mod cut;
mod follow;
mod hostile;
mod lab;
mod layouts;
mod numbers;
mod sealed;
mod sessions;
mod shown;
mod state;
mod stated;
mod vectors;
