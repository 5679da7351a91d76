pragma circom 2.1.6;

include "chain.circom";

component main = Chain(262136);
