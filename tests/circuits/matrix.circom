pragma circom 2.1.6;

// The product of two matrices: more public signals than private ones, arrays of two dimensions, and more outputs than one.
template MatrixProduct(n) {
    signal input left[n][n];
    signal input right[n][n];
    signal output product[n][n];
    signal output trace;

    signal terms[n][n][n];
    var diagonal = 0;
    for (var i = 0; i < n; i++) {
        for (var j = 0; j < n; j++) {
            var sum = 0;
            for (var k = 0; k < n; k++) {
                terms[i][j][k] <== left[i][k] * right[k][j];
                sum += terms[i][j][k];
            }
            product[i][j] <== sum;
        }
        diagonal += product[i][i];
    }
    trace <== diagonal;
}

component main {public [left]} = MatrixProduct(3);
