pragma circom 2.1.6;

// Logs its secret, as circuits may.
template Logging() {
    signal input root;
    log("root is", root);
    49 === root * root;
}

component main = Logging();
