import { readFile } from 'node:fs/promises';
import { buildBls12381, buildBn128 } from 'ffjavascript';
import { beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, bytesToBigint } from '../../../sdk/base/bytes.js';
import { pairingLambda } from '../../../sdk/curves/index.js';
import { mod, power } from '../../../sdk/curves/modular.js';
import { encodePoint } from '../../../sdk/curves/point-bytes.js';
import type { Kernel } from '../../../sdk/executors/workers/kernel/kernel.js';
import { type AssemblyExports, assemble } from '../../support/assembly.js';
import { formsOfCurve } from '../../support/combinations.js';
import { type AffinePoint, addAffine, multiplyAffine } from '../../support/curve-reference.js';
import { EVERY_COMBINATION } from '../../support/every-combination.js';
import { nobleCurve } from '../../support/noble-curves.js';
import { Random } from '../../support/random.js';
import { ALL_CURVES, CURVES_WITH_PAIRING } from '../../support/registry.js';
import { root } from '../../support/root.js';
import { ofFp2, ofFp12, Tower } from '../../support/tower.js';
import { loadKernel } from '../../support/wasm.js';

const joined = (parts: readonly Uint8Array[]): Uint8Array => Uint8Array.from(parts.flatMap((part) => [...part]));
const random64 = new Random(64);
/** A function of a number that computes each result once. */
function once<Result>(compute: (k: bigint) => Result): (k: bigint) => Result {
  const known = new Map<bigint, Result>();
  return (k) => {
    const result = known.get(k) ?? compute(k);
    known.set(k, result);
    return result;
  };
}

/** The classes of the pairing's families. */
const FAMILIES = { bn: 'BarretoNaehrig', bls12: 'BarretoLynnScott12' } as const;

