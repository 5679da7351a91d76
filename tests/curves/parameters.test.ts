import { describe, expect, it } from 'vitest';
import { ENDOMORPHISMS } from '../../sdk/curves/endomorphisms.js';
import { ALL_G2_GENERATORS } from '../../sdk/curves/g2-generators.js';
import { bls12377, CURVES, type Curve, EDWARDS_FORMS, pointBytes, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { inverse, mod, power } from '../../sdk/curves/modular.js';
import { decodePoint } from '../../sdk/curves/point-bytes.js';
import { rootOfUnity } from '../../sdk/curves/root-of-unity.js';
import { addAffine, isOnCurve, multiplyAffine } from '../support/curve-reference.js';
import { edwardsToWeierstrass } from '../support/msm-reference.js';
import { nobleCurve, nobleG2 } from '../support/noble-curves.js';
import { pointsOutside } from '../support/outside-subgroup.js';
import { ALL_CURVES, CURVES_WITH_EDWARDS, CURVES_WITH_G2, CURVES_WITH_PAIRING } from '../support/registry.js';

/** As arkworks and snarkjs' ceremonies have them. */
const ROOTS_OF_UNITY: Readonly<Record<string, bigint>> = {
  bn254: 19103219067921713944291392827692070036145651957329286315305642004821462161904n,
  'bls12-377': 8065159656716812877374967518403273466521432693661810619979959746626482506078n,
  'bls12-381': 937917089079007706106976984802249742464848817460758522850752807661925904159n,
};

/** Miller-Rabin with the first twelve primes as bases. */
function isProbablePrime(n: bigint): boolean {
  let odd = n - 1n;
  let twos = 0;
  while (odd % 2n === 0n) {
    odd /= 2n;
    twos++;
  }
  return [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n].every((base) => {
    let x = power(base, odd, n);
    if (x === 1n || x === n - 1n) return true;
    for (let i = 1; i < twos; i++) {
      x = (x * x) % n;
      if (x === n - 1n) return true;
    }
    return false;
  });
}

/** Integer square root. */
function squareRoot(n: bigint): bigint {
  let x = 1n << BigInt(Math.ceil(n.toString(2).length / 2));
  for (;;) {
    const next = (x + n / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}

/** Whether a is a square modulo the prime m (Euler's criterion). */
const isSquare = (a: bigint, m: bigint): boolean => power(a, (m - 1n) / 2n, m) <= 1n;

/** k P by doublings and additions, for k of any size. */
function multiplyLong<Point extends { add(other: Point): Point }>(point: Point, k: bigint, zero: Point): Point {
  let result = zero;
  for (const bit of k.toString(2)) {
    result = result.add(result);
    if (bit === '1') result = result.add(point);
  }
  return result;
}

describe.each(ALL_CURVES)('parameters of $id', (curve: Curve) => {
  const { fq, fr, g1 } = curve;
  const p = fq.modulus;
  const r = fr.modulus;

  it('is listed under its name', () => {
    expect(CURVES[curve.id]).toBe(curve);
    expect(pointBytes(curve.id, 'g1')).toBe(2 * curve.coordinateBytes);
  });

  it('has prime moduli of the stated sizes', () => {
    expect(isProbablePrime(p)).toBe(true);
    expect(isProbablePrime(r)).toBe(true);
    expect(p.toString(2).length).toBe(fq.bits);
    expect(r.toString(2).length).toBe(fr.bits);
    expect(8 * curve.coordinateBytes).toBeGreaterThanOrEqual(fq.bits);
    expect(8 * curve.scalarBytes).toBeGreaterThanOrEqual(fr.bits);
  });

  it('has scalars of 32 bytes if it has transforms', () => {
    if (curve.transforms === undefined) return;
    expect(curve.scalarBytes).toBe(SCALAR_BYTES);
  });

  it('has a generator of order r on the curve', () => {
    expect(isOnCurve(curve, g1.generator)).toBe(true);
    expect(multiplyAffine(curve, g1.generator, r)).toBeUndefined();
    expect(multiplyAffine(curve, g1.generator, 1n)).toEqual(g1.generator);
  });

  it('has cofactor * r points: the only multiple of r that the interval of Hasse allows, or complex multiplication by j = 0', () => {
    if (g1.a !== 0n) {
      const most = squareRoot(4n * p);
      expect(g1.cofactor * r >= p + 1n - most && g1.cofactor * r <= p + 1n + most && r > 2n * most).toBe(true);
      return;
    }
    // A curve y^2 = x^3 + b over F_p has p + 1 - t points with 4 p = t^2 + 3 f^2 for an integer f.
    const trace = p + 1n - g1.cofactor * r;
    const rest = 4n * p - trace * trace;
    expect(rest > 0n).toBe(true);
    expect(3n * squareRoot(rest / 3n) ** 2n).toBe(rest);
  });

  it('has short vectors for the endomorphism', () => {
    const endomorphism = ENDOMORPHISMS[curve.id];
    if (endomorphism === undefined) return;
    const { lambda, basis } = endomorphism;
    const [[a1, b1], [a2, b2]] = basis;
    for (const [a, b] of basis) expect(mod(a + b * lambda, r)).toBe(0n);
    expect(a1 * b2 - a2 * b1).toBe(-r);
    expect([a1 > 0n, b1 > 0n, a2 > 0n, b2 < 0n]).toEqual([true, true, true, true]);
  });

  it('has the endomorphism (x, y) -> (beta x, y) = lambda (x, y)', () => {
    const endomorphism = ENDOMORPHISMS[curve.id];
    if (endomorphism === undefined) return;
    const { beta, lambda } = endomorphism;
    expect(beta).not.toBe(1n);
    expect(power(beta, 3n, p)).toBe(1n);
    expect(mod(lambda * lambda + lambda + 1n, r)).toBe(0n);
    const [x, y] = g1.generator;
    expect(multiplyAffine(curve, g1.generator, lambda)).toEqual([mod(beta * x, p), y]);
  });

  it('has the two-adicity, the root of unity and the non-residue of Fr', () => {
    const size = 1n << BigInt(fr.twoAdicity);
    expect((r - 1n) % size).toBe(0n);
    expect(((r - 1n) / size) % 2n).toBe(1n);
    expect(isSquare(fr.nonResidue, r)).toBe(false);
    const root = rootOfUnity(fr);
    expect(power(root, size / 2n, r)).toBe(r - 1n);
    if (curve.id in ROOTS_OF_UNITY) expect(root).toBe(ROOTS_OF_UNITY[curve.id]);
  });
});

describe.each(CURVES_WITH_G2)('G2 of $id', ({ id, fq, fr, g2, coordinateBytes }) => {
  const { Fp2, Point } = nobleG2(id);
  const [[x0, x1], [y0, y1]] = ALL_G2_GENERATORS[id]!;

  it('has a u^2 that is no square', () => {
    expect(isSquare(mod(g2!.nonResidue, fq.modulus), fq.modulus)).toBe(false);
  });

  it('has a generator of order r on the twist', () => {
    const [x, y] = [Fp2.create({ c0: x0, c1: x1 }), Fp2.create({ c0: y0, c1: y1 })];
    const [c0, c1] = g2!.b;
    expect(Fp2.eql(Fp2.sqr(y), Fp2.add(Fp2.mul(Fp2.sqr(x), x), Fp2.create({ c0, c1 })))).toBe(true);
    const point = Point.fromAffine({ x, y });
    expect(point.equals(Point.BASE)).toBe(true);
    expect(
      point
        .multiplyUnsafe(fr.modulus - 1n)
        .add(point)
        .is0(),
    ).toBe(true);
    expect(pointBytes(id, 'g2')).toBe(4 * coordinateBytes);
  });
});

it.each(ALL_CURVES.filter(({ g2 }) => g2 === undefined))('$id has no G2 arithmetic', ({ id }) => {
  expect(() => pointBytes(id, 'g2')).toThrow(expect.objectContaining({ code: 'CURVE_MISMATCH' }));
});

describe.each(CURVES_WITH_PAIRING)('the pairing of $id', (curve) => {
  const { id, fq, fr, g1, pairing, snarkjs, coordinateBytes } = curve;
  const p = fq.modulus;
  const { b } = curve.g2!;
  const generator = ALL_G2_GENERATORS[id]!;
  const { Fp2 } = nobleCurve(id).fields;
  const { Point } = nobleCurve(id).G2;
  const xi = Fp2.fromBigTuple([...pairing!.nonResidue]);

  it('comes from the parameter of its family', () => {
    const x = pairing!.parameter;
    const r = x ** 4n - x ** 2n + 1n;
    const [expectedP, expectedR] =
      pairing!.family === 'bn'
        ? [
            36n * x ** 4n + 36n * x ** 3n + 24n * x ** 2n + 6n * x + 1n,
            36n * x ** 4n + 36n * x ** 3n + 18n * x ** 2n + 6n * x + 1n,
          ]
        : [((x - 1n) ** 2n * r) / 3n + x, r];
    expect([p, fr.modulus]).toEqual([expectedP, expectedR]);
    expect(g1.cofactor).toBe(pairing!.family === 'bn' ? 1n : (x - 1n) ** 2n / 3n);
  });

  it("has a tower's xi that is neither a square nor a cube, and the twist by it", () => {
    for (const prime of [2n, 3n]) {
      expect((p * p - 1n) % prime).toBe(0n);
      expect(Fp2.eql(Fp2.pow(xi, (p * p - 1n) / prime), Fp2.ONE)).toBe(false);
    }
    const twisted = Fp2.fromBigTuple([...b]);
    const own = Fp2.fromBigTuple([g1.b, 0n]);
    const [left, right] = pairing!.twist === 'D' ? [Fp2.mul(xi, twisted), own] : [twisted, Fp2.mul(xi, own)];
    expect(Fp2.eql(left, right)).toBe(true);
  });

  it('has the generators of @noble/curves, of order r', () => {
    const { x, y } = nobleCurve(id).G1.Point.BASE.toAffine();
    expect(g1.generator).toEqual([x, y]);
    const [[x0, x1], [y0, y1]] = generator;
    const point = Point.fromAffine({ x: { c0: x0, c1: x1 }, y: { c0: y0, c1: y1 } });
    point.assertValidity();
    expect(point.equals(Point.BASE)).toBe(true);
    expect(
      point
        .multiplyUnsafe(fr.modulus - 1n)
        .add(point)
        .is0(),
    ).toBe(true);
    expect(pointBytes(id, 'g2')).toBe(4 * coordinateBytes);
  });

  it('is known to snarkjs, and transforms with its root of unity', () => {
    expect(snarkjs).toBeDefined();
    // The smallest non-residue is what ffjavascript takes; tests/wasm/ntt compares the cosets.
    for (let k = 2n; k < fr.nonResidue; k++) expect(isSquare(k, fr.modulus)).toBe(true);
  });
});

describe('numbers of BLS12-377 alone', () => {
  const p = bls12377.fq.modulus;
  const { alpha, s, scale, d } = EDWARDS_FORMS['bls12-377']!;

  /** The affine Edwards coordinates of a Weierstrass point. */
  function toEdwards([x, y]: readonly [bigint, bigint]): readonly [bigint, bigint] {
    const xm = mod(s * (x - alpha), p);
    const ym = mod(s * y, p);
    return [mod(scale * xm * inverse(ym, p), p), mod((xm - 1n) * inverse(xm + 1n, p), p)];
  }

  function toWeierstrass([x, y]: readonly [bigint, bigint]): readonly [bigint, bigint] {
    const xm = mod((1n + y) * inverse(1n - y, p), p);
    const ym = mod(scale * xm * inverse(x, p), p);
    return [mod(xm * inverse(s, p) + alpha, p), mod(ym * inverse(s, p), p)];
  }

  it('comes from the family parameter 0x8508c00000000001', () => {
    const x = 0x8508c00000000001n;
    const r = x ** 4n - x ** 2n + 1n;
    expect(r).toBe(bls12377.fr.modulus);
    expect(((x - 1n) ** 2n * r) / 3n + x).toBe(p);
    expect((x - 1n) ** 2n / 3n).toBe(bls12377.g1.cofactor);
    expect(x ** 2n - 1n).toBe(ENDOMORPHISMS['bls12-377']!.lambda);
  });

  it('has the twist by u of the family, with an odd number of points', () => {
    const { nonResidue, b } = bls12377.g2!;
    // b = 1 / u: b u = u^2 b1 + b0 u is 1.
    expect(b[0]).toBe(0n);
    expect(mod(nonResidue * b[1], p)).toBe(1n);
    const x = 0x8508c00000000001n;
    const cofactor =
      (x ** 8n - 4n * x ** 7n + 5n * x ** 6n - 4n * x ** 4n + 6n * x ** 3n - 4n * x ** 2n - 4n * x + 13n) / 9n;
    expect(cofactor % 2n).toBe(1n);
    // Every point has an order that divides cofactor * r.
    const { Point } = nobleG2('bls12-377');
    for (const bytes of Object.values(pointsOutside(bls12377, 'g2'))) {
      const { x: at, y } = decodePoint('bls12-377', 'g2', bytes) as Record<'x' | 'y', readonly [bigint, bigint]>;
      const point = Point.fromAffine({ x: { c0: at[0], c1: at[1] }, y: { c0: y[0], c1: y[1] } });
      const times = point.multiplyUnsafe(bls12377.fr.modulus - 1n).add(point);
      const half = cofactor >> 1n;
      const byHalf = multiplyLong(times, half, Point.ZERO);
      expect(byHalf.add(byHalf).add(times).is0()).toBe(true);
    }
  });

  it('has alpha, s and the scale as their definitions say', () => {
    expect(mod(alpha ** 3n + bls12377.g1.b, p)).toBe(0n);
    expect(mod(s * s * 3n * alpha * alpha, p)).toBe(1n);
    // Montgomery y^2 = x^3 + A x^2 + x with A = 3 alpha s; unscaled twisted Edwards a = A + 2, d = A - 2 (over B = s).
    const [x, y] = bls12377.g1.generator;
    const xm = mod(s * (x - alpha), p);
    const ym = mod(s * y, p);
    const bigA = mod(3n * alpha * s, p);
    const b = mod((xm ** 3n + bigA * xm * xm + xm) * inverse(ym * ym, p), p);
    const a = mod((bigA + 2n) * inverse(b, p), p);
    expect(mod(scale * scale + a, p)).toBe(0n);
    expect(mod(-(bigA - 2n) * inverse(bigA + 2n, p) - d, p)).toBe(0n);
  });

  it('maps to -X^2 + Y^2 = 1 + d X^2 Y^2 and back', () => {
    let point = bls12377.g1.generator;
    for (let k = 0; k < 20; k++) {
      const [x, y] = toEdwards(point);
      expect(mod(-x * x + y * y - 1n - d * x * x * y * y, p)).toBe(0n);
      expect(toWeierstrass([x, y])).toEqual(point);
      point = addAffine(bls12377, addAffine(bls12377, point, point), bls12377.g1.generator)!;
    }
  });

  it('maps sums to sums by the law of twisted Edwards curves', () => {
    const g = bls12377.g1.generator;
    const pairs = [
      [g, g],
      [g, multiplyAffine(bls12377, g, 5n)!],
      [multiplyAffine(bls12377, g, 12345n)!, multiplyAffine(bls12377, g, 777n)!],
    ] as const;
    for (const [left, right] of pairs) {
      const [x1, y1] = toEdwards(left);
      const [x2, y2] = toEdwards(right);
      const t = mod(d * x1 * x2 * y1 * y2, p);
      const sum = [
        mod((x1 * y2 + y1 * x2) * inverse(1n + t, p), p),
        mod((y1 * y2 + x1 * x2) * inverse(1n - t, p), p),
      ] as const;
      expect(sum).toEqual(toEdwards(addAffine(bls12377, left, right)!));
    }
  });

  it('has a square d: the law is complete on points of odd order only', () => {
    expect(isSquare(d, p)).toBe(true);
    expect(isSquare(p - 1n, p)).toBe(true);
  });
});

describe.each(CURVES_WITH_EDWARDS.filter(({ boundary }) => boundary === 'edwards'))('the forms of $id', (curve) => {
  const p = curve.fq.modulus;
  const { a, b, generator } = curve.g1;
  const { alpha, s, scale, d } = EDWARDS_FORMS[curve.id]!;
  const isOnWeierstrass = ([x, y]: readonly [bigint, bigint]): boolean => mod(y * y - x ** 3n - a * x - b, p) === 0n;

  it('are the Montgomery curve of the Edwards form, and its short form', () => {
    const montgomeryB = mod(4n * inverse(mod(-1n - d, p), p), p);
    const montgomeryA = mod(2n * (d - 1n) * inverse(mod(-1n - d, p), p), p);
    expect([s, scale]).toEqual([montgomeryB, 1n]);
    expect(mod(3n * s * alpha - montgomeryA, p)).toBe(0n);
    expect(mod(alpha ** 3n + a * alpha + b, p)).toBe(0n);
    expect(mod(3n * s * s * a - 3n + montgomeryA ** 2n, p)).toBe(0n);
    expect(mod(27n * s ** 3n * b - 2n * montgomeryA ** 3n + 9n * montgomeryA, p)).toBe(0n);
  });

  it('carry sums to sums', () => {
    const onWeierstrass: Curve = { ...curve, boundary: 'weierstrass' };
    let point: readonly [bigint, bigint] = generator;
    for (let k = 0; k < 10; k++) {
      const next = addAffine(curve, addAffine(curve, point, point), generator)!;
      const [image, base] = [edwardsToWeierstrass(curve, point), edwardsToWeierstrass(curve, generator)];
      expect(isOnWeierstrass(image)).toBe(true);
      const sum = addAffine(onWeierstrass, addAffine(onWeierstrass, image, image), base);
      expect(edwardsToWeierstrass(curve, next)).toEqual(sum);
      point = next;
    }
  });

  it('have a law that is complete: d is no square, and -1 is one', () => {
    expect(isSquare(d, p)).toBe(false);
    expect(isSquare(p - 1n, p)).toBe(true);
  });
});
