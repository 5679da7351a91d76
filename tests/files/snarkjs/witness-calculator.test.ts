import * as snarkjs from 'snarkjs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CircuitInputs } from '../../../sdk/api/index.js';
import { bytesToBigint } from '../../../sdk/base/bytes.js';
import { bn254 } from '../../../sdk/curves/index.js';
import { calculateWitness, type WitnessOptions } from '../../../sdk/files/witness/witness-calculator.js';
import { circom1Module } from '../../support/circom1-module.js';
import { CIRCUIT_NAMES, MAKING_TIMEOUT, snarkjsWitness, testCircuit, witnessWasm } from '../../support/circuits.js';
import { edgeValues } from '../../support/random.js';
import { failureOf, sectionsOf } from '../../support/section-bytes.js';

const r = bn254.fr.modulus;
const valuesOf = (witness: Uint8Array): bigint[] =>
  Array.from({ length: witness.length / 32 }, (_, i) => bytesToBigint(witness, 32 * i, 32));

const calculate = (module: WebAssembly.Module, inputs: CircuitInputs, options?: WitnessOptions): Promise<Uint8Array> =>
  calculateWitness(module, inputs, 'bn254', options);

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

  it('runs a circuit without inputs, and tells what it logs line by line', async () => {
    const lines: string[] = [];
    const witness = await calculate(await witnessWasm('constant'), {}, { onLog: (line) => lines.push(line) });
    expect(valuesOf(witness)).toEqual([1n, 42n]);
    expect(lines).toEqual(['out is 42', '43']);
  });

  it('computes what snarkjs computes from every form of a value, unless inputs are to be strict', async () => {
    const module = await witnessWasm('chain');
    const { wasm } = await testCircuit('chain');
    const values = [-1, -1n, r, r + 1n, `${r}`, 1n << 300n, '-7', '', ' 3 ', '+3', '0X3', '0b11', '0o17', true, false];
    for (const value of [...values, 2 ** 60, [[[5]]], ['0x1F']]) {
      const inputs = { start: value, factor: 2, offset: 3 } as CircuitInputs;
      const file: { type: 'mem'; data?: Uint8Array } = { type: 'mem' };
      await snarkjs.wtns.calculate(inputs, wasm, file);
      expect(await calculate(module, inputs)).toEqual(sectionsOf(file.data!)[1]![1]);
    }
    for (const start of values) {
      const inputs = { start, factor: 2, offset: 3 };
      const { code } = await failureOf(() => calculate(module, inputs, { strictInputs: true }));
      expect(code).toBe('INVALID_INPUT');
    }
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
    [
      'none',
      {},
      'values in all, got 0 (none): missing is an input of 1 value, an input of 1 value, an input of 1 value',
    ],
    ['one missing', { start: 1, offset: 2 }, 'got 2 (start: 1, offset: 1): missing is an input of 1 value'],
    ['one unknown', { start: 1, factor: 2, offset: 3, colour: 4 }, 'got colour, which it does not have'],
    [
      'one misspelt',
      { start: 1, factor: 2, Offset: 3 },
      'got Offset, which it does not have; missing is the input offset (1 value)',
    ],
    ['two with one character wrong', { stat: 1, fcator: 2, offset: 3 }, 'the input start (1 value)'],
    ['two with one character wrong', { stat: 1, fcator: 2, offset: 3 }, 'the input factor (1 value)'],
    ['one that is far from any', { start: 1, factor: 2, shift: 3 }, '; missing is an input of 1 value'],
    ['an output', { start: 1, factor: 2, offset: 3, out: 3 }, 'got out, which it does not have'],
    ['too many values', { start: [1, 2], factor: 2, offset: 3 }, 'expected 1 values for start, got 2'],
    ['too few values', { start: [], factor: 2, offset: 3 }, 'expected 1 values for start, got 0'],
    ['a field of no bus', { start: { x: 1 }, factor: 2, offset: 3 }, 'got start.x, which it does not have'],
    ['a value that is no integer', { start: 'one', factor: 2, offset: 3 }, 'expected start as an integer'],
  ])('%s', async (_, inputs, expected) => {
    const { code, message } = await failureOf(() => calculate(chain, inputs as CircuitInputs));
    expect(code).toBe('INVALID_INPUT');
    expect(message).toContain(expected);
  });

  it('that are missing are named where the caller knows their names', async () => {
    const named = (inputs: CircuitInputs, inputNames: readonly string[]) =>
      failureOf(() => calculateWitness(flags, inputs, 'bn254', { inputNames }));
    expect((await named({ bound: 1 }, ['bound', 'values', 'others'])).message).toBe(
      'expected 7 input values in all, got 1 (bound: 1): missing is the input values (6 values)',
    );
    expect((await named({}, ['bound'])).message).toMatch(
      /the input bound \(1 value\), an input of 6 values|an input of 6 values, the input bound/,
    );
    expect((await named({ bound: 1, valuse: [] }, [])).message).toContain('the input values (6 values)');
  });

  it('that are missing are counted where the circuit has buses, whose parts have names as the whole has', async () => {
    const { message } = await failureOf(async () => calculate(await witnessWasm('bus'), { origin: [1, 2] }));
    expect(message).toBe(
      'expected 6 input values in all, got 2 (origin: 2): missing is an input, or several, of 4 values in all',
    );
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

/** The module with one of its exports renamed, so that it is not found. */
async function withoutExport(bytes: Uint8Array, name: string): Promise<WebAssembly.Module> {
  const at = Buffer.from(bytes).indexOf(name);
  expect(at).toBeGreaterThan(0);
  return WebAssembly.compile(bytes.with(at + name.length - 1, 0x5f) as Uint8Array<ArrayBuffer>);
}

describe('modules of circom before 2.0.4, which cannot tell the size of an input', () => {
  let bytes: Uint8Array;
  let inputs: CircuitInputs;
  let module: WebAssembly.Module;
  beforeAll(async () => {
    ({ wasm: bytes, inputs } = await testCircuit('matrix'));
    module = await withoutExport(bytes, 'getInputSignalSize');
  });

  it('give the same witness', async () => {
    expect(await calculate(module, inputs)).toEqual(await calculate(await witnessWasm('matrix'), inputs));
  });

  it.each([
    ['missing values', { left: [1, 2, 3] }, 'expected 18 input values in all, got 3'],
    [
      'an unknown input',
      { left: Array(9).fill(1), Right: Array(9).fill(1) },
      'it has no such signal, when Right was set',
    ],
    [
      'too many values',
      { left: Array(10).fill(1), right: Array(8).fill(1) },
      'an input has fewer values than were set, when left was set',
    ],
  ])('refuse %s', async (_, wrong, expected) => {
    const { code, message } = await failureOf(() => calculate(module, wrong));
    expect(code).toBe('INVALID_INPUT');
    expect(message).toContain(expected);
  });

  it('need not tell the number of all inputs either, as before 2.0.2', async () => {
    const older = await withoutExport(bytes, 'getInputSize');
    expect(await calculate(older, inputs)).toEqual(await calculate(module, inputs));
  });
});

describe.each(['imported', 'exported'] as const)('a module of circom 1 with an %s memory', (memory) => {
  let module: WebAssembly.Module;
  beforeAll(async () => {
    module = await circom1Module(memory);
  });

  it('computes its witness at the edges of the field and of short numbers', async () => {
    const edges = [...edgeValues(r), 2n ** 31n - 1n, 2n ** 31n, r - 2n ** 31n, r - 2n ** 31n - 1n];
    for (const a of edges) {
      expect(valuesOf(await calculate(module, { a, b: [3, '3'] }))).toEqual([1n, a, a, 3n, 3n]);
    }
  });

  it('tells what it logs', async () => {
    const lines: string[] = [];
    await calculate(module, { a: -1, b: [0, 0] }, { onLog: (line) => lines.push(line) });
    await calculate(module, { b: [0, 0], a: 17 }, { onLog: (line) => lines.push(line) });
    expect(lines).toEqual(['5', String(r - 1n), '5', '17']);
  });

  it.each([
    ['an unknown input', { a: 1, c: 2 }, 'INVALID_INPUT', 'got c, which it does not have'],
    ['values too many', { a: 1, b: [2, 2, 2] }, 'INVALID_INPUT', 'a signal was set twice, when b was set'],
    [
      'a constraint that does not hold',
      { a: 1, b: [4, 5] },
      'WITNESS_REJECTED',
      'a constraint does not hold (/home/author/circuit.circom:7:4)',
    ],
  ])('refuses %s', async (_, inputs, code, expected) => {
    const failure = await failureOf(() => calculate(module, inputs));
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(expected);
  });
});

describe('modules that do not fit', () => {
  it('are refused by their field', async () => {
    const module = await witnessWasm('bls12381/chain');
    expect(await failureOf(() => calculate(module, { start: 1, factor: 2, offset: 3 }))).toMatchObject({
      code: 'CURVE_MISMATCH',
      message: expect.stringContaining("BLS12-381's scalar field"),
    });
    expect(
      await failureOf(async () => calculateWitness(await circom1Module(), { a: 1, b: [2, 2] }, 'bls12-377')),
    ).toMatchObject({ code: 'CURVE_MISMATCH', message: expect.stringContaining("BN254's scalar field") });
  });

  it.each([
    ['an empty module', [], 'a module without getVersion'],
    // (import "env" "memory" (memory 1))
    [
      'one that imports a memory',
      [2, 15, 1, 3, 101, 110, 118, 6, 109, 101, 109, 111, 114, 121, 2, 0, 1],
      'another kind',
    ],
  ])("are refused when they are not circom's: %s", async (_, sections, expected) => {
    const module = await WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, ...sections]));
    const { code, message } = await failureOf(() => calculate(module, {}));
    expect(code).toBe('UNSUPPORTED_FORMAT');
    expect(message).toContain(expected);
  });
});
