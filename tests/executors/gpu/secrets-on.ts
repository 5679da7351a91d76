import { expect } from 'vitest';
import { SCALAR_BYTES } from '../../../sdk/curves/index.js';
import type { VirtualDevice } from './virtual-gpu.js';

/** Buffers of a key, and of parameters that only tell places. */
const PUBLIC = ['bases', 'indices', 'constraints', 'twiddles', 'polynomials', 'roots', 'scratch params'];

/** Waits until no buffer on a device holds one of some scalars, or anything that may follow from them. */
export async function expectNoSecrets(device: VirtualDevice, scalars: Uint8Array): Promise<void> {
  // What is freed waits for its turn on the device.
  await expect.poll(() => secretsOn(device, scalars)).toEqual([]);
}

/** The labels of buffers that do. */
async function secretsOn(device: VirtualDevice, scalars: Uint8Array): Promise<string[]> {
  const values: Uint8Array[] = [];
  for (let at = 0; at < scalars.length; at += SCALAR_BYTES) {
    const value = scalars.subarray(at, at + SCALAR_BYTES);
    // Small ones are anywhere by chance.
    if (value.subarray(SCALAR_BYTES / 2).some((byte) => byte !== 0)) values.push(value);
  }
  if (values.length === 0) throw new Error('expected scalars that are large, got none');
  const labels: string[] = [];
  for (const { label, bytes } of await device.contents()) {
    // Staging memory keeps bases that it has brought.
    const mayHoldOthers = PUBLIC.includes(label) || label === 'staging';
    const contents = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const holds = (value: Uint8Array): boolean => contents.indexOf(value) >= 0;
    if (mayHoldOthers ? values.some(holds) : bytes.some((byte) => byte !== 0)) labels.push(label);
  }
  return labels;
}
