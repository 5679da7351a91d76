import { CURVES, type CurveId, type GroupId } from '../curves/index.js';
import { packedWords } from '../field/limbs.js';

/**
 * The form in which points are prepared. `weierstrass`: affine x, y. `edwards`: Y - X, Y + X, 2 d X Y of the a = -1 twisted
 * Edwards form, what a mixed addition multiplies by.
 */
export type PointForm = 'weierstrass' | 'edwards';

/** Coordinates of one prepared point: x, y; G2 x.c0, x.c1, y.c0, y.c1; Edwards the three of `PointForm`. */
export function preparedCoordinates(form: PointForm, group: GroupId): 2 | 3 | 4 {
  if (form === 'edwards') return 3;
  return group === 'g2' ? 4 : 2;
}

/** The form that the pipeline uses for a curve: Edwards where the curve has it. */
export function pointForm(curve: CurveId): PointForm {
  return CURVES[curve].edwards === undefined ? 'weierstrass' : 'edwards';
}

/** A point without a place in the prepared form; its share is added at the end, on the form of the boundary. */
export interface ExceptionalPoint {
  /** Its index among the points as given. */
  readonly index: number;
  /** Affine, canonical, little-endian: the boundary form. */
  readonly point: Uint8Array;
}

/** What is known of prepared bases beside the points that were kept. */
export interface BasesOutline {
  readonly curve: CurveId;
  readonly group: GroupId;
  readonly form: PointForm;
  /** Points as given, so scalars that a multiplication expects. */
  readonly count: number;
  /** Points that were kept. */
  readonly kept: number;
  /** For each kept point its index among the points as given; undefined when all are kept. */
  readonly indices: Uint32Array | undefined;
  readonly exceptional: readonly ExceptionalPoint[];
}

/**
 * Bases in the exact bytes that the GPU reads and the WASM workers load; also what the cache keeps. Coordinates are packed
 * little-endian words in the Montgomery form of `packedMontgomeryBits`, reduced below p. Points at infinity and exceptional
 * points are left out.
 */
export interface PreparedBases extends BasesOutline {
  /** `kept` points of `preparedPointBytes` each. */
  readonly points: Uint8Array;
}

/** Bytes of a prepared point: a whole number of 32-bit words a coordinate. */
export function preparedPointBytes(curve: CurveId, group: GroupId): number {
  return preparedCoordinates(pointForm(curve), group) * packedWords(CURVES[curve].fq.bits) * 4;
}
