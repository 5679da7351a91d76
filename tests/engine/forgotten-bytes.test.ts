import { describe, expect, it } from 'vitest';
import { Engine } from '../../sdk/engine/engine.js';
import type { MsmRequest } from '../../sdk/engine/engine-api.js';
import type { EnginePlatform } from '../../sdk/engine/platform.js';
import { SharedCopies } from '../../sdk/hosts/prover/shared-copies.js';
import { DIRTY_BYTES, IS_USED, stateOf } from '../../sdk/transport/shared-bytes.js';

/** The calls that take a caller's bytes. */
const CALLS: Readonly<Record<string, (engine: Engine, handle: number, bytes: Uint8Array) => Promise<unknown>>> = {
  proof: (engine, handle, bytes) => engine.prove(1, handle, { kind: 'file', source: { kind: 'bytes', bytes } }, true),
  msm: (engine, handle, bytes) => engine.msm(1, handle, bytes, {} as MsmRequest),
};

describe.each(Object.entries(CALLS))('a %s whose handle is none', (_, begin) => {
  const engine = new Engine({} as EnginePlatform, () => undefined);
  const secret = Uint8Array.of(1, 2, 3);

  it('overwrites its bytes, or frees them', async () => {
    const bytes = secret.slice();
    await expect(begin(engine, 7, bytes)).rejects.toMatchObject({ code: 'INVALID_HANDLE' });
    // What is freed has no length.
    expect(bytes.length === 0 || bytes.every((byte) => byte === 0)).toBe(true);
  });

  it('leaves its shared memory to the next call, or overwrites it', async () => {
    const copies = new SharedCopies();
    const { copy, fill } = copies.begin(secret);
    fill();
    await expect(begin(engine, 7, copy)).rejects.toMatchObject({ code: 'INVALID_HANDLE' });
    // The next call's bytes are left alone.
    const next = copies.begin(secret);
    next.fill();
    expect(next.copy.buffer).toBe(copy.buffer);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(next.copy).toEqual(secret);
    await expect(begin(engine, 7, next.copy)).rejects.toMatchObject({ code: 'INVALID_HANDLE' });
    const state = stateOf(copy.buffer);
    await expect.poll(() => [state[DIRTY_BYTES], state[IS_USED]]).toEqual([0, 0]);
    expect(copy).toEqual(new Uint8Array(secret.length));
  });
});
