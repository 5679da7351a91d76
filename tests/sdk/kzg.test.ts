import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Prover, ProverOptions } from '../../sdk/api/index.js';
import type { Notice, ProgressEvent } from '../../sdk/api/progress.js';
import { bigintToBytes } from '../../sdk/base/bytes.js';
import type { CurveId } from '../../sdk/curves/index.js';
import { mod } from '../../sdk/curves/modular.js';
import { rootOfDomain } from '../../sdk/polynomials/domain.js';
import { circuitFile, MAKING_TIMEOUT } from '../support/circuits.js';
import { inPlaceProver } from '../support/in-place-prover.js';
import { nobleCurve } from '../support/noble-curves.js';
import { NOBLE_GROUPS } from '../support/noble-groups.js';
import { pointsOutside } from '../support/outside-subgroup.js';
import { valueAt } from '../support/plonk-reference.js';
import { encodeScalars } from '../support/points.js';
import { CURVES_WITH_PAIRING } from '../support/registry.js';
import { failureOf, patched } from '../support/section-bytes.js';
import { emptyKernels, watchedGpu } from '../support/watched-gpu.js';

const SIZE = 16;
/** The secret of the tests' set-up: with it every commitment and every proof is known. */
const TAU = 0x1234_5678_9abc_def0_1234_5678_9abc_def1n ** 2n;

/** A set-up with a known tau, over a curve. */
function setupOf(curve: CurveId, size = SIZE) {
  const [g1, g2] = (['g1', 'g2'] as const).map(
    (group) => NOBLE_GROUPS.find((each) => each.curve === curve && each.group === group)!,
  );
  const r = g1!.order;
  const powers = [1n];
  while (powers.length < size) powers.push((powers.at(-1)! * TAU) % r);
  const commitmentTo = (coefficients: readonly bigint[]) => g1!.multiple(valueAt(coefficients, TAU % r, r));
  return {
    r,
    points: { curve, g1: g1!.multiples(powers), tauG2: g2!.multiple(TAU % r) },
    commitmentTo,
    /** The commitment to (p(X) - p(z)) / (X - z), by Horner's method. */
    proofOf: (coefficients: readonly bigint[], z: bigint) => {
      const quotient: bigint[] = [];
      let carry = 0n;
      for (const coefficient of coefficients.toReversed()) {
        quotient.unshift(carry);
        carry = mod(coefficient + carry * z, r);
      }
      return commitmentTo(quotient);
    },
  };
}

const encode = (coefficients: readonly bigint[], curve: CurveId) => encodeScalars(coefficients, curve);

let prover: Prover;
afterEach(async () => {
  await prover?.dispose();
});
const start = async (options: ProverOptions = {}): Promise<Prover> => {
  prover = await inPlaceProver({ backend: 'wasm', threads: 2, ...options });
  return prover;
};

