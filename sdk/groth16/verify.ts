import { bn254 as curve } from '@noble/curves/bn254.js';
import { PippinError } from '../errors.js';
import { type G1Value, type G2Value, parseProof, parsePublicSignals, parseVerificationKey } from './proof-json.js';

const G1 = curve.G1.Point;
const G2 = curve.G2.Point;
const { Fp2, Fp12 } = curve.fields;
type G1Point = InstanceType<typeof G1>;
type G2Point = InstanceType<typeof G2>;
type Fp12Value = ReturnType<typeof curve.pairingBatch>;
/** The lines of a point of G2's Miller loop. */
type G2Lines = ReturnType<typeof curve.utils.calcPairingPrecomputes>;
const { calcPairingPrecomputes } = curve.utils;

/** What of a Groth16 equation depends on the key alone, computed once. */
export class Verifier {
  private readonly ic: readonly G1Point[];
  /** The Miller loop of (alpha, beta). */
  private readonly alphaBeta: Fp12Value;
  private readonly gamma: G2Lines;
  private readonly delta: G2Lines;

  /**
   * @param verificationKey in snarkjs' JSON form. `INVALID_POINT` for a point off its curve or outside the subgroup, and for infinity
   * as alpha, beta, gamma or delta; `MALFORMED_FILE` and the like for what is no key at all.
   */
  constructor(verificationKey: unknown) {
    const key = parseVerificationKey(verificationKey);
    const alpha = finite(ofKey(g1(key.alpha1), 'vk_alpha_1'), 'vk_alpha_1');
    const beta = finite(ofKey(g2(key.beta2), 'vk_beta_2'), 'vk_beta_2');
    this.gamma = calcPairingPrecomputes(finite(ofKey(g2(key.gamma2), 'vk_gamma_2'), 'vk_gamma_2'));
    this.delta = calcPairingPrecomputes(finite(ofKey(g2(key.delta2), 'vk_delta_2'), 'vk_delta_2'));
    this.ic = key.ic.map((value, i) => ofKey(g1(value), `IC[${i}]`));
    this.alphaBeta = curve.pairingBatch([{ g1: alpha, g2: beta }], false);
  }

  /**
   * Whether a Groth16 proof holds: e(A, B) = e(alpha, beta) e(IC_0 + sum x_i IC_i, gamma) e(C, delta) (Groth, 2016/260, section
   * 3.2), by one product of pairings. Signals and proof are in snarkjs' JSON form.
   *
   * A proof with a point off its curve or outside the subgroup does not hold. `INVALID_LENGTH` when the signals are not as many as
   * the key asks for, `INVALID_SCALAR` for one that is not below r, `MALFORMED_FILE` and the like for what is no proof or signals.
   */
  verify(publicSignals: unknown, proof: unknown): boolean {
    const signals = parsePublicSignals(publicSignals);
    const values = parseProof(proof);
    if (signals.length !== this.ic.length - 1) {
      throw new PippinError(
        'INVALID_LENGTH',
        `expected ${this.ic.length - 1} public signals for this key, got ${signals.length}`,
      );
    }
    const [a, b, c] = [g1(values.a), g2(values.b), g1(values.c)];
    if (a === undefined || b === undefined || c === undefined) return false;
    let input = this.ic[0]!;
    for (const [i, signal] of signals.entries()) {
      // The signals are public, so that their multiples need not all take the same time.
      input = input.add(this.ic[i + 1]!.multiplyUnsafe(signal));
    }
    const pairs: [G1Point, G2Lines][] = [
      [input, this.gamma],
      [c, this.delta],
    ];
    // A pairing with infinity is 1; noble wants it left out.
    if (!b.is0()) pairs.push([a.negate(), calcPairingPrecomputes(b)]);
    const loops = curve.millerLoopBatch(
      pairs
        .filter(([point]) => !point.is0())
        .map(([point, lines]) => {
          const { x, y } = point.toAffine();
          return [lines, x, y];
        }),
    );
    return Fp12.eql(Fp12.finalExponentiate(Fp12.mul(loops, this.alphaBeta)), Fp12.ONE);
  }
}

/** As `Verifier`, for a key that is used once. */
export function verifyProof(verificationKey: unknown, publicSignals: unknown, proof: unknown): boolean {
  return new Verifier(verificationKey).verify(publicSignals, proof);
}

/** A point of G1, which is all of its curve; undefined when it is off the curve. */
function g1(value: G1Value): G1Point | undefined {
  return value === undefined ? G1.ZERO : valid(G1.fromAffine(value));
}

/** A point of the subgroup of order r of the twist; undefined when it is none. */
function g2(value: G2Value): G2Point | undefined {
  if (value === undefined) return G2.ZERO;
  return valid(G2.fromAffine({ x: Fp2.fromBigTuple([...value.x]), y: Fp2.fromBigTuple([...value.y]) }));
}

function valid<Point extends G1Point | G2Point>(point: Point): Point | undefined {
  // (0, 0) is on neither curve; noble takes it for infinity.
  if (point.is0()) return undefined;
  try {
    point.assertValidity();
    return point;
  } catch {
    return undefined;
  }
}

function ofKey<Point>(point: Point | undefined, name: string): Point {
  if (point === undefined) {
    throw new PippinError('INVALID_POINT', `expected ${name} in the group of prime order, got a point outside of it`);
  }
  return point;
}

function finite<Point extends G1Point | G2Point>(point: Point, name: string): Point {
  if (point.is0()) throw new PippinError('INVALID_POINT', `expected ${name} as a finite point, got infinity`);
  return point;
}
