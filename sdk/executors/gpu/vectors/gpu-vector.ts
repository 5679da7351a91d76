import { PippinError } from '../../../base/errors.js';
import type { Indices, Vector } from '../../../polynomials/polynomials.js';

/** What keeps a vector's buffer. */
export interface VectorOwner {
  /** Frees it, when the operations that were asked for before have been submitted. */
  release(vector: GpuVector): void;
}

/** Elements of Fr in a buffer on the device, in Montgomery form with the kernels' R unless it says otherwise. */
export class GpuVector implements Vector {
  /** Made when the operation that computes the elements is submitted. */
  buffer: GPUBuffer | undefined;
  /** Why there are no elements, once that is known. */
  failure: unknown;
  private released = false;
  private canonical: GpuVector | undefined;

  /** @param isLasting whether it is kept from proof to proof. Then it is no secret. */
  constructor(
    readonly owner: VectorOwner,
    readonly length: number,
    readonly isLasting: boolean,
  ) {}

  /** The same elements in canonical form, which `make` computes once. They are released with these. */
  inCanonicalForm(make: () => GpuVector): GpuVector {
    this.canonical ??= make();
    return this.canonical;
  }

  /** `DISPOSED` after `release`. */
  throwIfReleased(): void {
    if (this.released) throw new PippinError('DISPOSED', 'expected a vector in use, got a released one');
  }

  /** The buffer with its elements, in a turn of the device after the one in which they were computed. */
  expectBuffer(): GPUBuffer {
    if (this.failure !== undefined) throw this.failure;
    if (this.buffer === undefined) throw new PippinError('INTERNAL', 'expected a vector on the GPU, got none');
    return this.buffer;
  }

  release(): void {
    if (this.released) return;
    this.released = true;
    this.canonical?.release();
    this.owner.release(this);
  }
}

/** Indices (u32) on the device. `words` has the memory of as many elements as they fill. */
export class GpuIndices implements Indices {
  constructor(
    readonly words: GpuVector,
    readonly length: number,
  ) {}

  release(): void {
    this.words.release();
  }
}
