import { beforeAll, describe, expect, it } from 'vitest';
import { balancedLimbs } from '../../../scripts/generate/wasm/lane-facts.js';
import { bigintToBytes, bytesToBigint } from '../../../sdk/base/bytes.js';
import type { CurveParameters } from '../../../sdk/curves/index.js';
import { packedWords } from '../../../sdk/curves/limbs.js';
import { inverse, mod } from '../../../sdk/curves/modular.js';
import { type AssemblyExports, assemble } from '../../support/assembly.js';
import { EVERY_COMBINATION } from '../../support/every-combination.js';
import { LANE_CLASSES } from '../../support/lane-forms.js';
import { edgeValues, Random } from '../../support/random.js';
import { ALL_CURVES } from '../../support/registry.js';
import { allowRelaxedSimd } from '../../support/relaxed-simd.js';
import { expectAtMost, expectSame } from '../../support/same.js';

/** The methods of the class that take addresses alone, and how many. */
const METHODS = {
  mul: 3,
  sqr: 2,
  add: 3,
  sub: 3,
  sub2: 4,
  reduce: 2,
  copy: 2,
  setOne: 1,
  load: 3,
  storeFirst: 2,
  storeSecond: 2,
  loadPacked: 3,
  storePacked: 3,
} as const;

/** AssemblyScript that exports the methods for a curve, and those of the quadratic extension where there is a G2. */
const textFor = ({ id, g2 }: CurveParameters, { name, file }: (typeof LANE_CLASSES)[number]): string => `
import { the } from './field/field';
import { ${name} as FqLanes } from './generated/${id}-${file}';
${Object.entries(METHODS)
  .map(([name, count]) => {
    const names = ['x', 'y', 'z', 'u'].slice(0, count);
    return `export function ${name}(${names.map((n) => `${n}: usize`).join(', ')}): void { the<FqLanes>().${name}(${names.join(', ')}); }`;
  })
  .join('\n')}
export function heapBase(): usize { return __heap_base; }
export function size(): usize { return the<FqLanes>().size; }
export function elementSize(): usize { return the<FqLanes>().elementSize; }
export function multiples(a: usize): i32 { return the<FqLanes>().multiples(a); }
export function select(r: usize, a: usize, b: usize, mask: usize): void { the<FqLanes>().select(r, a, b, v128.load(mask)); }
export function copySigned(target: usize, source: usize, negative: bool): void { the<FqLanes>().copySigned(target, source, negative); }
export function loadSigned(r: usize, x: usize, y: usize, signs: usize): void { the<FqLanes>().loadSigned(r, x, y, v128.load(signs)); }
export function products(r: usize, a: usize, b: usize, count: i32): void {
  const n = the<FqLanes>().size;
  for (let i = 0; i < count; i++) the<FqLanes>().mul(r + i * n, a + i * n, b + i * n);
}
${g2 === undefined ? '' : EXTENDED}`;

const EXTENDED = `
import { Fq2Lanes } from './field/fq2-lanes';
export function mulExtended(r: usize, a: usize, b: usize): void { the<Fq2Lanes<FqLanes>>().mul(r, a, b); }
export function sqrExtended(r: usize, a: usize): void { the<Fq2Lanes<FqLanes>>().sqr(r, a); }
export function multiplesExtended(a: usize): i32 { return the<Fq2Lanes<FqLanes>>().multiples(a); }
`;

type Pair = readonly [bigint, bigint];

const CASES = ALL_CURVES.flatMap((curve) =>
  LANE_CLASSES.map((lanes) => ({ id: curve.id, curve, name: lanes.name, lanes })),
);

