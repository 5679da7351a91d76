import { defineConfig } from 'vite';

export default defineConfig({
  resolve: { alias: { snarkjs: 'pippin-prover/snarkjs' } },
  optimizeDeps: { exclude: ['snarkjs', 'pippin-prover'] }, // for Pippin
  worker: { format: 'es' }, // for Pippin
});
