import { bigintToBytes, newBytes } from '../../base/bytes.js';
import { CURVES, SCALAR_BYTES } from '../../curves/index.js';
import type { WorkersPolynomials } from '../../executors/workers/pool/workers-polynomials.js';
import { onWorkers } from '../../executors/workers/pool/workers-vectors.js';
import { LOG_EXTENSION } from '../../files/snarkjs/plonk-arithmetization.js';
import { type Coset, cosetOf } from '../../polynomials/domain.js';
import type { Vector, VectorCall } from '../../polynomials/polynomials.js';
import type { Gates } from './gates.js';

/** The factors that tell the wires apart in snarkjs' keys: wire b of gate i is k1 w^i, and wire c is k2 w^i. */
export const WIRE_FACTORS = [1n, 2n, 3n] as const;

/** A polynomial as a key has it: n coefficients, and its values on the domain of 4 n elements; in Montgomery form. */
export interface WrittenRow {
  readonly coefficients: Uint8Array;
  readonly evaluations: Uint8Array;
}

/** The same with the n values on the domain that it was made from. */
export interface KeyRow extends WrittenRow {
  readonly values: Uint8Array;
}

/** Bytes of a row of n coefficients. */
export function rowBytes(domainSize: number): number {
  return (1 + 2 ** LOG_EXTENSION) * domainSize * SCALAR_BYTES;
}

/** The Montgomery form of a number with R = 2^256, as a key has its scalars. */
export function montgomeryScalar(modulus: bigint, value: bigint): Uint8Array {
  return bigintToBytes((value << BigInt(8 * SCALAR_BYTES)) % modulus, SCALAR_BYTES);
}

/**
 * Makes the polynomials of a key by NTTs on the workers. All vectors are in Montgomery form, which the transforms leave
 * alone, since they are linear.
 */
export class KeyRows {
  private readonly domain: Coset;
  private readonly extended: Coset;
  private readonly modulus: bigint;
  private values: Vector | undefined;
  private positions: Promise<Vector> | undefined;
  private lagrangeValues: Promise<Vector> | undefined;

  constructor(
    private readonly on: WorkersPolynomials,
    private readonly domainSize: number,
    private readonly call: VectorCall,
  ) {
    this.domain = cosetOf(on.curve, domainSize);
    this.extended = cosetOf(on.curve, 2 ** LOG_EXTENSION * domainSize);
    this.modulus = CURVES[on.curve].fr.modulus;
  }

  /** The selector with these coefficients on the domain. */
  async selector({ field: { coefficients } }: Gates, numbers: Uint32Array): Promise<KeyRow> {
    const R = (1n << BigInt(8 * SCALAR_BYTES)) % this.modulus;
    this.values ??= this.on.create(coefficients.times(R));
    return this.interpolated(await this.gather(this.values, numbers));
  }

  /** The polynomial whose value at w^i is the position of wire number images[i]; see `permutationOf`. */
  async permutation(images: Uint32Array): Promise<KeyRow> {
    this.positions ??= this.allPositions();
    return this.interpolated(await this.gather(await this.positions, images));
  }

  /**
   * The Lagrange polynomial L_i: 1 at w^i, and 0 on the rest of the domain. L_i(x) = L_0(x w^-i): on the domain of
   * 4 n elements both have the same values, rotated by 4 i.
   */
  async lagrange(i: number): Promise<WrittenRow> {
    const { on, call, domain, extended } = this;
    const coefficients = await on.inverseNtt(this.unit(i), domain, call);
    this.lagrangeValues ??= on.inverseNtt(this.unit(0), domain, call).then((first) => on.ntt(first, extended, call));
    const evaluations = await on.rotate(await this.lagrangeValues, extended.size - i * 2 ** LOG_EXTENSION);
    return { coefficients: bytesOf(coefficients), evaluations: bytesOf(evaluations) };
  }

  /** The polynomial with these values on the domain. */
  private async interpolated(values: Vector): Promise<KeyRow> {
    const { on, call, domain, extended } = this;
    const coefficients = await on.inverseNtt(values, domain, call);
    const evaluations = await on.ntt(coefficients, extended, call);
    return { values: bytesOf(values), coefficients: bytesOf(coefficients), evaluations: bytesOf(evaluations) };
  }

  private gather(values: Vector, numbers: Uint32Array): Promise<Vector> {
    const { buffer, byteOffset, byteLength } = numbers;
    return this.on.gather(values, this.on.indices(new Uint8Array(buffer, byteOffset, byteLength)), this.call);
  }

  /** The positions of all wires: the points w^i of the domain, times the factor of each wire. */
  private async allPositions(): Promise<Vector> {
    const { on, call } = this;
    // The points are the values of the polynomial X.
    const points = await on.ntt(this.unit(1), this.domain, call);
    const cosets = WIRE_FACTORS.map((factor) => on.linearCombination([{ vector: points, factor }], call));
    return on.concatenate(await Promise.all(cosets));
  }

  /** A vector of n elements, 1 at i and else 0. */
  private unit(i: number): Vector {
    const bytes = newBytes(this.domainSize * SCALAR_BYTES);
    bytes.set(montgomeryScalar(this.modulus, 1n), i * SCALAR_BYTES);
    return this.on.create(bytes);
  }
}

/** Takes a vector's array. */
function bytesOf(vector: Vector): Uint8Array {
  return onWorkers(vector).take();
}
