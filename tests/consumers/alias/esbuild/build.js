import { cpSync } from 'node:fs';
import { build } from 'esbuild';

cpSync('node_modules/pippin-prover/dist', 'dist', { recursive: true }); // for Pippin
await build({
  entryPoints: ['main.js'],
  bundle: true,
  minify: true,
  format: 'esm',
  outdir: 'dist',
  alias: { snarkjs: 'pippin-prover/snarkjs' },
});
