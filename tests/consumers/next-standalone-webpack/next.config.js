export default {
  output: 'standalone',
  outputFileTracingRoot: import.meta.dirname,
  serverExternalPackages: ['pippin-prover'], // for Pippin
  outputFileTracingIncludes: { '/*': ['node_modules/pippin-prover/dist/*'] }, // for Pippin
};
