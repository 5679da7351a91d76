import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, bytesToBigint } from '../../sdk/base/bytes.js';
import { bn254, CURVES, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { calculateWitness } from '../../sdk/files/witness/witness-calculator.js';
import { circuitFile, MAKING_TIMEOUT, snarkjsWitness, testCircuit, witnessWasm } from '../support/circuits.js';
import { built } from '../support/in-process-engine.js';
import { MarkFinder } from '../support/mark-finder.js';
import { randomPoints } from '../support/msm-reference.js';
import { encodePoints, encodeScalars } from '../support/points.js';
import { canReadMemory, countInMemory, type Mark, marksOf, NODES } from '../support/process-memory.js';
import { Random } from '../support/random.js';
import { root } from '../support/root.js';
import { patched, withSection } from '../support/section-bytes.js';
import { UNIVERSAL_SYSTEMS } from '../support/universal-systems.js';

const r = bn254.fr.modulus;
const POINTS = 600;
/** Of the polynomial that is committed to. */
const COEFFICIENTS = 32;
const random = new Random(53);
const INPUTS = { start: random.below(r), factor: random.below(r), offset: 31n };
const SCALARS = Array.from({ length: 2 * POINTS }, () => random.below(r));

let folder: string;
/** Private values of the witness that the circuit computes, and the inputs. */
let ofWitness: Mark[];
const ofInputs = marksOf('input', INPUTS.start, r);
const ofScalars = [0, 5, POINTS - 1, POINTS + 7].flatMap((i) => marksOf(`scalar ${i}`, SCALARS[i]!, r));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pippin-secrets-'));
  const write = (name: string, bytes: Uint8Array | string): void => writeFileSync(join(folder, name), bytes);
  const circuit = await testCircuit('chain');
  const witness = await calculateWitness(await witnessWasm('chain'), INPUTS, 'bn254');
  const [start, factor] = [INPUTS.start, INPUTS.factor].map(String);
  const wtns = await snarkjsWitness({ ...circuit, inputs: { ...INPUTS, start: start!, factor: factor! } });
  const valueAt = (i: number): bigint => bytesToBigint(witness, i * SCALAR_BYTES, SCALAR_BYTES);
  const last = witness.length / SCALAR_BYTES - 1;
  ofWitness = [last, last - 9].flatMap((i) => marksOf(`signal ${i}`, valueAt(i), r));
  const changed = (i: number, value: bigint): Uint8Array =>
    withSection(wtns, 2, (values) => patched(values, i * SCALAR_BYTES, bigintToBytes(value, SCALAR_BYTES)));
  const { points } = randomPoints('bn254', POINTS, random);
  write('key.zkey', circuit.zkey);
  for (const { protocol, circuitOf } of UNIVERSAL_SYSTEMS) {
    write(`key.${protocol}.zkey`, (await circuitOf('chain')).zkey);
  }
  write('powers.ptau', readFileSync(await circuitFile('pot5.ptau')));
  write('polynomial.bin', encodeScalars(SCALARS.slice(0, COEFFICIENTS)));
  write('circuit.wasm', circuit.wasm);
  write('witness.wtns', wtns);
  write('wrong.wtns', changed(5, valueAt(5) + 1n));
  write('refused.wtns', changed(5, r));
  write('inputs.json', JSON.stringify({ ...INPUTS, start, factor, offset: String(INPUTS.offset) }));
  write('points.bin', encodePoints(CURVES.bn254, points));
  write('scalars.bin', encodeScalars(SCALARS.slice(0, POINTS)));
  write('batch.bin', encodeScalars(SCALARS));
}, MAKING_TIMEOUT);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([7, 16, 40])(
  'marks are found wherever they begin, and one behind another, beside one of %i bytes',
  (length) => {
    const other = { name: 'other', bytes: bigintToBytes(random.below(1n << BigInt(8 * length)), length) };
    const marks = [...marksOf('one', random.below(r), r), other, ...marksOf('another', random.below(r), r)];
    const finder = new MarkFinder(marks);
    for (let from = 0; from < 40; from++) {
      const bytes = new Uint8Array(4096).fill(7);
      const expected: [name: string, from: number][] = [];
      let at = from;
      for (const mark of marks) {
        bytes.set(mark.bytes, at);
        expected.push([mark.name, at]);
        at += mark.bytes.length;
      }
      // One that ends behind the bytes is none.
      bytes.set(marks[0]!.bytes.subarray(0, 31), bytes.length - 31);
      const found: [name: string, from: number][] = [];
      finder.find(bytes, ({ name }, place) => found.push([name, place]));
      expect(found.sort(([, a], [, b]) => a - b)).toEqual(expected);
    }
  },
);

