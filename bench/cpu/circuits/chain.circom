pragma circom 2.1.6;

// Each value is the product of the two before it: n constraints, n + 3 values of full width, two of them in each constraint.
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
