import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, bytesToBigint } from '../../../sdk/base/bytes.js';
import type { FieldParameters } from '../../../sdk/curves/index.js';
import { packedMontgomeryBits } from '../../../sdk/curves/limbs.js';
import { inverse, mod } from '../../../sdk/curves/modular.js';
import { type AssemblyExports, assemble } from '../../support/assembly.js';
import { EVERY_COMBINATION } from '../../support/every-combination.js';
import { edgeValues } from '../../support/random.js';
import { ALL_CURVES } from '../../support/registry.js';
import { expectSame } from '../../support/same.js';
import { type SingleForm, smallLimbs, wideLimbs } from '../../support/single-forms.js';

/** The methods of a field class as exports on addresses. */
const METHODS = {
  mul: 3,
  sqr: 2,
  add: 3,
  sub: 3,
  sub2: 4,
  neg: 2,
  dbl: 2,
  copy: 2,
  setZero: 1,
  setOne: 1,
  invert: 2,
  loadCanonical: 2,
  storeCanonical: 2,
  loadPacked: 2,
  storePacked: 2,
  loadMontgomery: 2,
  loadPlain: 2,
} as const;
/** Those of elements in small limbs alone. */
const METHODS_OF_SMALL_LIMBS = { loadSquaredMontgomery: 2, storePlain: 2 } as const;
const TESTS = { isZero: 1, equals: 2, isBelowModulus: 1 } as const;

function wrappers(type: string, { suffix }: SingleForm): string {
  const wrap = (name: string, count: number, result: string): string => {
    const names = ['x', 'y', 'z', 'u'].slice(0, count);
    const call = `the<${type}>().${name}(${names.join(', ')})`;
    return `export function ${name}(${names.map((n) => `${n}: usize`).join(', ')}): ${result} { ${result === 'void' ? '' : 'return '}${call}; }`;
  };
  return [
    `export function heapBase(): usize { return __heap_base; }`,
    `export function size(): usize { return the<${type}>().size; }`,
    `export function packedSize(): usize { return the<${type}>().packedSize; }`,
    ...Object.entries({ ...METHODS, ...(suffix === '' ? METHODS_OF_SMALL_LIMBS : {}) }).map(([name, count]) =>
      wrap(name, count, 'void'),
    ),
    ...Object.entries(TESTS).map(([name, count]) => wrap(name, count, 'bool')),
  ].join('\n');
}

interface TestedField {
  readonly module: string;
  readonly type: 'Fq' | 'Fr';
  readonly field: FieldParameters;
  readonly form: SingleForm;
}

const fields = ALL_CURVES.flatMap(({ id, fq, fr, transforms, pairing }): TestedField[] => [
  { module: `${id}-fq`, type: 'Fq', field: fq, form: smallLimbs(fq) },
  ...(pairing === undefined ? [] : [{ module: `${id}-fq-wide`, type: 'Fq' as const, field: fq, form: wideLimbs(fq) }]),
  ...(transforms === undefined ? [] : [{ module: `${id}-fr`, type: 'Fr' as const, field: fr, form: smallLimbs(fr) }]),
]);

