pragma circom 2.1.6;

include "circomlib/circuits/bitify.circom";
include "circomlib/circuits/poseidon.circom";
include "circomlib/circuits/switcher.circom";

// A note's commitment: Poseidon(amount, Poseidon(secretKey), blinding).
// The amount is held to 64 bits, so that sums of amounts cannot wrap around the field.
template NoteCommitment() {
    signal input amount;
    signal input secretKey;
    signal input blinding;
    signal output commitment;

    component bits = Num2Bits(64);
    bits.in <== amount;

    component owner = Poseidon(1);
    owner.inputs[0] <== secretKey;

    component hash = Poseidon(3);
    hash.inputs[0] <== amount;
    hash.inputs[1] <== owner.out;
    hash.inputs[2] <== blinding;
    commitment <== hash.out;
}

// The root of a binary Poseidon tree with `leaf` at `index`; bit i of the index tells whether the path's
// node at height i is a right child.
template MerkleRoot(depth) {
    signal input leaf;
    signal input index;
    signal input siblings[depth];
    signal output root;

    component bits = Num2Bits(depth);
    bits.in <== index;

    component order[depth];
    component hash[depth];
    signal node[depth + 1];
    node[0] <== leaf;
    for (var height = 0; height < depth; height++) {
        order[height] = Switcher();
        order[height].sel <== bits.out[height];
        order[height].L <== node[height];
        order[height].R <== siblings[height];

        hash[height] = Poseidon(2);
        hash[height].inputs[0] <== order[height].outL;
        hash[height].inputs[1] <== order[height].outR;
        node[height + 1] <== hash[height].out;
    }
    root <== node[depth];
}

// Spends a note without showing it: its commitment lies in the tree under `root`, the prover knows its secret
// key, and `nullifier` is the one that belongs to it. The nullifier takes the leaf's index, so that two equal notes
// in one tree can both be spent, each once.
template SpendNote(depth) {
    signal input root;
    signal input recipient;
    signal input amount;
    signal input secretKey;
    signal input blinding;
    signal input leafIndex;
    signal input siblings[depth];
    signal output nullifier;

    component note = NoteCommitment();
    note.amount <== amount;
    note.secretKey <== secretKey;
    note.blinding <== blinding;

    component tree = MerkleRoot(depth);
    tree.leaf <== note.commitment;
    tree.index <== leafIndex;
    tree.siblings <== siblings;
    root === tree.root;

    component hash = Poseidon(3);
    hash.inputs[0] <== secretKey;
    hash.inputs[1] <== note.commitment;
    hash.inputs[2] <== leafIndex;
    nullifier <== hash.out;

    // The recipient takes part in a constraint, so that no one can put another into a proof they have seen.
    signal recipientSquared;
    recipientSquared <== recipient * recipient;
}
