import { afterEach, describe, expect, it, vi } from 'vitest';
import { ALL_CURVES } from '../../../support/registry.js';
import { allowRelaxedSimd } from '../../../support/relaxed-simd.js';

afterEach(restore);

function restore(): void {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
}

/** The module as if none of its probes had run yet. */
function fresh() {
  vi.resetModules();
  return import('../../../../sdk/executors/workers/kernel/wasm-module.js');
}

/** Its probe for integer lanes. */
async function freshProbe(): Promise<() => boolean> {
  return (await fresh()).hasFasterIntegerLanes;
}

/** As if the engine had wide arithmetic, too. */
async function freshWideProbe(): Promise<() => boolean> {
  vi.spyOn(WebAssembly, 'validate').mockReturnValue(true);
  vi.spyOn(WebAssembly, 'Module').mockImplementation(function compiled() {
    return {};
  });
  return (await fresh()).hasFastWideArithmetic;
}

/** Lets the loops of the probe take so many milliseconds a call, on a clock with ticks of `tick` ms. */
function pretend({ single, lanes, tick }: { single: number; lanes: number; tick: number }): void {
  let time = 1000;
  vi.stubGlobal('performance', { now: () => Math.floor(time / tick) * tick });
  const taking = (ms: number) => () => {
    time += ms;
    return 0;
  };
  vi.spyOn(WebAssembly, 'Instance').mockImplementation(function instance() {
    return { exports: { a: taking(single), b: taking(lanes) } };
  });
}

describe('the choice of a module', () => {
  it('takes fused multiply-adds where a product keeps its low half', async () => {
    allowRelaxedSimd();
    const { hasFusedLanes, wasmModulesOf } = await fresh();
    // Every machine that these tests run on has the instruction.
    expect(hasFusedLanes()).toBe(true);
    for (const { id, transforms } of ALL_CURVES) {
      expect(wasmModulesOf(id, 'points')).toEqual({ fastest: `${id}-fma`, plain: id });
      const scalars = `${id}-scalars`;
      const fastest = transforms?.inLanes ? `${scalars}-fma` : scalars;
      expect(wasmModulesOf(id, 'scalars')).toEqual({ fastest, plain: scalars });
    }
  });

  it('takes integer lanes or none by a real measurement, and keeps to it', async () => {
    const probe = await freshProbe();
    const first = probe();
    expect(typeof first).toBe('boolean');
    pretend({ single: first ? 0.01 : 1, lanes: first ? 1 : 0.01, tick: 0.005 });
    expect(probe()).toBe(first);
  });

  it.each([0.005, 1])(
    'takes integer lanes where they are faster, with a clock that ticks every %f ms',
    async (tick) => {
      for (const [single, lanes, expected] of [
        [0.002, 0.001, true],
        [0.002, 0.003, true],
        [0.002, 0.0038, true],
        [0.002, 0.0045, false],
        [0.05, 0.01, true],
      ] as const) {
        const probe = await freshProbe();
        pretend({ single, lanes, tick });
        expect(probe()).toBe(expected);
        vi.restoreAllMocks();
      }
    },
  );

  it('takes wide arithmetic where it is fast enough, and gives up at once where the clock is coarse', async () => {
    for (const [single, lanes, tick, expected] of [
      [0.002, 0.004, 0.005, true],
      [0.002, 0.0066, 0.1, true],
      [0.002, 0.0086, 0.005, false],
      [0.002, 0.0086, 0.1, false],
      [0.002, 0.004, 1, false],
    ] as const) {
      const probe = await freshWideProbe();
      pretend({ single, lanes, tick });
      const began = performance.now();
      expect(probe()).toBe(expected);
      if (tick === 1) expect(performance.now() - began).toBeLessThanOrEqual(2);
      restore();
    }
  });

  it('takes the module with wide arithmetic before the others, for points alone', async () => {
    await freshWideProbe();
    pretend({ single: 0.002, lanes: 0.004, tick: 0.005 });
    const { wasmModulesOf } = await fresh();
    expect(wasmModulesOf('bn254', 'points')).toEqual({ fastest: 'bn254-wide', plain: 'bn254' });
    expect(wasmModulesOf('bls12-377', 'scalars').fastest).toBe('bls12-377-scalars');
  });

  it('takes none where the clock stands still, where there is no SIMD, and where nothing may be compiled', async () => {
    pretend({ single: 0, lanes: 0, tick: 1 });
    expect((await freshProbe())()).toBe(false);
    restore();
    const validate = vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
    expect((await freshProbe())()).toBe(false);
    validate.mockReturnValue(true);
    vi.spyOn(WebAssembly, 'Module').mockImplementation(function refused() {
      throw new WebAssembly.CompileError('Wasm code generation disallowed by embedder');
    });
    expect((await freshProbe())()).toBe(false);
  });

  it('times loops that compute sums of products', async () => {
    const made: WebAssembly.Instance[] = [];
    const { Instance } = WebAssembly;
    vi.spyOn(WebAssembly, 'Instance').mockImplementation(function instance(module) {
      made.push(new Instance(module));
      return made[0]!;
    });
    (await freshProbe())();
    const { a, b } = made[0]!.exports as Record<string, (rounds: number) => number>;
    for (const rounds of [1, 2, 5, 100]) {
      for (const [loop, bits] of [
        [a!, 64],
        [b!, 32],
      ] as const) {
        // A sum is multiplied whole by i64.mul, and by its lower 32 bits, with their sign, in lanes.
        const sums = Array.from({ length: 8 }, (_, i) => (i === 0 ? BigInt(rounds) : 0n));
        for (let round = 0; round < rounds; round++) {
          for (let i = 0; i < 8; i++) sums[i] = BigInt.asIntN(bits, sums[i]!) * BigInt(rounds) + sums[(i + 1) % 8]!;
        }
        expect(loop(rounds)).toBe(Number(BigInt.asIntN(32, sums[0]!)));
      }
    }
  });
});