describe.each(fields)('field $module of the kernels', ({ module, type, field, form: shape }) => {
  const p = field.modulus;
  const { limbBits, r } = shape;
  const fromR = inverse(r, p);
  let wasm: AssemblyExports;
  let heap: number;
  /** Addresses of three elements and a packed one. */
  let a: number;
  let b: number;
  let c: number;
  let packed: number;

  beforeAll(async () => {
    wasm = await assemble(
      'field-under-test',
      `import { the } from './field/field';\nimport { ${type} } from './generated/${module}';\n${wrappers(type, shape)}`,
      [],
      shape.suffix === '' ? undefined : `${module}.wat`,
    );
    heap = wasm.heapBase!();
    [a, b, c, packed] = [heap, heap + 128, heap + 256, heap + 384];
  });

  /** The limbs of an element, which must be normalised and below 2p. */
  function limbsAt(at: number): bigint {
    const value = shape.get(wasm.memory, at);
    expectSame(value < 2n * p, true);
    return value;
  }

  const valueAt = (at: number): bigint => mod(limbsAt(at) * fromR, p);

  /** Writes the Montgomery form of `value`, or that plus p: elements need only be below 2p. */
  function put(at: number, value: bigint, plusP: boolean): void {
    const form = mod(value * r, p) + (plusP ? p : 0n);
    shape.put(wasm.memory, at, form);
  }

  /** Writes an element by its limbs' value. */
  function putRaw(at: number, form: bigint): void {
    shape.put(wasm.memory, at, form);
  }

  const writePacked = (at: number, value: bigint): void =>
    new Uint8Array(wasm.memory.buffer).set(bigintToBytes(value, wasm.packedSize!()), at);
  const readPacked = (at: number): bigint => bytesToBigint(new Uint8Array(wasm.memory.buffer), at, wasm.packedSize!());

  function checkBinary(x: bigint, y: bigint): void {
    for (const [name, expected] of [
      ['mul', x * y * fromR],
      ['add', x + y],
      ['sub', x - y],
    ] as const) {
      putRaw(a, x);
      putRaw(b, y);
      wasm[name]!(c, a, b);
      const result = limbsAt(c);
      expectSame(mod(result - expected, p), 0n, name);
      // The result may lie where an operand lay.
      wasm[name]!(a, a, b);
      expectSame(limbsAt(a), result);
      putRaw(a, x);
      wasm[name]!(b, a, b);
      expectSame(limbsAt(b), result);
    }
    // x - y - x and x - y - y, the latter where x lay.
    putRaw(a, x);
    putRaw(b, y);
    wasm.sub2!(c, a, b, a);
    expectSame(mod(limbsAt(c) + y, p), 0n);
    wasm.sub2!(a, a, b, b);
    expectSame(mod(limbsAt(a) - x + 2n * y, p), 0n);
    putRaw(a, x);
    expectSame(wasm.equals!(a, b) !== 0, mod(x - y, p) === 0n);
  }

  function checkUnary(x: bigint): void {
    for (const [name, expected] of [
      ['sqr', x * x * fromR],
      ['neg', -x],
      ['dbl', 2n * x],
      ['copy', x],
    ] as const) {
      putRaw(a, x);
      wasm[name]!(c, a);
      expectSame(mod(limbsAt(c) - expected, p), 0n, name);
      wasm[name]!(a, a);
      expectSame(limbsAt(a), limbsAt(c));
    }
    putRaw(a, x);
    expectSame(wasm.isZero!(a) !== 0, mod(x, p) === 0n);
  }

  /** Forms below 2p at which carries and conditional additions happen. */
  const forms = (): bigint[] => edgeValues(p).flatMap((value) => [value, value + p]);
  const form = fc.bigInt(0n, 2n * p - 1n);

  it('has 9 small limbs for 253 to 255 bits, 14 for 377 to 381 and 27 for 753, or 4, 6 and 12 of 64 bits', () => {
    const [small, wide] = field.bits > 381 ? [27, 12] : field.bits > 256 ? [14, 6] : [9, 4];
    expect(wasm.size!()).toBe(shape.suffix === '' ? 4 * small! : 8 * wide!);
    expect(wasm.packedSize!()).toBe(field.bits > 381 ? 96 : field.bits > 256 ? 48 : 32);
  });

  it('adds, subtracts, multiplies and compares at the edges', () => {
    const values = forms();
    for (let i = 0; i < values.length; i++) {
      // Every value meets its neighbours, the first few, and a spread of the others.
      for (const j of [0, 1, 2, 3, 4, 5, i, i ^ 1, (i * 7 + 3) % values.length, (i * 31 + 11) % values.length]) {
        checkBinary(values[i]!, values[j]!);
      }
    }
  });

  it('adds, subtracts, multiplies and compares any elements below 2p', () => {
    fc.assert(fc.property(form, form, checkBinary), { numRuns: EVERY_COMBINATION ? 300 : 100 });
  });

  it('squares, negates, doubles and copies', () => {
    for (const value of forms()) checkUnary(value);
    fc.assert(fc.property(form, checkUnary), { numRuns: EVERY_COMBINATION ? 300 : 100 });
  });

  it('keeps its bound when every limb is as large as it may be', () => {
    checkBinary(2n * p - 1n, 2n * p - 1n);
    const full = (1n << BigInt(limbBits * Math.floor(field.bits / limbBits))) - 1n;
    checkBinary(full, full);
    checkBinary(full, 2n * p - 1n);
    checkUnary(full);
  });

  it('inverts, and gives 0 for 0', () => {
    const check = (value: bigint): void => {
      for (const plusP of [false, true]) {
        put(a, value, plusP);
        wasm.invert!(c, a);
        expectSame(valueAt(c), inverse(value, p));
        wasm.invert!(a, a);
        expectSame(valueAt(a), inverse(value, p));
      }
    };
    for (const value of edgeValues(p)) check(value);
    fc.assert(fc.property(fc.bigInt(0n, p - 1n), check), { numRuns: 50 });
  });

  it('sets 0 and 1', () => {
    wasm.setOne!(c);
    expectSame(valueAt(c), 1n);
    wasm.setZero!(c);
    expectSame(limbsAt(c), 0n);
  });

  it('reads and writes each packed form, reduced below p', () => {
    const boundary = 8n * BigInt(wasm.packedSize!());
    const check = (value: bigint): void => {
      for (const [load, exponent] of [
        ['loadCanonical', 0n],
        ['loadPacked', BigInt(packedMontgomeryBits(field.bits))],
        ['loadMontgomery', boundary],
        ...(shape.suffix === '' ? ([['loadSquaredMontgomery', 2n * boundary]] as const) : []),
      ] as const) {
        writePacked(packed, mod(value << exponent, p));
        wasm[load]!(c, packed);
        expectSame(valueAt(c), value, load);
      }
      for (const plusP of [false, true]) {
        put(a, value, plusP);
        wasm.storeCanonical!(packed, a);
        expectSame(readPacked(packed), value);
        wasm.storePacked!(packed, a);
        expectSame(readPacked(packed), mod(value << BigInt(packedMontgomeryBits(field.bits)), p));
        expectSame(valueAt(a), value);
        if (shape.suffix !== '') continue;
        putRaw(a, value + (plusP ? p : 0n));
        wasm.storePlain!(packed, a);
        expectSame(readPacked(packed), value);
      }
      writePacked(packed, value);
      wasm.loadPlain!(c, packed);
      expectSame(limbsAt(c), value);
    };
    for (const value of edgeValues(p)) check(value);
    fc.assert(fc.property(fc.bigInt(0n, p - 1n), check), { numRuns: 100 });
  });

  it('tells integers below p from others', () => {
    const limit = 1n << BigInt(8 * wasm.packedSize!());
    const check = (value: bigint): void => {
      writePacked(packed, value);
      expectSame(wasm.isBelowModulus!(packed) !== 0, value < p);
    };
    for (const value of edgeValues(p)) check(value);
    for (const value of [p, p + 1n, 2n * p - 1n, limit - 1n, p + (1n << 32n), p - (1n << 32n)]) check(value);
    fc.assert(fc.property(fc.bigInt(0n, limit - 1n), check), { numRuns: 100 });
  });
});