describe.each(CURVES_WITH_PAIRING)('the pairing of $id', (curve) => {
  const { id, fq, fr, coordinateBytes, pairing } = curve;
  const noble = nobleCurve(id);
  const tower = new Tower(curve);
  const { Fp2, Fp12, toFp12, fqBytes } = tower;
  const G1 = noble.G1.Point;
  const G2 = noble.G2.Point;
  type G1Point = InstanceType<typeof G1>;
  type G2Point = InstanceType<typeof G2>;

  const p = fq.modulus;
  const r = fr.modulus;
  const multiple = <Point>(base: { ZERO: Point; BASE: { multiply(k: bigint): Point } }, k: bigint): Point => {
    const reduced = ((k % r) + r) % r;
    return reduced === 0n ? base.ZERO : base.BASE.multiply(reduced);
  };
  // Each multiple is made once for all modules.
  const g1 = once((k: bigint): G1Point => multiple(G1, k));
  const g2 = once((k: bigint): G2Point => multiple(G2, k));

  function g1Bytes(point: G1Point): Uint8Array {
    const { x, y } = point.toAffine();
    return encodePoint(id, 'g1', point.is0() ? undefined : [x, y]);
  }

  function g2Bytes(point: G2Point): Uint8Array {
    const { x, y } = point.toAffine();
    return encodePoint(
      id,
      'g2',
      point.is0() ? undefined : [ofFp2(x) as [bigint, bigint], ofFp2(y) as [bigint, bigint]],
    );
  }

  /** Points of the whole twist, of whatever order. */
  function twistPoints(count: number): G2Point[] {
    const b = Fp2.fromBigTuple([...curve.g2!.b]);
    const points: G2Point[] = [];
    for (let i = 0n; points.length < count; i++) {
      const x = Fp2.fromBigTuple([i, 1n]);
      const square = Fp2.add(Fp2.mul(Fp2.sqr(x), x), b);
      if (!Fp2.eql(Fp2.pow(square, (Fp2.ORDER - 1n) / 2n), Fp2.ONE)) continue;
      points.push(G2.fromAffine({ x, y: Fp2.sqrt(square) }));
    }
    return points;
  }

  /** k P by double-and-add for points of the whole twist: k is not reduced by the subgroup's order. */
  function multiply(point: G2Point, k: bigint): G2Point {
    let result = G2.ZERO;
    for (const bit of k.toString(2)) {
      result = result.double();
      if (bit === '1') result = result.add(point);
    }
    return result;
  }

  /** Points of the twist: some in the subgroup, by their cofactor, and others outside it. Made once for all modules. */
  let made: { cleared: Uint8Array; outside: Uint8Array[] }[] | undefined;
  function onTwist(): NonNullable<typeof made> {
    const { parameter: x, family } = pairing!;
    // The order of the twist over r, a small prime that divides it, and its smallest prime power.
    const [cofactor, smallOrder, smallest] =
      family === 'bn'
        ? [2n * p - r, 10069n, 10069n]
        : [
            (x ** 8n - 4n * x ** 7n + 5n * x ** 6n - 4n * x ** 4n + 6n * x ** 3n - 4n * x ** 2n - 4n * x + 13n) / 9n,
            2713n,
            13n ** 2n,
          ];
    for (const order of [smallOrder, smallest]) expect(cofactor % order).toBe(0n);
    made ??= twistPoints(EVERY_COMBINATION ? 6 : 2).map((point) => {
      expect(multiply(point, cofactor * r).is0()).toBe(true);
      const cleared = multiply(point, cofactor);
      expect(multiply(cleared, r).is0()).toBe(true);
      const small = multiply(point, (r * cofactor) / smallOrder);
      // Of an order that divides the cofactor, of one that is small, and off the subgroup by such a point alone.
      const outside = [point, point.negate(), multiply(point, r), small, small.add(G2.BASE)];
      outside.push(multiply(point, (r * cofactor) / smallest));
      for (const other of outside) expect(multiply(other, r).is0()).toBe(false);
      return { cleared: g2Bytes(cleared), outside: outside.map(g2Bytes) };
    });
    return made;
  }

  describe("Miller's loop and the final exponentiation", () => {
    let wasm: AssemblyExports;
    let [f, pairs] = [0, 0];
    beforeAll(async () => {
      wasm = await assemble(
        'pairing-under-test',
        `import { the } from './field/field';
      import { Fq } from './generated/${id}-fq';
      import { PairingConstants } from './generated/${id}-pairing';
      import { finalExponentiation as raise } from './pairing/final-exponentiation';
      import { millerLoop as loop, Pair } from './pairing/miller-loop';
      import { ${FAMILIES[pairing!.family]} } from './pairing/${pairing!.family}';
      type Family = ${FAMILIES[pairing!.family]}<Fq, PairingConstants>;
      export function millerLoop(f: usize, pairs: usize, count: i32): void { loop<Fq, PairingConstants, Family>(f, pairs, count); }
      export function finalExponentiation(r: usize, f: usize): void { raise<Fq, PairingConstants, Family>(r, f); }
      export function heapBase(): usize { return __heap_base; }
      export function pairSize(): usize { return the<Pair<Fq>>().size; }`,
      );
      [f, pairs] = [wasm.heapBase!(), wasm.heapBase!() + 1024];
    });

    /** The product of the pairings, to the power k of our final exponentiation, which is noble's too. */
    function product(points: readonly (readonly [G1Point, G2Point])[]): bigint[] {
      for (const [i, [a, b]] of points.entries()) {
        const at = pairs + i * wasm.pairSize!();
        const [{ x, y }, q] = [a.toAffine(), b.toAffine()];
        tower.putForms(wasm, at, tower.formsOf([(p - x) % p, y]));
        tower.putForms(wasm, at + 2 * fqBytes, tower.formsOf([q.x, q.y].flatMap(ofFp2)));
      }
      wasm.millerLoop!(f, pairs, points.length);
      wasm.finalExponentiation!(f, f);
      return tower.valuesAt(wasm, f, 12);
    }

    const x = pairing!.parameter;
    const factors: readonly bigint[] = [1n, 2n, 3n, -1n, -2n, 6n * x + 2n, 6n * x * x, r / 2n, x];

    it('give the pairing of noble', () => {
      for (const [i, a] of factors.entries()) {
        const b = factors[(i * 4 + 3) % factors.length]!;
        expect(product([[g1(a), g2(b)]])).toEqual(ofFp12(noble.pairing(g1(a), g2(b))));
      }
      const random = new Random(21);
      for (let i = 0; i < (EVERY_COMBINATION ? 8 : 3); i++) {
        const [a, b] = [random.below(r), random.below(r)];
        expect(product([[g1(a), g2(b)]])).toEqual(ofFp12(noble.pairing(g1(a), g2(b))));
      }
    });

    it('give the product of several pairings', () => {
      for (const count of [0, 2, 7]) {
        const chosen = factors.slice(0, count).map((a, i) => [g1(a), g2(factors.at(-1 - i)!)] as const);
        const expected = chosen.reduce((all, [a, b]) => Fp12.mul(all, noble.pairing(a, b)), Fp12.ONE);
        expect(product(chosen)).toEqual(ofFp12(expected));
      }
    });

    it('are bilinear, and not always 1', () => {
      const e = toFp12(product([[g1(1n), g2(1n)]]));
      expect(Fp12.eql(e, Fp12.ONE)).toBe(false);
      expect(Fp12.eql(Fp12.pow(e, r), Fp12.ONE)).toBe(true);
      for (const [a, b] of [
        [5n, 7n],
        [r - 1n, r - 1n],
        [x, r - x],
      ] as const) {
        expect(product([[g1(a), g2(b)]])).toEqual(ofFp12(Fp12.pow(e, mod(a * b, r))));
      }
    });
  });

  describe.each(formsOfCurve(id))('pairings by %s', (module) => {
    let kernel: Kernel;
    beforeAll(async () => {
      kernel = await loadKernel(id, module);
    });

    const isOne = (pairs: readonly (readonly [G1Point, G2Point])[]): Promise<boolean> =>
      kernel.pairingProductIsOne({
        g1: joined(pairs.map(([a]) => g1Bytes(a))),
        g2: joined(pairs.map(([, b]) => g2Bytes(b))),
      });

    it('cancel just when the products of their logarithms do', async () => {
      const random = new Random(5);
      for (const count of [1, 2, 3, 4, 9]) {
        const logs = Array.from({ length: count }, () => [random.below(r), random.below(r)] as const);
        const sum = logs.reduce((all, [a, b]) => all + a * b, 0n);
        const pairs = logs.map(([a, b]) => [g1(a), g2(b)] as const);
        expect(await isOne(pairs)).toBe(false);
        expect(await isOne([...pairs, [g1(-sum), g2(1n)]])).toBe(true);
        expect(await isOne([[g1(1n), g2(-sum)], ...pairs])).toBe(true);
        expect(await isOne([...pairs, [g1(1n - sum), g2(1n)]])).toBe(false);
      }
      expect(
        await isOne([
          [g1(6n), g2(1n)],
          [g1(-2n), g2(3n)],
        ]),
      ).toBe(true);
      expect(
        await isOne([
          [g1(1n), g2(1n)],
          [g1(1n), g2(1n)],
        ]),
      ).toBe(false);
    });

    it('count as 1 with infinity, and so does the product of none', async () => {
      expect(await isOne([])).toBe(true);
      expect(await isOne([[g1(0n), g2(0n)]])).toBe(true);
      expect(await isOne([[g1(0n), g2(5n)]])).toBe(true);
      expect(await isOne([[g1(5n), g2(0n)]])).toBe(true);
      const rest = [
        [g1(2n), g2(3n)],
        [g1(0n), g2(3n)],
        [g1(-6n), g2(1n)],
      ] as const;
      expect(await isOne(rest)).toBe(true);
      expect(await isOne([[g1(4n), g2(0n)], ...rest])).toBe(true);
      expect(await isOne(rest.slice(0, 2))).toBe(false);
    });

    /** The coefficients of a pairing's value. */
    async function value(a: Uint8Array, b: Uint8Array): Promise<bigint[]> {
      const bytes = await kernel.pairing({ g1: a, g2: b });
      expect(bytes.length).toBe(12 * coordinateBytes);
      return Array.from({ length: 12 }, (_, i) => bytesToBigint(bytes, i * coordinateBytes, coordinateBytes));
    }

    it('have the value that ffjavascript gives', async () => {
      const peer = await (id === 'bn254' ? buildBn128(true) : buildBls12381(true));
      try {
        for (const [a, b] of [
          [1n, 1n],
          [5n, 7n],
          [r - 1n, 123456789n],
        ] as const) {
          const expected = peer.Gt.toObject(
            peer.pairing(peer.G1.timesScalar(peer.G1.g, a), peer.G2.timesScalar(peer.G2.g, b)),
          );
          expect(await value(g1Bytes(g1(a)), g2Bytes(g2(b)))).toEqual([expected].flat(4));
        }
      } finally {
        await peer.terminate();
      }
      const one = [1n, ...Array<bigint>(11).fill(0n)];
      expect(await value(g1Bytes(g1(0n)), g2Bytes(g2(3n)))).toEqual(one);
      expect(await value(new Uint8Array(0), new Uint8Array(0))).toEqual(one);
      expect(
        await value(joined([g1Bytes(g1(6n)), g1Bytes(g1(-2n))]), joined([g2Bytes(g2(1n)), g2Bytes(g2(3n))])),
      ).toEqual(one);
      await expect(
        kernel.pairing({ g1: new Uint8Array(2 * coordinateBytes).fill(1), g2: g2Bytes(g2(1n)) }),
      ).rejects.toMatchObject({
        code: 'INVALID_POINT',
      });
    });

    it('refuse points that are off their curves or not below p, and name the pair', async () => {
      const good1 = g1Bytes(g1(9n));
      const good2 = g2Bytes(g2(9n));
      const changed = (bytes: Uint8Array, at: number, value: bigint): Uint8Array => {
        const copy = bytes.slice();
        copy.set(bigintToBytes(value, coordinateBytes), at);
        return copy;
      };
      const bad1 = [
        changed(good1, 0, 5n),
        changed(good1, coordinateBytes, p),
        changed(good1, 0, p),
        changed(good1, 0, 2n ** BigInt(8 * coordinateBytes) - 1n),
      ];
      const { x, y } = g2(9n).toAffine();
      // The same point, its coordinates not below p.
      const bad2 = [
        ...[x.c0, x.c1, y.c0, y.c1].map((value, k) => changed(good2, coordinateBytes * k, value + p)),
        changed(good2, 3 * coordinateBytes, 1n),
      ];
      const infinity1 = new Uint8Array(2 * coordinateBytes);
      const infinity2 = new Uint8Array(4 * coordinateBytes);
      const invalid = (pair: number) => ({
        code: 'INVALID_POINT',
        message: expect.stringContaining(`expected pair ${pair} of points`),
      });
      for (const bad of bad1) {
        await expect(
          kernel.pairingProductIsOne({ g1: joined([good1, good1, bad]), g2: joined([good2, good2, good2]) }),
        ).rejects.toMatchObject(invalid(2));
        await expect(kernel.pairingProductIsOne({ g1: bad, g2: infinity2 })).rejects.toMatchObject(invalid(0));
        expect(await kernel.isInSubgroup({ group: 'g1', points: joined([good1, bad]) })).toBe(false);
      }
      for (const bad of bad2) {
        await expect(
          kernel.pairingProductIsOne({ g1: joined([good1, good1]), g2: joined([good2, bad]) }),
        ).rejects.toMatchObject(invalid(1));
        await expect(kernel.pairingProductIsOne({ g1: infinity1, g2: bad })).rejects.toMatchObject(invalid(0));
        expect(await kernel.isInSubgroup({ group: 'g2', points: joined([good2, bad]) })).toBe(false);
      }
    });

    it('refuse bytes that are no points, and groups of different counts', async () => {
      const length = { code: 'INVALID_LENGTH' };
      const [a, b] = [g1Bytes(g1(1n)), g2Bytes(g2(1n))];
      await expect(kernel.pairingProductIsOne({ g1: a.subarray(1), g2: b })).rejects.toMatchObject(length);
      await expect(kernel.pairingProductIsOne({ g1: a, g2: b.subarray(1) })).rejects.toMatchObject(length);
      await expect(kernel.pairingProductIsOne({ g1: joined([a, a]), g2: b })).rejects.toMatchObject(length);
      await expect(kernel.pairingProductIsOne({ g1: new Uint8Array(0), g2: b })).rejects.toMatchObject(length);
      await expect(kernel.isInSubgroup({ group: 'g1', points: a.subarray(1) })).rejects.toMatchObject(length);
      await expect(kernel.isInSubgroup({ group: 'g2', points: a })).rejects.toMatchObject(length);
    });

    describe('of a batch', () => {
      const lambda = pairingLambda(curve)!;
      type Half = readonly [a: bigint, b: bigint];
      const weightOf = ([a, b]: Half): bigint => a + b * lambda;
      const batch = (pairs: readonly (readonly [Uint8Array, Uint8Array, Half])[]): Promise<boolean> =>
        kernel.batchIsOne({
          g1: joined(pairs.map(([a]) => a)),
          g2: joined(pairs.map(([, b]) => b)),
          weights: joined(pairs.flatMap(([, , halves]) => halves.map((half) => bigintToBytes(half, 8)))),
        });
      const ofLogs = (a: bigint, b: bigint, halves: Half) => [g1Bytes(g1(a)), g2Bytes(g2(b)), halves] as const;
      const MOST = 2n ** 64n - 1n;

      it('cancel just when the weighted products of their logarithms do', async () => {
        const random = new Random(6);
        const drawn = (): Half => [random.below(MOST), random.below(MOST)];
        const edges: readonly Half[] = [
          [1n, 0n],
          [0n, 1n],
          [1n, 1n],
          [MOST, MOST],
          [MOST, 0n],
          [2n ** 63n, 3n],
        ];
        for (const halves of [[drawn()], [drawn(), drawn()], edges]) {
          const terms = halves.map((half) => [random.below(r), random.below(r), half] as const);
          const sum = terms.reduce((all, [a, b, half]) => all + weightOf(half) * a * b, 0n);
          const pairs = terms.map(([a, b, half]) => ofLogs(a, b, half));
          expect(await batch([...pairs, ofLogs(-sum, 1n, [1n, 0n])])).toBe(true);
          expect(await batch([...pairs, ofLogs(1n - sum, 1n, [1n, 0n])])).toBe(false);
          const [a, b, [x, y]] = terms[0]!;
          const changed = [ofLogs(a, b, [x ^ 1n, y]), ...pairs.slice(1)];
          expect(await batch([...changed, ofLogs(-sum, 1n, [1n, 0n])])).toBe(false);
        }
        expect(await batch([])).toBe(true);
      });

      it('count as 1 with infinity or a weight of 0', async () => {
        const rest = [ofLogs(2n, 3n, [5n, 0n]), ofLogs(-30n, 1n, [1n, 0n])];
        for (const trivial of [ofLogs(0n, 4n, [7n, 7n]), ofLogs(4n, 0n, [7n, 7n]), ofLogs(4n, 5n, [0n, 0n])]) {
          expect(await batch([trivial])).toBe(true);
          for (let at = 0; at < 3; at++) expect(await batch(rest.toSpliced(at, 0, trivial))).toBe(true);
        }
      });

      it('are not 1 with a point of G2 outside its group, or a point off its curve', async () => {
        const rest = [ofLogs(2n, 3n, [5n, 0n]), ofLogs(-30n, 1n, [1n, 0n])];
        for (const { cleared, outside } of onTwist()) {
          for (const q of outside) {
            // What it would add cancels, were it not outside.
            const half: Half = [random64.below(MOST), 9n];
            for (const other of [q, cleared]) {
              const pair = [g1Bytes(g1(3n)), other, half] as const;
              const opposite = [g1Bytes(g1(-3n)), other, half] as const;
              expect(await batch([pair, ...rest, opposite])).toBe(other === cleared);
            }
          }
        }
        const offCurve1 = encodePoint(id, 'g1', [1n, 5n]);
        const offCurve2 = encodePoint(id, 'g2', [
          [1n, 2n],
          [3n, 4n],
        ]);
        const infinity1 = new Uint8Array(2 * coordinateBytes);
        expect(await batch([...rest, [offCurve1, g2Bytes(g2(0n)), [1n, 0n]]])).toBe(false);
        expect(await batch([...rest, [infinity1, offCurve2, [1n, 0n]]])).toBe(false);
      });

      it('take as many weights as points', async () => {
        const [a, b] = [g1Bytes(g1(1n)), g2Bytes(g2(1n))];
        for (const weights of [new Uint8Array(0), new Uint8Array(15), new Uint8Array(32)]) {
          await expect(kernel.batchIsOne({ g1: a, g2: b, weights })).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
        }
      });
    });

    it('find all of G1 in the group, and infinity', async () => {
      expect(await kernel.isInSubgroup({ group: 'g1', points: new Uint8Array(0) })).toBe(true);
      expect(await kernel.isInSubgroup({ group: 'g2', points: new Uint8Array(0) })).toBe(true);
      for (const k of [0n, 1n, -1n, 77n])
        expect(await kernel.isInSubgroup({ group: 'g1', points: g1Bytes(g1(k)) })).toBe(true);
      const many = Array.from({ length: 600 }, (_, i) => g1Bytes(i % 7 === 0 ? G1.ZERO : G1.BASE));
      expect(await kernel.isInSubgroup({ group: 'g1', points: joined(many) })).toBe(true);
      const off = encodePoint(id, 'g1', [1n, 5n]);
      for (const k of [0, 511, 512, 599])
        expect(await kernel.isInSubgroup({ group: 'g1', points: joined(many.with(k, off)) })).toBe(false);
    });

    it('find no other points of the curve in G1', async () => {
      const { b, cofactor } = curve.g1;
      let found = 0;
      for (let x = 0n; found < 4 && cofactor > 1n; x++) {
        const y = power(mod(x ** 3n + b, p), (p + 1n) / 4n, p);
        if (mod(y * y - x ** 3n - b, p) !== 0n) continue;
        found++;
        const point: AffinePoint = [x, y];
        // The point itself, of an order that divides the cofactor, and off the subgroup by such a point alone.
        const small = multiplyAffine(curve, point, r);
        for (const other of [point, small, addAffine(curve, small, curve.g1.generator)]) {
          expect(other).toBeDefined();
          expect(await kernel.isInSubgroup({ group: 'g1', points: encodePoint(id, 'g1', other) })).toBe(false);
        }
        expect(
          await kernel.isInSubgroup({
            group: 'g1',
            points: encodePoint(id, 'g1', multiplyAffine(curve, point, cofactor)),
          }),
        ).toBe(true);
      }
    });

    it('find the points of G2 in the subgroup, and no others of the twist', async () => {
      const { parameter: x } = pairing!;
      for (const k of [0n, 1n, -1n, 2n, x, 6n * x * x, r / 2n, 123456789n]) {
        expect(await kernel.isInSubgroup({ group: 'g2', points: g2Bytes(g2(k)) })).toBe(true);
      }
      for (const { cleared, outside } of onTwist()) {
        expect(await kernel.isInSubgroup({ group: 'g2', points: cleared })).toBe(true);
        for (const other of outside) {
          expect(await kernel.isInSubgroup({ group: 'g2', points: other })).toBe(false);
          expect(await kernel.isInSubgroup({ group: 'g2', points: joined([g2Bytes(G2.BASE), other]) })).toBe(false);
        }
      }
    });
  });
});

