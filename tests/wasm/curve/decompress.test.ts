import { beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, bytesToBigint, joinBytes } from '../../../sdk/base/bytes.js';
import { type Curve, type GroupId, pointBytes } from '../../../sdk/curves/index.js';
import { mod, power } from '../../../sdk/curves/modular.js';
import { constantsOf, powerSteps, RootKernel } from '../../../sdk/executors/workers/kernel/root-kernel.js';
import { type AssemblyExports, assemble } from '../../support/assembly.js';
import { NOBLE_GROUPS } from '../../support/noble-groups.js';
import { edgeValues, Random } from '../../support/random.js';
import { CURVES_WITH_PAIRING } from '../../support/registry.js';
import { allowRelaxedSimd } from '../../support/relaxed-simd.js';
import { expectSame } from '../../support/same.js';
import { compileWasm } from '../../support/wasm.js';

type Element = readonly bigint[];

/** How powers are computed, and the features that this needs. */
const FORMS = [
  { form: 'one by one', powers: 'SinglePowers<Fq>', features: [] },
  { form: 'in lanes', powers: 'LanePowers<Fq, FqLanes>', features: ['simd', 'relaxed-simd'] },
] as const;

allowRelaxedSimd();

describe.each(CURVES_WITH_PAIRING.flatMap((curve) => FORMS.map((form) => ({ ...curve, ...form }))))(
  'square roots over $id in the kernels, $form',
  ({ id, fq, coordinateBytes, powers, features }) => {
    const p = fq.modulus;
    let wasm: AssemblyExports;
    let heap = 0;

    beforeAll(async () => {
      wasm = await assemble(
        `roots-of-${id}-under-test`,
        [
          `import { the } from './field/field'; import { Fq2 } from './field/fq2'; import { Fq } from './generated/${id}-fq';`,
          ...(features.length === 0 ? [] : [`import { FqLanes } from './generated/${id}-fq-lanes';`]),
          `import { ${powers.replace(/<.*/, '')}, PrimeRoots, QuadraticRoots, setRootConstants } from './curve/decompress';`,
          `export function heapBase(): usize { return __heap_base; }`,
          `export function size(): usize { return the<Fq>().size; }`,
          `export function setConstants(at: usize): void { setRootConstants<Fq>(at); }`,
          `export function root1(r: usize, a: usize, count: i32): void { the<PrimeRoots<Fq, ${powers}>>().of(r, a, count); }`,
          `export function root2(r: usize, a: usize, count: i32): void { the<QuadraticRoots<Fq, ${powers}>>().of(r, a, count); }`,
          `export function load(r: usize, at: usize): void { the<Fq>().loadCanonical(r, at); }`,
          `export function store(at: usize, a: usize): void { the<Fq>().storeCanonical(at, a); }`,
        ].join('\n'),
        features,
      );
      heap = Math.ceil(wasm.heapBase!() / 16) * 16;
      new Uint8Array(wasm.memory.buffer).set(constantsOf(id), heap + 2048);
      wasm.setConstants!(heap + 2048);
    });

    function rootOf(value: Element): Element {
      const size = wasm.size!();
      const bytes = new Uint8Array(wasm.memory.buffer, heap + 1024, coordinateBytes);
      for (const [i, c] of value.entries()) {
        bytes.set(bigintToBytes(c, coordinateBytes));
        wasm.load!(heap + i * size, heap + 1024);
      }
      wasm[`root${value.length}`]!(heap + 512, heap, 1);
      return value.map((_, i) => {
        wasm.store!(heap + 1024, heap + 512 + i * size);
        return bytesToBigint(bytes, 0, coordinateBytes);
      });
    }

    const square = ([a, b]: Element): Element =>
      b === undefined ? [mod(a! * a!, p)] : [mod(a! * a! - b * b, p), mod(2n * a! * b, p)];
    const isSquare = (value: bigint): boolean => power(value, (p - 1n) / 2n, p) !== p - 1n;

    it('are roots of every square modulo p, and of no other number', () => {
      for (const a of edgeValues(p)) {
        expectSame(square(rootOf(square([mod(a, p)]))), square([mod(a, p)]));
        if (!isSquare(mod(a, p))) expect(square(rootOf([mod(a, p)]))).not.toEqual([mod(a, p)]);
      }
    });

    it('are roots of every square of F_p^2, also where a coordinate is 0', () => {
      const random = new Random(1);
      const edges = [0n, 1n, 2n, p - 1n, p - 2n, (p + 1n) / 2n, random.below(p), random.below(p)];
      for (const a of edges) {
        for (const b of edges) expectSame(square(rootOf(square([a, b]))), square([a, b]));
        // Every number of F_p is a square in F_p^2.
        expectSame(square(rootOf([a, 0n])), [a, 0n]);
      }
    });

    it('of a number without a root give another number', () => {
      const random = new Random(2);
      let without = 0;
      for (let i = 0; i < 40; i++) {
        const [a, b] = [random.below(p), random.below(p)];
        const hasRoot = isSquare(mod(a * a + b * b, p));
        if (!hasRoot) without++;
        expectSame(String(square(rootOf([a, b]))) === String([a, b]), hasRoot);
      }
      expect(without).toBeGreaterThan(5);
    });
  },
);

