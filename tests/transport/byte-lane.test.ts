import { describe, expect, it } from 'vitest';
import { ArrivingBytes, ByteLane, type ByteWindow, type Slice } from '../../sdk/transport/byte-lane.js';
import { MemoryFile, readMemoryFile } from '../../sdk/transport/memory-file.js';

const SLICE = 2 ** 22;

/** Memory of this process that stands for a shared one. */
function fakeWindow(slices: number): ByteWindow & { readonly memory: Uint8Array } {
  const memory = new Uint8Array(slices * SLICE);
  return { memory, bytes: memory.length, write: async (at, bytes) => memory.set(bytes, at) };
}

function numbered(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  new Uint32Array(bytes.buffer, 0, length >> 2).forEach((_, i, words) => {
    words[i] = i;
  });
  return bytes;
}

const LENGTHS = [0, 1, SLICE - 4, SLICE, SLICE + 4, 5 * SLICE + 8];

describe('ByteLane', () => {
  it.each(LENGTHS)('brings %i bytes through a window of two slices, and leaves nothing there', async (length) => {
    const window = fakeWindow(2);
    const bytes = numbered(length);
    const arriving = new ArrivingBytes(new Uint8Array(length));
    const read = async (at: number, target: Uint8Array) => target.set(window.memory.subarray(at, at + target.length));
    const lane = new ByteLane(window, (slice) => arriving.take(slice, read));
    await lane.send(lane.newTransfer(), bytes);
    await arriving.until(length);
    expect(Buffer.compare(arriving.bytes, bytes)).toBe(0);
    await expect.poll(() => window.memory.every((byte) => byte === 0)).toBe(true);
  });

  it('brings bytes in messages where there is no window', async () => {
    const bytes = numbered(3 * SLICE + 12);
    const arriving = new ArrivingBytes(new Uint8Array(bytes.length));
    const lane = new ByteLane(undefined, (slice) => arriving.take(slice, () => Promise.reject(new Error('no window'))));
    await lane.send(lane.newTransfer(), bytes);
    expect(Buffer.compare(arriving.bytes, bytes)).toBe(0);
  });

  it('tells transfers apart that are under way at once', async () => {
    const lane = new ByteLane(fakeWindow(1), async (slice) => void seen.push(slice));
    const seen: Slice[] = [];
    const [first, second] = [lane.newTransfer(), lane.newTransfer()];
    await Promise.all([lane.send(first, new Uint8Array(2 * SLICE)), lane.send(second, new Uint8Array(4))]);
    expect(seen.map(({ transfer, at, length }) => [transfer, at, length]).toSorted()).toEqual([
      [first, 0, SLICE],
      [first, SLICE, SLICE],
      [second, 0, 4],
    ]);
  });

  it('ends a transfer whose slice is not taken, or whose signal fires, and takes the next', async () => {
    let fails = true;
    const lane = new ByteLane(fakeWindow(1), async () => {
      if (fails) throw new Error('not taken');
    });
    await expect(lane.send(lane.newTransfer(), new Uint8Array(3 * SLICE))).rejects.toThrow('not taken');
    fails = false;
    await expect(lane.send(lane.newTransfer(), new Uint8Array(4), AbortSignal.abort())).rejects.toMatchObject({
      code: 'ABORTED',
    });
    await lane.send(lane.newTransfer(), new Uint8Array(3 * SLICE));
  });
});

describe('ArrivingBytes', () => {
  it('says when the first bytes are there, in whatever order the slices come', async () => {
    const arriving = new ArrivingBytes(new Uint8Array(12));
    const take = (at: number) =>
      arriving.take({ transfer: 1, at, length: 4, from: { bytes: new Uint8Array(4).fill(at) } }, async () => undefined);
    const told: number[] = [];
    for (const count of [0, 4, 5, 12]) void arriving.until(count).then(() => told.push(count));
    await take(8);
    expect(told).toEqual([0]);
    await take(0);
    expect(told).toEqual([0, 4]);
    await take(4);
    expect(told).toEqual([0, 4, 5, 12]);
    expect([...arriving.bytes]).toEqual([0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8]);
  });

  it('rejects for what will not come, also afterwards', async () => {
    const arriving = new ArrivingBytes(new Uint8Array(8));
    const waiting = arriving.until(4);
    arriving.fail(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(arriving.until(8)).rejects.toThrow('gone');
    await arriving.until(0);
  });
});

describe('MemoryFile', () => {
  it.runIf(process.platform === 'linux')('gives back what was written, from any byte on', async () => {
    const file = MemoryFile.open()!;
    try {
      const bytes = numbered(100_000);
      await file.write(12, bytes);
      const target = new Uint8Array(50_000);
      await readMemoryFile(file.descriptor, 12 + 40, target);
      expect(Buffer.compare(target, bytes.subarray(40, 50_040))).toBe(0);
      await expect(readMemoryFile(file.descriptor, file.bytes, target)).rejects.toMatchObject({ code: 'INTERNAL' });
    } finally {
      file.close();
    }
  });

  it.runIf(process.platform === 'linux')('ends what is being written before it closes', async () => {
    const file = MemoryFile.open()!;
    const writing = file.write(0, numbered(2 ** 20));
    file.close();
    file.close();
    await writing;
    await expect(file.write(0, new Uint8Array(1))).rejects.toMatchObject({ code: 'DISPOSED' });
  });
});
