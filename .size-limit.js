import { downloadsOf } from './scripts/shipped/downloads.mjs';

/**
 * What a page downloads before its first proof over BN254 can be computed, compressed by gzip. `npm test` checks it. A
 * machine loads one of the kernels' modules; the largest are counted. A record of one chunk is not copied: that was worth
 * some twenty bytes beyond 123.2 and 136.3 kB. The comparison of field products in idle moments was worth 0.2, and their
 * forms 1 more where there is a GPU; a witness that is not copied again between threads, 1.1; one
 * inversion shared by MSMs and ceremonies 0.1 with integer lanes.
 */
const PROVING = ['index.js', 'coordinator.js', 'kernel.js'];
/**
 * What the workers need besides for sums and transforms of their own. Where there is a GPU it comes in the background,
 * after the key.
 */
const ON_WORKERS = [
  'bn254-fma.wasm',
  'bn254-scalars-fma.wasm',
  'chunk-scalars-kernel-*.js',
  'chunk-deferred-code-*.js',
];
const WITNESS = 'witness.js';
/** The shaders by limbs, which every device takes, and by bytes, which some take besides. */
const GPU = ['bn254-simd.wasm', 'chunk-gpu-code-*.js', 'chunk-bn254-shaders-*.js', 'chunk-bn254-bytes-shaders-*.js'];

const limits = /** @type {const} */ ([
  ['the script that a page imports', ['index.js'], '22.1 kB'],
  ['a proof on the workers, from a witness', [...PROVING, ...ON_WORKERS], '124.4 kB'],
  ['a proof on the workers, from inputs', [...PROVING, ...ON_WORKERS, WITNESS], '124.5 kB'],
  ['a proof on the GPU, from inputs', [...PROVING, WITNESS, ...GPU], '139.2 kB'],
  ['the queue beside a page', ['index.js', 'queue.js'], '28.8 kB'],
  ['a proof without workers', ['index.js', 'chunk-browser-here-*.js', ...ON_WORKERS], '125.1 kB'],
]);

const pages = limits.map(([name, scripts, limit]) => ({ name, path: downloadsOf(scripts), limit, gzip: true }));

/** A bundler loads them beside the script that a page imports. */
const hooks = { name: 'the React hooks', path: 'dist/react.js', limit: '2.2 kB', gzip: true };

export default [...pages, hooks];
