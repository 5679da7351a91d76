import { newBytes } from '../../../base/bytes.js';
import { withOperands } from './instructions.js';
import type { ModuleFunctions } from './module-functions.js';

/** circom's names of the functions that are exchanged. */
export const EXCHANGED_NAMES = [
  'Fr_F1m_mul',
  'Fr_F1m_square',
  'Fr_F1m_toMontgomery',
  'Fr_F1m_fromMontgomery',
  'Fr_int_inverseMod',
  'Fr_F1m_add',
  'Fr_F1m_sub',
  'Fr_isNegative',
  'Fr_toInt',
  'Fr_eqR',
  'Fr_gtR',
] as const;

export type ExchangedName = (typeof EXCHANGED_NAMES)[number];

/** A function of circom's: the bytes of its code, and its fingerprint. */
export interface KnownFunction {
  readonly bytes: number;
  readonly fingerprint: string;
}

/** circom's copy of a number, of 40 bytes. Its calls are merged (`withMergedCopies`). */
export const COPY: KnownFunction = { bytes: 52, fingerprint: '77172b9fa4d58f0b' };

/** The functions that are the same over both fields. */
const OF_BOTH = {
  Fr_int_inverseMod: { bytes: 289, fingerprint: 'a86b23e80c2ad5cb' },
  Fr_F1m_add: { bytes: 44, fingerprint: '14354c4b3d4e4e94' },
  Fr_F1m_sub: { bytes: 23, fingerprint: '87e39292494ef629' },
} as const;

/** The functions as circom 2 emits them over the prime fields of BN254's and BLS12-381's scalars. */
export const KNOWN_FUNCTIONS: readonly {
  readonly modulus: bigint;
  readonly functions: Readonly<Record<ExchangedName, KnownFunction>>;
}[] = [
  {
    modulus: 0x30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001n,
    functions: {
      Fr_F1m_mul: { bytes: 3962, fingerprint: 'ef53ba4034101079' },
      Fr_F1m_square: { bytes: 4227, fingerprint: '3ad79352d4386912' },
      Fr_F1m_toMontgomery: { bytes: 11, fingerprint: '820f27b9b0029d2d' },
      Fr_F1m_fromMontgomery: { bytes: 21, fingerprint: '5146cbce62123612' },
      Fr_isNegative: { bytes: 37, fingerprint: 'f6feedf838e4bd7e' },
      Fr_toInt: { bytes: 31, fingerprint: '2d04b78c86c5a21e' },
      Fr_eqR: { bytes: 393, fingerprint: '7909ea715f58ddc0' },
      Fr_gtR: { bytes: 287, fingerprint: 'e12eedf0ee1fb140' },
      ...OF_BOTH,
    },
  },
  {
    modulus: 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n,
    functions: {
      Fr_F1m_mul: { bytes: 3962, fingerprint: '4bc5987bcdc5553a' },
      Fr_F1m_square: { bytes: 4227, fingerprint: 'd898762fc346e74d' },
      Fr_F1m_toMontgomery: { bytes: 11, fingerprint: '3e89edccef94421d' },
      Fr_F1m_fromMontgomery: { bytes: 21, fingerprint: '159297652fb4e9fd' },
      Fr_isNegative: { bytes: 37, fingerprint: '3aaecb00ac1652f8' },
      Fr_toInt: { bytes: 31, fingerprint: '29b19c8d68c11722' },
      Fr_eqR: { bytes: 393, fingerprint: '7af7273e087b15f2' },
      Fr_gtR: { bytes: 287, fingerprint: '9a4b7711c71c996a' },
      ...OF_BOTH,
    },
  },
];

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