describe.each(CURVES_WITH_PAIRING.map(({ id }) => id))('KZG commitments over %s', (curve) => {
  const { r, points, commitmentTo, proofOf } = setupOf(curve);
  const w = rootOfDomain(curve, SIZE);
  const random = Array.from({ length: SIZE }, (_, i) => mod((BigInt(i) + 3n) ** 91n, r));
  const POLYNOMIALS: Readonly<Record<string, readonly bigint[]>> = {
    'without coefficients': [],
    zero: [0n, 0n, 0n],
    constant: [r - 1n],
    X: [0n, 1n],
    'X^15': [...new Array<bigint>(15).fill(0n), 1n],
    'of degree 15': random,
    'of degree 8': random.slice(0, 9),
    'with a root at the point': [r - 7n, 1n],
  };

  it.each(Object.keys(POLYNOMIALS))('are right for a polynomial that is %s', async (name) => {
    const coefficients = POLYNOMIALS[name]!;
    const { kzg } = await start();
    const srs = await kzg.loadSrs(points);
    expect(srs).toMatchObject({ curve, size: SIZE, tauG2: points.tauG2, report: { cached: false } });
    const polynomial = encode(coefficients, curve);
    for (const constantWork of [false, true]) {
      const { commitment, report } = await kzg.commit(srs, polynomial, { constantWork });
      expect(commitment.bytes).toEqual(commitmentTo(coefficients));
      expect(report.parts).toEqual({ msm: 'wasm' });
      for (const point of [0n, 1n, 7n, r - 1n, w, TAU % r]) {
        const { value, proof } = await kzg.open(srs, polynomial, point, { constantWork });
        expect(value).toBe(valueAt(coefficients, point, r));
        expect(proof.bytes).toEqual(proofOf(coefficients, point));
        expect(await kzg.verify(srs, { commitment, point, value, proof })).toBe(true);
        expect(await kzg.verify(points, { commitment, point, value: (value + 1n) % r, proof })).toBe(false);
      }
    }
    expect(polynomial).toEqual(encode(coefficients, curve));
  });

  it('hold for the pairings of another library', async () => {
    const { kzg } = await start({ threads: 0 });
    const srs = await kzg.loadSrs(points);
    const { commitment } = await kzg.commit(srs, encode(random, curve));
    const { value, proof } = await kzg.open(srs, encode(random, curve), 7n);
    const { G1, G2, pairing, fields } = nobleCurve(curve);
    const g1 = ({ x, y }: { readonly x: unknown; readonly y: unknown }) =>
      G1.Point.fromAffine({ x: x as bigint, y: y as bigint });
    const opened = g1(commitment).subtract(G1.Point.BASE.multiply(value));
    const tau = G2.Point.BASE.multiply(TAU % r).subtract(G2.Point.BASE.multiply(7n));
    expect(fields.Fp12.eql(pairing(opened, G2.Point.BASE), pairing(g1(proof), tau))).toBe(true);
  });

  it('are made in batches, opened at one point with one proof, and verified together', async () => {
    const { kzg } = await start();
    const srs = await kzg.loadSrs(points);
    const all = Object.values(POLYNOMIALS);
    const polynomials = all.map((coefficients) => encode(coefficients, curve));
    const { commitments } = await kzg.commitBatch(srs, polynomials);
    expect(commitments.map(({ bytes }) => bytes)).toEqual(all.map(commitmentTo));
    const point = 7n;
    const derived = await kzg.openBatch(srs, polynomials, point, { commitments });
    expect(derived.values).toEqual(all.map((coefficients) => valueAt(coefficients, point, r)));
    const opening = { commitments, point, values: derived.values, proof: derived.proof };
    expect(await kzg.verify(srs, opening)).toBe(true);
    const challenge = 11n;
    const given = await kzg.openBatch(srs, polynomials, point, { challenge });
    const combined = random.map((_, i) =>
      all.reduce((sum, coefficients, j) => sum + challenge ** BigInt(j) * (coefficients[i] ?? 0n), 0n),
    );
    expect(given.proof.bytes).toEqual(proofOf(combined, point));
    expect(await kzg.verify(srs, { ...opening, proof: given.proof, challenge })).toBe(true);
    expect(await kzg.verify(srs, { ...opening, proof: given.proof })).toBe(false);
    const single = await Promise.all(
      [1n, 2n].map(async (z) => {
        const { value, proof } = await kzg.open(srs, polynomials[5]!, z);
        return { commitment: commitments[5]!, point: z, value, proof };
      }),
    );
    expect(await kzg.verifyBatch(srs, [...single, opening])).toBe(true);
    for (const i of [0, 1]) {
      const wrong = single.with(i, { ...single[i]!, value: mod(single[i]!.value + 1n, r) });
      expect(await kzg.verifyBatch(srs, [...wrong, opening])).toBe(false);
    }
    // Errors that would cancel each other without random factors.
    const [one, two] = single as [(typeof single)[0], (typeof single)[0]];
    const cancelling = [
      { ...one, value: mod(one.value + 1n, r) },
      { ...two, value: mod(two.value - 1n, r) },
    ];
    expect(await kzg.verifyBatch(srs, cancelling)).toBe(false);
    for (const i of all.keys()) {
      const values = derived.values.with(i, mod(derived.values[i]! + 1n, r));
      expect(await kzg.verify(srs, { ...opening, values })).toBe(false);
    }
  });

  it('take empty batches, and many openings', async () => {
    const { kzg } = await start();
    const srs = await kzg.loadSrs(points);
    expect((await kzg.commitBatch(srs, [])).commitments).toEqual([]);
    expect(await kzg.verifyBatch(srs, [])).toBe(true);
    const { commitment } = await kzg.commit(srs, encode(random, curve));
    const { value, proof } = await kzg.open(srs, encode(random, curve), 5n);
    const many = Array.from({ length: 150 }, () => ({ commitment, point: 5n, value, proof }));
    expect(await kzg.verifyBatch(srs, many)).toBe(true);
    expect(await kzg.verifyBatch(srs, many.with(149, { ...many[0]!, point: 6n }))).toBe(false);
    expect(await failureOf(() => kzg.openBatch(srs, [], 1n, { challenge: 1n }))).toMatchObject({
      code: 'INVALID_LENGTH',
    });
  });

  it('are not opened by forgeries', async () => {
    const { kzg } = await start();
    const srs = await kzg.loadSrs(points);
    const { commitment } = await kzg.commit(srs, encode(random, curve));
    const { value, proof } = await kzg.open(srs, encode(random, curve), 5n);
    const opening = { commitment: commitment.bytes, point: 5n, value, proof: proof.bytes };
    const infinity = new Uint8Array(commitment.bytes.length);
    const other = commitmentTo([3n]);
    const offCurve = patched(commitment.bytes, 0, new Uint8Array([commitment.bytes[0]! ^ 1]));
    const tooLarge = new Uint8Array(commitment.bytes.length).fill(255);
    for (const bytes of [infinity, other, offCurve, tooLarge]) {
      expect(await kzg.verify(srs, { ...opening, commitment: bytes })).toBe(false);
      expect(await kzg.verify(srs, { ...opening, proof: bytes })).toBe(false);
    }
    for (const changed of [{ value: value + r }, { value: value - r }, { value: 0n }, { point: 6n }]) {
      expect(await kzg.verify(srs, { ...opening, ...changed })).toBe(false);
    }
    const { g1 } = CURVES_WITH_PAIRING.find(({ id }) => id === curve)!;
    if (g1.cofactor !== 1n) {
      const curves = CURVES_WITH_PAIRING.find(({ id }) => id === curve)!;
      for (const outside of Object.values(pointsOutside(curves, 'g1'))) {
        expect(await kzg.verify(srs, { ...opening, commitment: outside })).toBe(false);
        expect(await kzg.verify(srs, { ...opening, proof: outside })).toBe(false);
      }
    }
  });

  it('refuse points that are not powers of one tau', async () => {
    const { kzg } = await start();
    const { g1, tauG2 } = points;
    const size = g1.length / SIZE;
    const reordered = g1.slice();
    reordered.set(g1.subarray(7 * size, 8 * size), 8 * size);
    expect((await failureOf(() => kzg.loadSrs({ ...points, g1: reordered }))).code).toBe('MALFORMED_FILE');
    await (await kzg.loadSrs({ ...points, g1: reordered }, { checkPowers: false })).dispose();
    const shifted = g1.subarray(size);
    expect((await failureOf(() => kzg.loadSrs({ ...points, g1: shifted }))).code).toBe('MALFORMED_FILE');
    const other = setupOf(curve);
    const square = NOBLE_GROUPS.find((each) => each.curve === curve && each.group === 'g2')!.multiple(TAU ** 2n % r);
    expect((await failureOf(() => kzg.loadSrs({ ...other.points, tauG2: square }))).code).toBe('MALFORMED_FILE');
    const bad = [
      new Uint8Array(tauG2.length),
      new Uint8Array(tauG2.length).fill(255),
      patched(tauG2, 0, new Uint8Array([tauG2[0]! ^ 1])),
      Object.values(pointsOutside(CURVES_WITH_PAIRING.find(({ id }) => id === curve)!, 'g2'))[0]!,
    ];
    for (const tau of bad) {
      expect((await failureOf(() => kzg.loadSrs({ ...points, tauG2: tau }))).code).toBe('INVALID_POINT');
      const opening = { commitment: g1.subarray(0, size), point: 1n, value: 1n, proof: g1.subarray(0, size) };
      expect((await failureOf(() => kzg.verify({ curve, tauG2: tau }, opening))).code).toBe('INVALID_POINT');
    }
    const offCurve = patched(g1, 9 * size, new Uint8Array([g1[9 * size]! ^ 1]));
    expect((await failureOf(() => kzg.loadSrs({ ...points, g1: offCurve }))).code).toBe('INVALID_POINT');
    expect((await failureOf(() => kzg.loadSrs({ ...points, g1: g1.subarray(1) }))).code).toBe('INVALID_LENGTH');
    expect((await failureOf(() => kzg.loadSrs(points, { size: SIZE + 1 }))).code).toBe('INVALID_LENGTH');
    expect((await failureOf(() => kzg.loadSrs({ ...points, g1: g1.subarray(0, size) }))).code).toBe('INVALID_LENGTH');
    const small = await kzg.loadSrs(points, { size: 2 });
    expect(small.size).toBe(2);
    // The prover still works.
    const { commitment } = await kzg.commit(small, encode([1n, 2n], curve));
    expect(commitment.bytes).toEqual(commitmentTo([1n, 2n]));
  });
});

