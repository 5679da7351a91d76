import { beforeAll, describe, expect, it } from 'vitest';
import type { NewPowers } from '../../../../sdk/ceremony/powers/api.js';
import { powersInPlace } from '../../../ceremony/ceremony-in-place.js';
import { type VirtualGpuOptions, virtualGpu } from '../virtual-gpu.js';

/** The largest domains have 16 points of G1 and 8 of G2. */
const POWER = 3;
const bytesOf = async ({ ptau }: NewPowers): Promise<Uint8Array> => new Uint8Array(await ptau!.arrayBuffer());

async function powersWith(options?: VirtualGpuOptions) {
  const { gpu } = await virtualGpu(options);
  return powersInPlace({ gpu: async () => gpu });
}

/** The workers are the reference, whose bytes are snarkjs' (tests/ceremony/powers/with-snarkjs.test.ts). */
describe('powers of tau prepared for phase 2 on the GPU', () => {
  let powers: Uint8Array;
  let expected: Uint8Array;
  beforeAll(async () => {
    const { newPowersOfTau, addBeaconToPowersOfTau, preparePowersOfTau } = powersInPlace();
    const first = await newPowersOfTau({ curve: 'bn254', power: POWER });
    powers = await bytesOf(await addBeaconToPowersOfTau(first.ptau!, { hash: '01', iterations: 10 }));
    expected = await bytesOf(await preparePowersOfTau(powers, { backend: 'wasm' }));
  });

  it('are the same bytes as by the workers', async () => {
    const { preparePowersOfTau } = await powersWith();
    const progress: number[] = [];
    const onProgress = (fraction: number): void => void progress.push(fraction);
    const made = await preparePowersOfTau(powers, { backend: 'webgpu', onProgress });
    expect(made.backend).toBe('webgpu');
    expect(await bytesOf(made)).toEqual(expected);
    expect(progress.at(-1)).toBe(1);
  });

  it.each(['multiples', 'ladder', 'butterfly', 'normalize'])(
    'are right though the kernel %s does nothing',
    async (name) => {
      const { preparePowersOfTau } = await powersWith({ leavesOut: (key) => key.startsWith(name) });
      const made = await preparePowersOfTau(powers, { backend: 'webgpu' });
      expect(await bytesOf(made)).toEqual(expected);
      expect(made.backend).toBe('wasm');
    },
  );

  it('are right though the device is lost', async () => {
    let uses = 0;
    const { preparePowersOfTau } = await powersWith({
      onUse: (name, device) => {
        if (name.startsWith('ladder') && ++uses === 3) device.lose();
      },
    });
    expect(await bytesOf(await preparePowersOfTau(powers, { backend: 'webgpu' }))).toEqual(expected);
  });
});
