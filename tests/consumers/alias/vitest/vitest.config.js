import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { snarkjs: 'pippin-prover/snarkjs' } },
  test: { server: { deps: { inline: ['note-library'] } } }, // for Pippin
});
