import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LocalOpenJobs } from '../../../farm/src/front/open-jobs.js';

let now = 1000;
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

const MOST = { jobs: 3, bytes: 100 };

it('jobs are listed by owner, the oldest first, until they are removed', async () => {
  const jobs = new LocalOpenJobs();
  expect(await jobs.list('alice')).toEqual([]);
  await jobs.remove('alice', ['a']);
  now = 1000;
  await jobs.add('alice', { id: 'a', bytes: 1 }, MOST);
  now = 1030;
  await jobs.add('alice', { id: 'b', bytes: 1 }, MOST);
  await jobs.add('bob', { id: 'c', bytes: 1 }, MOST);
  now = 1100;
  expect(await jobs.list('alice')).toEqual([
    { id: 'a', ageMs: 100 },
    { id: 'b', ageMs: 70 },
  ]);
  await jobs.remove('alice', ['a', 'unknown']);
  expect(await jobs.list('alice')).toEqual([{ id: 'b', ageMs: 70 }]);
  expect(await jobs.list('bob')).toEqual([{ id: 'c', ageMs: 70 }]);
});

it('an owner has at most so many jobs', async () => {
  const jobs = new LocalOpenJobs();
  for (const id of ['a', 'b', 'c']) expect(await jobs.add('alice', { id, bytes: 1 }, MOST)).toBeUndefined();
  expect(await jobs.add('alice', { id: 'd', bytes: 1 }, MOST)).toBe('jobs');
  expect(await jobs.list('alice')).toHaveLength(3);
  expect(await jobs.add('bob', { id: 'd', bytes: 1 }, MOST)).toBeUndefined();
  await jobs.remove('alice', ['b']);
  expect(await jobs.add('alice', { id: 'd', bytes: 1 }, MOST)).toBeUndefined();
});

it('the jobs of an owner have at most so many bytes together', async () => {
  const jobs = new LocalOpenJobs();
  expect(await jobs.add('alice', { id: 'a', bytes: 101 }, MOST)).toBe('bytes');
  expect(await jobs.add('alice', { id: 'a', bytes: 40 }, MOST)).toBeUndefined();
  expect(await jobs.add('alice', { id: 'b', bytes: 61 }, MOST)).toBe('bytes');
  expect(await jobs.add('alice', { id: 'b', bytes: 60 }, MOST)).toBeUndefined();
  expect(await jobs.list('alice')).toHaveLength(2);
});

it('the same job counts once', async () => {
  const jobs = new LocalOpenJobs();
  const most = { jobs: 1, bytes: 60 };
  for (let i = 0; i < 3; i++) expect(await jobs.add('alice', { id: 'a', bytes: 40 }, most)).toBeUndefined();
  expect(await jobs.list('alice')).toHaveLength(1);
});
