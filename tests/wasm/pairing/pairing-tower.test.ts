import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { bn254 } from '../../../sdk/curves/index.js';
import { mod } from '../../../sdk/field/modular.js';
import { type AssemblyExports, assemble } from '../../support/assembly.js';
import { edgeValues } from '../../support/random.js';
import {
  Fp2,
  Fp6,
  Fp12,
  type Fp12Value,
  FQ_BYTES,
  formsOf,
  ofFp2,
  ofFp6,
  ofFp12,
  putForms,
  toFp2,
  toFp6,
  toFp12,
  valuesAt,
  valuesOf,
} from '../../support/tower.js';

type Forms = readonly bigint[];
/** An operation of a field class: its name, how many coefficients its result and its operands have, and its reference on values. */
interface Operation {
  readonly name: string;
  readonly result: number;
  readonly operands: readonly number[];
  readonly reference: (...values: Forms[]) => bigint[];
}

const p = bn254.fq.modulus;
const edges = [...edgeValues(p).slice(0, 12), p - 1n, p, p + 1n, 2n * p - 2n, 2n * p - 1n];

const onFp2 = (name: string, reference: (a: ReturnType<typeof toFp2>) => ReturnType<typeof toFp2>): Operation => ({
  name,
  result: 2,
  operands: [2],
  reference: (a) => ofFp2(reference(toFp2(a!))),
});
const onFp6 = (
  name: string,
  count: number,
  reference: (...all: ReturnType<typeof toFp6>[]) => ReturnType<typeof toFp6>,
): Operation => ({
  name,
  result: 6,
  operands: Array(count).fill(6),
  reference: (...all) => ofFp6(reference(...all.map(toFp6))),
});
const onFp12 = (name: string, count: number, reference: (...all: Fp12Value[]) => Fp12Value): Operation => ({
  name,
  result: 12,
  operands: Array(count).fill(12),
  reference: (...all) => ofFp12(reference(...all.map(toFp12))),
});

const xi = Fp2.fromBigTuple([...bn254.pairing!.nonResidue]);
const v = Fp6.create({ c0: Fp2.ZERO, c1: Fp2.ONE, c2: Fp2.ZERO });
const zero = Fp2.ZERO;
const OPERATIONS: Readonly<Record<string, readonly Operation[]>> = {
  Fq2: [
    onFp2('conjugate', (a) => Fp2.pow(a, p)),
    onFp2('mulByXi', (a) => Fp2.mul(a, xi)),
    {
      name: 'scale',
      result: 2,
      operands: [2, 1],
      reference: (a, b) => ofFp2(Fp2.mul(toFp2(a!), toFp2([b![0]!, 0n]))),
    },
  ],
  Fq6: [
    onFp6('mul', 2, (a, b) => Fp6.mul(a!, b!)),
    onFp6('add', 2, (a, b) => Fp6.add(a!, b!)),
    onFp6('sub', 2, (a, b) => Fp6.sub(a!, b!)),
    onFp6('sub2', 3, (a, b, e) => Fp6.sub(Fp6.sub(a!, b!), e!)),
    onFp6('neg', 1, (a) => Fp6.neg(a!)),
    onFp6('mulByV', 1, (a) => Fp6.mul(a!, v)),
    onFp6('invert', 1, (a) => (Fp6.is0(a!) ? Fp6.ZERO : Fp6.inv(a!))),
    {
      name: 'scale',
      result: 6,
      operands: [6, 2],
      reference: (a, b) => ofFp6(Fp6.mul(toFp6(a!), Fp6.create({ c0: toFp2(b!), c1: zero, c2: zero }))),
    },
    {
      name: 'mulBySparse',
      result: 6,
      operands: [6, 2, 2],
      reference: (a, b0, b1) => ofFp6(Fp6.mul(toFp6(a!), Fp6.create({ c0: toFp2(b0!), c1: toFp2(b1!), c2: zero }))),
    },
  ],
  Fq12: [
    onFp12('mul', 2, (a, b) => Fp12.mul(a!, b!)),
    onFp12('sqr', 1, (a) => Fp12.mul(a!, a!)),
    onFp12('conjugate', 1, (a) => Fp12.create({ c0: a!.c0, c1: Fp6.neg(a!.c1) })),
    onFp12('frobenius', 1, (a) => Fp12.pow(a!, p)),
    onFp12('invert', 1, (a) => (Fp12.is0(a!) ? Fp12.ZERO : Fp12.inv(a!))),
    {
      name: 'mulByLine',
      result: 12,
      operands: [12, 2, 2, 2],
      reference: (a, b0, b1, b3) => {
        const c0 = Fp6.create({ c0: toFp2(b0!), c1: zero, c2: zero });
        const c1 = Fp6.create({ c0: toFp2(b1!), c1: toFp2(b3!), c2: zero });
        return ofFp12(Fp12.mul(toFp12(a!), Fp12.create({ c0, c1 })));
      },
    },
  ],
};

