import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SharedCopies } from '../../sdk/hosts/prover/shared-copies.js';
import {
  isShared,
  missingFrom,
  releaseShared,
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

/** Fulfilled when the memory of a copy may be used again. */
function untilFree(copy: Uint8Array): Promise<void> {
  return expect.poll(() => stateOf(copy.buffer)[0]).toBe(0);
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

  it('are overwritten when they are released, and their memory is used again', async () => {
    const copies = new SharedCopies();
    const bytes = bytesOf(5 * 2 ** 20 + 3);
    const first = copies.begin(bytes);
    first.fill();
    releaseShared(first.copy);
    await untilFree(first.copy);
    expect(first.copy.every((byte) => byte === 0)).toBe(true);
    const second = copies.begin(bytes.subarray(0, 100));
    expect(second.copy.buffer).toBe(first.copy.buffer);
    second.fill();
    expect(second.copy).toEqual(bytes.subarray(0, 100));
  });

  it('take other memory while theirs is in use, or too small', async () => {
    const copies = new SharedCopies();
    const first = copies.begin(bytesOf(100));
    const second = copies.begin(bytesOf(100));
    expect(second.copy.buffer).not.toBe(first.copy.buffer);
    releaseShared(second.copy);
    await untilFree(second.copy);
    const larger = copies.begin(bytesOf(200));
    expect(larger.copy.buffer).not.toBe(second.copy.buffer);
    releaseShared(larger.copy);
    await untilFree(larger.copy);
    expect(copies.begin(bytesOf(50)).copy.buffer).toBe(larger.copy.buffer);
  });

  it('are no bytes of a buffer, nor anything else', () => {
    for (const value of [new Uint8Array(4), new ArrayBuffer(4), undefined, null, 'bytes']) {
      expect(isShared(value)).toBe(false);
    }
  });
});
