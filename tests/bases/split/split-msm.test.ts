import { describe, expect, it, vi } from 'vitest';
import { bytesToBigint } from '../../../sdk/base/bytes.js';
import { PippinError, type PippinErrorCode } from '../../../sdk/base/errors.js';
import type { BasesToLoad, CompleteMsmBackend, MultiplyOptions } from '../../../sdk/bases/backend.js';
import { hostScalars } from '../../../sdk/bases/scalar-vector.js';
import { splitMsm } from '../../../sdk/bases/split/split-msm.js';
import { encodeScalars } from '../../support/points.js';
import { gate } from '../fake-backend.js';
import { FakeMember, fakeArithmetic } from './fake-member.js';

const failing = (code: PippinErrorCode) => (): never => {
  throw new PippinError(code, 'expected a right result, got none');
};

/** A clock that stands still, but while a member's sum is noted to have taken so long. */
function fakeClock() {
  let time = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => time);
  return {
    takes(member: FakeMember, msPerPoint: number): void {
      member.onComputed = (points, tell) => {
        time = points * msPerPoint;
        tell();
        time = 0;
      };
    },
    restore: () => clock.mockRestore(),
  };
}

const outline = (count: number): BasesToLoad => ({
  curve: 'bn254',
  group: 'g1',
  form: 'weierstrass',
  count,
  kept: count,
  indices: undefined,
  exceptional: [],
  points: new Uint8Array(),
});

function start(...members: FakeMember[]) {
  const observer = { span: (_phase: unknown, _executor: unknown, work: () => never) => work(), notice: vi.fn() };
  return { backend: splitMsm(members, () => fakeArithmetic), observer };
}

const numbers = (count: number, first = 1): bigint[] => Array.from({ length: count }, (_, i) => BigInt(first + i));

async function check(backend: CompleteMsmBackend, count: number, options: MultiplyOptions = {}, batch = 1) {
  const bases = await backend.load(outline(count));
  return { bases, sums: await multiply(backend, bases, count, options, batch) };
}

async function multiply(
  backend: CompleteMsmBackend,
  bases: Parameters<CompleteMsmBackend['multiplyBatch']>[0],
  count: number,
  options: MultiplyOptions = {},
  batch = 1,
) {
  const scalars = Array.from({ length: batch }, (_, m) => numbers(count, 1 + 1000 * m));
  const sums = await backend.multiplyBatch(bases, hostScalars(encodeScalars(scalars.flat())), batch, options);
  const expected = scalars.map((some) => some.reduce((sum, scalar, i) => sum + BigInt(i + 1) * scalar, 0n));
  expect(sums.map(({ point }) => bytesToBigint(point, 0, 32))).toEqual(expected);
  return sums;
}

const sizes = (member: FakeMember) => member.summed.map(({ from, to }) => to - from);

