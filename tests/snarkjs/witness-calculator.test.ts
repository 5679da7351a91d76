import * as snarkjs from 'snarkjs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CircuitInputs } from '../../sdk/api.js';
import { bn254 } from '../../sdk/curves/index.js';
import { bytesToBigint } from '../../sdk/field/bytes.js';
import { calculateWitness } from '../../sdk/snarkjs/witness-calculator.js';
import { CIRCUIT_NAMES, MAKING_TIMEOUT, snarkjsWitness, testCircuit, witnessWasm } from '../support/circuits.js';
import { edgeValues } from '../support/random.js';
import { failureOf, sectionsOf } from '../support/section-bytes.js';

const r = bn254.fr.modulus;
const valuesOf = (witness: Uint8Array): bigint[] =>
  Array.from({ length: witness.length / 32 }, (_, i) => bytesToBigint(witness, 32 * i, 32));

const calculate = (module: WebAssembly.Module, inputs: CircuitInputs): Promise<Uint8Array> =>
  calculateWitness(module, inputs, 'bn254');

beforeAll(async () => {
  await testCircuit('chain');
}, MAKING_TIMEOUT);

describe('calculateWitness', () => {
  it.each(CIRCUIT_NAMES)('computes what snarkjs computes for %s', async (name) => {
    const circuit = await testCircuit(name);
    const expected = sectionsOf(await snarkjsWitness(circuit))[1]![1];
    expect(await calculate(await witnessWasm(name), circuit.inputs)).toEqual(expected);
  });

  it('is right at the edges of the field', async () => {
    const module = await witnessWasm('chain');
    const { wasm } = await testCircuit('chain');
    const edges = edgeValues(r);
    for (let i = 0; i + 2 < edges.length; i += 5) {
      const inputs = { start: edges[i]!, factor: edges[i + 1]!, offset: edges[i + 2]! };
      const file: { type: 'mem'; data?: Uint8Array } = { type: 'mem' };
      await snarkjs.wtns.calculate(inputs, wasm, file);
      expect(await calculate(module, inputs)).toEqual(sectionsOf(file.data!)[1]![1]);
    }
  });

  it('can be called again on the same module', async () => {
    const module = await witnessWasm('matrix');
    const { inputs } = await testCircuit('matrix');
    const results = await Promise.all([1, 2, 3].map(() => calculate(module, inputs)));
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });

  it('runs a circuit without inputs that logs', async () => {
    expect(valuesOf(await calculate(await witnessWasm('constant'), {}))).toEqual([1n, 42n]);
  });

  it('takes buses by their fields, as lists, or by the names of their signals', async () => {
    const module = await witnessWasm('bus');
    const forms: CircuitInputs[] = [
      {
        origin: { x: 1, y: 2 },
        points: [
          { x: 4, y: 6 },
          { x: 1, y: 2 },
        ],
      },
      {
        origin: [1, 2],
        points: [
          [4, 6],
          [1, 2],
        ],
      },
      { 'origin.x': 1, 'origin.y': 2, 'points[0].x': 4, 'points[0].y': 6, 'points[1].x': 1, 'points[1].y': 2 },
    ];
    for (const inputs of forms) {
      expect(valuesOf(await calculate(module, inputs)).slice(0, 3)).toEqual([1n, 25n, 0n]);
    }
  });
});

describe('inputs that do not fit', () => {
  let chain: WebAssembly.Module;
  let flags: WebAssembly.Module;
  beforeAll(async () => {
    chain = await witnessWasm('chain');
    flags = await witnessWasm('flags');
  });

  it.each([
    ['none', {}, 'expected 3 input values in all, got 0 (none)'],
    ['one missing', { start: 1, offset: 2 }, 'expected 3 input values in all, got 2 (start: 1, offset: 1)'],
    ['one unknown', { start: 1, factor: 2, offset: 3, colour: 4 }, 'got colour, which it does not have'],
    ['one unknown in place of another', { start: 1, factor: 2, Offset: 3 }, 'got Offset, which it does not have'],
    ['an output', { start: 1, factor: 2, offset: 3, out: 3 }, 'got out, which it does not have'],
    ['too many values', { start: [1, 2], factor: 2, offset: 3 }, 'expected 1 values for start, got 2'],
    ['too few values', { start: [], factor: 2, offset: 3 }, 'expected 1 values for start, got 0'],
    ['a field of no bus', { start: { x: 1 }, factor: 2, offset: 3 }, 'got start.x, which it does not have'],
    ['a value that is not below r', { start: r, factor: 2, offset: 3 }, 'expected start from 0 to r - 1'],
    ['a value that is no integer', { start: 'one', factor: 2, offset: 3 }, 'expected start as an integer'],
  ])('%s', async (_, inputs, expected) => {
    const { code, message } = await failureOf(() => calculate(chain, inputs as CircuitInputs));
    expect(code).toBe('INVALID_INPUT');
    expect(message).toContain(expected);
  });

  it('tells the template and line of the constraint that they break', async () => {
    const { code, message } = await failureOf(() => calculate(flags, { values: [1, 2, 65536, 0, 0, 0], bound: 9 }));
    expect(code).toBe('WITNESS_REJECTED');
    expect(message).toMatch(
      /an assertion failed \(Error in template Num2Bits_\d+ line: \d+; Error in template Flags_\d+ line: 17\)/,
    );
  });

  it('tells the line of an assert', async () => {
    const { code, message } = await failureOf(() => calculate(flags, { values: [1, 2, 3, 0, 0, 0], bound: 65536 }));
    expect(code).toBe('WITNESS_REJECTED');
    expect(message).toMatch(/Flags_\d+ line: 23/);
  });

  it('leave nothing behind', async () => {
    const { inputs } = await testCircuit('flags');
    const before = await calculate(flags, inputs);
    await failureOf(() => calculate(flags, { values: [1, 2, 65536, 0, 0, 0], bound: 9 }));
    expect(await calculate(flags, inputs)).toEqual(before);
  });
});

describe('modules that do not fit', () => {
  it('are refused by their field', async () => {
    const module = await witnessWasm('bls12381/chain');
    expect(await failureOf(() => calculate(module, { start: 1, factor: 2, offset: 3 }))).toMatchObject({
      code: 'CURVE_MISMATCH',
      message: expect.stringContaining("BLS12-381's scalar field"),
    });
  });

  it.each([
    ['an empty module', [], 'a module without getVersion'],
    // What circom 1 made imports its memory: (import "env" "memory" (memory 1)).
    [
      'one that imports a memory',
      [2, 15, 1, 3, 101, 110, 118, 6, 109, 101, 109, 111, 114, 121, 2, 0, 1],
      'another kind',
    ],
  ])("are refused when they are not circom 2's: %s", async (_, sections, expected) => {
    const module = await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, ...sections]));
    const { code, message } = await failureOf(() => calculate(module, {}));
    expect(code).toBe('UNSUPPORTED_FORMAT');
    expect(message).toContain(expected);
  });
});
