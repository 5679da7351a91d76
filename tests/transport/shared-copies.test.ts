import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SharedCopies } from '../../sdk/hosts/prover/shared-copies.js';
import {
  DIRTY_BYTES,
  forget,
  IS_USED,
  isShared,
  missingFrom,
  SHARED_PIECE_BYTES,
  stateOf,
  untilThere,
  waitForShared,
} from '../../sdk/transport/shared-bytes.js';

afterEach(() => vi.unstubAllGlobals());

/** Bytes that differ from piece to piece. */
function bytesOf(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => 1 + (i % 251));
}

/** Fulfilled when the memory of a copy was overwritten. */
function untilClean(copy: Uint8Array): Promise<void> {
  const state = stateOf(copy.buffer);
  return expect.poll(() => [state[DIRTY_BYTES], state[IS_USED]]).toEqual([0, 0]);
}

describe('copies of bytes in shared memory', () => {
  it.each([
    0,
    1,
    7,
    32,
    SHARED_PIECE_BYTES - 1,
    SHARED_PIECE_BYTES,
    SHARED_PIECE_BYTES + 1,
    3 * SHARED_PIECE_BYTES + 32,
  ])('have the %i bytes that were given', async (length) => {
    const bytes = bytesOf(length);
    const { copy, fill } = new SharedCopies().begin(bytes);
    fill();
    expect(isShared(copy)).toBe(true);
    await untilThere(copy);
    waitForShared(copy);
    expect(copy).toEqual(bytes);
  });

  it.each([
    [76, 0],
    [76, 1],
    [0, 3],
    [5, 4],
    [8, 0],
  ])('have byte %i at a multiple of 8, of bytes that begin at %i of their buffer', async (aligned, begin) => {
    for (const length of [0, 3, 76, SHARED_PIECE_BYTES - 4, SHARED_PIECE_BYTES, 2 * SHARED_PIECE_BYTES + 5]) {
      const bytes = bytesOf(begin + length).subarray(begin);
      const { copy, fill } = new SharedCopies().begin(bytes, aligned);
      expect((copy.byteOffset + aligned) % 8).toBe(0);
      const isMissing = length > 0 && missingFrom(copy, stateOf(copy.buffer)) !== undefined;
      expect(isMissing).toBe(length > 0);
      fill();
      await untilThere(copy);
      expect(Buffer.compare(copy, bytes)).toBe(0);
    }
  });

  it('are there piece by piece', async () => {
    const bytes = bytesOf(2 * SHARED_PIECE_BYTES + 10);
    const { copy, fill } = new SharedCopies().begin(bytes);
    const state = stateOf(copy.buffer);
    const ends = [SHARED_PIECE_BYTES, SHARED_PIECE_BYTES + 1, bytes.length];
    expect(ends.map((end) => missingFrom(copy.subarray(0, end), state))).toEqual([0, 0, 0]);
    Atomics.store(state, 1, 1);
    expect(ends.map((end) => missingFrom(copy.subarray(0, end), state))).toEqual([undefined, 1, 1]);
    // A part in the middle needs the pieces before its end.
    expect(missingFrom(copy.subarray(SHARED_PIECE_BYTES, SHARED_PIECE_BYTES + 32), state)).toBe(1);
    Atomics.store(state, 1, 0);
    fill();
    expect(ends.map((end) => missingFrom(copy.subarray(0, end), state))).toEqual([undefined, undefined, undefined]);
  });

  it.each(['with Atomics.waitAsync', 'without it'])('are awaited %s', async (how) => {
    if (how === 'without it') {
      vi.stubGlobal('Atomics', { load: Atomics.load, add: Atomics.add, notify: Atomics.notify, store: Atomics.store });
    }
    const bytes = bytesOf(SHARED_PIECE_BYTES + 5);
    const { copy, fill } = new SharedCopies().begin(bytes);
    let isThere = false;
    const waiting = untilThere(copy).then(() => {
      isThere = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isThere).toBe(false);
    fill();
    await waiting;
    expect(copy).toEqual(bytes);
  });

  it('block a worker until they are there', async () => {
    const { copy, fill } = new SharedCopies().begin(bytesOf(SHARED_PIECE_BYTES + 5));
    const code = `
      const { parentPort, workerData: { state, pieces } } = require('node:worker_threads');
      parentPort.postMessage('waits');
      for (let there = 0; there < pieces; there = Atomics.load(state, 1)) Atomics.wait(state, 1, there);
      parentPort.postMessage('ends');`;
    const worker = new Worker(code, { eval: true, workerData: { state: stateOf(copy.buffer), pieces: 2 } });
    const [first] = await once(worker, 'message');
    expect(first).toBe('waits');
    fill();
    const [last] = await once(worker, 'message');
    expect(last).toBe('ends');
    await worker.terminate();
  });

  it('are overwritten some time after they are released', async () => {
    const { copy, fill } = new SharedCopies().begin(bytesOf(5 * 2 ** 20 + 3));
    fill();
    forget(copy);
    expect(copy[0]).toBe(1);
    await untilClean(copy);
    expect(copy.every((byte) => byte === 0)).toBe(true);
  });

  it('have the memory of a call before them, as it was left; then the longer of both is overwritten', async () => {
    const copies = new SharedCopies();
    const first = copies.begin(bytesOf(1000));
    first.fill();
    forget(first.copy);
    const second = copies.begin(bytesOf(100));
    expect(second.copy.buffer).toBe(first.copy.buffer);
    second.fill();
    expect(second.copy).toEqual(bytesOf(100));
    await new Promise((resolve) => setTimeout(resolve, 150));
    // Still in use.
    expect(second.copy).toEqual(bytesOf(100));
    forget(second.copy);
    await untilClean(first.copy);
    expect(first.copy.every((byte) => byte === 0)).toBe(true);
  });

  it('are not awaited where a shorter call has their memory', async () => {
    const copies = new SharedCopies();
    const failed = copies.begin(bytesOf(2 * SHARED_PIECE_BYTES));
    failed.fill();
    forget(failed.copy);
    const next = copies.begin(bytesOf(SHARED_PIECE_BYTES + 5));
    expect(next.copy.buffer).toBe(failed.copy.buffer);
    // Work on the failed call's bytes must not wait for pieces that never come.
    await untilThere(failed.copy);
    waitForShared(failed.copy);
    expect(missingFrom(next.copy, stateOf(next.copy.buffer))).toBe(0);
    next.fill();
    await untilThere(next.copy);
  });

  it('take other memory while theirs is in use, or too small', () => {
    const copies = new SharedCopies();
    const [first, second] = [copies.begin(bytesOf(100)), copies.begin(bytesOf(100))];
    expect(second.copy.buffer).not.toBe(first.copy.buffer);
    forget(first.copy);
    expect(copies.begin(bytesOf(200)).copy.buffer).not.toBe(first.copy.buffer);
    expect(copies.begin(bytesOf(50)).copy.buffer).toBe(first.copy.buffer);
  });

  it('are all overwritten at once where the engine has ended', () => {
    const copies = new SharedCopies();
    const all = [copies.begin(bytesOf(100)), copies.begin(bytesOf(1001))];
    for (const { fill } of all) fill();
    forget(all[0]!.copy);
    copies.wipe();
    for (const { copy } of all) expect(copy.every((byte) => byte === 0)).toBe(true);
  });

  it('are refused by a typed error where there is no memory for them', () => {
    vi.stubGlobal('SharedArrayBuffer', () => {
      throw new RangeError('Array buffer allocation failed');
    });
    expect(() => new SharedCopies().begin(bytesOf(100))).toThrow(
      expect.objectContaining({ code: 'OUT_OF_MEMORY', message: expect.stringContaining('168 bytes') }),
    );
  });

  it('are no bytes of a buffer, nor anything else', () => {
    for (const value of [new Uint8Array(4), new ArrayBuffer(4), undefined, null, 'bytes']) {
      expect(isShared(value)).toBe(false);
    }
  });
});