it('is refused on a curve whose module has none', async () => {
  const mismatch = { code: 'CURVE_MISMATCH' };
  for (const { id, coordinateBytes } of ALL_CURVES.filter(({ pairing }) => pairing === undefined)) {
    const kernel = await loadKernel(id);
    await expect(kernel.pairingProductIsOne({ g1: new Uint8Array(0), g2: new Uint8Array(0) })).rejects.toMatchObject(
      mismatch,
    );
    await expect(kernel.pairing({ g1: new Uint8Array(0), g2: new Uint8Array(0) })).rejects.toMatchObject(mismatch);
    await expect(
      kernel.isInSubgroup({ group: 'g1', points: new Uint8Array(2 * coordinateBytes) }),
    ).rejects.toMatchObject(mismatch);
  }
});

it('has the value that snarkjs writes into a verification key', async () => {
  const key = JSON.parse(await readFile(`${root}/examples/groth16-commitment/key/note.vkey.json`, 'utf8'));
  const [ax, ay] = key.vk_alpha_1.map(BigInt);
  const [bx, by] = key.vk_beta_2.map((pair: string[]) => pair.map(BigInt));
  const kernel = await loadKernel('bn254');
  const bytes = await kernel.pairing({
    g1: encodePoint('bn254', 'g1', [ax, ay]),
    g2: encodePoint('bn254', 'g2', [bx, by]),
  });
  const coefficients = Array.from({ length: 12 }, (_, i) => bytesToBigint(bytes, 32 * i, 32));
  expect(coefficients).toEqual(key.vk_alphabeta_12.flat(3).map(BigInt));
});
