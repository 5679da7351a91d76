import { wideFacts } from '../../scripts/generate/wasm/wide-facts.js';
import { bigintToBytes, bytesToBigint } from '../../sdk/base/bytes.js';
import type { FieldParameters } from '../../sdk/curves/index.js';
import { fromLimbs, toLimbs, WASM_LIMB_BITS, wasmLimbs } from '../../sdk/curves/limbs.js';
import { expectSame } from './same.js';

/** How a single element of a field lies in memory. */
export interface SingleForm {
  /** What follows a field's name in the names of its files. */
  readonly suffix: '' | '-wide';
  readonly limbs: number;
  readonly limbBits: number;
  /** Bytes of an element. */
  readonly bytes: number;
  /** The Montgomery factor. */
  readonly r: bigint;
  put(memory: WebAssembly.Memory, at: number, value: bigint): void;
  /** The value of an element, whose limbs must be normalised. */
  get(memory: WebAssembly.Memory, at: number): bigint;
}

/** Limbs of 29 bits in words of 32. */
export function smallLimbs(field: FieldParameters): SingleForm {
  const limbs = wasmLimbs(field.bits);
  return {
    suffix: '',
    limbs,
    limbBits: WASM_LIMB_BITS,
    bytes: 4 * limbs,
    r: 1n << BigInt(limbs * WASM_LIMB_BITS),
    put: ({ buffer }, at, value) => new Uint32Array(buffer, at, limbs).set(toLimbs(value, limbs, WASM_LIMB_BITS)),
    get: ({ buffer }, at) => {
      const words = new Uint32Array(buffer, at, limbs);
      expectSame(
        words.every((word) => word < 2 ** WASM_LIMB_BITS),
        true,
      );
      return fromLimbs(words, WASM_LIMB_BITS);
    },
  };
}

/** Limbs of 64 bits, for wide arithmetic. */
export function wideLimbs(field: FieldParameters): SingleForm {
  const { limbs, r } = wideFacts(field);
  return {
    suffix: '-wide',
    limbs,
    limbBits: 64,
    bytes: 8 * limbs,
    r,
    put: ({ buffer }, at, value) => new Uint8Array(buffer).set(bigintToBytes(value, 8 * limbs), at),
    get: ({ buffer }, at) => bytesToBigint(new Uint8Array(buffer), at, 8 * limbs),
  };
}
