import { bytesToBigint } from '../../base/bytes.js';
import { PippinError } from '../../base/errors.js';
import type { CurveParameters, G2Parameters, GroupId } from '../../curves/index.js';
import { mod } from '../../curves/modular.js';

/**
 * The parameters in a curve's equations: y^2 = x^3 + b over F_p, and for the twist, with another b, over F_p^2
 * (`G2Parameters`).
 */
type CurveEquations = Pick<CurveParameters, 'coordinateBytes' | 'fq' | 'g1' | 'g2'>;

type Fq2 = readonly [c0: bigint, c1: bigint];

/**
 * Checks that an affine point in the boundary form is infinity or on its curve; `INVALID_POINT` names it. With the
 * group g2 the curve must have parameters for G2.
 */
export function expectOnCurve(curve: CurveEquations, group: GroupId, bytes: Uint8Array, name: string): void {
  if (bytes.every((byte) => byte === 0)) return;
  const size = curve.coordinateBytes;
  const at = (i: number): bigint => bytesToBigint(bytes, i * size, size);
  const p = curve.fq.modulus;
  const holds =
    group === 'g1'
      ? mod(at(1) ** 2n - at(0) ** 3n - curve.g1.b, p) === 0n
      : isOnTwist([at(0), at(1)], [at(2), at(3)], curve.g2!, p);
  if (!holds) throw new PippinError('INVALID_POINT', `expected ${name} on its curve, got a point off it`);
}

function isOnTwist(x: Fq2, y: Fq2, { b, nonResidue }: G2Parameters, p: bigint): boolean {
  const multiply = ([a0, a1]: Fq2, [c0, c1]: Fq2): Fq2 => [a0 * c0 + nonResidue * a1 * c1, a0 * c1 + a1 * c0];
  const left = multiply(y, y);
  const right = multiply(multiply(x, x), x);
  return [0, 1].every((i) => mod(left[i]! - right[i]! - b[i]!, p) === 0n);
}
