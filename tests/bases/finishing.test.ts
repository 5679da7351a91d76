import { describe, expect, it, vi } from 'vitest';
import { joinBytes } from '../../sdk/base/bytes.js';
import type { BasesToLoad, MsmBackend, PartialSums } from '../../sdk/bases/backend.js';
import { finishing, gatherScalars } from '../../sdk/bases/finishing.js';
import { LoadedBases } from '../../sdk/bases/loaded-bases.js';
import type { PointArithmetic } from '../../sdk/bases/point-arithmetic.js';
import { bytesOfScalars, type DeviceScalars, hostScalars, type ScalarVector } from '../../sdk/bases/scalar-vector.js';
import { bn254, SCALAR_BYTES } from '../../sdk/curves/index.js';
import { encodePoint } from '../../sdk/curves/point-bytes.js';
import { RestorableBytes } from '../../sdk/executors/workers/pool/restorable-bytes.js';
import { encodeScalars } from '../support/points.js';

const G = encodePoint('bn254', 'g1', bn254.g1.generator);

/** Points stand for their first byte: sums add these, and 255 is off the curve. */
const arithmetic: PointArithmetic = {
  reduceWindows: async (sums, windowBits) => point(sums[0]! * windowBits),
  combine: async (points, scalars) => {
    let sum = 0;
    for (let i = 0; i < points.length / 64; i++) sum += points[64 * i]! * (scalars?.[SCALAR_BYTES * i] ?? 1);
    return point(sum);
  },
  finish: async (parts) => {
    const sum =
      parts.kind === 'windows'
        ? await arithmetic.reduceWindows(parts.sums, parts.windowBits)
        : await arithmetic.combine(joinBytes(parts.points));
    return sum[0] === 255 ? undefined : sum;
  },
};

function point(first: number): Uint8Array {
  const bytes = new Uint8Array(64);
  bytes[0] = first;
  return bytes;
}

/** Five points as given; the kept ones are 0, 2 and 4, and 3 is exceptional with the value 10. */
const BASES: BasesToLoad = {
  curve: 'bn254',
  group: 'g1',
  form: 'weierstrass',
  count: 5,
  kept: 3,
  indices: new Uint32Array([0, 2, 4]),
  exceptional: [{ index: 3, point: point(10) }],
  points: G,
};

/**
 * A backend that takes two multiplications at a time, each of whose parts are the scalars that it is given, as points.
 */
function echo(parts?: PartialSums): MsmBackend & { readonly given: number[][] } {
  const given: number[][] = [];
  return {
    given,
    capabilities: { executor: 'webgpu', groups: ['g1'], forms: ['weierstrass'], maxBatch: 2 },
    load: async ({ kept }, range) => ({ count: range ? range.to - range.from : kept, release: () => undefined }),
    multiplyBatch: async (bases, vector, batch, options) => {
      const bytes = bytesOfScalars(vector);
      options?.onProgress?.(1);
      return Array.from({ length: batch }, (_, m) => {
        const first = m * bases.count;
        const scalars = Array.from({ length: bases.count }, (_, i) => bytes[(first + i) * SCALAR_BYTES]!);
        given.push(scalars);
        return parts ?? { kind: 'points', points: scalars.map(point) };
      });
    },
  };
}

const ROWS = [
  [1n, 2n, 3n, 4n, 5n],
  [6n, 7n, 8n, 9n, 10n],
  [11n, 12n, 13n, 0n, 15n],
];
const SCALARS = hostScalars(encodeScalars(ROWS.flat()));

