import { CURVES, type CurveId, type GroupId } from '../../sdk/curves/index.js';
import { type CoordinateValue, decodePoint } from '../../sdk/curves/point-bytes.js';
import { nobleCurve } from '../support/noble-curves.js';
import { pointsOutside } from '../support/outside-subgroup.js';
import type { Random } from '../support/random.js';

/** A verification key, public signals and a proof in snarkjs' form, or nearly so. */
export interface Verification {
  readonly curve: CurveId;
  readonly key: Readonly<Record<string, unknown>>;
  readonly signals: readonly unknown[];
  readonly proof: Readonly<Record<string, unknown>>;
}

type Change = (random: Random, from: Verification, other: Verification) => Verification;

const KEY_POINTS = ['vk_alpha_1', 'vk_beta_2', 'vk_gamma_2', 'vk_delta_2'] as const;
const PROOF_POINTS = ['pi_a', 'pi_b', 'pi_c'] as const;
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

const pick = <T>(random: Random, list: readonly T[]): T => list[random.integer(list.length)]!;

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

/** A place of a point: who has it, its name, and for IC its number. */
interface Place {
  readonly of: 'key' | 'proof';
  readonly name: string;
  readonly at?: number;
  readonly group: GroupId;
}

function anyPlace(random: Random, { key }: Verification): Place {
  const ic = Array.isArray(key.IC) ? key.IC.length : 0;
  const places: Place[] = [
    ...PROOF_POINTS.map((name): Place => ({ of: 'proof', name, group: name === 'pi_b' ? 'g2' : 'g1' })),
    ...KEY_POINTS.map((name): Place => ({ of: 'key', name, group: name === 'vk_alpha_1' ? 'g1' : 'g2' })),
    ...Array.from({ length: ic }, (_, at): Place => ({ of: 'key', name: 'IC', at, group: 'g1' })),
  ];
  // Points of the proof as often as the others.
  return random.integer(2) === 0 ? places[random.integer(3)]! : pick(random, places);
}

function pointAt(from: Verification, { of, name, at }: Place): unknown {
  const value = from[of][name];
  return at === undefined ? value : (value as unknown[])[at];
}

function withPoint(from: Verification, { of, name, at }: Place, point: unknown): Verification {
  const old = from[of][name];
  const value = at === undefined ? point : (old as unknown[]).with(at, point);
  return { ...from, [of]: { ...from[of], [name]: value } };
}

/** Changes a point; what an earlier change has left without its form stays as it is. */
function onPoint(
  random: Random,
  from: Verification,
  change: (point: unknown[], place: Place) => unknown,
): Verification {
  const place = anyPlace(random, from);
  const point = pointAt(from, place);
  try {
    return Array.isArray(point) ? withPoint(from, place, change(point, place)) : from;
  } catch {
    return from;
  }
}

/** A coordinate: a number, or in G2 a pair of them. */
function onNumber(random: Random, from: Verification, change: (value: unknown) => unknown): Verification {
  return onPoint(random, from, (point) => {
    const i = random.integer(point.length);
    const coordinate = point[i];
    if (!Array.isArray(coordinate)) return point.with(i, change(coordinate));
    const j = random.integer(coordinate.length);
    return point.with(i, coordinate.with(j, change(coordinate[j])));
  });
}

/** The same for each number of a coordinate. */
const each = (coordinate: unknown, change: (value: bigint) => bigint): unknown =>
  Array.isArray(coordinate)
    ? coordinate.map((value) => String(change(BigInt(value))))
    : String(change(BigInt(coordinate as string)));

const modulusOf = ({ curve }: Verification): bigint => CURVES[curve].fq.modulus;

function negatePoint(from: Verification, point: unknown[]): unknown[] {
  const p = modulusOf(from);
  return point.with(
    1,
    each(point[1], (y) => (p - y) % p),
  );
}

function negated(random: Random, from: Verification): Verification {
  return onPoint(random, from, (point) => negatePoint(from, point));
}

