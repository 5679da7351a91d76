import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { pointForm } from '../../../sdk/bases/prepared.js';
import { bn254 } from '../../../sdk/curves/index.js';
import type { Kernel } from '../../../sdk/executors/workers/kernel/kernel.js';
import { encodePoints, encodeScalars, progression } from '../../support/points.js';
import { adversarialScalars } from '../../support/scalars.js';
import { loadKernel } from '../../support/wasm.js';

const COUNT = 2048;
const { id: curve, fr } = bn254;

/**
 * What a module was asked to do: calls by export, and the digits other than 0, each of which adds a point to a bucket.
 */
const calls = new Map<string, number>();
let digits = 0;

/** Counts what exports of the modules that are instantiated from now on do. */
function countWork(): void {
  const instantiate = WebAssembly.instantiate as (
    module: WebAssembly.Module,
    imports: object,
  ) => Promise<WebAssembly.Instance>;
  vi.spyOn(WebAssembly, 'instantiate').mockImplementation((async (module: WebAssembly.Module, imports: object) => {
    const { exports } = await instantiate(module, imports);
    const memory = exports.memory as WebAssembly.Memory;
    const counted = Object.entries(exports).map(([name, value]) => {
      if (typeof value !== 'function') return [name, value];
      const run = (...args: number[]): unknown => {
        calls.set(name, (calls.get(name) ?? 0) + 1);
        if (name === 'scatterDigits') {
          const [at, , from, to] = args as [number, number, number, number];
          for (const digit of new Uint32Array(memory.buffer, at + 4 * from, to - from)) if (digit << 1 !== 0) digits++;
        }
        return (value as (...args: number[]) => unknown)(...args);
      };
      return [name, run];
    });
    return { exports: Object.fromEntries(counted) };
  }) as never);
}

describe('the work of masked scalars', () => {
  let kernel: Kernel;
  beforeAll(async () => {
    countWork();
    kernel = await loadKernel(curve);
    const points = encodePoints(bn254, progression(bn254, COUNT, 3n, 2n).points);
    const form = pointForm(curve, 'g1');
    const prepared = await kernel.prepareBases({ group: 'g1', form, encoding: 'canonical', points });
    kernel.loadShard({ id: 'bases', group: 'g1', form, points: prepared.points });
  });
  afterAll(() => vi.restoreAllMocks());
  beforeEach(() => {
    calls.clear();
    digits = 0;
  });

  /** The calls and the digits of one multiplication, whose scalars are masked under a new key or are not. */
  async function workOf(scalars: readonly bigint[], isMasked: boolean) {
    const plain = encodeScalars(scalars);
    const key = crypto.getRandomValues(new Uint8Array(16));
    const args = { scalars: plain, key, first: 0, factors: encodeScalars([fr.modulus / 3n]) };
    const taken = isMasked ? await kernel.maskScalars(args) : plain;
    calls.clear();
    digits = 0;
    await kernel.multiply({ id: 'bases', scalars: taken });
    // Points of a bucket are added in rounds, and the bucket with the most points decides how many there are.
    const { g1_addPairs: rounds = 0, ...others } = Object.fromEntries(calls);
    return { rounds, others, digits };
  }

  it('is that of random scalars, whatever they are', async () => {
    const vectors = adversarialScalars(COUNT, fr.modulus);
    const random = await workOf(vectors.random!, true);
    expect(random.digits).toBeGreaterThan(20 * COUNT);
    for (const [name, scalars] of Object.entries(vectors)) {
      const work = await workOf(scalars, true);
      expect(work.others, name).toEqual(random.others);
      // About one digit in a thousand is 0: some 60, give or take 8 by chance.
      expect(Math.abs(work.digits / random.digits - 1), name).toBeLessThan(0.002);
      expect(Math.abs(work.rounds / random.rounds - 1), name).toBeLessThan(0.25);
    }
  });

  it('is not that of scalars as they are', async () => {
    const { random, zero, ...vectors } = adversarialScalars(COUNT, fr.modulus);
    const usual = await workOf(random!, false);
    expect((await workOf(zero!, false)).digits).toBe(0);
    for (const name of ['one', 'all equal', 'mostly 0 and 1', 'of 32 distinct values']) {
      expect((await workOf(vectors[name]!, false)).digits, name).toBeLessThan(0.5 * usual.digits);
    }
  });
});
