import { PippinError } from '../../base/errors.js';
import { ownMembers } from '../../base/records.js';
import type { CurveId, GroupId } from '../../curves/index.js';
import type { RemoteGpu } from '../../executors/remote/remote-gpu.js';
import type { WasmBases } from '../../executors/workers/pool/wasm-msm.js';
import { type CompleteMsmBackend, type MsmBackend, type RevocableBackend, wholeRange } from '../backend.js';
import type { CheckArithmetic } from '../check-arithmetic.js';
import { finishing } from '../finishing.js';
import { gpuOrWorkers, type MsmDevice } from '../gpu-or-workers.js';
import type { ArithmeticFor } from '../point-arithmetic.js';
import { randomlyChecked } from '../random-check.js';
import { alwaysThere, type SplitMember } from './layout.js';
import { splitMsm } from './split-msm.js';

/** The rates of a GPU and of all workers together. Only their ratio counts. */
export interface SplitRates {
  readonly gpu: number;
  readonly workers: number;
}

/** Where nothing is known, the first MSMs are cut in halves. */
export const EQUAL_RATES: SplitRates = { gpu: 1, workers: 1 };
/** Workers with these have no share as long as there is a GPU. */
export const GPU_ALONE: SplitRates = { gpu: 1, workers: 1e-9 };

/** Who shares MSMs over a group. */
interface SplitSharers {
  readonly curve: CurveId;
  readonly group: GroupId;
  readonly gpu: MsmDevice | undefined;
  readonly remotes: readonly RemoteGpu[];
  /** undefined if the workers are to have no part in it. */
  readonly workers: { readonly msm: MsmBackend<WasmBases>; readonly count: number } | undefined;
  readonly rates: SplitRates;
  /** Whether MSMs wait for GPUs that are not ready. */
  readonly waits: boolean;
  readonly arithmeticFor: ArithmeticFor;
  /** What MSMs of GPUs are checked with. */
  readonly checks: CheckArithmetic;
  readonly trusted: CompleteMsmBackend;
}

/** Divides each MSM among GPUs and single workers. */
export function splitBackend({
  curve,
  group,
  gpu,
  remotes,
  workers,
  rates,
  waits,
  arithmeticFor,
  checks,
  trusted,
}: SplitSharers): RevocableBackend {
  const members: SplitMember[] = [];
  const addGpu = (name: string, device: MsmDevice, takesDeviceScalars: boolean): void => {
    const backend = gpuOrWorkers({ gpu: device, workers: undefined, compareWith: trusted, waits });
    members.push({ name, backend, executor: device, rate: rates.gpu, takesDeviceScalars });
  };
  if (gpu !== undefined) addGpu('the GPU', gpu, true);
  for (const remote of remotes) {
    const checked = randomlyChecked(remote.msm(curve, group), checks, arithmeticFor);
    const complete = Promise.resolve(finishing(checked, arithmeticFor));
    const device: MsmDevice = {
      capabilities: checked.capabilities,
      current: () => (remote.isAvailable ? complete : undefined),
      isReady: () => remote.isAvailable && remote.isReady(curve, group),
      isRequired: false,
      distrust: (reason) => remote.giveUp(new PippinError('RESULT_INVALID', reason)),
    };
    addGpu(remote.name, device, false);
  }
  for (let worker = 0; workers !== undefined && worker < workers.count; worker++) {
    const backend = alwaysThere(finishing(oneWorker(workers.msm, worker), arithmeticFor));
    const rate = rates.workers / workers.count;
    members.push({ name: `worker ${worker + 1}`, backend, rate, takesDeviceScalars: false });
  }
  return splitMsm(members, arithmeticFor);
}

/** The MSMs that a single kernel worker computes, for those who give each worker a share by its own speed. */
function oneWorker(msm: MsmBackend<WasmBases>, worker: number): MsmBackend<WasmBases> {
  return {
    capabilities: msm.capabilities,
    load(bases, range, options) {
      const { from, to } = wholeRange(bases, range);
      return msm.load(bases, range, ownMembers({ ...options, shares: [{ worker, from: 0, to: to - from }] }));
    },
    multiplyBatch: (bases, scalars, batch, options) => msm.multiplyBatch(bases, scalars, batch, options),
  };
}