/** With the opposites of A and B the proof still holds. */
function negatedTwo(random: Random, from: Verification): Verification {
  const places: Place[] = PROOF_POINTS.map((name) => ({ of: 'proof', name, group: name === 'pi_b' ? 'g2' : 'g1' }));
  const left = random.integer(4) === 0 ? random.integer(2) : 2;
  try {
    return places.reduce(
      (changed, place, i) =>
        i === left ? changed : withPoint(changed, place, negatePoint(changed, pointAt(changed, place) as unknown[])),
      from,
    );
  } catch {
    return from;
  }
}

function swapped(random: Random, from: Verification): Verification {
  return onPoint(random, from, (point) => {
    const [x, y, ...rest] = point;
    if (Array.isArray(x) && random.integer(2) === 0) return [x.toReversed(), (y as unknown[]).toReversed(), ...rest];
    return [y, x, ...rest];
  });
}

function atInfinity(random: Random, from: Verification): Verification {
  return onPoint(random, from, (_, { group }) =>
    group === 'g1'
      ? pick(random, [
          ['0', '1', '0'],
          ['0', '0'],
          ['0', '0', '1'],
          ['5', '7', '0'],
          ['0', '0', '0'],
        ])
      : pick(random, [
          [
            ['0', '0'],
            ['1', '0'],
            ['0', '0'],
          ],
          [
            ['0', '0'],
            ['0', '0'],
          ],
          [
            ['0', '0'],
            ['0', '0'],
            ['1', '0'],
          ],
          [
            ['5', '6'],
            ['7', '8'],
            ['0', '0'],
          ],
        ]),
  );
}

function offCurve(random: Random, from: Verification): Verification {
  const p = modulusOf(from);
  return onPoint(random, from, (point) =>
    point.with(
      random.integer(2),
      each(point[0], (x) => (x + 1n) % p),
    ),
  );
}

const toJson = (value: CoordinateValue): unknown => (typeof value === 'bigint' ? String(value) : value.map(String));

/** The points outside of a group, in snarkjs' form. */
function outside(curve: CurveId, group: GroupId): unknown[][] {
  const key = `${curve}/${group}`;
  let points = outsideKnown.get(key);
  if (points === undefined) {
    const has = group === 'g2' || CURVES[curve].g1.cofactor !== 1n;
    points = Object.values(has ? pointsOutside(CURVES[curve], group) : {}).map((bytes) => {
      const { x, y } = decodePoint(curve, group, bytes);
      return [toJson(x), toJson(y), group === 'g1' ? '1' : ['1', '0']];
    });
    outsideKnown.set(key, points);
  }
  return points;
}
const outsideKnown = new Map<string, unknown[][]>();

function offSubgroup(random: Random, from: Verification): Verification {
  return onPoint(random, from, (point, { group }) => {
    const points = outside(from.curve, group);
    return points.length === 0 ? point : pick(random, points);
  });
}

// biome-ignore lint/suspicious/noExplicitAny: noble's point constructors differ by their coordinates' type alone.
const nobleGroup = (curve: CurveId, group: GroupId): any =>
  group === 'g1' ? nobleCurve(curve).G1.Point : nobleCurve(curve).G2.Point;

// biome-ignore lint/suspicious/noExplicitAny: see above.
function toNoble(curve: CurveId, group: GroupId, [x, y]: unknown[]): any {
  const value = (c: unknown): unknown =>
    Array.isArray(c) ? { c0: BigInt(c[0]), c1: BigInt(c[1]) } : BigInt(c as string);
  return nobleGroup(curve, group).fromAffine({ x: value(x), y: value(y) });
}

// biome-ignore lint/suspicious/noExplicitAny: see above.
function fromNoble(group: GroupId, point: any): unknown[] {
  const { x, y } = point.toAffine();
  const value = (c: bigint | { c0: bigint; c1: bigint }): unknown =>
    typeof c === 'bigint' ? String(c) : [String(c.c0), String(c.c1)];
  return [value(x), value(y), group === 'g1' ? '1' : ['1', '0']];
}

