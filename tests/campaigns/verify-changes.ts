import { CURVES } from '../../sdk/curves/index.js';
import type { Random } from '../support/random.js';
import { pick } from './mutated-bytes.js';
import type { Verification } from './verify-places.js';

/** Changes of a number's text, of the signals, of names, and of the whole key or proof. */

const CURVE_NAMES = [
  'bn128',
  'bn254',
  'BN-254',
  'altbn128',
  'bls12381',
  'bls12-381',
  'bls12377',
  '',
  'toString',
  5,
  null,
];
const PROTOCOLS = ['plonk', 'fflonk', 'GROTH16', '', undefined, null, 16];

/** A number in other words: some mean the same. */
export function otherText(random: Random, value: unknown): unknown {
  const text = String(value);
  const number = BigInt(text);
  return pick<() => unknown>(random, [
    () => `00${text}`,
    () => `0x${number.toString(16)}`,
    () => `0X${number.toString(16)}`,
    () => ` ${text}`,
    () => `${text}\n`,
    () => `+${text}`,
    () => `-${text}`,
    () => `${text}n`,
    () => `${text}.0`,
    () => `${text}e0`,
    () => `0b${number.toString(2)}`,
    () => text.replace(/[0-9]/, '٣'),
    () => '',
    () => number,
    () => Number(number),
    () => [text],
    () => text === '1',
    () => null,
  ])();
}

function onSignal(random: Random, from: Verification, change: (value: unknown) => unknown): Verification {
  const { signals } = from;
  const at = random.integer(Math.max(1, signals.length));
  try {
    return signals.length === 0 ? from : { ...from, signals: signals.with(at, change(signals[at])) };
  } catch {
    return from;
  }
}

export function signalPlusOrder(random: Random, from: Verification): Verification {
  const r = CURVES[from.curve].fr.modulus;
  const times = pick(random, [1n, 2n, -1n, 2n ** 256n]);
  return onSignal(random, from, (value) => String(BigInt(value as string) + times * r));
}

export function signalWritten(random: Random, from: Verification): Verification {
  return onSignal(random, from, (value) => otherText(random, value));
}

/** The value 0 is what snarkjs takes for a signal that is not there. */
export function droppedSignal(random: Random, from: Verification): Verification {
  const { signals } = from;
  const zero = signals.lastIndexOf('0');
  const last =
    zero === signals.length - 1 || random.integer(2) === 0 ? signals.length - 1 : random.integer(signals.length + 1);
  return { ...from, signals: signals.slice(0, Math.max(0, last)) };
}

export function addedSignal(random: Random, from: Verification): Verification {
  const { signals } = from;
  const added = pick(random, ['0', '1', signals[0] ?? '0']);
  return { ...from, signals: random.integer(2) === 0 ? [...signals, added] : [added, ...signals] };
}

export function otherSignal(random: Random, from: Verification): Verification {
  return onSignal(random, from, (value) => String(BigInt(value as string) + 1n));
}

export function otherCount(random: Random, from: Verification): Verification {
  const count = pick<unknown>(random, [0, 1, 2, -1, '1', 'x', undefined, null, 1.5, from.signals.length + 1]);
  return { ...from, key: { ...from.key, nPublic: count } };
}

export function keyOfAnother(_: Random, from: Verification, other: Verification): Verification {
  return { ...from, key: other.key };
}

export function proofOfAnother(_: Random, from: Verification, other: Verification): Verification {
  return { ...from, proof: other.proof };
}

export function otherCurve(random: Random, from: Verification): Verification {
  const of = pick(random, ['key', 'proof'] as const);
  return { ...from, [of]: { ...from[of], curve: pick<unknown>(random, [...CURVE_NAMES, undefined]) } };
}

export function otherProtocol(random: Random, from: Verification): Verification {
  const of = pick(random, ['key', 'proof'] as const);
  return { ...from, [of]: { ...from[of], protocol: pick<unknown>(random, PROTOCOLS) } };
}
