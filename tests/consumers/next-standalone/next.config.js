export default {
  output: 'standalone',
  outputFileTracingRoot: import.meta.dirname,
  serverExternalPackages: ['pippin-prover'], // for Pippin
};
