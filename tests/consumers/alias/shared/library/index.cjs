const snarkjs = require('snarkjs');

exports.proveNote = (inputs, wasm, zkey) => snarkjs.groth16.fullProve(inputs, wasm, zkey);
exports.verifyNote = (verificationKey, publicSignals, proof) =>
  snarkjs.groth16.verify(verificationKey, publicSignals, proof);
exports.isReplaced = 'configure' in snarkjs;
