import { beforeAll, describe, expect, it } from 'vitest';
import { writeBigint } from '../../../sdk/base/bytes.js';
import { signedDigits, windowCount } from '../../../sdk/bases/digits.js';
import type { Kernel } from '../../../sdk/executors/workers/kernel/kernel.js';
import { type AssemblyExports, assemble } from '../../support/assembly.js';
import { encodeScalars } from '../../support/points.js';
import { edgeValues, Random } from '../../support/random.js';
import { ALL_CURVES, CURVE_OF_EACH_SCALAR_SIZE } from '../../support/registry.js';
import { expectAtMost, expectSame } from '../../support/same.js';
import { loadKernel } from '../../support/wasm.js';

describe.each(ALL_CURVES)('signed digits of the scalars of $id', ({ id, fr, scalarBytes }) => {
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await loadKernel(id);
  });

  const random = new Random(21);
  const scalars = [...edgeValues(fr.modulus), ...Array.from({ length: 50 }, () => random.below(fr.modulus))];
  const bytes = new Uint8Array(scalars.length * scalarBytes);
  for (const [i, scalar] of scalars.entries()) writeBigint(bytes, i * scalarBytes, scalarBytes, scalar);

  /** Scalars whose windows all lie at the middle, where a digit turns negative. */
  const halves = (c: number): bigint[] =>
    [0n, 1n].map((above) => {
      let value = 0n;
      for (let bit = 0; bit + c < fr.bits; bit += c) value |= ((1n << BigInt(c - 1)) + above) << BigInt(bit);
      return value;
    });

  it.each(Array.from({ length: 17 }, (_, i) => i + 4))('cuts windows of %i bits', async (c) => {
    const all = [...scalars, ...halves(c)];
    const input = new Uint8Array(all.length * scalarBytes);
    input.set(bytes);
    for (const [i, scalar] of halves(c).entries())
      writeBigint(input, (scalars.length + i) * scalarBytes, scalarBytes, scalar);
    const digits = await kernel.cutDigits({ scalars: input, windowBits: c });
    expect(digits.length).toBe(windowCount(fr.bits, c) * all.length);
    for (const [i, scalar] of all.entries()) {
      const cut = Array.from({ length: windowCount(fr.bits, c) }, (_, w) => {
        const entry = digits[w * all.length + i]!;
        return entry & 0x80000000 ? -(entry & 0x7fffffff) : entry;
      });
      // Zero has no sign.
      expectSame(cut, signedDigits(scalar, fr.bits, c));
    }
  });

  it('cuts no scalars to no digits', async () => {
    expect(await kernel.cutDigits({ scalars: new Uint8Array(0), windowBits: 8 })).toEqual(new Uint32Array(0));
  });

  it.each([3, 21, 7.5, Number.NaN])('refuses windows of %d bits', async (c) => {
    await expect(kernel.cutDigits({ scalars: bytes, windowBits: c })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });

  it('refuses half a scalar', async () => {
    await expect(kernel.cutDigits({ scalars: bytes.subarray(16), windowBits: 8 })).rejects.toMatchObject({
      code: 'INVALID_LENGTH',
    });
  });
});

