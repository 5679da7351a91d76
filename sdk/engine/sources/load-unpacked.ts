import { PippinError } from '../../base/errors.js';
import type { GpuDevice } from '../../executors/gpu/runtime/device.js';
import { poolUnpacking } from '../../executors/workers/pool/unpacking-kernels.js';
import { LoadedSource } from '../../files/cache/loaded-source.js';
import { openPackedKey, type UnpackingKernels } from '../../files/packed/packed-key.js';
import { attempt, type Ladder, type Way } from '../../recovery/attempt.js';
import type { Backends } from '../backends.js';
import type { Call } from '../call.js';
import { RootsOnDevice, SharedUnpacking } from './shared-unpacking.js';

/** What unpacks keys in the engine. */
interface UnpackingContext {
  readonly backends: Backends;
}

/** A device's square roots. */
const rootsOnDevices = new WeakMap<GpuDevice, RootsOnDevice>();

/**
 * Loads a packed key, as the .zkey that it was made of. Its sections are unpacked as far as they are read, by the
 * workers and, where there is one, a GPU. If a point is none after the GPU has computed some, the workers unpack the
 * key alone; if they find only points, the GPU was wrong. The cache knows the key by the hash of the packed bytes, as
 * it knows a file of which parts were fetched. Closing what is given to `load` closes the packed key. Errors as of
 * `openPackedKey` and `load`.
 */
export async function loadUnpacked<T>(
  { backends }: UnpackingContext,
  call: Pick<Call, 'notice'>,
  packed: LoadedSource,
  load: (zkey: LoadedSource) => Promise<T>,
): Promise<T> {
  const byWorkers = poolUnpacking(backends.pool, (curve) => backends.openCurve(curve, []));
  const device = backends.gpuDevice;
  if (device === undefined) return load(await zkeyOf(packed, byWorkers));
  const shared = new SharedUnpacking(byWorkers, 2 * backends.pool.size, device.then(rootsOn));
  // What the workers have unpacked stands, for a caller who requires the GPU, too.
  const first: Way = { by: 'any', executor: { ...backends.gpuExecutor, isRequired: false } };
  const workers: Way = { by: 'workers' };
  const notice: Ladder<Way>['notice'] = (code, message) => call.notice(code, message);
  try {
    return await attempt({ first, rungs: { call: () => workers }, from: () => 'cache', notice }, async (way) => {
      if (way === workers) return load(await zkeyOf(packed, byWorkers));
      return load(await zkeyOf(packed, shared)).catch((error: unknown) => {
        throw shared.hasUsedGpu ? asWrongResult(error) : error;
      });
    });
  } finally {
    // Points that a successor of a worker or a GPU reads are checked where nobody would unpack them again.
    shared.stopGpu();
  }
}

async function zkeyOf(packed: LoadedSource, kernels: UnpackingKernels): Promise<LoadedSource> {
  const { zkey } = await openPackedKey(packed, kernels);
  return new LoadedSource(
    Object.assign(zkey, { contents: packed.source }),
    () => packed.close(),
    packed.knownHash ?? packed.given,
    packed.records,
  );
}

/** The square roots of a device; undefined for a software adapter, which computes on the workers' cores. */
function rootsOn(device: GpuDevice): RootsOnDevice | undefined {
  if (device.info.isSoftware) return undefined;
  const made = rootsOnDevices.get(device) ?? new RootsOnDevice(device);
  rootsOnDevices.set(device, made);
  return made;
}

/** A point of a file that is not on its curve may be one that the GPU has computed. */
function asWrongResult(error: unknown): unknown {
  if (!(error instanceof PippinError) || error.code !== 'INVALID_POINT') return error;
  return new PippinError('RESULT_INVALID', `the GPU may have unpacked a wrong point: ${error.message}`, {
    cause: error,
  });
}
