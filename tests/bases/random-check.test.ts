import { beforeAll, describe, expect, it, vi } from 'vitest';
import { bytesToBigint } from '../../sdk/base/bytes.js';
import type { MultiplyOptions, PlannedBackend, ResidentBases } from '../../sdk/bases/backend.js';
import { drawWeights, SHORT_CHECK_BITS, WEIGHT_BITS } from '../../sdk/bases/check-arithmetic.js';
import { signedDigits, windowCount } from '../../sdk/bases/digits.js';
import { finishing } from '../../sdk/bases/finishing.js';
import { pointForm } from '../../sdk/bases/prepared.js';
import { randomlyChecked } from '../../sdk/bases/random-check.js';
import { bytesOfScalars, hostScalars, SharedScalars } from '../../sdk/bases/scalar-vector.js';
import { CURVES } from '../../sdk/curves/index.js';
import { mod } from '../../sdk/curves/modular.js';
import { encodePoint } from '../../sdk/curves/point-bytes.js';
import type { Kernel } from '../../sdk/executors/workers/kernel/kernel.js';
import { addAffine, multiplyAffine } from '../support/curve-reference.js';
import { expectRandom, SAMPLES } from '../support/expect-random.js';
import { kernelArithmetic, kernelChecks } from '../support/kernel-checks.js';
import { expectedSum, packBases, packSum, randomPoints } from '../support/msm-reference.js';
import { encodeScalars, pointOfEvenOrder } from '../support/points.js';
import { Random } from '../support/random.js';
import { loadKernel } from '../support/wasm.js';

const COUNT = 5;
const WINDOW_BITS = 18;
const WINDOWS = 3;
const SCALAR_BITS = WINDOW_BITS * WINDOWS - 1;
const NO_SCALARS = { kind: 'pieces', pieces: [], scalarBytes: 32 } as const;

