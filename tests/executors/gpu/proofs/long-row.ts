import { bytesToBigint, joinBytes, writeBigint } from '../../../../sdk/base/bytes.js';
import { CURVES, type CurveId } from '../../../../sdk/curves/index.js';
import { MAX_PIECE } from '../../../../sdk/executors/gpu/polynomials/sorted-constraints.js';
import { u32, withSection } from '../../../support/section-bytes.js';

/** The section of a .zkey's coefficients: their number, then entries of matrix, row, signal and coefficient. */
const COEFFICIENTS = 4;
const ENTRY_BYTES = 44;

/**
 * The same key with a row so long that the GPU adds it up in pieces: opposite entries do not change the row's value.
 */
export function withLongRow(zkey: Uint8Array, curve: CurveId): Uint8Array {
  return withSection(zkey, COEFFICIENTS, (body) => {
    const entry = body.slice(4, 4 + ENTRY_BYTES);
    const opposite = entry.slice();
    writeBigint(opposite, 12, 32, CURVES[curve].fr.modulus - bytesToBigint(entry, 12, 32));
    const added = Array.from({ length: MAX_PIECE }, () => [entry, opposite]).flat();
    const count = (body.length - 4) / ENTRY_BYTES + added.length;
    return joinBytes([u32(count), body.subarray(4), ...added]);
  });
}
