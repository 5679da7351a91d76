import type { ProductTimes } from '../../api/index.js';
import { asPippinError } from '../../base/errors.js';
import type { CurveId } from '../../curves/index.js';
import type { Call } from '../call.js';
import type { EngineContext } from '../context.js';
import {
  type ComparedMsm,
  compareProducts,
  type MsmByProducts,
  onlyRight,
  rightResultAtEdges,
} from './compare-products.js';
import { newMap } from './new-map.js';
import { SampleBases } from './sample-bases.js';
import { tunableMsm } from './tunable-msm.js';

/** An idle GPU has lowered its clock: kinds are compared for at least so many milliseconds. */
const LEAST_MS = 300;

/** A comparison ends after so many milliseconds on a slow GPU. */
const MOST_MS = 5000;

/**
 * Compares the kinds of field product on an adapter that has no performance map, while no call is pending, and keeps
 * the verdict as a map without rows, which the next prover reads when it opens the device. An MSM of the comparison
 * delays a call that begins meanwhile by its own few milliseconds at most. A GPU that computes wrong is distrusted
 * (notice `WEBGPU_DISTRUSTED`, `RESULT_INVALID`).
 *
 * @param turn fulfilled when no call has been pending for a while.
 */
export async function probeProducts(
  { backends, cache, map }: Pick<EngineContext, 'backends' | 'cache' | 'map'>,
  call: Pick<Call, 'signal' | 'notice'>,
  curve: CurveId,
  turn: () => Promise<void>,
): Promise<void> {
  const { signal } = call;
  await turn();
  const onGpu = await backends.tunableOnGpu(curve, 'g1', tunableMsm);
  if (onGpu === undefined) return;
  const keep = async ({ products }: MsmByProducts, productTimes?: ProductTimes): Promise<void> => {
    const workers = map?.workers ?? { threads: backends.pool.size, rows: [] };
    await cache.saveMap(
      newMap(workers, { adapter: onGpu.adapter, products, ...(productTimes && { productTimes }), rows: [] }),
    );
  };
  // A driver that crashes on one of the kernels does so once.
  await keep(onGpu);
  const others: ComparedMsm[] = [];
  try {
    for (const kind of onGpu.otherProducts) {
      await turn();
      const compiled = await onGpu.compile(kind).catch(() => undefined);
      if (compiled !== undefined) others.push(compiled);
    }
    const arithmetic = backends.arithmeticFor(curve, 'g1', signal);
    const bases = await SampleBases.prepare(backends.pool, arithmetic, curve, 'g1', signal);
    const trial = { curve, bases, turn, signal, leastMs: LEAST_MS };
    const right = await rightResultAtEdges(backends, onGpu.backend, trial).catch((error: unknown) => {
      const { code, message } = asPippinError(error);
      if (code === 'RESULT_INVALID') call.notice('WEBGPU_DISTRUSTED', `the GPU is used no more: ${message}`);
      throw error;
    });
    const able = await onlyRight(others, right, trial);
    const deadline = performance.now() + MOST_MS;
    const { fastest, times } = await compareProducts(onGpu, able, { ...trial, deadline });
    await keep(fastest, times);
  } finally {
    for (const other of others) other.destroy();
  }
}
