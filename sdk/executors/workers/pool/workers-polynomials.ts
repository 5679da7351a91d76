import { bytesToBigint, copyBytes, newBytes, writeBigint } from '../../../base/bytes.js';
import { PippinError } from '../../../base/errors.js';
import { wipeAndFree } from '../../../base/free-memory.js';
import { hostScalars, type ScalarVector } from '../../../bases/scalar-vector.js';
import { CURVES, type CurveId, SCALAR_BYTES } from '../../../curves/index.js';
import { inverse, mod } from '../../../curves/modular.js';
import { type Coset, cosetOf, oddCoset, vanishingValues } from '../../../polynomials/domain.js';
import type {
  ConsumingCall,
  Polynomials,
  Term,
  TransformCall,
  Vector,
  VectorCall,
} from '../../../polynomials/polynomials.js';
import { retryOnDeadWorker } from '../../../recovery/attempt.js';
import type { KernelPool } from './pool.js';
import { VectorArithmetic } from './vector-arithmetic.js';

/** A vector in the coordinator's memory, of which the workers get slices, or the whole for a transform. */
class WorkersVector implements Vector {
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
 * Vectors over a curve's scalar field on the workers. One worker computes a transform; every other operation is made of
 * products of elements, of which all workers take slices. The curve's kernels must be open.
 */
export class WorkersPolynomials implements Polynomials {
  private readonly modulus: bigint;

  constructor(
    private readonly pool: KernelPool,
    readonly curve: CurveId,
  ) {
    const { transforms, fr } = CURVES[curve];
    if (transforms === undefined) {
      throw new PippinError('CURVE_MISMATCH', `expected a curve with transforms, got ${curve}`);
    }
    this.modulus = fr.modulus;
  }

  create(bytes: Uint8Array): Vector {
    if (bytes.length % SCALAR_BYTES !== 0) {
      throw new PippinError('INVALID_LENGTH', `expected elements of ${SCALAR_BYTES} bytes, got ${bytes.length} bytes`);
    }
    return new WorkersVector(bytes);
  }

  async read(vector: Vector): Promise<Uint8Array> {
    return copyBytes(bytesOf(vector));
  }

  scalars(vector: Vector): ScalarVector {
    return hostScalars(bytesOf(vector));
  }

  async linearCombination(terms: readonly Term[], { signal }: VectorCall = {}): Promise<Vector> {
    const operands = sameLength(terms.map(({ vector }) => vector));
    return this.compute(signal, (on) =>
      on.combine(
        operands,
        terms.map(({ factor }) => factor),
      ),
    );
  }

  async multiply(a: Vector, b: Vector, { signal, consume }: ConsumingCall = {}): Promise<Vector> {
    const [x, y] = sameLength([a, b]);
    return this.consuming(a, consume, () => this.compute(signal, (on) => on.multiply(x!, y!)));
  }

  async multiplySubtract(a: Vector, b: Vector, c: Vector, { signal, consume }: ConsumingCall = {}): Promise<Vector> {
    const [x, y, z] = sameLength([a, b, c]);
    return this.consuming(a, consume, () => this.compute(signal, (on) => on.multiply(x!, y!, z!)));
  }

  async invert(a: Vector, { signal, consume }: ConsumingCall = {}): Promise<Vector> {
    return this.consuming(a, consume, () => this.compute(signal, (on) => on.invert(bytesOf(a))));
  }

  async prefixProducts(
    a: Vector,
    { signal }: VectorCall = {},
  ): Promise<{ readonly products: Vector; readonly product: bigint }> {
    let product = 1n;
    const products = await this.compute(signal, async (on) => {
      const made = await on.prefixProducts(bytesOf(a));
      product = made.product;
      return made.products;
    });
    return { products, product };
  }

  async evaluate(coefficients: Vector, x: bigint, { signal }: VectorCall = {}): Promise<bigint> {
    const on = new VectorArithmetic(this.pool, this.curve, signal);
    try {
      return await on.evaluate(bytesOf(coefficients), mod(x, this.modulus));
    } finally {
      on.end();
    }
  }

  async divideByLinear(
    coefficients: Vector,
    z: bigint,
    { signal }: VectorCall = {},
  ): Promise<{ readonly quotient: Vector; readonly value: bigint }> {
    const bytes = bytesOf(coefficients);
    let value = 0n;
    const quotient = await this.compute(signal, async (on) => {
      const values = await on.suffixValues(bytes, mod(z, this.modulus));
      if (values.length > 0) value = bytesToBigint(values, 0, SCALAR_BYTES);
      return on.withoutFirst(values);
    });
    return { quotient, value };
  }

  async ntt(coefficients: Vector, coset: Coset, call: TransformCall = {}): Promise<Vector> {
    const bytes = cosetOf(this.curve, coset.size, coset.shift).size * SCALAR_BYTES;
    if (bytesOf(coefficients).length > bytes) throw tooMany(coefficients, coset);
    return this.transform(coefficients, coset, 'forward', call);
  }

  async inverseNtt(values: Vector, coset: Coset, call: TransformCall = {}): Promise<Vector> {
    this.expectValues(values, coset);
    return this.transform(values, coset, 'inverse', call);
  }

