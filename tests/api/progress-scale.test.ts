import { describe, expect, it } from 'vitest';
import type { Phase, ProgressEvent } from '../../sdk/api/progress.js';
import { loadThenProve } from '../../sdk/api/progress-scale.js';

const at = (phase: Phase, done: number): ProgressEvent => ({ kind: 'progress', phase, done, total: 100 });

describe('the scale of loading a key and proving with it', () => {
  it('goes on where loading ended, and up to the total', () => {
    const told: ProgressEvent[] = [];
    const { loading, proving } = loadThenProve(false, (event) => told.push(event));
    for (const done of [0, 50, 100]) loading(at('prepare', done));
    for (const done of [0, 50, 100]) proving(at('msm', done));
    expect(told).toEqual([
      at('prepare', 0),
      at('prepare', 20),
      at('prepare', 40),
      at('msm', 40),
      at('msm', 70),
      at('msm', 100),
    ]);
  });

  it('is all for proving where the key is loaded', () => {
    const told: ProgressEvent[] = [];
    const { proving } = loadThenProve(true, (event) => told.push(event));
    for (const done of [0, 25, 100]) proving(at('msm', done));
    expect(told).toEqual([at('msm', 0), at('msm', 25), at('msm', 100)]);
  });

  it('never falls, and tells the phase of what would', () => {
    const told: ProgressEvent[] = [];
    const { loading, proving } = loadThenProve(false, (event) => told.push(event));
    loading(at('prepare', 50));
    loading(at('distribute', 25));
    proving(at('witness', 50));
    proving(at('read', 25));
    expect(told).toEqual([at('prepare', 20), at('distribute', 20), at('witness', 70), at('read', 70)]);
  });

  it('passes on all other events as they are', () => {
    const notice = { kind: 'notice', notice: { code: 'WEBGPU_READY', message: 'ready' } } as const;
    const bytes = { kind: 'bytes', phase: 'read', done: 5, total: undefined } as const;
    const told: ProgressEvent[] = [];
    const { loading, proving } = loadThenProve(false, (event) => told.push(event));
    loading(bytes);
    proving(notice);
    expect(told[0]).toBe(bytes);
    expect(told[1]).toBe(notice);
  });
});
