import { CURVES, type CurveId } from '../../sdk/curves/index.js';
import { curveOfName } from '../../sdk/files/snarkjs/known-curves.js';
import { nobleCurve } from '../support/noble-curves.js';
import { type Asked, isInteger, type NamedCase, readAsked, type Stricter } from './verify-asked.js';
import type { Verification } from './verify-places.js';
import { UNIVERSAL_CASES } from './verify-stricter-universal.js';

const coordinates = ({ points }: Asked): unknown[] =>
  points.flatMap(({ json }) => (Array.isArray(json) ? json.flat() : [json]));

const icLength = ({ key }: Asked): number => (key.IC as unknown[]).length;

/** Cases of every proof system. */
const SHARED_CASES: readonly NamedCase[] = [
  {
    name: 'a coordinate is not below p',
    outcome: 'INVALID_POINT',
    applies: (asked) => {
      const p = CURVES[asked.curve].fq.modulus;
      return coordinates(asked).some((value) => isInteger(value) && BigInt(value as string) >= p);
    },
  },
  {
    name: 'a coordinate is no decimal number',
    outcome: 'MALFORMED_FILE',
    applies: (asked) => coordinates(asked).some((value) => !isInteger(value) || BigInt(value as string) < 0n),
  },
  {
    name: 'a point has another shape',
    outcome: 'MALFORMED_FILE',
    applies: ({ points }) =>
      points.some(({ json, group }) => {
        if (!Array.isArray(json) || json.length < 2 || json.length > 3) return true;
        return json.some((c) => (group === 'g1' ? Array.isArray(c) : !Array.isArray(c) || c.length !== 2));
      }),
  },
  {
    name: 'a point is projective',
    outcome: 'MALFORMED_FILE',
    applies: ({ points }) =>
      points.some(({ json }) => {
        const z = (json as unknown[])[2];
        const [z0, z1] = Array.isArray(z) ? z.map(String) : [String(z ?? 1), '0'];
        return !(/^0*[01]$/.test(z0!) && /^0+$/.test(z1!));
      }),
  },
  {
    name: 'a point of the key is outside of its group, or infinity',
    outcome: 'INVALID_POINT',
    applies: (asked) => asked.points.some((point) => point.of === 'key' && !isMember(asked.curve, point)),
  },
  {
    name: 'a point of the proof is outside of its group',
    outcome: false,
    applies: (asked) => asked.points.some((point) => point.of === 'proof' && !isMember(asked.curve, point)),
  },
  {
    name: 'the signals are no list',
    outcome: 'MALFORMED_FILE',
    applies: ({ signals }) => !Array.isArray(signals),
  },
  {
    name: 'a signal is no integer',
    outcome: 'MALFORMED_FILE',
    applies: ({ signals }) =>
      (signals as unknown[]).some((signal) => !isInteger(signal, /^(-?[0-9]+|0x[0-9a-fA-F]+)$/)),
  },
  {
    name: 'the protocol is another',
    outcome: 'UNSUPPORTED_FORMAT',
    applies: ({ system, key, proof }) =>
      [key, proof].some(({ protocol }) => protocol !== undefined && protocol !== system),
  },
  {
    name: 'the proof names another curve',
    outcome: 'CURVE_MISMATCH',
    applies: ({ curve, proof }) =>
      proof.curve !== undefined && (typeof proof.curve !== 'string' || curveOfName(proof.curve)?.id !== curve),
  },
];

const GROTH16_CASES: readonly NamedCase[] = [
  {
    name: 'gamma and delta of the key are equal',
    outcome: 'KEY_UNFINISHED',
    applies: ({ key }) => numbersOf(key.vk_gamma_2) === numbersOf(key.vk_delta_2),
  },
  {
    name: 'there are fewer signals than the key has',
    outcome: false,
    applies: (asked) => Array.isArray(asked.signals) && asked.signals.length < icLength(asked) - 1,
  },
  {
    name: 'nPublic is not the number of points in IC less one',
    outcome: 'MALFORMED_FILE',
    applies: (asked) => {
      const { nPublic } = asked.key;
      return (
        nPublic !== undefined && !(isInteger(nPublic) && BigInt(nPublic as string) === BigInt(icLength(asked) - 1))
      );
    },
  },
];

const CASES: Readonly<Record<Verification['system'], readonly NamedCase[]>> = {
  groth16: [...SHARED_CASES, ...GROTH16_CASES],
  plonk: [...SHARED_CASES, ...UNIVERSAL_CASES],
  fflonk: [...SHARED_CASES, ...UNIVERSAL_CASES],
};

/** Getters, proxies, functions, objects of classes, lists with holes. */
const NOT_PLAIN: Stricter = { name: 'an argument is no plain JSON', outcome: 'MALFORMED_FILE' };

/** The ways in which `verify` is stricter that apply to these arguments, found from the arguments alone. */
export function stricterIn(
  system: Verification['system'],
  known: CurveId,
  [key, signals, proof]: readonly unknown[],
): readonly Stricter[] {
  const asked = readAsked(system, known, key, signals, proof);
  const applies = ({ applies }: NamedCase): boolean => {
    try {
      return asked !== undefined && applies(asked);
    } catch {
      return false;
    }
  };
  const plain = [key, signals, proof].every((value) => isPlain(value));
  return [...CASES[system].filter(applies), ...(plain ? [] : [NOT_PLAIN])];
}

function isPlain(value: unknown, depth = 0): boolean {
  if (depth > 50 || typeof value === 'function' || typeof value === 'symbol') return false;
  if (typeof value !== 'object' || value === null) return true;
  try {
    return arePlain(value, depth);
  } catch {
    return false;
  }
}

function arePlain(value: object, depth: number): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null && !Array.isArray(value)) return false;
  const members = Object.values(Object.getOwnPropertyDescriptors(value));
  if (Array.isArray(value) && members.length !== value.length + 1) return false;
  return members.every((member) => member.get === undefined && isPlain(member.value, depth + 1));
}

/** The numbers x, y and z of a point of G2, whatever they are written like. A z that is left out is 1. */
function numbersOf(point: unknown): string {
  const [x, y, z = [1, 0]] = point as unknown[];
  return [x, y, z]
    .flat()
    .map((value) => BigInt(value as string))
    .join();
}

/** Whether a point is in the subgroup, by @noble/curves, and not infinity where that is refused. */
function isMember(curve: CurveId, { group, mayBeInfinity, json }: Asked['points'][number]): boolean {
  const [x, y, z] = json as unknown[];
  const number = (value: unknown): bigint => BigInt(value as string);
  const isZero = (value: unknown): boolean => [value].flat().every((part) => number(part) === 0n);
  if (z === undefined ? isZero(x) && isZero(y) : isZero(z)) return mayBeInfinity;
  // (0, 0) with z = 1 is on no curve, but @noble/curves takes it for infinity.
  if (isZero(x) && isZero(y)) return false;
  const { G1, G2 } = nobleCurve(curve);
  const pair = (value: unknown) => ({ c0: number((value as unknown[])[0]), c1: number((value as unknown[])[1]) });
  const point =
    group === 'g1'
      ? G1.Point.fromAffine({ x: number(x), y: number(y) })
      : G2.Point.fromAffine({ x: pair(x), y: pair(y) });
  try {
    point.assertValidity();
    return true;
  } catch {
    return false;
  }
}
