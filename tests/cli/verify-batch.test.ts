import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Line, linesText, readLines } from '../../sdk/cli/commands/verify.js';
import { MAKING_TIMEOUT, plonkCircuit, snarkjsPlonkProof, snarkjsProof, testCircuit } from '../support/circuits.js';
import { expectError, expectFailure, pippin, runHere, runPippin } from '../support/cli.js';
import { endSnarkjs } from '../support/example.js';

let folder: string;
const at = (name: string): string => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pippin-batch-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('readLines', () => {
  const read = async (text: string): Promise<Line[]> => {
    await writeFile(at('lines'), text);
    const lines: Line[] = [];
    const context = { signal: new AbortController().signal, note: () => undefined };
    for await (const line of readLines(at('lines'), context)) lines.push(line);
    return lines;
  };

  it('gives the lines that are not blank, with their numbers', async () => {
    expect(await read('')).toEqual([]);
    expect(await read('\n \r\n')).toEqual([]);
    expect(await read('a\n\n b\r\n')).toEqual([
      { number: 1, text: 'a' },
      { number: 3, text: ' b\r' },
    ]);
    const long = 'é'.repeat(200_000);
    expect(await read(`${long}\nlast`)).toEqual([
      { number: 1, text: long },
      { number: 2, text: 'last' },
    ]);
  });

  it('ends at a line without an end, at a missing file, and at an abort', async () => {
    await expect(read(`a\n${'x'.repeat(2 ** 22 + 70_000)}`)).rejects.toMatchObject({
      code: 'MALFORMED_FILE',
      message: expect.stringContaining('line 2'),
    });
    const { signal } = new AbortController();
    const note = () => undefined;
    await expect(readLines(at('none'), { signal, note }).next()).rejects.toMatchObject({ code: 'IO_FAILED' });
    await expect(readLines(at('lines'), { signal: AbortSignal.abort(), note }).next()).rejects.toMatchObject({
      code: 'ABORTED',
    });
  });
});

it('tells which lines do not hold, and why', () => {
  const verdict = { valid: true, proofs: 0, failed: [], errors: [] };
  expect(linesText(verdict)).toBe('All 0 proofs hold.');
  expect(linesText({ ...verdict, proofs: 1 })).toBe('The proof holds.');
  expect(linesText({ ...verdict, proofs: 3 })).toBe('All 3 proofs hold.');
  const errors = [{ line: 9, code: 'MALFORMED_FILE', message: 'expected a proof, got 5' }];
  expect(linesText({ valid: false, proofs: 3, failed: [2, 9], errors })).toBe(
    '2 of 3 proofs do not hold:\nline 2\nline 9: MALFORMED_FILE: expected a proof, got 5',
  );
});

it('takes either a proof and its signals, or a file of proofs', async () => {
  const verify = ['verify', '--vkey', 'a'];
  expectError(await runHere([...verify, '--batch', 'b', '--proof', 'c']), 2, 'INVALID_ARGUMENT');
  for (const given of [[], ['--proof', 'c'], ['--public', 'c']]) {
    expectError(await runHere([...verify, ...given]), 2, 'INVALID_ARGUMENT');
  }
});

describe('pippin verify --batch', () => {
  it('verifies the lines of a file and of standard input', { timeout: MAKING_TIMEOUT }, async () => {
    const circuit = await testCircuit('chain');
    const { proof, publicSignals } = await snarkjsProof(circuit);
    await writeFile(at('vkey.json'), JSON.stringify(circuit.verificationKey));
    const good = JSON.stringify({ publicSignals, proof, backend: 'wasm' });
    const wrong = JSON.stringify([publicSignals.with(0, '7'), proof]);
    const verify = ['verify', '--vkey', at('vkey.json'), '--batch'];
    await writeFile(at('good.jsonl'), `${good}\n\n${JSON.stringify([publicSignals, proof])}`);
    expect(await pippin(...verify, at('good.jsonl'))).toMatchObject({
      code: 0,
      stdout: 'All 2 proofs hold.\n',
      errors: [],
    });
    const lines = [good, wrong, '', 'no JSON', good, '{"proof":5}', wrong].join('\n');
    const found = await runPippin([...verify, '-', '--json'], { stdin: lines });
    expect(found).toMatchObject({ code: 1, errors: [] });
    expect(JSON.parse(found.stdout)).toEqual({
      valid: false,
      proofs: 6,
      failed: [2, 4, 6, 7],
      errors: [
        { line: 4, code: 'MALFORMED_FILE', message: 'expected JSON, got other text' },
        { line: 6, code: 'MALFORMED_FILE', message: expect.stringContaining('public signals') },
      ],
    });
    await writeFile(at('empty.jsonl'), '');
    expect(await pippin(...verify, at('empty.jsonl'))).toMatchObject({ code: 0, stdout: 'All 0 proofs hold.\n' });
    await expectFailure(2, 'IO_FAILED', ...verify, at('none.jsonl'));
    await writeFile(at('no-key.json'), '{}');
    await expectFailure(2, 'MALFORMED_FILE', 'verify', '--vkey', at('no-key.json'), '--batch', at('empty.jsonl'));
    await endSnarkjs();
  });

  it('takes the proof system from the key', { timeout: MAKING_TIMEOUT }, async () => {
    const circuit = await plonkCircuit('chain');
    const { proof, publicSignals } = await snarkjsPlonkProof(circuit);
    await writeFile(at('plonk.json'), JSON.stringify(circuit.verificationKey));
    const pair = JSON.stringify([publicSignals, proof]);
    await writeFile(at('plonk.jsonl'), `${pair}\n${JSON.stringify([['1'], proof])}\n`);
    expect(await pippin('verify', '--vkey', at('plonk.json'), '--batch', at('plonk.jsonl'))).toMatchObject({
      code: 1,
      stdout: '1 of 2 proofs do not hold:\nline 2\n',
    });
    await endSnarkjs();
  });
});
