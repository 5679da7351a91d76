import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JobStatus } from '../../farm/src/index.js';
import type { JobProgress } from '../../farm/src/queue/job.js';
import { ProgressOfJob } from '../../farm/src/worker/held-job.js';
import type { ProgressEvent } from '../../sdk/api/progress.js';
import { PippinError } from '../../sdk/base/errors.js';
import { useScriptedFarm } from '../support/scripted-farm.js';

const moved = (phase: string, done: number, total = 100) =>
  ({ kind: 'progress', phase, done, total }) as Extract<ProgressEvent, { kind: 'progress' }>;

describe('the progress of a job', () => {
  it('is one scale over loading and proving', () => {
    const told: JobProgress[] = [];
    const progress = new ProgressOfJob(0, (each) => told.push(each));
    progress.onLoad();
    progress.onLoadProgress(moved('read', 50));
    progress.onLoadProgress(moved('upload', 100));
    progress.onProveProgress(moved('witness', 0));
    progress.onProveProgress(moved('msm', 50));
    progress.onProveProgress(moved('combine', 100));
    expect(told).toEqual([
      { progress: 0, phase: 'load' },
      { progress: 0.25, phase: 'load' },
      { progress: 0.5, phase: 'load' },
      { progress: 0.5, phase: 'witness' },
      { progress: 0.75, phase: 'msm' },
      { progress: 1, phase: 'combine' },
    ]);
  });

  it('never falls, whatever tries there were and whatever they told', () => {
    const event = fc.record({ done: fc.nat(100), isLoading: fc.boolean() });
    const tries = fc.array(fc.record({ loads: fc.boolean(), events: fc.array(event) }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(tries, (all) => {
        const told: number[] = [0];
        for (const { loads, events } of all) {
          const progress = new ProgressOfJob(told.at(-1)!, (each) => told.push(each.progress));
          if (loads) progress.onLoad();
          for (const { done, isLoading } of events) {
            if (isLoading && loads) progress.onLoadProgress(moved('read', done));
            else progress.onProveProgress(moved('msm', done));
          }
        }
        expect(told).toEqual([...told].sort((a, b) => a - b));
        expect(told.at(-1)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('the status of a job', () => {
  const used = useScriptedFarm();

  const until = async (id: string, isThere: (status: JobStatus) => boolean): Promise<JobStatus> => {
    await expect.poll(async () => isThere((await used.farm.queue.status(id))!)).toBe(true);
    return (await used.farm.queue.status(id))!;
  };

  it('tells how its key is loaded and how it is proved, and has no phase at the end', async () => {
    let [endLoad, endProof] = [() => {}, () => {}];
    used.farm.provers.load = async (_, onProgress) => {
      await until('a.one', ({ phase }) => phase === 'load');
      onProgress(moved('upload', 80));
      await new Promise<void>((resolve) => (endLoad = resolve));
    };
    used.farm.provers.prove = async (_, __, onProgress) => {
      onProgress(moved('combine', 60));
      await new Promise<void>((resolve) => (endProof = resolve));
      return ['1'];
    };
    await used.farm.startWorker();
    const id = await used.farm.submit('1', { id: 'one' });
    expect(await until(id, ({ progress }) => progress > 0)).toMatchObject({ progress: 0.4, phase: 'load' });
    endLoad();
    expect(await until(id, ({ phase }) => phase === 'combine')).toMatchObject({ progress: 0.8, state: 'proving' });
    endProof();
    const last = await until(id, ({ state }) => state === 'proved');
    expect(last.progress).toBe(1);
    expect(last).not.toHaveProperty('phase');
  });

  it('does not fall and has no phase when a try has failed', async () => {
    let fail = (): void => {};
    used.farm.provers.prove = async (_, __, onProgress) => {
      used.farm.provers.prove = async () => {
        onProgress(moved('read', 1));
        await new Promise<void>((resolve) => (fail = resolve));
        throw new PippinError('WITNESS_REJECTED', 'the circuit rejects it');
      };
      onProgress(moved('msm', 90));
      await until('a.one', ({ phase }) => phase === 'msm');
      throw new PippinError('DEVICE_LOST', 'the device is gone');
    };
    await used.farm.startWorker();
    const id = await used.farm.submit('1', { id: 'one' });
    const delayed = await until(id, ({ state }) => state === 'delayed');
    expect(delayed.progress).toBeGreaterThanOrEqual(0.9);
    expect(delayed).not.toHaveProperty('phase');
    const again = await until(id, ({ phase, attempts }) => attempts === 2 && phase !== undefined);
    expect(again.progress).toBe(delayed.progress);
    await expect.poll(() => fail !== undefined && used.farm.provers.order.length).toBe(2);
    fail();
    const failed = await until(id, ({ state }) => state === 'failed');
    expect(failed.progress).toBe(delayed.progress);
    expect(failed).not.toHaveProperty('phase');
  });
});