describe('splitMsm', () => {
  it.each([0, 1, 2, 3, 63, 64, 127, 128, 129, 255, 1000])('sums %i points on three members', async (count) => {
    const members = [new FakeMember('a', 1, 'webgpu'), new FakeMember('b', 2), new FakeMember('c', 1)];
    const { sums } = await check(start(...members).backend, count);
    expect(sums[0]!.executors.length).toBeGreaterThan(0);
    if (count === 1000) expect(sums[0]!.executors).toEqual(['webgpu', 'wasm']);
    expect(members.flatMap(sizes).reduce((sum, size) => sum + size, 0)).toBe(count);
  });

  it('sums a batch, and lets the members hold a margin more than their shares', async () => {
    const members = [new FakeMember('a'), new FakeMember('b')];
    const { bases } = await check(start(...members).backend, 1024, {}, 3);
    expect(members.map(({ loaded }) => loaded)).toEqual([[{ from: 0, to: 640 }], [{ from: 384, to: 1024 }]]);
    bases.release();
    await expect.poll(() => members.map(({ held }) => held)).toEqual([0, 0]);
    await expect(multiply(start(...members).backend, bases, 1024)).rejects.toMatchObject({ code: 'DISPOSED' });
  });

  it('moves shares to the faster member within the margins, and bases only when that is not enough', async () => {
    const { takes, restore } = fakeClock();
    try {
      const [first, second] = [new FakeMember('first'), new FakeMember('second')];
      const { backend } = start(first, second);
      const bases = await backend.load(outline(1024));
      const sharesOfFirst = async (calls: number) => {
        for (let i = 0; i < calls; i++) await multiply(backend, bases, 1024);
        return sizes(first).at(-1);
      };
      takes(first, 1 / 3);
      takes(second, 1 / 4);
      expect(await sharesOfFirst(1)).toBe(512);
      expect(await sharesOfFirst(10)).toBe(440);
      expect([first.loaded.length, second.loaded.length]).toEqual([1, 1]);
      takes(first, 7 / 4);
      expect(await sharesOfFirst(20)).toBe(128);
      expect(first.loaded).toEqual([
        { from: 0, to: 640 },
        { from: 0, to: expect.any(Number) },
      ]);
      expect(second.loaded.length).toBe(2);
      expect([first.held, second.held]).toEqual([1, 1]);
    } finally {
      restore();
    }
  });

  it('takes the unit of rates from the members that were measured', async () => {
    const { takes, restore } = fakeClock();
    try {
      const [gpu, worker] = [new FakeMember('gpu', 1, 'webgpu'), new FakeMember('a')];
      takes(worker, 1e-6);
      takes(gpu, 1e-6);
      const { backend } = start(gpu, worker);
      gpu.isReady = false;
      const bases = await backend.load(outline(1024));
      for (let i = 0; i < 10; i++) await multiply(backend, bases, 1024);
      gpu.isReady = true;
      await multiply(backend, bases, 1024);
      expect(sizes(gpu)).toEqual([512]);
    } finally {
      restore();
    }
  });

  it.each(['DEVICE_LOST', 'OUT_OF_MEMORY', 'RESULT_INVALID', 'INTERNAL', 'WORKER_FAILED'] as const)(
    'lets the others do the share of a member that fails with %s, and says so',
    async (code) => {
      const members = [new FakeMember('a', 1, 'webgpu'), new FakeMember('b'), new FakeMember('c')];
      const { backend, observer } = start(...members);
      members[0]!.onMultiply = failing(code);
      const { bases } = await check(backend, 999, { observer }, 2);
      expect(observer.notice).toHaveBeenCalledTimes(1);
      expect(observer.notice).toHaveBeenCalledWith('MSM_REDONE', expect.stringMatching(`a failed \\(${code}`));
      await multiply(backend, bases, 999, { observer });
      expect(members[0]!.summed).toHaveLength(1);
      expect(observer.notice).toHaveBeenCalledTimes(1);
      await expect.poll(() => members.map(({ held }) => held)).toEqual([0, 1, 1]);
    },
  );

  it('goes on until one member is left, and rejects with its fault when none is', async () => {
    const members = [new FakeMember('a'), new FakeMember('b'), new FakeMember('c')];
    const { backend, observer } = start(...members);
    members[0]!.onMultiply = failing('DEVICE_LOST');
    let first = true;
    members[1]!.onMultiply = () => {
      if (!first) failing('OUT_OF_MEMORY')();
      first = false;
    };
    const { bases } = await check(backend, 600, { observer });
    expect(observer.notice).toHaveBeenCalledTimes(2);
    members[2]!.onMultiply = failing('RESULT_INVALID');
    await expect(multiply(backend, bases, 600)).rejects.toMatchObject({ code: 'RESULT_INVALID' });
    // All have failed: those that are there are tried again.
    members[1]!.onMultiply = () => undefined;
    members[1]!.summed.length = 0;
    await multiply(backend, bases, 600);
    expect(sizes(members[1]!).reduce((sum, size) => sum + size)).toBe(600);
    for (const member of members) member.isAvailable = false;
    expect(backend).toMatchObject({ isAvailable: false });
    await expect(multiply(backend, bases, 600)).rejects.toMatchObject({ code: 'DEVICE_LOST' });
  });

  it('leaves out a member that cannot hold its points, unless the caller wants to know', async () => {
    const members = [new FakeMember('a'), new FakeMember('b')];
    members[0]!.onLoad = failing('OUT_OF_MEMORY');
    const { backend } = start(...members);
    const bases = await backend.load(outline(500));
    await multiply(backend, bases, 500);
    expect(sizes(members[1]!)).toEqual([500]);
    await expect(backend.load(outline(500), undefined, { mustLoad: true })).rejects.toMatchObject({
      code: 'OUT_OF_MEMORY',
    });
    members[1]!.onLoad = failing('OUT_OF_MEMORY');
    await expect(backend.load(outline(500))).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' });
  });

  it('rejects with what is no fault of a member', async () => {
    for (const code of ['ABORTED', 'INVALID_LENGTH'] as const) {
      const members = [new FakeMember('a'), new FakeMember('b')];
      members[1]!.onMultiply = failing(code);
      const { backend, observer } = start(...members);
      await expect(check(backend, 500, { observer })).rejects.toMatchObject({ code });
      expect(observer.notice).not.toHaveBeenCalled();
    }
  });

  it('redoes nothing for a call that was aborted', async () => {
    const members = [new FakeMember('a'), new FakeMember('b')];
    const controller = new AbortController();
    members[0]!.onMultiply = () => {
      controller.abort();
      failing('DEVICE_LOST')();
    };
    const { backend, observer } = start(...members);
    await expect(check(backend, 500, { signal: controller.signal, observer })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    expect(members[1]!.summed).toHaveLength(1);
  });

  it('reports progress by points, also when a member fails', async () => {
    const members = [new FakeMember('a', 3), new FakeMember('b', 1)];
    const done: number[] = [];
    const { bases } = await check(start(...members).backend, 1024, { onProgress: (fraction) => done.push(fraction) });
    expect(done.at(-1)).toBe(1);
    expect(done.slice(0, 2)).toEqual([0.375, 0.5]);
    bases.release();
    members[0]!.onMultiply = failing('DEVICE_LOST');
    done.length = 0;
    await check(start(...members).backend, 1024, { onProgress: (fraction) => done.push(fraction) });
    expect(done.at(-1)).toBe(1);
    expect(Math.max(...done)).toBe(1);
  });

  it('keeps to the workers for sums for which only these are trusted', async () => {
    const members = [new FakeMember('gpu', 1, 'webgpu'), new FakeMember('a'), new FakeMember('b')];
    const { backend } = start(...members);
    const { bases, sums } = await check(backend, 600, { trustedOnly: true });
    expect(sums[0]!.executors).toEqual(['wasm']);
    expect(members[0]!.summed).toEqual([]);
    await multiply(backend, bases, 600);
    expect(members[0]!.summed).toHaveLength(1);
  });

  it('gives scalars on a device to the member on that device alone', async () => {
    const members = [new FakeMember('a'), new FakeMember('gpu', 1, 'webgpu')];
    const { backend } = start(...members);
    const bases = await backend.load(outline(600));
    const scalars = { kind: 'device', count: 600, release: () => undefined } as const;
    for (let i = 0; i < 2; i++) await backend.multiplyBatch(bases, scalars, 1);
    expect(sizes(members[1]!)).toEqual([600, 600]);
    // Once for shared sums, once for these.
    expect(members[1]!.loaded).toHaveLength(2);
    members[1]!.onMultiply = failing('DEVICE_LOST');
    await expect(backend.multiplyBatch(bases, scalars, 1)).rejects.toMatchObject({ code: 'DEVICE_LOST' });
  });

  it('does without a member until it is ready, while that loads its points', async () => {
    const [gpu, worker] = [new FakeMember('gpu', 1, 'webgpu'), new FakeMember('a')];
    const { backend } = start(gpu, worker);
    gpu.isReady = false;
    const loading = gate();
    gpu.onLoad = () => loading.opened;
    const { bases } = await check(backend, 600);
    expect(sizes(worker)).toEqual([600]);
    loading.open();
    await bases.settled;
    gpu.isReady = true;
    await multiply(backend, bases, 600);
    expect([sizes(gpu).length, gpu.loaded.length]).toEqual([1, 1]);
    await expect.poll(() => [gpu.held, worker.held]).toEqual([1, 1]);
  });

  it('leaves out a member that is gone, and takes its place at the next call', async () => {
    const members = [new FakeMember('gpu', 1, 'webgpu'), new FakeMember('a')];
    const { backend } = start(...members);
    const { bases } = await check(backend, 600);
    expect(backend.capabilities.executor).toBe('webgpu');
    members[0]!.isAvailable = false;
    expect(backend.capabilities.executor).toBe('wasm');
    await multiply(backend, bases, 600);
  });

  it('refuses a range of what is split', async () => {
    const { backend } = start(new FakeMember('a'));
    await expect(check(backend, 10, { range: { from: 0, to: 5 } })).rejects.toMatchObject({ code: 'INTERNAL' });
  });
});
