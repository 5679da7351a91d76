import { untilAborted } from '../../../base/abort.js';
import { bigintToBytes, bytesToBigint, copyBytes, joinBytes, newBytes, writeBigint } from '../../../base/bytes.js';
import { PippinError } from '../../../base/errors.js';
import { wipe, wipeAndFree } from '../../../base/free-memory.js';
import { CURVES, SCALAR_BYTES } from '../../../curves/index.js';
import { inverse, mod, power } from '../../../curves/modular.js';
import { type Coset, cosetOf } from '../../../polynomials/domain.js';
import { compile, Expression } from '../../../polynomials/expression.js';
import {
  ADDITION_BYTES,
  type Additions,
  type ConsumingCall,
  type Indices,
  type Monomial,
  type Polynomials,
  type Term,
  type TransformCall,
  type Vector,
  type VectorCall,
} from '../../../polynomials/polynomials.js';
import { retryOnDeadWorker } from '../../../recovery/attempt.js';
import type { ElementsArgs } from '../kernel/element-kernel.js';
import type { ElementsKernel } from '../kernel/kernel.js';
import type { KernelArguments, KernelResult } from '../kernel/kernel-host.js';
import { eachSlice, SLICE_ELEMENTS } from './slices.js';
import { bytesOf, onWorkers, sameLength, WorkersVector, WorkersVectors } from './workers-vectors.js';

/** The kernel's methods for vectors. */
type ElementMethod = {
  [M in keyof ElementsKernel]: Parameters<ElementsKernel[M]>[0] extends ElementsArgs ? M : never;
}[keyof ElementsKernel];

/**
 * Vectors over a curve's scalar field on the workers. One worker computes a transform; all other operations are cut
 * into slices for all of them. What depends on the elements before (products, Horner's method) takes two passes: the
 * first finds what each slice passes on, a few elements, which are combined here. The curve's kernels must be open.
 */
export class WorkersPolynomials extends WorkersVectors implements Polynomials {
  private readonly modulus = CURVES[this.curve].fr.modulus;

  get parallelTransforms(): number {
    return this.pool.size;
  }

  indices(bytes: Uint8Array): Indices {
    return new WorkersIndices(bytes);
  }

  async gather(values: Vector, indices: Indices, { signal }: VectorCall = {}): Promise<Vector> {
    const args = { values: bytesOf(values), indices: onThese(indices, WorkersIndices).bytes };
    return new WorkersVector(await retryOnDeadWorker(() => this.call('gather', args, signal)));
  }

  additions(rows: Uint8Array): Additions {
    return new WorkersAdditions(rows);
  }

  async extend(values: Vector, additions: Additions, { signal }: VectorCall = {}): Promise<Vector> {
    const args = { values: bytesOf(values), additions: onThese(additions, WorkersAdditions).rows };
    return new WorkersVector(await retryOnDeadWorker(() => this.call('extendElements', args, signal)));
  }

  async compute(expression: Expression, operands: readonly Vector[], { signal }: VectorCall = {}): Promise<Vector> {
    return this.run(expression, sameLength(operands), signal);
  }

  async linearCombination(terms: readonly Term[], { signal }: VectorCall = {}): Promise<Vector> {
    const operands = terms.map(({ vector }) => bytesOf(vector));
    if (operands.length === 0) throw new PippinError('INVALID_LENGTH', 'expected vectors, got none');
    const products = Expression.operands(terms.length).map((operand, i) => operand.times(terms[i]!.factor));
    return this.run(
      products.reduce((sum, product) => sum.plus(product)),
      operands,
      signal,
    );
  }

  async addMonomials(coefficients: Vector, monomials: readonly Monomial[], length: number): Promise<Vector> {
    const bytes = bytesOf(coefficients);
    const sum = newBytes(length * SCALAR_BYTES);
    sum.set(bytes);
    for (const { index, value } of monomials) {
      const at = index * SCALAR_BYTES;
      writeBigint(sum, at, SCALAR_BYTES, mod(bytesToBigint(sum, at, SCALAR_BYTES) + value, this.modulus));
    }
    return new WorkersVector(sum);
  }