describe('a .ptau file of snarkjs', () => {
  let file: Uint8Array<ArrayBuffer>;
  beforeAll(async () => {
    file = new Uint8Array(readFileSync(await circuitFile('pot5.ptau')));
  }, MAKING_TIMEOUT);

  it('is an SRS, from its path, its bytes or a Blob, whole or in part', async () => {
    const { kzg } = await start();
    const path = await circuitFile('pot5.ptau');
    const polynomial = encode([5n, 1n, 4n], 'bn254');
    const made = [];
    for (const source of [path, file, new Blob([file])]) {
      for (const size of [undefined, 8, 63]) {
        const srs = await kzg.loadSrs(source, { ...(size === undefined ? {} : { size }), curve: 'bn254' });
        expect(srs).toMatchObject({ curve: 'bn254', size: size ?? 32 });
        const { commitment } = await kzg.commit(srs, polynomial);
        const { value, proof } = await kzg.open(srs, polynomial, 9n);
        expect(value).toBe(5n + 9n + 4n * 81n);
        expect(await kzg.verify(srs, { commitment, point: 9n, value, proof })).toBe(true);
        made.push(commitment.bytes);
        await srs.dispose();
        expect(await kzg.verify(srs, { commitment, point: 9n, value, proof })).toBe(true);
        expect((await failureOf(() => kzg.commit(srs, polynomial))).code).toBe('DISPOSED');
      }
    }
    for (const bytes of made) expect(bytes).toEqual(made[0]);
  });

  it('is refused if it is altered, cut short or another', async () => {
    const { kzg } = await start();
    const codeOf = async (source: Uint8Array, options = {}) =>
      (await failureOf(() => kzg.loadSrs(source, options))).code;
    expect(await codeOf(file, { size: 64 })).toBe('INVALID_LENGTH');
    expect(await codeOf(file, { curve: 'bls12-381' })).toBe('CURVE_MISMATCH');
    expect(await codeOf(file.subarray(0, 1000))).toBe('MALFORMED_FILE');
    expect(await codeOf(new Uint8Array(100))).toBe('MALFORMED_FILE');
    // The header begins at byte 24: the size of p, p, the power.
    expect(await codeOf(patched(file, 28, new Uint8Array([1])))).toBe('CURVE_MISMATCH');
    expect(await codeOf(patched(file, 60, new Uint8Array([4])))).toBe('MALFORMED_FILE');
    expect(await codeOf(patched(file, 60, new Uint8Array([0])))).toBe('MALFORMED_FILE');
    expect(await codeOf(patched(file, 4, new Uint8Array([2])))).toBe('UNSUPPORTED_FORMAT');
    expect(await codeOf(file, { sha256: '00'.repeat(32) })).toBe('KEY_MISMATCH');
    expect(['MALFORMED_FILE', 'INVALID_POINT']).toContain(await codeOf(patched(file, 80 + 5 * 64, new Uint8Array(64))));
  });
});

