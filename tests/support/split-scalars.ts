import { bigintToBytes, joinBytes } from '../../sdk/base/bytes.js';
import { ENDOMORPHISMS } from '../../sdk/curves/endomorphisms.js';
import { CURVES, type CurveId } from '../../sdk/curves/index.js';

/** a / b, rounded to the nearest. */
function rounded(a: bigint, b: bigint): bigint {
  const doubled = 2n * a + b;
  return doubled >= 0n ? doubled / (2n * b) : -((-doubled + 2n * b - 1n) / (2n * b));
}

/** The halves k1 + k2 lambda of a scalar by the short vectors of the curve's endomorphism. */
export function halvesOf(curve: CurveId, scalar: bigint): readonly [bigint, bigint] {
  const { fr } = CURVES[curve];
  const [[a, b], [c, minusD]] = ENDOMORPHISMS[curve]!.basis;
  const first = rounded(-minusD * scalar, fr.modulus);
  const second = rounded(b * scalar, fr.modulus);
  return [scalar - first * a - second * c, -first * b - second * minusD];
}

/** Scalars as a GPU that multiplies points takes them (`splitScalars` of the kernels): in halves, plus 8 in each window. */
export function splitBytes(curve: CurveId, scalars: readonly bigint[]): Uint8Array {
  const eights = BigInt(`0x${'8'.repeat(32)}`);
  return joinBytes(
    scalars.flatMap((scalar) => halvesOf(curve, scalar).map((half) => bigintToBytes(half + eights, 16))),
  );
}
