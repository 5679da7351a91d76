import { describe, expect, it } from 'vitest';
import type { CircuitInputs } from '../../../sdk/api/index.js';
import { joinBytes } from '../../../sdk/base/bytes.js';
import { linkCircuit } from '../../../sdk/files/witness/exchange/exchange-arithmetic.js';
import { KeptCircuit } from '../../../sdk/files/witness/kept-circuit.js';
import {
  encodeU32,
  ModuleReader,
  SECTION,
  sectionBytes,
  sectionsOf,
} from '../../../sdk/files/witness/module-reader.js';
import { calculateWitness } from '../../../sdk/files/witness/witness-calculator.js';
import { circom1Module } from '../../support/circom1-module.js';
import { MAKING_TIMEOUT, testCircuit } from '../../support/circuits.js';

/** Counts the instances that `work` makes, and gives their memories. */
async function memoriesOf(work: () => Promise<unknown>): Promise<Uint8Array[]> {
  const { instantiate } = WebAssembly;
  const memories: WebAssembly.Memory[] = [];
  const watched = async (module: WebAssembly.Module, imports: WebAssembly.Imports): Promise<WebAssembly.Instance> => {
    const instance = await instantiate(module, imports);
    memories.push(instance.exports.memory as WebAssembly.Memory);
    return instance;
  };
  Object.assign(WebAssembly, { instantiate: watched });
  try {
    await work();
  } finally {
    Object.assign(WebAssembly, { instantiate });
  }
  return memories.map(({ buffer }) => new Uint8Array(buffer));
}

