import { beforeAll, describe, expect, it } from 'vitest';
import { balancedLimbs, laneFacts } from '../../../scripts/generate/wasm/lane-facts.js';
import { bigintToBytes, bytesToBigint } from '../../../sdk/base/bytes.js';
import { fromLimbs, toLimbs, WASM_LIMB_BITS, wasmLimbs } from '../../../sdk/curves/limbs.js';
import { inverse, mod } from '../../../sdk/curves/modular.js';
import { type AssemblyExports, assemble } from '../../support/assembly.js';
import { EVERY_COMBINATION } from '../../support/every-combination.js';
import { edgeValues, Random } from '../../support/random.js';
import { CURVES_WITH_TRANSFORMS } from '../../support/registry.js';
import { allowRelaxedSimd } from '../../support/relaxed-simd.js';
import { expectAtMost, expectSame } from '../../support/same.js';

/** What wasm/ntt/ntt.ts takes from a field, as exports on addresses. */
const METHODS = {
  load: 2,
  store: 2,
  gather: 3,
  exchange: 2,
  mul: 3,
  sub: 3,
  scale: 3,
  toMontgomery: 2,
  loadFactor: 2,
  mulFactors: 3,
  spread: 2,
  butterfly: 2,
  butterflyMontgomery: 3,
  butterflyMontgomeryBoth: 3,
  butterflySpread: 3,
  butterflySpreadBoth: 3,
} as const;

function moduleText(type: string, file: string): string {
  const methods = Object.entries(METHODS).map(([name, count]) => {
    const names = ['x', 'y', 'z'].slice(0, count);
    return `export function ${name}(${names.map((n) => `${n}: usize`).join(', ')}): void { the<${type}>().${name}(${names.join(', ')}); }`;
  });
  return `
import { the } from './field/field';
import { ${type} } from './generated/${file}';
${methods.join('\n')}
export function heapBase(): usize { return __heap_base; }
export function size(): usize { return the<${type}>().size; }
export function spreadSize(): usize { return the<${type}>().spreadSize; }
`;
}

/** Addresses with room for a vector of elements each, and for a vector of spread factors at the end. */
function addresses(wasm: AssemblyExports): {
  x: number;
  y: number;
  z: number;
  factor: number;
  bytes: number;
  rows: number;
} {
  const heap = Math.ceil(wasm.heapBase!() / 16) * 16;
  return { x: heap, y: heap + 80, z: heap + 160, factor: heap + 240, bytes: heap + 320, rows: heap + 400 };
}

function putBytes(wasm: AssemblyExports, at: number, ...values: bigint[]): void {
  for (const [i, value] of values.entries())
    new Uint8Array(wasm.memory.buffer).set(bigintToBytes(value, 32), at + 32 * i);
}

const getBytes = (wasm: AssemblyExports, at: number): bigint =>
  bytesToBigint(new Uint8Array(wasm.memory.buffer), at, 32);