/** A point plus one whose order divides the cofactor, which a pairing may not see. */
function movedOffSubgroup(random: Random, from: Verification): Verification {
  const { curve } = from;
  return onPoint(random, from, (point, { group }) => {
    const [small] = outside(curve, group);
    if (small === undefined) return point;
    return fromNoble(group, toNoble(curve, group, point).add(toNoble(curve, group, small)));
  });
}

/** The same point in Jacobian coordinates (x z^2, y z^3, z), which snarkjs reads. */
function projective(random: Random, from: Verification): Verification {
  const p = modulusOf(from);
  const z = BigInt(2 + random.integer(5));
  return onPoint(random, from, ([x, y]) => [
    each(x, (value) => (value * z * z) % p),
    each(y, (value) => (value * z * z * z) % p),
    Array.isArray(x) ? [String(z), '0'] : String(z),
  ]);
}

function otherLength(random: Random, from: Verification): Verification {
  return onPoint(random, from, (point) => {
    const kind = random.integer(4);
    if (kind < 2) return point.slice(0, kind + 1);
    if (kind === 2) return [...point, point[0]];
    return point.map((coordinate) => (Array.isArray(coordinate) ? [...coordinate, '1'] : coordinate));
  });
}

function ofAnother(random: Random, from: Verification, other: Verification): Verification {
  return onPoint(random, from, () => pointAt(other, anyPlace(random, other)));
}

function plusModulus(random: Random, from: Verification): Verification {
  const p = modulusOf(from);
  return onNumber(random, from, (value) => String(BigInt(value as string) + p * BigInt(1 + random.integer(4))));
}

/** A number in other words: some mean the same. */
function otherText(random: Random, value: unknown): unknown {
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

function writtenOtherwise(random: Random, from: Verification): Verification {
  return onNumber(random, from, (value) => otherText(random, value));
}

function neighbour(random: Random, from: Verification): Verification {
  return onNumber(random, from, (value) => String(BigInt(value as string) + 1n));
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

function signalPlusOrder(random: Random, from: Verification): Verification {
  const r = CURVES[from.curve].fr.modulus;
  const times = pick(random, [1n, 2n, -1n, 2n ** 256n]);
  return onSignal(random, from, (value) => String(BigInt(value as string) + times * r));
}

function signalWritten(random: Random, from: Verification): Verification {
  return onSignal(random, from, (value) => otherText(random, value));
}

/** The value 0 is what snarkjs takes for a signal that is not there. */
function droppedSignal(random: Random, from: Verification): Verification {
  const { signals } = from;
  const zero = signals.lastIndexOf('0');
  const last =
    zero === signals.length - 1 || random.integer(2) === 0 ? signals.length - 1 : random.integer(signals.length + 1);
  return { ...from, signals: signals.slice(0, Math.max(0, last)) };
}

function addedSignal(random: Random, from: Verification): Verification {
  const { signals } = from;
  const added = pick(random, ['0', '1', signals[0] ?? '0']);
  return { ...from, signals: random.integer(2) === 0 ? [...signals, added] : [added, ...signals] };
}

function otherSignal(random: Random, from: Verification): Verification {
  return onSignal(random, from, (value) => String(BigInt(value as string) + 1n));
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

function otherCount(random: Random, from: Verification): Verification {
  const count = pick<unknown>(random, [0, 1, 2, -1, '1', 'x', undefined, null, 1.5, from.signals.length + 1]);
  return { ...from, key: { ...from.key, nPublic: count } };
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

function keyOfAnother(_: Random, from: Verification, other: Verification): Verification {
  return { ...from, key: other.key };
}

function proofOfAnother(_: Random, from: Verification, other: Verification): Verification {
  return { ...from, proof: other.proof };
}

function otherCurve(random: Random, from: Verification): Verification {
  const of = pick(random, ['key', 'proof'] as const);
  return { ...from, [of]: { ...from[of], curve: pick<unknown>(random, [...CURVE_NAMES, undefined]) } };
}

function otherProtocol(random: Random, from: Verification): Verification {
  const of = pick(random, ['key', 'proof'] as const);
  return { ...from, [of]: { ...from[of], protocol: pick<unknown>(random, PROTOCOLS) } };
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
