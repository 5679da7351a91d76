import { CURVES, type CurveId } from '../curves/index.js';
import { bigintToBytes } from '../field/bytes.js';
import { checkScalars } from './scalars.js';

/**
 * The same checks as those of `checkScalars`, without finding the bits. All words of all scalars are compared, without a branch, so that scalars
 * that pass take the same time whatever they are.
 */
export function checkScalarsEvenly(curve: CurveId, scalars: Uint8Array, count: number, bitSize?: number): void {
  const { scalarBytes, fr } = CURVES[curve];
  const bound = bitSize === undefined || bitSize >= fr.bits ? fr.modulus : 1n << BigInt(bitSize);
  const words = scalarBytes / 4;
  const limits = new Int32Array(bigintToBytes(bound, scalarBytes).buffer);
  const view = new DataView(scalars.buffer, scalars.byteOffset, scalars.length);
  const hasAll = scalars.length === count * scalarBytes;
  /** 1 as long as every scalar is below the bound. */
  let areBelow = 1;
  for (let i = 0; i < count && hasAll; i++) {
    let borrow = 0;
    for (let w = 0; w < words; w++) {
      const word = view.getInt32(i * scalarBytes + 4 * w, true);
      const limit = limits[w]!;
      // Of the words as unsigned integers: Hacker's Delight (Warren, 2nd edition, section 2-13).
      borrow = ((~word & limit) | (~(word ^ limit) & (word - limit - borrow))) >>> 31;
    }
    areBelow &= borrow;
  }
  // It says what is wrong.
  if (!hasAll || areBelow === 0) checkScalars(curve, scalars, count, bitSize);
}
