import { ownMembers } from '../../../base/is-object.js';
import { type MsmBackend, wholeRange } from '../../../bases/backend.js';
import type { WasmBases } from './wasm-msm.js';

/** The sums that a single kernel worker computes, for those who give each worker a share by its own speed. */
export function oneWorker(msm: MsmBackend<WasmBases>, worker: number): MsmBackend<WasmBases> {
  return {
    capabilities: msm.capabilities,
    load(bases, range, options) {
      const { from, to } = wholeRange(bases, range);
      return msm.load(bases, range, ownMembers({ ...options, shares: [{ worker, from: 0, to: to - from }] }));
    },
    multiplyBatch: (bases, scalars, batch, options) => msm.multiplyBatch(bases, scalars, batch, options),
  };
}
