import { defineConfig } from 'vite';

export default defineConfig({
  optimizeDeps: { exclude: ['pippin-prover'] }, // for Pippin
  worker: { format: 'es' }, // for Pippin
});
