pragma circom 2.1.6;

// Each value is the product of the two values before it. There are n constraints, each with one signal in each of A, B and C. The
// witness has n + 3 values: 1, and n + 2 of full width.
template Chain(n) {
    signal input first;
    signal input second;
    signal output last;

    signal value[n + 2];
    value[0] <== first;
    value[1] <== second;
    for (var i = 0; i < n; i++) {
        value[i + 2] <== value[i + 1] * value[i];
    }
    last <== value[n + 1];
}
