import { beforeAll, describe, expect, it } from 'vitest';
import { bigintToBytes, bytesToBigint, joinBytes } from '../../../../sdk/base/bytes.js';
import { CURVES, type CurveId } from '../../../../sdk/curves/index.js';
import { mod, power } from '../../../../sdk/curves/modular.js';
import { GpuRoots } from '../../../../sdk/executors/gpu/roots/gpu-roots.js';
import { exponentSteps, rootConstants, SQUARE } from '../../../../sdk/executors/gpu/roots/root-stages.js';
import type { GpuDevice } from '../../../../sdk/executors/gpu/runtime/device.js';
import { isTestedInFull } from '../../../support/combinations.js';
import { edgeValues, Random } from '../../../support/random.js';
import { unpackingKernels } from '../../../support/unpacking-kernels.js';
import { sharedDevice } from '../test-device.js';

/** The curves with packed keys. A software adapter takes long to compile the kernel of G2: one curve has it. */
const GROUPS = (['bn254', 'bls12-381'] as const).flatMap((curve) =>
  (['g1', 'g2'] as const)
    .filter((group) => group === 'g1' || isTestedInFull(curve, group))
    .map((group) => ({ curve, group })),
);

/** An element of F_p, or c0 and c1 of one of F_p^2 with u^2 = -1. */
type Element = readonly bigint[];

/** Arithmetic with BigInt, and the form that coordinates have in a .zkey. */
class Reference {
  readonly p: bigint;
  private readonly bytes: number;
  private readonly r: bigint;

  constructor(curve: CurveId) {
    const { fq, coordinateBytes } = CURVES[curve];
    this.p = fq.modulus;
    this.bytes = coordinateBytes;
    this.r = 1n << BigInt(8 * coordinateBytes);
  }

  product([a0, a1 = 0n]: Element, [b0, b1 = 0n]: Element): Element {
    return [mod(a0! * b0! - a1 * b1, this.p), mod(a0! * b1 + a1 * b0!, this.p)];
  }

  /** x in a .zkey's form with a sign; coordinates may exceed p. */
  compressed(x: Element, sign: number): Uint8Array {
    const words = joinBytes(x.map((c) => bigintToBytes(c, this.bytes)));
    words[words.length - 1]! |= sign << 7;
    return words;
  }

  /** The number that stands for an element in a .zkey. */
  zkeys(a: bigint): bigint {
    return mod(a * this.r, this.p);
  }

  /** The element for which a number of a .zkey stands. */
  plain(bytes: Uint8Array): Element {
    const inverse = power(this.r, this.p - 2n, this.p);
    return Array.from({ length: bytes.length / this.bytes }, (_, i) =>
      mod(bytesToBigint(bytes, i * this.bytes, this.bytes) * inverse, this.p),
    );
  }
}

it.each([1n, 2n, 8n, 15n, 16n, 17n, 240n, 0x8000000000000001n, (1n << 255n) - 19n])('steps give the power %s', (e) => {
  const p = 1_000_003n;
  const [first, ...rest] = exponentSteps(e);
  const odd = (place: number): bigint => power(7n, BigInt(2 * place + 1), p);
  const result = rest.reduce((value, step) => (value * (step === SQUARE ? value : odd(step))) % p, odd(first!));
  expect(result).toBe(power(7n, e, p));
});