describe('finishing', () => {
  it('leaves scalars on a device where they are, if the points need all of them', async () => {
    const scalars: DeviceScalars = { kind: 'device', count: 3, release: () => undefined };
    const multiplyBatch = vi.fn(async () => [{ kind: 'points', points: [point(7)] } as const]);
    const backend = finishing({ ...echo(), multiplyBatch }, () => arithmetic);
    const whole = await backend.load({ ...BASES, count: 3, indices: undefined });
    expect(await backend.multiplyBatch(whole, scalars, 1)).toMatchObject([{ point: point(7) }]);
    expect(multiplyBatch).toHaveBeenCalledWith(expect.anything(), scalars, 1, expect.anything());
    const some = await backend.load(BASES);
    await expect(backend.multiplyBatch(some, scalars, 1)).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(() => bytesOfScalars(scalars)).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
  });

  it('gives the backend the scalars of the kept points, a few multiplications at a time, and puts the parts together', async () => {
    const backend = echo();
    const sums = finishing(backend, () => arithmetic);
    const seen: number[] = [];
    const bases = await sums.load(BASES);
    expect(bases.count).toBe(5);
    const results = await sums.multiplyBatch(bases, SCALARS, 3, { onProgress: (fraction) => seen.push(fraction) });
    expect(backend.given).toEqual([
      [1, 3, 5],
      [6, 8, 10],
      [11, 13, 15],
    ]);
    expect(results.map(({ point }) => point[0])).toEqual([9, 24, 39]);
    expect(results.map(({ executors }) => executors)).toEqual([['webgpu'], ['webgpu'], ['webgpu']]);
    expect(seen).toEqual([2 / 3, 1]);
  });

  it('has a GPU wait for scalars of all points itself, and waits for those of some, or of the workers', async () => {
    const asked: number[] = [];
    const wait = async (count: number): Promise<void> => void asked.push(count);
    const all = { ...BASES, count: 3, kept: 3, indices: undefined };
    const three = hostScalars(encodeScalars([1n, 2n, 3n]), wait);
    const given: ScalarVector[] = [];
    const multiplyBatch = async (_: unknown, scalars: ScalarVector) => {
      given.push(scalars);
      return [{ kind: 'points', points: [point(7)] } as const];
    };
    for (const executor of ['webgpu', 'wasm'] as const) {
      const backend = { ...echo(), multiplyBatch };
      const capabilities = { ...backend.capabilities, executor };
      const sums = finishing({ ...backend, capabilities }, () => arithmetic);
      await sums.multiplyBatch(await sums.load(all), three, 1);
      await sums.multiplyBatch(await sums.load(all), three, 1, { range: { from: 0, to: 2 } });
      const five = hostScalars(encodeScalars(ROWS[0]!), wait);
      await sums.multiplyBatch(await sums.load(BASES), five, 1);
    }
    expect(given[0]).toBe(three);
    expect(asked).toEqual([96, 160, 96, 96, 160]);
    const wrong = hostScalars(three.bytes, () => Promise.reject(new Error('wrong scalars')));
    const sums = finishing(echo(), () => arithmetic);
    await expect(sums.multiplyBatch(await sums.load(BASES), wrong, 1)).rejects.toThrow('wrong scalars');
  });

  it('takes a range of the kept points', async () => {
    const backend = echo();
    const sums = finishing(backend, () => arithmetic);
    await sums.multiplyBatch(await sums.load(BASES, { from: 1, to: 3 }), SCALARS, 3);
    expect(backend.given).toEqual([
      [3, 5],
      [8, 10],
      [13, 15],
    ]);
  });

  it('sums a range of the points that it has loaded, and tells when the backend is done', async () => {
    const backend = echo();
    const given: unknown[] = [];
    const multiplyBatch = vi.fn(async (...[, scalars]: Parameters<typeof backend.multiplyBatch>) => {
      given.push(structuredClone(scalars));
      return [{ kind: 'points', points: [point(7)] } as const];
    });
    const sums = finishing({ ...backend, multiplyBatch }, () => arithmetic);
    const onComputed = vi.fn();
    const row = hostScalars(encodeScalars(ROWS[0]!));
    const range = { from: 1, to: 2 };
    await sums.multiplyBatch(await sums.load(BASES, { from: 1, to: 3 }), row, 1, { range, onComputed });
    expect(given).toEqual([hostScalars(encodeScalars([5n]))]);
    // The copy that was made for the backend is overwritten, the caller's scalars are not.
    const copy = hostScalars(new Uint8Array(32));
    expect(multiplyBatch).toHaveBeenCalledWith(expect.anything(), copy, 1, expect.objectContaining({ range }));
    expect(row.bytes).toEqual(encodeScalars(ROWS[0]!));
    expect(onComputed).toHaveBeenCalledTimes(1);
  });

  it('reduces windows, and takes no parts at all for infinity', async () => {
    const windows = finishing(echo({ kind: 'windows', windowBits: 3, sums: new Uint8Array([7]) }), () => arithmetic);
    const [sum] = await windows.multiplyBatch(await windows.load(BASES), SCALARS, 1);
    expect(sum!.point[0]).toBe(21);
    const nothing = finishing(echo({ kind: 'points', points: [] }), () => arithmetic);
    const [none] = await nothing.multiplyBatch(await nothing.load(BASES), SCALARS, 1);
    expect(none!.point).toEqual(new Uint8Array(64));
  });

  it('refuses a result off the curve', async () => {
    const sums = finishing(echo({ kind: 'points', points: [point(255)] }), () => arithmetic);
    const call = sums.multiplyBatch(await sums.load(BASES), SCALARS, 3);
    await expect(call).rejects.toMatchObject({ code: 'RESULT_INVALID', message: expect.stringContaining('webgpu') });
  });
});

