import { cpSync } from 'node:fs';
import alias from '@rollup/plugin-alias';
import { nodeResolve } from '@rollup/plugin-node-resolve';

cpSync('node_modules/pippin-prover/dist', 'dist', { recursive: true }); // for Pippin

export default {
  input: 'main.js',
  output: { dir: 'dist' },
  plugins: [alias({ entries: { snarkjs: 'pippin-prover/snarkjs' } }), nodeResolve({ browser: true })],
};
