import { beforeAll, describe, expect, it } from 'vitest';
import type { CircuitInputs } from '../../../../sdk/api/index.js';
import { bytesToBigint, writeBigint } from '../../../../sdk/base/bytes.js';
import { CURVES } from '../../../../sdk/curves/index.js';
import { inverse } from '../../../../sdk/curves/modular.js';
import { type ExchangedCircuit, linkCircuit } from '../../../../sdk/files/witness/exchange/exchange-arithmetic.js';
import { EXCHANGED_NAMES } from '../../../../sdk/files/witness/exchange/known-functions.js';
import { readFunctions } from '../../../../sdk/files/witness/exchange/module-functions.js';
import { calculateWitness } from '../../../../sdk/files/witness/witness-calculator.js';
import { functionNames, withExports, withoutNames } from '../../../support/circuit-functions.js';
import { chainOver, MAKING_TIMEOUT, testCircuit } from '../../../support/circuits.js';
import { EVERY_COMBINATION } from '../../../support/every-combination.js';
import { Random } from '../../../support/random.js';

/** circom's functions, by what they take. */
interface CircuitFunctions {
  readonly memory: WebAssembly.Memory;
  Fr_F1m_mul(a: number, b: number, r: number): void;
  Fr_F1m_square(a: number, r: number): void;
  Fr_F1m_toMontgomery(a: number, r: number): void;
  Fr_F1m_fromMontgomery(a: number, r: number): void;
  Fr_int_inverseMod(a: number, modulus: number, r: number): void;
  Fr_F1m_add(a: number, b: number, r: number): void;
  Fr_F1m_sub(a: number, b: number, r: number): void;
  Fr_isNegative(a: number): number;
  Fr_toInt(a: number): number;
  Fr_eqR(a: number, b: number): number;
  Fr_gtR(a: number, b: number): number;
  Fr_isTrue(a: number): number;
  Fr_add(r: number, a: number, b: number): void;
  Fr_sub(r: number, a: number, b: number): void;
  Fr_mul(r: number, a: number, b: number): void;
  Fr_eq(r: number, a: number, b: number): void;
  Fr_lt(r: number, a: number, b: number): void;
}

/** The functions that read numbers with their heads. */
type Reading = 'Fr_eqR' | 'Fr_gtR' | 'Fr_toInt' | 'Fr_isNegative' | 'Fr_isTrue';

/** The operators, which write a number. */
const OPERATORS = ['Fr_add', 'Fr_sub', 'Fr_mul', 'Fr_eq', 'Fr_lt'] as const;

/** A number with its head: the short value, the flags and the long value. */
interface Form {
  readonly short: number;
  readonly flags: number;
  readonly long: bigint;
}

function writeForm(memory: WebAssembly.Memory, at: number, { short, flags, long }: Form): void {
  const view = new DataView(memory.buffer);
  view.setInt32(at, short, true);
  view.setUint32(at + 4, flags, true);
  writeBigint(new Uint8Array(memory.buffer), at + 8, 32, long);
}

/** Addresses that no test circuit uses, and circom's address of the modulus. */
const [A, B, R] = [600_000, 600_040, 600_080];
const MODULUS = 608;

function instantiate(wasm: Uint8Array, names: ReadonlyMap<string, number>): CircuitFunctions {
  const module = new WebAssembly.Module(withExports(wasm, names, EXCHANGED_NAMES) as Uint8Array<ArrayBuffer>);
  const nothing = (): void => undefined;
  const runtime = {
    exceptionHandler: nothing,
    printErrorMessage: nothing,
    writeBufferMessage: nothing,
    showSharedRWMemory: nothing,
  };
  return new WebAssembly.Instance(module, { runtime }).exports as unknown as CircuitFunctions;
}

const I64_ADD = 0x7c;

function exchangeArithmetic(wasm: Uint8Array): ExchangedCircuit | undefined {
  return linkCircuit(wasm, { exchangeArithmetic: true, isReused: false }).exchanged;
}

