import { beforeEach, describe, expect, it } from 'vitest';
import { CallProgress, PLANS, PROGRESS_TOTAL } from '../../sdk/engine/call-progress.js';

let told: [phase: string, done: number][];
let progress: CallProgress;
beforeEach(() => {
  told = [];
  progress = new CallProgress([{ read: 20 }, { transform: 20, msm: 50 }, { verify: 10 }], (phase, done) =>
    told.push([phase, done]),
  );
});

describe('the plans', () => {
  it.each(Object.entries(PLANS))('add up to the total: %s', (_, plan) => {
    const shares = plan.flatMap((step) => Object.values(step) as number[]);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBe(PROGRESS_TOTAL);
  });
});

describe('the progress of a call', () => {
  it('tells a phase when it begins, and counts it when it ends', () => {
    progress.begin('read');
    progress.end('read');
    progress.begin('verify');
    progress.end('verify');
    progress.finish();
    expect(told).toEqual([
      ['read', 0],
      ['read', 20],
      ['verify', 90],
      ['verify', 100],
    ]);
  });

  it('follows the meters by their weights', () => {
    progress.begin('msm');
    const [heavy, light] = [progress.meter('msm', 4), progress.meter('msm', 1)];
    light(1);
    heavy(0.5);
    heavy(0.25);
    heavy(2);
    expect(told.map(([, done]) => done)).toEqual([20, 30, 50, 70]);
  });

  it('is told once a unit, and to its end', () => {
    progress.begin('msm');
    const meter = progress.meter('msm', 1);
    for (let i = 1; i <= 1000; i++) meter(i / 1000);
    progress.end('msm');
    progress.finish();
    expect(told.length).toBeLessThan(55);
    const units = told.map(([, done]) => Math.floor(done));
    expect(new Set(units).size).toBe(units.length);
    expect([units[0], units.at(-1)]).toEqual([20, 100]);
  });

  it('tells the phase that runs, not one that has ended', () => {
    progress.begin('transform');
    const transform = progress.meter('transform', 1);
    const msm = progress.meter('msm', 1);
    progress.begin('msm');
    transform(1);
    progress.end('transform');
    expect(told.at(-1)).toEqual(['msm', 40]);
    progress.end('msm');
    // A sum that waits for the GPU has no span.
    expect(told.at(-1)).toEqual(['msm', 40]);
    msm(1);
    expect(told.at(-1)).toEqual(['msm', 90]);
  });

  it('never falls when work is done again or found to be more', () => {
    progress.begin('msm');
    progress.meter('msm', 1)(0.8);
    const again = progress.meter('msm', 3);
    again(0.1);
    progress.begin('read');
    progress.end('read');
    expect(Math.max(...told.map(([, done]) => done))).toBe(told.at(-1)![1]);
    expect(told.at(-1)![1]).toBe(60);
  });

  it('tells phases that are in no plan, without counting them', () => {
    progress.begin('tune');
    progress.end('tune');
    expect(told).toEqual([['tune', 0]]);
  });

  it('says nothing of a call in which nothing began', () => {
    progress.finish();
    expect(told).toEqual([]);
  });
});
