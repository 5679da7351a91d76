import { loadPart } from '../../../base/load-part.js';
import type { MsmBackend } from '../../../bases/backend.js';
import type { KernelPool } from './pool.js';
import type { WasmBases, WasmMsm } from './wasm-msm.js';
import { WORKERS_CAPABILITIES } from './workers-capabilities.js';

/** The code with which the workers compute MSMs. */
export function loadWorkersMsm(): Promise<typeof import('./wasm-msm.js')> {
  return loadPart("the workers' sums", () => import('./wasm-msm.js'));
}

/** `WasmMsm`, whose code is loaded with the first bases: where a GPU computes there may be none. */
export function workersMsm(pool: KernelPool): MsmBackend<WasmBases> {
  let made: WasmMsm | undefined;
  const msm = async (): Promise<WasmMsm> => {
    const { WasmMsm } = await loadWorkersMsm();
    made ??= new WasmMsm(pool);
    return made;
  };
  return {
    capabilities: WORKERS_CAPABILITIES,
    load: async (...given) => (await msm()).load(...given),
    multiplyBatch: async (...given) => (await msm()).multiplyBatch(...given),
  };
}