  async slice(coefficients: Vector, from: number, to: number): Promise<Vector> {
    return new WorkersVector(copyBytes(bytesOf(coefficients).subarray(from * SCALAR_BYTES, to * SCALAR_BYTES)));
  }

  async concatenate(vectors: readonly Vector[]): Promise<Vector> {
    return new WorkersVector(joinBytes(vectors.map(bytesOf)));
  }

  async interleave(polynomials: readonly Vector[], length: number): Promise<Vector> {
    const whole = new BigUint64Array(length * WORDS);
    const stride = polynomials.length * WORDS;
    for (const [i, polynomial] of polynomials.entries()) {
      const bytes = bytesOf(polynomial);
      const words = new BigUint64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
      for (let from = 0, to = i * WORDS; from < words.length; from += WORDS, to += stride) {
        for (let w = 0; w < WORDS; w++) whole[to + w] = words[from + w]!;
      }
    }
    return new WorkersVector(new Uint8Array(whole.buffer));
  }

  async isZeroFrom(vector: Vector, from: number): Promise<boolean> {
    const bytes = bytesOf(vector);
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    return words.subarray((from * SCALAR_BYTES) / 4).every((word) => word === 0);
  }

  async rotate(values: Vector, by: number): Promise<Vector> {
    const bytes = bytesOf(values);
    const rotated = newBytes(bytes.length);
    rotated.set(bytes.subarray(by * SCALAR_BYTES));
    rotated.set(bytes.subarray(0, by * SCALAR_BYTES), bytes.length - by * SCALAR_BYTES);
    return new WorkersVector(rotated);
  }

  async invert(a: Vector, { signal, consume }: ConsumingCall = {}): Promise<Vector> {
    const values = bytesOf(a);
    try {
      return await this.inSlices(values.length, signal, (from, to) =>
        this.call('invertElements', { values: values.subarray(from, to) }, signal),
      );
    } finally {
      if (consume) a.release();
    }
  }

  async prefixProducts(
    a: Vector,
    { signal }: VectorCall = {},
  ): Promise<{ readonly products: Vector; readonly product: Promise<bigint> }> {
    const values = bytesOf(a);
    const one = bigintToBytes(1n, SCALAR_BYTES);
    const totals = new Map<number, bigint>();
    await this.eachSliceOf(values.length, signal, async (from, to) => {
      const args = { values: values.subarray(from, to), start: one };
      totals.set(from, decode(await this.call('productOfElements', args, signal)));
    });
    const starts = new Map<number, Uint8Array>();
    let product = 1n;
    for (let from = 0; from < values.length; from += SLICE_BYTES) {
      starts.set(from, bigintToBytes(product, SCALAR_BYTES));
      product = (product * totals.get(from)!) % this.modulus;
    }
    const products = await this.inSlices(values.length, signal, (from, to) =>
      this.call('prefixProducts', { values: values.subarray(from, to), start: starts.get(from)! }, signal),
    );
    return { products, product: Promise.resolve(product) };
  }

  async evaluate(coefficients: Vector, x: bigint, { signal }: VectorCall = {}): Promise<bigint> {
    const { remainder } = await this.carries(bytesOf(coefficients), mod(x, this.modulus), 1, signal);
    return remainder[0]!;
  }

  async divideByBinomial(
    coefficients: Vector,
    z: bigint,
    { signal, k = 1 }: VectorCall & { readonly k?: number } = {},
  ): Promise<{ readonly quotient: Vector; readonly remainder: Promise<readonly bigint[]> }> {
    const values = bytesOf(coefficients);
    const x = mod(z, this.modulus);
    const { remainder, intoSlice } = await this.carries(values, x, k, signal);
    const quotient = await this.inSlices(values.length, signal, (from, to) => {
      const args = {
        coefficients: values.subarray(from, to),
        first: from / SCALAR_BYTES,
        x: bigintToBytes(x, SCALAR_BYTES),
        carries: encode(intoSlice.get(from)!),
      };
      return this.call('hornerQuotient', args, signal);
    });
    return { quotient, remainder: Promise.resolve(remainder) };
  }

