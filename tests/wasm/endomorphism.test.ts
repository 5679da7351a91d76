import { beforeAll, describe, expect, it } from 'vitest';
import { bls12377, bn254 } from '../../sdk/curves/index.js';
import { bytesToBigint } from '../../sdk/field/bytes.js';
import { mod } from '../../sdk/field/modular.js';
import { type AssemblyExports, assemble } from '../support/assembly.js';
import { encodeScalars } from '../support/points.js';
import { edgeValues, Random } from '../support/random.js';

/** 2^16: what rounding may add to halves on BN254, against their length. */
const ROUNDING = 1n << 16n;
const [[bn254A, bn254M], [, bn254B]] = bn254.g1.endomorphism.basis;
const { lambda: bls12377Lambda } = bls12377.g1.endomorphism;

/** The bounds that the modules prove, and the scalars k where a quotient (length) k / divisor lies halfway between two integers. */
const CASES = [
  {
    curve: bn254,
    most: [bn254A + bn254M, bn254M - bn254B].map((length) => length / 2n + length / ROUNDING + 1n),
    quotients: [-bn254B, bn254M].map((length) => ({ length, divisor: bn254.fr.modulus })),
  },
  {
    curve: bls12377,
    most: [bls12377Lambda / 2n + bls12377Lambda / 64n + 1n, bls12377Lambda + 1n - (1n << 125n)],
    quotients: [{ length: 1n, divisor: bls12377Lambda }],
  },
];

describe.each(CASES)('scalars of $curve.id split by the endomorphism', ({ curve, most, quotients }) => {
  const r = curve.fr.modulus;
  const { lambda } = curve.g1.endomorphism;
  let wasm: AssemblyExports;
  let heap: number;
  beforeAll(async () => {
    wasm = await assemble(
      'endomorphism-under-test',
      `export { splitScalars } from './split-${curve.id}';
      export function heapBase(): usize { return __heap_base; }`,
    );
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
      expect((k1 < 0n ? -k1 : k1) <= most[0]!).toBe(true);
      expect((k2 < 0n ? -k2 : k2) <= most[1]!).toBe(true);
    }
  }

  it('are exact and short at the edges', () => {
    check(edgeValues(r));
    // Where BLS12-377's second half changes its sign.
    const turns = [-2n, -1n, 0n, 1n, 2n].map((d) => ((1n << 125n) + d) * lambda);
    check(turns.flatMap((k) => [k - 1n, k, k + 1n, k + lambda / 2n, k - lambda / 2n].map((value) => mod(value, r))));
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
      for (const { length, divisor } of quotients) {
        const middle = ((2n * random.below((length * r) / divisor) + 1n) * divisor) / (2n * length);
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
