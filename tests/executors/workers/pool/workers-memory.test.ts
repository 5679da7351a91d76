import { afterEach, describe, expect, it } from 'vitest';
import { KernelPool } from '../../../../sdk/executors/workers/pool/pool.js';
import { Resident } from '../../../../sdk/executors/workers/pool/resident.js';
import { FakeWorker } from '../../../support/fake-worker.js';
import { Random } from '../../../support/random.js';

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 2));

let pool: KernelPool | undefined;
afterEach(() => pool?.dispose());

/** Workers with a budget, and what the data that are on them take together. */
function start(limit: number, size = 2) {
  const workers: FakeWorker[] = [];
  const made = new KernelPool(
    () => {
      workers.push(new FakeWorker(() => ({ open: async () => undefined })));
      return workers.at(-1)!;
    },
    size,
    undefined,
    limit,
  );
  pool = made;
  const held = new Map<string, number>();
  let peak = 0;
  const sum = (): number => [...held.values()].reduce((all, each) => all + each, 0);
  const resident = (name: string, bytes: number, leastBytes?: number): Resident => {
    let now = bytes;
    return new Resident(made, {
      worker: bytes % size,
      kind: 'data',
      get bytes() {
        return now;
      },
      ...(leastBytes === undefined ? {} : { leastBytes }),
      load: async () => {
        held.set(name, now);
        peak = Math.max(peak, sum());
        expect(made.memory.budget.leased).toBeGreaterThanOrEqual(sum());
        await soon();
      },
      unload: async () => {
        now = leastBytes ?? bytes;
        await soon();
        held.delete(name);
      },
    });
  };
  return { memory: made.memory, resident, held, peak: () => peak, workers };
}

describe('what the workers keep', () => {
  it('is within the budget at every moment, whatever is used at once', async () => {
    const limit = 100;
    const { memory, resident, held, peak } = start(limit);
    const random = new Random(8);
    const all = Array.from({ length: 12 }, (_, i) => {
      const bytes = 10 + Number(random.below(60n));
      return { name: `${i}`, resident: resident(`${i}`, bytes) };
    });
    const use = async (): Promise<void> => {
      const { name, resident: some } = all[Number(random.below(12n))]!;
      await some.use(async () => {
        expect(held.has(name)).toBe(true);
        await soon();
        expect(held.has(name)).toBe(true);
      });
    };
    for (let round = 0; round < 10; round++) await Promise.all(Array.from({ length: 8 }, use));
    expect(memory.budget.peak).toBeLessThanOrEqual(limit);
    expect(peak()).toBeLessThanOrEqual(limit);
    for (const { resident: some } of all) await some.evict();
    expect([memory.budget.leased, held.size]).toEqual([0, 0]);
  });

  it('makes room in the order of its last use, what had multiples first', async () => {
    const { resident, held } = start(100);
    const [a, b, c] = [resident('a', 30), resident('b', 30), resident('c', 40, 10)];
    for (const each of [c, a, b, a]) await each.ensure();
    await resident('d', 30).ensure();
    expect([...held.keys()].sort()).toEqual(['a', 'b', 'd']);
    await c.ensure();
    expect(held.get('c')).toBe(10);
    await resident('e', 30).ensure();
    expect([...held.keys()].sort()).toEqual(['a', 'c', 'd', 'e']);
  });

  it('waits for what is in use, also when the call that waits is given up', async () => {
    const { memory, resident } = start(100);
    const [a, b, c] = [resident('a', 80), resident('b', 80), resident('c', 80)];
    let end = (): void => undefined;
    const using = a.use(() => new Promise<void>((resolve) => (end = resolve)));
    const controller = new AbortController();
    const aborted = b.ensure(controller.signal);
    const waiting = c.ensure();
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
    await soon();
    expect(memory.budget.leased).toBe(80);
    end();
    await Promise.all([using, waiting]);
    expect(memory.budget.leased).toBe(80);
    await c.evict();
    expect(memory.budget.leased).toBe(0);
  });

  it('has one lease also when a worker died with it', async () => {
    const { memory, resident, workers } = start(100, 1);
    const data = resident('a', 80);
    await data.ensure();
    workers.at(-1)!.die();
    await data.ensure();
    expect([workers.length, memory.budget.leased]).toEqual([2, 80]);
    await data.evict();
    expect(memory.budget.leased).toBe(0);
  });

  it('takes what has exactly the bytes of the budget, and names the floor for more', async () => {
    const { memory, resident } = start(100);
    await resident('a', 100).ensure();
    await expect(resident('b', 101).ensure()).rejects.toMatchObject({
      code: 'OUT_OF_MEMORY',
      message: 'expected a memoryBudget of at least 101 bytes for data, got 100',
    });
    expect(() => memory.expectAtLeast(101, 'this key')).toThrow('at least 101 bytes for this key, got 100');
    memory.expectAtLeast(100, 'this key');
  });
});