  async changeCoset(values: Vector, from: Coset, to: Coset, call: TransformCall = {}): Promise<Vector> {
    this.expectValues(values, from);
    const { curve } = this;
    const { size, shift } = cosetOf(curve, to.size, to.shift);
    if (size < from.size) throw tooMany(values, to);
    const { signal, onProgress } = call;
    const isFromDomain = size === from.size && cosetOf(curve, size, from.shift).shift === 1n;
    if (isFromDomain && size < 2 ** CURVES[curve].fr.twoAdicity && shift === oddCoset(curve, size).shift) {
      const options = { signal, onProgress, urgent: true, moved: true };
      const toCoset = (moved: Uint8Array) => this.pool.call(curve, 'shiftToCoset', { values: moved }, options);
      return this.whole(values, size, call, toCoset);
    }
    const half = (done: number) => onProgress && ((fraction: number) => onProgress(done + fraction / 2));
    const coefficients = await this.inverseNtt(values, from, { ...call, onProgress: half(0) });
    return this.ntt(coefficients, to, { ...call, consume: true, onProgress: half(0.5) });
  }

  async divideByVanishing(values: Vector, coset: Coset, n: number, call: ConsumingCall = {}): Promise<Vector> {
    this.expectValues(values, coset);
    if (cosetOf(this.curve, n).size > coset.size) {
      throw new PippinError('INVALID_ARGUMENT', `expected n of at most ${coset.size}, got ${n}`);
    }
    const divisors = vanishingValues(this.curve, coset, n);
    if (divisors.includes(0n)) {
      throw new PippinError(
        'INVALID_ARGUMENT',
        `expected a coset on which X^${n} - 1 is not 0, got one with a zero of it`,
      );
    }
    const factors = newBytes(divisors.length * SCALAR_BYTES);
    for (const [i, divisor] of divisors.entries()) writeBigint(factors, i * SCALAR_BYTES, SCALAR_BYTES, divisor);
    const divide = async (on: VectorArithmetic): Promise<Uint8Array> =>
      on.multiply(bytesOf(values), await on.invert(factors));
    return this.consuming(values, call.consume, () => this.compute(call.signal, divide));
  }

  private transform(
    vector: Vector,
    { size, shift }: Coset,
    direction: 'forward' | 'inverse',
    call: TransformCall,
  ): Promise<Vector> {
    const { signal, onProgress } = call;
    const options = { signal, onProgress, urgent: true, moved: true };
    const onDomain = (values: Uint8Array) => this.pool.call(this.curve, 'transform', { values, direction }, options);
    const shifts = mod(shift, this.modulus);
    if (shifts === 1n) return this.whole(vector, size, call, onDomain);
    const scaled = async (values: Uint8Array, base: bigint): Promise<Uint8Array> => {
      const on = new VectorArithmetic(this.pool, this.curve, signal);
      try {
        return copyBytes(await on.scaleByPowers(values, base));
      } finally {
        on.end();
        wipeAndFree(values);
      }
    };
    return this.whole(vector, size, call, async (values) =>
      direction === 'forward'
        ? onDomain(await scaled(values, shifts))
        : scaled(await onDomain(values), inverse(shifts, this.modulus)),
    );
  }

  /**
   * Runs a transform of `size` elements, which the vector has, or zeros after its own, on one worker. The array that it
   * is given is moved there.
   */
  private async whole(
    vector: Vector,
    size: number,
    { consume }: ConsumingCall,
    transform: (moved: Uint8Array) => Promise<Uint8Array>,
  ): Promise<Vector> {
    const bytes = bytesOf(vector);
    const run = async (array: Uint8Array): Promise<Vector> => {
      try {
        return new WorkersVector(await transform(array));
      } finally {
        // It is here still if the call failed before it was sent.
        wipeAndFree(array);
      }
    };
    // A vector of this class, as `bytesOf` has found.
    if (consume && vector.length === size) return run((vector as WorkersVector).take());
    const attempt = (): Promise<Vector> => {
      const padded = newBytes(size * SCALAR_BYTES);
      padded.set(bytes);
      return run(padded);
    };
    return this.consuming(vector, consume, () => retryOnDeadWorker(attempt));
  }

  /** A vector of what `work` computes. The arrays that it makes are overwritten. */
  private async compute(
    signal: AbortSignal | undefined,
    work: (on: VectorArithmetic) => Promise<Uint8Array>,
  ): Promise<Vector> {
    const on = new VectorArithmetic(this.pool, this.curve, signal);
    try {
      return new WorkersVector(copyBytes(await work(on)));
    } finally {
      on.end();
    }
  }

  private async consuming<T>(vector: Vector, consume: boolean | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      if (consume) vector.release();
    }
  }

  private expectValues(values: Vector, { size, shift }: Coset): void {
    if (values.length === cosetOf(this.curve, size, shift).size) return;
    throw new PippinError(
      'INVALID_LENGTH',
      `expected ${size} values on a coset of ${size} points, got ${values.length}`,
    );
  }
}

function bytesOf(vector: Vector): Uint8Array {
  if (vector instanceof WorkersVector) return vector.bytes;
  throw new PippinError('INVALID_ARGUMENT', 'expected a vector on the workers, got one of another executor');
}

function sameLength(vectors: readonly Vector[]): Uint8Array[] {
  const operands = vectors.map(bytesOf);
  if (operands.length === 0 || operands.some(({ length }) => length !== operands[0]!.length)) {
    const lengths = vectors.map(({ length }) => length).join(', ');
    throw new PippinError('INVALID_LENGTH', `expected vectors of one length, got ${lengths || 'none'}`);
  }
  return operands;
}

function tooMany({ length }: Vector, { size }: Coset): PippinError {
  return new PippinError(
    'INVALID_LENGTH',
    `expected at most ${size} elements for a coset of ${size} points, got ${length}`,
  );
}
