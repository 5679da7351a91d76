import { newBytes } from '../../../base/bytes.js';
import { withOperands } from './instructions.js';
import type { ModuleFunctions } from './module-functions.js';

/**
 * The fingerprint of a defined function: a hash of its code and of all functions that it calls, directly or not. The
 * index of a called function does not enter it, only the order in which functions are first called: so it is the same
 * in whichever module the functions stand. `UNSUPPORTED_FORMAT` for code that `withOperands` does not read. undefined
 * if an imported function is called.
 */
export function fingerprintOf({ imported, defined }: ModuleFunctions, index: number): string | undefined {
  const order = [index];
  let callsImport = false;
  const call = (called: number): number => {
    if (called < imported || called >= imported + defined.length) callsImport = true;
    const known = order.indexOf(called);
    return known >= 0 ? known : order.push(called) - 1;
  };
  const hash = new Hash();
  for (let at = 0; at < order.length && !callsImport; at++) {
    const { code } = defined[order[at]! - imported]!;
    hash.add(withOperands(code, { call }));
  }
  return callsImport ? undefined : hash.digest();
}

/** A 64-bit hash of byte strings with their lengths, by multiplication and rotation of 32-bit words. */
class Hash {
  private low = 0x9e3779b9 | 0;
  private high = 0x85ebca6b | 0;

  add(bytes: Uint8Array): void {
    const padded = newBytes(4 * Math.ceil(bytes.length / 4) + 4);
    padded.set(bytes);
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 4, bytes.length, true);
    for (let at = 0; at < padded.length; at += 4) {
      const word = view.getInt32(at, true);
      this.low = Math.imul(rotate(this.low ^ word, 13), 0x9e3779b1);
      this.high = Math.imul(rotate(this.high + word, 17), 0x85ebca77) ^ this.low;
    }
  }

  digest(): string {
    return [this.high, this.low].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
