import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inverse } from '../../../../sdk/curves/modular.js';
import { type ConstraintFacts, GpuQuotient } from '../../../../sdk/executors/gpu/polynomials/gpu-quotient.js';
import { quotientBytes, rowSteps } from '../../../../sdk/executors/gpu/polynomials/quotient-steps.js';
import { elementBytes, kernelR } from '../../../../sdk/executors/gpu/polynomials/scalar-field.js';
import { MAX_PIECE } from '../../../../sdk/executors/gpu/polynomials/sorted-constraints.js';
import type { GpuDevice } from '../../../../sdk/executors/gpu/runtime/device.js';
import type { Kernel } from '../../../../sdk/executors/workers/kernel/kernel.js';
import { memorySource } from '../../../../sdk/files/byte-source.js';
import { readWtns } from '../../../../sdk/files/snarkjs/wtns.js';
import { readZkey } from '../../../../sdk/files/snarkjs/zkey.js';
import { chainOver, snarkjsWitness } from '../../../support/circuits.js';
import { quotientOfWitness } from '../../../support/quotient-of-witness.js';
import { edgeValues, Random } from '../../../support/random.js';
import { CURVES_ON_GPU } from '../../../support/registry.js';
import { loadKernel } from '../../../support/wasm.js';
import { quotientOnWorkers } from '../../../support/workers-quotient.js';
import { sharedDevice } from '../test-device.js';
import { elementsOf, QuotientLab, readBuffer, TRANSFORM_CURVES } from './quotient-lab.js';
import { type Entry, mixedEntries, rowsOf, sectionOf } from './section.js';