/** The code of a function, a view of the module. */
function codeOf(wasm: Uint8Array, names: ReadonlyMap<string, number>, name: string): Uint8Array {
  const { imported, defined } = readFunctions(wasm);
  return defined[names.get(name)! - imported]!.code;
}

function compile(wasm: Uint8Array): Promise<WebAssembly.Module> {
  return WebAssembly.compile(wasm as Uint8Array<ArrayBuffer>);
}

describe.each(['bn254', 'bls12-381'] as const)("the functions in the place of a circuit's over %s", (id) => {
  const p = CURVES[id].fr.modulus;
  const montgomeryR = 1n << 256n;
  const random = new Random(11);
  const edges = [0n, 1n, 2n, p - 1n, p, p + 1n, 2n * p, montgomeryR - 1n, montgomeryR % p, (montgomeryR % p) + 1n];
  const powers = [28n, 29n, 31n, 32n, 63n, 64n, 128n, 231n, 232n, 253n, 255n].flatMap((k) => [1n << k, (1n << k) - 1n]);
  const values = [
    ...edges,
    ...powers,
    (montgomeryR * montgomeryR) % p,
    ...Array.from({ length: 400 }, () => random.below(p)),
  ];
  const unreduced = Array.from({ length: 100 }, () => random.below(montgomeryR));
  let original: CircuitFunctions;
  let ours: CircuitFunctions;

  beforeAll(async () => {
    const { wasm } = await chainOver(id);
    const names = functionNames(wasm);
    const exchanged = exchangeArithmetic(wasm)!.wasm;
    original = instantiate(wasm, names);
    ours = instantiate(exchanged, names);
  }, MAKING_TIMEOUT);

  /** The result of both, which must be the same. */
  function result(a: bigint, b: bigint, call: (functions: CircuitFunctions) => void): bigint {
    const [expected, got] = [original, ours].map((functions) => {
      const bytes = new Uint8Array(functions.memory.buffer);
      writeBigint(bytes, A, 32, a);
      writeBigint(bytes, B, 32, b);
      call(functions);
      return bytesToBigint(bytes, R, 32);
    });
    expect(got).toBe(expected);
    return got!;
  }

  it('multiply and square as circom does, also numbers that are not reduced', () => {
    const scale = inverse(montgomeryR % p, p);
    for (const a of [...values, ...unreduced]) {
      for (const b of [...edges, ...unreduced.slice(0, 5), random.below(p), random.below(p)]) {
        const product = result(a, b, (each) => each.Fr_F1m_mul(A, B, R));
        if (a < p && b < p) expect(product).toBe((((a * b) % p) * scale) % p);
      }
      expect(result(a, 0n, (each) => each.Fr_F1m_square(A, R)) % p).toBe((((a * a) % p) * scale) % p);
    }
  });

  it('convert to Montgomery form and back', () => {
    for (const a of [...values, ...unreduced]) {
      expect(result(a, 0n, (each) => each.Fr_F1m_toMontgomery(A, R)) % p).toBe((a * montgomeryR) % p);
      result(a, 0n, (each) => each.Fr_F1m_fromMontgomery(A, R));
    }
  });

  it('write their result over an operand', () => {
    for (const a of values.slice(0, 60)) {
      const inPlace = (call: (functions: CircuitFunctions) => void): bigint =>
        result(a, a, (each) => {
          call(each);
          const bytes = new Uint8Array(each.memory.buffer);
          bytes.copyWithin(R, A, A + 32);
        });
      inPlace((each) => each.Fr_F1m_mul(A, B, A));
      inPlace((each) => each.Fr_F1m_mul(B, A, A));
      inPlace((each) => each.Fr_F1m_square(A, A));
      inPlace((each) => each.Fr_F1m_fromMontgomery(A, A));
      if (a % p !== 0n) inPlace((each) => each.Fr_int_inverseMod(A, MODULUS, A));
    }
  });

  it('add and subtract, also numbers that are not reduced', () => {
    for (const a of [...values, ...unreduced]) {
      for (const b of [...edges, ...unreduced.slice(0, 5), random.below(p), a]) {
        const sum = result(a, b, (each) => each.Fr_F1m_add(A, B, R));
        const difference = result(a, b, (each) => each.Fr_F1m_sub(A, B, R));
        if (a < p && b < p) expect([sum, difference]).toEqual([(a + b) % p, (a - b + p) % p]);
      }
    }
  });

  const shorts = [0, 1, -1, 2, 46340, 46341, 65536, 2 ** 31 - 1, -(2 ** 31), 12345, -54321];
  const longs = [
    ...edges,
    p / 2n,
    p / 2n + 1n,
    2n ** 31n,
    2n ** 32n,
    p - 2n ** 31n,
    ...powers.slice(0, 6),
    ...values.slice(-8),
    ...unreduced.slice(0, 5),
  ];
  /** Short, long, and long in Montgomery form; short with its Montgomery form kept beside it. */
  const numbers: readonly Form[] = [
    ...shorts.flatMap((short) =>
      [0, 0x40000000].map((flags) => ({ short, flags, long: (BigInt(short) * montgomeryR + p * montgomeryR) % p })),
    ),
    ...longs.flatMap((long) => [0x80000000, 0xc0000000].map((flags) => ({ short: 7, flags, long }))),
  ];

  /** Expects that both leave the same bytes of two operands and a result, and give the same. */
  function expectSame(call: string, a: Form, b: Form, run: (functions: CircuitFunctions) => unknown): void {
    const [expected, got] = [original, ours].map((functions) => {
      writeForm(functions.memory, A, a);
      writeForm(functions.memory, B, b);
      const given = run(functions);
      return `${given} ${Buffer.from(functions.memory.buffer.slice(A, A + 120)).toString('hex')}`;
    });
    if (got === expected) return;
    expect.fail(`${call} of ${[a, b].map(({ short, flags, long }) => `${short} ${flags} ${long}`).join(', ')}`);
  }

  it('read and compare numbers in every form, and leave them as circom does', () => {
    const readings: readonly Reading[] = ['Fr_toInt', 'Fr_isNegative', 'Fr_isTrue'];
    for (const a of numbers) {
      for (const b of numbers) {
        for (const call of ['Fr_eqR', 'Fr_gtR'] as const) expectSame(call, a, b, (each) => each[call](A, B));
      }
      for (const call of readings) expectSame(call, a, a, (each) => each[call](A, B));
    }
  });

  it('calculate with numbers in every form, also over an operand and with one twice', () => {
    for (const call of OPERATORS) {
      for (const a of numbers) {
        for (const b of numbers) {
          expectSame(call, a, b, (each) => each[call](R, A, B));
        }
        expectSame(call, a, a, (each) => each[call](R, A, A));
        expectSame(call, a, a, (each) => each[call](A, A, A));
        for (const b of [a, ...numbers.slice(0, 8), ...numbers.slice(-4)]) {
          expectSame(call, a, b, (each) => each[call](A, A, B));
          expectSame(call, a, b, (each) => each[call](B, A, B));
        }
      }
    }
  });

  it('invert, and leave what is not reduced to circom', () => {
    for (const a of [...values, ...unreduced.slice(0, 20)]) {
      const inverted = result(a, 0n, (each) => each.Fr_int_inverseMod(A, MODULUS, R));
      if (a % p !== 0n) expect((inverted * a) % p).toBe(1n);
    }
    // Another modulus than the circuit's.
    result(7n, 13n, (each) => each.Fr_int_inverseMod(A, B, R));
  });
});

