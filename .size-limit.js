import { downloadsOf } from './scripts/shipped/downloads.mjs';

/**
 * What a page downloads to prove over BN254, compressed by gzip. `npm test` checks it. Of the three kernels a machine loads one; the largest is
 * counted.
 */
const PROVING = ['index.js', 'coordinator.js', 'kernel.js', 'bn254-fma.wasm'];
const WITNESS = 'witness.js';
/** The shaders by limbs, which every device takes, and by bytes, which some take besides. */
const GPU = ['chunk-gpu-code-*.js', 'chunk-bn254-shaders-*.js', 'chunk-bn254-bytes-shaders-*.js'];

const limits = /** @type {const} */ ([
  ['the script that a page imports', ['index.js'], '19.8 kB'],
  ['a proof on the workers, from a witness', PROVING, '105.2 kB'],
  ['a proof on the workers, from inputs', [...PROVING, WITNESS], '105.6 kB'],
  ['a proof on the GPU, from inputs', [...PROVING, WITNESS, ...GPU], '138.9 kB'],
  ['a proof without workers', ['index.js', 'chunk-browser-here-*.js', 'bn254-fma.wasm'], '105.9 kB'],
]);

export default limits.map(([name, scripts, limit]) => ({ name, path: downloadsOf(scripts), limit, gzip: true }));
