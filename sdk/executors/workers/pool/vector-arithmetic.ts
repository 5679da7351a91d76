import { bigintToBytes, bytesToBigint, joinBytes, newBytes, writeBigint } from '../../../base/bytes.js';
import { wipeAndFree } from '../../../base/free-memory.js';
import { SecretBytes } from '../../../base/secret-bytes.js';
import { CURVES, type CurveId, SCALAR_BYTES } from '../../../curves/index.js';
import { inverse, mod, power } from '../../../curves/modular.js';
import type { KernelPool } from './pool.js';
import { eachSlice, SLICE_ELEMENTS } from './slices.js';

/** As many elements are computed here, with BigInt: a call to the workers would take longer. */
const SMALL = 32;

/**
 * One computation with vectors of elements as bytes. Everything is made of the workers' two element-wise products, a b
 * and a b - c: what depends on the elements before it is computed for pairs of neighbours first, by recursion on half
 * as many (Blelloch, "Prefix sums and their applications", 1990). So all workers take part, and the products are a
 * small multiple of the elements.
 */
export class VectorArithmetic {
  private readonly modulus: bigint;
  private readonly secrets = new SecretBytes();

  constructor(
    private readonly pool: KernelPool,
    private readonly curve: CurveId,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.modulus = CURVES[curve].fr.modulus;
  }

  /** Overwrites all arrays that were made. */
  end(): void {
    this.secrets.wipe();
  }

  /**
   * a_i b_i, or a_i b_i - c_i. An operand shorter than `a` is repeated: its length is a power of two, or at least the
   * length of a slice.
   */
  async multiply(a: Uint8Array, b: Uint8Array, c?: Uint8Array): Promise<Uint8Array> {
    const { pool, curve, signal } = this;
    const target = this.make(a.length);
    const options = { signal, urgent: true };
    const work = async (from: number, to: number): Promise<void> => {
      const of = (operand: Uint8Array): Uint8Array => sliceOf(operand, from * SCALAR_BYTES, to * SCALAR_BYTES);
      const made = await (c === undefined
        ? pool.call(curve, 'multiplyElements', { a: of(a), b: of(b) }, options)
        : pool.call(curve, 'multiplySubtract', { a: of(a), b: of(b), c: of(c) }, options));
      target.set(made, from * SCALAR_BYTES);
      wipeAndFree(made);
    };
    await eachSlice(pool, a.length / SCALAR_BYTES, SLICE_ELEMENTS, work, { signal });
    return target;
  }

  /** f_0 a + f_1 b + .. */
  async combine(operands: readonly Uint8Array[], factors: readonly bigint[]): Promise<Uint8Array> {
    // Each further product subtracts what is there, so the sign changes with each; in the end it is plus.
    let sign = operands.length % 2 === 1 ? 1n : -1n;
    let sum = await this.multiply(operands[0]!, this.constant(sign * factors[0]!));
    for (const [i, operand] of operands.entries()) {
      if (i === 0) continue;
      sum = await this.multiply(operand, this.constant(-sign * factors[i]!), sum);
      sign = -sign;
    }
    return sum;
  }

  /** c_i base^i. */
  async scaleByPowers(values: Uint8Array, base: bigint): Promise<Uint8Array> {
    const first: bigint[] = [];
    for (let x = 1n; first.length < SMALL; x = (x * base) % this.modulus) first.push(x);
    let powers = this.encode(first);
    while (powers.length < values.length) {
      const factor = power(base, BigInt(powers.length / SCALAR_BYTES), this.modulus);
      powers = this.secrets.add(joinBytes([powers, await this.multiply(powers, this.constant(factor))]));
    }
    return this.multiply(values, powers);
  }

  /** 1 / a_i, and 0 for 0, by batch inversion. */
  async invert(values: Uint8Array): Promise<Uint8Array> {
    const zeros = zerosOf(values);
    if (zeros.length === 0) return this.invertAll(values);
    const changed = this.secrets.add(values.slice());
    for (const at of zeros) changed[at] = 1;
    const inverted = await this.invertAll(changed);
    for (const at of zeros) inverted.fill(0, at, at + SCALAR_BYTES);
    return inverted;
  }

  private async invertAll(values: Uint8Array): Promise<Uint8Array> {
    if (isSmall(values)) return this.encode(decode(values).map((value) => inverse(value, this.modulus)));
    const [even, odd] = this.split(values, 1n);
    const inverted = await this.invertAll(await this.multiply(even, odd));
    return this.join(await this.multiply(inverted, odd), await this.multiply(inverted, even), values.length);
  }

  /** The prefix products (of the elements before each), and the product of all. */
  async prefixProducts(values: Uint8Array): Promise<{ readonly products: Uint8Array; readonly product: bigint }> {
    if (isSmall(values)) {
      let product = 1n;
      const products = decode(values).map((value) => {
        const before = product;
        product = (product * value) % this.modulus;
        return before;
      });
      return { products: this.encode(products), product };
    }
    const [even, odd] = this.split(values, 1n);
    const { products, product } = await this.prefixProducts(await this.multiply(even, odd));
    return { products: this.join(products, await this.multiply(products, even), values.length), product };
  }

