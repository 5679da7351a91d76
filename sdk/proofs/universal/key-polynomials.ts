import { untilAborted } from '../../base/abort.js';
import { bigintToBytes, newBytes } from '../../base/bytes.js';
import { record } from '../../base/records.js';
import { CURVES, SCALAR_BYTES } from '../../curves/index.js';
import { inverse, power } from '../../curves/modular.js';
import { PLONK_POLYNOMIALS, type PlonkPolynomial } from '../../files/snarkjs/plonk-zkey.js';
import { type Coset, cosetOf, rootOfDomain } from '../../polynomials/domain.js';
import { Expression } from '../../polynomials/expression.js';
import type { Additions, Indices, Polynomials, Vector, VectorCall } from '../../polynomials/polynomials.js';
import { VectorScope } from '../../polynomials/vector-scope.js';

/** The most cosets of n points that a quotient needs: PLONK's has degree 3 n + 5. */
const COSETS = 4;

/** The values of the key's polynomials on one of the cosets. */
export interface ValuesOnCoset {
  readonly polynomials: Readonly<Record<PlonkPolynomial, Vector>>;
  /** The first Lagrange polynomial. */
  readonly lagrange: Vector;
}

/** How the values of a witness come to the wires of the gates. The arrays stay as they are. */
export interface KeyWiring {
  /** Values of a witness. */
  readonly variables: number;
  /** Rows of `ADDITION_BYTES`, each of which defines one more signal. */
  readonly additions: Uint8Array;
  /** The numbers of the signals on the n wires a, b and c each (u32). Signal 0 stands for the value 0. */
  readonly wires: readonly Uint8Array[];
}

/** What a key's polynomials are made from on any executor. */
export interface KeyVectors {
  /** The n coefficients of each polynomial, canonical; the arrays are taken. */
  readonly coefficients: Readonly<Record<PlonkPolynomial, Uint8Array>>;
  readonly wiring: KeyWiring;
}

/** The same on an executor, and what is computed from it before the first proof. */
interface LoadedVectors {
  readonly coefficients: Readonly<Record<PlonkPolynomial, Vector>>;
  readonly additions: Additions;
  readonly wires: readonly Indices[];
  readonly onDomain: readonly [points: Vector, s1: Vector, s2: Vector, s3: Vector];
}

/** A key's polynomials on an executor, in every form in which a proof takes them, and its wiring. */
export class KeyPolynomials {
  readonly domain: Coset;
  /** Together the points where X^(4 n) is -1: the odd powers of a primitive 8n-th root of unity, w_8n^(2 k + 1) H. */
  readonly cosets: readonly Coset[];
  /** The matrices that interpolate over the first m cosets, by m: the same for all proofs (quotient.ts). */
  readonly interpolations = new Map<number, readonly bigint[][]>();
  private readonly onCosets: (Promise<ValuesOnCoset> | undefined)[] = [];
  private released = false;

  readonly coefficients: Readonly<Record<PlonkPolynomial, Vector>>;
  readonly additions: Additions;
  /** Which signals are on the wires a, b and c. */
  readonly wires: readonly Indices[];
  /** The elements w^i of the domain, and the values of S1, S2 and S3 there. */
  readonly points: Vector;
  readonly permutations: readonly [Vector, Vector, Vector];

  private constructor(
    readonly on: Polynomials,
    readonly size: number,
    { coefficients, additions, wires, onDomain: [points, ...permutations] }: LoadedVectors,
    readonly isMemoryLimited: boolean,
  ) {
    this.coefficients = coefficients;
    this.additions = additions;
    this.wires = wires;
    this.points = points;
    this.permutations = permutations;
    const root = rootOfDomain(on.curve, 2 * COSETS * size);
    const { modulus } = CURVES[on.curve].fr;
    this.domain = cosetOf(on.curve, size);
    this.cosets = Array.from({ length: COSETS }, (_, k) =>
      cosetOf(on.curve, size, power(root, BigInt(2 * k + 1), modulus)),
    );
  }

