import { CURVES, type CurveId, type GroupId } from '../../sdk/curves/index.js';
import { FFLONK_COMMITMENTS, FFLONK_EVALUATIONS } from '../../sdk/files/snarkjs/fflonk-json.js';
import { FFLONK_ROOTS } from '../../sdk/files/snarkjs/fflonk-roots.js';
import { PLONK_COMMITMENTS, PLONK_EVALUATIONS } from '../../sdk/files/snarkjs/plonk-json.js';
import { PLONK_POLYNOMIALS } from '../../sdk/files/snarkjs/plonk-zkey.js';
import type { Random } from '../support/random.js';
import { pick } from './mutated-bytes.js';

/** A verification key, public signals and a proof in snarkjs' form, or nearly so. */
export interface Verification {
  readonly system: 'groth16' | 'plonk' | 'fflonk';
  readonly curve: CurveId;
  readonly key: Readonly<Record<string, unknown>>;
  readonly signals: readonly unknown[];
  readonly proof: Readonly<Record<string, unknown>>;
}

export type Change = (random: Random, from: Verification, other: Verification) => Verification;

/** Where a value stands: in the key or in the proof, by the names of members and the numbers of elements. */
interface Path {
  readonly of: 'key' | 'proof';
  readonly path: readonly (string | number)[];
}

/** A place of a point. */
export interface Place extends Path {
  readonly group: GroupId;
  /** Whether the point may be infinity. */
  readonly mayBeInfinity: boolean;
}

const inKey = (group: GroupId, mayBeInfinity: boolean, ...path: Path['path']): Place => ({
  of: 'key',
  path,
  group,
  mayBeInfinity,
});
const inProof = (group: GroupId, ...path: Path['path']): Place => ({ of: 'proof', path, group, mayBeInfinity: true });

/** The points of each proof system; Groth16's IC comes from the key. */
const POINTS: Readonly<Record<Verification['system'], { readonly proof: Place[]; readonly key: Place[] }>> = {
  groth16: {
    proof: [inProof('g1', 'pi_a'), inProof('g2', 'pi_b'), inProof('g1', 'pi_c')],
    key: [
      inKey('g1', false, 'vk_alpha_1'),
      inKey('g2', false, 'vk_beta_2'),
      inKey('g2', false, 'vk_gamma_2'),
      inKey('g2', false, 'vk_delta_2'),
    ],
  },
  plonk: {
    proof: PLONK_COMMITMENTS.map((name) => inProof('g1', name)),
    key: [...PLONK_POLYNOMIALS.map((name) => inKey('g1', true, name)), inKey('g2', false, 'X_2')],
  },
  fflonk: {
    proof: FFLONK_COMMITMENTS.map((name) => inProof('g1', 'polynomials', name)),
    key: [inKey('g1', true, 'C0'), inKey('g2', false, 'X_2')],
  },
};

/** All places of points, the proof's first. */
export function pointsOf({ system, key }: Pick<Verification, 'system' | 'key'>): {
  readonly proof: readonly Place[];
  readonly key: readonly Place[];
} {
  const ic = system === 'groth16' && Array.isArray(key.IC) ? key.IC.map((_, i) => inKey('g1', true, 'IC', i)) : [];
  return { proof: POINTS[system].proof, key: [...POINTS[system].key, ...ic] };
}

const scalarsOf = (of: Path['of'], names: readonly string[], ...parent: string[]): readonly Path[] =>
  names.map((name) => ({ of, path: [...parent, name] }));

/** The scalars of each proof system. */
export const SCALARS: Readonly<Record<Verification['system'], readonly Path[]>> = {
  groth16: [],
  plonk: [...scalarsOf('proof', PLONK_EVALUATIONS), ...scalarsOf('key', ['k1', 'k2', 'w'])],
  fflonk: [
    ...scalarsOf('proof', FFLONK_EVALUATIONS, 'evaluations'),
    ...scalarsOf('key', ['k1', 'k2', 'w', ...FFLONK_ROOTS]),
  ],
};

export function anyPlace(random: Random, from: Verification): Place {
  const { proof, key } = pointsOf(from);
  // Points of the proof as often as the others.
  return random.integer(2) === 0 ? pick(random, proof) : pick(random, [...proof, ...key]);
}

export function valueAt(from: Pick<Verification, 'key' | 'proof'>, { of, path }: Path): unknown {
  return path.reduce<unknown>((value, step) => (value as Record<string | number, unknown>)[step], from[of]);
}

export function withValue(from: Verification, { of, path }: Path, value: unknown): Verification {
  return { ...from, [of]: replaced(from[of], path, value) };
}

function replaced(old: unknown, [step, ...rest]: Path['path'], value: unknown): unknown {
  if (step === undefined) return value;
  const member = replaced((old as Record<string | number, unknown>)[step], rest, value);
  return Array.isArray(old) ? old.with(step as number, member) : { ...(old as object), [step]: member };
}

/** Changes a point; what an earlier change has left without its form stays as it is. */
export function onPoint(
  random: Random,
  from: Verification,
  change: (point: unknown[], place: Place) => unknown,
): Verification {
  const place = anyPlace(random, from);
  try {
    const point = valueAt(from, place);
    return Array.isArray(point) ? withValue(from, place, change(point, place)) : from;
  } catch {
    return from;
  }
}

/** A coordinate: a number, or in G2 a pair of them. */
export function onNumber(random: Random, from: Verification, change: (value: unknown) => unknown): Verification {
  return onPoint(random, from, (point) => {
    const i = random.integer(point.length);
    const coordinate = point[i];
    if (!Array.isArray(coordinate)) return point.with(i, change(coordinate));
    const j = random.integer(coordinate.length);
    return point.with(i, coordinate.with(j, change(coordinate[j])));
  });
}

/** The same for each number of a coordinate. */
export const each = (coordinate: unknown, change: (value: bigint) => bigint): unknown =>
  Array.isArray(coordinate)
    ? coordinate.map((value) => String(change(BigInt(value))))
    : String(change(BigInt(coordinate as string)));

export const modulusOf = ({ curve }: Verification): bigint => CURVES[curve].fq.modulus;

export function negatePoint(from: Verification, point: unknown[]): unknown[] {
  const p = modulusOf(from);
  return point.with(
    1,
    each(point[1], (y) => (p - y) % p),
  );
}