  /** The value at x of the polynomial with these coefficients: of even(x^2) + x odd(x^2). */
  async evaluate(coefficients: Uint8Array, x: bigint): Promise<bigint> {
    if (isSmall(coefficients)) {
      return decode(coefficients).reduceRight((value, each) => (value * x + each) % this.modulus, 0n);
    }
    const [even, odd] = this.split(coefficients, 0n);
    const negative = await this.multiply(odd, this.constant(-x), even);
    return mod(-(await this.evaluate(negative, (x * x) % this.modulus)), this.modulus);
  }

  /** For each i the value at z of the coefficients from i on, with z^0 for the first: v_i = c_i + z v_(i + 1). */
  async suffixValues(coefficients: Uint8Array, z: bigint): Promise<Uint8Array> {
    if (isSmall(coefficients)) {
      const values = decode(coefficients);
      for (let i = values.length - 2; i >= 0; i--) values[i] = (values[i]! + z * values[i + 1]!) % this.modulus;
      return this.encode(values);
    }
    const [even, odd] = this.split(coefficients, 0n);
    const negativePairs = await this.multiply(odd, this.constant(-z), even);
    const negativeEven = await this.suffixValues(negativePairs, (z * z) % this.modulus);
    const negativeOdd = await this.multiply(this.withoutFirst(negativeEven), this.constant(z), odd);
    return this.multiply(this.join(negativeEven, negativeOdd, coefficients.length), this.constant(-1n));
  }

  /** All elements but the first, and 0 in the end. */
  withoutFirst(values: Uint8Array): Uint8Array {
    const moved = this.make(values.length);
    moved.set(values.subarray(SCALAR_BYTES));
    return moved;
  }

  /** A vector of one element, as long as a slice. */
  private constant(value: bigint): Uint8Array {
    const bytes = bigintToBytes(mod(value, this.modulus), SCALAR_BYTES);
    const constant = this.make(SLICE_ELEMENTS * SCALAR_BYTES);
    constant.set(bytes);
    for (let done = SCALAR_BYTES; done < constant.length; done *= 2) constant.copyWithin(done, 0, done);
    return constant;
  }

  /** The elements of even number and of odd number; if one of odd number is missing, `last` takes its place. */
  private split(values: Uint8Array, last: bigint): [even: Uint8Array, odd: Uint8Array] {
    const pairs = Math.ceil(values.length / SCALAR_BYTES / 2);
    const halves = [this.make(pairs * SCALAR_BYTES), this.make(pairs * SCALAR_BYTES)] as const;
    writeBigint(halves[1], (pairs - 1) * SCALAR_BYTES, SCALAR_BYTES, last);
    for (let at = 0; at < values.length; at += SCALAR_BYTES) {
      const half = halves[(at / SCALAR_BYTES) % 2]!;
      half.set(values.subarray(at, at + SCALAR_BYTES), Math.floor(at / SCALAR_BYTES / 2) * SCALAR_BYTES);
    }
    return [halves[0], halves[1]];
  }

  /** The first elements, as many as fit so many bytes, of the vector that `split` would have given as these. */
  private join(even: Uint8Array, odd: Uint8Array, bytes: number): Uint8Array {
    const values = this.make(bytes);
    for (let at = 0; at < bytes; at += SCALAR_BYTES) {
      const half = (at / SCALAR_BYTES) % 2 === 0 ? even : odd;
      const from = Math.floor(at / SCALAR_BYTES / 2) * SCALAR_BYTES;
      values.set(half.subarray(from, from + SCALAR_BYTES), at);
    }
    return values;
  }

  private encode(values: readonly bigint[]): Uint8Array {
    const bytes = this.make(values.length * SCALAR_BYTES);
    for (const [i, value] of values.entries()) writeBigint(bytes, i * SCALAR_BYTES, SCALAR_BYTES, value);
    return bytes;
  }

  private make(bytes: number): Uint8Array {
    return this.secrets.add(newBytes(bytes));
  }
}

/** Bytes from..to, at most a slice's, of an operand that is repeated. */
function sliceOf(operand: Uint8Array, from: number, to: number): Uint8Array {
  if (to <= operand.length) return operand.subarray(from, to);
  const at = from % operand.length;
  if (at + to - from <= operand.length) return operand.subarray(at, at + to - from);
  const repeated = newBytes(to - from);
  for (let done = 0; done < repeated.length; done += operand.length) {
    repeated.set(operand.subarray(0, Math.min(operand.length, repeated.length - done)), done);
  }
  return repeated;
}

function isSmall(values: Uint8Array): boolean {
  return values.length <= SMALL * SCALAR_BYTES;
}

function decode(bytes: Uint8Array): bigint[] {
  return Array.from({ length: bytes.length / SCALAR_BYTES }, (_, i) =>
    bytesToBigint(bytes, i * SCALAR_BYTES, SCALAR_BYTES),
  );
}

/** Where the elements begin that are 0. */
function zerosOf(values: Uint8Array): number[] {
  const zeros: number[] = [];
  for (let at = 0; at < values.length; at += SCALAR_BYTES) {
    if (values.subarray(at, at + SCALAR_BYTES).every((byte) => byte === 0)) zeros.push(at);
  }
  return zeros;
}
