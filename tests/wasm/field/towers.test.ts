import { describe, expect, it } from 'vitest';
import { fieldModule } from '../../../scripts/generate/wasm/field.js';
import { integerLaneFacts } from '../../../scripts/generate/wasm/integer-lane-facts.js';
import { integerLaneModule } from '../../../scripts/generate/wasm/integer-lanes.js';
import { balancedLimbs, laneFacts } from '../../../scripts/generate/wasm/lane-facts.js';
import { laneModule } from '../../../scripts/generate/wasm/lanes.js';
import { bn254 } from '../../../sdk/curves/index.js';
import { fromLimbs, toLimbs, WASM_LIMB_BITS, wasmLimbs } from '../../../sdk/curves/limbs.js';
import { inverse, mod } from '../../../sdk/curves/modular.js';
import { assemble } from '../../support/assembly.js';
import { EVERY_COMBINATION } from '../../support/every-combination.js';
import { LANE_CLASSES } from '../../support/lane-forms.js';
import { edgeValues, Random } from '../../support/random.js';
import { allowRelaxedSimd } from '../../support/relaxed-simd.js';
import { expectSame } from '../../support/same.js';

type Element = readonly [c0: bigint, c1: bigint];

/**
 * F_p[u] / (u^2 - b) over the coordinate field of BN254 with other b than the curves have: of either sign, of one bit
 * and of several. Products and squares do not depend on whether b is a square, which b = 4 is.
 */
const NON_RESIDUES = EVERY_COMBINATION ? [-13n, -4n, -2n, 1n, 2n, 3n, 4n, 13n] : [-13n, -4n, 1n, 2n, 13n];

const { fq } = bn254;
const p = fq.modulus;
const random = new Random(377);
const numbers = [...edgeValues(p).slice(0, 12), p - 1n, ...Array.from({ length: 12 }, () => random.below(p))];
const PAIRS: readonly (readonly [Element, Element])[] = numbers.flatMap((a0, i) =>
  [1, 5, 7].map((step): readonly [Element, Element] => {
    const at = (k: number): bigint => numbers[(i * step + k) % numbers.length]!;
    return [
      [a0, at(3)],
      [at(11), at(step)],
    ];
  }),
);

/** Text as the entry module of wasm/, whose imports are relative to wasm/generated. */
const atRoot = (text: string): string => text.replaceAll("from '../", "from './");

const product = (b: bigint, x: Element, y: Element): Element => [
  x[0] * y[0] + b * x[1] * y[1],
  x[0] * y[1] + x[1] * y[0],
];

