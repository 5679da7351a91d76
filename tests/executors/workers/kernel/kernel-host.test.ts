import { setImmediate as messagesHandled } from 'node:timers/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { SCALAR_BYTES } from '../../../../sdk/curves/index.js';
import type { KernelModules } from '../../../../sdk/executors/workers/kernel/kernel.js';
import { type KernelEvent, KernelHost } from '../../../../sdk/executors/workers/kernel/kernel-host.js';
import { compileModules } from '../../../support/wasm.js';

let modules: KernelModules;
beforeAll(async () => {
  modules = await compileModules('bn254');
});

async function openHost(events: KernelEvent[] = []): Promise<KernelHost> {
  const host = new KernelHost((event) => events.push(event), messagesHandled);
  await host.open('bn254', modules.points);
  await host.openScalars('bn254', modules.scalars);
  return host;
}

/** n elements of value 1. */
function ones(n: number): Uint8Array {
  return Uint8Array.from({ length: n * SCALAR_BYTES }, (_, i) => (i % SCALAR_BYTES === 0 ? 1 : 0));
}

describe('KernelHost', () => {
  it('runs a method by its name, and frees the bytes that it was given, or puts the result into them', async () => {
    const host = await openHost();
    const [a, b, c] = [ones(2), ones(2), ones(2)];
    const result = await host.run('bn254', 'multiplySubtract', { a, b, c }, 1);
    expect(result).toEqual(new Uint8Array(2 * SCALAR_BYTES));
    expect(result).toBe(a);
    expect([b, c].map(({ buffer }) => buffer.byteLength)).toEqual([0, 0]);
  });

  it('puts no result into a part of a larger buffer', async () => {
    const host = await openHost();
    const [whole, b, c] = [ones(3), ones(2), ones(2)];
    const a = whole.subarray(SCALAR_BYTES);
    const result = (await host.run('bn254', 'multiplySubtract', { a, b, c }, 1)) as Uint8Array;
    expect(result.buffer.byteLength).toBe(result.byteLength);
  });

  it('frees the bytes of a method that fails, too', async () => {
    const host = await openHost();
    const scalars = ones(1);
    const failing = host.run('bn254', 'multiply', { id: 'none', scalars }, 1);
    await expect(failing).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(scalars.buffer.byteLength).toBe(0);
  });

  it('stops the task that it is told to stop, and tells how far one is', async () => {
    const events: KernelEvent[] = [];
    const host = await openHost(events);
    // Large enough for several steps on any machine.
    const values = () => new Uint8Array(2 ** 17 * SCALAR_BYTES);
    host.cancel(7);
    const stopped = host.run('bn254', 'shiftToCoset', { values: values() }, 7);
    await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' });
    await host.run('bn254', 'shiftToCoset', { values: values() }, 8);
    expect(events.some(({ task }) => task === 8)).toBe(true);
  });

  it('keeps nothing of tasks that had ended before they were cancelled', async () => {
    const host = await openHost();
    for (let task = 1; task < 10; task++) {
      const [a, b, c] = [ones(1), ones(1), ones(1)];
      await host.run('bn254', 'multiplySubtract', { a, b, c }, task);
      host.cancel(task);
    }
    expect((Reflect.get(host, 'cancelled') as Set<number>).size).toBe(1);
  });

  it('makes a kernel with the next call that could not be made with the first', async () => {
    const host = new KernelHost(() => undefined, messagesHandled);
    const memory = vi.spyOn(WebAssembly, 'instantiate').mockImplementation(() => {
      throw new RangeError('no memory');
    });
    await expect(host.open('bn254', modules.points)).rejects.toThrow();
    await expect(host.openScalars('bn254', modules.scalars)).rejects.toThrow();
    memory.mockRestore();
    expect(await host.run('bn254', 'multiplySubtract', { a: ones(1), b: ones(1), c: ones(1) }, 1)).toHaveLength(
      SCALAR_BYTES,
    );
  });

  it('refuses a curve that was not opened', async () => {
    const host = await openHost();
    await expect(host.run('bls12-377', 'releaseShard', { id: 'a' }, 1)).rejects.toMatchObject({ code: 'INTERNAL' });
  });
});
