import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, bytesToBigint } from '../../../sdk/base/bytes.js';
import { packedMontgomeryBits, packedWords } from '../../../sdk/curves/limbs.js';
import { inverse, mod } from '../../../sdk/curves/modular.js';
import { type AssemblyExports, assemble } from '../../support/assembly.js';
import { EVERY_COMBINATION } from '../../support/every-combination.js';
import { edgeValues } from '../../support/random.js';
import { CURVES_WITH_G2 } from '../../support/registry.js';
import { expectSame } from '../../support/same.js';
import { smallLimbs, wideLimbs } from '../../support/single-forms.js';

type Element = readonly [c0: bigint, c1: bigint];

const cases = CURVES_WITH_G2.flatMap((curve) =>
  [smallLimbs(curve.fq), ...(curve.pairing === undefined ? [] : [wideLimbs(curve.fq)])].map((form) => ({
    ...curve,
    form,
    file: `${curve.id}-fq${form.suffix}`,
  })),
);

describe.each(cases)('F_p^2 over $file in the kernels', ({ fq, g2, form: shape, file }) => {
  const p = fq.modulus;
  const { limbs, limbBits, bytes, r } = shape;
  const packedBytes = 4 * packedWords(fq.bits);
  const fromR = inverse(r, p);
  const multiply = ([a0, a1]: Element, [b0, b1]: Element): Element => [
    mod(a0 * b0 + g2!.nonResidue * a1 * b1, p),
    mod(a0 * b1 + a1 * b0, p),
  ];
  let wasm: AssemblyExports;
  let [a, b, c, packed] = [0, 0, 0, 0];

  beforeAll(async () => {
    const names = {
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
    };
    const forms = { loadCanonical: 2, storeCanonical: 2, loadPacked: 2, storePacked: 2, loadMontgomery: 2 };
    const tests = { isZero: 1, equals: 2, isBelowModulus: 1 };
    const wrap = (name: string, count: number, result: string): string => {
      const parameters = ['x', 'y', 'z', 'u'].slice(0, count);
      const call = `the<Fq2<Fq>>().${name}(${parameters.join(', ')})`;
      return `export function ${name}(${parameters.map((x) => `${x}: usize`).join(', ')}): ${result} { ${result === 'void' ? '' : 'return '}${call}; }`;
    };
    wasm = await assemble(
      'fq2-under-test',
      [
        `import { the } from './field/field'; import { Fq2 } from './field/fq2'; import { Fq } from './generated/${file}';`,
        `export function heapBase(): usize { return __heap_base; }`,
        `export function size(): usize { return the<Fq2<Fq>>().size; }`,
        `export function packedSize(): usize { return the<Fq2<Fq>>().packedSize; }`,
        ...Object.entries({ ...names, ...forms }).map(([name, count]) => wrap(name, count, 'void')),
        ...Object.entries(tests).map(([name, count]) => wrap(name, count, 'bool')),
      ].join('\n'),
      [],
      shape.suffix === '' ? undefined : `${file}.wat`,
    );
    const heap = wasm.heapBase!();
    [a, b, c, packed] = [heap, heap + 128, heap + 256, heap + 384];
  });

  /** Writes the forms as they are: any two integers below 2p. */
  function putForm(at: number, form: Element): void {
    for (const [k, value] of form.entries()) {
      shape.put(wasm.memory, at + k * bytes, value);
    }
  }

  function formAt(at: number): Element {
    return [0, 1].map((k) => {
      const value = shape.get(wasm.memory, at + k * bytes);
      expectSame(value < 2n * p, true);
      return value;
    }) as unknown as Element;
  }

  const reduced = ([x, y]: Element): Element => [mod(x, p), mod(y, p)];

  function check(x: Element, y: Element): void {
    const scale = ([u, v]: Element): Element => [u * fromR, v * fromR];
    for (const [name, expected] of [
      ['mul', scale(multiply(x, y))],
      ['add', [x[0] + y[0], x[1] + y[1]]],
      ['sub', [x[0] - y[0], x[1] - y[1]]],
    ] as const) {
      // The result lies apart, where the first operand lay, and where the second did.
      for (const target of [c, a, b]) {
        putForm(a, x);
        putForm(b, y);
        wasm[name]!(target, a, b);
        expectSame(reduced(formAt(target)), reduced(expected), name);
      }
    }
    for (const [name, expected] of [
      ['sqr', scale(multiply(x, x))],
      ['neg', [-x[0], -x[1]]],
      ['dbl', [2n * x[0], 2n * x[1]]],
      ['copy', x],
    ] as const) {
      for (const target of [c, a]) {
        putForm(a, x);
        wasm[name]!(target, a);
        expectSame(reduced(formAt(target)), reduced(expected), name);
      }
    }
    putForm(a, x);
    putForm(b, y);
    wasm.sub2!(c, a, b, b);
    expectSame(reduced(formAt(c)), reduced([x[0] - 2n * y[0], x[1] - 2n * y[1]]));
    expectSame(wasm.equals!(a, b) !== 0, mod(x[0] - y[0], p) === 0n && mod(x[1] - y[1], p) === 0n);
    expectSame(wasm.isZero!(a) !== 0, mod(x[0], p) === 0n && mod(x[1], p) === 0n);
  }

  const edges = [...edgeValues(p).slice(0, 24), p - 1n, p, p + 1n, 2n * p - 2n, 2n * p - 1n];
  const form = fc.tuple(fc.bigInt(0n, 2n * p - 1n), fc.bigInt(0n, 2n * p - 1n));

  it('computes at the edges of its halves', () => {
    for (const x of edges) {
      for (const [k, y] of edges.entries()) {
        check([x, y], [edges[(k * 5 + 2) % edges.length]!, edges[(k * 7 + 3) % edges.length]!]);
      }
      check([x, x], [x, x]);
      check([x, 0n], [0n, x]);
    }
    // Every limb but the highest as large as it may be: the largest columns, in either half.
    const full = (1n << BigInt(limbBits * (limbs - 1))) - 1n;
    const topped = full + (((2n * p) >> BigInt(limbBits * (limbs - 1))) - 1n) * (full + 1n);
    for (const large of [full, topped]) {
      check([large, large], [large, large]);
      check([large, 0n], [large, large]);
      check([0n, large], [large, large]);
      check([large, 2n * p - large], [2n * p - large, large]);
    }
    // The ends of c0's range before its reduction, for u^2 < 0: 4 u^2 p^2 and 4 p^2.
    check([0n, 2n * p - 1n], [0n, 2n * p - 1n]);
    check([2n * p - 1n, 0n], [2n * p - 1n, 0n]);
    check([2n * p - 1n, 2n * p - 1n], [2n * p - 1n, 2n * p - 1n]);
  });

  it('computes on any elements', () => {
    fc.assert(fc.property(form, form, check), { numRuns: EVERY_COMBINATION ? 300 : 100 });
  });

  it('inverts, and gives 0 for 0', () => {
    const checkInverse = (x: Element): void => {
      for (const target of [c, a]) {
        putForm(a, x);
        wasm.invert!(target, a);
        const value = reduced(formAt(target));
        const one = multiply(multiply(value, x), [fromR * fromR, 0n]);
        expectSame(one, mod(x[0], p) === 0n && mod(x[1], p) === 0n ? [0n, 0n] : [1n, 0n]);
      }
    };
    for (const x of edges) {
      checkInverse([x, 0n]);
      checkInverse([0n, x]);
      checkInverse([x, x]);
    }
    fc.assert(fc.property(form, checkInverse), { numRuns: 30 });
  });

  it('sets 0 and 1', () => {
    wasm.setOne!(c);
    expectSame(reduced(formAt(c)), [mod(r, p), 0n]);
    wasm.setZero!(c);
    expectSame(formAt(c), [0n, 0n]);
  });

  it('reads and writes each packed form', () => {
    expect(wasm.size!()).toBe(2 * bytes);
    expect(wasm.packedSize!()).toBe(2 * packedBytes);
    const memory = (): Uint8Array => new Uint8Array(wasm.memory.buffer);
    for (const x of edges.filter((value) => value < p)) {
      const y = mod(x * x + 5n, p);
      for (const [load, store, exponent] of [
        ['loadCanonical', 'storeCanonical', 0],
        ['loadPacked', 'storePacked', packedMontgomeryBits(fq.bits)],
        ['loadMontgomery', undefined, 8 * packedBytes],
      ] as const) {
        const halves = [x, y].map((value) => mod(value << BigInt(exponent), p));
        for (const [k, half] of halves.entries())
          memory().set(bigintToBytes(half, packedBytes), packed + packedBytes * k);
        wasm[load]!(c, packed);
        expectSame(reduced(formAt(c)), [mod(x * r, p), mod(y * r, p)]);
        if (store === undefined) continue;
        memory().fill(0, packed, packed + 2 * packedBytes);
        wasm[store]!(packed, c);
        expectSame(
          [0, 1].map((k) => bytesToBigint(memory(), packed + packedBytes * k, packedBytes)),
          halves,
        );
      }
    }
  });

  it('tells halves below p from others', () => {
    const cases: [bigint, bigint, boolean][] = [
      [0n, p - 1n, true],
      [p, 0n, false],
      [0n, p, false],
    ];
    for (const [x, y, expected] of cases) {
      for (const [k, half] of [x, y].entries())
        new Uint8Array(wasm.memory.buffer).set(bigintToBytes(half, packedBytes), packed + packedBytes * k);
      expectSame(wasm.isBelowModulus!(packed) !== 0, expected);
    }
  });
});
