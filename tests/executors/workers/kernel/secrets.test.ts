import { afterEach, describe, expect, it, vi } from 'vitest';
import type { WasmModuleName } from '../../../../sdk/api/index.js';
import { pointForm } from '../../../../sdk/bases/prepared.js';
import { CURVES, pointBytes, SCALAR_BYTES } from '../../../../sdk/curves/index.js';
import { createKernel, type Kernel } from '../../../../sdk/executors/workers/kernel/kernel.js';
import { formsOfCurve } from '../../../support/combinations.js';
import { packBases, randomPoints } from '../../../support/msm-reference.js';
import { encodeScalars } from '../../../support/points.js';
import { Random } from '../../../support/random.js';
import { ALL_CURVES } from '../../../support/registry.js';
import { compileModules } from '../../../support/wasm.js';

const COUNT = 200;
/** Enough that a transform pauses on any machine, and can be cancelled. */
const LARGE = 2 ** 18;

afterEach(() => vi.restoreAllMocks());

/** A kernel, and the memory of its modules. */
async function open(curve: (typeof ALL_CURVES)[number]['id'], name: WasmModuleName) {
  const modules = await compileModules(curve, name);
  const instantiate = vi.spyOn(WebAssembly, 'instantiate');
  const kernel = await createKernel(curve, modules);
  // That of the points has the memory of both.
  const instance = (await instantiate.mock.results.at(-2)!.value) as WebAssembly.Instance;
  return { kernel, memory: instance.exports.memory as WebAssembly.Memory };
}

const modules = ALL_CURVES.flatMap((curve) => formsOfCurve(curve.id).map((name) => ({ curve, name })));

describe.each(modules)('the memory of $name', ({ curve, name }) => {
  const { id, scalarBytes, fr } = curve;
  const random = new Random(61);
  const scalarsOf = (count: number): Uint8Array =>
    encodeScalars(
      Array.from({ length: count }, () => random.below(fr.modulus)),
      id,
    );

  it('is after every method what it was before', async () => {
    const { kernel, memory } = await open(id, name);
    const { points } = randomPoints(id, COUNT, random);
    const bases = packBases(id, points);
    kernel.loadShard({ id: 'bases', group: 'g1', form: bases.form, points: bases.points });
    // Loading leaves some of the points, which are public, where this computes.
    await kernel.multiply({ id: 'bases', scalars: encodeScalars(ones(bases.kept), id) });
    const before = new Uint8Array(memory.buffer).slice();

    const expectAsBefore = async (work: () => Promise<unknown>): Promise<void> => {
      await work();
      const after = Buffer.from(memory.buffer);
      const differs = after.subarray(0, before.length).compare(before) !== 0;
      expect(differs || after.subarray(before.length).some((byte) => byte !== 0)).toBe(false);
    };

    const scalars = scalarsOf(bases.kept);
    const repeated = scalars.slice();
    for (let i = 1; i < bases.kept; i += 2) repeated.copyWithin(i * scalarBytes, 0, scalarBytes);
    await expectAsBefore(() => kernel.multiply({ id: 'bases', scalars }));
    await expectAsBefore(() => kernel.multiply({ id: 'bases', scalars: repeated, windowBits: 7 }));
    await expectAsBefore(() => kernel.multiply({ id: 'none', scalars }).catch(() => undefined));
    await expectAsBefore(() => kernel.canonicalScalars({ scalars }));
    await expectAsBefore(() => kernel.cutDigits({ scalars, windowBits: 9 }));
    const point = new Uint8Array(pointBytes(id, 'g1'));
    await expectAsBefore(() => kernel.combine({ group: 'g1', points: point, scalars: scalarsOf(1) }));
    if (scalarBytes !== SCALAR_BYTES) return;
    const key = Uint8Array.from({ length: 16 }, () => random.integer(256));
    const windows = Math.ceil((fr.bits + 1) / 9);
    const weights = Uint8Array.from({ length: windows * 8 }, () => random.integer(256));
    await expectAsBefore(() =>
      kernel.checkScalars({
        scalars,
        batch: 1,
        windowBits: 9,
        windows,
        isCentred: true,
        weights,
        limbs: 2,
        reduced: false,
        key,
        first: 0,
      }),
    );
    const masked = { group: 'g1', form: pointForm(id, 'g1'), points: bases.points, key, first: 0 } as const;
    await expectAsBefore(() => kernel.maskSum(masked));
  });

  it.runIf(CURVES[id].transforms !== undefined)(
    'holds no more than tables after transforms and constraints',
    async () => {
      const { kernel, memory } = await open(id, name);
      // Makes the tables of roots, and the matrix; all values are 1, so that what is left is the same for all values.
      await useFieldMethods(kernel, (count) => encodeScalars(ones(count), id));
      const before = new Uint8Array(memory.buffer).slice();
      await useFieldMethods(kernel, scalarsOf);
      expect(Buffer.from(memory.buffer).compare(before)).toBe(0);
    },
  );
});

const ones = (count: number): bigint[] => new Array<bigint>(count).fill(1n);

/** Calls all methods that work on vectors over the scalar field, one of them cancelled in the middle. */
async function useFieldMethods(kernel: Kernel, valuesOf: (count: number) => Uint8Array): Promise<void> {
  const [a, b, c] = [valuesOf(64), valuesOf(64), valuesOf(64)];
  const row = new Uint8Array(44);
  row[12] = 1;
  kernel.loadConstraints({ id: 'a', matrix: 0, entries: row, domainSize: 64 });
  await kernel.evaluateConstraints({ id: 'a', witness: valuesOf(8) });
  await kernel.transform({ values: a, direction: 'forward' });
  await kernel.transform({ values: a, direction: 'inverse' });
  await kernel.multiplyElements({ a, b });
  await kernel.multiplySubtract({ a, b, c });
  await kernel.shiftToCoset({ values: a });
  // The same element everywhere: random ones would take long to make.
  const large = new Uint8Array(LARGE * SCALAR_BYTES);
  for (let at = 0; at < large.length; at += SCALAR_BYTES) large.set(a.subarray(0, SCALAR_BYTES), at);
  await kernel.shiftToCoset({ values: large });
  const task = { cancelled: async () => true, progress: () => undefined };
  await expect(kernel.shiftToCoset({ values: large }, task)).rejects.toMatchObject({ code: 'ABORTED' });
}
