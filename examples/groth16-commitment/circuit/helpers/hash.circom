pragma circom 2.1.6;

include "circomlib/circuits/poseidon.circom";

// Computes a node of the tree while the example's notes are made.
component main = Poseidon(2);