  /**
   * @param isMemoryLimited with false, the values on the cosets, 36 n elements, are kept after the first proof. With
   * true every proof computes them anew.
   */
  static async load(
    on: Polynomials,
    { coefficients, wiring }: KeyVectors,
    isMemoryLimited: boolean,
    call: VectorCall,
  ): Promise<KeyPolynomials> {
    const { lasting = on } = on;
    const additions = lasting.additions(wiring.additions, wiring.variables);
    const wires = wiring.wires.map((wire) => lasting.indices(wire));
    const own = record(PLONK_POLYNOMIALS, (name) => lasting.create(coefficients[name]));
    const size = own.Qm.length;
    const domain = cosetOf(on.curve, size);
    const scope = new VectorScope();
    try {
      const onDomain = await Promise.all([
        scope.add(identityOn(lasting, domain, call)),
        scope.add(lasting.ntt(own.S1, domain, call)),
        scope.add(lasting.ntt(own.S2, domain, call)),
        scope.add(lasting.ntt(own.S3, domain, call)),
      ]);
      return new KeyPolynomials(on, size, { coefficients: own, additions, wires, onDomain }, isMemoryLimited);
    } catch (error) {
      for (const each of [...Object.values(own), additions, ...wires]) each.release();
      scope.end();
      throw error;
    }
  }

  /** Runs `work` with the values on coset k. */
  async useCoset<T>(k: number, call: VectorCall, work: (values: ValuesOnCoset) => Promise<T>): Promise<T> {
    const known = this.onCosets[k];
    // What stays is for other proofs, too, which go on when this one is aborted.
    const computing = known ?? this.computeCoset(k, this.isMemoryLimited ? call : {});
    if (!this.isMemoryLimited && known === undefined) {
      this.onCosets[k] = computing;
      computing.catch(() => {
        if (this.onCosets[k] === computing) this.onCosets[k] = undefined;
      });
    }
    const values = await (this.isMemoryLimited ? computing : untilAborted(computing, call.signal));
    try {
      return await work(values);
    } finally {
      if (this.isMemoryLimited || this.released) releaseValues(values);
    }
  }

  /** Frees everything. Idempotent. */
  release(): void {
    this.released = true;
    const { coefficients, additions, wires, points, permutations } = this;
    for (const each of [...Object.values(coefficients), additions, ...wires, points, ...permutations]) each.release();
    for (const values of this.onCosets.splice(0)) void values?.then(releaseValues, () => undefined);
  }

  private async computeCoset(k: number, call: VectorCall): Promise<ValuesOnCoset> {
    const coset = this.cosets[k]!;
    const on = (this.isMemoryLimited ? undefined : this.on.lasting) ?? this.on;
    const scope = new VectorScope();
    try {
      const [lagrange, ...values] = await Promise.all([
        scope.add(this.lagrangeOn(on, coset, call)),
        ...PLONK_POLYNOMIALS.map((name) => scope.add(on.ntt(this.coefficients[name], coset, call))),
      ]);
      const entries = PLONK_POLYNOMIALS.map((name, i) => [name, values[i]!]);
      return { polynomials: Object.fromEntries(entries), lagrange: lagrange! };
    } catch (error) {
      scope.end();
      throw error;
    }
  }

  /** L_1(x) = (x^n - 1) / (n (x - 1)); x^n is the same on the whole coset. */
  private async lagrangeOn(on: Polynomials, { shift }: Coset, call: VectorCall): Promise<Vector> {
    const { size } = this;
    const { modulus } = CURVES[on.curve].fr;
    const vanishing = power(shift, BigInt(size), modulus) - 1n;
    const [x] = Expression.operands(1) as [Expression];
    const scale = inverse(BigInt(size), modulus) * vanishing;
    const denominators = await on.compute(x.times(shift).minus(1n), [this.points], call);
    const inverses = await on.invert(denominators, { ...call, consume: true });
    try {
      return await on.compute(x.times(scale), [inverses], call);
    } finally {
      inverses.release();
    }
  }
}

/** The points of a domain: the values of the polynomial X. */
async function identityOn(on: Polynomials, domain: Coset, call: VectorCall): Promise<Vector> {
  const bytes = newBytes(domain.size * SCALAR_BYTES);
  bytes.set(bigintToBytes(1n, SCALAR_BYTES), SCALAR_BYTES);
  return on.ntt(on.create(bytes), domain, { ...call, consume: true });
}

function releaseValues({ polynomials, lagrange }: ValuesOnCoset): void {
  for (const vector of [...Object.values(polynomials), lagrange]) vector.release();
}
