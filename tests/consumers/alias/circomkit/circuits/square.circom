pragma circom 2.1.0;

template Square() {
    signal input root;
    signal output square;
    square <== root * root;
}
