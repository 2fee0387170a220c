//! The overlay room.
