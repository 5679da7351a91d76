import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CONTESTANTS } from '../../examples/benchmark/src/contestants.js';
import { driftInWords, driftOf, median } from '../../examples/benchmark/src/drift.js';
import {
  circuitOf,
  FileFault,
  fileSize,
  missingFiles,
  type OwnFiles,
  withFile,
} from '../../examples/benchmark/src/own/own-files.js';
import type { Run } from '../../examples/benchmark/src/results.js';
import { fragmentOf, holdsRun, runOf } from '../../examples/benchmark/src/share.js';
import { root } from '../support/root.js';

/**
 * What the benchmark page makes of a visitor's files and of shared links. `npm run test:pages` drops files on the page
 * itself.
 */

const keyFile = (name: string) =>
  new File([readFileSync(`${root}/examples/groth16-commitment/key/${name}`)], name, { lastModified: 0 });
const text = (contents: string, name = 'input.json') => new File([contents], name);

async function withFiles(...files: File[]): Promise<OwnFiles> {
  let all: OwnFiles = {};
  for (const file of files) all = await withFile(all, file);
  return all;
}

describe('a visitor’s files', () => {
  test('are told apart by their contents, in any order and under any name', async () => {
    const renamed = new File([await keyFile('note.zkey').arrayBuffer()], 'download (1)');
    const files = await withFiles(keyFile('input.json'), renamed, keyFile('note.wasm'));
    expect(missingFiles(files)).toBeUndefined();
    const circuit = circuitOf(files);
    expect(circuit).toMatchObject({ name: 'download (1)', zkey: renamed });
    expect(circuit?.work).toMatchObject({ inputs: { amount: expect.any(String) } });
  });

  test('a witness stands for circuit and inputs, which come first where there are both', async () => {
    const witness = text('wtns and more', 'a.wtns');
    const files = await withFiles(keyFile('note.zkey'), witness);
    expect(missingFiles(files)).toBeUndefined();
    expect(circuitOf(files)).toMatchObject({ name: 'note', work: { witness } });
    const all = await withFiles(keyFile('note.zkey'), witness, keyFile('note.wasm'), text('{"a":"1"}'));
    expect(circuitOf(all)?.work).toMatchObject({ inputs: { a: '1' } });
  });

  test('one of the same kind takes the place of the one before', async () => {
    const files = await withFiles(text('{"a":"1"}', 'old.json'), text('{"a":"2"}', 'new.json'));
    expect(files.inputs).toMatchObject({ file: { name: 'new.json' }, values: { a: '2' } });
  });

  test('what is missing is named, and there is no circuit before', async () => {
    expect(missingFiles({})).toBe(
      'Still missing: the proving key (.zkey), the circuit’s WASM (.wasm), its inputs (input.json).',
    );
    const files = await withFiles(keyFile('note.zkey'), text('{}'));
    expect(missingFiles(files)).toBe('Still missing: the circuit’s WASM (.wasm).');
    expect(circuitOf(files)).toBeUndefined();
    expect(circuitOf(await withFiles(text('wtns', 'a.wtns')))).toBeUndefined();
  });

  test.each([
    ['a picture', text('\u0001\u0002\u0003\u0004', 'holiday.jpg'), /holiday\.jpg is not a file that this page knows/],
    ['an empty file', text('', 'note.zkey'), /note\.zkey is empty/],
    ['three bytes', text('zke', 'note.zkey'), /is not a file that this page knows/],
    ['a broken JSON file', text('{"secret": 42'), /^input\.json is not JSON/],
    ['an array', text('[1]'), /not an object/],
    ['null', text('null'), /not an object/],
    ['a verification key', keyFile('note.vkey.json'), /is a verification key/],
    ['a number that JavaScript rounds', text('{"a": [[1], {"b": 12345678901234567890}]}'), /beyond 2\^53/],
    ['a fraction', text('{"a": 1.5}'), /is not an integer/],
  ])('%s is refused in a sentence that shows none of its contents', async (_, file, expected) => {
    const failure = await withFile({}, file).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(FileFault);
    expect((failure as Error).message).toMatch(expected);
    expect((failure as Error).message).not.toMatch(/secret|42/);
  });

  test('sizes are said with three digits', () => {
    expect([0, 999, 1000, 999_499, 999_500, 3_346_265, 2_000_000_000].map(fileSize)).toEqual([
      '0 B',
      '999 B',
      '1 kB',
      '999 kB',
      '1 MB',
      '3.35 MB',
      '2 GB',
    ]);
  });
});

describe('the drift of proofs that follow each other', () => {
  test('compares the medians of the first and the last third, if there are nine or more', () => {
    expect(driftOf([])).toBeUndefined();
    expect(driftOf([1, 2, 3, 4, 5, 6, 7, 8])).toBeUndefined();
    expect(driftOf([10, 900, 11, 0, 0, 0, 20, 22, 1])).toEqual({ early: 11, late: 20 });
    expect(driftOf([1, 2, 3, 0, 0, 0, 0, 4, 6, 5])).toEqual({ early: 2, late: 5 });
  });

  test('is told as slower, faster or the same', () => {
    expect(driftInWords({ early: 100, late: 130 })).toMatch(/took 30 % longer.*slows down/);
    expect(driftInWords({ early: 100, late: 80 })).toMatch(/took 20 % less/);
    expect(driftInWords({ early: 100, late: 104 })).toMatch(/holds its speed/);
  });

  test('a median leaves its times as they are', () => {
    const times = [3, 1, 2, 10];
    expect(median(times)).toBe(2.5);
    expect(times).toEqual([3, 1, 2, 10]);
  });
});

