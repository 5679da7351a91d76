import { PippinError } from '../../base/errors.js';
import { loadPart } from '../../base/load-part.js';
import { record } from '../../base/records.js';
import type { MsmExecutor } from '../../bases/backend.js';
import type { LoadedBases } from '../../bases/loaded-bases.js';
import { ResidentCopy } from '../../bases/resident-copy.js';
import type { GpuDevice } from '../../executors/gpu/runtime/device.js';
import type { GpuPolynomials } from '../../executors/gpu/vectors/gpu-polynomials.js';
import { PLONK_POLYNOMIALS } from '../../files/snarkjs/plonk-zkey.js';
import type { Vector } from '../../polynomials/polynomials.js';
import { asLost, attempt, standInNotice, type Way } from '../../recovery/attempt.js';
import { GPU_FAULT, type ProofCall, type ProofContext } from '../proof-system.js';
import { KeyPolynomials, type KeyWiring } from './key-polynomials.js';

/** The executor of a device, and a key's polynomials there. */
interface OnDevice {
  readonly device: Promise<GpuDevice>;
  readonly executor: Promise<GpuPolynomials>;
  readonly copy: ResidentCopy<KeyPolynomials>;
  /** How often the executor had lost its vectors when the copy was made. */
  losses: number;
  /** Whether the kernels are compiled. A failure shows at the first use. */
  isReady: boolean;
}

/** Where a proof may be made. */
export interface VectorsRequest {
  /** Whether the GPU is to have no part in it. */
  readonly trustedOnly: boolean;
  /** Whether MSMs must get their scalars masked, which the host does. */
  readonly constantWork: boolean;
}

/** Makes something of a key's polynomials on an executor. */
export type PolynomialsWork<T> = (polynomials: KeyPolynomials, executor: MsmExecutor) => Promise<T>;

/**
 * A key's polynomials where its proofs' vectors are: on the GPU that computes the MSMs, so that scalars stay there, or
 * on the workers. This is the only place that decides it. They are brought to a device when they are first needed
 * there, and kept for the next proofs. A key that does not fit a device's memory is left to the workers.
 */
export class PlacedPolynomials {
  private on: OnDevice | undefined;
  private fits: boolean;
  private isReleased = false;

  constructor(
    private readonly context: ProofContext,
    private readonly powers: LoadedBases,
    /** On the workers, which always can take the GPU's place. */
    readonly ofWorkers: KeyPolynomials,
    private readonly wiring: KeyWiring,
  ) {
    const { kept, count, exceptional } = powers.outline;
    // An MSM over scalars on the device takes all of them, in their order.
    this.fits = kept === count && exceptional.length === 0;
  }

  /** What `work` makes of them. If the GPU fails in it, the workers' polynomials are used. */
  use<T>(call: ProofCall, request: VectorsRequest, work: PolynomialsWork<T>): Promise<T> {
    const { ofWorkers, powers } = this;
    if (request.trustedOnly || request.constantWork || !this.takesPart) return work(ofWorkers, 'wasm');
    const { gpu } = this.context;
    const onWorkers: Way = { by: 'workers' };
    const standIn = (failure: PippinError): Way => {
      call.notice('WEBGPU_DISTRUSTED', standInNotice(failure));
      return onWorkers;
    };
    const rungs = { scalars: () => onWorkers, ...(!gpu.isRequired && { workers: standIn }) };
    const from = () => (powers.isFromCache ? 'cache' : 'file') as 'cache' | 'file';
    return attempt({ first: { by: 'gpu', executor: gpu }, rungs, from }, ({ by }) =>
      by === 'gpu' ? this.useOnDevice(work) : work(ofWorkers, 'wasm'),
    );
  }

  /** Begins to compile the kernels, if there is a GPU. */
  prepare(): void {
    this.current();
  }

  release(): void {
    this.isReleased = true;
    this.ofWorkers.release();
    this.leave();
  }

  /** Whether the next proof's vectors are to be on the GPU: where its MSMs are, and would begin at once. */
  private get takesPart(): boolean {
    if (!this.fits || this.powers.executor !== 'webgpu') return false;
    const on = this.current();
    return on !== undefined && (on.isReady || this.context.gpu.isRequired);
  }

  private async useOnDevice<T>(work: PolynomialsWork<T>): Promise<T> {
    const on = this.current();
    if (on === undefined) throw new PippinError('DEVICE_LOST', 'expected an open GPU device, got none');
    try {
      return await work(await this.polynomialsOn(on), 'webgpu');
    } catch (error) {
      if (error instanceof PippinError && error.code === 'OUT_OF_MEMORY') {
        this.fits = false;
        this.leave();
      }
      // It says that the witness is wrong. A proof that the workers make shows whether it is the GPU.
      if (error instanceof PippinError && error.code === 'PROOF_INVALID') {
        throw new PippinError('PROOF_INVALID', GPU_FAULT, { cause: error });
      }
      // Released by another call, which it did not fit or whose device was lost.
      throw this.isReleased || this.on === on ? error : asLost(error);
    }
  }

  private async polynomialsOn(on: OnDevice): Promise<KeyPolynomials> {
    const executor = await on.executor;
    if (on.losses !== executor.losses) {
      on.copy.release();
      on.losses = executor.losses;
    }
    return on.copy.get(async () => {
      const { ofWorkers, wiring } = this;
      const bytes = await Promise.all(
        PLONK_POLYNOMIALS.map((name) => ofWorkers.on.read(ofWorkers.coefficients[name] as Vector)),
      );
      const coefficients = record(PLONK_POLYNOMIALS, (name) => bytes[PLONK_POLYNOMIALS.indexOf(name)]!);
      return KeyPolynomials.load(executor, { coefficients, wiring }, executor.isMemoryLimited, {});
    });
  }

  /** The device that is open or being opened, and what is there of this key; undefined if there is none. */
  private current(): OnDevice | undefined {
    const device = this.context.gpuDevice();
    if (device === undefined || this.isReleased) return undefined;
    if (this.on?.device !== device) {
      const { curve } = this.ofWorkers.on;
      const executor = device.then(async (open) => (await loadGpuVectors()).GpuPolynomials.on(open, curve));
      const on: OnDevice = { device, executor, copy: new ResidentCopy(), losses: 0, isReady: false };
      const settle = (): void => {
        on.isReady = true;
      };
      // Who requires the GPU may try again. With `auto` the first use meets the failure, and the GPU is not used any
      // more.
      const letGo = (): void => {
        settle();
        if (this.context.gpu.isRequired && this.on === on) this.on = undefined;
      };
      executor.then(({ ready }) => ready).then(settle, letGo);
      this.on = on;
    }
    return this.on;
  }

  /** Frees what the device has of this key. */
  private leave(): void {
    const { on } = this;
    this.on = undefined;
    if (on === undefined) return;
    on.copy.release();
    on.executor.then((executor) => executor.free()).catch(() => undefined);
  }
}

/** The code of vectors on a GPU. `WEBGPU_UNAVAILABLE` if its script cannot be loaded. */
function loadGpuVectors(): Promise<typeof import('../../executors/gpu/vectors/gpu-polynomials.js')> {
  const load = () => import('../../executors/gpu/vectors/gpu-polynomials.js');
  return loadPart('polynomials on the GPU', load, 'WEBGPU_UNAVAILABLE');
}
