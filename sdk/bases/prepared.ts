import { CURVES, type CurveId, type GroupId } from '../curves/index.js';
import { packedWords } from '../curves/limbs.js';

/**
 * The form in which points are prepared. `weierstrass`: affine x, y. `edwards`: Y - X, Y + X, 2 d X Y of the twisted
 * Edwards form with a = -1, which are the factors that a mixed addition needs.
 */
export type PointForm = 'weierstrass' | 'edwards';

/**
 * The number of coordinates of a prepared point: 2 (x, y), in G2 4 (c0 and c1 of x, then of y), on the Edwards form 3
 * (see `PointForm`).
 */
export function preparedCoordinates(form: PointForm, group: GroupId): 2 | 3 | 4 {
  if (form === 'edwards') return 3;
  return group === 'g2' ? 4 : 2;
}

/** The form that the pipeline uses for a group: Edwards for G1 of a curve that has it. */
export function pointForm(curve: CurveId, group: GroupId): PointForm {
  return group === 'g2' || CURVES[curve].edwards === undefined ? 'weierstrass' : 'edwards';
}

/**
 * A point that the prepared form cannot express. Its multiple is added to the result at the end, in the boundary form.
 */
export interface ExceptionalPoint {
  /** Its index among the points as given. */
  readonly index: number;
  /** Affine, canonical, little-endian: the boundary form. */
  readonly point: Uint8Array;
}

/** What describes prepared bases, without the bytes of the kept points. */
export interface BasesOutline {
  readonly curve: CurveId;
  readonly group: GroupId;
  readonly form: PointForm;
  /** The number of points that the caller gave, and so of the scalars that a multiplication expects. */
  readonly count: number;
  /** The number of points that were kept. */
  readonly kept: number;
  /** For each kept point its index among the points as given; undefined when all are kept. */
  readonly indices: Uint32Array | undefined;
  readonly exceptional: readonly ExceptionalPoint[];
  /** Whether the kept points came from the cache, where they may have been changed. */
  readonly fromCache?: boolean | undefined;
}

/**
 * Bases in packed form, the exact bytes that the GPU reads, the WASM workers load and the cache keeps. Coordinates are
 * little-endian words in the Montgomery form of `packedMontgomeryBits`, reduced below p. Points at infinity and
 * exceptional points are left out.
 */
export interface PreparedBases extends BasesOutline {
  /** `kept` points of `preparedPointBytes` each. */
  readonly points: Uint8Array;
}

/** Bytes of a prepared point: a whole number of 32-bit words a coordinate. */
export function preparedPointBytes(curve: CurveId, group: GroupId): number {
  return preparedCoordinates(pointForm(curve, group), group) * packedWords(CURVES[curve].fq.bits) * 4;
}
