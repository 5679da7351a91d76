import { beforeAll, describe, expect, it } from 'vitest';
import { bytesToBigint } from '../../../sdk/base/bytes.js';
import { pointForm } from '../../../sdk/bases/prepared.js';
import { ENDOMORPHISMS } from '../../../sdk/curves/endomorphisms.js';
import { mod } from '../../../sdk/curves/modular.js';
import { readPoints } from '../../../sdk/executors/workers/kernel/exports.js';
import { type AssemblyExports, assemble } from '../../support/assembly.js';
import { formsOf } from '../../support/combinations.js';
import { NOBLE_GROUPS } from '../../support/noble-groups.js';
import { encodeScalars } from '../../support/points.js';
import { edgeValues, Random } from '../../support/random.js';
import { CURVES_WITH_ENDOMORPHISM } from '../../support/registry.js';
import { expectSame } from '../../support/same.js';
import { instantiate, loadKernel } from '../../support/wasm.js';

/** 2^16: what rounding may add to halves, against their length. */
const ROUNDING = 1n << 16n;

/**
 * What rounding to the nearest allows, and the scalars k where a quotient length k / r lies halfway between two
 * integers.
 */
const CASES = CURVES_WITH_ENDOMORPHISM.map((curve) => {
  const [[a, b], [c, d]] = ENDOMORPHISMS[curve.id]!.basis;
  return {
    curve,
    id: curve.id,
    most: [a + c, b - d].map((length) => length / 2n + length / ROUNDING + 1n),
    lengths: [b, -d],
  };
});

describe.each(CASES)('scalars of $id split by the endomorphism', ({ curve, most, lengths }) => {
  const r = curve.fr.modulus;
  const { lambda } = ENDOMORPHISMS[curve.id]!;
  let wasm: AssemblyExports;
  let heap: number;
  beforeAll(async () => {
    wasm = await assemble(
      'endomorphism-under-test',
      `export { splitScalars } from './generated/${curve.id}-endomorphism';
      import { HALF_BITS } from './generated/${curve.id}-endomorphism';
      export function halfBits(): i32 { return HALF_BITS; }
      export function heapBase(): usize { return __heap_base; }`,
    );
    heap = Math.ceil(wasm.heapBase!() / 16) * 16;
    wasm.memory.grow(64);
  });

  /** The halves with their signs, of scalars among which stand others that the list leaves out. */
  function split(scalars: readonly bigint[]): { k1: bigint; k2: bigint }[] {
    const count = scalars.length;
    const numbers = scalars.map((_, k) => k + Math.floor(k / 3));
    const among = new Array<bigint>(numbers.at(-1)! + 1).fill(r - 3n);
    for (const [k, number] of numbers.entries()) among[number] = scalars[k]!;
    const list = heap + 32 * among.length;
    new Uint8Array(wasm.memory.buffer).set(encodeScalars(among), heap);
    new Uint32Array(wasm.memory.buffer).set(numbers, list / 4);
    const middle = count >> 1;
    wasm.splitScalars!(heap, list, 0, middle);
    wasm.splitScalars!(heap, list, middle, count);
    const half = (at: number): bigint => {
      const value = bytesToBigint(new Uint8Array(wasm.memory.buffer), at, 16);
      const absolute = value & ((1n << 127n) - 1n);
      expectSame(absolute < 1n << BigInt(wasm.halfBits!()), true);
      return absolute === value ? value : -absolute;
    };
    return scalars.map((_, k) => ({ k1: half(heap + 32 * k), k2: half(heap + 32 * k + 16) }));
  }

  function check(scalars: readonly bigint[]): void {
    for (const [i, { k1, k2 }] of split(scalars).entries()) {
      expectSame(mod(k1 + k2 * lambda, r), scalars[i]!);
      expectSame((k1 < 0n ? -k1 : k1) <= most[0]!, true);
      expectSame((k2 < 0n ? -k2 : k2) <= most[1]!, true);
    }
  }

  it('are exact and short at the edges', () => {
    check(edgeValues(r));
    // Where a short quotient changes.
    const turns = [-2n, -1n, 0n, 1n, 2n].map((d) => ((1n << 125n) + d) * lambda);
    const middles = [r / 2n, r / 3n, lambda / 2n];
    check([...turns, ...middles].flatMap((k) => [-1n, 0n, 1n, lambda / 2n, -lambda / 2n].map((d) => mod(k + d, r))));
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
      for (const length of lengths) {
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
      Array.from({ length: 2000 }, (_, i) => mod(random.below(1n << BigInt(1 + (i % 127))) * lambda + BigInt(i), r)),
    );
  });
});

const MODULES = CURVES_WITH_ENDOMORPHISM.flatMap(({ id }) => formsOf(id, 'g1').map((module) => ({ id, module })));

describe.each(MODULES)('points of $module under the endomorphism', ({ id, module }) => {
  it('are multiplied by lambda in place, and infinity stays', async () => {
    const { multiple, multiples, order } = NOBLE_GROUPS.find(({ curve, group }) => curve === id && group === 'g1')!;
    const { lambda } = ENDOMORPHISMS[id]!;
    // Infinity stands at numbers 2 and 5.
    const logs = [1n, order - 1n, 0n, 2n, lambda, 0n, 0x123456789abcdefn, lambda * lambda];
    const kernel = await loadKernel(id, module);
    const form = pointForm(id, 'g1');
    const finite = logs.filter((log) => log !== 0n);
    const prepared = (
      await kernel.prepareBases({ group: 'g1', form, encoding: 'canonical', points: multiples(finite) })
    ).points;

    const instance = await instantiate(module);
    const { core, groups, map } = readPoints(instance.exports);
    const { memory } = core;
    const group = groups.g1!;
    memory.grow(1);
    const size = group.baseSize();
    const points = Math.ceil(core.heapBase() / 64) * 64;
    const source = points + logs.length * size;
    const sums = [0, 1].map((i) => source + prepared.length + i * group.sumSize());
    const affine = sums[1]! + group.sumSize();
    new Uint8Array(memory.buffer).set(prepared, source);
    let loaded = 0;
    for (const [k, log] of logs.entries()) {
      const bytes = prepared.length / finite.length;
      if (log !== 0n) group.loadBases(source + bytes * loaded++, 1, points + k * size);
    }
    // Number 0 and 1 are left alone.
    map!.g1_mapPoints(points, 2, logs.length);
    for (const [k, log] of logs.entries()) {
      for (const sum of sums) group.setIdentity(sum);
      group.addRunning(sums[0]!, sums[1]!, points, k, k + 1);
      group.storeAffine(affine, sums[1]!);
      const expected = multiple(k < 2 ? log : log * lambda);
      expect(new Uint8Array(memory.buffer, affine, expected.length).slice()).toEqual(expected);
    }
  });
});
