import type { CurveId } from '../../sdk/curves/index.js';
import { curveOfName } from '../../sdk/files/snarkjs/known-curves.js';
import { type Place, pointsOf, SCALARS, type Verification, valueAt } from './verify-places.js';

/** A way in which `verify` is stricter than snarkjs; docs/security.md explains each. */
export interface Stricter {
  readonly name: string;
  /** What `verify` gives. */
  readonly outcome: false | string;
}

export interface NamedCase extends Stricter {
  readonly applies: (asked: Asked) => boolean;
}

export interface Asked {
  readonly system: Verification['system'];
  readonly curve: CurveId;
  readonly key: Record<string, unknown>;
  readonly signals: unknown;
  readonly proof: Record<string, unknown>;
  /** All points that are used, by where they stand. */
  readonly points: readonly (Pick<Place, 'of' | 'group' | 'mayBeInfinity'> & { readonly json: unknown })[];
  /** All scalars that are used, likewise. */
  readonly scalars: readonly { readonly of: 'key' | 'proof'; readonly name: string; readonly json: unknown }[];
}

export const isInteger = (value: unknown, text = /^[0-9]+$/): boolean =>
  typeof value === 'bigint' || Number.isSafeInteger(value) || (typeof value === 'string' && text.test(value));

/** undefined for what cannot be read. */
export function readAsked(
  system: Verification['system'],
  known: CurveId,
  key: unknown,
  signals: unknown,
  proof: unknown,
): Asked | undefined {
  try {
    const from = { system, key: key as Record<string, unknown>, proof: proof as Record<string, unknown> };
    const curve = curveOfName(String(from.key.curve))?.id ?? known;
    const places = pointsOf(from);
    const points = [...places.key, ...places.proof].map((place) => ({ ...place, json: valueAt(from, place) }));
    const scalars = SCALARS[system].map((scalar) => ({
      of: scalar.of,
      name: String(scalar.path.at(-1)),
      json: valueAt(from, scalar),
    }));
    return { ...from, curve, signals, points, scalars };
  } catch {
    return undefined;
  }
}