describe.runIf(canReadMemory()).each(NODES)('the memory of a process that proves in %s', (execPath) => {
  let child: ChildProcess | undefined;
  beforeAll(start);
  afterAll(() => void child?.kill('SIGKILL'));

  async function start(): Promise<void> {
    const script = join(root, 'tests', 'support', 'proving-process.mjs');
    child?.kill('SIGKILL');
    child = fork(script, [built('node.js'), folder], { execPath, execArgv: [] });
    await once(child, 'message');
  }

  /** Lets the process do something, and gives the code of the error with which it fails. */
  async function act(name: string): Promise<string | undefined> {
    const answer = once(child!, 'message') as Promise<[{ code?: string }]>;
    child!.send(name);
    return (await answer)[0].code;
  }

  const count = (marks: readonly Mark[]): Record<string, number> => countInMemory(child!.pid!, marks);
  const found = (): Record<string, number> => count([...ofWitness, ...ofInputs, ...ofScalars]);

  it.each([
    ['prove', undefined],
    ['prove in vain', 'PROOF_INVALID'],
    ['prove with a refused witness', 'INVALID_SCALAR'],
    ['prove, aborted at once', 'ABORTED'],
    ['prove, aborted later', 'ABORTED'],
    ['msm', undefined],
    ['msm of Montgomery scalars', undefined],
    ['msm, aborted', 'ABORTED'],
    ['msmBatch', undefined],
    ...['plonk', 'fflonk'].flatMap((protocol): [string, string | undefined][] => [
      [protocol, undefined],
      [`${protocol} of constant work`, undefined],
      [`${protocol} in vain`, 'PROOF_INVALID'],
      [`${protocol}, aborted at once`, 'ABORTED'],
      [`${protocol}, aborted later`, 'ABORTED'],
    ]),
    ['KZG commitment', undefined],
    ['KZG opening', undefined],
    ['KZG opening, aborted', 'ABORTED'],
  ])('holds no secret after: %s', async (action, code) => {
    expect(await act(action)).toBe(code);
    // An aborted call is answered at once, and what it was doing ends a little later.
    await expect.poll(() => found()).toEqual({});
  });

  it('holds what the caller keeps', async () => {
    await act('hold scalars');
    expect(Object.keys(found())).toEqual([
      'scalar 0, canonical',
      'scalar 5, canonical',
      `scalar ${POINTS - 1}, canonical`,
    ]);
    await act('let scalars go');
    expect(found()).toEqual({});
  });

  it('holds no secret when the prover is disposed in the middle of a proof', async () => {
    expect(await act('prove, disposed')).toBe('DISPOSED');
    expect(found()).toEqual({});
  });

  describe('after inputs', () => {
    beforeAll(start);

    // The inputs themselves are the caller's, and pass through strings and messages that nobody can overwrite.
    it.each([
      ['fullProve', undefined],
      ['fullProve, aborted', 'ABORTED'],
    ])('holds no value that the circuit has computed after: %s', async (action, code) => {
      expect(await act(action)).toBe(code);
      await expect.poll(() => count(ofWitness)).toEqual({});
    });
  });
});
