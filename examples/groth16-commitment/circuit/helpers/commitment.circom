pragma circom 2.1.6;

include "../shielded-note.circom";

// Computes a note's commitment while the example's notes are made.
component main = NoteCommitment();