describe.each(CURVES_WITH_TRANSFORMS)('butterflies over Fr of $id on i64 limbs', ({ id, fr }) => {
  const p = fr.modulus;
  const limbs = wasmLimbs(fr.bits);
  const r = 1n << BigInt(limbs * WASM_LIMB_BITS);
  /** Where 64 p times 2 p would not be reduced below 2 p. */
  const reducesFactors = 128n * p >= r;
  let wasm: AssemblyExports;
  let at: ReturnType<typeof addresses>;
  beforeAll(async () => {
    wasm = await assemble('butterflies-under-test', moduleText('Fr', `${id}-fr`));
    at = addresses(wasm);
  });

  const put = (address: number, value: bigint): void =>
    new Uint32Array(wasm.memory.buffer, address, limbs).set(toLimbs(value, limbs, WASM_LIMB_BITS));
  function get(address: number): bigint {
    const words = new Uint32Array(wasm.memory.buffer, address, limbs);
    expectSame(
      words.every((word) => word < 2 ** WASM_LIMB_BITS),
      true,
    );
    return fromLimbs(words, WASM_LIMB_BITS);
  }

  /** Elements on both sides of every multiple of p that may occur, and such as have all limbs but the highest full. */
  const full = (1n << BigInt(WASM_LIMB_BITS * (limbs - 1))) - 1n;
  const elements = [
    ...edgeValues(p),
    ...Array.from({ length: 64 }, (_, k) => BigInt(k) * p).flatMap((value) => [
      value + 1n,
      value + p - 1n,
      value | full,
    ]),
    64n * p - 1n,
  ].filter((value) => value < 64n * p);

  it('loads and stores what lies below 64 p', () => {
    for (const value of elements) {
      put(at.x, value);
      wasm.store!(at.bytes, at.x);
      expectSame(getBytes(wasm, at.bytes), mod(value, p));
    }
    for (const value of edgeValues(p)) {
      putBytes(wasm, at.bytes, value);
      wasm.load!(at.x, at.bytes);
      expectSame(get(at.x), value);
      wasm.gather!(at.y, at.x, at.z);
      expectSame(get(at.y), value);
    }
  });

  it('adds and subtracts below 4 p', () => {
    const small = elements.filter((value) => value < 4n * p);
    for (const [i, x] of small.entries()) {
      const y = small[(i * 37 + 5) % small.length]!;
      put(at.x, x);
      put(at.y, y);
      wasm.butterfly!(at.x, at.y);
      expectSame([get(at.x), get(at.y)], [x + y, x - y + 4n * p]);
    }
  });

  it('multiplies by factors of either form', () => {
    const factors = edgeValues(p);
    for (const [i, factor] of factors.entries()) {
      putBytes(wasm, at.bytes, factor);
      wasm.loadFactor!(at.factor, at.bytes);
      expectSame(mod(get(at.factor) - factor * r, p), 0n);
      // The largest form that a factor may have, where it is not reduced: below 2 p.
      if (!reducesFactors && get(at.factor) < p) put(at.factor, get(at.factor) + p);
      wasm.spread!(at.rows, at.factor);
      for (const [j, y] of elements.entries()) {
        if ((i + j) % 4 !== 0) continue;
        const x = elements[(i * 31 + j * 7) % elements.length]!;
        for (const [name, operand, bound] of [
          ['butterflyMontgomery', at.factor, 2n * p],
          ['butterflySpread', at.rows, (11n * p) / 10n],
        ] as const) {
          put(at.x, x);
          put(at.y, y);
          wasm[name]!(at.x, at.y, operand);
          const product = get(at.x) - x;
          expectSame(mod(product - factor * y, p), 0n, name);
          expectSame(product >= 0n && product < bound, true);
          expectSame(get(at.y), x - product + 2n * p);
        }
        put(at.y, y);
        wasm.scale!(at.y, at.y, at.rows);
        expectSame(mod(get(at.y) - factor * y, p), 0n);
        expectSame(get(at.y) < (11n * p) / 10n, true);
      }
    }
  });
});

