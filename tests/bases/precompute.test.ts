import { expect, it } from 'vitest';
import { HeldMultiples } from '../../sdk/bases/precompute.js';
import { gate } from './fake-backend.js';

const PLAN = { windowBits: 8, rows: 16, multiples: 2 };

it('stay in memory as long as something uses them, and are gone for those who come later', async () => {
  const points = new Uint8Array([1, 2, 3]);
  const multiples = new HeldMultiples('webgpu', PLAN, points);
  const { opened, open } = gate();
  const using = multiples.use(async (given) => {
    await opened;
    return given?.length;
  });
  const freed = multiples.free();
  expect(await multiples.use(async (given) => given)).toBe(undefined);
  expect(points.length).toBe(3);
  open();
  expect(await using).toBe(3);
  await freed;
  expect(points.length).toBe(0);
});

it('are freed although what used them has failed', async () => {
  const points = new Uint8Array(3);
  const multiples = new HeldMultiples('wasm', PLAN, points);
  const using = expect(multiples.use(() => Promise.reject(new Error('lost')))).rejects.toThrow('lost');
  await Promise.all([using, multiples.free(), multiples.free()]);
  expect(points.length).toBe(0);
});