  async ntt(coefficients: Vector, coset: Coset, call: TransformCall = {}): Promise<Vector> {
    const { size, shift } = cosetOf(this.curve, coset.size, coset.shift);
    if (coefficients.length <= size) return this.transform(coefficients, { size, shift }, 'forward', call);
    const reduced = this.reduce(bytesOf(coefficients), size, power(shift, BigInt(size), this.modulus));
    try {
      return await this.transform(reduced, { size, shift }, 'forward', { ...call, consume: true });
    } finally {
      if (call.consume) coefficients.release();
    }
  }

  async inverseNtt(values: Vector, coset: Coset, call: TransformCall = {}): Promise<Vector> {
    const { size, shift } = cosetOf(this.curve, coset.size, coset.shift);
    if (values.length !== size) {
      throw new PippinError('INVALID_LENGTH', `expected ${size} values on the coset, got ${values.length}`);
    }
    return this.transform(values, { size, shift }, 'inverse', call);
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
    if (shift === 1n) return this.whole(onWorkers(vector), size, call, onDomain);
    const scaled = async (values: Uint8Array, base: bigint): Promise<Uint8Array> => {
      const args = { values, base: bigintToBytes(base, SCALAR_BYTES), module: await this.module(signal) };
      return this.pool.call(this.curve, 'scaleByPowers', args, options);
    };
    return this.whole(onWorkers(vector), size, call, async (values) =>
      direction === 'forward'
        ? onDomain(await scaled(values, shift))
        : scaled(await onDomain(values), inverse(shift, this.modulus)),
    );
  }

  /** Coefficients modulo X^n - s, as a new vector. */
  private reduce(bytes: Uint8Array, n: number, s: bigint): WorkersVector {
    const reduced = copyBytes(bytes.subarray(0, n * SCALAR_BYTES));
    let factor = 1n;
    for (let i = n; i < bytes.length / SCALAR_BYTES; i++) {
      if (i % n === 0) factor = (factor * s) % this.modulus;
      const at = (i % n) * SCALAR_BYTES;
      const sum =
        bytesToBigint(reduced, at, SCALAR_BYTES) + factor * bytesToBigint(bytes, i * SCALAR_BYTES, SCALAR_BYTES);
      writeBigint(reduced, at, SCALAR_BYTES, sum % this.modulus);
    }
    return new WorkersVector(reduced);
  }

  /** The values of an expression, for as many elements as the longest operand has. */
  private run(
    expression: Expression,
    operands: readonly Uint8Array[],
    signal: AbortSignal | undefined,
  ): Promise<Vector> {
    const { code, constants } = compile(expression, operands.length, this.modulus);
    const length = Math.max(...operands.map((operand) => operand.length));
    const work = async (from: number, to: number): Promise<Uint8Array> => {
      const module = await this.module(signal);
      return retryOnDeadWorker(() => {
        const joined = newBytes(operands.length * (to - from));
        for (const [i, operand] of operands.entries()) joined.set(operand.subarray(from, to), i * (to - from));
        const count = (to - from) / SCALAR_BYTES;
        const args = { code: copyBytes(code), constants: copyBytes(constants), operands: joined, count, module };
        return this.pool.call(this.curve, 'computeElements', args, { signal, urgent: true, moved: true });
      });
    };
    // All arrays are made for the call and moved: the operands of a slice are together a megabyte.
    const elements = Math.min(SLICE_ELEMENTS, Math.floor(JOINED_ELEMENTS / operands.length));
    return this.inSlices(length, signal, work, elements * SCALAR_BYTES);
  }

  /**
   * Horner's method for each residue class of the indices modulo k: what each slice gets from the slices after it, and
   * what is left in the end.
   */
  private async carries(
    values: Uint8Array,
    x: bigint,
    k: number,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly remainder: readonly bigint[]; readonly intoSlice: ReadonlyMap<number, readonly bigint[]> }> {
    const none = new Array<bigint>(k).fill(0n);
    const ofSlice = new Map<number, readonly bigint[]>();
    await this.eachSliceOf(values.length, signal, async (from, to) => {
      const args = {
        coefficients: values.subarray(from, to),
        first: from / SCALAR_BYTES,
        x: bigintToBytes(x, SCALAR_BYTES),
        carries: encode(none),
      };
      ofSlice.set(from, decodeAll(await this.call('hornerCarries', args, signal)));
    });
    const intoSlice = new Map<number, readonly bigint[]>();
    let carries: readonly bigint[] = none;
    for (const from of [...ofSlice.keys()].sort((a, b) => b - a)) {
      intoSlice.set(from, carries);
      const [first, end] = [from, Math.min(from + SLICE_BYTES, values.length)].map((at) => at / SCALAR_BYTES);
      carries = ofSlice.get(from)!.map((own, residue) => {
        // The indices of this class below a bound are ceil((bound - residue) / k).
        const steps = Math.ceil((end! - residue) / k) - Math.ceil((first! - residue) / k);
        return (own + power(x, BigInt(steps), this.modulus) * carries[residue]!) % this.modulus;
      });
    }
    return { remainder: carries, intoSlice };
  }

