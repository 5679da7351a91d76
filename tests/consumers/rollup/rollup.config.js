import { nodeResolve } from '@rollup/plugin-node-resolve';

export default {
  input: 'main.js',
  output: { dir: 'dist' },
  plugins: [nodeResolve({ browser: true })],
};
