pragma circom 2.1.6;

include "bitify.circom";
include "sha256/sha256.circom";

// SHA-256 of 512 private bits. The digest is given as two public numbers of 128 bits.
template Digest512() {
    signal input bits[512];
    signal output digest[2];

    component sha = Sha256(512);
    for (var i = 0; i < 512; i++) {
        bits[i] * (bits[i] - 1) === 0;
        sha.in[i] <== bits[i];
    }
    component half[2];
    for (var h = 0; h < 2; h++) {
        half[h] = Bits2Num(128);
        for (var i = 0; i < 128; i++) half[h].in[i] <== sha.out[128 * h + 127 - i];
        digest[h] <== half[h].out;
    }
}

component main = Digest512();
