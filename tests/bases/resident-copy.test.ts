import { expect, test, vi } from 'vitest';
import type { ResidentBases } from '../../sdk/bases/backend.js';
import { ResidentCopy } from '../../sdk/bases/resident-copy.js';

function residentBases(): ResidentBases {
  return { count: 1, release: vi.fn() };
}

test('calls at the same time and later ones share one copy', async () => {
  const copy = new ResidentCopy();
  const bases = residentBases();
  const load = vi.fn(async () => bases);
  const both = [copy.get(load), copy.get(load)];
  expect(await Promise.all(both)).toEqual([bases, bases]);
  expect(await copy.get(load)).toBe(bases);
  expect(load).toHaveBeenCalledTimes(1);
});

test('after a failure the next call tries again', async () => {
  const copy = new ResidentCopy();
  const bases = residentBases();
  await expect(copy.get(() => Promise.reject(new Error('no room')))).rejects.toThrow('no room');
  expect(await copy.get(async () => bases)).toBe(bases);
});

test('a copy that is still being made is freed when it has been made', async () => {
  const copy = new ResidentCopy();
  const bases = residentBases();
  const loading = copy.get(async () => bases);
  copy.release();
  await loading;
  expect(bases.release).toHaveBeenCalledTimes(1);
  copy.release();
  expect(bases.release).toHaveBeenCalledTimes(1);
});

test('nothing is freed where nothing was loaded, and a load that fails after the release is no unhandled rejection', async () => {
  const copy = new ResidentCopy();
  copy.release();
  const loading = copy.get(() => Promise.reject(new Error('lost')));
  copy.release();
  await expect(loading).rejects.toThrow('lost');
});
