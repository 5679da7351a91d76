pragma circom 2.1.6;

// A circuit without inputs, which logs what it computes.
template Constant() {
    signal output out;
    out <== 42;
    log("out is", out);
    log(out + 1);
}

component main = Constant();
