import type { Groth16Proof } from '../../api/index.js';
import { equalBytes, joinBytes, writeBigint } from '../../base/bytes.js';
import { CURVES, type CurveId, pointBytes, SCALAR_BYTES } from '../../curves/index.js';
import { parseProof, parseVerificationKey } from '../../files/snarkjs/groth16-json.js';
import { parsePublicSignals } from '../../files/snarkjs/json-values.js';
import type { PairingArithmetic } from '../pairings.js';
import { encodeAffine, expectMembers, finite, negated, ofKey } from '../verified-points.js';
import { expectFinished } from './expected-key.js';

/** A proof's points in the boundary form, and its signals. */
export interface Groth16Claim {
  readonly signals: readonly bigint[];
  readonly a: Uint8Array;
  readonly b: Uint8Array;
  readonly c: Uint8Array;
}

/** Whether a proof holds whose points A and B are known already. */
export type VerificationAhead = (proof: Groth16Proof) => Promise<boolean>;

/** A verification key whose points have been checked once, so that they are not checked again for every proof. */
export class Verifier {
  private constructor(
    readonly curve: CurveId,
    readonly alpha: Uint8Array,
    /** beta, gamma and delta. */
    readonly g2: readonly [Uint8Array, Uint8Array, Uint8Array],
    private readonly ic: Uint8Array,
  ) {}

  /**
   * `arithmetic` must belong to the key's curve (see `curveOfVerificationKey`).
   *
   * @param verificationKey in snarkjs' JSON form. `INVALID_POINT` for a point that is not on its curve or not in the
   * subgroup, and for infinity as alpha, beta, gamma or delta; `KEY_UNFINISHED` for equal gamma and delta, unless these
   * are allowed; otherwise the errors of `parseVerificationKey`.
   */
  static async create(
    arithmetic: PairingArithmetic,
    verificationKey: unknown,
    allowUnfinished = false,
  ): Promise<Verifier> {
    const key = parseVerificationKey(verificationKey);
    const { curve } = key;
    const alpha = finite(ofKey(encodeAffine(curve, 'g1', key.alpha1), 'vk_alpha_1'), 'vk_alpha_1');
    const beta = finite(ofKey(encodeAffine(curve, 'g2', key.beta2), 'vk_beta_2'), 'vk_beta_2');
    const gamma = finite(ofKey(encodeAffine(curve, 'g2', key.gamma2), 'vk_gamma_2'), 'vk_gamma_2');
    const delta = finite(ofKey(encodeAffine(curve, 'g2', key.delta2), 'vk_delta_2'), 'vk_delta_2');
    if (!allowUnfinished) expectFinished(gamma, delta);
    const ic = key.ic.map((value, i) => ofKey(encodeAffine(curve, 'g1', value), `IC[${i}]`));
    await Promise.all([
      expectMembers(arithmetic, 'g1', [alpha, ...ic], (i) => (i === 0 ? 'vk_alpha_1' : `IC[${i - 1}]`)),
      expectMembers(arithmetic, 'g2', [beta, gamma, delta], (i) => ['vk_beta_2', 'vk_gamma_2', 'vk_delta_2'][i]!),
    ]);
    return new Verifier(curve, alpha, [beta, gamma, delta], joinBytes(ic));
  }

  /**
   * Whether a Groth16 proof holds: e(A, B) = e(alpha, beta) e(IC_0 + sum x_i IC_i, gamma) e(C, delta) (Groth, 2016/260,
   * section 3.2), by one product of pairings. Signals and proof are in snarkjs' JSON form.
   *
   * A proof does not hold if one of its points is not on its curve or not in the subgroup, if there are more or fewer
   * signals than the key requires, or if a signal is not from 0 to r - 1. Otherwise the errors of `parsePublicSignals`
   * and `parseProof`.
   */
  async verify(arithmetic: PairingArithmetic, publicSignals: unknown, proof: unknown): Promise<boolean> {
    const { curve } = this;
    const claim = this.read(publicSignals, proof);
    if (claim === undefined) return false;
    const { signals, a, b, c } = claim;
    const [input, ...areMembers] = await Promise.all([
      this.inputOf(arithmetic, [1n, ...signals]),
      arithmetic.isInSubgroup({ group: 'g1', points: joinBytes([a, c]) }),
      arithmetic.isInSubgroup({ group: 'g2', points: b }),
    ]);
    if (areMembers.includes(false)) return false;
    return arithmetic.pairingProductIsOne({
      g1: joinBytes([negated(curve, a), this.alpha, input, c]),
      g2: joinBytes([b, ...this.g2]),
    });
  }

