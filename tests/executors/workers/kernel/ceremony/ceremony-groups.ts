import { bigintToBytes, bytesToBigint } from '../../../../../sdk/base/bytes.js';
import { CURVES, type CurveId } from '../../../../../sdk/curves/index.js';
import { inverse, mod } from '../../../../../sdk/curves/modular.js';
import { formsOf } from '../../../../support/combinations.js';
import { NOBLE_GROUPS } from '../../../../support/noble-groups.js';
import { compileWasm } from '../../../../support/wasm.js';

/** The groups of curves with a pairing, over which there are ceremonies, by each points module. */
export const CEREMONY_GROUPS = NOBLE_GROUPS.filter(({ curve }) => CURVES[curve].pairing !== undefined).flatMap(
  (group) => formsOf(group.curve, group.group).map((points) => ({ ...group, points })),
);

/** The module of square roots that goes with a points module. */
export function compileRoots(curve: CurveId, points: string): Promise<WebAssembly.Module> {
  return compileWasm(`${curve}-roots${points.endsWith('-fma') ? '-fma' : ''}` as 'bn254-roots');
}

/** The module of rows of points that goes with a points module. */
export function compileRows(curve: CurveId, points: string): Promise<WebAssembly.Module> {
  return compileWasm(`${curve}-rows${/-(fma|simd)$/.exec(points)?.[0] ?? ''}` as 'bn254-rows');
}

/** Points from the form of a .zkey to the boundary form. */
export function canonicalPoints(curve: CurveId, bytes: Uint8Array): Uint8Array {
  const { coordinateBytes, fq } = CURVES[curve];
  const inverseR = inverse(1n << BigInt(8 * coordinateBytes), fq.modulus);
  const result = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += coordinateBytes) {
    const value = mod(bytesToBigint(bytes, at, coordinateBytes) * inverseR, fq.modulus);
    result.set(bigintToBytes(value, coordinateBytes), at);
  }
  return result;
}