describe('arguments of KZG calls', () => {
  const { points } = setupOf('bn254');
  const polynomial = encode([5n, 1n], 'bn254');
  const point = 3n;

  it('are checked before anything is computed', async () => {
    const { kzg } = await start();
    const srs = await kzg.loadSrs(points);
    const { commitment } = await kzg.commit(srs, polynomial);
    const { value, proof } = await kzg.open(srs, polynomial, point);
    const opening = { commitment, point, value, proof };
    const r = setupOf('bn254').r;
    const wrong = (calls: Readonly<Record<string, (() => Promise<unknown>)[]>>) =>
      Promise.all(
        Object.entries(calls).flatMap(([code, all]) =>
          all.map(async (call) =>
            expect({ code: (await failureOf(call)).code, call: String(call) }).toMatchObject({ code }),
          ),
        ),
      );
    const untyped = kzg as unknown as Record<keyof typeof kzg, (...args: unknown[]) => Promise<unknown>>;
    await wrong({
      INVALID_ARGUMENT: [
        () => untyped.commit({}, polynomial),
        () => untyped.commit(srs, [1, 2]),
        () => untyped.commit(srs, polynomial, { chek: 'curve' }),
        () => untyped.commit(srs, polynomial, { check: 'none' }),
        () => untyped.commitBatch(srs, polynomial),
        () => untyped.open(srs, polynomial, 3),
        () => untyped.openBatch(srs, [polynomial], point),
        () => untyped.openBatch(srs, [polynomial], point, { commitments: [commitment], challenge: 1n }),
        () => untyped.verify(srs, { commitment, point, value, proof: 'x' }),
        () => untyped.verify(srs, { commitment, point, value: '1', proof }),
        () => untyped.verify({ ...srs, curve: 'bn128' }, opening),
        () => untyped.verifyBatch(srs, opening),
        () => untyped.loadSrs({ ...points, g1: 5 }),
        () => untyped.loadSrs({ ...points, pointsForm: 'x' }),
        () => untyped.loadSrs(points, { size: 1 }),
        () => untyped.loadSrs(points, { powers: 4 }),
        () => untyped.loadSrs(5),
      ],
      CURVE_MISMATCH: [
        () => kzg.verify({ ...srs, curve: 'bls12-377' }, opening),
        () => kzg.loadSrs({ ...points, curve: 'mnt4-753' }),
        () => kzg.loadSrs({ ...points, curve: 'bls12-377' }),
        () => kzg.loadSrs(points, { curve: 'bls12-381' }),
      ],
      INVALID_LENGTH: [
        () => kzg.commit(srs, polynomial.subarray(1)),
        () => kzg.commit(srs, new Uint8Array(32 * (SIZE + 1))),
        () => kzg.open(srs, new Uint8Array(32 * (SIZE + 1)), point),
        () => kzg.openBatch(srs, [polynomial], point, { commitments: [commitment, commitment] }),
        () => kzg.verify(srs, { ...opening, proof: new Uint8Array(63) }),
        () => kzg.verify({ ...srs, tauG2: srs.tauG2.subarray(1) }, opening),
        () => kzg.verify(srs, { commitments: [], point, values: [], proof }),
        () => kzg.verify(srs, { commitments: [commitment], point, values: [], proof }),
        () => kzg.loadSrs({ ...points, tauG2: new Uint8Array(64) }),
      ],
      INVALID_SCALAR: [
        () => kzg.commit(srs, encode([0n, r], 'bn254')),
        () => kzg.commitBatch(srs, [polynomial, bigintToBytes(2n ** 256n - 1n, 32)]),
        () => kzg.open(srs, encode([0n, r], 'bn254'), point),
        () => kzg.open(srs, polynomial, r),
        () => kzg.open(srs, polynomial, -1n),
        () => kzg.openBatch(srs, [polynomial], point, { challenge: 0n }),
        () => kzg.verify(srs, { ...opening, point: r }),
        () => kzg.verify(srs, { commitments: [commitment], point, values: [value], proof, challenge: r }),
      ],
    });
    expect(await kzg.verify(srs, opening)).toBe(true);
    const other = await inPlaceProver({ backend: 'wasm', threads: 1 });
    expect((await failureOf(() => other.kzg.commit(srs, polynomial))).code).toBe('INVALID_HANDLE');
    expect(await other.kzg.verify(srs, opening)).toBe(true);
    await other.dispose();
  });

  it('are read when the call is made', async () => {
    const { kzg } = await start();
    const srs = await kzg.loadSrs(points);
    const changing = polynomial.slice();
    const committing = kzg.commit(srs, changing);
    changing.fill(0);
    expect((await committing).commitment.bytes).toEqual((await kzg.commit(srs, polynomial)).commitment.bytes);
  });
});