  /**
   * What a proof claims, with points on whatever curve. undefined if there are more or fewer signals than the key
   * requires, one is out of range, or a point is (0, 0). Errors as for `verify`.
   */
  read(publicSignals: unknown, proof: unknown): Groth16Claim | undefined {
    const signals = parsePublicSignals(publicSignals, this.curve);
    const points = encodeProof(this.curve, proof);
    return signals?.length !== this.inputs || points === undefined ? undefined : { signals, ...points };
  }

  /**
   * Verifies a proof while it is made: what depends on the signals alone at once, and most of the rest as soon as A and
   * B are known, which are affine and in the boundary form. Little is left to do when C is: e(C, delta). The result
   * agrees with `verify` for a proof of these points.
   */
  async ahead(
    arithmetic: PairingArithmetic,
    publicSignals: readonly string[],
    points: Promise<readonly [a: Uint8Array, b: Uint8Array]>,
  ): Promise<VerificationAhead> {
    const { curve } = this;
    const [beta, gamma, delta] = this.g2;
    const signals = parsePublicSignals(publicSignals, curve);
    if (signals?.length !== this.inputs) return async () => false;
    const r = CURVES[curve].fr.modulus;
    const opposites = [1n, ...signals].map((x) => (r - x) % r);
    const input = this.inputOf(arithmetic, opposites);
    const [[a, b], negatedInput] = await Promise.all([points, input]);
    // e(A, B) e(-alpha, beta) e(-input, gamma) = e(C, delta).
    const g1 = joinBytes([a, negated(curve, this.alpha), negatedInput]);
    const expected = arithmetic.pairing({ g1, g2: joinBytes([b, beta, gamma]) });
    // It fails for points off their curves.
    expected.catch(() => undefined);
    const areMembers = await Promise.all([
      arithmetic.isInSubgroup({ group: 'g1', points: a }),
      arithmetic.isInSubgroup({ group: 'g2', points: b }),
    ]);
    if (areMembers.includes(false)) return async () => false;
    return async (proof) => {
      const encoded = encodeProof(curve, proof);
      if (encoded === undefined || !equalBytes(encoded.a, a) || !equalBytes(encoded.b, b)) return false;
      const { c } = encoded;
      const value = arithmetic.pairing({ g1: c, g2: delta });
      value.catch(() => undefined);
      return (await arithmetic.isInSubgroup({ group: 'g1', points: c })) && equalBytes(await value, await expected);
    };
  }

  /** The number of public signals. */
  private get inputs(): number {
    return this.ic.length / pointBytes(this.curve, 'g1') - 1;
  }

  /** sum x_i IC_i, for factors from 0 to r - 1. */
  inputOf({ combine }: PairingArithmetic, factors: readonly bigint[]): Promise<Uint8Array> {
    const scalars = new Uint8Array(factors.length * SCALAR_BYTES);
    for (const [i, x] of factors.entries()) writeBigint(scalars, i * SCALAR_BYTES, SCALAR_BYTES, x);
    return combine({ group: 'g1', points: this.ic, scalars });
  }
}

/**
 * The points of a proof in snarkjs' JSON form; undefined if it has a point that is on no curve. Otherwise the errors of
 * `parseProof`.
 */
function encodeProof(curve: CurveId, proof: unknown): Omit<Groth16Claim, 'signals'> | undefined {
  const values = parseProof(proof, curve);
  const a = encodeAffine(curve, 'g1', values.a);
  const b = encodeAffine(curve, 'g2', values.b);
  const c = encodeAffine(curve, 'g1', values.c);
  return a === undefined || b === undefined || c === undefined ? undefined : { a, b, c };
}
