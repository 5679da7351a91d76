import { copyBytes, newBytes } from '../../../base/bytes.js';
import { PippinError } from '../../../base/errors.js';
import { wipeAndFree } from '../../../base/free-memory.js';
import { type HostScalars, hostScalars } from '../../../bases/scalar-vector.js';
import { CURVES, type CurveId, SCALAR_BYTES } from '../../../curves/index.js';
import type { ConsumingCall, TransformCall, Vector, Vectors } from '../../../polynomials/polynomials.js';
import { retryOnDeadWorker } from '../../../recovery/attempt.js';
import { elementwise } from './elementwise.js';
import type { KernelPool } from './pool.js';

/** A vector in the coordinator's memory: the workers get slices of it, or one of them the whole for a transform. */
export class WorkersVector implements Vector {
  constructor(private held: Uint8Array | undefined) {}

  get bytes(): Uint8Array {
    if (this.held === undefined) throw new PippinError('DISPOSED', 'expected a vector in use, got a released one');
    return this.held;
  }

  get length(): number {
    return this.bytes.length / SCALAR_BYTES;
  }

  /** Gives its array to someone else. */
  take(): Uint8Array {
    const { bytes } = this;
    this.held = undefined;
    return bytes;
  }

  release(): void {
    if (this.held !== undefined) wipeAndFree(this.take());
  }
}

/**
 * What a quotient polynomial takes, on the workers: a transform on one of them, element-wise products in
 * slices on all. The curve's kernels must be open. See `WorkersPolynomials` for the rest.
 */
export class WorkersVectors implements Vectors {
  constructor(
    protected readonly pool: KernelPool,
    readonly curve: CurveId,
  ) {
    if (CURVES[curve].transforms === undefined) {
      throw new PippinError('CURVE_MISMATCH', `expected a curve with transforms, got ${curve}`);
    }
  }

  create(bytes: Uint8Array): Vector {
    if (bytes.length % SCALAR_BYTES !== 0) {
      throw new PippinError('INVALID_LENGTH', `expected elements of ${SCALAR_BYTES} bytes, got ${bytes.length} bytes`);
    }
    return new WorkersVector(bytes);
  }

  async read(vector: Vector): Promise<Uint8Array> {
    return copyBytes(onWorkers(vector).bytes);
  }

  scalars(vector: Vector): HostScalars {
    return hostScalars(onWorkers(vector).bytes);
  }

  async multiply(a: Vector, b: Vector, call: ConsumingCall = {}): Promise<Vector> {
    const [x, y] = sameLength([a, b]);
    const operands = { a: x!, b: y! };
    return this.intoTarget(onWorkers(a), call, (target) =>
      elementwise(this.pool, this.curve, { method: 'multiplyElements', operands, target }, call.signal),
    );
  }

  async multiplySubtract(a: Vector, b: Vector, c: Vector, call: ConsumingCall = {}): Promise<Vector> {
    const [x, y, z] = sameLength([a, b, c]);
    const operands = { a: x!, b: y!, c: z! };
    return this.intoTarget(onWorkers(a), call, (target) =>
      elementwise(this.pool, this.curve, { method: 'multiplySubtract', operands, target }, call.signal),
    );
  }

  async toOddCoset(values: Vector, call: TransformCall = {}): Promise<Vector> {
    const { signal, onProgress } = call;
    const options = { signal, onProgress, urgent: true, moved: true };
    const toCoset = (moved: Uint8Array) => this.pool.call(this.curve, 'shiftToCoset', { values: moved }, options);
    return this.whole(onWorkers(values), values.length, call, toCoset);
  }

  /**
   * Runs a transform of `size` elements on one worker: the vector's, then zeros. The array that `transform` gets is
   * moved there: of a consumed vector its own.
   */
  protected async whole(
    vector: WorkersVector,
    size: number,
    { consume }: ConsumingCall,
    transform: (moved: Uint8Array) => Promise<Uint8Array>,
  ): Promise<Vector> {
    const run = async (array: Uint8Array): Promise<Vector> => {
      try {
        return new WorkersVector(await transform(array));
      } finally {
        // It is here still if the call failed before it was sent.
        wipeAndFree(array);
      }
    };
    if (consume && vector.length === size) return run(vector.take());
    const { bytes } = vector;
    const runOnCopy = (): Promise<Vector> => {
      const padded = newBytes(size * SCALAR_BYTES);
      padded.set(bytes);
      return run(padded);
    };
    try {
      return await retryOnDeadWorker(runOnCopy);
    } finally {
      if (consume) vector.release();
    }
  }

  /** The vector that `work` writes: in the place of `a` if that is consumed, else in a new array. */
  private async intoTarget(
    a: WorkersVector,
    { consume }: ConsumingCall,
    work: (target: Uint8Array) => Promise<void>,
  ): Promise<Vector> {
    const result = consume ? a : new WorkersVector(newBytes(a.bytes.length));
    try {
      await work(result.bytes);
    } catch (error) {
      result.release();
      throw error;
    }
    return new WorkersVector(result.take());
  }
}

/** `INVALID_ARGUMENT` for a vector of another executor. */
export function onWorkers(vector: Vector): WorkersVector {
  if (vector instanceof WorkersVector) return vector;
  throw new PippinError('INVALID_ARGUMENT', 'expected a vector on the workers, got one of another executor');
}

export function bytesOf(vector: Vector): Uint8Array {
  return onWorkers(vector).bytes;
}

/** The bytes of vectors, of which there is one at least; `INVALID_LENGTH` unless all have one length. */
export function sameLength(vectors: readonly Vector[]): Uint8Array[] {
  const operands = vectors.map((vector) => onWorkers(vector).bytes);
  if (operands.length === 0 || operands.some(({ length }) => length !== operands[0]!.length)) {
    const lengths = vectors.map(({ length }) => length).join(', ');
    throw new PippinError('INVALID_LENGTH', `expected vectors of one length, got ${lengths || 'none'}`);
  }
  return operands;
}