describe('an instance that is kept', () => {
  it(
    'is made what it was, so that nothing of a witness is left, and gives the witnesses of fresh ones',
    async () => {
      const circuits = await Promise.all((['chain', 'matrix', 'hash'] as const).map(testCircuit));
      const exchanged = circuits.map(({ wasm, inputs }) => ({ wasm: withOurArithmetic(wasm), inputs }));
      for (const { wasm, inputs } of [...circuits, ...exchanged]) {
        const module = await WebAssembly.compile(wasm as Uint8Array<ArrayBuffer>);
        const [fresh] = await memoriesOf(() => WebAssembly.instantiate(module, RUNTIME));
        const kept = { circuits: new KeptCircuit(), as: 1 };
        const others = Object.fromEntries(
          Object.entries(inputs).map(([input, value]) => [input, ones(value)]),
        ) as CircuitInputs;
        const memories = await memoriesOf(async () => {
          for (const each of [inputs, others, inputs]) {
            const expected = await calculateWitness(module, each, 'bn254');
            expect(await calculateWitness(module, each, 'bn254', { kept })).toEqual(expected);
          }
        });
        // Of fresh instances, and between the first two of them the one that is kept.
        expect(memories).toHaveLength(4);
        expect(Buffer.compare(memories[1]!, fresh!)).toBe(0);
      }
    },
    MAKING_TIMEOUT,
  );

  it(
    'gives its witness in one call where it has our arithmetic and a stack, otherwise value by value',
    async () => {
      const { wasm, inputs } = await testCircuit('hash');
      const module = (bytes: Uint8Array): Promise<WebAssembly.Module> =>
        WebAssembly.compile(bytes as Uint8Array<ArrayBuffer>);
      const expected = await calculateWitness(await module(wasm), inputs, 'bn254');
      const ours = withOurArithmetic(wasm);
      /** The calls for a witness, which must be the expected one, of a module whose stack lies elsewhere then. */
      const calls = async (circuit: Uint8Array, stackIn?: (bytes: number) => number): Promise<object> => {
        const counts = { getWitness: 0, copyWitness: 0 };
        const { instantiate } = WebAssembly;
        const watched = async (...args: [WebAssembly.Module, WebAssembly.Imports]): Promise<object> => {
          const { exports } = await instantiate(...args);
          const getWitnessSize = (): number => {
            const { buffer } = exports.memory as WebAssembly.Memory;
            if (stackIn !== undefined) new DataView(buffer).setUint32(0, stackIn(buffer.byteLength), true);
            return (exports.getWitnessSize as () => number)();
          };
          const counted = Object.entries(counts).flatMap(([name]) => {
            const own = exports[name] as ((...operands: number[]) => unknown) | undefined;
            const call = (...operands: number[]): unknown => {
              counts[name as keyof typeof counts]++;
              return own!(...operands);
            };
            return own === undefined ? [] : [[name, call] as const];
          });
          return { exports: { ...exports, ...Object.fromEntries(counted), getWitnessSize } };
        };
        Object.assign(WebAssembly, { instantiate: watched });
        try {
          const kept = { circuits: new KeptCircuit(), as: 1 };
          expect(await calculateWitness(await module(circuit), inputs, 'bn254', { kept })).toEqual(expected);
        } finally {
          Object.assign(WebAssembly, { instantiate });
        }
        return counts;
      };
      const count = expected.length / 32;
      expect(await calls(ours)).toEqual({ getWitness: 0, copyWitness: 1 });
      expect(await calls(wasm)).toEqual({ getWitness: count, copyWitness: 0 });
      // Just enough room; too little; and a stack amid the constants.
      const room = expected.length;
      expect(await calls(ours, (bytes) => bytes - room)).toEqual({ getWitness: 0, copyWitness: 1 });
      expect(await calls(ours, (bytes) => bytes - room + 1)).toEqual({ getWitness: count, copyWitness: 1 });
      expect(await calls(ours, () => 4096)).toEqual({ getWitness: count, copyWitness: 1 });
    },
    MAKING_TIMEOUT,
  );

  it('serves its own circuit alone, and each calculation with its own options', async () => {
    const [chain, smallest, logging] = await Promise.all([
      testCircuit('chain'),
      testCircuit('smallest'),
      testCircuit('logging'),
    ]);
    const circuits = new KeptCircuit();
    const runs = async (as: number, circuit: typeof chain, options = {}): Promise<number> =>
      (
        await memoriesOf(async () =>
          calculateWitness(
            await WebAssembly.compile(circuit.wasm as Uint8Array<ArrayBuffer>),
            circuit.inputs,
            'bn254',
            { kept: { circuits, as }, ...options },
          ),
        )
      ).length;
    expect(await runs(1, chain)).toBe(1);
    expect(await runs(1, chain)).toBe(0);
    expect(await runs(2, smallest)).toBe(1);
    expect(await runs(1, chain)).toBe(1);
    await expect(runs(1, chain, { variables: 3 })).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    // One that has failed is not kept.
    expect(await runs(1, chain)).toBe(1);
    const lines: string[][] = [[], []];
    for (const own of lines) await runs(3, logging, { onLog: (line: string) => own.push(line) });
    expect(lines[0]!.length).toBeGreaterThan(0);
    expect(lines[1]).toEqual(lines[0]);
  });

  it('is not kept by circom 1, whose memory is far larger', async () => {
    const module = await circom1Module();
    const kept = { circuits: new KeptCircuit(), as: 1 };
    const run = (): Promise<unknown> => calculateWitness(module, { a: 1, b: [2, 2] }, 'bn254', { kept });
    expect(await memoriesOf(run)).toHaveLength((await memoriesOf(run)).length);
  });
});

function withOurArithmetic(wasm: Uint8Array): Uint8Array {
  return linkCircuit(wasm, { exchangeArithmetic: true, isReused: true }).exchanged!.wasm;
}

/** Whether the circuit's instance may be kept. */
function hasOnlyMemory(wasm: Uint8Array): boolean {
  return linkCircuit(wasm, { exchangeArithmetic: false, isReused: true }).hasOnlyMemory;
}