describe('gatherScalars', () => {
  it('gives the same array when all points are kept, and their scalars when some are', () => {
    const { bytes } = SCALARS;
    const all = { ...BASES, kept: 5, indices: undefined };
    expect(gatherScalars(all, bytes, 3)).toBe(bytes);
    expect(gatherScalars(all, bytes, 3, { from: 1, to: 3 })).toEqual(encodeScalars(ROWS.flatMap((r) => r.slice(1, 3))));
    expect(gatherScalars(all, bytes, 3, { from: 2, to: 2 })).toHaveLength(0);
    expect(gatherScalars(BASES, bytes, 3)).toEqual(encodeScalars(ROWS.flatMap((r) => [r[0]!, r[2]!, r[4]!])));
    expect(gatherScalars(BASES, bytes, 3, { from: 0, to: 1 })).toEqual(encodeScalars(ROWS.map((r) => r[0]!)));
    const runs = { ...BASES, kept: 4, indices: new Uint32Array([0, 1, 3, 4]) };
    expect(gatherScalars(runs, bytes, 3)).toEqual(encodeScalars(ROWS.flatMap((r) => [r[0]!, r[1]!, r[3]!, r[4]!])));
    expect(gatherScalars(runs, bytes, 3, { from: 1, to: 3 })).toEqual(
      encodeScalars(ROWS.flatMap((r) => [r[1]!, r[3]!])),
    );
  });
});

describe('LoadedBases', () => {
  const { points: _, ...outline } = BASES;
  const held = new RestorableBytes(G, async () => G);
  const place = (parts?: PartialSums, checked = arithmetic) => ({
    backend: finishing(echo(parts), () => checked),
    arithmeticFor: () => checked,
  });

  it('adds the share of the exceptional points to each sum, and checks the result', async () => {
    const bases = new LoadedBases(outline, held, place());
    expect(bases.executor).toBe('webgpu');
    const sums = await bases.multiplyBatch(SCALARS, 3, {});
    expect(sums.map(({ point }) => point[0])).toEqual([9 + 40, 24 + 90, 39]);
    const off = new LoadedBases(outline, held, place({ kind: 'points', points: [point(215)] }));
    await expect(off.multiply(SCALARS, {})).rejects.toMatchObject({ code: 'RESULT_INVALID' });
  });

  it('loads once, again after a failure, and not after its release', async () => {
    const { backend, arithmeticFor } = place();
    const load = vi.spyOn(backend, 'load').mockRejectedValueOnce(new Error('no memory'));
    const bases = new LoadedBases(outline, held, { backend, arithmeticFor });
    await expect(bases.load({})).rejects.toThrow('no memory');
    await Promise.all([bases.load({}), bases.multiply(SCALARS, {}), bases.multiply(SCALARS, {})]);
    expect(load).toHaveBeenCalledTimes(2);
    bases.release();
    await expect(bases.multiply(SCALARS, {})).rejects.toMatchObject({ code: 'DISPOSED' });
  });
});

describe('finishing and the observer', () => {
  it("shows a call's observer what is done and by whom", async () => {
    const spans: string[] = [];
    const observer = {
      span: <T>(phase: string, executor: string, work: () => Promise<T>): Promise<T> => {
        spans.push(`${phase} ${executor}`);
        return work();
      },
      notice: () => undefined,
    };
    const sums = finishing(echo(), () => arithmetic);
    const bases = await sums.load(BASES, undefined, { observer });
    await sums.multiplyBatch(bases, SCALARS, 3, { observer });
    expect(await sums.multiplyBatch(bases, SCALARS, 3)).toHaveLength(3);
    expect(spans).toEqual(['upload webgpu', 'msm webgpu']);
    const onWorkers = { ...echo(), capabilities: { ...echo().capabilities, executor: 'wasm' as const } };
    await finishing(onWorkers, () => arithmetic).load(BASES, undefined, { observer });
    expect(spans.at(-1)).toBe('distribute wasm');
  });
});
