import { afterEach, describe, expect, it } from 'vitest';
import { elementwise } from '../../../../sdk/executors/workers/pool/elementwise.js';
import { KernelPool } from '../../../../sdk/executors/workers/pool/pool.js';
import { FakeWorker } from '../../../support/fake-worker.js';

const ELEMENT = 32;

/** Stands for a kernel worker: gives the sum of its operands, byte by byte. */
class FakeHost {
  readonly sizes: number[] = [];

  async open(): Promise<void> {}

  async run(_curve: string, _method: string, args: Record<string, Uint8Array>): Promise<Uint8Array> {
    const operands = Object.values(args);
    this.sizes.push(operands[0]!.length / ELEMENT);
    return operands[0]!.map((_, i) => operands.reduce((sum, operand) => sum + operand[i]!, 0));
  }

  cancel(): void {}
}

let pool: KernelPool | undefined;
afterEach(() => pool?.dispose());

function start(): { pool: KernelPool; hosts: FakeHost[]; workers: FakeWorker[] } {
  const hosts: FakeHost[] = [];
  const workers: FakeWorker[] = [];
  pool = new KernelPool(() => {
    const worker = new FakeWorker(() => {
      hosts.push(new FakeHost());
      return hosts.at(-1)!;
    });
    workers.push(worker);
    return worker;
  }, 2);
  return { pool, hosts, workers };
}

function pattern(count: number, seed: number): Uint8Array {
  return Uint8Array.from({ length: count * ELEMENT }, (_, i) => (i * seed) % 100);
}

describe('elementwise', () => {
  it.each([0, 1, 8191, 8192, 8193, 40_000])('takes %i elements to the workers in slices', async (count) => {
    const { pool, hosts } = start();
    const [a, b] = [pattern(count, 3), pattern(count, 7)];
    const target = new Uint8Array(count * ELEMENT);
    await elementwise(pool, 'bn254', { method: 'multiplyElements', operands: { a, b }, target }, undefined);
    expect(
      Buffer.compare(
        target,
        a.map((value, i) => value + b[i]!),
      ),
    ).toBe(0);
    expect(hosts.flatMap(({ sizes }) => sizes).every((size) => size <= 8192)).toBe(true);
  });

  it('writes into an operand, and does the slice of a dead worker again', async () => {
    const { pool, workers } = start();
    const [a, b] = [pattern(40_000, 3), pattern(40_000, 7)];
    const expected = a.map((value, i) => value + 2 * b[i]!);
    const computing = elementwise(
      pool,
      'bn254',
      { method: 'multiplySubtract', operands: { a, b, c: b }, target: a },
      undefined,
    );
    workers[0]!.die();
    await computing;
    expect(Buffer.compare(a, expected)).toBe(0);
  });

  it('stops when its signal fires', async () => {
    const { pool } = start();
    const bytes = pattern(40_000, 3);
    const signal = AbortSignal.abort();
    await expect(
      elementwise(
        pool,
        'bn254',
        { method: 'multiplySubtract', operands: { a: bytes, b: bytes, c: bytes }, target: bytes },
        signal,
      ),
    ).rejects.toMatchObject({
      code: 'ABORTED',
    });
  });
});
