import type { PippinError } from '../../base/errors.js';
import { wipe, wipeAndFree } from '../../base/free-memory.js';
import { BudgetExceeded } from '../../base/memory-budget.js';
import type { DrawnMasks } from '../../bases/scalar-masks.js';
import { type HostScalars, hostScalars, type ScalarVector, type SharedScalars } from '../../bases/scalar-vector.js';
import { attempt, retryOnDeadWorker, standInNotice, type Way } from '../../recovery/attempt.js';
import type { ProofCall, ProofContext } from '../proof-system.js';
import type { DeviceQuotient } from './device-quotient.js';
import type { Groth16Key } from './key.js';
import { loadWorkersQuotient } from './load-workers-quotient.js';
import { TRANSFORMS } from './work.js';

/** The weight of a transform in a proof's progress. */
const TRANSFORM_WEIGHT = 1;

/** The quotient of one proof, which the GPU computes if it can, and otherwise the workers. */
export class Quotients {
  private readonly meters: readonly ((fraction: number) => void)[];
  private ofWorkers: Promise<HostScalars> | undefined;

  /** @param masks what is added to the scalars; the work does not depend on the witness then. */
  constructor(
    private readonly context: ProofContext,
    private readonly key: Groth16Key,
    private readonly witness: SharedScalars,
    private readonly call: ProofCall,
    private readonly masks?: DrawnMasks,
  ) {
    this.meters = Array.from({ length: TRANSFORMS }, () => call.meter('transform', TRANSFORM_WEIGHT));
  }

  /** What `work` makes of the scalars. If the GPU fails in it or before, it begins again with scalars of the workers. */
  use<T>(work: (scalars: ScalarVector) => Promise<T>, trustedOnly: boolean): Promise<T> {
    const { deviceQuotient } = this.key;
    const onWorkers: Way = { by: 'workers' };
    if (trustedOnly || !deviceQuotient?.takesPart) return this.onWorkers().then(work);
    const { insists } = deviceQuotient;
    const executor = { ...this.context.gpu, isRequired: insists };
    const standIn = (failure: PippinError): Way => {
      this.call.notice('WEBGPU_DISTRUSTED', standInNotice(failure));
      return onWorkers;
    };
    const rungs = { scalars: () => onWorkers, ...(!insists && { workers: standIn }) };
    return attempt({ first: { by: 'gpu', executor }, rungs, from: () => deviceQuotient.from }, async ({ by }) =>
      by === 'gpu' ? this.useOnDevice(deviceQuotient, work) : work(await this.onWorkers()),
    );
  }

  /** Frees what the workers computed, when it is there: an aborted proof does not wait for it. */
  free(): void {
    this.ofWorkers?.then(
      ({ bytes }) => wipeAndFree(bytes),
      () => undefined,
    );
  }

  private async useOnDevice<T>(device: DeviceQuotient, work: (scalars: ScalarVector) => Promise<T>): Promise<T> {
    const onProgress = (fraction: number): void => {
      for (const meter of this.meters) meter(fraction);
    };
    const { signal } = this.call;
    const masks = await this.masks?.of(0, this.key.facts.domainSize, signal);
    const compute = () => device.compute(this.witness, { signal, onProgress, masks });
    const computed = this.call.span('transform', 'webgpu', compute);
    const scalars = await computed.finally(() => masks && wipe(masks));
    onProgress(1);
    try {
      return await work(scalars);
    } catch (error) {
      if (error instanceof BudgetExceeded) device.giveUp();
      throw error;
    } finally {
      scalars.release();
    }
  }

  /** Computed once, also for a second attempt at the proof. */
  private onWorkers(): Promise<HostScalars> {
    this.ofWorkers ??= retryOnDeadWorker(() => this.computeOnWorkers());
    return this.ofWorkers;
  }

  private async computeOnWorkers(): Promise<HostScalars> {
    const { context, key, witness, call, meters, masks } = this;
    const isMasked = masks !== undefined;
    const { quotientScalars } = await loadWorkersQuotient();
    const scalars = await quotientScalars(context, key, hostScalars(witness.bytes), call, meters, isMasked);
    if (!isMasked) return scalars;
    const { bytes } = scalars;
    return hostScalars(await masks.addTo(bytes, 0, call.signal).finally(() => wipe(bytes)));
  }
}
