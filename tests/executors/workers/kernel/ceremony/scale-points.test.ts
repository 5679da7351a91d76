import { beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes } from '../../../../../sdk/base/bytes.js';
import { pointForm, preparedPointBytes } from '../../../../../sdk/bases/prepared.js';
import { ENDOMORPHISMS } from '../../../../../sdk/curves/endomorphisms.js';
import { mod } from '../../../../../sdk/curves/modular.js';
import { signedWindows } from '../../../../../sdk/executors/workers/kernel/ceremony/scale-points.js';
import type { Kernel } from '../../../../../sdk/executors/workers/kernel/kernel.js';
import { toHex } from '../../../../../sdk/files/cache/sha256.js';
import { EVERY_COMBINATION } from '../../../../support/every-combination.js';
import { Random } from '../../../../support/random.js';
import { expectSame } from '../../../../support/same.js';
import { loadKernel } from '../../../../support/wasm.js';
import { CEREMONY_GROUPS, canonicalPoints, compileRoots, compileRows } from './ceremony-groups.js';

describe.each(CEREMONY_GROUPS)(
  'points of $curve $group times one scalar, by $points',
  ({ curve, group, order, points, ...noble }) => {
    const form = pointForm(curve, group);
    const random = new Random(5);
    const some = [1n, 2n, 3n, order - 1n, order - 2n, (order + 1n) / 2n, random.below(order), random.below(order)];
    const lambda = ENDOMORPHISMS[curve]!.lambda;
    let kernel: Kernel;
    let module: WebAssembly.Module;
    let rows: WebAssembly.Module;
    beforeAll(async () => {
      kernel = await loadKernel(curve, points);
      module = await compileRoots(curve, points);
      rows = await compileRows(curve, points);
    });

    const prepared = async (logs: readonly bigint[]): Promise<Uint8Array> =>
      (await kernel.prepareBases({ group, form, encoding: 'canonical', points: noble.multiples(logs) })).points;
    const scaled = async (logs: readonly bigint[], scalar: bigint): Promise<Uint8Array> => {
      const given = { group, points: await prepared(logs), scalar: bigintToBytes(scalar, 32), rows, module };
      return canonicalPoints(curve, await kernel.scalePoints(given));
    };

    const edges = [
      1n,
      2n,
      15n,
      16n,
      17n,
      order - 1n,
      order - 17n,
      lambda,
      order - lambda,
      15n * lambda + 15n,
      1n << 127n,
    ];
    const more = [3n, 31n, 32n, 33n, order - 2n, lambda + 1n, lambda - 1n, (1n << 127n) - 1n, 1n << 128n];
    const drawn = Array.from({ length: EVERY_COMBINATION ? 40 : 2 }, () => random.below(order - 1n) + 1n);
    const scalars = [...edges, ...(EVERY_COMBINATION ? more : []), ...drawn].map((scalar) => mod(scalar, order));
    it.each(scalars)('are as by noble: %s', async (scalar) => {
      const expected = noble.multiples(some.map((log) => mod(log * scalar, order)));
      expect(toHex(await scaled(some, scalar))).toBe(toHex(expected));
    });

    it('are of any number, with equal and opposite ones among them', async () => {
      const scalar = random.below(order);
      for (const count of [0, 1, 2, 1023, 1025]) {
        const logs = Array.from({ length: count }, (_, i) => (i % 2 === 0 ? 7n : order - 7n));
        const expected = noble.multiples(logs.map((log) => mod(log * scalar, order)));
        expect(toHex(await scaled(logs, scalar))).toBe(toHex(expected));
      }
    });

    it('are refused where the scalar is 0, or has another length', async () => {
      const args = { group, points: await prepared([1n]), rows, module };
      for (const scalar of [new Uint8Array(32), new Uint8Array(31).fill(1)]) {
        await expect(kernel.scalePoints({ ...args, scalar })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
      }
      const scalar = bigintToBytes(5n, 32);
      const short = { ...args, points: new Uint8Array(preparedPointBytes(curve, group) - 1), scalar };
      await expect(kernel.scalePoints(short)).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    });

    it('stop when they are cancelled', async () => {
      const logs = Array.from({ length: 3000 }, () => 7n);
      const task = { cancelled: async () => true, progress: () => undefined };
      const args = { group, points: await prepared(logs), scalar: bigintToBytes(order / 3n, 32), rows, module };
      await expect(kernel.scalePoints(args, task)).rejects.toMatchObject({ code: 'ABORTED' });
    });
  },
);

it('signed windows give the number back, with four zeros after each digit at least', () => {
  const random = new Random(6);
  const numbers = [0n, 1n, 15n, 16n, 17n, 31n, (1n << 128n) - 1n, (1n << 127n) + 1n];
  for (const number of [...numbers, random.below(1n << 128n), random.below(1n << 128n)]) {
    const digits = signedWindows(bigintToBytes(number, 16));
    expectSame(
      digits.reduceRight((sum, digit) => 2n * sum + BigInt(digit), 0n),
      number,
    );
    for (const [i, digit] of digits.entries()) {
      if (digit === 0) continue;
      expect([Math.abs(digit) % 2, Math.abs(digit) < 16, ...digits.subarray(i + 1, i + 5)]).toEqual([
        1,
        true,
        ...digits.subarray(i + 1, i + 5).map(() => 0),
      ]);
    }
  }
});