describe.each(Object.entries(OPERATIONS))('%s of the pairing', (type, operations) => {
  let wasm: AssemblyExports;
  let heap: number;
  const names = ['x', 'y', 'z', 'u'];

  beforeAll(async () => {
    wasm = await assemble(
      'tower-under-test',
      [
        `import { the } from './field/field'; import { ${type} } from './field/${type.toLowerCase()}';`,
        `export function heapBase(): usize { return __heap_base; }`,
        `export function size(): usize { return the<${type}>().size; }`,
        ...operations.map(({ name, operands }) => {
          const given = names.slice(0, operands.length);
          const parameters = ['r', ...given].map((n) => `${n}: usize`).join(', ');
          return `export function ${name}(${parameters}): void { the<${type}>().${name}(${['r', ...given].join(', ')}); }`;
        }),
      ].join('\n'),
    );
    heap = wasm.heapBase!();
  });

  it('has the size of its coefficients', () => {
    expect(wasm.size!()).toBe(operations[0]!.result * FQ_BYTES);
  });

  /** Runs an operation with its result apart and in place of each operand of its size. */
  function check({ name, result, operands, reference }: Operation, forms: readonly Forms[]): void {
    const addresses = operands.map((_, i) => heap + (i + 1) * 512);
    const expected = reference(...forms.map(valuesOf));
    const targets = [heap, ...addresses.filter((_, i) => operands[i] === result)];
    for (const target of targets) {
      for (const [i, operand] of forms.entries()) putForms(wasm, addresses[i]!, operand);
      wasm[name]!(target, ...addresses);
      expect(valuesAt(wasm, target, result), `${name} at ${targets.indexOf(target)}`).toEqual(expected);
    }
  }

  it.each(operations)('computes $name at the edges', (operation) => {
    const total = operation.operands.reduce((sum, count) => sum + count, 0);
    const cut = (forms: Forms): Forms[] => {
      let at = 0;
      return operation.operands.map((count) => {
        at += count;
        return forms.slice(at - count, at);
      });
    };
    for (const edge of edges) check(operation, cut(Array(total).fill(edge)));
    for (const step of [1, 5, 7]) {
      for (let from = 0; from < edges.length; from += 3) {
        check(operation, cut(Array.from({ length: total }, (_, i) => edges[(from + i * step) % edges.length]!)));
      }
    }
    // One coefficient alone, at its largest.
    for (let k = 0; k < total; k++)
      check(
        operation,
        cut(
          Array(total)
            .fill(0n)
            .with(k, 2n * p - 1n),
        ),
      );
  });

  it.each(operations)('computes $name on any elements', (operation) => {
    const form = fc.bigInt(0n, 2n * p - 1n);
    const operands = operation.operands.map((count) => fc.array(form, { minLength: count, maxLength: count }));
    const numRuns = operation.name === 'frobenius' ? 10 : 60;
    fc.assert(
      fc.property(fc.tuple(...operands), (forms) => check(operation, forms)),
      { numRuns },
    );
  });
});

