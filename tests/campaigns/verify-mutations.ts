import { CURVES } from '../../sdk/curves/index.js';
import type { Random } from '../support/random.js';
import { pick } from './mutated-bytes.js';
import {
  addedSignal,
  droppedSignal,
  keyOfAnother,
  otherCount,
  otherCurve,
  otherProtocol,
  otherSignal,
  proofOfAnother,
  signalPlusOrder,
  signalWritten,
} from './verify-changes.js';
import { type Change, negatePoint, pointsOf, type Verification, valueAt, withValue } from './verify-places.js';
import {
  atInfinity,
  fromNoble,
  movedOffSubgroup,
  negated,
  neighbour,
  ofAnother,
  offCurve,
  offSubgroup,
  otherLength,
  plusModulus,
  projective,
  swapped,
  toNoble,
  writtenOtherwise,
} from './verify-point-changes.js';

/**
 * Changes something that means something: a point, a coordinate, how a number is written, a signal, the key, a name.
 */
export function changeVerification(random: Random, from: Verification, other: Verification): Verification {
  return pick(random, CHANGES)(random, from, other);
}

const CHANGES: readonly Change[] = [
  // A point.
  ...[
    negated,
    negatedTwo,
    swapped,
    atInfinity,
    offCurve,
    offSubgroup,
    movedOffSubgroup,
    projective,
    otherLength,
    ofAnother,
  ],
  // A number.
  ...[plusModulus, writtenOtherwise, neighbour],
  // The signals.
  ...[signalPlusOrder, signalWritten, droppedSignal, addedSignal, otherSignal],
  // The key.
  ...[otherIc, otherCount, withoutContribution, keyOfAnother, proofOfAnother],
  // Names.
  ...[otherCurve, otherProtocol],
  // The same proof, blinded anew.
  blindedAnew,
];

/** With the opposites of A and B the proof still holds. */
function negatedTwo(random: Random, from: Verification): Verification {
  const left = random.integer(4) === 0 ? random.integer(2) : 2;
  try {
    return pointsOf(from).proof.reduce(
      (changed, place, i) =>
        i === left ? changed : withValue(changed, place, negatePoint(changed, valueAt(changed, place) as unknown[])),
      from,
    );
  } catch {
    return from;
  }
}

function otherIc(random: Random, from: Verification): Verification {
  const { IC } = from.key;
  if (!Array.isArray(IC)) return from;
  const at = random.integer(Math.max(1, IC.length));
  const others: unknown[][] = [
    IC.toSpliced(at, 1),
    [...IC, IC[at]],
    IC.toReversed(),
    IC.toSpliced(at, 0, IC[0]),
    IC.slice(0, 1),
    [],
  ];
  const key = { ...from.key, IC: pick(random, others) };
  const fits = random.integer(2) === 0 ? { nPublic: key.IC.length - 1 } : {};
  return { ...from, key: { ...key, ...fits } };
}

function withoutContribution(random: Random, from: Verification): Verification {
  const { vk_gamma_2, vk_delta_2, vk_alpha_1, IC } = from.key;
  const key = { ...from.key, ...(random.integer(2) === 0 ? { vk_delta_2: vk_gamma_2 } : { vk_gamma_2: vk_delta_2 }) };
  if (random.integer(3) === 0 || !Array.isArray(IC)) return { ...from, key };
  // A forged proof: it holds for no signals, or for signals of 0.
  try {
    const proof = { ...from.proof, pi_a: vk_alpha_1, pi_b: from.key.vk_beta_2, pi_c: negatePoint(from, IC[0]) };
    return { ...from, key, proof, signals: from.signals.map(() => '0') };
  } catch {
    return { ...from, key };
  }
}

/** (k A, B / k, C), which holds if (A, B, C) does. */
function blindedAnew(random: Random, from: Verification): Verification {
  const { curve, proof } = from;
  try {
    const r = CURVES[curve].fr.modulus;
    // The inverse of -2 is (r - 1) / 2.
    const [k, inverse] = pick(random, [
      [2n, (r + 1n) / 2n],
      [r - 2n, (r - 1n) / 2n],
    ] as const);
    const a = toNoble(curve, 'g1', proof.pi_a as unknown[]).multiply(k);
    const b = toNoble(curve, 'g2', proof.pi_b as unknown[]).multiply(inverse);
    return { ...from, proof: { ...proof, pi_a: fromNoble('g1', a), pi_b: fromNoble('g2', b) } };
  } catch {
    return from;
  }
}