describe.each(CASES)('Fq of $id as $name', ({ curve, lanes }) => {
  const { fq, g2 } = curve;
  const p = fq.modulus;
  const form = lanes.formOf(fq);
  const { limbs, limbBits, r, packedR, remainder, mostMultiple } = form;
  const words = packedWords(fq.bits);
  const fromR = inverse(r, p);
  /** Largest limbs: of a product, of an operand that is not normalised, of what `reduce` takes. */
  const NORMAL = 2 ** (limbBits - 1);
  const WIDE = 2 * NORMAL;
  const WIDEST = 4 * NORMAL;
  /** Bytes of two elements in lanes. */
  const n = form.size;
  let wasm: AssemblyExports;
  /** Addresses of lane pairs, and of two elements by themselves. */
  let a: number;
  let b: number;
  let c: number;
  let d: number;
  let x: number;
  let y: number;

  beforeAll(async () => {
    allowRelaxedSimd();
    wasm = await assemble('lanes-under-test', textFor(curve, lanes), lanes.features);
    const heap = Math.ceil(wasm.heapBase!() / 16) * 16;
    [a, b, c, d, x, y] = [0, 2 * n, 4 * n, 6 * n, 8 * n, 9 * n].map((offset) => heap + offset) as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
  }, 60_000);

  const numbers = (): Float64Array | Int32Array => form.numbers(wasm.memory);
  const valueOfLimbs = (digits: ArrayLike<number>): bigint => {
    let value = 0n;
    for (let i = limbs - 1; i >= 0; i--) value = (value << BigInt(limbBits)) + BigInt(digits[i]!);
    return value;
  };
  const lane = (at: number, l: number): number[] =>
    Array.from({ length: limbs }, (_, i) => numbers()[form.indexOf(at, l, i)]!);
  function putLimbs(at: number, l: number, digits: readonly number[]): void {
    for (const [i, digit] of digits.entries()) numbers()[form.indexOf(at, l, i)] = digit;
  }
  function put(at: number, values: Pair): void {
    for (const [l, value] of values.entries()) putLimbs(at, l, balancedLimbs(value, limbs, limbBits).map(Number));
  }
  const get = (at: number): Pair => [valueOfLimbs(lane(at, 0)), valueOfLimbs(lane(at, 1))];
  const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

  function expectNormal(at: number, slack = 0): void {
    const carried = [0, 1].flatMap((l) => lane(at, l).slice(0, -1));
    expectAtMost(Math.max(...carried.map(Math.abs)), NORMAL + slack);
  }
  function expectReduced(at: number): void {
    expectNormal(at, form.slack);
    for (const value of get(at)) expectSame(magnitude(value) * 100n < 51n * p, true);
  }

  /** Values from -4p to 4p around the edges, in pairs. */
  const edges = edgeValues(p).flatMap((value) => [
    value,
    -value,
    value + p,
    value - 2n * p,
    3n * p + value,
    value - 4n * p,
  ]);
  const pairs = (): Pair[] => edges.map((value, i) => [value, edges[(i * 37 + 11) % edges.length]!]);

  function expectProduct(left: Pair, right: Pair): void {
    for (const l of [0, 1] as const) {
      const product = left[l] * right[l];
      const result = get(c)[l];
      expectSame(mod(result - product * fromR, p), 0n);
      expectSame(magnitude(result) * r * 100n <= (remainder + 1n) * p * r + magnitude(product) * 100n, true);
    }
    expectNormal(c);
  }

  function checkProduct(left: Pair, right: Pair): void {
    put(a, left);
    put(b, right);
    wasm.mul!(c, a, b);
    expectProduct(left, right);
    const result = get(c);
    wasm.mul!(a, a, b);
    expectSame(get(a), result);
    put(a, left);
    wasm.mul!(b, a, b);
    expectSame(get(b), result);
    wasm.sqr!(c, a);
    expectProduct(left, left);
    wasm.sqr!(a, a);
    expectSame(get(a), get(c));
  }

  it('has limbs for two more bits', () => {
    expectSame(r > 4n * p, true);
    expect([wasm.size!(), wasm.elementSize!()]).toEqual([n, form.elementSize]);
  });

  it('multiplies and squares at the edges', () => {
    const all = pairs();
    for (const [i, left] of all.entries()) {
      for (const j of [i, (i * 7 + 3) % all.length, (i * 31 + 11) % all.length]) checkProduct(left, all[j]!);
    }
  });

  it('keeps its bounds when every limb is as large as it may be', () => {
    const top = Number((4n * p) >> BigInt(limbBits * (limbs - 1)));
    const signs = [[1], [-1], [1, -1], [-1, 1, 1], [1, 1, -1, -1], [-1, -1, -1, -1, 1]].map((pattern) =>
      Array.from({ length: limbs }, (_, i) => pattern[i % pattern.length]!),
    );
    const limbsOf = (largest: number, row: readonly number[]): number[] =>
      row.map((sign, i) => sign * (i < limbs - 1 ? largest : top));
    for (const [largeA, largeB] of [
      [WIDE, NORMAL],
      [NORMAL, WIDE],
      [NORMAL, NORMAL],
      [NORMAL - 1, WIDE - 1],
    ] as const) {
      for (const left of signs) {
        for (const right of signs) {
          for (const l of [0, 1]) {
            putLimbs(a, l, limbsOf(largeA, l === 0 ? left : right));
            putLimbs(b, l, limbsOf(largeB, right));
          }
          wasm.mul!(c, a, b);
          expectProduct(get(a), get(b));
          if (largeA > NORMAL) continue;
          wasm.sqr!(c, a);
          expectProduct(get(a), get(a));
        }
      }
    }
  });

  const inExtension = (): void => {
    const { nonResidue } = g2!;
    // Multiplying by u^2 begins with a double, which is reduced.
    const mostDoubled = nonResidue === -1n ? 4n * p : (BigInt(2 * mostMultiple + 1) * p) / 4n;
    const check = (bound: bigint): void => {
      const [left, right] = [a, b].map((at) => [get(at), get(at + n)] as const) as [[Pair, Pair], [Pair, Pair]];
      wasm.mulExtended!(c, a, b);
      for (const l of [0, 1] as const) {
        const [a0, a1, b0, b1] = [left[0][l], left[1][l], right[0][l], right[1][l]];
        const result = [get(c)[l], get(c + n)[l]] as const;
        expectSame(mod(result[0] - (a0 * b0 + nonResidue * a1 * b1) * fromR, p), 0n);
        expectSame(mod(result[1] - (a0 * b1 + a1 * b0) * fromR, p), 0n);
        for (const half of result) expectSame(magnitude(half) < bound, true);
      }
      expectNormal(c);
      expectNormal(c + n);
      const result = [get(c), get(c + n)];
      wasm.mulExtended!(a, a, b);
      expectSame([get(a), get(a + n)], result);
    };
    const all = pairs();
    for (const [i, left] of all.entries()) {
      for (const j of [i, (i * 7 + 3) % all.length]) {
        put(a, left);
        const [first, second] = all[(i * 5 + 2) % all.length]!;
        put(a + n, [first % mostDoubled, second % mostDoubled]);
        put(b, all[j]!);
        put(b + n, all[(j * 11 + 1) % all.length]!);
        check(((remainder + 50n) * p) / 100n);
      }
    }
    const topOf = (value: bigint): number => Number(value >> BigInt(limbBits * (limbs - 1)));
    for (const signs of [0, 1, 2, 3, 5, 7, 10, 15]) {
      for (const [i, at] of [a, a + n, b, b + n].entries()) {
        const sign = (signs >> i) & 1 ? -1 : 1;
        const largest = i < 2 ? WIDE : NORMAL;
        // Limbs that are not normalised may be worth one of the highest.
        const top = i === 1 ? Math.max(0, topOf(mostDoubled) - 1) : topOf(4n * p);
        for (const l of [0, 1])
          putLimbs(
            at,
            l,
            Array.from({ length: limbs }, (_, i) => sign * (1 - 2 * l) * (i < limbs - 1 ? largest : top)),
          );
      }
      check(((remainder + 50n) * p) / 100n);
    }
    // The square adds both halves or one to itself, and reduces the sum.
    const halfOfMost = (BigInt(10 * mostMultiple + 4) * p) / 20n;
    for (const [i, [first, second]] of all.entries()) {
      const [a0, a1] = [first % halfOfMost, all[(i * 3 + 1) % all.length]![1] % halfOfMost];
      put(a, [a0, second % p]);
      put(a + n, [a1, -second % p]);
      wasm.sqrExtended!(c, a);
      const result = [get(c), get(c + n)];
      expectSame(mod(get(c)[0] - (a0 * a0 + nonResidue * a1 * a1) * fromR, p), 0n);
      expectSame(mod(get(c + n)[0] - 2n * a0 * a1 * fromR, p), 0n);
      expectNormal(c);
      expectNormal(c + n);
      wasm.sqrExtended!(a, a);
      expectSame([get(a), get(a + n)], result);
    }
    for (const [first, second, expected] of [
      [0n, p, 3],
      [p, 1n, 0],
      [1n, -p, 0],
    ] as const) {
      put(a, [first, first]);
      put(a + n, [second, second]);
      expectSame(wasm.multiplesExtended!(a), expected);
    }
  };
  if (g2 !== undefined) it('multiplies and squares in the quadratic extension', inExtension);

  const rounds = EVERY_COMBINATION ? 125 : 10;
  it(`multiplies ${2 * rounds} 000 pairs with biased limbs`, () => {
    const count = 1000;
    const bytes = count * n;
    const at = [d, d + bytes, d + 2 * bytes] as const;
    wasm.memory.grow(Math.ceil((3 * bytes) / 65536) + 1);
    const random = new Random(52);
    const special = [0, 1, -1, NORMAL, -NORMAL, NORMAL - 1, 1 - NORMAL, NORMAL / 2, -NORMAL / 2, 2 ** 26, 2 ** 25 - 1];
    // A multiplicative generator of 31 bits: the limbs need spread, not quality, and millions of them.
    let state = 1 + random.integer(2 ** 31 - 2);
    const next = (): number => {
      state = (state * 48271) % 2147483647;
      return state;
    };
    const digit = (wide: number): number => {
      const kind = next() % 16;
      if (kind < special.length) return special[kind]! * wide;
      return (Math.floor((next() * 2 ** 20 + (next() & 0xfffff)) / 2 ** (52 - limbBits)) - NORMAL / 2) * wide;
    };
    for (let round = 0; round < rounds; round++) {
      const memory = numbers();
      for (const [operand, wide] of [
        [at[1], 1 + (round & 1)],
        [at[2], 2 - (round & 1)],
      ] as const) {
        for (let i = 0; i < count * 2 * limbs; i++) {
          const at = operand + Math.floor(i / (2 * limbs)) * n;
          const limb = (i >> 1) % limbs;
          memory[form.indexOf(at, i & 1, limb)] = limb === limbs - 1 ? Math.trunc(digit(1) / 8) : digit(wide);
        }
      }
      wasm.products!(at[0], at[1], at[2], count);
      for (let i = 0; i < 2 * count; i++) {
        const [result, left, right] = at.map((base) => {
          let value = 0n;
          for (let j = limbs - 1; j >= 0; j--) {
            value = (value << BigInt(limbBits)) + BigInt(memory[form.indexOf(base + (i >> 1) * n, i & 1, j)]!);
          }
          return value;
        }) as [bigint, bigint, bigint];
        if ((result * r - left * right) % p !== 0n) expect.fail(`${left} * ${right} gave ${result}`);
      }
    }
  });

  it('adds, subtracts and reduces', () => {
    const within = pairs().map(([first, second]): Pair => [first % ((3n * p) / 2n), second % ((3n * p) / 4n)]);
    for (const [i, left] of within.entries()) {
      const right: Pair = [within[(i * 5 + 1) % edges.length]![1], left[1]];
      put(a, left);
      put(b, right);
      wasm.add!(c, a, b);
      expectSame(get(c), [left[0] + right[0], left[1] + right[1]]);
      wasm.sub!(c, a, b);
      expectSame(get(c), [left[0] - right[0], left[1] - right[1]]);
      wasm.reduce!(d, c);
      for (const l of [0, 1] as const) expectSame(mod(get(d)[l] - left[l] + right[l], p), 0n);
      expectReduced(d);
      wasm.sub2!(d, a, b, b);
      for (const l of [0, 1] as const) expectSame(mod(get(d)[l] - left[l] + 2n * right[l], p), 0n);
      expectReduced(d);
      wasm.reduce!(a, a);
      for (const l of [0, 1] as const) expectSame(mod(get(a)[l] - left[l], p), 0n);
      expectReduced(a);
    }
    // The largest value that it takes, less 0.1 p, with the carries from below.
    const largest = (BigInt(10 * mostMultiple + 4) * p) / 10n;
    const topLimb = Number(largest >> BigInt(limbBits * (limbs - 1))) - 4;
    for (const sign of [1, -1]) {
      for (const l of [0, 1])
        putLimbs(
          a,
          l,
          Array.from({ length: limbs }, (_, i) => (i === l ? -sign : sign) * (i < limbs - 1 ? WIDEST : topLimb)),
        );
      wasm.reduce!(c, a);
      for (const l of [0, 1] as const) expectSame(mod(get(c)[l] - get(a)[l], p), 0n);
      expectReduced(c);
    }
  });

  it('tells multiples of p', () => {
    const small = [
      0n,
      1n,
      -1n,
      2n,
      p - 1n,
      p,
      p + 1n,
      -p,
      1n - p,
      -1n - p,
      2n * p - 1n,
      1n << BigInt(limbBits),
      p + (1n << BigInt(2 * limbBits)),
      -p - (1n << BigInt(limbBits * (limbs - 1))),
    ];
    for (const first of small) {
      for (const second of small) {
        const expected = (first % p === 0n ? 1 : 0) + (second % p === 0n ? 2 : 0);
        put(a, [first, second]);
        expectSame(wasm.multiples!(a), expected);
        // The same as a difference of elements, its limbs not carried.
        put(b, [p / 3n, -p / 5n]);
        wasm.add!(a, a, b);
        wasm.sub!(a, a, b);
        put(c, [first - p / 3n, second + p / 5n]);
        wasm.add!(a, c, b);
        expectSame(wasm.multiples!(a), expected);
      }
    }
  });

  it('puts elements into lanes, takes them out, and selects', () => {
    const values: Pair = [p / 3n, -p / 7n];
    put(a, values);
    wasm.storeFirst!(x, a);
    wasm.storeSecond!(y, a);
    wasm.load!(b, x, y);
    expectSame(get(b), values);
    wasm.load!(b, y, x);
    expectSame(get(b), [values[1], values[0]]);
    wasm.copy!(c, b);
    expectSame(get(c), get(b));
    const mask = new BigUint64Array(wasm.memory.buffer, d, 2);
    mask.set([1n << 63n, 0n]);
    wasm.loadSigned!(b, x, y, d);
    expectSame(get(b), [-values[0], values[1]]);
    mask.set([0n, 2n ** 64n - 1n]);
    wasm.select!(c, b, a, d);
    expectSame(get(c), [values[0], values[1]]);
    wasm.select!(c, a, b, d);
    expectSame(get(c), [-values[0], values[1]]);
    wasm.setOne!(c);
    for (const one of get(c)) expectSame(mod(one - r, p), 0n);
    for (const negative of [0, 1]) {
      wasm.copySigned!(d, y, negative);
      wasm.load!(c, x, d);
      expectSame(get(c), [values[0], negative === 0 ? values[1] : -values[1]]);
    }
  });

  it('converts from and to the packed form', () => {
    const values = edgeValues(p);
    const bytes = new Uint8Array(wasm.memory.buffer);
    for (const [i, first] of values.entries()) {
      const second = values[(i * 37 + 5) % values.length]!;
      bytes.set(bigintToBytes(first, 4 * words), x);
      bytes.set(bigintToBytes(second, 4 * words), y);
      wasm.loadPacked!(a, x, y);
      expectReduced(a);
      expectSame(
        get(a).map((value) => mod(value * packedR, p)),
        [first, second].map((value) => mod(value * r, p)),
      );
      const reduced = get(a);
      wasm.storePacked!(x, y, a);
      const packed = [bytesToBigint(bytes, x, 4 * words), bytesToBigint(bytes, y, 4 * words)];
      if (form.packsAsItIs)
        expectSame(
          packed,
          reduced.map((value) => value + p),
        );
      for (const value of packed) expectSame(value < 2n * p, true);
      expectSame(
        packed.map((value) => mod(value, p)),
        [first, second],
      );
    }
  });
});