describe.each(NON_RESIDUES)('F_p[u] / (u^2 - b) with b = %s', (b) => {
  it('multiplies, squares and inverts in limbs of i64', async () => {
    const limbs = wasmLimbs(fq.bits);
    const fromR = inverse(1n << BigInt(limbs * WASM_LIMB_BITS), p);
    const wasm = await assemble(
      'tower-under-test',
      `import { the } from './field/field'; import { Fq2 } from './field/fq2';
      ${atRoot(fieldModule('Fq', fq, { nonResidue: b }))}
      export function heapBase(): usize { return __heap_base; }
      export function mul(r: usize, a: usize, b: usize): void { the<Fq2<Fq>>().mul(r, a, b); }
      export function sqr(r: usize, a: usize): void { the<Fq2<Fq>>().sqr(r, a); }
      export function invert(r: usize, a: usize): void { the<Fq2<Fq>>().invert(r, a); }`,
    );
    const [x, y, r] = [0, 1, 2].map((k) => wasm.heapBase!() + 128 * k) as [number, number, number];
    const wordsAt = (at: number, half: number): Uint32Array =>
      new Uint32Array(wasm.memory.buffer, at + 4 * limbs * half, limbs);
    const put = (at: number, value: Element): void => {
      for (const half of [0, 1] as const) wordsAt(at, half).set(toLimbs(value[half], limbs, WASM_LIMB_BITS));
    };
    const get = (at: number): Element =>
      [0, 1].map((half) => fromLimbs(wordsAt(at, half), WASM_LIMB_BITS)) as unknown as Element;
    const expectAt = (at: number, expected: Element): void => {
      const found = get(at);
      for (const half of [0, 1] as const) {
        expectSame(found[half] < 2n * p, true);
        expectSame(mod(found[half] - expected[half] * fromR, p), 0n);
      }
    };
    for (const [first, second] of PAIRS) {
      // Elements are below 2p.
      const [left, right] = [first, second].map(([c0, c1]) => [c0 + p, 2n * p - 1n - c1] as const) as [
        Element,
        Element,
      ];
      put(x, left);
      put(y, right);
      wasm.mul!(r, x, y);
      expectAt(r, product(b, left, right));
      wasm.sqr!(r, x);
      expectAt(r, product(b, left, left));
      wasm.invert!(r, x);
      const norm = mod(left[0] ** 2n - b * left[1] ** 2n, p);
      const one = product(b, get(r), left).map((value) => mod(value * fromR * fromR, p));
      expect(one).toEqual(norm === 0n ? [0n, 0n] : [1n, 0n]);
      wasm.mul!(x, x, y);
      expectAt(x, product(b, left, right));
    }
  });

  it.each(LANE_CLASSES)('multiplies and squares as $name', async ({ name, features, formOf }) => {
    allowRelaxedSimd();
    const form = formOf(fq);
    const module =
      name === 'FqLanes'
        ? laneModule(name, laneFacts(fq), b)
        : integerLaneModule('./generated/bn254-fq', integerLaneFacts(fq), b).replaceAll("from '../", "from './");
    const wasm = await assemble(
      'lane-tower-under-test',
      `${module.includes('import { the }') ? '' : "import { the } from './field/field';"}
      import { Fq2Lanes } from './field/fq2-lanes';
      ${module}
      export function heapBase(): usize { return __heap_base; }
      export function mul(r: usize, a: usize, b: usize): void { the<Fq2Lanes<${name}>>().mul(r, a, b); }
      export function sqr(r: usize, a: usize): void { the<Fq2Lanes<${name}>>().sqr(r, a); }`,
      features,
    );
    const n = form.size;
    const heap = Math.ceil(wasm.heapBase!() / 16) * 16;
    const [x, y, r] = [heap, heap + 2 * n, heap + 4 * n];
    const fromR = inverse(form.r, p);
    const lane = (at: number, l: number, limb: number): number => form.indexOf(at, l, limb);
    const put = (at: number, values: readonly bigint[]): void => {
      for (const [l, value] of values.entries()) {
        const limbs = balancedLimbs(value, form.limbs, form.limbBits);
        for (const [i, limb] of limbs.entries()) form.numbers(wasm.memory)[lane(at, l, i)] = Number(limb);
      }
    };
    const get = (at: number, l: number): bigint => {
      const limbs = Array.from({ length: form.limbs }, (_, i) => form.numbers(wasm.memory)[lane(at, l, i)]!);
      return fromLimbs(limbs, form.limbBits);
    };
    const check = (expected: readonly Element[]): void => {
      for (const [l, value] of expected.entries()) {
        for (const half of [0, 1] as const) expectSame(mod(get(r + half * n, l) - value[half] * fromR, p), 0n);
      }
    };
    for (const [i, [first, second]] of PAIRS.entries()) {
      const [third, fourth] = PAIRS[(i * 5 + 2) % PAIRS.length]!;
      for (const half of [0, 1] as const) {
        put(x + half * n, [first[half], -third[half]]);
        put(y + half * n, [second[half], fourth[half]]);
      }
      const negated: Element = [-third[0], -third[1]];
      wasm.mul!(r, x, y);
      check([product(b, first, second), product(b, negated, fourth)]);
      wasm.sqr!(r, x);
      check([product(b, first, first), product(b, negated, negated)]);
    }
  });
});