describe.each(CURVES_WITH_TRANSFORMS.filter(({ transforms }) => transforms?.inLanes))(
  'butterflies over Fr of $id in lanes of f64x2',
  ({ id, fr }) => {
    const p = fr.modulus;
    const { limbs, limbBits, r } = laneFacts(fr);
    const fromR = inverse(r, p);
    const LARGEST = 2 ** limbBits;
    type Pair = readonly [bigint, bigint];
    type Limbs = readonly number[];
    let wasm: AssemblyExports;
    let at: ReturnType<typeof addresses>;
    beforeAll(async () => {
      allowRelaxedSimd();
      wasm = await assemble('butterflies-under-test', moduleText('FrLanes', `${id}-fr-lanes`), [
        'simd',
        'relaxed-simd',
      ]);
      at = addresses(wasm);
    });

    const integerOf = (digits: Limbs): bigint =>
      digits.reduceRight((value, digit) => (value << BigInt(limbBits)) + BigInt(digit), 0n);
    function putLimbs(address: number, lanes: readonly [Limbs, Limbs]): void {
      const doubles = new Float64Array(wasm.memory.buffer, address, 2 * limbs);
      for (const [l, digits] of lanes.entries()) for (const [i, digit] of digits.entries()) doubles[2 * i + l] = digit;
    }
    function getLimbs(address: number): [number[], number[]] {
      const doubles = new Float64Array(wasm.memory.buffer, address, 2 * limbs);
      return [0, 1].map((l) => Array.from({ length: limbs }, (_, i) => doubles[2 * i + l]!)) as [number[], number[]];
    }
    const get = (address: number): Pair => getLimbs(address).map(integerOf) as [bigint, bigint];
    const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
    function expectLimbs(address: number, largest: number): void {
      for (const lane of getLimbs(address))
        for (const digit of lane.slice(0, -1)) expectAtMost(Math.abs(digit), largest);
    }

    /**
     * Elements by their limbs: the edges plus multiples of p up to 84, and all limbs as large as they may be, with
     * every kind of signs.
     */
    const top = Number((83n * p) >> BigInt(limbBits * (limbs - 1)));
    const byValue = [-84n, -83n, -2n, -1n, 0n, 1n, 2n, 82n, 83n].flatMap((k) =>
      [0n, 1n, p - 1n, p / 2n, 1n << 52n, 1n << 208n].map((value) =>
        balancedLimbs(k * p + value, limbs, limbBits).map(Number),
      ),
    );
    const bySigns = (largest: number): number[][] =>
      Array.from({ length: 2 ** limbs }, (_, signs) =>
        Array.from({ length: limbs }, (_, i) => ((signs >> i) & 1 ? -1 : 1) * (i < limbs - 1 ? largest : top)),
      );
    const elements = [...byValue, ...bySigns(LARGEST), ...bySigns(LARGEST - 1)];
    const pairs = elements.map((first, i) => [first, elements[(i * 41 + 7) % elements.length]!] as const);

    it('stores what lies within 84 p', () => {
      for (const pair of [...pairs, ...bySigns(1.5 * LARGEST).map((first) => [first, byValue[3]!] as const)]) {
        putLimbs(at.x, pair);
        wasm.store!(at.bytes, at.x);
        for (const l of [0, 1] as const) expectSame(getBytes(wasm, at.bytes + 32 * l), mod(integerOf(pair[l]), p));
      }
      for (let k = -84n; k < 84n; k++) {
        for (const near of [-1n, 0n, 1n]) {
          putLimbs(at.x, [
            balancedLimbs(k * p + near, limbs, limbBits).map(Number),
            balancedLimbs(-k * p - near, limbs, limbBits).map(Number),
          ]);
          wasm.store!(at.bytes, at.x);
          expectSame([getBytes(wasm, at.bytes), getBytes(wasm, at.bytes + 32)], [mod(near, p), mod(-near, p)]);
        }
      }
    });

    it('loads, gathers and exchanges', () => {
      const values = edgeValues(p);
      for (const [i, first] of values.entries()) {
        const second = values[(i * 5 + 1) % values.length]!;
        putBytes(wasm, at.bytes, first, second);
        wasm.load!(at.x, at.bytes);
        expectSame(get(at.x), [first, second]);
        expectLimbs(at.x, LARGEST - 1);
        wasm.gather!(at.y, at.x + 8, at.x);
        expectSame(get(at.y), [second, first]);
        wasm.exchange!(at.x, at.y);
        expectSame(
          [get(at.x), get(at.y)],
          [
            [first, second],
            [second, first],
          ],
        );
        wasm.gather!(at.y, at.x, at.x);
        wasm.exchange!(at.x, at.y);
        expectSame(
          [get(at.x), get(at.y)],
          [
            [first, first],
            [second, first],
          ],
        );
      }
    });

    it('adds and subtracts', () => {
      const wide = bySigns(1.5 * LARGEST).map((first, i) => [first, pairs[i]![0]] as const);
      for (const [i, x] of [...pairs, ...wide].entries()) {
        const y = pairs[(i * 13 + 3) % pairs.length]!;
        putLimbs(at.x, x);
        putLimbs(at.y, y);
        wasm.butterfly!(at.x, at.y);
        for (const l of [0, 1] as const) {
          expectSame(get(at.x)[l], integerOf(x[l]) + integerOf(y[l]));
          expectSame(get(at.y)[l], integerOf(x[l]) - integerOf(y[l]));
        }
        expectLimbs(at.x, LARGEST);
        expectLimbs(at.y, LARGEST);
      }
    });

    it('multiplies by factors of either form, one a lane or one for both', () => {
      const factors = edgeValues(p);
      for (const [i, first] of factors.entries()) {
        const second = factors[(i * 5 + 1) % factors.length]!;
        putBytes(wasm, at.bytes, first, second);
        wasm.loadFactor!(at.factor, at.bytes);
        expectLimbs(at.factor, LARGEST / 2);
        for (const [l, factor] of [first, second].entries()) {
          expectSame(mod(get(at.factor)[l]! - factor * r, p), 0n);
          expectSame(magnitude(get(at.factor)[l]!) * 100n < 51n * p, true);
        }
        wasm.spread!(at.rows, at.factor);
        for (const [j, y] of pairs.entries()) {
          if ((i + j) % 8 !== 0) continue;
          const x = pairs[(i * 31 + j * 7) % pairs.length]!;
          for (const [name, operand, lane, tenths] of [
            ['butterflyMontgomery', at.factor, undefined, 15n],
            ['butterflyMontgomeryBoth', at.factor, 0, 15n],
            ['butterflyMontgomeryBoth', at.factor + 8, 1, 15n],
            ['butterflySpread', at.rows, undefined, 26n],
            ['butterflySpreadBoth', at.rows, 0, 26n],
            ['butterflySpreadBoth', at.rows + 8, 1, 26n],
          ] as const) {
            putLimbs(at.x, x);
            putLimbs(at.y, y);
            wasm[name]!(at.x, at.y, operand);
            for (const l of [0, 1] as const) {
              const factor = [first, second][lane ?? l]!;
              const product = get(at.x)[l] - integerOf(x[l]);
              expectSame(mod(product - factor * integerOf(y[l]), p), 0n, name);
              expectSame(get(at.y)[l], integerOf(x[l]) - product);
              expectSame(magnitude(product) < (tenths * p) / 10n + magnitude(integerOf(y[l])) / 160n, true);
            }
            expectLimbs(at.x, LARGEST);
            expectLimbs(at.y, LARGEST);
          }
        }
      }
    });

    it('multiplies elements', () => {
      const values = edgeValues(p);
      for (const [i, first] of values.entries()) {
        for (const second of [values[(i * 5 + 1) % values.length]!, p - 1n, first]) {
          putBytes(wasm, at.bytes, first, second);
          wasm.load!(at.x, at.bytes);
          wasm.toMontgomery!(at.y, at.x);
          expectSame(
            get(at.y).map((value) => mod(value * fromR, p)),
            [first, second],
          );
          putBytes(wasm, at.bytes, second, first);
          wasm.load!(at.z, at.bytes);
          wasm.mul!(at.y, at.y, at.z);
          expectSame(
            get(at.y).map((value) => mod(value - first * second, p)),
            [0n, 0n],
          );
          const product = get(at.y);
          wasm.sub!(at.y, at.y, at.z);
          expectSame(get(at.y), [product[0] - second, product[1] - first]);
        }
      }
    });

    const rounds = EVERY_COMBINATION ? 250 : 50;
    it(`multiplies ${rounds} 000 elements with biased limbs`, () => {
      const random = new Random(31);
      const special = [0, 1, -1, LARGEST, -LARGEST, LARGEST - 1, 1 - LARGEST, 2 ** 51, -(2 ** 51), 2 ** 26];
      let state = 1 + random.integer(2 ** 31 - 2);
      const next = (): number => {
        state = (state * 48271) % 2147483647;
        return state;
      };
      const digit = (i: number): number => {
        if (i === limbs - 1) return (next() % (2 * top)) - top;
        const kind = next() % 16;
        return kind < special.length ? special[kind]! : next() * 2 ** 21 + (next() & 0x1fffff) - LARGEST / 2;
      };
      const zero = Array.from({ length: limbs }, () => 0);
      const make = (): number[] => Array.from({ length: limbs }, (_, i) => digit(i));
      for (let round = 0; round < rounds; round++) {
        const factors = [random.below(p), random.below(p)] as const;
        putBytes(wasm, at.bytes, ...factors);
        wasm.loadFactor!(at.factor, at.bytes);
        wasm.spread!(at.rows, at.factor);
        for (let i = 0; i < 250; i++) {
          const y = [make(), make()] as const;
          for (const [name, operand] of [
            ['butterflySpread', at.rows],
            ['butterflyMontgomery', at.factor],
          ] as const) {
            putLimbs(at.x, [zero, zero]);
            putLimbs(at.y, y);
            wasm[name]!(at.x, at.y, operand);
            const result = get(at.x);
            for (const l of [0, 1] as const) {
              if ((result[l] - factors[l] * integerOf(y[l])) % p !== 0n)
                expect.fail(`${name}: ${y[l]} gave ${result[l]}`);
            }
          }
        }
      }
    });
  },
);