  /** The vector of what `work` gives for bytes from..to of it. */
  private async inSlices(
    bytes: number,
    signal: AbortSignal | undefined,
    work: (from: number, to: number) => Promise<Uint8Array>,
    size = SLICE_BYTES,
  ): Promise<Vector> {
    const result = newBytes(bytes);
    const takeSlice = async (from: number, to: number): Promise<void> => {
      const made = await work(from, to);
      result.set(made, from);
      wipeAndFree(made);
    };
    try {
      await eachSlice(this.pool, bytes, size, takeSlice, { signal });
    } catch (error) {
      wipe(result);
      throw error;
    }
    return new WorkersVector(result);
  }

  private eachSliceOf(
    bytes: number,
    signal: AbortSignal | undefined,
    work: (from: number, to: number) => Promise<void>,
  ): Promise<void> {
    return eachSlice(this.pool, bytes, SLICE_BYTES, work, { signal });
  }

  private async call<M extends ElementMethod>(
    method: M,
    args: Omit<KernelArguments<M>, 'module'>,
    signal: AbortSignal | undefined,
  ): Promise<KernelResult<M>> {
    const module = await this.module(signal);
    // TypeScript cannot tell that these are all of a method's arguments, which it takes by a generic name.
    const whole = { ...args, module } as unknown as KernelArguments<M>;
    return this.pool.call(this.curve, method, whole, { signal, urgent: true });
  }

  /** The curve's module of vectors, which the first call compiles. */
  private module(signal: AbortSignal | undefined): Promise<WebAssembly.Module> {
    return untilAborted(this.pool.module(this.curve, 'elements'), signal);
  }
}

/** Indices in the coordinator's memory. */
class WorkersIndices implements Indices {
  readonly length: number;

  constructor(readonly bytes: Uint8Array) {
    this.length = bytes.length / Uint32Array.BYTES_PER_ELEMENT;
  }

  release(): void {
    // The array is the caller's.
  }
}

/** Additions in the coordinator's memory. */
class WorkersAdditions implements Additions {
  readonly count: number;

  constructor(readonly rows: Uint8Array) {
    this.count = rows.length / ADDITION_BYTES;
  }

  release(): void {
    // The array is the caller's.
  }
}

/** `INVALID_ARGUMENT` for what another executor made. */
function onThese<T>(given: object, type: new (bytes: Uint8Array) => T): T {
  if (given instanceof type) return given;
  throw new PippinError('INVALID_ARGUMENT', 'expected indices or additions on the workers, got others');
}

/** Words of 64 bits in an element. */
const WORDS = SCALAR_BYTES / 8;

const SLICE_BYTES = SLICE_ELEMENTS * SCALAR_BYTES;

/** Elements of all operands of an expression together in a slice. */
const JOINED_ELEMENTS = 4 * SLICE_ELEMENTS;

function decode(bytes: Uint8Array): bigint {
  return bytesToBigint(bytes, 0, SCALAR_BYTES);
}

function decodeAll(bytes: Uint8Array): bigint[] {
  return Array.from({ length: bytes.length / SCALAR_BYTES }, (_, i) => decode(bytes.subarray(i * SCALAR_BYTES)));
}

function encode(values: readonly bigint[]): Uint8Array {
  const bytes = newBytes(values.length * SCALAR_BYTES);
  for (const [i, value] of values.entries()) writeBigint(bytes, i * SCALAR_BYTES, SCALAR_BYTES, value);
  return bytes;
}