describe.each(GROUPS)('points from x and a sign on the GPU, $curve $group', ({ curve, group }) => {
  const reference = new Reference(curve);
  const { p, zkeys } = { p: reference.p, zkeys: reference.zkeys.bind(reference) };
  const degree = group === 'g2' ? 2 : 1;
  const random = new Random(17);
  let gpu: GpuDevice;
  let roots: GpuRoots;

  beforeAll(async () => {
    gpu = await sharedDevice();
    roots = new GpuRoots(gpu, curve, group);
    await roots.ready;
  });

  /** What the WASM says of one point; undefined if it refuses it. */
  const byWasm = (compressed: Uint8Array): Promise<Uint8Array | undefined> =>
    unpackingKernels.decompress(curve, group, new Uint8Array(compressed), 'x', 0).catch(() => undefined);

  /** x with edges in each coordinate, in a .zkey's form, also ones that are not below p, each with both signs. */
  function givenPoints(): Uint8Array[] {
    const edges = [...edgeValues(p), p, p + 1n, 2n * p - 1n].filter(
      (c) => c >= 0n && c >> BigInt(p.toString(2).length) === 0n,
    );
    const some = Array.from({ length: 24 }, () => random.below(p));
    const xs = [...edges, ...some].map((c): Element => (degree === 1 ? [c] : [c, random.below(p)]));
    if (degree === 2) for (const c of edges) xs.push([random.below(p), c], [c, 0n], [0n, c]);
    return xs.flatMap((x) => [0, 1].map((sign) => reference.compressed(x, sign)));
  }

  it('are those of the WASM, at edges and with both signs, and what the WASM refuses is missing', async () => {
    const given = givenPoints();
    const { points, missing } = await roots.decompress(joinBytes(given));
    const size = points.length / given.length;
    const refused: number[] = [];
    for (const [i, compressed] of given.entries()) {
      const expected = await byWasm(compressed);
      if (expected === undefined) refused.push(i);
      else expect([i, points.slice(i * size, (i + 1) * size)]).toEqual([i, new Uint8Array(expected)]);
    }
    expect(missing).toEqual(refused);
    expect(refused.length).toBeGreaterThan(given.length / 4);
    expect(refused.length).toBeLessThan((3 * given.length) / 4);
  });

  it('have roots of every square, also where a coordinate of it or of the root is 0', async () => {
    const edges = [0n, 1n, 2n, p - 1n, (p + 1n) / 2n, random.below(p)];
    const all = edges.flatMap((c0): Element[] => (degree === 1 ? [[c0]] : edges.map((c1) => [c0, c1])));
    // Every number of F_p is a square in F_p^2.
    const squares = all.map((root) => reference.product(root, root));
    if (degree === 2) squares.push(...edges.map((c): Element => [c, 0n]));
    for (const square of squares) {
      // With x = 0.
      const constants = rootConstants(curve, group, square);
      const special = new GpuRoots(gpu, curve, group, constants);
      const x = new Array<bigint>(degree).fill(0n);
      const signs = joinBytes([reference.compressed(x, 0), reference.compressed(x, 1)]);
      const { points, missing } = await special.decompress(signs);
      const size = points.length / 2;
      // 0 has one sign.
      expect(missing).toEqual(square.every((c) => c === 0n) ? [1] : []);
      const found = [0, 1].filter((i) => !missing.includes(i));
      for (const i of found) {
        const y = reference.plain(points.subarray(i * size + size / 2, (i + 1) * size));
        expect(reference.product(y, y)).toEqual(degree === 1 ? [square[0], 0n] : square);
      }
      special.release();
    }
  });

  it('are as many as asked for, in several workgroups', async () => {
    const x = Array.from({ length: degree }, () => zkeys(random.below(p)));
    const candidates = Array.from({ length: 16 }, (_, i) =>
      reference.compressed(
        x.map((c) => mod(c + BigInt(i), p)),
        1,
      ),
    );
    const valid: Uint8Array[] = [];
    for (const each of candidates) if ((await byWasm(each)) !== undefined) valid.push(each);
    const given = Array.from({ length: 300 }, (_, i) => valid[i % valid.length]!);
    const { points, missing } = await roots.decompress(joinBytes(given));
    expect(missing).toEqual([]);
    const expected = await Promise.all(given.map((each) => byWasm(each)));
    expect(points).toEqual(new Uint8Array(joinBytes(expected.map((each) => each!))));
    await expect(roots.decompress(new Uint8Array(4))).rejects.toMatchObject({ code: 'INVALID_LENGTH' });
    expect((await roots.decompress(new Uint8Array(0))).points).toHaveLength(0);
  });
});
