import { asPippinError, PippinError } from '../../base/errors.js';
import type { LoadedBases } from '../../bases/loaded-bases.js';
import { ResidentCopy } from '../../bases/resident-copy.js';
import type { DeviceScalars, SharedScalars } from '../../bases/scalar-vector.js';
import type { GpuConstraints, GpuQuotient, GpuQuotientCall } from '../../executors/gpu/polynomials/gpu-quotient.js';
import type { RestorableBytes } from '../../executors/workers/pool/restorable-bytes.js';
import type { KeyFacts } from '../../files/snarkjs/zkey.js';
import { asLost } from '../../recovery/attempt.js';
import { leadsTo, type PointsFrom } from '../../recovery/table.js';
import type { QuotientDevice } from '../proof-system.js';

/** The quotient of a key on a device, to which its constraints are brought when they are first needed there. */
export class DeviceQuotient {
  private on: Promise<GpuQuotient> | undefined;
  private constraints = new ResidentCopy<GpuConstraints>();
  private fits = true;
  private isReleased = false;

  /**
   * @param sum the bases over which the quotient is summed.
   * @param entries the rows of a .zkey's coefficient section, read again for another device.
   */
  constructor(
    private readonly device: QuotientDevice,
    private readonly sum: Pick<LoadedBases, 'executor' | 'isFromCache'>,
    private readonly entries: RestorableBytes,
    private readonly facts: KeyFacts,
  ) {}

  /** Whether the next quotient is to be computed there: where its sum would begin at once, too. */
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

  /** Where the bases come from over which it is summed. */
  get from(): PointsFrom {
    return this.sum.isFromCache ? 'cache' : 'file';
  }

  /** Brings the constraints to the device. If it has too little memory, it takes no part from now on. */
  async load(signal?: AbortSignal): Promise<void> {
    try {
      await this.constraintsOn(this.current(), signal);
    } catch (error) {
      // A computation meets any other fault again, and the workers can stand in for it.
      if (!leadsTo(error, 'gpu', 'workers', 'scalars')) throw error;
      if (asPippinError(error).code === 'OUT_OF_MEMORY') this.fits = false;
    }
  }

  /** Lets it take no part from now on, because the sum over its scalars does not fit the device's memory budget. */
  giveUp(): void {
    this.fits = false;
    this.constraints.release();
  }

  /** The scalars of the sum over H, on the device. The caller releases them. */
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

  /** The constraints on this device; those on a lost one are forgotten. */
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
