import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeBigint } from '../../../sdk/base/bytes.js';
import { type CurveId, SCALAR_BYTES } from '../../../sdk/curves/index.js';
import { mod } from '../../../sdk/curves/modular.js';
import type { Kernel } from '../../../sdk/executors/workers/kernel/kernel.js';
import { edgeValues, Random } from '../../support/random.js';
import { CURVES_WITH_TRANSFORMS } from '../../support/registry.js';
import { scalarsFromBytes, scalarsToBytes } from '../../support/scalar-bytes.js';
import { loadKernel } from '../../support/wasm.js';

const kernels = {} as Record<CurveId, Kernel>;
beforeAll(async () => {
  for (const { id } of CURVES_WITH_TRANSFORMS) kernels[id] = await loadKernel(id);
});

interface Entry {
  readonly matrix: number;
  readonly constraint: number;
  readonly signal: number;
  readonly coefficient: bigint;
}

const ROW_BYTES = 44;

/** Rows of a .zkey's coefficient section, which holds coefficients times 2^512. */
function encode(entries: readonly Entry[], modulus: bigint): Uint8Array {
  const bytes = new Uint8Array(entries.length * ROW_BYTES);
  const view = new DataView(bytes.buffer);
  for (const [i, { matrix, constraint, signal, coefficient }] of entries.entries()) {
    for (const [k, value] of [matrix, constraint, signal].entries()) view.setUint32(i * ROW_BYTES + 4 * k, value, true);
    writeBigint(bytes, i * ROW_BYTES + 12, SCALAR_BYTES, mod(coefficient << 512n, modulus));
  }
  return bytes;
}

/** The matrix times the witness, from the definition. */
function product(
  entries: readonly Entry[],
  matrix: number,
  witness: readonly bigint[],
  domainSize: number,
  modulus: bigint,
): bigint[] {
  const sums = new Array<bigint>(domainSize).fill(0n);
  for (const { constraint, signal, coefficient } of entries.filter((entry) => entry.matrix === matrix)) {
    sums[constraint] = mod(sums[constraint]! + coefficient * witness[signal]!, modulus);
  }
  return sums;
}

