import { expect, it } from 'vitest';
import { type JobOwner, JobQueue, type JobState } from '../../../sdk/hosts/session/job-queue.js';

interface Job {
  readonly name: string;
  end?: () => void;
  fail?: (error: Error) => void;
}

/** An owner whose jobs end when the test says so, and that records the calls. */
class Owner implements JobOwner<Job> {
  readonly told: string[] = [];
  retries = 0;
  room = Number.POSITIVE_INFINITY;

  run(job: Job, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      Object.assign(job, { end: resolve, fail: reject });
      signal.addEventListener('abort', () => reject(new Error('stopped')));
    });
  }
  failed(job: Job, error: unknown): boolean {
    this.told.push(`${job.name} failed: ${(error as Error).message}`);
    return this.retries-- > 0;
  }
  onState(job: Job, state: JobState): void {
    this.told.push(`${job.name} ${state}`);
  }
  mayBegin(_: Job, running: readonly Job[]): boolean {
    return running.length < this.room;
  }
}

function queueOf(parallel: number, ...names: string[]) {
  const owner = new Owner();
  const queue = new JobQueue<Job>(parallel, owner);
  const jobs = names.map((name): Job => ({ name }));
  return { owner, queue, jobs, told: () => owner.told.splice(0) };
}
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
const names = (jobs: readonly Job[]): string[] => jobs.map(({ name }) => name);

it('does jobs by priority, then in the order in which they came', async () => {
  const { queue, jobs, told } = queueOf(1, 'a', 'b', 'c', 'd');
  for (const [i, job] of jobs.entries()) queue.add(job, i < 2 ? 0 : 5);
  expect(names(queue.jobs)).toEqual(['c', 'd', 'a', 'b']);
  expect(told()).toEqual(['a running', 'b queued', 'c queued', 'd queued']);
  for (const i of [0, 2, 3, 1]) {
    jobs[i]!.end?.();
    await settled();
  }
  expect(told()).toEqual(['c running', 'd running', 'b running']);
  expect(queue.jobs).toEqual([]);
});

it('does at most so many at a time', async () => {
  const { queue, jobs } = queueOf(2, 'a', 'b', 'c');
  for (const job of jobs) queue.add(job);
  expect(names(queue.running)).toEqual(['a', 'b']);
  jobs[1]!.end?.();
  await settled();
  expect(names(queue.running)).toEqual(['a', 'c']);
});

it('stops a job that is removed, whose place is free when it has ended', async () => {
  const { queue, jobs, told } = queueOf(1, 'a', 'b', 'c');
  for (const job of jobs) queue.add(job);
  told();
  queue.remove(jobs[2]!);
  queue.remove(jobs[0]!);
  expect(names(queue.jobs)).toEqual(['b']);
  expect(told()).toEqual([]);
  await settled();
  // The error of a job that nobody wants is not told.
  expect(told()).toEqual(['b running']);
});

it('stops the jobs that a hold names, and begins it again at its old place', async () => {
  const { queue, jobs, told } = queueOf(2, 'a', 'b', 'c');
  for (const job of jobs) queue.add(job);
  told();
  queue.hold((job) => job.name === 'a');
  expect(told()).toEqual(['a paused', 'c paused']);
  await settled();
  jobs[1]!.end?.();
  await settled();
  queue.add({ name: 'd' });
  expect(told()).toEqual(['d paused']);
  queue.release();
  expect(told()).toEqual(['a queued', 'c queued', 'd queued', 'a running', 'c running']);
});

it('that is released while a job is still stopping begins it again', async () => {
  const { queue, jobs, told } = queueOf(1, 'a');
  queue.add(jobs[0]!);
  queue.hold(() => true);
  queue.hold(() => true);
  queue.release();
  await settled();
  expect(told()).toEqual(['a running', 'a paused', 'a paused', 'a queued', 'a running']);
});

it('does a failed job once more if its owner says so, later if it is held meanwhile', async () => {
  const { queue, owner, jobs, told } = queueOf(1, 'a');
  owner.retries = 2;
  queue.add(jobs[0]!);
  jobs[0]!.fail?.(new Error('one'));
  await settled();
  queue.hold(() => false);
  jobs[0]!.fail?.(new Error('two'));
  await settled();
  queue.release();
  jobs[0]!.fail?.(new Error('three'));
  await settled();
  expect(told()).toEqual([
    'a running',
    'a failed: one',
    'a queued',
    'a running',
    'a failed: two',
    'a paused',
    'a queued',
    'a running',
    'a failed: three',
  ]);
  expect(queue.has(jobs[0]!)).toBe(false);
});

it('lets no job overtake one that has no room', async () => {
  const { queue, owner, jobs } = queueOf(3, 'a', 'b', 'c');
  owner.room = 1;
  for (const job of jobs) queue.add(job);
  expect(names(queue.running)).toEqual(['a']);
  owner.room = 2;
  queue.beginNext();
  expect(names(queue.running)).toEqual(['a', 'b']);
});
