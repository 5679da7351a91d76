export default {
  mode: 'production',
  entry: './main.js',
  output: { filename: 'main.js' },
  resolve: { alias: { snarkjs: 'pippin-prover/snarkjs' } },
};
