import { beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, bytesToBigint, joinBytes } from '../../../../../sdk/base/bytes.js';
import { pointForm, preparedPointBytes } from '../../../../../sdk/bases/prepared.js';
import { ENDOMORPHISMS } from '../../../../../sdk/curves/endomorphisms.js';
import { CURVES, pointBytes } from '../../../../../sdk/curves/index.js';
import { mod, power } from '../../../../../sdk/curves/modular.js';
import type { Kernel } from '../../../../../sdk/executors/workers/kernel/kernel.js';
import { toHex } from '../../../../../sdk/files/cache/sha256.js';
import { EVERY_COMBINATION } from '../../../../support/every-combination.js';
import { Random } from '../../../../support/random.js';
import { compileWasm, loadKernel } from '../../../../support/wasm.js';
import { CEREMONY_GROUPS, canonicalPoints, compileRoots, compileRows } from './ceremony-groups.js';

describe.each(CEREMONY_GROUPS)(
  'points of $curve $group with a scalar each, by $points',
  ({ curve, group, order, points, ...noble }) => {
    const form = pointForm(curve, group);
    const { coordinateBytes, fq } = CURVES[curve];
    const size = pointBytes(curve, group);
    const packedBytes = preparedPointBytes(curve, group);
    const random = new Random(7);
    const lambda = ENDOMORPHISMS[curve]!.lambda;
    let kernel: Kernel;
    let module: WebAssembly.Module;
    let rows: WebAssembly.Module;
    let elements: WebAssembly.Module;
    beforeAll(async () => {
      kernel = await loadKernel(curve, points);
      module = await compileRoots(curve, points);
      rows = await compileRows(curve, points);
      elements = await compileWasm(`${curve}-elements` as 'bn254-elements');
    });

    /** Prepared points; zeros for the log 0. */
    const prepared = async (logs: readonly bigint[]): Promise<Uint8Array> => {
      const given = { group, form, encoding: 'canonical', points: noble.multiples(logs) } as const;
      const { points: kept, indices } = await kernel.prepareBases(given);
      const all = new Uint8Array(logs.length * packedBytes);
      for (let i = 0; i < kept.length / packedBytes; i++) {
        all.set(kept.subarray(i * packedBytes, (i + 1) * packedBytes), (indices?.[i] ?? i) * packedBytes);
      }
      return all;
    };
    /** a_i + w_i b_i, then a_i - w_i b_i, in the boundary form. */
    const butterflies = async (a: bigint[], b: bigint[], factors: bigint[]): Promise<Uint8Array> => {
      const bytes = joinBytes(factors.map((factor) => bigintToBytes(factor, 32)));
      const given = { group, points: joinBytes([await prepared(a), await prepared(b)]), factors: bytes, module, rows };
      return canonicalPoints(
        curve,
        await kernel.writePoints({ group, points: await kernel.pointButterflies(given), to: 'ptau', module }),
      );
    };
    const expected = (a: bigint[], b: bigint[], factors: bigint[]): Uint8Array => {
      const products = b.map((log, i) => mod(log * (factors[i] ?? 1n), order));
      const logs = [1n, -1n].flatMap((sign) => a.map((log, i) => mod(log + sign * products[i]!, order)));
      return noble.multiples(logs);
    };

    const edges = [1n, 2n, 3n, 15n, 16n, 17n, order - 1n, order - 2n, lambda, order - lambda, lambda + 1n, 1n << 127n];
    const more = [
      31n,
      32n,
      lambda - 1n,
      2n * lambda,
      3n * lambda + 2n,
      (1n << 127n) - 1n,
      1n << 128n,
      (order + 1n) / 2n,
    ];
    const drawn = Array.from({ length: EVERY_COMBINATION ? 200 : 20 }, () => random.below(order - 1n) + 1n);
    const factors = [...edges, ...more, ...drawn].map((factor) => mod(factor, order));

    it('are as by noble, also times the edges of scalars', async () => {
      const a = factors.map(() => random.below(order));
      const b = factors.map(() => random.below(order));
      expect(toHex(await butterflies(a, b, factors))).toBe(toHex(expected(a, b, factors)));
    });

    it('are right where operands are infinite, equal or opposite', async () => {
      const [x, w] = [random.below(order), random.below(order)];
      const a = [0n, 0n, x, x, x, mod(w * x, order), mod(-w * x, order), x, 0n, x];
      const b = [0n, x, 0n, x, order - x, x, x, x, x, 0n];
      const own = [w, w, w, 1n, 1n, w, w, w, 1n, 1n];
      expect(toHex(await butterflies(a, b, own))).toBe(toHex(expected(a, b, own)));
      expect(toHex(await butterflies(a, b, []))).toBe(toHex(expected(a, b, [])));
      expect(toHex(await butterflies([0n], [0n], [w]))).toBe(toHex(expected([0n], [0n], [w])));
      expect(await butterflies([], [], [])).toHaveLength(0);
    });

    it('are times the powers of a number from any one on, and compressed', async () => {
      const [first, ratio] = [random.below(order), random.below(order)];
      for (const [from, count] of [
        [0, 1],
        [5, 3],
        [2 ** 20 + 1, EVERY_COMBINATION ? 1030 : 7],
      ] as const) {
        const logs = Array.from({ length: count }, (_, i) => BigInt(i + 1));
        const given = {
          group,
          points: await prepared(logs),
          first: bigintToBytes(first, 32),
          ratio: bigintToBytes(ratio, 32),
        };
        const result = await kernel.scalePointsByPowers({ ...given, from, module, rows, elements });
        const products = logs.map((log, i) => mod(log * first * power(ratio, BigInt(from + i), order), order));
        const made = canonicalPoints(curve, result.subarray(0, count * size));
        expect(toHex(made)).toBe(toHex(noble.multiples(products)));
        const compressed = result.subarray(count * size);
        const decompressed = await kernel.decompressPoints({ group, compressed, what: 'points', first: 0, module });
        expect(toHex(decompressed)).toBe(toHex(result.subarray(0, count * size)));
        const hashed = await kernel.writePoints({ group, points: result.slice(0, count * size), to: 'hash', module });
        for (const at of [0, count - 1]) {
          const half = size / 2;
          const x = made.slice(at * size, at * size + half).reverse();
          const y = made.slice(at * size + half, (at + 1) * size).reverse();
          expect(hashed.slice(at * size, (at + 1) * size)).toEqual(joinBytes([x, y]));
          // The bytes of y, c1 first, above those of p / 2: c1 is not 0 here.
          const isLarger = 2n * bytesToBigint(y.slice(0, coordinateBytes).reverse()) > fq.modulus;
          if (isLarger) x[0]! |= 0x80;
          expect(compressed.slice(at * half, (at + 1) * half)).toEqual(x);
        }
      }
    });

    it('are not decompressed from what belongs to no point', async () => {
      const half = size / 2;
      const given = {
        group,
        points: await prepared([1n, 2n]),
        first: bigintToBytes(1n, 32),
        ratio: bigintToBytes(1n, 32),
      };
      const good = (await kernel.scalePointsByPowers({ ...given, from: 0, module, rows, elements })).slice(2 * size);
      const changed = (change: (bytes: Uint8Array) => void): Uint8Array => {
        const bytes = good.slice();
        change(bytes.subarray(half));
        return bytes;
      };
      const p = bigintToBytes(fq.modulus, coordinateBytes).reverse();
      for (const [bytes, message] of [
        [changed((second) => second.fill(0).set([0x40])), 'infinity at 8'],
        [changed((second) => second.set(p)), 'larger one at 8'],
        [changed((second) => second.set(p, half - coordinateBytes)), 'larger one at 8'],
      ] as const) {
        const call = kernel.decompressPoints({ group, compressed: bytes, what: 'points', first: 7, module });
        await expect(call).rejects.toMatchObject({ code: 'INVALID_POINT', message: expect.stringContaining(message) });
      }
      // Of the x that follow, about half belong to no point.
      const outcomes = await Promise.all(
        Array.from({ length: 16 }, async (_, i) => {
          const compressed = changed((second) => {
            second[half - 1]! ^= i + 1;
          });
          const call = kernel.decompressPoints({ group, compressed, what: 'points', first: 7, module });
          return call.then(
            () => 'found',
            ({ code, message }) => (/point 8 /.test(message) ? code : message),
          );
        }),
      );
      expect(new Set(outcomes)).toEqual(new Set(['found', 'INVALID_POINT']));
    });
  },
);
