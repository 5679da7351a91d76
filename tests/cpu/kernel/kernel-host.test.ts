import { readFile } from 'node:fs/promises';
import { setImmediate as messagesHandled } from 'node:timers/promises';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type KernelEvent, KernelHost } from '../../../sdk/cpu/kernel/kernel-host.js';
import { SCALAR_BYTES } from '../../../sdk/curves/index.js';
import { root } from '../../support/root.js';

let module: WebAssembly.Module;
beforeAll(async () => {
  module = await WebAssembly.compile(await readFile(`${root}/dist/bn254.wasm`));
});

async function openHost(events: KernelEvent[] = []): Promise<KernelHost> {
  const host = new KernelHost((event) => events.push(event), messagesHandled);
  await host.open('bn254', module);
  return host;
}

/** n elements of value 1, and whether their memory was given back (Node 20 cannot do that by itself). */
function ones(n: number): { bytes: Uint8Array; isFreed: () => boolean } {
  const bytes = Uint8Array.from({ length: n * SCALAR_BYTES }, (_, i) => (i % SCALAR_BYTES === 0 ? 1 : 0));
  let freed = false;
  const transfer = (): void => {
    freed = true;
  };
  Object.assign(bytes.buffer, { transfer });
  return { bytes, isFreed: () => freed };
}

describe('KernelHost', () => {
  it('runs a method by its name, and frees the bytes that it was given', async () => {
    const host = await openHost();
    const [a, b, c] = [ones(2), ones(2), ones(2)];
    const result = await host.run('bn254', 'quotient', { a: a.bytes, b: b.bytes, c: c.bytes }, 1);
    expect(result).toEqual(new Uint8Array(2 * SCALAR_BYTES));
    expect([a, b, c].map(({ isFreed }) => isFreed())).toEqual([true, true, true]);
  });

  it('frees the bytes of a method that fails, too', async () => {
    const host = await openHost();
    const scalars = ones(1);
    const failing = host.run('bn254', 'multiply', { id: 'none', scalars: scalars.bytes }, 1);
    await expect(failing).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(scalars.isFreed()).toBe(true);
  });

  it('stops the task that it is told to stop, and tells how far one is', async () => {
    const events: KernelEvent[] = [];
    const host = await openHost(events);
    // Large enough for several steps on any machine.
    const values = new Uint8Array(2 ** 17 * SCALAR_BYTES);
    host.cancel(7);
    await expect(host.run('bn254', 'shiftToCoset', { values }, 7)).rejects.toMatchObject({ code: 'ABORTED' });
    await host.run('bn254', 'shiftToCoset', { values }, 8);
    expect(events.some(({ task }) => task === 8)).toBe(true);
  });

  it('makes a kernel with the next call that could not be made with the first', async () => {
    const host = new KernelHost(() => undefined, messagesHandled);
    const memory = vi.spyOn(WebAssembly, 'instantiate').mockImplementation(() => {
      throw new RangeError('no memory');
    });
    await expect(host.open('bn254', module)).rejects.toThrow();
    memory.mockRestore();
    expect(
      await host.run('bn254', 'quotient', { a: ones(1).bytes, b: ones(1).bytes, c: ones(1).bytes }, 1),
    ).toHaveLength(SCALAR_BYTES);
  });

  it('refuses a curve that was not opened', async () => {
    const host = await openHost();
    await expect(host.run('bls12-377', 'releaseShard', { id: 'a' }, 1)).rejects.toMatchObject({ code: 'INTERNAL' });
  });
});