/** BN254, whose G1 has prime order, and BLS12-377, whose G1 has points of small order. */
describe.each(['bn254', 'bls12-377'] as const)('randomlyChecked over %s', (curve) => {
  const random = new Random(111);
  const { points, logs } = randomPoints(curve, COUNT, random);
  const { modulus } = CURVES[curve].fr;
  const scalars = points.map(() => random.below(1n << BigInt(SCALAR_BITS)));
  const bases = { ...packBases(curve, points), checksResults: true };
  const given = hostScalars(encodeScalars(scalars));
  const expected = encodePoint(curve, 'g1', expectedSum(curve, logs, scalars));
  let kernel: Kernel;
  beforeAll(async () => {
    kernel = await loadKernel(curve);
  });

  const multipleOf = (log: bigint) => multiplyAffine(CURVES[curve], CURVES[curve].g1.generator, mod(log, modulus));

  /**
   * A backend that computes by logarithms. `error` is added to bit sum 0 of row 0 of each multiplication, `small` is a
   * point that is added there to the first multiplication alone.
   */
  class FakePlanned implements PlannedBackend {
    readonly capabilities = {
      executor: 'webgpu',
      groups: ['g1'],
      forms: [pointForm(curve, 'g1')],
      maxBatch: 4,
    } as const;
    readonly asked: MultiplyOptions[] = [];
    released = 0;
    error = 0n;
    small: readonly [bigint, bigint] | undefined;
    onMultiply = (): void => undefined;

    async load(): Promise<ResidentBases> {
      return { count: COUNT, release: () => void this.released++ };
    }

    rowPlan(_: ResidentBases, __: number, { scalarBits = modulus.toString(2).length }: MultiplyOptions) {
      const windows = windowCount(scalarBits, WINDOW_BITS);
      return { windowBits: WINDOW_BITS, windows, rows: windows, isCentred: false };
    }

    multiplyBatch: PlannedBackend['multiplyBatch'] = async (resident, vector, batch, options = {}) => {
      this.asked.push(options);
      this.onMultiply();
      options.onProgress?.(0.5);
      const { windows } = this.rowPlan(resident, batch, options);
      const bytes = bytesOfScalars(vector);
      return Array.from({ length: batch }, (_, m) => {
        const sums = Array.from({ length: windows * WINDOW_BITS }, () => 0n);
        for (let i = 0; i < COUNT; i++) {
          const scalar = bytesToBigint(bytes, (m * COUNT + i) * 32, 32);
          for (const [w, digit] of signedDigits(scalar, windows * WINDOW_BITS - 1, WINDOW_BITS).entries()) {
            sums[w * WINDOW_BITS] = sums[w * WINDOW_BITS]! + BigInt(digit) * logs[i]!;
          }
        }
        sums[0] = sums[0]! + this.error;
        const packed = sums.map((log, k) => {
          const point = multipleOf(log);
          const isSpoiled = k === 0 && this.small !== undefined && this.asked.length === 1;
          return packSum(curve, isSpoiled ? addAffine(CURVES[curve], point, this.small) : point, 3n);
        });
        const words = new Uint32Array(packed.length * packed[0]!.length);
        for (const [k, each] of packed.entries()) words.set(each, k * each.length);
        return { kind: 'windows', windowBits: 1, sums: new Uint8Array(words.buffer) };
      });
    };
  }

  async function start() {
    const gpu = new FakePlanned();
    const checks = kernelChecks(kernel);
    const arithmetic = kernelArithmetic(kernel);
    const backend = finishing(randomlyChecked(gpu, checks, arithmetic), arithmetic);
    return { gpu, checks, backend };
  }

  it('computes one more sum, of short scalars, after the sums of a batch', async () => {
    const { gpu, backend } = await start();
    const loaded = await backend.load(bases);
    const twice = hostScalars(encodeScalars([...scalars, ...scalars]));
    const progress: number[] = [];
    const options = {
      check: 'random',
      scalarBits: SCALAR_BITS,
      onProgress: (done: number) => progress.push(done),
    } as const;
    const sums = await backend.multiplyBatch(loaded, twice, 2, options);
    expect(sums.map(({ point }) => point)).toEqual([expected, expected]);
    // The sums are 70 % of the work, the check sum is the rest.
    expect(progress).toEqual([expect.closeTo(0.35), expect.closeTo(0.85)]);
    expect(gpu.asked).toMatchObject([
      { scalarBits: SCALAR_BITS, windowBits: WINDOW_BITS },
      { scalarBits: SHORT_CHECK_BITS },
    ]);
    loaded.release();
    expect(gpu.released).toBe(1);
  });

  it('rejects wrong sums, and wrong check sums', async () => {
    for (const wrong of [1, 2]) {
      const { gpu, backend } = await start();
      gpu.onMultiply = () => {
        gpu.error = gpu.asked.length === wrong ? 1n : 0n;
      };
      const call = backend.multiplyBatch(await backend.load(bases), given, 1, {
        check: 'random',
        scalarBits: SCALAR_BITS,
      });
      await expect(call).rejects.toMatchObject({ code: 'RESULT_INVALID' });
    }
  });

  it('rejects errors of small order, whatever their weight', async () => {
    if (CURVES[curve].g1.cofactor === 1n) return;
    for (let i = 0; i < 6; i++) {
      const { gpu, backend } = await start();
      gpu.small = pointOfEvenOrder(CURVES[curve]);
      const call = backend.multiplyBatch(await backend.load(bases), given, 1, {
        check: 'random',
        scalarBits: SCALAR_BITS,
      });
      await expect(call).rejects.toMatchObject({ code: 'RESULT_INVALID' });
    }
  });

  it('rejects errors of small order with weights that hide them', async () => {
    if (CURVES[curve].g1.cofactor === 1n) return;
    // With weights of 0 the check sum is right whatever the sums are, so that only the question for the subgroup is
    // left.
    vi.spyOn(crypto, 'getRandomValues').mockImplementation((bytes) => bytes);
    try {
      const { gpu, backend } = await start();
      const loaded = await backend.load(bases);
      const options = { check: 'random', scalarBits: SCALAR_BITS } as const;
      expect((await backend.multiplyBatch(loaded, given, 1, options))[0]!.point).toEqual(expected);
      gpu.asked.length = 0;
      gpu.small = pointOfEvenOrder(CURVES[curve]);
      await expect(backend.multiplyBatch(loaded, given, 1, options)).rejects.toMatchObject({ code: 'RESULT_INVALID' });
    } finally {
      vi.restoreAllMocks();
    }
  });

  it('draws a key for each load, and weights for each call', async () => {
    const { gpu, checks, backend } = await start();
    const [made, used, weights]: Uint8Array[][] = [[], [], []];
    vi.spyOn(checks, 'maskSum').mockImplementation(async (...request) => {
      made!.push(request[2].slice());
      return new Uint8Array(64);
    });
    vi.spyOn(checks, 'checkScalars').mockImplementation(async ({ key, weights: { ofRows } }) => {
      used!.push(key.slice());
      weights!.push(...Array.from({ length: WINDOWS }, (_, w) => ofRows.slice(8 * w, 8 * w + 8)));
      return NO_SCALARS;
    });
    gpu.multiplyBatch = () => Promise.reject(new Error('enough'));
    for (let i = 0; i < SAMPLES; i++) {
      const call = backend.multiplyBatch(await backend.load(bases), given, 1, {
        check: 'random',
        scalarBits: SCALAR_BITS,
      });
      await expect(call).rejects.toThrow('enough');
    }
    expectRandom(made!);
    expect(used).toEqual(made);
    expectRandom(weights!, 1n << BigInt(WEIGHT_BITS));
  });

  it('leaves other calls to the backend', async () => {
    const { gpu, checks, backend } = await start();
    const maskSum = vi.spyOn(checks, 'maskSum');
    const { checksResults: _, ...unchecked } = bases;
    const loaded = await backend.load(unchecked);
    const [sum] = await backend.multiplyBatch(loaded, given, 1, { scalarBits: SCALAR_BITS });
    expect(sum!.point).toEqual(expected);
    expect(gpu.asked).toHaveLength(1);
    expect(maskSum).not.toHaveBeenCalled();
    const checked = backend.multiplyBatch(loaded, given, 1, { check: 'random', scalarBits: SCALAR_BITS });
    await expect(checked).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('frees bases whose masks cannot be made', async () => {
    const { gpu, checks, backend } = await start();
    vi.spyOn(checks, 'maskSum').mockRejectedValue(new Error('no masks'));
    await expect(backend.load(bases)).rejects.toThrow('no masks');
    expect(gpu.released).toBe(1);
    const freed = { ...bases, points: { use: <T>(work: (none: Uint8Array) => Promise<T>) => work(new Uint8Array(0)) } };
    await expect(backend.load(freed)).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  it('leaves no rejection behind where masks fail before the bases are loaded', async () => {
    const { gpu, checks, backend } = await start();
    vi.spyOn(checks, 'maskSum').mockRejectedValue(new Error('no masks'));
    vi.spyOn(gpu, 'load').mockImplementation(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return { count: COUNT, release: () => undefined };
    });
    await expect(backend.load(bases)).rejects.toThrow('no masks');
  });

  it('leaves no rejection behind where check scalars fail before there are sums', async () => {
    const { gpu, checks, backend } = await start();
    const loaded = await backend.load(bases);
    // Not by a mock of vitest, which handles the rejection itself.
    checks.checkScalars = () => Promise.reject(new Error('no check scalars'));
    const multiply = gpu.multiplyBatch;
    gpu.multiplyBatch = async (...request) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return multiply(...request);
    };
    const call = backend.multiplyBatch(loaded, given, 1, { check: 'random', scalarBits: SCALAR_BITS });
    await expect(call).rejects.toThrow('no check scalars');
  });

  it('leaves no rejection behind where the expected check sum fails before there is one', async () => {
    const { gpu, checks, backend } = await start();
    const loaded = await backend.load(bases);
    vi.spyOn(checks, 'combineRows').mockRejectedValue(new Error('no rows'));
    const multiply = gpu.multiplyBatch;
    gpu.multiplyBatch = async (...request) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return multiply(...request);
    };
    const call = backend.multiplyBatch(loaded, given, 1, { check: 'random', scalarBits: SCALAR_BITS });
    await expect(call).rejects.toThrow('no rows');
  });

  it('needs bit sums', async () => {
    const { gpu, checks } = await start();
    const backend = randomlyChecked(gpu, checks, kernelArithmetic(kernel));
    const loaded = await backend.load(bases);
    const sums = new Uint8Array(64);
    for (const parts of [
      { kind: 'windows', windowBits: 2, sums },
      { kind: 'point', windowBits: 1, sums },
    ]) {
      gpu.multiplyBatch = async () => [parts] as never;
      const call = backend.multiplyBatch(loaded, given, 1, { check: 'random', scalarBits: SCALAR_BITS });
      await expect(call).rejects.toMatchObject({
        code: 'INTERNAL',
        message: `expected bit sums, got ${parts.kind}`,
      });
    }
  });

  it('takes check scalars of any length where points have multiples', async () => {
    const { gpu, checks, backend } = await start();
    const loaded = await backend.load(bases);
    vi.spyOn(checks, 'checkScalars').mockResolvedValue({
      kind: 'pieces',
      pieces: [new Uint8Array(COUNT * 32)],
      scalarBytes: 32,
    });
    vi.spyOn(gpu, 'rowPlan').mockReturnValue({
      windowBits: WINDOW_BITS,
      windows: WINDOWS,
      rows: 1,
      isCentred: false,
    });
    await expect(backend.multiplyBatch(loaded, given, 1, { check: 'random' })).rejects.toBeInstanceOf(Error);
    expect(gpu.asked).toHaveLength(2);
    expect(gpu.asked[1]!.scalarBits).toBeUndefined();
  });

  it('checks sums over any points, and none over no points', async () => {
    const { gpu, checks, backend } = await start();
    vi.spyOn(checks, 'maskSum').mockResolvedValue(new Uint8Array(64));
    const made = vi.spyOn(checks, 'checkScalars').mockRejectedValue(new Error('enough'));
    gpu.multiplyBatch = () => Promise.reject(new Error('enough'));
    for (const [from, to, isChecked] of [
      [2, 2, false],
      [0, 1, true],
      [COUNT - 1, COUNT, true],
    ] as const) {
      made.mockClear();
      const loaded = await backend.load(bases, { from, to });
      await expect(backend.multiplyBatch(loaded, given, 1, { check: 'random' })).rejects.toThrow('enough');
      expect(made).toHaveBeenCalledTimes(isChecked ? 1 : 0);
    }
  });

  it('overwrites weights, check scalars and copies of scalars, and leaves what it was given', async () => {
    const { gpu, checks } = await start();
    const backend = randomlyChecked(gpu, checks, kernelArithmetic(kernel));
    const secrets: Uint8Array[] = [];
    const make = checks.checkScalars.bind(checks);
    vi.spyOn(checks, 'checkScalars').mockImplementation(async (request, signal) => {
      const made = await make(request, signal);
      secrets.push(request.weights.ofRows, request.weights.ofWindows, request.scalars, ...made.pieces);
      return made;
    });
    const own = encodeScalars(scalars);
    const whole = new SharedScalars(own.slice());
    const picked = { ...whole.slice(), indices: Uint32Array.from(points, (_, i) => i) };
    const loaded = await backend.load(bases);
    await backend.multiplyBatch(loaded, picked, 1, { check: 'random', scalarBits: SCALAR_BITS });
    // With a range all points have a scalar, in further bytes.
    gpu.multiplyBatch = () => Promise.reject(new Error('enough'));
    const some = { ...picked, indices: picked.indices.subarray(1, 3), count: 2 };
    const call = backend.multiplyBatch(loaded, some, 1, { check: 'random', range: { from: 1, to: 3 } });
    await expect(call).rejects.toThrow('enough');
    await expect.poll(() => secrets).toHaveLength(8);
    // Check scalars are overwritten after the answer.
    await expect.poll(() => secrets.every((bytes) => bytes.every((byte) => byte === 0))).toBe(true);
    expect(whole.bytes).toEqual(own);
  });

  it('takes zeros for the points that a range leaves out', async () => {
    const { gpu, checks } = await start();
    const backend = randomlyChecked(gpu, checks, kernelArithmetic(kernel));
    vi.spyOn(checks, 'maskSum').mockResolvedValue(new Uint8Array(64));
    const asked: Uint8Array[] = [];
    vi.spyOn(checks, 'checkScalars').mockImplementation(async ({ scalars: all }) => {
      asked.push(all.slice());
      return NO_SCALARS;
    });
    gpu.multiplyBatch = () => Promise.reject(new Error('enough'));
    const loaded = await backend.load(bases);
    for (const [from, to] of [
      [0, 2],
      [1, 3],
      [COUNT - 2, COUNT],
      [0, COUNT],
    ] as const) {
      const given = Array.from({ length: 2 * (to - from) }, (_, i) => BigInt(i + 1));
      const options = { check: 'random', range: { from, to } } as const;
      const call = backend.multiplyBatch(loaded, hostScalars(encodeScalars(given)), 2, options);
      await expect(call).rejects.toThrow('enough');
      const all = [0, 1].flatMap((m) =>
        points.map((_, i) => (i >= from && i < to ? given[m * (to - from) + i - from]! : 0n)),
      );
      expect(asked.pop()).toEqual(encodeScalars(all));
    }
    expect(asked).toEqual([]);
  });

  it('makes no more masks for bases that cannot be loaded', async () => {
    const { gpu, checks, backend } = await start();
    let signal: AbortSignal | undefined;
    vi.spyOn(checks, 'maskSum').mockImplementation((...request) => {
      signal = request[3];
      return new Promise(() => undefined);
    });
    vi.spyOn(gpu, 'load').mockImplementation(async () => {
      // By now the masks are being made.
      await new Promise((resolve) => setTimeout(resolve, 0));
      throw new Error('no memory');
    });
    await expect(backend.load(bases)).rejects.toThrow('no memory');
    expect(signal?.aborted).toBe(true);
  });

  it('gives the backend nothing of the weights before its sums are there', async () => {
    const { gpu, checks, backend } = await start();
    const order: string[] = [];
    const make = checks.checkScalars.bind(checks);
    vi.spyOn(checks, 'checkScalars').mockImplementation(async (...request) => {
      const made = await make(...request);
      order.push('check scalars');
      return made;
    });
    const multiply = gpu.multiplyBatch;
    gpu.multiplyBatch = async (...request) => {
      order.push('begins');
      // The check scalars are made meanwhile.
      await expect.poll(() => order).toContain('check scalars');
      const sums = await multiply(...request);
      order.push('ends');
      return sums;
    };
    await backend.multiplyBatch(await backend.load(bases), given, 1, { check: 'random', scalarBits: SCALAR_BITS });
    expect(order).toEqual(['begins', 'check scalars', 'ends', 'begins', 'ends']);
  });
});

describe.each([
  ['bn254', 'g1', false],
  ['bn254', 'g2', true],
  ['bls12-381', 'g1', true],
  ['bls12-381', 'g2', true],
] as const)('a checked sum over %s %s', (curve, group, isAsked) => {
  const POINT = Uint8Array.of(7);
  /** The code with which a sum ends if r times it is `multiple`. */
  const codeFor = async (multiple: Uint8Array): Promise<string> => {
    const combine = vi.fn(async (_: Uint8Array, scalars?: Uint8Array) => (scalars === undefined ? POINT : multiple));
    const reduceWindows = vi.fn(async () => POINT);
    const finish = vi.fn(async () => POINT);
    const backend: PlannedBackend = {
      capabilities: { executor: 'webgpu', groups: [group], forms: [pointForm(curve, group)], maxBatch: 1 },
      load: async () => ({ count: 1, release: () => undefined }),
      rowPlan: () => ({ windowBits: 4, windows: 1, rows: 1, isCentred: false }),
      multiplyBatch: async () => [{ kind: 'windows', windowBits: 1, sums: Uint8Array.of(1) }],
    };
    const checked = randomlyChecked(
      backend,
      {
        maskSum: async () => POINT,
        checkScalars: async () => ({ kind: 'pieces', pieces: [new Uint8Array(12)], scalarBytes: 12 }),
        combineRows: async () => POINT,
      },
      () => ({ combine, reduceWindows, finish }),
    );
    const prepared = { ...packBases('bn254', randomPoints('bn254', 1, new Random(3)).points), curve, group };
    const points = { use: <T>(work: (bytes: Uint8Array) => Promise<T>) => work(new Uint8Array(384)) };
    const loaded = await checked.load({ ...prepared, points, checksResults: true }, { from: 0, to: 1 });
    const call = checked.multiplyBatch(loaded, hostScalars(new Uint8Array(32)), 1, { check: 'random' });
    const code = await call.then(
      () => 'taken',
      (error) => error.code,
    );
    // Sums of single bits, and r as the factor.
    expect(reduceWindows.mock.calls.map((given: unknown[]) => given[1])).toEqual([1]);
    expect(finish).toHaveBeenCalledOnce();
    const factors = combine.mock.calls.flatMap(([, scalars]) =>
      scalars === undefined ? [] : [bytesToBigint(scalars)],
    );
    expect(factors).toEqual(isAsked ? [CURVES[curve].fr.modulus] : []);
    return code;
  };

  it(isAsked ? 'is asked for its subgroup' : 'is in the only group that there is', async () => {
    expect(await codeFor(new Uint8Array(4))).toBe('taken');
    for (let at = 0; at < 4; at++) {
      expect(await codeFor(new Uint8Array(4).with(at, 1))).toBe(isAsked ? 'RESULT_INVALID' : 'taken');
    }
  });
});

describe('the weights of a check', () => {
  it('are random numbers of 40 bits, also where they are many', () => {
    const { ofRows } = drawWeights('bn254', { windowBits: 4, windows: 64, rows: 64 }, 256);
    const weights = [...new BigUint64Array(ofRows.buffer)];
    expect(weights).toHaveLength(64 * 256);
    expect(weights.every((weight) => weight >> BigInt(WEIGHT_BITS) === 0n)).toBe(true);
    // Two of so many are equal with probability 2^-13.
    expect(new Set(weights).size).toBeGreaterThan(64 * 256 - 3);
    for (let bit = 0n; bit < WEIGHT_BITS; bit++) {
      const set = weights.filter((weight) => (weight >> bit) & 1n).length;
      expect(Math.abs(set - 64 * 128)).toBeLessThan(64 * 16);
    }
  });

  it('are refused for more digits than a check scalar has room for', () => {
    const plan = { windowBits: 20, windows: 13, rows: 13 };
    expect(() => drawWeights('bn254', plan, 256)).not.toThrow();
    expect(() => drawWeights('bn254', plan, 316)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
  });
});
