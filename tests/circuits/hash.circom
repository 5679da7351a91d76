pragma circom 2.1.6;

include "poseidon.circom";

component main = Poseidon(2);
