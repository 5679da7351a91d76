import { beforeAll, describe, expect, it } from 'vitest';
import { bn254 } from '../../sdk/curves/index.js';
import { bytesToBigint } from '../../sdk/field/bytes.js';
import { mod } from '../../sdk/field/modular.js';
import { type AssemblyExports, assemble } from '../support/assembly.js';
import { encodeScalars } from '../support/points.js';
import { edgeValues, Random } from '../support/random.js';

const text = `
export { splitScalars } from './split-bn254';
export function heapBase(): usize { return __heap_base; }
`;
const r = bn254.fr.modulus;
const { lambda, basis } = bn254.g1.endomorphism;
const [[a, m], [, minusB]] = basis!;
const b = -minusB;

describe('scalars of BN254 split by the endomorphism', () => {
  let wasm: AssemblyExports;
  let heap: number;
  beforeAll(async () => {
    wasm = await assemble('endomorphism-under-test', text);
    heap = Math.ceil(wasm.heapBase!() / 16) * 16;
    wasm.memory.grow(64);
  });

  /** The halves with their signs, of scalars taken backwards through a list, and the references' other bits. */
  function split(scalars: readonly bigint[]): { k1: bigint; k2: bigint }[] {
    const count = scalars.length;
    const list = heap + 32 * count;
    const references = list + 4 * count;
    const halves = references + 8 * count;
    new Uint8Array(wasm.memory.buffer).set(encodeScalars(scalars), heap);
    const words = new Uint32Array(wasm.memory.buffer);
    for (let k = 0; k < count; k++) words[list / 4 + k] = count - 1 - k;
    for (let k = 0; k < 2 * count; k++) words[references / 4 + k] = k;
    const middle = count >> 1;
    wasm.splitScalars!(heap, list, count, 0, middle, halves, references);
    wasm.splitScalars!(heap, list, count, middle, count, halves, references);
    const half = (k: number): bigint => {
      const reference = words[references / 4 + k]!;
      expect(reference & 0x7fffffff).toBe(k);
      const value = bytesToBigint(new Uint8Array(wasm.memory.buffer), halves + 16 * k, 16);
      expect(value < 1n << 126n).toBe(true);
      return reference >>> 31 === 1 ? -value : value;
    };
    return scalars.map((_, i) => ({ k1: half(count - 1 - i), k2: half(2 * count - 1 - i) }));
  }

  function check(scalars: readonly bigint[]): void {
    for (const [i, { k1, k2 }] of split(scalars).entries()) {
      expect(mod(k1 + k2 * lambda, r)).toBe(scalars[i]);
      // Half of the cell that the short vectors span, and 2^-16 of it for rounding.
      const slack = (length: bigint): bigint => length / 2n + (length >> 16n) + 1n;
      expect((k1 < 0n ? -k1 : k1) <= slack(a + m)).toBe(true);
      expect((k2 < 0n ? -k2 : k2) <= slack(b + m)).toBe(true);
    }
  }

  it('are exact and short at the edges', () => {
    check(edgeValues(r));
  });

  it('keep small scalars as they are', () => {
    const small = [0n, 1n, 2n, 255n, (1n << 32n) - 1n, (1n << 64n) - 1n, 1n << 100n];
    expect(split(small)).toEqual(small.map((k1) => ({ k1, k2: 0n })));
    expect(split(small.slice(1).map((k) => r - k))).toEqual(small.slice(1).map((k) => ({ k1: -k, k2: 0n })));
    expect(split([lambda, r - lambda])).toEqual([
      { k1: 0n, k2: 1n },
      { k1: 0n, k2: -1n },
    ]);
  });

  it('are exact and short where the quotients lie between two integers', () => {
    const random = new Random(126);
    const scalars: bigint[] = [];
    for (let i = 0; i < 2000; i++) {
      // c1 = B k / r near j + 1/2, and c2 = M k / r.
      for (const length of [b, m]) {
        const middle = ((2n * random.below(length) + 1n) * r) / (2n * length);
        for (const d of [-1n, 0n, 1n]) scalars.push(mod(middle + d, r));
      }
    }
    check(scalars);
  });

  it('are exact and short for random scalars and sums of short vectors', () => {
    const random = new Random(254);
    check(Array.from({ length: 20_000 }, () => random.below(r)));
    check(
      Array.from({ length: 2000 }, (_, i) => mod(random.below(1n << BigInt(1 + (i % 126))) * lambda + BigInt(i), r)),
    );
  });
});
