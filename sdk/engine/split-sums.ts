import { PippinError } from '../base/errors.js';
import type { MsmBackend, RevocableBackend, SumBackend } from '../bases/backend.js';
import type { CheckArithmetic } from '../bases/check-arithmetic.js';
import { finishing } from '../bases/finishing.js';
import type { ArithmeticFor } from '../bases/point-arithmetic.js';
import { randomlyChecked } from '../bases/random-check.js';
import { revocable, type SplitMember } from '../bases/split/split-member.js';
import { splitMsm } from '../bases/split/split-msm.js';
import { timed } from '../bases/timed.js';
import type { CurveId, GroupId } from '../curves/index.js';
import type { RemoteGpu } from '../executors/remote/remote-gpu.js';
import { oneWorker } from '../executors/workers/pool/one-worker.js';
import type { WasmBases } from '../executors/workers/pool/wasm-msm.js';
import { recomputed } from '../recovery/recompute-check.js';
import { trusted } from '../recovery/trusted.js';

/** The rates of a GPU and of all workers together. Only their ratio counts. */
export interface SplitRates {
  readonly gpu: number;
  readonly workers: number;
}

/** Where nothing is known, the first sums are cut in halves. */
export const EQUAL_RATES: SplitRates = { gpu: 1, workers: 1 };
/** Workers with these have no share as long as there is a GPU. */
export const GPU_ALONE: SplitRates = { gpu: 1, workers: 1e-9 };

/** Who shares sums over a group. */
export interface SplitSharers {
  readonly curve: CurveId;
  readonly group: GroupId;
  readonly gpu: RevocableBackend | undefined;
  readonly remotes: readonly RemoteGpu[];
  /** undefined if the workers are to have no part in it. */
  readonly workers: { readonly msm: MsmBackend<WasmBases>; readonly count: number } | undefined;
  readonly rates: SplitRates;
  /** Whether sums wait for GPUs that are not ready. */
  readonly waits: boolean;
  readonly arithmeticFor: ArithmeticFor;
  /** What sums of GPUs are checked with. */
  readonly checks: CheckArithmetic;
  readonly trusted: SumBackend;
}

/** Divides each sum among GPUs and single workers. */
export function splitSums({
  curve,
  group,
  gpu,
  remotes,
  workers,
  rates,
  waits,
  arithmeticFor,
  checks,
  trusted: trustedSums,
}: SplitSharers): RevocableBackend {
  const own =
    gpu &&
    revocable(
      gpu,
      () => gpu.isAvailable,
      () => (waits ? gpu.isAvailable : gpu.isReady),
    );
  const members: SplitMember[] = own
    ? [{ name: 'the GPU', backend: own, rate: rates.gpu, takesDeviceScalars: true }]
    : [];
  for (const remote of remotes) {
    const isAvailable = () => remote.isAvailable;
    const isReady = () => isAvailable() && (waits || remote.isReady(curve, group));
    const checked = randomlyChecked(remote.sums(curve, group), checks, arithmeticFor);
    const sums = revocable(timed(finishing(checked, arithmeticFor)), isAvailable, isReady);
    const distrust = (reason: string): void => remote.giveUp(new PippinError('RESULT_INVALID', reason));
    const backend = trusted(recomputed(sums, trustedSums), { distrust, onlyWrongResults: false });
    members.push({ name: remote.name, backend, rate: rates.gpu, takesDeviceScalars: false });
  }
  for (let worker = 0; workers !== undefined && worker < workers.count; worker++) {
    const backend = revocable(timed(finishing(oneWorker(workers.msm, worker), arithmeticFor)));
    const rate = rates.workers / workers.count;
    members.push({ name: `worker ${worker + 1}`, backend, rate, takesDeviceScalars: false });
  }
  return splitMsm(members, arithmeticFor);
}
