pragma circom 2.1.6;

include "eddsaposeidon.circom";
include "poseidon.circom";
include "switcher.circom";

// Proves that a leaf is in a Merkle tree of Poseidon hashes, and checks an EdDSA signature of the tree's root. Circuits for a membership or
// for a transfer from a wallet do much the same. With `signed` = 0 any signature is accepted, and the constraints stay the same.
template Membership(depth) {
    signal input leaf;
    signal input sibling[depth];
    signal input isRight[depth];
    signal input signed;
    signal input key[2];
    signal input r8[2];
    signal input s;
    signal output root;

    component order[depth];
    component hash[depth];
    signal node[depth + 1];
    node[0] <== leaf;
    for (var i = 0; i < depth; i++) {
        isRight[i] * (isRight[i] - 1) === 0;
        order[i] = Switcher();
        order[i].sel <== isRight[i];
        order[i].L <== node[i];
        order[i].R <== sibling[i];
        hash[i] = Poseidon(2);
        hash[i].inputs[0] <== order[i].outL;
        hash[i].inputs[1] <== order[i].outR;
        node[i + 1] <== hash[i].out;
    }
    root <== node[depth];

    component signature = EdDSAPoseidonVerifier();
    signature.enabled <== signed;
    signature.Ax <== key[0];
    signature.Ay <== key[1];
    signature.R8x <== r8[0];
    signature.R8y <== r8[1];
    signature.S <== s;
    signature.M <== root;
}

component main = Membership(22);
