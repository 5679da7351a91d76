pragma circom 2.1.6;

// A chain of products and a sum of it with a public input: full-width values throughout.
template Chain(n) {
    signal input start;
    signal input factor;
    signal input offset;
    signal output out;

    signal link[n + 1];
    link[0] <== start;
    for (var i = 0; i < n; i++) {
        link[i + 1] <== link[i] * factor + offset;
    }
    out <== link[n] * link[n];
}

component main {public [offset]} = Chain(20);
