import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { mod } from '../../../sdk/curves/modular.js';
import { type AssemblyExports, assemble } from '../../support/assembly.js';
import { EVERY_COMBINATION } from '../../support/every-combination.js';
import { edgeValues } from '../../support/random.js';
import { CURVES_WITH_PAIRING } from '../../support/registry.js';
import { type Fp2Value, type Fp6Value, type Fp12Value, ofFp2, ofFp6, ofFp12, Tower } from '../../support/tower.js';

type Forms = readonly bigint[];
/**
 * An operation of a field class: its name, how many coefficients its result and its operands have, and its reference on
 * values.
 */
interface Operation {
  readonly name: string;
  readonly result: number;
  readonly operands: readonly number[];
  readonly reference: (...values: Forms[]) => bigint[];
}

/** The classes of the pairing's families. */
const FAMILIES = { bn: 'BarretoNaehrig', bls12: 'BarretoLynnScott12' } as const;

describe.each(CURVES_WITH_PAIRING)('the tower of $id', (curve) => {
  const { id, fq, fr, pairing } = curve;
  const p = fq.modulus;
  const tower = new Tower(curve);
  const { Fp2, Fp6, Fp12, toFp2, toFp6, toFp12, fqBytes } = tower;
  const edges = [...edgeValues(p).slice(0, 12), p - 1n, p, p + 1n, 2n * p - 2n, 2n * p - 1n];

  const onFp2 = (name: string, reference: (a: Fp2Value) => Fp2Value): Operation => ({
    name,
    result: 2,
    operands: [2],
    reference: (a) => ofFp2(reference(toFp2(a!))),
  });
  const onFp6 = (name: string, count: number, reference: (...all: Fp6Value[]) => Fp6Value): Operation => ({
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

  const xi = Fp2.fromBigTuple([...pairing!.nonResidue]);
  const v = Fp6.create({ c0: Fp2.ZERO, c1: Fp2.ONE, c2: Fp2.ZERO });
  const zero = Fp2.ZERO;
  const OPERATIONS: Readonly<Record<string, readonly Operation[]>> = {
    Fq2: [
      onFp2('conjugate', (a) => Fp2.frobeniusMap(a, 1)),
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
      onFp12('frobenius', 1, (a) => Fp12.frobeniusMap(a!, 1)),
      onFp12('invert', 1, (a) => (Fp12.is0(a!) ? Fp12.ZERO : Fp12.inv(a!))),
      {
        name: 'mulBy013',
        result: 12,
        operands: [12, 2, 2, 2],
        reference: (a, b0, b1, b3) => {
          const c0 = Fp6.create({ c0: toFp2(b0!), c1: zero, c2: zero });
          const c1 = Fp6.create({ c0: toFp2(b1!), c1: toFp2(b3!), c2: zero });
          return ofFp12(Fp12.mul(toFp12(a!), Fp12.create({ c0, c1 })));
        },
      },
      {
        name: 'mulBy023',
        result: 12,
        operands: [12, 2, 2, 2],
        reference: (a, b0, b2, b3) => {
          const c0 = Fp6.create({ c0: toFp2(b0!), c1: toFp2(b2!), c2: zero });
          const c1 = Fp6.create({ c0: zero, c1: toFp2(b3!), c2: zero });
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
          `import { Fq } from './generated/${id}-fq'; import { PairingConstants } from './generated/${id}-pairing';`,
          `type Type = ${type === 'Fq12' ? 'Fq12<Fq, PairingConstants>' : `${type}<Fq>`};`,
          `export function heapBase(): usize { return __heap_base; }`,
          `export function size(): usize { return the<Type>().size; }`,
          ...operations.map(({ name, operands }) => {
            const given = names.slice(0, operands.length);
            const parameters = ['r', ...given].map((n) => `${n}: usize`).join(', ');
            return `export function ${name}(${parameters}): void { the<Type>().${name}(${['r', ...given].join(', ')}); }`;
          }),
        ].join('\n'),
      );
      heap = wasm.heapBase!();
    });

    it.runIf(type === 'Fq12')('has the power p as the Frobenius map of the reference', () => {
      const a = Array.from({ length: 12 }, (_, i) => mod(7n ** BigInt(100 + i), p));
      expect(ofFp2(Fp2.frobeniusMap(toFp2(a), 1))).toEqual(ofFp2(Fp2.pow(toFp2(a), p)));
      expect(ofFp12(Fp12.frobeniusMap(toFp12(a), 1))).toEqual(ofFp12(Fp12.pow(toFp12(a), p)));
    });

    it('has the size of its coefficients', () => {
      expect(wasm.size!()).toBe(operations[0]!.result * fqBytes);
    });

    /** Runs an operation with its result apart and in place of each operand of its size. */
    function check({ name, result, operands, reference }: Operation, forms: readonly Forms[]): void {
      const addresses = operands.map((_, i) => heap + (i + 1) * 1024);
      const expected = reference(...forms.map((form) => tower.valuesOf(form)));
      const targets = [heap, ...addresses.filter((_, i) => operands[i] === result)];
      for (const target of targets) {
        for (const [i, operand] of forms.entries()) tower.putForms(wasm, addresses[i]!, operand);
        wasm[name]!(target, ...addresses);
        expect(tower.valuesAt(wasm, target, result), `${name} at ${targets.indexOf(target)}`).toEqual(expected);
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
      const numRuns = EVERY_COMBINATION ? 60 : 24;
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
        `import { the } from './field/field'; import { Fq12 } from './field/fq12'; import { finalExponentiation as raise } from './pairing/final-exponentiation';
      import { Fq } from './generated/${id}-fq'; import { PairingConstants } from './generated/${id}-pairing';
      import { ${FAMILIES[pairing!.family]} } from './pairing/${pairing!.family}';
      type Value = Fq12<Fq, PairingConstants>;
      export function heapBase(): usize { return __heap_base; }
      export function cyclotomicSqr(r: usize, a: usize): void { the<Value>().cyclotomicSqr(r, a); }
      export function isOne(a: usize): bool { return the<Value>().isOne(a); }
      export function setOne(a: usize): void { the<Value>().setOne(a); }
      export function finalExponentiation(r: usize, f: usize): void { raise<Fq, PairingConstants, ${FAMILIES[pairing!.family]}<Fq, PairingConstants>>(r, f); }`,
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
      return Fp12.mul(Fp12.frobeniusMap(m, 2), m);
    };

    it('is squared as elsewhere', () => {
      for (const sample of samples) {
        const a = ofFp12(easyPart(toFp12(sample)));
        // In both forms of each coefficient.
        for (const forms of [tower.formsOf(a), tower.formsOf(a).map((form) => (form < p ? form + p : form))]) {
          for (const target of [heap, heap + 1024]) {
            tower.putForms(wasm, heap, forms);
            wasm.cyclotomicSqr!(target, heap);
            expect(tower.valuesAt(wasm, target, 12)).toEqual(ofFp12(Fp12.sqr(toFp12(a))));
          }
        }
      }
    });

    it('is reached by the final exponentiation, to the power that its docstring states', () => {
      const x = pairing!.parameter;
      const factor = pairing!.family === 'bn' ? 2n * x * (6n * x * x + 3n * x + 1n) : 3n;
      // (p^12 - 1) / r is the product of the exponent of the easy part and this one.
      const hardPart = (p ** 4n - p ** 2n + 1n) / fr.modulus;
      expect((p ** 4n - p ** 2n + 1n) % fr.modulus).toBe(0n);
      for (const sample of samples) {
        const expected = ofFp12(Fp12.pow(easyPart(toFp12(sample)), factor * hardPart));
        for (const target of [heap, heap + 1024]) {
          tower.putForms(wasm, heap, tower.formsOf(sample));
          wasm.finalExponentiation!(target, heap);
          expect(tower.valuesAt(wasm, target, 12)).toEqual(expected);
          expect(wasm.isOne!(target) !== 0).toBe(Fp12.eql(toFp12(expected), Fp12.ONE));
        }
      }
      tower.putForms(wasm, heap, Array(12).fill(0n));
      wasm.finalExponentiation!(heap, heap);
      expect(tower.valuesAt(wasm, heap, 12)).toEqual(Array(12).fill(0n));
    });

    it('tells 1 from everything else', () => {
      wasm.setOne!(heap);
      expect(tower.valuesAt(wasm, heap, 12)).toEqual([1n, ...Array(11).fill(0n)]);
      expect(wasm.isOne!(heap)).toBe(1);
      const one = tower.formsOf([1n, ...Array(11).fill(0n)]);
      tower.putForms(
        wasm,
        heap,
        one.map((form) => form + p),
      );
      expect(wasm.isOne!(heap)).toBe(1);
      for (let k = 0; k < 12; k++) {
        tower.putForms(wasm, heap, one.with(k, one[k]! + 1n));
        expect(wasm.isOne!(heap)).toBe(0);
      }
      tower.putForms(wasm, heap, Array(12).fill(0n));
      expect(wasm.isOne!(heap)).toBe(0);
    });
  });
});
