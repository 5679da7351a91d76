import { beforeAll, describe, expect, it } from 'vitest';
import type { NewKey } from '../../../../sdk/ceremony/api.js';
import type { CeremonyPlatform } from '../../../../sdk/ceremony/ceremony.js';
import { ceremonyInPlace } from '../../../ceremony/ceremony-in-place.js';
import { firstKey } from '../../../ceremony/first-key.js';
import { type VirtualDevice, type VirtualGpuOptions, virtualGpu } from '../virtual-gpu.js';

const given = { hash: '0x0102', iterations: 10 };
const KERNELS = ['multiples', 'ladder', 'normalize'];

const bytesOf = async ({ zkey }: NewKey): Promise<Uint8Array> => new Uint8Array(await zkey!.arrayBuffer());

async function ceremonyWith(options?: VirtualGpuOptions) {
  const { gpu, devices } = await virtualGpu(options);
  return { devices, ...ceremonyInPlace({ gpu: async () => gpu }) };
}

/** The workers are the reference, whose bytes are snarkjs' (tests/ceremony/with-snarkjs.test.ts). */
describe('contributions on the GPU', () => {
  let first: Uint8Array;
  let expected: Uint8Array;
  beforeAll(async () => {
    first = (await firstKey('bn254')).zkey;
    expected = await bytesOf(await ceremonyInPlace().beacon(first, { ...given, backend: 'wasm' }));
  });

  it('write the same bytes as the workers, and leave nothing on the device', async () => {
    const { beacon, devices } = await ceremonyWith();
    const progress: number[] = [];
    const onProgress = (fraction: number): void => void progress.push(fraction);
    const made = await beacon(first, { ...given, backend: 'webgpu', onProgress });
    expect(made.backend).toBe('webgpu');
    expect(await bytesOf(made)).toEqual(expected);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));
    expect(progress.at(-1)).toBe(1);
    expect(devices).toHaveLength(1);
    const left = (await devices[0]!.contents()).filter(({ bytes }) => bytes.some((byte) => byte !== 0));
    expect(left.map(({ label }) => label)).toEqual(['scratch params']);
  });

  it.each(KERNELS)('are right though the kernel %s does nothing, or a part of its work', async (name) => {
    for (const part of [0, 0.5]) {
      const { beacon } = await ceremonyWith({ partOf: (key) => (key.startsWith(name) ? part : 1) });
      const made = await beacon(first, { ...given, backend: 'webgpu' });
      expect(await bytesOf(made)).toEqual(expected);
      expect(made.backend).toBe('wasm');
    }
  });

  it.each(['a buffer is made', ...KERNELS])('are right though the device is lost when %s', async (when) => {
    const onUse = (name: string, device: VirtualDevice): void => {
      if (name.startsWith(when) || (when.startsWith('a buffer') && name === 'buffer scratch 0')) device.lose();
    };
    const { beacon } = await ceremonyWith({ onUse });
    expect(await bytesOf(await beacon(first, { ...given, backend: 'webgpu' }))).toEqual(expected);
  });

  it('leave few points, and all where there is no usable GPU, to the workers', async () => {
    const noGpu: Partial<CeremonyPlatform> = { gpu: async () => undefined };
    for (const { beacon } of [await ceremonyWith(), ceremonyInPlace(noGpu)]) {
      const made = await beacon(first, given);
      expect(made.backend).toBe('wasm');
      expect(await bytesOf(made)).toEqual(expected);
    }
    await expect(ceremonyInPlace(noGpu).beacon(first, { ...given, backend: 'webgpu' })).rejects.toMatchObject({
      code: 'WEBGPU_UNAVAILABLE',
    });
  });

  it('end when their signal fires while the GPU computes', async () => {
    const controller = new AbortController();
    const onUse = (name: string): void => {
      if (name.startsWith('ladder')) controller.abort();
    };
    const { beacon, devices } = await ceremonyWith({ onUse });
    const call = beacon(first, { ...given, backend: 'webgpu', signal: controller.signal });
    await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
    expect(devices[0]!.isLost).toBe(true);
  });
});