describe.each(CURVES_WITH_TRANSFORMS)('constraints over the scalars of $id', ({ id, fr: { modulus } }) => {
  const edges = edgeValues(modulus);
  /** Loads both matrices, evaluates both, and compares. */
  const check = async (entries: readonly Entry[], witness: readonly bigint[], domainSize: number): Promise<void> => {
    const bytes = encode(entries, modulus);
    for (const matrix of [0, 1] as const) {
      kernels[id].loadConstraints({ id: `m${matrix}`, matrix, entries: bytes, domainSize });
    }
    for (const matrix of [0, 1]) {
      const args = { id: `m${matrix}`, witness: scalarsToBytes(witness) };
      const result = await kernels[id].evaluateConstraints(args);
      expect(scalarsFromBytes(result)).toEqual(product(entries, matrix, witness, domainSize, modulus));
      expect(await kernels[id].evaluateConstraints({ ...args, constantWork: true })).toEqual(result);
      expect(result.buffer.byteLength).toBe(result.length);
    }
  };

  it('multiplies edge coefficients by edge values', async () => {
    const entries = edges.flatMap((coefficient, i) =>
      edges.map((_, signal) => ({ matrix: 0, constraint: i * edges.length + signal, signal, coefficient })),
    );
    await check(entries, edges, edges.length ** 2);
  });

  it.each([
    ['1', 1n],
    ['r - 1', -1n],
    ['2', 2n],
    ['(r - 1) / 2', modulus / 2n],
  ])('adds many terms of one constraint with the coefficient %s', async (_, coefficient) => {
    const witness = Array.from({ length: 300 }, (_, i) => (i % 3 === 0 ? modulus - 1n : edges[i % edges.length]!));
    const entries = witness.map((_, signal) => ({ matrix: signal % 2, constraint: 0, signal, coefficient }));
    await check(entries, witness, 1);
  });

  it('takes rows in any order, matrices mixed, signals and constraints repeated or left out', async () => {
    const random = new Random(3);
    const pool = [1n, modulus - 1n, 0n, 2n, 1n << 128n];
    const witness = Array.from({ length: 50 }, (_, i) => (i < 20 ? BigInt(i % 2) : random.below(modulus)));
    const entries = Array.from({ length: 9000 }, () => ({
      matrix: random.integer(2),
      constraint: random.integer(64) * 2,
      signal: random.integer(50),
      coefficient: random.integer(2) === 0 ? pool[random.integer(pool.length)]! : random.below(modulus),
    }));
    await check(entries, witness, 128);
  });

  it('agrees with the definition for any matrix', async () => {
    const element = fc.oneof(fc.constantFrom(...edges), fc.bigInt(0n, modulus - 1n));
    const system = fc
      .record({
        domainSize: fc.integer({ min: 1, max: 8 }),
        witness: fc.array(element, { minLength: 1, maxLength: 6 }),
      })
      .chain(({ domainSize, witness }) =>
        fc.record({
          domainSize: fc.constant(domainSize),
          witness: fc.constant(witness),
          entries: fc.array(
            fc.record({
              matrix: fc.integer({ min: 0, max: 1 }),
              constraint: fc.integer({ min: 0, max: domainSize - 1 }),
              signal: fc.integer({ min: 0, max: witness.length - 1 }),
              coefficient: element,
            }),
            { maxLength: 40 },
          ),
        }),
      );
    await fc.assert(
      fc.asyncProperty(system, ({ entries, witness, domainSize }) => check(entries, witness, domainSize)),
      { numRuns: 60 },
    );
  });

  it('gives zeros for a matrix without entries', async () => {
    await check([], [1n], 4);
  });

  it('keeps a matrix through other work, replaces it under its name, and lets it go', async () => {
    const kernel = kernels[id];
    const entries = [{ matrix: 0, constraint: 1, signal: 0, coefficient: 5n }];
    kernel.loadConstraints({ id: 'kept', matrix: 0, entries: encode(entries, modulus), domainSize: 2 });
    await kernel.shiftToCoset({ values: scalarsToBytes(new Array(512).fill(7n)) });
    expect(scalarsFromBytes(await kernel.evaluateConstraints({ id: 'kept', witness: scalarsToBytes([3n]) }))).toEqual([
      0n,
      15n,
    ]);
    const other = [{ matrix: 0, constraint: 0, signal: 0, coefficient: 6n }];
    kernel.loadConstraints({ id: 'kept', matrix: 0, entries: encode(other, modulus), domainSize: 4 });
    expect(scalarsFromBytes(await kernel.evaluateConstraints({ id: 'kept', witness: scalarsToBytes([3n]) }))).toEqual([
      18n,
      0n,
      0n,
      0n,
    ]);
    kernel.releaseConstraints({ id: 'kept' });
    kernel.releaseConstraints({ id: 'kept' });
    await expect(kernel.evaluateConstraints({ id: 'kept', witness: scalarsToBytes([3n]) })).rejects.toMatchObject({
      code: 'INTERNAL',
    });
  });

  const good: Entry = { matrix: 0, constraint: 3, signal: 1, coefficient: 1n };
  it.each([
    ['a constraint outside the domain', { constraint: 4 }],
    ['a constraint far outside the domain', { constraint: 2 ** 32 - 1 }],
    ['a matrix other than 0 and 1', { matrix: 2 }],
  ])('refuses %s, and names the row', (_, change) => {
    // Row 5000 lies in the second of the kernel's chunks.
    const entries = Array.from({ length: 6000 }, (_, i) => (i === 5000 ? { ...good, ...change } : good));
    for (const matrix of [0, 1] as const) {
      expect(() =>
        kernels[id].loadConstraints({ id: 'bad', matrix, entries: encode(entries, modulus), domainSize: 4 }),
      ).toThrow(
        expect.objectContaining({ code: 'MALFORMED_FILE', message: expect.stringContaining('coefficient 5000 ') }),
      );
    }
  });

  it.each([modulus, modulus + 1n, 2n ** 256n - 1n])('refuses the coefficient %i, which is not below r', (value) => {
    const bytes = encode([good, good], modulus);
    writeBigint(bytes, ROW_BYTES + 12, SCALAR_BYTES, value);
    expect(() => kernels[id].loadConstraints({ id: 'bad', matrix: 0, entries: bytes, domainSize: 4 })).toThrow(
      expect.objectContaining({ code: 'MALFORMED_FILE', message: expect.stringContaining('coefficient 1 ') }),
    );
  });

  it('refuses bytes that are no whole number of rows', () => {
    const bytes = encode([good], modulus);
    for (const length of [1, ROW_BYTES - 1]) {
      expect(() =>
        kernels[id].loadConstraints({ id: 'bad', matrix: 0, entries: bytes.subarray(0, length), domainSize: 4 }),
      ).toThrow(expect.objectContaining({ code: 'MALFORMED_FILE' }));
    }
  });

  it.each([2, 3, 2 ** 30, 2 ** 32 - 1])('refuses a witness without signal %i', async (signal) => {
    for (const coefficient of [1n, 3n]) {
      kernels[id].loadConstraints({
        id: 'short',
        matrix: 0,
        entries: encode([good, { ...good, signal, coefficient }], modulus),
        domainSize: 4,
      });
      const evaluated = kernels[id].evaluateConstraints({ id: 'short', witness: scalarsToBytes([1n, 2n]) });
      await expect(evaluated).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    }
  });

  it('refuses a witness that is no whole number of signals', async () => {
    kernels[id].loadConstraints({ id: 'whole', matrix: 0, entries: encode([good], modulus), domainSize: 4 });
    for (const length of [0, 1, 33, 65]) {
      const evaluated = kernels[id].evaluateConstraints({ id: 'whole', witness: new Uint8Array(length) });
      await expect(evaluated).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    }
  });

  it('stops when the caller turns away, and works on after that', async () => {
    const kernel = kernels[id];
    // So many rows that the work takes several steps of 20 ms on any machine; all alike, so that encoding them is
    // quick.
    const rows = new Uint8Array(ROW_BYTES * 2 ** 21);
    rows.set(encode([{ ...good, coefficient: 3n }], modulus));
    for (let filled = ROW_BYTES; filled < rows.length; filled *= 2) rows.copyWithin(filled, 0, filled);
    kernel.loadConstraints({ id: 'many', matrix: 0, entries: rows, domainSize: 4 });
    const witness = scalarsToBytes([0n, modulus - 1n]);
    let looks = 0;
    const task = { cancelled: async () => ++looks === 2, progress: () => undefined };
    await expect(kernel.evaluateConstraints({ id: 'many', witness }, task)).rejects.toMatchObject({ code: 'ABORTED' });
    const fractions: number[] = [];
    const result = await kernel.evaluateConstraints(
      { id: 'many', witness },
      {
        cancelled: async () => false,
        progress: (fraction) => fractions.push(fraction),
      },
    );
    expect(scalarsFromBytes(result)).toEqual([0n, 0n, 0n, modulus - 3n * 2n ** 21n]);
    expect(fractions.length).toBeGreaterThan(1);
    expect(fractions.every((fraction, i) => fraction <= 1 && fraction >= (fractions[i - 1] ?? 0))).toBe(true);
    kernel.releaseConstraints({ id: 'many' });
  });
});
