import { cpSync } from 'node:fs';
import { nodeResolve } from '@rollup/plugin-node-resolve';

cpSync('node_modules/pippin-prover/dist', 'dist', { recursive: true }); // for Pippin

export default {
  input: 'main.js',
  output: { dir: 'dist' },
  plugins: [nodeResolve({ browser: true })],
};
