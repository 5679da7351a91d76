import { ENDOMORPHISMS } from '../../sdk/curves/endomorphisms.js';
import type { Curve } from '../../sdk/curves/index.js';
import { inverse, mod } from '../../sdk/curves/modular.js';
import { edgeValues, type Random } from '../support/random.js';

/** Draws the scalars of a sum, each from 0 to r - 1. */
type Draw = (random: Random, curve: Curve, count: number) => bigint[];

const list = (count: number, make: (i: number) => bigint): bigint[] => Array.from({ length: count }, (_, i) => make(i));

const pick = <T>(random: Random, values: readonly T[]): T => values[random.integer(values.length)]!;

const orderOf = (curve: Curve): bigint => curve.fr.modulus;

/** Of either sign, modulo r. */
const signed = (random: Random, curve: Curve, value: bigint): bigint =>
  mod(random.integer(2) === 0 ? value : -value, orderOf(curve));

const EDGES = new Map<string, readonly bigint[]>();

/** Around 0, r, r / 2 and the powers of 2. */
function edgesOf(curve: Curve): readonly bigint[] {
  const known = EDGES.get(curve.id) ?? edgeValues(orderOf(curve));
  EDGES.set(curve.id, known);
  return known;
}

const full: Draw = (random, curve, count) => list(count, () => random.below(orderOf(curve)));

/** 2^k - 1, 2^k or 2^k + 1, or their opposites. */
const powers: Draw = (random, curve, count) =>
  list(count, () => {
    const power = 1n << BigInt(random.integer(curve.fr.bits));
    return signed(random, curve, power + BigInt(random.integer(3) - 1));
  });

const equal: Draw = (random, curve, count) => {
  const value = random.integer(3) === 0 ? pick(random, edgesOf(curve)) : random.below(orderOf(curve));
  return list(count, () => value);
};

const equalButForSigns: Draw = (random, curve, count) => {
  const value = random.below(orderOf(curve));
  return list(count, () => signed(random, curve, value));
};

const short: Draw = (random, curve, count) => {
  const bound = 1n << BigInt(1 + random.integer(80));
  return list(count, () => signed(random, curve, random.below(bound)));
};

const shortButForOne: Draw = (random, curve, count) => {
  const values = short(random, curve, count);
  values[random.integer(count)] = random.below(orderOf(curve));
  return values;
};

const mostlySmall: Draw = (random, curve, count) =>
  list(count, () => {
    const kind = random.integer(100);
    return kind < 60 ? 0n : kind < 85 ? 1n : random.below(orderOf(curve));
  });

/** Digits of c bits that are the largest or the smallest, with few others among them. */
const extremeDigits: Draw = (random, curve, count) => {
  const c = 2 + random.integer(19);
  const half = 1n << BigInt(c - 1);
  const digits = [half, -half, half - 1n, 1n - half, 0n, 1n, -1n];
  const windows = Math.ceil(curve.fr.bits / c);
  return list(count, () => {
    const few = [pick(random, digits), pick(random, digits)];
    let value = 0n;
    for (let w = 0; w < windows; w++) value = (value << BigInt(c)) + pick(random, few);
    return mod(value, orderOf(curve));
  });
};

/** Scalars that have one digit in common, so that their bases meet in one bucket. */
const oneBucket: Draw = (random, curve, count) => {
  const c = BigInt(2 + random.integer(19));
  const shift = c * BigInt(random.integer(Math.ceil(curve.fr.bits / Number(c))));
  const digit = random.below(1n << c) << shift;
  const others = random.integer(2) === 0;
  const mask = ((1n << c) - 1n) << shift;
  return list(count, () => {
    const rest = others ? random.below(orderOf(curve)) : 0n;
    return mod((rest & ~mask) | digit, orderOf(curve));
  });
};

const few: Draw = (random, curve, count) => {
  const pool = list(1 + random.integer(6), () => random.below(orderOf(curve)));
  return list(count, () => pick(random, pool));
};

/** a + b lambda with a and b around 0 or half as long as r: where the halves of an endomorphism are at their edges. */
const halves: Draw = (random, curve, count) => {
  const endomorphism = ENDOMORPHISMS[curve.id];
  if (endomorphism === undefined) return edges(random, curve, count);
  const lengths = endomorphism.basis.flat();
  const half = (): bigint => {
    const edge = pick(random, [0n, 1n, ...lengths, ...lengths.map((length) => length / 2n)]);
    return edge + BigInt(random.integer(3) - 1);
  };
  return list(count, () => mod(half() + half() * endomorphism.lambda, orderOf(curve)));
};

const edges: Draw = (random, curve, count) => list(count, () => pick(random, edgesOf(curve)));

const KINDS: Readonly<Record<string, Draw>> = {
  full,
  zero: (_, __, count) => list(count, () => 0n),
  one: (_, __, count) => list(count, () => 1n),
  'r - 1': (_, curve, count) => list(count, () => orderOf(curve) - 1n),
  'half of r': (random, curve, count) => list(count, () => orderOf(curve) / 2n + BigInt(random.integer(2))),
  'powers of 2': powers,
  edges,
  equal,
  'equal but for signs': equalButForSigns,
  short,
  'short but for one': shortButForOne,
  'mostly 0 and 1': mostlySmall,
  'extreme digits': extremeDigits,
  'one bucket': oneBucket,
  'of a few': few,
  'edges of halves': halves,
};

export interface DrawnScalars {
  readonly kind: string;
  readonly values: readonly bigint[];
}

/**
 * Scalars for bases of these logarithms, of a kind at which sums are likely to go wrong, or of no such kind. One in
 * eight is changed in one place so that the sum comes to infinity, G or -G.
 */
export function drawScalars(random: Random, curve: Curve, logs: readonly bigint[]): DrawnScalars {
  const kinds = Object.keys(KINDS);
  const kind = random.integer(3) === 0 ? 'full' : kinds[random.integer(kinds.length)]!;
  const values = KINDS[kind]!(random, curve, logs.length);
  if (random.integer(8) !== 0) return { kind, values };
  return steered(values, random, curve, logs) ? { kind: `${kind}, steered`, values } : { kind, values };
}

/** Changes a scalar so that the sum comes to -G, infinity or G. Returns false if no base is a multiple of G. */
function steered(values: bigint[], random: Random, curve: Curve, logs: readonly bigint[]): boolean {
  const r = orderOf(curve);
  const place = logs.findIndex((log) => log % r !== 0n);
  if (place < 0) return false;
  const goal = BigInt(random.integer(3) - 1);
  const rest = logs.reduce((sum, log, i) => (i === place ? sum : sum + log * values[i]!), 0n);
  values[place] = mod((goal - rest) * inverse(mod(logs[place]!, r), r), r);
  return true;
}
