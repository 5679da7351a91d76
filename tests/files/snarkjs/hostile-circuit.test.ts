import { describe, expect, it } from 'vitest';
import { boundedModule } from '../../../sdk/files/witness/bounded-module.js';
import { calculateWitness } from '../../../sdk/files/witness/witness-calculator.js';
import { testCircuit, witnessWasm } from '../../support/circuits.js';
import { failureOf } from '../../support/section-bytes.js';
import { op, type TinyCircuit, tinyCircuit } from '../../support/tiny-circuit.js';

const calculate = async (circuit: TinyCircuit, lines: string[] = []): Promise<Uint8Array> =>
  calculateWitness(await WebAssembly.compile(tinyCircuit(circuit)), {}, 'bn254', {
    variables: 3,
    onLog: (line) => lines.push(line),
  });

const [PRINT_ERROR, WRITE_MESSAGE, SHOW_VALUE] = [1, 2, 3].map(op.call) as [number[], number[], number[]];
const DIVIDE_BY_ZERO = [...op.constant(1), ...op.constant(0), ...op.divide, ...op.drop];
const OUT_OF_BOUNDS = [...op.constant(-8), ...op.load, ...op.drop];

describe('a circuit that traps', () => {
  it.each([
    ['unreachable', op.unreachable],
    ['a division by zero', DIVIDE_BY_ZERO],
    ['an access out of bounds', OUT_OF_BOUNDS],
  ])('fails as the circuit, wherever it does: %s', async (_, trap) => {
    for (const circuit of [
      { start: trap },
      { bodies: { getVersion: [...trap, ...op.constant(2)] } },
      { bodies: { getRawPrime: trap } },
      { bodies: { init: trap } },
      { bodies: { getWitness: trap } },
      { bodies: { getMessageChar: [...trap, ...op.constant(0)], init: PRINT_ERROR } },
    ]) {
      const { code, message } = await failureOf(() => calculate(circuit));
      expect(code).toBe('WITNESS_FAILED');
      expect(message).toContain('got a trap (');
    }
  });

  it('fails when its calls have no end', async () => {
    // getWitness is the tenth function, after four imports.
    expect(
      (await failureOf(() => calculate({ bodies: { getWitness: [...op.constant(0), ...op.call(13)] } }))).code,
    ).toBe('WITNESS_FAILED');
  });
});

describe('a circuit that lies', () => {
  it.each([
    ['of no words', { getFieldNumLen32: op.constant(0) }, 'WITNESS_FAILED'],
    ['of words without end', { getFieldNumLen32: op.constant(0x7fffffff) }, 'WITNESS_FAILED'],
    ['of a negative number of words', { getFieldNumLen32: op.constant(-1) }, 'WITNESS_FAILED'],
    ['of a witness without end', { getWitnessSize: op.constant(0x7fffffff) }, 'INVALID_LENGTH'],
    ['of a negative witness', { getWitnessSize: op.constant(-1) }, 'INVALID_LENGTH'],
    ['of an error message without end', { getMessageChar: op.constant(65), init: PRINT_ERROR }, 'WITNESS_FAILED'],
    ['of a log line without end', { getMessageChar: op.constant(65), init: WRITE_MESSAGE }, 'WITNESS_FAILED'],
    ['of empty parts of a line without end', { init: op.loop(WRITE_MESSAGE) }, 'WITNESS_FAILED'],
    ['of values of a line without end', { init: op.loop(SHOW_VALUE) }, 'WITNESS_FAILED'],
    ['of another fault', { init: [...op.constant(123456), ...op.call(0)] }, 'WITNESS_REJECTED'],
  ])('%s is stopped', async (_, bodies, code) => {
    const failure = await failureOf(() => calculate({ bodies }));
    expect(failure.code).toBe(code);
    expect(failure.message).not.toMatch(/123456|2147483647/);
  });

  it('of what it logs tells the first lines only', async () => {
    const lines: string[] = [];
    // A line end, 20 000 times. The data is in the memory behind the modulus.
    const circuit: TinyCircuit = {
      bodies: {
        // A message of one character: 10 at every other call, and 0 in between.
        getMessageChar: [
          ...[...op.constant(64), ...op.constant(64), ...op.load, ...op.constant(10), 0x73, 0x36, 2, 0],
          ...[...op.constant(64), ...op.load],
        ],
        init: [
          ...[0x03, 0x40, ...WRITE_MESSAGE],
          // memory[68] += 1; again while it is below 20 000
          ...[...op.constant(68), ...op.constant(68), ...op.load, ...op.constant(1), 0x6a, 0x36, 2, 0],
          ...[...op.constant(68), ...op.load, ...op.constant(20_000), 0x48, 0x0d, 0x00, 0x0b],
        ],
      },
    };
    await calculate(circuit, lines);
    expect(lines).toHaveLength(10_001);
    expect(lines.at(-1)).toContain('the rest is left out');
  });
});

