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
  otherText,
  proofOfAnother,
  signalPlusOrder,
  signalWritten,
} from './verify-changes.js';
import { type Change, pointsOf, SCALARS, type Verification, valueAt, withValue } from './verify-places.js';
import {
  atInfinity,
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
  writtenOtherwise,
} from './verify-point-changes.js';

/** Changes something that means something in PLONK's or FFLONK's key, signals and proof. */
export function changeUniversal(random: Random, from: Verification, other: Verification): Verification {
  return pick(random, CHANGES)(random, from, other);
}

const CHANGES: readonly Change[] = [
  ...[negated, swapped, atInfinity, offCurve, offSubgroup, movedOffSubgroup, projective, otherLength, ofAnother],
  ...[plusModulus, writtenOtherwise, neighbour, pointsExchanged, allAtInfinity],
  ...[signalPlusOrder, signalWritten, droppedSignal, addedSignal, otherSignal],
  ...[scalarPlusOrder, scalarWritten, scalarNeighbour, scalarOfNothing, scalarOfAnother, otherInverse],
  ...[otherPower, otherCount, keyOfAnother, proofOfAnother, otherCurve, otherProtocol],
];

/** Changes an evaluation of the proof or a scalar of the key. */
function onScalar(random: Random, from: Verification, change: (value: unknown) => unknown): Verification {
  const place = pick(random, SCALARS[from.system]);
  try {
    return withValue(from, place, change(valueAt(from, place)));
  } catch {
    return from;
  }
}

function scalarPlusOrder(random: Random, from: Verification): Verification {
  const times = pick(random, [1n, 2n, -1n, 2n ** 64n]);
  return onScalar(random, from, (value) => String(BigInt(value as string) + times * CURVES[from.curve].fr.modulus));
}

function scalarWritten(random: Random, from: Verification): Verification {
  return onScalar(random, from, (value) => otherText(random, value));
}

function scalarNeighbour(random: Random, from: Verification): Verification {
  return onScalar(random, from, (value) => String(BigInt(value as string) + 1n));
}

function scalarOfNothing(random: Random, from: Verification): Verification {
  const value = pick<unknown>(random, ['0', '1', String(CURVES[from.curve].fr.modulus - 1n), undefined, [], {}]);
  return onScalar(random, from, () => value);
}

/** Another scalar of the same key or proof, such as two evaluations exchanged. */
function scalarOfAnother(random: Random, from: Verification, other: Verification): Verification {
  const [one, two] = [pick(random, SCALARS[from.system]), pick(random, SCALARS[from.system])];
  try {
    const [first, second] = [valueAt(from, one), valueAt(random.integer(2) === 0 ? from : other, two)];
    return withValue(withValue(from, one, second), two, first);
  } catch {
    return from;
  }
}

/** `inv` of an FFLONK proof is for contracts alone. */
function otherInverse(random: Random, from: Verification): Verification {
  const value = pick<unknown>(random, ['0', '1', 'x', undefined, null, []]);
  return from.system === 'fflonk' ? withValue(from, { of: 'proof', path: ['evaluations', 'inv'] }, value) : from;
}

function pointsExchanged(random: Random, from: Verification): Verification {
  const { proof } = pointsOf(from);
  const [one, two] = [pick(random, proof), pick(random, proof)];
  try {
    const [first, second] = [valueAt(from, one), valueAt(from, two)];
    return withValue(withValue(from, one, second), two, first);
  } catch {
    return from;
  }
}

/** A proof of nothing: all points at infinity, with evaluations of 0 or as they are. */
function allAtInfinity(random: Random, from: Verification): Verification {
  const { proof } = pointsOf(from);
  const evaluations = random.integer(2) === 0 ? SCALARS[from.system].filter(({ of }) => of === 'proof') : [];
  try {
    const points = proof.reduce((changed, place) => withValue(changed, place, ['0', '1', '0']), from);
    return evaluations.reduce((changed, place) => withValue(changed, place, '0'), points);
  } catch {
    return from;
  }
}

function otherPower(random: Random, from: Verification): Verification {
  const { power } = from.key;
  const value = pick<unknown>(random, [Number(power) + 1, Number(power) - 1, 0, 28, 29, -1, 1.5, 'x', '5', undefined]);
  return { ...from, key: { ...from.key, power: value } };
}