describe.each(CURVE_OF_EACH_SCALAR_SIZE)('digits of $scalarBytes bytes cut window by window', ({ id, scalarBytes }) => {
  let wasm: AssemblyExports;
  let heap: number;
  beforeAll(async () => {
    wasm = await assemble(
      'digits-under-test',
      `import { Scalars } from './generated/${id}-constants';
      import { addBias, cutWindow } from './msm/digits';
      import { gatherScalars } from './msm/msm';
      export function add(numbers: usize, from: i32, to: i32, bias: usize): void { addBias<Scalars>(numbers, from, to, bias); }
      export function cut(numbers: usize, size: u32, from: i32, to: i32, at: u32, bits: u32, bias: i32, target: usize): void {
        cutWindow<Scalars>(numbers, size, from, to, at, bits, bias, target);
      }
      export function gather(scalars: usize, list: usize, from: i32, to: i32): void { gatherScalars<Scalars>(scalars, list, from, to); }
      export function heapBase(): usize { return __heap_base; }`,
    );
    heap = Math.ceil(wasm.heapBase!() / 16) * 16;
    wasm.memory.grow(4);
  });

  /**
   * Digits of numbers that lie at heap, lowest window first, cut as `SignedDigits` does: of parts of `size` bytes and
   * `bits` bits.
   */
  function cut(count: number, size: number, bits: number, c: number): number[][] {
    const windows = Math.ceil(bits / c);
    let bias = 0n;
    for (let w = 0; w < windows - 1; w++) bias += 1n << BigInt((w + 1) * c - 1);
    const biasAt = heap + scalarBytes * count;
    const target = biasAt + scalarBytes;
    writeBigint(
      new Uint8Array(wasm.memory.buffer),
      biasAt,
      scalarBytes,
      size === scalarBytes ? bias : bias + (bias << 128n),
    );
    // In two runs, as long work is done in chunks.
    const middle = count >> 1;
    wasm.add!(heap, 0, middle, biasAt);
    wasm.add!(heap, middle, count, biasAt);
    const rows: number[][] = [];
    for (let part = 0; part < scalarBytes / size; part++) {
      for (let w = 0; w < windows; w++) {
        // The highest bit of a half is its sign.
        const room = size === 16 ? 127 : 8 * scalarBytes;
        const [width, half] = w < windows - 1 ? [c, 2 ** (c - 1)] : [Math.min(bits - w * c + 1, room - w * c), 0];
        wasm.cut!(heap + part * size, size, 0, middle, w * c, width!, half!, target);
        wasm.cut!(heap + part * size, size, middle, count, w * c, width!, half!, target);
        rows.push(
          [...new Uint32Array(wasm.memory.buffer, target, count)].map((entry) =>
            entry >>> 31 === 1 ? -(entry & 0x7fffffff) : entry,
          ),
        );
      }
    }
    return rows;
  }

  /** Checks the digits of one part: that they sum up to the number, and that each has a bucket. */
  function expectDigits(digits: readonly number[], value: bigint, bits: number, c: number): void {
    const highest = digits.length - 1;
    expectSame(
      digits.reduceRight((sum, digit) => (sum << BigInt(c)) + BigInt(digit), 0n),
      value,
    );
    for (const [w, digit] of digits.entries()) {
      expectAtMost(Math.abs(digit), w < highest ? 2 ** (c - 1) : 2 ** (bits - highest * c));
    }
  }

  it.each(Array.from({ length: 17 }, (_, i) => i + 4))(
    'are signed and sum up to scalars, in windows of %i bits',
    (c) => {
      const random = new Random(c);
      for (const { fr } of ALL_CURVES.filter((curve) => curve.scalarBytes === scalarBytes)) {
        const scalars = [...edgeValues(fr.modulus), (1n << BigInt(fr.bits)) - 1n];
        for (let i = 0; i < 30; i++) scalars.push(random.below(fr.modulus));
        new Uint8Array(wasm.memory.buffer).set(encodeScalars(scalars, id), heap);
        const rows = cut(scalars.length, scalarBytes, fr.bits, c);
        for (const [i, scalar] of scalars.entries()) {
          const digits = rows.map((row) => row[i]!);
          expectDigits(digits, scalar, fr.bits, c);
        }
      }
    },
  );

  /**
   * Halves of 126 bits, and such of 127 as the splitting of scalars of 255 bits gives, which leave room for the bias.
   */
  const HALVES = [
    { bits: 126, most: 1n << 126n },
    { bits: 127, most: ((1n << 127n) * 673n) / 1000n },
  ];
  const HALF_CASES = (scalarBytes === 32 ? HALVES : []).flatMap((half) =>
    Array.from({ length: 17 }, (_, i) => ({ ...half, c: i + 4 })),
  );

  it.each(HALF_CASES)('take the signs of halves of $bits bits, in windows of $c bits', ({ bits, most, c }) => {
    const random = new Random(c);
    const edges = [0n, 1n, most - 1n, most / 2n, most / 2n - 1n, (1n << 64n) - 1n, 1n << 64n];
    const absolute = [...edges, ...Array.from({ length: 30 }, () => random.below(most))];
    // Every pair of signs, and pairs of edges that would carry from one half to the other.
    const halves = absolute.flatMap((k1, i) => {
      const k2 = absolute[(i * 5 + 3) % absolute.length]!;
      return [0n, 1n, 2n, 3n].map((signs) => [signs & 1n ? -k1 : k1, signs & 2n ? -k2 : k2] as const);
    });
    const encoded = ([k1, k2]: readonly [bigint, bigint]): bigint => {
      const [low, high] = [k1, k2].map((k) => (k < 0n ? -k + (1n << 127n) : k));
      return low! + (high! << 128n);
    };
    new Uint8Array(wasm.memory.buffer).set(encodeScalars(halves.map(encoded), id), heap);
    const rows = cut(halves.length, 16, bits, c);
    const windows = rows.length / 2;
    for (const [i, [k1, k2]] of halves.entries()) {
      const digits = rows.map((row) => row[i]!);
      expectDigits(digits.slice(0, windows), k1, bits, c);
      expectDigits(digits.slice(windows), k2, bits, c);
    }
  });

  it('are cut from scalars that are brought together', () => {
    const scalars = [5n, 1n << 200n, 7n, 0n, 9n, (1n << 253n) - 1n];
    const list = heap + scalarBytes * scalars.length;
    for (const numbers of [[0, 1, 2, 3, 4, 5], [1, 4, 5], [5], []]) {
      new Uint8Array(wasm.memory.buffer).set(encodeScalars(scalars, id), heap);
      new Uint32Array(wasm.memory.buffer).set(numbers, list / 4);
      wasm.gather!(heap, list, 0, numbers.length >> 1);
      wasm.gather!(heap, list, numbers.length >> 1, numbers.length);
      const expected = encodeScalars(
        numbers.map((number) => scalars[number]!),
        id,
      );
      expect(new Uint8Array(wasm.memory.buffer, heap, expected.length).slice()).toEqual(expected);
    }
  });
});
