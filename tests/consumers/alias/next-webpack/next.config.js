export default {
  webpack(config) {
    config.resolve.alias.snarkjs = 'pippin-prover/snarkjs';
    return config;
  },
};
