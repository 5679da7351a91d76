import { describe, expect, test, vi } from 'vitest';
import { type Measurer, memoryInWords, memoryOf } from '../../examples/benchmark/src/memory.js';

/** Which memory the benchmark page shows. `npm run test:pages` has it measured in Chromium. */

const report = { memory: { workers: 2_000_000, gpu: 500_000 } };
const running = new AbortController().signal;
const byProver = { source: 'prover', bytes: 2_500_000 };
const measures = async () => ({ bytes: 7_000_000 });
const browser = (members: Partial<Measurer>): Measurer => ({ isIsolated: true, measure: measures, ...members });

describe('the memory of a contestant', () => {
  test('is what the browser measures of an isolated page', async () => {
    expect(await memoryOf(report, running, browser({}))).toEqual({ source: 'page', bytes: 7_000_000 });
    expect(await memoryOf(undefined, running, browser({}))).toEqual({ source: 'page', bytes: 7_000_000 });
  });

  test.each<[string, Partial<Measurer>]>([
    ['is not isolated', { isIsolated: false }],
    ['has no such function', { measure: undefined }],
    ['refuses', { measure: () => Promise.reject(new DOMException('no', 'SecurityError')) }],
    ['does not answer', { measure: () => new Promise(() => undefined) }],
  ])('is the prover’s own count where the browser %s, and unknown for others', async (_, members) => {
    expect(await memoryOf(report, running, browser(members), 1)).toEqual(byProver);
    expect(await memoryOf({}, running, browser(members), 1)).toBeUndefined();
    expect(await memoryOf(undefined, running, browser(members), 1)).toBeUndefined();
  });

  test('is the prover’s own count once the run is stopped', async () => {
    const measure = () => new Promise<never>(() => undefined);
    expect(await memoryOf(report, AbortSignal.abort(), browser({ measure }))).toEqual(byProver);
    const abort = new AbortController();
    const asked = memoryOf(report, abort.signal, browser({ measure }));
    abort.abort();
    expect(await asked).toEqual(byProver);
  });

  test('is not asked of a browser that would refuse', async () => {
    const measure = vi.fn(measures);
    await memoryOf(report, running, browser({ isIsolated: false, measure }));
    expect(measure).not.toHaveBeenCalled();
  });

  test('says in words who measured it', () => {
    expect(memoryInWords({ source: 'page', bytes: 7_000_000 })).toBe(
      '7 MB of the page by the browser’s measure, without WebAssembly’s memory',
    );
    expect(memoryInWords({ source: 'prover', bytes: 2_500_000 })).toBe(
      '2.5 MB at most held by the prover, by its own count',
    );
    expect(memoryInWords(undefined)).toBe('not told by this browser');
  });
});
