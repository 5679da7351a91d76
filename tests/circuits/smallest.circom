pragma circom 2.1.6;

// One constraint and no public signal: the smallest key there is, with a domain of two. It logs its secret, as circuits may.
template Square() {
    signal input root;
    log("root is", root);
    49 === root * root;
}

component main = Square();