describe('a circuit that imports its memory', () => {
  /** A module that is taken for circom 1's, and traps at its start if it can let its memory grow. */
  const growing = new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    // A function type without parameters; the import env.memory of at least a page; a function; its export; the start.
    ...[1, 4, 1, 0x60, 0, 0],
    ...[2, 15, 1, 3, 0x65, 0x6e, 0x76, 6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 0, 1],
    ...[3, 2, 1, 0],
    ...[7, 21, 1, 17, ...new TextEncoder().encode('getSignalOffset32'), 0, 0],
    ...[8, 1, 0],
    // if (memory.grow(1) != -1) unreachable
    ...[10, 15, 1, 13, 0, 0x41, 1, 0x40, 0, 0x41, 0x7f, 0x47, 0x04, 0x40, 0x00, 0x0b, 0x0b],
  ]);

  it('cannot let it grow beyond the limit of the caller', async () => {
    const wasm = boundedModule(growing, 2 ** 27) as Uint8Array<ArrayBuffer>;
    const module = await WebAssembly.compile(wasm);
    const failure = await failureOf(() => calculateWitness(module, {}, 'bn254', { memoryBytes: 2 ** 27 + 2 ** 22 }));
    expect(failure.code).toBe('UNSUPPORTED_FORMAT');
    expect(failure.message).toContain('a module without init');
  });
});

describe('boundedModule', () => {
  const instance = async (wasm: Uint8Array): Promise<WebAssembly.Exports> => {
    const runtime = Object.fromEntries(
      ['exceptionHandler', 'printErrorMessage', 'writeBufferMessage', 'showSharedRWMemory'].map((name) => [
        name,
        () => 0,
      ]),
    );
    return (await WebAssembly.instantiate(await WebAssembly.compile(wasm as Uint8Array<ArrayBuffer>), { runtime }))
      .exports;
  };
  const growing = (pages: number, memory: readonly [number, number?] = [2]): Uint8Array =>
    tinyCircuit({ memory, bodies: { getVersion: [...op.constant(pages), ...op.grow] } });

  it.each([
    ['no maximum', [2]],
    ['a larger maximum', [2, 60_000]],
  ] as const)('lets a memory with %s grow to the limit and no further', async (_, memory) => {
    const grow = async (pages: number): Promise<number> => {
      const { getVersion } = await instance(boundedModule(growing(pages, memory), 5 * 65_536 + 7));
      return (getVersion as () => number)();
    };
    expect(await grow(3)).toBe(2);
    expect(await grow(4)).toBe(-1);
  });

  it('keeps a smaller maximum', async () => {
    const { getVersion } = await instance(boundedModule(growing(1, [2, 2]), 2 ** 30));
    expect((getVersion as () => number)()).toBe(-1);
  });

  it('refuses a memory that begins with more', async () => {
    const { code, message } = await failureOf(() => boundedModule(growing(0, [17]), 2 ** 20));
    expect(code).toBe('OUT_OF_MEMORY');
    expect(message).toContain(`at most ${2 ** 20} bytes`);
  });

  it.each([
    ['two memories', [5, 5, 2, 0, 1, 0, 1]],
    ['a shared memory', [5, 4, 1, 3, 1, 2]],
    ['a 64-bit memory', [5, 3, 1, 4, 1]],
    ['an array type', [1, 4, 1, 0x5e, 0x7f, 1]],
    ['a table of a million entries and more', [4, 7, 1, 0x70, 0, 0x81, 0x80, 0x80, 0x01]],
    ['a section beyond its end', [0, 0xff, 0xff, 0x03]],
    ['a number that is too long', [0, 0x80, 0x80, 0x80, 0x80, 0x80, 0]],
    ['a number beyond 32 bits', [0, 0xff, 0xff, 0xff, 0xff, 0x7f]],
    ['a section that ends early', [5]],
  ])('refuses %s', async (_, sections) => {
    const wasm = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...sections]);
    expect((await failureOf(() => boundedModule(wasm, 2 ** 30))).code).toBe('UNSUPPORTED_FORMAT');
  });

  it('lets no table grow', async () => {
    const table = [4, 4, 1, 0x70, 0, 2];
    const exported = [7, 5, 1, 1, 0x74, 1, 0];
    const wasm = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...table, ...exported]);
    const { t } = await instance(boundedModule(wasm, 2 ** 30));
    expect((t as WebAssembly.Table).length).toBe(2);
    expect(() => (t as WebAssembly.Table).grow(1)).toThrow(RangeError);
  });

  it("changes nothing that circom's circuits notice", async () => {
    for (const name of ['chain', 'matrix', 'hash'] as const) {
      const { wasm, inputs } = await testCircuit(name);
      const bounded = await WebAssembly.compile(boundedModule(wasm, 2 ** 30) as Uint8Array<ArrayBuffer>);
      expect(await calculateWitness(bounded, inputs, 'bn254')).toEqual(
        await calculateWitness(await witnessWasm(name), inputs, 'bn254'),
      );
    }
  });
});