describe('linkCircuit', () => {
  it.each(['chain', 'hash', 'flags', 'matrix'] as const)(
    'leaves the witnesses of %s as they are, and what it refuses',
    async (name) => {
      const { wasm, inputs } = await testCircuit(name);
      const modules = await Promise.all([wasm, exchangeArithmetic(wasm)!.wasm].map(compile));
      const random = new Random(5);
      for (let i = 0; i < (EVERY_COMBINATION ? 200 : 50); i++) {
        const changed = Object.fromEntries(
          Object.entries(inputs).map(([input, value]) => [input, i === 0 ? value : changedValue(value, random)]),
        ) as CircuitInputs;
        const [expected, got] = await Promise.all(
          modules.map((module) =>
            calculateWitness(module, changed, 'bn254').catch((error) => ({ code: error.code, message: error.message })),
          ),
        );
        expect(got).toEqual(expected);
      }
    },
    MAKING_TIMEOUT,
  );

  it('recognises functions without their names', async () => {
    const { wasm, inputs } = await testCircuit('chain');
    const exchanged = exchangeArithmetic(withoutNames(wasm))!;
    expect(exchanged.functions).toEqual(exchangeArithmetic(wasm)!.functions);
    expect(await calculateWitness(await compile(exchanged.wasm), inputs, 'bn254')).toEqual(
      await calculateWitness(await compile(wasm), inputs, 'bn254'),
    );
  });

  it('leaves a function alone that differs in one byte, and all that call it', async () => {
    const { wasm } = await testCircuit('chain');
    const names = functionNames(wasm);
    /** The names of the functions that are exchanged in a circuit with one changed byte of a function. */
    const exchangedAfterChange = (name: string): string[] => {
      const changed = wasm.slice();
      const code = codeOf(changed, names, name);
      // An addition becomes a subtraction.
      code[code.lastIndexOf(I64_ADD)]! ^= 1;
      const exchanged = exchangeArithmetic(changed)?.wasm ?? changed;
      return EXCHANGED_NAMES.filter(
        (each) => Buffer.compare(codeOf(exchanged, names, each), codeOf(changed, names, each)) !== 0,
      );
    };
    const others = (...names: readonly string[]): string[] => EXCHANGED_NAMES.filter((each) => !names.includes(each));
    expect(exchangedAfterChange('Fr_band')).toEqual(EXCHANGED_NAMES);
    expect(exchangedAfterChange('Fr_add')).toEqual(others('Fr_add'));
    expect(exchangedAfterChange('Fr_F1m_square')).toEqual(others('Fr_F1m_square'));
    expect(exchangedAfterChange('Fr_F1m_mul')).toEqual(
      others('Fr_F1m_mul', 'Fr_F1m_toMontgomery', 'Fr_add', 'Fr_sub', 'Fr_mul'),
    );
    const products = ['Fr_F1m_mul', 'Fr_F1m_square', 'Fr_F1m_toMontgomery'];
    expect(exchangedAfterChange('Fr_int_add')).toEqual([...products, 'Fr_isTrue']);
    expect(exchangedAfterChange('Fr_int_sub')).toEqual(['Fr_isTrue']);
  });

  it('has nothing to exchange in other modules, whatever they hold', async () => {
    const { wasm } = await testCircuit('chain');
    expect(exchangeArithmetic(new Uint8Array(0))).toBeUndefined();
    expect(exchangeArithmetic(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0))).toBeUndefined();
    // Another modulus where circom's code has it.
    const text = new TextDecoder('latin1').decode(wasm);
    const modulus = text.indexOf('\x01\x00\x00\xf0\x93\xf5\xe1\x43');
    const other = wasm.slice();
    other[modulus + 8]! ^= 1;
    expect(exchangeArithmetic(other)).toBeUndefined();
    const random = new Random(3);
    const step = EVERY_COMBINATION ? 97 : 389;
    for (let length = 0; length < wasm.length; length += step) exchangeArithmetic(wasm.slice(0, length));
    for (let i = 0; i < (EVERY_COMBINATION ? 500 : 125); i++) {
      const mutated = wasm.slice();
      mutated[Number(random.below(BigInt(wasm.length)))]! ^= 1 << Number(random.below(8n));
      exchangeArithmetic(mutated);
    }
  });
});

/** Another value of the same shape. */
function changedValue(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.map((each) => changedValue(each, random));
  const choices = [0n, 1n, 2n ** 31n, 2n ** 32n, -1n, CURVES.bn254.fr.modulus - 1n, random.below(2n ** 253n), 3n];
  return choices[Number(random.below(BigInt(choices.length)))];
}
