pragma circom 2.2.0;

bus Point() {
    signal x;
    signal y;
}

// Inputs that are buses and arrays of buses, as circom 2.2 has them.
template Distances(n) {
    input Point() origin;
    input Point() points[n];
    signal output squares[n];

    signal dx[n];
    signal dy[n];
    for (var i = 0; i < n; i++) {
        dx[i] <== (points[i].x - origin.x) * (points[i].x - origin.x);
        dy[i] <== (points[i].y - origin.y) * (points[i].y - origin.y);
        squares[i] <== dx[i] + dy[i];
    }
}

component main {public [origin]} = Distances(2);
