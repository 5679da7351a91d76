import { defineConfig } from 'vite';

export default defineConfig({
  resolve: { alias: { snarkjs: 'pippin-prover/snarkjs' } },
  worker: { format: 'es' }, // for Pippin
});