describe('KZG calls', () => {
  const { points, commitmentTo } = setupOf('bn254', 4096);
  const coefficients = Array.from({ length: 4096 }, (_, i) => BigInt(i) ** 19n);
  const polynomial = encode(coefficients, 'bn254');

  it('are aborted, report progress, and leave the SRS usable', async () => {
    const { kzg } = await start();
    const srs = await kzg.loadSrs(points);
    for (const call of [
      (signal: AbortSignal) => kzg.commit(srs, polynomial, { signal }),
      (signal: AbortSignal) => kzg.open(srs, polynomial, 3n, { signal }),
      (signal: AbortSignal) => kzg.loadSrs(points, { signal }),
    ]) {
      const controller = new AbortController();
      const failing = failureOf(() => call(controller.signal));
      setTimeout(() => controller.abort(), 5);
      expect((await failing).code).toBe('ABORTED');
    }
    const events: ProgressEvent[] = [];
    const { commitment } = await kzg.commit(srs, polynomial, { onProgress: (event) => events.push(event) });
    expect(commitment.bytes).toEqual(commitmentTo(coefficients));
    expect(events.findLast(({ kind }) => kind === 'progress')).toMatchObject({ done: 100, total: 100 });
  });

  it('take the powers from the cache at the next visit, without the check', async () => {
    const { mkdtemp, rm } = await import('node:fs/promises');
    const { tmpdir } = await import('node:os');
    const { join } = await import('node:path');
    const directory = await mkdtemp(join(tmpdir(), 'pippin-'));
    try {
      for (const cached of [false, true]) {
        const { kzg } = await start({ cache: { directory } });
        const srs = await kzg.loadSrs(points);
        expect(srs.report.cached).toBe(cached);
        expect('msm' in srs.report.parts).toBe(!cached);
        expect((await kzg.commit(srs, polynomial)).commitment.bytes).toEqual(commitmentTo(coefficients));
        await prover.cacheWritten();
        await prover.dispose();
      }
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  it('fall back from a GPU that computes wrong, which is used no more', async () => {
    const { gpu } = await watchedGpu(emptyKernels);
    const onNotice = vi.fn<(notice: Notice) => void>();
    prover = await inPlaceProver({ backend: 'auto', threads: 2, onNotice }, { gpu: async () => gpu });
    const { kzg } = prover;
    const srs = await kzg.loadSrs(points);
    await expect.poll(() => onNotice).toHaveBeenCalledWith(expect.objectContaining({ code: 'WEBGPU_READY' }));
    const { commitment, report } = await kzg.commit(srs, polynomial);
    expect(commitment.bytes).toEqual(commitmentTo(coefficients));
    expect(report.backend).toBe('wasm');
    expect(onNotice.mock.calls.map(([{ code }]) => code)).toContain('WEBGPU_DISTRUSTED');
    const { value, proof } = await kzg.open(srs, polynomial, 3n);
    expect(await kzg.verify(srs, { commitment, point: 3n, value, proof })).toBe(true);
    expect(prover.capabilities.backend).toBe('wasm');
  });
});

afterAll(() => prover?.dispose());
