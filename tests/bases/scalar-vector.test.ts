import { describe, expect, it, type Mock, vi } from 'vitest';
import { bytesOfScalars, type DeviceScalars, hostScalars, SharedScalars } from '../../sdk/bases/scalar-vector.js';
import { encodeScalars } from '../support/points.js';
import { gate } from './fake-backend.js';

/** Scalars on a device, which count how often they are released. */
function onDevice(): DeviceScalars & { readonly release: Mock<() => void> } {
  return { kind: 'device', count: 3, release: vi.fn<() => void>() };
}

const VALUES = [5n, 6n, 7n] as const;
const BYTES = encodeScalars(VALUES);
const bytesOf = (...values: bigint[]): Uint8Array => encodeScalars(values);

describe('SharedScalars', () => {
  it('has one copy on each device, also for several that ask at once', async () => {
    const shared = new SharedScalars(BYTES);
    const copies = [onDevice(), onDevice()];
    const uploads = copies.map((copy) => vi.fn(async () => copy));
    const devices = [{}, {}];
    const asked = devices.flatMap((device, i) => [shared.on(device, uploads[i]!), shared.on(device, uploads[i]!)]);
    expect(await Promise.all(asked)).toEqual([copies[0], copies[0], copies[1], copies[1]]);
    for (const [i, device] of devices.entries()) expect(await shared.on(device, uploads[i]!)).toBe(copies[i]);
    for (const upload of uploads) expect(upload).toHaveBeenCalledTimes(1);
    shared.release();
    shared.release();
    await Promise.all(asked);
    for (const copy of copies) expect(copy.release).toHaveBeenCalledTimes(1);
  });

  it('uploads again after a failure, which all who asked at once are told', async () => {
    const shared = new SharedScalars(BYTES);
    const device = {};
    const fail = vi.fn(() => Promise.reject(new Error('no room')));
    const asked = [shared.on(device, fail), shared.on(device, fail)];
    const failed = { status: 'rejected', reason: new Error('no room') };
    expect(await Promise.allSettled(asked)).toEqual([failed, failed]);
    expect(fail).toHaveBeenCalledTimes(1);
    const copy = onDevice();
    expect(await shared.on(device, async () => copy)).toBe(copy);
    shared.release();
    await Promise.resolve();
    expect(copy.release).toHaveBeenCalledTimes(1);
  });

  it('frees a copy that is being uploaded as soon as it is there, and none that fails', async () => {
    const shared = new SharedScalars(BYTES);
    const uploaded = gate();
    const copy = onDevice();
    const asked = shared.on({}, async () => {
      await uploaded.opened;
      return copy;
    });
    const failing = shared.on({}, async () => {
      await uploaded.opened;
      throw new Error('lost');
    });
    shared.release();
    await Promise.resolve();
    expect(copy.release).not.toHaveBeenCalled();
    uploaded.open();
    expect(await asked).toBe(copy);
    await expect(failing).rejects.toThrow('lost');
    expect(copy.release).toHaveBeenCalledTimes(1);
  });

  it('gives no copy any more once it was released', async () => {
    const device = {};
    const copy = onDevice();
    const used = new SharedScalars(BYTES);
    await used.on(device, async () => copy);
    const upload = vi.fn(async () => onDevice());
    for (const shared of [used, new SharedScalars(BYTES)]) {
      shared.release();
      for (const each of [device, {}]) {
        expect(() => shared.on(each, upload)).toThrow(expect.objectContaining({ code: 'DISPOSED' }));
      }
    }
    expect(upload).not.toHaveBeenCalled();
    await Promise.resolve();
    expect(copy.release).toHaveBeenCalledTimes(1);
  });

  it('is cut in slices', () => {
    const shared = new SharedScalars(BYTES);
    expect(shared.slice()).toEqual({ kind: 'shared', whole: shared, first: 0, indices: undefined, count: 3 });
    expect(shared.slice(2)).toMatchObject({ first: 2, count: 1 });
    expect(shared.slice(3)).toMatchObject({ first: 3, count: 0 });
  });
});

describe('bytesOfScalars', () => {
  const shared = new SharedScalars(BYTES);

  it('gives those that are here', () => {
    expect(bytesOfScalars(hostScalars(BYTES))).toBe(BYTES);
    expect(bytesOfScalars(shared.slice())).toEqual(BYTES);
    expect(bytesOfScalars({ ...shared.slice(), first: 1, count: 1 })).toEqual(bytesOf(6n));
    expect(bytesOfScalars(shared.slice(3))).toEqual(bytesOf());
  });

  it('gives those at the indices, which count from the first of the slice on', () => {
    const at = (first: number, ...indices: number[]): Uint8Array =>
      bytesOfScalars({ ...shared.slice(first), indices: new Uint32Array(indices), count: indices.length });
    expect(at(0, 0, 2)).toEqual(bytesOf(5n, 7n));
    expect(at(1, 0, 1)).toEqual(bytesOf(6n, 7n));
    expect(at(2)).toEqual(bytesOf());
  });

  it('rejects those on a device', () => {
    expect(() => bytesOfScalars(onDevice())).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
  });
});