describe('the cyclotomic subgroup', () => {
  let wasm: AssemblyExports;
  let heap: number;
  beforeAll(async () => {
    wasm = await assemble(
      'cyclotomic-under-test',
      `import { the } from './field/field'; import { Fq12 } from './field/fq12'; import { finalExponentiation } from './pairing/final-exponentiation';
      export function heapBase(): usize { return __heap_base; }
      export function cyclotomicSqr(r: usize, a: usize): void { the<Fq12>().cyclotomicSqr(r, a); }
      export function isOne(a: usize): bool { return the<Fq12>().isOne(a); }
      export function setOne(a: usize): void { the<Fq12>().setOne(a); }
      export { finalExponentiation };`,
    );
    heap = wasm.heapBase!();
  });

  const samples: bigint[][] = [
    Array.from({ length: 12 }, (_, i) => BigInt(i + 1)),
    Array(12).fill(p - 1n),
    [0n, 0n, 0n, 0n, 0n, 0n, 1n, 0n, 0n, 0n, 0n, 0n],
    [p - 1n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n, 0n],
    Array.from({ length: 12 }, (_, i) => mod(7n ** BigInt(100 + i), p)),
  ];
  /** f^((p^6 - 1)(p^2 + 1)). */
  const easyPart = (f: Fp12Value): Fp12Value => {
    const m = Fp12.mul(Fp12.create({ c0: f.c0, c1: Fp6.neg(f.c1) }), Fp12.inv(f));
    return Fp12.mul(Fp12.pow(m, p * p), m);
  };

  it('is squared as elsewhere', () => {
    for (const sample of samples) {
      const a = ofFp12(easyPart(toFp12(sample)));
      // In both forms of each coefficient.
      for (const forms of [formsOf(a), formsOf(a).map((form) => (form < p ? form + p : form))]) {
        for (const target of [heap, heap + 512]) {
          putForms(wasm, heap, forms);
          wasm.cyclotomicSqr!(target, heap);
          expect(valuesAt(wasm, target, 12)).toEqual(ofFp12(Fp12.sqr(toFp12(a))));
        }
      }
    }
  });

  it('is reached by the final exponentiation, to the power that its docstring states', () => {
    const x = bn254.pairing!.parameter;
    const exponent = 2n * x * (6n * x * x + 3n * x + 1n) * ((p ** 12n - 1n) / bn254.fr.modulus);
    expect((p ** 12n - 1n) % bn254.fr.modulus).toBe(0n);
    for (const sample of samples) {
      const expected = ofFp12(Fp12.pow(toFp12(sample), exponent));
      for (const target of [heap, heap + 512]) {
        putForms(wasm, heap, formsOf(sample));
        wasm.finalExponentiation!(target, heap);
        expect(valuesAt(wasm, target, 12)).toEqual(expected);
        expect(wasm.isOne!(target) !== 0).toBe(Fp12.eql(toFp12(expected), Fp12.ONE));
      }
    }
    putForms(wasm, heap, Array(12).fill(0n));
    wasm.finalExponentiation!(heap, heap);
    expect(valuesAt(wasm, heap, 12)).toEqual(Array(12).fill(0n));
  });

  it('tells 1 from everything else', () => {
    wasm.setOne!(heap);
    expect(valuesAt(wasm, heap, 12)).toEqual([1n, ...Array(11).fill(0n)]);
    expect(wasm.isOne!(heap)).toBe(1);
    const one = formsOf([1n, ...Array(11).fill(0n)]);
    putForms(
      wasm,
      heap,
      one.map((form) => form + p),
    );
    expect(wasm.isOne!(heap)).toBe(1);
    for (let k = 0; k < 12; k++) {
      putForms(wasm, heap, one.with(k, one[k]! + 1n));
      expect(wasm.isOne!(heap)).toBe(0);
    }
    putForms(wasm, heap, Array(12).fill(0n));
    expect(wasm.isOne!(heap)).toBe(0);
  });
});
