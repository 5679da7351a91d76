pragma circom 2.1.6;

include "mimcsponge.circom";

// MiMC in a sponge of 220 rounds, as Merkle trees of mixers hash two nodes.
component main = MiMCSponge(2, 220, 1);
