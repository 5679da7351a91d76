import { asPippinError, PippinError } from '../../base/errors.js';
import { wipe, wipeAndFree } from '../../base/free-memory.js';
import { BudgetExceeded } from '../../base/memory-budget.js';
import type { LoadedBases } from '../../bases/loaded-bases.js';
import { ResidentCopy } from '../../bases/resident-copy.js';
import type { DrawnMasks } from '../../bases/scalar-masks.js';
import {
  type DeviceScalars,
  type HostScalars,
  hostScalars,
  type ScalarVector,
  type SharedScalars,
} from '../../bases/scalar-vector.js';
import type { GpuConstraints, GpuQuotient, GpuQuotientCall } from '../../executors/gpu/polynomials/gpu-quotient.js';
import type { RestorableBytes } from '../../executors/workers/pool/restorable-bytes.js';
import type { KeyFacts } from '../../files/snarkjs/zkey.js';
import { asLost, attempt, retryOnDeadWorker, standInNotice, type Way } from '../../recovery/attempt.js';
import { leadsTo, type PointsFrom } from '../../recovery/table.js';
import type { ProofCall, ProofContext, Reopenable } from '../proof-system.js';
import { loadDeferredCode } from './load-deferred-code.js';
import { TRANSFORMS } from './parts.js';
import type { KeyOnWorkers } from './workers-quotient.js';

/** The weight of a transform in a proof's progress. */
const TRANSFORM_WEIGHT = 1;

/** The constraint system of a key, wherever it is. */
interface ConstraintSystem extends KeyOnWorkers {
  readonly facts: Pick<KeyFacts, 'domainSize'>;
  readonly deviceQuotient: DeviceQuotient | undefined;
}

/** The quotient polynomial of one proof, which the GPU computes if it can, and otherwise the workers. */
export class QuotientPolynomial {
  private readonly meters: readonly ((fraction: number) => void)[];
  private ofWorkers: Promise<HostScalars> | undefined;

  /** @param masks what is added to the scalars; the work does not depend on the witness then. */
  constructor(
    private readonly context: ProofContext,
    private readonly key: ConstraintSystem,
    private readonly witness: SharedScalars,
    private readonly call: ProofCall,
    private readonly masks?: DrawnMasks,
  ) {
    this.meters = Array.from({ length: TRANSFORMS }, () => call.meter('transform', TRANSFORM_WEIGHT));
  }

  /** What `work` makes of the scalars. If the GPU fails in it or before, it is retried with scalars of the workers. */
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
    const { call, masks, meters } = this;
    const { quotientScalars } = await loadDeferredCode("the workers' quotient");
    const options = { meters, constantWork: masks !== undefined };
    const scalars = await quotientScalars(this.context, this.key, call, this.witness.bytes, options);
    if (masks === undefined) return scalars;
    const { bytes } = scalars;
    return hostScalars(await masks.addTo(bytes, 0, call.signal).finally(() => wipe(bytes)));
  }
}

/**
 * The quotient polynomials of a key on a GPU device, to which its constraints are brought when they are first needed
 * there.
 */
export class DeviceQuotient {
  private on: Promise<GpuQuotient> | undefined;
  private constraints = new ResidentCopy<GpuConstraints>();
  private fits = true;
  private isReleased = false;

  /**
   * @param sum the bases of the MSM over the quotient's values.
   * @param entries the rows of a .zkey's coefficient section, read again for another device.
   */
  constructor(
    private readonly device: Reopenable<GpuQuotient>,
    private readonly sum: Pick<LoadedBases, 'executor' | 'isFromCache'>,
    private readonly entries: RestorableBytes,
    private readonly facts: KeyFacts,
  ) {}

  /** Whether the next quotient is to be computed there: where its MSM would begin at once, too. */
  get takesPart(): boolean {
    const isReady = this.device.waits || this.device.isReady();
    return this.mayTakePart && isReady && this.sum.executor === 'webgpu';
  }

  /** Whether a quotient may be computed there, at once or later. */
  get mayTakePart(): boolean {
    return this.fits && this.device.current() !== undefined;
  }

  /** Whether a fault is the caller's to know, because he requires the device. */
  get insists(): boolean {
    return this.device.waits;
  }

  /** Where the bases of its MSM come from. */
  get from(): PointsFrom {
    return this.sum.isFromCache ? 'cache' : 'file';
  }

  /** Brings the constraints to the device. If it has too little memory, it takes no part from now on. */
  async load(signal?: AbortSignal): Promise<void> {
    try {
      await this.constraintsOn(this.current(), signal);
    } catch (error) {
      // A computation meets any other fault again, and can fall back to the workers.
      if (!leadsTo(error, 'gpu', 'workers', 'scalars')) throw error;
      if (asPippinError(error).code === 'OUT_OF_MEMORY') this.fits = false;
    }
  }

  /** Lets it take no part from now on, because the MSM over its scalars does not fit the device's memory budget. */
  giveUp(): void {
    this.fits = false;
    this.constraints.release();
  }

  /** The scalars of the MSM over H, on the device. The caller releases them. */
  async compute(witness: SharedScalars, call: GpuQuotientCall): Promise<DeviceScalars> {
    const quotient = this.current();
    try {
      const constraints = await this.constraintsOn(quotient);
      return await (await quotient).compute(constraints, witness, call);
    } catch (error) {
      throw this.isReleased || this.device.current() === quotient ? error : asLost(error);
    }
  }

  release(): void {
    this.isReleased = true;
    this.constraints.release();
  }

  private current(): Promise<GpuQuotient> {
    const quotient = this.device.current();
    if (quotient === undefined) throw new PippinError('DEVICE_LOST', 'expected an open GPU device, got none');
    return quotient;
  }

  /** The constraints on this device; a lost device's are forgotten. */
  private constraintsOn(quotient: Promise<GpuQuotient>, signal?: AbortSignal): Promise<GpuConstraints> {
    if (this.isReleased) throw new PippinError('DISPOSED', 'expected a loaded key, got one that was disposed');
    if (this.on !== quotient) {
      this.on = quotient;
      this.constraints = new ResidentCopy<GpuConstraints>();
    }
    return this.constraints.get(async () => {
      const opened = await quotient;
      return this.entries.use((entries) => opened.loadConstraints(entries, this.facts, { signal }));
    });
  }
}