describe.each(TRANSFORM_CURVES)('GpuQuotient of $id', ({ id, fr, snarkjs }) => {
  const r = fr.modulus;
  const random = new Random(17);
  let gpu: GpuDevice;
  let kernel: Kernel;
  let quotient: GpuQuotient;

  beforeAll(async () => {
    gpu = await sharedDevice();
    kernel = await loadKernel(id);
    quotient = await GpuQuotient.create(gpu, id);
  });

  afterAll(() => quotient.destroy());

  function witnessOf(variables: number): bigint[] {
    const edges = edgeValues(r);
    return Array.from({ length: variables }, (_, i) =>
      i % 4 === 0 ? edges[i % edges.length]! : i % 4 === 1 ? 1n : random.below(r),
    );
  }

  /** Whether the result is that of the workers. */
  async function check(
    section: Uint8Array,
    facts: ConstraintFacts,
    witness: Uint8Array,
    on: GpuQuotient = quotient,
    masks?: readonly bigint[],
  ): Promise<void> {
    const constraints = await on.loadConstraints(section, facts);
    const call = masks === undefined ? {} : { masks: elementBytes(id, masks) };
    const scalars = await quotientOfWitness(on, constraints, witness, call);
    const got = await readBuffer(gpu, scalars.buffer);
    scalars.release();
    constraints.release();
    expect(scalars.count).toBe(facts.domainSize);
    const expected = elementsOf(await quotientOnWorkers(kernel, section, facts, witness));
    expect(elementsOf(got)).toEqual(expected.map((value, i) => (value + (masks?.[i] ?? 0n)) % r));
  }

  async function checkMixed(facts: ConstraintFacts, longest?: number): Promise<void> {
    const entries = mixedEntries(id, facts, random, longest);
    await check(sectionOf(id, entries), facts, elementBytes(id, witnessOf(facts.variables)));
  }

  it('multiplies the matrices with a witness, whatever their rows are', async () => {
    // So small that the entries go to several buffers.
    const limits = { maxStorageBufferBindingSize: 4096, maxBufferSize: 4096 };
    const narrow: GpuDevice = Object.create(gpu, { limits: { value: limits } });
    const own = await GpuQuotient.create(narrow, id, { memoryBudget: 2 ** 20 });
    const facts = { domainSize: 64, variables: 100 };
    const entries = mixedEntries(id, facts, random, 40 * MAX_PIECE);
    const witness = witnessOf(facts.variables);
    const constraints = await own.loadConstraints(sectionOf(id, entries), facts);
    const { matrices, coefficients } = constraints.contents;
    expect(matrices.every(({ longPieces, join }) => longPieces.length > 1 && join !== undefined)).toBe(true);
    const lab = new QuotientLab(gpu, id);
    await lab.fill({ a: 64, b: 64, partials: quotientBytes(constraints).partials! / 32 });
    const signals = lab.buffer(elementBytes(id, witness));
    const factor = (1n << 512n) * inverse(kernelR(id), r);
    for (const [m, sums] of (['a', 'b'] as const).entries()) {
      await lab.run(rowSteps(matrices[m]!, coefficients, signals, sums));
      const got = await lab.read(sums);
      expect(got.every((value) => value < 2n * r)).toBe(true);
      const expected = rowsOf(id, entries, m, 64, witness).map((value) => (value * factor) % r);
      expect(got.map((value) => value % r)).toEqual(expected);
    }
    lab.destroy();
    own.destroy();
  });

  for (const log of id === 'bn254' ? [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12] : [1, 4, 10]) {
    it(`is that of the workers for a domain of 2^${log}`, () =>
      checkMixed({ domainSize: 2 ** log, variables: 3 + Math.ceil((3 * 2 ** log) / 4) }));
  }

  it('is 0 for a system without entries', async () => {
    const facts = { domainSize: 4, variables: 2 };
    const constraints = await quotient.loadConstraints(new Uint8Array(), facts);
    const scalars = await quotientOfWitness(quotient, constraints, elementBytes(id, [1n, 5n]));
    expect(elementsOf(await readBuffer(gpu, scalars.buffer))).toEqual([0n, 0n, 0n, 0n]);
    scalars.release();
  });

  it('is that of the workers for the largest values', async () => {
    const facts = { domainSize: 128, variables: 4 };
    const entries: Entry[] = Array.from({ length: 4 * 128 }, (_, i) => ({
      matrix: i % 2,
      row: i >> 2,
      signal: i % 4,
      coefficient: r - 1n,
    }));
    await check(sectionOf(id, entries), facts, elementBytes(id, [r - 1n, r - 1n, r - 2n, r - 1n]));
  });

  it('adds masks modulo r', async () => {
    const facts = { domainSize: 64, variables: 20 };
    const edges = edgeValues(r);
    const masks = Array.from({ length: 64 }, (_, i) => edges[i % edges.length]!);
    const section = sectionOf(id, mixedEntries(id, facts, random));
    await check(section, facts, elementBytes(id, witnessOf(20)), quotient, masks);
    await check(new Uint8Array(), facts, elementBytes(id, witnessOf(20)), quotient, masks);
    // They leave nothing behind.
    await check(section, facts, elementBytes(id, witnessOf(20)));
  });

  it('takes a large domain and then small ones, whose factors lie in its table', async () => {
    const own = await GpuQuotient.create(gpu, id, { shape: { tileLog: 4, leastColumns: 1 } });
    for (const log of [4, 7, 2, 6]) {
      const facts = { domainSize: 2 ** log, variables: 40 };
      const section = sectionOf(id, mixedEntries(id, facts, random));
      await check(section, facts, elementBytes(id, witnessOf(40)), own);
    }
    own.destroy();
  });

  it.runIf(snarkjs !== undefined)('is that of the workers for a circuit that snarkjs made a key for', async () => {
    const circuit = await chainOver(id);
    const { facts, coefficients } = await readZkey(memorySource(circuit.zkey));
    const section = await coefficients.read(0, coefficients.size);
    const witness = await readWtns(memorySource(await snarkjsWitness(circuit)), {
      curve: id,
      variables: facts.variables,
    });
    await check(section, facts, witness);
  });
});

it('GpuQuotient is not there for a curve without transforms', async () => {
  const gpu = await sharedDevice();
  const { id } = CURVES_ON_GPU.find(({ transforms }) => transforms === undefined)!;
  await expect(GpuQuotient.create(gpu, id)).rejects.toMatchObject({ code: 'CURVE_MISMATCH' });
});
