import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { NoticeCode } from '../../../../sdk/api/progress.js';
import { equalBytes } from '../../../../sdk/base/bytes.js';
import { PippinError } from '../../../../sdk/base/errors.js';
import type { Backends } from '../../../../sdk/engine/backends.js';
import { loadUnpacked } from '../../../../sdk/engine/sources/load-unpacked.js';
import { GpuRoots } from '../../../../sdk/executors/gpu/roots/gpu-roots.js';
import { type GpuDevice, openDevice } from '../../../../sdk/executors/gpu/runtime/device.js';
import type { DecompressArgs } from '../../../../sdk/executors/workers/kernel/root-kernel.js';
import { memorySource } from '../../../../sdk/files/byte-source.js';
import { LoadedSource } from '../../../../sdk/files/cache/loaded-source.js';
import { chainOver, MAKING_TIMEOUT, testCircuit } from '../../../support/circuits.js';
import { packed } from '../../../support/packed-keys.js';
import { unpackingKernels } from '../../../support/unpacking-kernels.js';
import { type VirtualDevice, type VirtualGpuOptions, virtualGpu } from '../virtual-gpu.js';

/** Loads packed keys with one worker, which is this thread, and a GPU. */
class Loader {
  readonly notices: NoticeCode[] = [];
  readonly distrusted: string[] = [];
  /** Jobs that the worker has done in the last load, and how often this read the key. */
  jobs = 0;
  readings = 0;

  private constructor(private readonly device: GpuDevice) {}

  static async open(options: VirtualGpuOptions = {}): Promise<Loader> {
    return new Loader(await openDevice((await virtualGpu(options)).gpu));
  }

  /** Reads a key, and compares it with its .zkey, as all points of a key are checked. */
  async load(pzkey: Uint8Array, zkey: Uint8Array): Promise<void> {
    [this.jobs, this.readings] = [0, 0];
    const pool = {
      size: 1,
      module: async () => undefined,
      call: async (...[curve, , args]: [Parameters<typeof unpackingKernels.decompress>[0], string, DecompressArgs]) => {
        const { group, compressed, what, first } = args;
        this.jobs++;
        return unpackingKernels.decompress(curve, group, new Uint8Array(compressed), what, first);
      },
    };
    const gpuExecutor = { isRequired: true, distrust: (reason: string) => void this.distrusted.push(reason) };
    const gpuDevice = Promise.resolve(this.device);
    const backends = { pool, openCurve: async () => undefined, gpuDevice, gpuExecutor } as unknown as Backends;
    const call = { notice: (code: NoticeCode) => void this.notices.push(code) };
    await loadUnpacked({ backends }, call, new LoadedSource(memorySource(pzkey)), async (source) => {
      this.readings++;
      const bytes = await source.read(0, source.size);
      if (!equalBytes(bytes, zkey)) throw new PippinError('INVALID_POINT', 'expected a point, got none');
    });
  }

  /** Loads a key until the GPU has computed all points of a load, when its kernels are compiled. */
  async loadByGpu(pzkey: Uint8Array, zkey: Uint8Array): Promise<void> {
    const once = async (): Promise<number> => {
      await this.load(pzkey, zkey);
      return this.jobs;
    };
    await expect.poll(once, { timeout: 120_000 }).toBe(0);
  }
}

const KEYS = [
  { name: 'BN254', circuitOf: () => testCircuit('flags') },
  { name: 'BLS12-381', circuitOf: () => chainOver('bls12-381') },
];

describe.each(KEYS)('a packed key over $name beside a GPU', ({ circuitOf }) => {
  let zkey: Uint8Array;
  let pzkey: Uint8Array;
  beforeAll(async () => {
    zkey = new Uint8Array((await circuitOf()).zkey);
    pzkey = await packed(zkey);
  }, MAKING_TIMEOUT);
  afterEach(() => void vi.restoreAllMocks());

  it('is unpacked by the GPU once its kernels are compiled, and by the worker until then', async () => {
    const loader = await Loader.open();
    await loader.load(pzkey, zkey);
    expect(loader.jobs).toBeGreaterThan(0);
    await loader.loadByGpu(pzkey, zkey);
    expect([loader.readings, loader.notices, loader.distrusted]).toEqual([1, [], []]);
  });

  it('is unpacked by the worker where the GPU is a software adapter', async () => {
    const used: string[] = [];
    const loader = await Loader.open({ isSoftware: true, onUse: (name) => void used.push(name) });
    for (let i = 0; i < 3; i++) await loader.load(pzkey, zkey);
    expect(loader.jobs).toBeGreaterThan(0);
    expect(used.filter((name) => name.startsWith('root'))).toEqual([]);
  });

  it('is right though the kernel does nothing, or a part of its work, after which the worker does all', async () => {
    for (const part of [0, 0.5]) {
      let failing = false;
      const loader = await Loader.open({ partOf: (key) => (failing && key.startsWith('root') ? part : 1) });
      await loader.loadByGpu(pzkey, zkey);
      failing = true;
      await loader.load(pzkey, zkey);
      await loader.load(pzkey, zkey);
      expect(loader.jobs).toBeGreaterThan(0);
    }
  });

  it.each(['root', 'buffer readback'])('is right though the device is lost when it is at: %s', async (when) => {
    let failing = false;
    const onUse = (name: string, device: VirtualDevice): void => {
      if (failing && name.startsWith(when)) device.lose();
    };
    const loader = await Loader.open({ onUse });
    await loader.loadByGpu(pzkey, zkey);
    failing = true;
    await loader.load(pzkey, zkey);
    if (when === 'root') expect(loader.jobs).toBeGreaterThan(0);
    expect([loader.readings, loader.notices]).toEqual([1, []]);
  });

  it('is unpacked again where the GPU gave a wrong point, and the GPU is used no more', async () => {
    const loader = await Loader.open();
    await loader.loadByGpu(pzkey, zkey);
    const right = GpuRoots.prototype.decompress;
    vi.spyOn(GpuRoots.prototype, 'decompress').mockImplementation(async function (this: GpuRoots, compressed) {
      const made = await right.call(this, compressed);
      // Of the same sign.
      made.points[made.points.length - 1]! ^= 2;
      return made;
    });
    await loader.load(pzkey, zkey);
    expect([loader.readings, loader.notices]).toEqual([2, ['WEBGPU_DISTRUSTED']]);
    expect(loader.distrusted).toHaveLength(1);
  });

  it('is refused where the points that the worker finds are wrong, too, and the GPU stays', async () => {
    const loader = await Loader.open();
    await loader.loadByGpu(pzkey, zkey);
    const other = zkey.slice();
    other[other.length - 1]! ^= 1;
    await expect(loader.load(pzkey, other)).rejects.toMatchObject({ code: 'INVALID_POINT' });
    expect([loader.readings, loader.notices, loader.distrusted]).toEqual([2, [], []]);
  });
});
