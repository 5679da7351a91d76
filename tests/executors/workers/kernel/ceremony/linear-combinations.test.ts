import { beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, bytesToBigint, joinBytes } from '../../../../../sdk/base/bytes.js';
import { pointForm } from '../../../../../sdk/bases/prepared.js';
import { ENDOMORPHISMS } from '../../../../../sdk/curves/endomorphisms.js';
import { CURVES, pointBytes } from '../../../../../sdk/curves/index.js';
import { inverse, mod } from '../../../../../sdk/curves/modular.js';
import { FACTOR } from '../../../../../sdk/executors/workers/kernel/ceremony/linear-combinations.js';
import type { Kernel } from '../../../../../sdk/executors/workers/kernel/kernel.js';
import { toHex } from '../../../../../sdk/files/cache/sha256.js';
import { Random } from '../../../../support/random.js';
import { loadKernel } from '../../../../support/wasm.js';
import { CEREMONY_GROUPS, compileRoots } from './ceremony-groups.js';

/** A term: the logarithm of its point, and what it is multiplied by. */
type Term = readonly [log: bigint, scalar: bigint];

describe.each(CEREMONY_GROUPS)(
  'linear combinations of points of $curve $group, by $points',
  ({ curve, group, order, points, ...noble }) => {
    const { coordinateBytes, fq } = CURVES[curve];
    const bytes = pointBytes(curve, group);
    const random = new Random(5);
    let kernel: Kernel;
    let module: WebAssembly.Module;
    beforeAll(async () => {
      kernel = await loadKernel(curve, points);
      module = await compileRoots(curve, points);
    });

    const argsOf = async (sums: readonly (readonly Term[])[]) => {
      const terms = sums.flat();
      const encoding = 'canonical' as const;
      const given = {
        group,
        form: pointForm(curve, group),
        encoding,
        points: noble.multiples(terms.map(([log]) => log)),
      };
      const factors = terms.map(([, scalar]) =>
        scalar === 1n ? FACTOR.one : scalar === order - 1n ? FACTOR.minusOne : FACTOR.scalar,
      );
      const scalars = terms
        .filter((_, i) => factors[i] === FACTOR.scalar)
        .map(([, scalar]) => bigintToBytes(scalar, 32));
      const offsets = [0];
      for (const sum of sums) offsets.push(offsets.at(-1)! + sum.length);
      return {
        group,
        points: (await kernel.prepareBases(given)).points,
        factors: Uint8Array.from(factors),
        scalars: joinBytes(scalars),
        offsets: Uint32Array.from(offsets),
        module,
      };
    };

    /** Both forms of the sums as noble has them. */
    async function expectSums(sums: readonly (readonly Term[])[]): Promise<void> {
      const found = await kernel.linearCombinations(await argsOf(sums));
      const logs = sums.map((sum) =>
        mod(
          sum.reduce((all, [log, scalar]) => all + log * scalar, 0n),
          order,
        ),
      );
      const expected = noble.multiples(logs);
      const R = 1n << BigInt(8 * coordinateBytes);
      const [zkeyForm, hashed] = [expected.slice(), expected.slice()];
      for (let at = 0; at < expected.length; at += coordinateBytes) {
        const value = mod(bytesToBigint(expected, at, coordinateBytes) * R, fq.modulus);
        zkeyForm.set(bigintToBytes(value, coordinateBytes), at);
      }
      for (let at = 0; at < expected.length; at += bytes / 2) hashed.subarray(at, at + bytes / 2).reverse();
      expect(toHex(found)).toBe(toHex(joinBytes([zkeyForm, hashed])));
    }

    it('have edges among their scalars, alone and together', async () => {
      const { lambda } = ENDOMORPHISMS[curve]!;
      const scalars = [
        ...[0n, 1n, 2n, 3n, 7n, 341n, (1n << 64n) - 1n, 1n << 127n, 1n << 140n, (1n << 141n) - 3n, 1n << 253n],
        ...[(order - 1n) / 2n, (order + 1n) / 2n, order / 3n, lambda, inverse(3n, order), random.below(order)],
      ].flatMap((scalar) => [mod(scalar, order), mod(-scalar, order)]);
      await expectSums(scalars.map((scalar) => [[5n, scalar]]));
      await expectSums([
        scalars.map((scalar, i) => [BigInt(i + 1), scalar]),
        [],
        scalars.map((scalar) => [3n, scalar]),
      ]);
    });

    it('may be empty, infinite, doubled, and infinite on the way', async () => {
      const some = random.below(order);
      await expectSums([]);
      await expectSums([[], []]);
      await expectSums([
        [],
        [[1n, 0n]],
        [
          [2n, some],
          [2n, order - some],
        ],
        [
          [4n, 1n],
          [4n, 1n],
        ],
        [
          [4n, 1n],
          [4n, order - 1n],
          [9n, 1n],
        ],
        // 4 + 2 (-2) is 0 before the last digit.
        [
          [1n, 5n],
          [2n, order - 2n],
        ],
        [
          [order - 1n, 1n],
          [1n, 1n],
        ],
      ]);
    });

    it('are of any number, with few terms and with many', async () => {
      const kinds = [1n, order - 1n, 2n, 12345n, random.below(order)];
      const terms = (count: number): Term[] =>
        Array.from({ length: count }, (_, i) => [BigInt((i % 7) + 1), kinds[Number(random.below(5n))]!]);
      await expectSums(Array.from({ length: 300 }, () => terms(Number(random.below(5n)))));
      const one = (i: number): Term => [BigInt((i % 50) + 1), i % 3 === 0 ? 1n : order - 1n];
      await expectSums([Array.from({ length: 1500 }, (_, i) => one(i)), [], [one(1)]]);
      await expectSums(Array.from({ length: 1100 }, (_, i) => [one(i), one(i + 1)]));
    });

    it('are refused with other lengths, and stop when they are cancelled', async () => {
      const args = await argsOf(Array.from({ length: 2000 }, () => [[3n, order / 3n]]));
      const short = { ...args, factors: args.factors.slice(1) };
      await expect(kernel.linearCombinations(short)).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
      const other = { ...args, offsets: Uint32Array.of(0, 1) };
      await expect(kernel.linearCombinations(other)).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
      const task = { cancelled: async () => true, progress: () => undefined };
      await expect(kernel.linearCombinations(args, task)).rejects.toMatchObject({ code: 'ABORTED' });
    });
  },
);
