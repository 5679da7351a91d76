export default {
  turbopack: { resolveAlias: { snarkjs: 'pippin-prover/snarkjs' } },
};
