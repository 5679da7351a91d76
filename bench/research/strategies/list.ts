import { readFile } from 'node:fs/promises';
import { affinePairs } from './affine-pairs/index.js';
import { bigTriangle } from './big-triangle/index.js';
import { layered } from './layered/index.js';
import { negatedScalarsAlone, negatedScalarsWithMultiples } from './negated-scalars/index.js';
import { nonAdjacentForm } from './non-adjacent-form/index.js';
import { oddDigits } from './odd-digits/index.js';
import { rangesToBucketEnds } from './ranges-to-bucket-ends/index.js';
import { runningSums } from './running-sums/index.js';
import { shipped } from './shipped.js';
import { staticBuffer } from './static-buffer/index.js';
import type { Strategy } from './strategy.js';
import { suffixSums } from './suffix-sums/index.js';
import { threadABucket } from './thread-a-bucket/index.js';
import { windowSplitting } from './window-splitting/index.js';
import { workerDigits } from './worker-digits/index.js';

/** The WASM that scripts/bench.mjs compiles, beside the bundled benchmark. */
async function loadPackedDigits(): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(new URL('./packed-digits.wasm', import.meta.url)));
}

/** All strategies; the first is what the others are compared with. */
export const STRATEGIES: readonly Strategy[] = [
  shipped,
  threadABucket,
  staticBuffer,
  rangesToBucketEnds,
  affinePairs,
  suffixSums,
  runningSums,
  bigTriangle,
  layered,
  windowSplitting,
  oddDigits,
  nonAdjacentForm,
  negatedScalarsAlone,
  negatedScalarsWithMultiples,
  workerDigits(loadPackedDigits),
];