it.each([1n, 2n, 3n, 31n, 32n, 33n, 0x8000000000000001n, (1n << 255n) - 19n])('steps give the power with %s', (e) => {
  const p = 1_000_003n;
  const [first, ...rest] = powerSteps(e);
  let value = power(7n, BigInt(2 * first![1] + 1), p);
  expect(first![0]).toBe(0);
  for (const [squares, place] of rest) {
    value = power(value, 2n ** BigInt(squares), p);
    if (place !== 255) value = mod(value * power(7n, BigInt(2 * place + 1), p), p);
  }
  expectSame(value, power(7n, e, p));
});

const GROUPS = CURVES_WITH_PAIRING.flatMap((curve) =>
  (['g1', 'g2'] as const).flatMap((group) => ['roots', 'roots-fma'].map((part) => ({ curve, group, part }))),
);

describe.each(GROUPS)('points of $curve.id $group from x and a sign, by $part', ({ curve, group, part }) => {
  const points = somePoints(curve, group);
  const size = pointBytes(curve.id, group);
  let made: Promise<RootKernel> | undefined;
  const decompress = async (compressed: Uint8Array, first = 0): Promise<Uint8Array> => {
    made ??= compileWasm(`${curve.id}-${part}` as 'bn254-roots').then((module) => RootKernel.create(curve.id, module));
    return (await made).decompress({ group, compressed, what: 'section 5', first });
  };

  it('are what they were, with both signs', async () => {
    const compressed = joinBytes(points.map((point) => compressedOf(point, curve.coordinateBytes)));
    expectSame(Buffer.from(await decompress(compressed)).equals(joinBytes(points)), true);
  });

  it('may be none', async () => {
    expectSame((await decompress(new Uint8Array())).length, 0);
  });

  it('are refused by number where x belongs to no point, or is not below p', async () => {
    const good = joinBytes(points.map((point) => compressedOf(point, curve.coordinateBytes)));
    const p = curve.fq.modulus;
    const bad = [p, p + 1n, (1n << BigInt(curve.fq.bits)) - 1n];
    for (const x of bad) {
      for (const at of [0, 3, points.length - 1]) {
        const copy = good.slice();
        copy.set(bigintToBytes(x, curve.coordinateBytes), (at * size) / 2 + size / 2 - curve.coordinateBytes);
        await expect(decompress(copy, 7)).rejects.toMatchObject({
          code: 'INVALID_POINT',
          message: expect.stringContaining(`finite point ${at + 7} of section 5`),
        });
      }
    }
    let refused = 0;
    for (let x = 1; x < 40; x++) {
      const copy = good.slice();
      copy.fill(0, size / 2, size);
      copy[size / 2] = x;
      const found = await decompress(copy).catch((error) => error);
      if (found instanceof Uint8Array) continue;
      refused++;
      expect(found).toMatchObject({ code: 'INVALID_POINT', message: expect.stringContaining('finite point 1 of') });
    }
    expect(refused).toBeGreaterThan(5);
  });

  it('are refused where the bytes are no whole number of them', async () => {
    await expect(decompress(new Uint8Array(size / 2 + 1))).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
  });
});

/** x with the sign of y, of a point in the form of a .zkey. */
function compressedOf(point: Uint8Array, coordinateBytes: number): Uint8Array {
  const x = point.slice(0, point.length / 2);
  const y = point.subarray(point.length / 2);
  const isZero = y.subarray(0, coordinateBytes).every((byte) => byte === 0);
  const deciding = y[isZero ? y.length - coordinateBytes : 0]!;
  x[x.length - 1]! |= (deciding & 1) << 7;
  return x;
}

/** 300 points and their opposites, in the form of a .zkey. */
function somePoints(curve: Curve, group: GroupId): Uint8Array[] {
  const noble = NOBLE_GROUPS.find((each) => each.curve === curve.id && each.group === group)!;
  const p = curve.fq.modulus;
  const { coordinateBytes } = curve;
  const R = 1n << BigInt(8 * coordinateBytes);
  return Array.from({ length: 600 }, (_, i) => {
    const log = i % 2 === 0 ? BigInt(i / 2 + 1) : curve.fr.modulus - BigInt((i + 1) / 2);
    const canonical = noble.multiple(log);
    const point = new Uint8Array(canonical.length);
    for (let at = 0; at < canonical.length; at += coordinateBytes) {
      point.set(bigintToBytes(mod(bytesToBigint(canonical, at, coordinateBytes) * R, p), coordinateBytes), at);
    }
    return point;
  });
}
