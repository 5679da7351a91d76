pragma circom 2.1.6;

include "bitify.circom";
include "comparators.circom";

// Bits and comparisons: a witness of almost nothing but zeros and ones, as most real ones are.
template Flags(n) {
    signal input values[n];
    signal input bound;
    signal output below;

    component bits[n];
    component less[n];
    var count = 0;
    for (var i = 0; i < n; i++) {
        bits[i] = Num2Bits(16);
        bits[i].in <== values[i];
        less[i] = LessThan(16);
        less[i].in[0] <== values[i];
        less[i].in[1] <== bound;
        count += less[i].out;
    }
    assert(bound < 65536);
    below <== count;
}

component main {public [bound]} = Flags(6);
