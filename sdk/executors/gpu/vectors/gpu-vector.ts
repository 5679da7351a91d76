import { PippinError } from '../../../base/errors.js';
import type { Indices, Vector } from '../../../polynomials/polynomials.js';
import type { ElementBuffers } from '../element-buffers.js';

/** What keeps a vector's buffers. */
export interface VectorOwner {
  /** Frees them, when the operations that were asked for before have been submitted. */
  release(vector: GpuVector): void;
}

/** Elements of Fr on the device, in Montgomery form with the kernels' R unless it says otherwise. */
export class GpuVector implements Vector {
  /** Made when the operation that computes them is submitted. */
  elements: ElementBuffers | undefined;
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

  /** Its elements, in a turn of the device after the one in which they were computed. */
  expectElements(): ElementBuffers {
    if (this.failure !== undefined) throw this.failure;
    if (this.elements === undefined) throw new PippinError('INTERNAL', 'expected a vector on the GPU, got none');
    return this.elements;
  }

  /** The same in one buffer, for an operation whose `block` is the whole vector. */
  expectBuffer(): GPUBuffer {
    const [buffer, ...others] = this.expectElements().buffers;
    if (others.length > 0) throw new PippinError('INTERNAL', 'expected a vector in one buffer, got one in several');
    return buffer!;
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