describe('hasOnlyMemory', () => {
  it("is true of circom 2's modules", async () => {
    for (const name of ['chain', 'flags', 'hash', 'logging'] as const) {
      const { wasm } = await testCircuit(name);
      expect(hasOnlyMemory(wasm)).toBe(true);
      expect(linkCircuit(wasm, { exchangeArithmetic: true, isReused: true }).hasOnlyMemory).toBe(true);
    }
  });

  it('is false of modules that may remember something beside it', async () => {
    const { wasm } = await testCircuit('smallest');
    const withSection = (id: number, body: number[], before: number): Uint8Array =>
      joinBytes([
        wasm.subarray(0, 8),
        ...[...sectionsOf(wasm)].flatMap((section) =>
          section.id === before ? [sectionBytes(id, Uint8Array.from(body)), section.bytes] : [section.bytes],
        ),
      ]);
    // A global variable, a start function, a count of data segments.
    expect(hasOnlyMemory(withSection(6, [1, 0x7f, 1, 0x41, 0, 0x0b], SECTION.exports))).toBe(false);
    expect(hasOnlyMemory(withSection(8, [0], SECTION.code))).toBe(false);
    expect(hasOnlyMemory(withSection(12, [0], SECTION.code))).toBe(false);
    /** The module with another first function, of these instructions and local variables. */
    const withInstruction = (instruction: number[], locals = [0]): Uint8Array =>
      joinBytes([
        wasm.subarray(0, 8),
        ...[...sectionsOf(wasm)].map(({ id, bytes, body }) => {
          if (id !== SECTION.code) return bytes;
          const reader = new ModuleReader(body);
          reader.u32();
          const head = body.subarray(0, reader.at);
          reader.take(reader.u32());
          const code = [...locals, ...instruction, 0x0b];
          const own = Uint8Array.from([...encodeU32(code.length), ...code]);
          return sectionBytes(id, joinBytes([head, own, body.subarray(reader.at)]));
        }),
      ]);
    expect(hasOnlyMemory(withInstruction([0x41, 0, 0x41, 0, 0x36, 2, 0]))).toBe(true);
    // table.set, table.grow, memory.init, and a store that names its memory.
    expect(hasOnlyMemory(withInstruction([0x41, 0, 0xd2, 0, 0x26, 0]))).toBe(false);
    expect(hasOnlyMemory(withInstruction([0xd2, 0, 0x41, 1, 0xfc, 15, 0]))).toBe(false);
    expect(hasOnlyMemory(withInstruction([0x41, 0, 0x41, 0, 0x41, 0, 0xfc, 8, 0, 0]))).toBe(false);
    expect(hasOnlyMemory(withInstruction([0x41, 0, 0x41, 0, 0x36, 0x42, 0, 0]))).toBe(false);
    // What follows a type of a reference would be read as an instruction: of a local variable, and of a block.
    expect(hasOnlyMemory(withInstruction([0x01], [1, 2, 0x7e]))).toBe(true);
    expect(hasOnlyMemory(withInstruction([0x26, 0], [1, 1, 0x63, 0x41]))).toBe(false);
    expect(hasOnlyMemory(withInstruction([0x02, 0x40, 0x0b]))).toBe(true);
    expect(hasOnlyMemory(withInstruction([0x02, 0x83, 0x01, 0x0b]))).toBe(true);
    expect(hasOnlyMemory(withInstruction([0x02, 0x63, 0x41, 0x26, 0, 0x0b]))).toBe(false);
    expect(hasOnlyMemory(withInstruction([0x02, 0xe3, 0x7f, 0x41, 0x26, 0, 0x0b]))).toBe(false);
    expect(hasOnlyMemory(wasm.subarray(0, 100))).toBe(false);
  });
});

const nothing = (): void => undefined;
const RUNTIME = {
  runtime: {
    exceptionHandler: nothing,
    printErrorMessage: nothing,
    writeBufferMessage: nothing,
    showSharedRWMemory: nothing,
  },
};

/** 1 for each value. */
function ones(value: unknown): unknown {
  return Array.isArray(value) ? value.map(ones) : 1;
}
