// Node's own `require`, which loads ES modules; that of Jest does not.
const { createRequire } = process.getBuiltinModule('node:module');
module.exports = createRequire(__filename)('pippin-prover/snarkjs');
