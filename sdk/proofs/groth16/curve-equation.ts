import { bn254, type GroupId } from '../../curves/index.js';
import { PippinError } from '../../errors.js';
import { mod } from '../../field/modular.js';
import { decodePoint } from '../../field/point-bytes.js';

const P = bn254.fq.modulus;

type Fq2 = readonly [c0: bigint, c1: bigint];

/** Checks that a point of BN254 in the boundary form is infinity or on its curve; `INVALID_POINT` names it. */
export function expectOnCurve(group: GroupId, bytes: Uint8Array, name: string): void {
  const { x, y, infinity } = decodePoint('bn254', group, bytes);
  if (infinity) return;
  const holds =
    typeof x === 'bigint'
      ? mod((y as bigint) ** 2n - x ** 3n - bn254.g1.b, P) === 0n
      : isOnTwist(x as Fq2, y as Fq2, bn254.g2!.b);
  if (!holds) throw new PippinError('INVALID_POINT', `expected ${name} on its curve, got a point off it`);
}

/** y^2 = x^3 + b over F_p[u] / (u^2 + 1). */
function isOnTwist(x: Fq2, y: Fq2, b: Fq2): boolean {
  const left = multiply(y, y);
  const right = multiply(multiply(x, x), x);
  return [0, 1].every((i) => mod(left[i]! - right[i]! - b[i]!, P) === 0n);
}

function multiply(a: Fq2, b: Fq2): Fq2 {
  return [mod(a[0] * b[0] - a[1] * b[1], P), mod(a[0] * b[1] + a[1] * b[0], P)];
}