describe('a shared link', () => {
  const result = (id: (typeof CONTESTANTS)[number]['id'], laterMs: number[]) => ({
    log: 13,
    constraints: 8192,
    contestant: id,
    executor: '4 workers',
    openMs: 12.34,
    loadMs: 200,
    firstMs: 1000.06,
    laterMs,
    timeline: [],
  });
  const run: Run = {
    format: 'pippin-benchmark',
    version: 1,
    date: '2026-11-25T12:00:00.000Z',
    device: { userAgent: 'Mozilla/5.0 (a phone)', threads: 8, gigabytes: 4 },
    protocol: 'fflonk',
    circuit: { name: 'нота 🍎', keyBytes: 3_346_265, domainSize: 8192, variables: 5664, publicSignals: 3 },
    results: [
      { ...result('workers', [900.04, 950]), memory: { source: 'prover', bytes: 8_388_608 } },
      { ...result('one', []), memory: { source: 'page', bytes: 1 } },
      result('snarkjs', []),
    ],
    products: { points: 16_384, ms: { limbs: 10.2, unrolled: 4, words: 5.1 } },
    skipped: [{ log: 0, contestant: 'webgpu', reason: 'no WebGPU' }],
    unfinished: { log: 0 },
  };

  test('gives the run back, with times in tenths and without what does not belong to it', () => {
    const fragment = fragmentOf(run);
    expect(holdsRun(fragment)).toBe(true);
    expect(fragment).toMatch(/^#run=[\w-]+$/);
    const { unfinished: _, ...rest } = run;
    expect(runOf(fragment)).toEqual({
      ...rest,
      skipped: [],
      results: [
        { ...run.results[0], openMs: 12.3, firstMs: 1000.1, laterMs: [900, 950] },
        { ...run.results[1], openMs: 12.3, firstMs: 1000.1 },
        { ...run.results[2], openMs: 12.3, firstMs: 1000.1 },
      ],
    });
  });

  test('a hundred proofs of each contestant fit into a link', () => {
    const laterMs = Array.from({ length: 100 }, (_, i) => 12_345.6 + i);
    const long = { ...run, results: CONTESTANTS.map(({ id }) => result(id, laterMs)) };
    const fragment = fragmentOf(long);
    expect(fragment.length).toBeLessThan(8000);
    expect(runOf(fragment)?.results).toHaveLength(4);
  });

  test('holds no timeline, so that nothing of a proof but its times leaves the page', () => {
    const span = { phase: 'msm', executor: 'wasm', start: 0, end: 1 } as const;
    const withTimeline = { ...run, results: [{ ...run.results[0]!, timeline: [span] }] };
    expect(runOf(fragmentOf(withTimeline))?.results[0]?.timeline).toEqual([]);
  });

  /** A link that somebody has written: the run's with other members of it, of its device and of its only result. */
  const forged = (members: object, ofResult: object = {}, ofDevice: object = {}) => {
    const { openMs, loadMs, firstMs, laterMs: later, timeline: _, ...rest } = run.results[0]!;
    const results = [{ ...rest, ms: [openMs, loadMs, firstMs], later, ...ofResult }];
    const value = { v: 1, date: run.date, device: { ...run.device, ...ofDevice }, results, ...members };
    return `#run=${Buffer.from(JSON.stringify(value)).toString('base64url')}`;
  };

  test.each<[string, ...Parameters<typeof forged>]>([
    ['another version', { v: 2 }],
    ['no date', { date: 'yesterday' }],
    ['no results', { results: undefined }],
    ['results that are no list', { results: { length: 1 } }],
    ['too many results', { results: Array(65).fill(null) }],
    ['a circuit without a name', { circuit: {} }],
    ['an unknown proof system', { protocol: 'stark' }],
    ['an unknown contestant', {}, { contestant: '__proto__' }],
    ['a negative time', {}, { later: [-1] }],
    ['a time that is text', {}, { ms: ['<b>', 1, 1] }],
    ['two times', {}, { ms: [1, 1] }],
    ['memory that nobody measured', {}, { memory: { source: 'guess', bytes: 1 } }],
    ['memory that is text', {}, { memory: { source: 'page', bytes: '1 GB' } }],
    ['too many later proofs', {}, { later: Array(1001).fill(1) }],
    ['a size that no one proves', {}, { log: 1000 }],
    ['too long a text', {}, {}, { userAgent: 'a'.repeat(401) }],
    ['a number of threads that is none', {}, {}, { threads: null }],
    ['an unknown kind of products', { products: { points: 1024, ms: { constructor: 1 } } }],
    ['a time of products that is text', { products: { points: 1024, ms: { words: '1' } } }],
    ['products at no size', { products: { points: 0, ms: { words: 1 } } }],
  ])('%s is no run', (_, ...changes) => {
    expect(runOf(forged(...changes))).toBeUndefined();
    expect(runOf(forged({}))?.results).toHaveLength(1);
  });

  test('one that was cut off, or is anything else, is no run and no exception', () => {
    const whole = fragmentOf(run);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.string(), (length, junk) => {
        expect(runOf(whole.slice(0, length))).toBeUndefined();
        expect(runOf(`#run=${junk}`)).toBeUndefined();
      }),
    );
    expect(holdsRun('#elsewhere')).toBe(false);
    expect(runOf('#elsewhere')).toBeUndefined();
    expect(runOf(`#run=${'A'.repeat(64_000)}`)).toBeUndefined();
  });
});
