pragma circom 2.1.6;

// A circuit without inputs.
template Constant() {
    signal output out;
    out <== 42;
}

component main = Constant();
