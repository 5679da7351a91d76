import type { DigitSlice } from '../../../../sdk/executors/gpu/msm/stages/digit-stage.js';
import { windowsOf } from '../../../../sdk/executors/gpu/msm/stages/pass-chunk.js';
import type { Write } from '../../../../sdk/executors/gpu/runtime/steps.js';
import { digitPair } from '../lib/digit-pair.js';
import { countingSort } from '../shipped.js';
import type { Strategy, Task } from '../strategy.js';
import { type Cutting, DigitPool } from './digit-pool.js';
import given from './given.wgsl';

const DIGIT_BYTES = 2;

const DIGITS = digitPair({
  name: 'worker digits',
  cut: given,
  // Every row begins with a whole word.
  sourceBytes: (plan) => Math.ceil(plan.points / 2) * 2 * DIGIT_BYTES * plan.rowsPerPass,
});

/**
 * Digits that workers on all cores cut, packed in 16 bits, while the GPU takes those that are there. Scalars in shared
 * memory are not copied on the way to the workers. `loadModule` gives the WASM of assembly/pack-digits.ts.
 */
export function workerDigits(loadModule: () => Promise<WebAssembly.Module>): Strategy {
  let pool: DigitPool | undefined;
  /** The digits of the multiplication under way. */
  let cutting: Cutting | undefined;

  async function bring({ chunk, from, to }: DigitSlice, { scalars }: Task, write: Write): Promise<void> {
    const { plan, points, firstRow } = chunk;
    pool ??= new DigitPool(await loadModule());
    if (from === 0) cutting = pool.cut(sharedBytes(scalars), plan.windowBits, plan.windows);
    await cutting!.until(to);
    const { digits, stride } = cutting!;
    const end = to === points ? stride : to;
    for (const window of windowsOf(chunk)) {
      const bytes = new Uint8Array(digits.buffer, (window * stride + from) * DIGIT_BYTES, (end - from) * DIGIT_BYTES);
      await write(((window - firstRow) * stride + from) * DIGIT_BYTES, bytes);
    }
  }

  return {
    name: 'worker digits',
    replaces: 'digits',
    source: "digits by a pool of WASM workers; the project's own first way, with one instance and 32 bits",
    maxWindowBits: 16,
    parts: () => ({
      sort: countingSort(DIGITS, function* (slice, task) {
        yield { kind: 'upload', buffer: 'source', run: (write) => bring(slice, task, write) };
      }),
    }),
    async close() {
      await pool?.close();
      pool = undefined;
    },
  };
}

/** The scalars in memory that workers see. */
function sharedBytes(scalars: Uint8Array): SharedArrayBuffer {
  const { buffer, byteLength } = scalars;
  if (buffer instanceof SharedArrayBuffer && buffer.byteLength === byteLength) return buffer;
  const shared = new SharedArrayBuffer(byteLength);
  new Uint8Array(shared).set(scalars);
  return shared;
}
